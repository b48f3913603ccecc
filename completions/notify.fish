# fish completion for notify, made by 'notify --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __notify_takes_value
    switch "$argv"
        case 'notify plan --old' \
            'notify plan --new' \
            'notify plan --actor' \
            'notify plan --quiet-hours' \
            'notify plan --in-quiet-hours' \
            'notify plan --zone' \
            'notify plan --busy' \
            'notify plan --busy-member' \
            'notify plan --now' \
            'notify plan --profile' \
            'notify plan --entity-name' \
            'notify plan --key' \
            'notify plan --clock' \
            'notify plan --tombstone' \
            'notify plan --entity' \
            'notify plan --on-error' \
            'notify plan --rejects' \
            'notify plan --memory' \
            'notify plan --threads' \
            'notify due --state' \
            'notify due --quiet-hours' \
            'notify due --in-quiet-hours' \
            'notify due --zone' \
            'notify due --busy' \
            'notify due --busy-member' \
            'notify due --now' \
            'notify due --profile' \
            'notify due --entity-name' \
            'notify due --key' \
            'notify due --clock' \
            'notify due --tombstone' \
            'notify due --entity' \
            'notify due --on-error' \
            'notify due --rejects' \
            'notify due --memory' \
            'notify due --threads' \
            'notify outbox add --store' \
            'notify outbox add --wait' \
            'notify outbox add --on-error' \
            'notify outbox add --rejects' \
            'notify outbox list --store' \
            'notify outbox list --wait' \
            'notify outbox list --state' \
            'notify outbox retry --store' \
            'notify outbox retry --wait' \
            'notify outbox prune --store' \
            'notify outbox prune --wait' \
            'notify outbox prune --now' \
            'notify outbox prune --older-than' \
            'notify devices add --store' \
            'notify devices add --wait' \
            'notify devices add --now' \
            'notify devices add --member' \
            'notify devices add --on-error' \
            'notify devices add --rejects' \
            'notify devices remove --store' \
            'notify devices remove --wait' \
            'notify devices remove --member' \
            'notify devices remove --tokens' \
            'notify devices remove --on-error' \
            'notify devices remove --rejects' \
            'notify devices list --store' \
            'notify devices list --wait' \
            'notify devices list --member' \
            'notify send --to' \
            'notify send --signing-key' \
            'notify send --key-id' \
            'notify send --team-id' \
            'notify send --topic' \
            'notify send --endpoint' \
            'notify send --ca-file' \
            'notify send --streams' \
            'notify send --timeout' \
            'notify send --answer-timeout' \
            'notify send --backoff' \
            'notify send --store' \
            'notify send --wait' \
            'notify send --now' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __notify_words
    set -l at notify
    set -l place first
    set -l operands
    set -l pending no
    set -l ended no
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $pending = yes
            set pending no
            continue
        else if test $ended = no; and test "$word" = --
            set ended yes
        else if test $ended = no; and string match -q -- '--*=*' $word
        else if test $ended = no; and string match -q -- '--*' $word
            __notify_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __notify_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" notify 'notify outbox' 'notify devices'; or contains -- "$place $at $word" 
            set at "$at $word"
            set place first
            continue
        else
            set -a operands $word
            if contains -- "$at" 'notify send'
                set at "$at --"
                set ended yes
            end
        end
        string match -qr -- '^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$' $word; or set place later
    end
    printf '%s\n' $place "$at" $operands
end

