# fish completion for deltadiff, made by 'deltadiff --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __deltadiff_takes_value
    switch "$argv"
        case 'deltadiff --deleted-at' \
            'deltadiff --now' \
            'deltadiff --explain' \
            'deltadiff --summary' \
            'deltadiff --tagged' \
            'deltadiff --duplicates' \
            'deltadiff --profile' \
            'deltadiff --entity-name' \
            'deltadiff --key' \
            'deltadiff --clock' \
            'deltadiff --tombstone' \
            'deltadiff --entity' \
            'deltadiff --on-error' \
            'deltadiff --rejects' \
            'deltadiff --memory' \
            'deltadiff --threads' \
            'deltadiff apply --duplicates' \
            'deltadiff apply --profile' \
            'deltadiff apply --entity-name' \
            'deltadiff apply --key' \
            'deltadiff apply --clock' \
            'deltadiff apply --tombstone' \
            'deltadiff apply --entity' \
            'deltadiff apply --on-error' \
            'deltadiff apply --rejects' \
            'deltadiff apply --memory' \
            'deltadiff apply --threads' \
            'deltadiff invert --deleted-at' \
            'deltadiff invert --now' \
            'deltadiff invert --duplicates' \
            'deltadiff invert --profile' \
            'deltadiff invert --entity-name' \
            'deltadiff invert --key' \
            'deltadiff invert --clock' \
            'deltadiff invert --tombstone' \
            'deltadiff invert --entity' \
            'deltadiff invert --on-error' \
            'deltadiff invert --rejects' \
            'deltadiff invert --memory' \
            'deltadiff invert --threads' \
            'deltadiff stat --profile' \
            'deltadiff stat --entity-name' \
            'deltadiff stat --key' \
            'deltadiff stat --clock' \
            'deltadiff stat --tombstone' \
            'deltadiff stat --entity' \
            'deltadiff stat --on-error' \
            'deltadiff stat --rejects' \
            'deltadiff stat --memory' \
            'deltadiff stat --threads' \
            'deltadiff pack --types' \
            'deltadiff pack --response' \
            'deltadiff pack --profile' \
            'deltadiff pack --entity-name' \
            'deltadiff pack --key' \
            'deltadiff pack --clock' \
            'deltadiff pack --tombstone' \
            'deltadiff pack --entity' \
            'deltadiff pack --on-error' \
            'deltadiff pack --rejects' \
            'deltadiff unpack --types' \
            'deltadiff unpack --on-error' \
            'deltadiff unpack --rejects' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __deltadiff_words
    set -l at deltadiff
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
            __deltadiff_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __deltadiff_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" ; or contains -- "$place $at $word" 'first deltadiff apply' 'first deltadiff invert' 'first deltadiff stat' 'first deltadiff pack' 'first deltadiff unpack'
            set at "$at $word"
            set place first
            continue
        else
            set -a operands $word
            if contains -- "$at" 
                set at "$at --"
                set ended yes
            end
        end
        string match -qr -- '^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$' $word; or set place later
    end
    printf '%s\n' $place "$at" $operands
end

function __deltadiff_at
    set -l words (__deltadiff_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __deltadiff_first
    set -l words (__deltadiff_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __deltadiff_command
    set -l words (__deltadiff_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c deltadiff -f
complete -c deltadiff -n '__deltadiff_at deltadiff' -l deleted-at -x -d 'Use TIME as the time of deletions (default: now, or a millisecond after the record\'s own clock if that is later)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l now -x -d 'Use TIME as the current time'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l changes -d 'Write records as change lines'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l exit-code -d 'Exit with 1 if there are differences'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l explain -r -F -d 'Write one line per change to FILE: the members that differ, and how'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l summary -r -F -d 'Write the counts of lines, upserts and deletes to FILE as one object'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l tagged -r -F -d 'Read both snapshots from FILE, in place of OLD and NEW; - is standard input'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l duplicates -x -a 'error last' -d 'If a file has a duplicate key, fail with an error that names both lines, or use the last line (default: error)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c deltadiff -n '__deltadiff_at deltadiff' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c deltadiff -n '__deltadiff_at deltadiff' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c deltadiff -n '__deltadiff_at deltadiff' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c deltadiff -n '__deltadiff_first deltadiff' -a apply -d 'apply a delta to a snapshot'
complete -c deltadiff -n '__deltadiff_first deltadiff' -a invert -d 'make the delta that undoes a delta'
complete -c deltadiff -n '__deltadiff_first deltadiff' -a stat -d 'count the upserts and deletes of each entity'
complete -c deltadiff -n '__deltadiff_first deltadiff' -a pack -d 'turn change lines into a version 1 delta'
complete -c deltadiff -n '__deltadiff_first deltadiff' -a unpack -d 'turn a version 1 delta into change lines'
complete -c deltadiff -n '__deltadiff_at deltadiff' -F
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l strict -d 'Refuse the whole delta if it deletes a record that BASE does not have, or changes one that is newer in BASE'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l duplicates -x -a 'error last' -d 'If a file has a duplicate key, fail with an error that names both lines, or use the last line (default: error)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c deltadiff -n '__deltadiff_at \'deltadiff apply\'' -F
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l deleted-at -x -d 'Use TIME as the time of deletions (default: now, or a millisecond after the record\'s own clock if that is later)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l now -x -d 'Use TIME as the current time'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l duplicates -x -a 'error last' -d 'If a file has a duplicate key, fail with an error that names both lines, or use the last line (default: error)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c deltadiff -n '__deltadiff_at \'deltadiff invert\'' -F
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c deltadiff -n '__deltadiff_at \'deltadiff stat\'' -F
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l types -r -F -d 'Read the types of members from FILE, as unpack writes it'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l response -r -F -d 'Put the delta into the syncResponse message in FILE'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l lossy -d 'Cut times to whole seconds, round numbers to doubles, leave out nested values and unknown members, and report how many'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c deltadiff -n '__deltadiff_at \'deltadiff pack\'' -F
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l types -r -F -d 'Write the types of members to FILE, or add them to it'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l lossy -d 'Leave out members that version 1 does not have, and report how many'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c deltadiff -n '__deltadiff_at \'deltadiff unpack\'' -F