function __notify_at
    set -l words (__notify_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __notify_first
    set -l words (__notify_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __notify_command
    set -l words (__notify_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c notify -f
complete -c notify -n '__notify_at notify' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at notify' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at notify' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at notify' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at notify' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at notify' -x -a plan -d 'decide whom to notify of changes'
complete -c notify -n '__notify_at notify' -x -a due -d 'decide whom to remind now'
complete -c notify -n '__notify_at notify' -x -a outbox -d 'manage the notifications to be sent, and their results'
complete -c notify -n '__notify_at notify' -x -a devices -d 'manage the devices of members'
complete -c notify -n '__notify_at notify' -x -a send -d 'deliver due pushes'
complete -c notify -n '__notify_at \'notify plan\'' -l old -r -F -d 'Read the household before the changes from FILE'
complete -c notify -n '__notify_at \'notify plan\'' -l new -r -F -d 'Read the household after the changes from FILE'
complete -c notify -n '__notify_at \'notify plan\'' -l actor -x -d 'Name the member who made the changes, by id or name (default: the member who completed each occurrence)'
complete -c notify -n '__notify_at \'notify plan\'' -l silent -d 'Also make the devices of everyone except the actor fetch the changes, if any'
complete -c notify -n '__notify_at \'notify plan\'' -l tell-loser -d 'Also notify a member who loses a turn'
complete -c notify -n '__notify_at \'notify plan\'' -l quiet-hours -x -d 'Use these quiet hours for members without quietHours'
complete -c notify -n '__notify_at \'notify plan\'' -l in-quiet-hours -x -a 'defer drop collapse' -d 'In quiet hours, defer notifications to the end, collapse them into one at the end, or drop them (default: defer)'
complete -c notify -n '__notify_at \'notify plan\'' -l zone -x -d 'Use this time zone for members without one, such as Europe/Paris (default: UTC)'
complete -c notify -n '__notify_at \'notify plan\'' -l busy -r -F -d 'Also wait while a member is busy: FILE has lines with memberID, start and end, or is an iCalendar file'
complete -c notify -n '__notify_at \'notify plan\'' -l busy-member -x -d 'Use the preceding --busy file as the iCalendar file of MEMBER, an id or a name'
complete -c notify -n '__notify_at \'notify plan\'' -l now -x -d 'Use TIME as the current time'
complete -c notify -n '__notify_at \'notify plan\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c notify -n '__notify_at \'notify plan\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c notify -n '__notify_at \'notify plan\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c notify -n '__notify_at \'notify plan\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c notify -n '__notify_at \'notify plan\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c notify -n '__notify_at \'notify plan\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c notify -n '__notify_at \'notify plan\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c notify -n '__notify_at \'notify plan\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c notify -n '__notify_at \'notify plan\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c notify -n '__notify_at \'notify plan\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c notify -n '__notify_at \'notify plan\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c notify -n '__notify_at \'notify plan\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify plan\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify plan\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify plan\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify plan\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify due\'' -l state -r -F -d 'Read the household from FILE'
complete -c notify -n '__notify_at \'notify due\'' -l quiet-hours -x -d 'Use these quiet hours for members without quietHours'
complete -c notify -n '__notify_at \'notify due\'' -l in-quiet-hours -x -a 'defer drop collapse' -d 'In quiet hours, defer notifications to the end, collapse them into one at the end, or drop them (default: defer)'
complete -c notify -n '__notify_at \'notify due\'' -l zone -x -d 'Use this time zone for members without one, such as Europe/Paris (default: UTC)'
complete -c notify -n '__notify_at \'notify due\'' -l busy -r -F -d 'Also wait while a member is busy: FILE has lines with memberID, start and end, or is an iCalendar file'
complete -c notify -n '__notify_at \'notify due\'' -l busy-member -x -d 'Use the preceding --busy file as the iCalendar file of MEMBER, an id or a name'
complete -c notify -n '__notify_at \'notify due\'' -l now -x -d 'Use TIME as the current time'
complete -c notify -n '__notify_at \'notify due\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c notify -n '__notify_at \'notify due\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c notify -n '__notify_at \'notify due\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c notify -n '__notify_at \'notify due\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c notify -n '__notify_at \'notify due\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c notify -n '__notify_at \'notify due\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c notify -n '__notify_at \'notify due\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c notify -n '__notify_at \'notify due\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c notify -n '__notify_at \'notify due\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c notify -n '__notify_at \'notify due\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c notify -n '__notify_at \'notify due\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c notify -n '__notify_at \'notify due\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify due\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify due\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify due\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify due\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify outbox\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify outbox\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify outbox\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify outbox\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify outbox\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify outbox\'' -x -a add -d 'add notifications'
complete -c notify -n '__notify_at \'notify outbox\'' -x -a list -d 'write the pushes, one object each'
complete -c notify -n '__notify_at \'notify outbox\'' -x -a retry -d 'retry failed pushes'
complete -c notify -n '__notify_at \'notify outbox\'' -x -a prune -d 'remove old finished pushes'
complete -c notify -n '__notify_at \'notify outbox add\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify outbox add\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify outbox add\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c notify -n '__notify_at \'notify outbox add\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c notify -n '__notify_at \'notify outbox add\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify outbox add\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify outbox add\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify outbox add\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify outbox add\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify outbox add\'' -F
complete -c notify -n '__notify_at \'notify outbox list\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify outbox list\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify outbox list\'' -l state -x -a 'waiting sending sent failed expired merged withdrawn' -d 'Write only pushes in this state; failed includes those that failed on only one device'
complete -c notify -n '__notify_at \'notify outbox list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c notify -n '__notify_at \'notify outbox list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify outbox list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify outbox list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify outbox list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify outbox list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify outbox retry\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify outbox retry\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify outbox retry\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify outbox retry\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify outbox retry\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify outbox retry\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify outbox retry\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l now -x -d 'Use TIME as the current time'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l older-than -x -d 'Remove pushes that ended longer ago than this (default: 7d)'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify outbox prune\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify outbox prune\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify outbox prune\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify devices\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify devices\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify devices\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify devices\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify devices\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify devices\'' -x -a add -d 'add devices, or assign them to another member'
complete -c notify -n '__notify_at \'notify devices\'' -x -a remove -d 'remove devices'
complete -c notify -n '__notify_at \'notify devices\'' -x -a list -d 'write the devices, one object each'
complete -c notify -n '__notify_at \'notify devices add\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify devices add\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify devices add\'' -l now -x -d 'Use TIME as the current time'
complete -c notify -n '__notify_at \'notify devices add\'' -l member -x -d 'Add the devices to MEMBER; each line is a token'
complete -c notify -n '__notify_at \'notify devices add\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c notify -n '__notify_at \'notify devices add\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c notify -n '__notify_at \'notify devices add\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify devices add\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify devices add\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify devices add\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify devices add\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify devices add\'' -F
complete -c notify -n '__notify_at \'notify devices remove\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify devices remove\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify devices remove\'' -l member -x -d 'Remove all devices of MEMBER'
complete -c notify -n '__notify_at \'notify devices remove\'' -l tokens -r -F -d 'Remove the devices with tokens in FILE'
complete -c notify -n '__notify_at \'notify devices remove\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c notify -n '__notify_at \'notify devices remove\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c notify -n '__notify_at \'notify devices remove\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify devices remove\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify devices remove\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify devices remove\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify devices remove\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify devices list\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify devices list\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify devices list\'' -l member -x -d 'Write only the devices of MEMBER'
complete -c notify -n '__notify_at \'notify devices list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c notify -n '__notify_at \'notify devices list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify devices list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify devices list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify devices list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify devices list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify send\'' -l to -x -a 'apns command' -d 'Send to apns, Apple\'s push service, or to command (default: apns)'
complete -c notify -n '__notify_at \'notify send\'' -l signing-key -r -F -d 'Sign with this private key, a .p8 file that only its owner can read'
complete -c notify -n '__notify_at \'notify send\'' -l key-id -x -d 'Name the id of the signing key'
complete -c notify -n '__notify_at \'notify send\'' -l team-id -x -d 'Name the id of the developer team'
complete -c notify -n '__notify_at \'notify send\'' -l topic -x -d 'Name the bundle id of the app'
complete -c notify -n '__notify_at \'notify send\'' -l endpoint -x -d 'Use another push service, such as https://api.sandbox.push.apple.com for development'
complete -c notify -n '__notify_at \'notify send\'' -l ca-file -r -F -d 'Trust the certificates in FILE instead of the system\'s'
complete -c notify -n '__notify_at \'notify send\'' -l streams -x -d 'Send at most N pushes at a time (default: 500)'
complete -c notify -n '__notify_at \'notify send\'' -l timeout -x -d 'Stop starting pushes after this long (default: 60s)'
complete -c notify -n '__notify_at \'notify send\'' -l answer-timeout -x -d 'Give up on an answer, or on COMMAND, after this long (default: 60s)'
complete -c notify -n '__notify_at \'notify send\'' -l backoff -x -d 'Wait up to this long before the first retry, and twice as long before each further one (default: 1s)'
complete -c notify -n '__notify_at \'notify send\'' -l dry-run -d 'Write the headers and the body of each push, but do not send it or change the outbox'
complete -c notify -n '__notify_at \'notify send\'' -l store -r -F -d 'Use this file for the outbox and the devices'
complete -c notify -n '__notify_at \'notify send\'' -l wait -x -d 'Wait up to this long for another process (default: 10s)'
complete -c notify -n '__notify_at \'notify send\'' -l now -x -d 'Use TIME as the current time'
complete -c notify -n '__notify_at \'notify send\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c notify -n '__notify_at \'notify send\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c notify -n '__notify_at \'notify send\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c notify -n '__notify_at \'notify send\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c notify -n '__notify_at \'notify send\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c notify -n '__notify_at \'notify send\'' -x -a '(__notify_command)'
complete -c notify -n '__notify_at \'notify send --\'' -x -a '(__notify_command)'
