# fish completion for peersync, made by 'peersync --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __peersync_takes_value
    switch "$argv"
        case 'peersync pair --scan' \
            'peersync pair --name' \
            'peersync pair --address' \
            'peersync pair --expires-in' \
            'peersync pair -p' \
            'peersync pair --port' \
            'peersync pair --interface' \
            'peersync pair --protocol' \
            'peersync pair --timeout' \
            'peersync serve -p' \
            'peersync serve --port' \
            'peersync serve --max-connections' \
            'peersync serve --peer' \
            'peersync serve --on-change' \
            'peersync serve --keep-conflicts' \
            'peersync serve --interface' \
            'peersync serve --trace' \
            'peersync serve --protocol' \
            'peersync serve --timeout' \
            'peersync serve --store' \
            'peersync serve --wait' \
            'peersync serve --now' \
            'peersync serve --max-drift' \
            'peersync serve --max-delete' \
            'peersync serve --profile' \
            'peersync serve --entity-name' \
            'peersync serve --key' \
            'peersync serve --clock' \
            'peersync serve --tombstone' \
            'peersync serve --entity' \
            'peersync run --direction' \
            'peersync run --address' \
            'peersync run --jitter' \
            'peersync run --on-change' \
            'peersync run --keep-conflicts' \
            'peersync run --interface' \
            'peersync run --trace' \
            'peersync run --protocol' \
            'peersync run --timeout' \
            'peersync run --store' \
            'peersync run --wait' \
            'peersync run --now' \
            'peersync run --max-drift' \
            'peersync run --max-delete' \
            'peersync run --profile' \
            'peersync run --entity-name' \
            'peersync run --key' \
            'peersync run --clock' \
            'peersync run --tombstone' \
            'peersync run --entity' \
            'peersync bind --table' \
            'peersync bind --entity-name' \
            'peersync bind --key' \
            'peersync bind --clock' \
            'peersync bind --column' \
            'peersync bind --base64' \
            'peersync bind --bool' \
            'peersync bind --nested' \
            'peersync bind --store' \
            'peersync bind --wait' \
            'peersync bind list --store' \
            'peersync bind list --wait' \
            'peersync bind remove --table' \
            'peersync bind remove --store' \
            'peersync bind remove --wait' \
            'peersync remote add --key-file' \
            'peersync remote add --ca-file' \
            'peersync remote add --entity-name' \
            'peersync remote add --types' \
            'peersync remote add --deleted-field' \
            'peersync remote add --sweep' \
            'peersync remote remove --store' \
            'peersync remote remove --wait' \
            'peersync status --timeout' \
            'peersync status --store' \
            'peersync status --wait' \
            'peersync doctor --timeout' \
            'peersync doctor --store' \
            'peersync doctor --wait' \
            'peersync forget --store' \
            'peersync forget --wait' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

# Prints list $argv[1], one value per line.
function __peersync_print
    switch $argv[1]
        case peers
            sh -c 'peerpair list | sed -n -e \'s/.*"peerId":"\\([^"]*\\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\\1/p\' -e t -e \'s/.*"deviceName":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
        case targets
            sh -c '{ peerpair list; peersync remote list; } | sed -n -e \'s/.*"peerId":"\\([^"]*\\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\\1/p\' -e t -e \'s/.*"deviceName":"\\([^"]*\\)".*/\\1/p\' -e \'s/.*"remote":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
        case sources
            sh -c 'peersync bind list | sed -n -e \'s/.*"source":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
        case remotes
            sh -c 'peersync remote list | sed -n -e \'s/.*"remote":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
    end
end

function __peersync_words
    set -l at peersync
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
            __peersync_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __peersync_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" peersync 'peersync remote'; or contains -- "$place $at $word" 'first peersync bind list' 'first peersync bind remove'
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

function __peersync_at
    set -l words (__peersync_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __peersync_first
    set -l words (__peersync_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __peersync_command
    set -l words (__peersync_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c peersync -f
complete -c peersync -n '__peersync_at peersync' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at peersync' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at peersync' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at peersync' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at peersync' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at peersync' -x -a pair -d 'make this device and another one trust each other'
complete -c peersync -n '__peersync_at peersync' -x -a serve -d 'answer peers that sync with this device'
complete -c peersync -n '__peersync_at peersync' -x -a run -d 'sync with peers, shared folders, servers and Firestore collections'
complete -c peersync -n '__peersync_at peersync' -x -a bind -d 'sync an app\'s file or table with the store'
complete -c peersync -n '__peersync_at peersync' -x -a remote -d 'manage remotes that are not peers: shared folders, servers and Firestore collections'
complete -c peersync -n '__peersync_at peersync' -x -a status -d 'show the state of each peer and remote'
complete -c peersync -n '__peersync_at peersync' -x -a doctor -d 'find problems that prevent this device from syncing'
complete -c peersync -n '__peersync_at peersync' -x -a forget -d 'remove a trusted peer'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l scan -r -F -d 'Read the other side\'s pairing code instead of showing one'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l name -x -d 'Name this device NAME from now on (default for a new identity: the machine\'s name)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l address -x -d 'Connect to this address (default: the peer\'s last address, or the address found on the local network)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s y -l yes -d 'Trust the other side without asking'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l expires-in -x -d 'Make the code expire after this long, at most 24h (default: 5m)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s p -l port -x -d 'Listen on port N (default: any free port, which is printed)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l protocol -x -a '1 2' -d 'Use this version of the peer protocol: 2, or 1 for the first apps (default: 2)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l timeout -x -d 'Give up after this long without traffic (default: 30s)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync serve\'' -s p -l port -x -d 'Listen on port N (default: any free port, which is printed)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l max-connections -x -d 'Serve at most N links at a time; refuse others as busy (default: 16)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l once -d 'Exit after the first session, with its status'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l peer -x -a '(__peersync_print peers)' -d 'Answer only this peer: an id (at least its first 4 characters) or a name'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l on-change -x -d 'After storing changes from other devices, run COMMAND with sh'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l keep-conflicts -x -d 'Keep versions that lost a conflict for this long (default: 30d; off discards them)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l trace -r -F -d 'Write each message to and from a peer to FILE, with its time and sender, for \'frame check\''
complete -c peersync -n '__peersync_at \'peersync serve\'' -l protocol -x -a '1 2' -d 'Use this version of the peer protocol: 2, or 1 for the first apps (default: 2)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l timeout -x -d 'Give up after this long without traffic (default: 30s)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l now -x -d 'Use TIME as the current time'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l mix-entities -d 'Allow records with an entity and records without one in the same store'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync serve\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync run\'' -l direction -x -a 'pull push both' -d 'Sync in this direction: pull, push or both (default: both)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l address -x -d 'Connect to this address (default: the peer\'s last address, or the address found on the local network)'
complete -c peersync -n '__peersync_at \'peersync run\'' -s f -l follow -d 'Keep running, and send each change as it is made'
complete -c peersync -n '__peersync_at \'peersync run\'' -s v -l verbose -d 'Write each step of the run on standard error'
complete -c peersync -n '__peersync_at \'peersync run\'' -l dry-run -d 'Print the changes without making them'
complete -c peersync -n '__peersync_at \'peersync run\'' -l exit-code -d 'Exit with 1 if records have changed; with status, exit with 1 if a sync is stuck'
complete -c peersync -n '__peersync_at \'peersync run\'' -l jitter -x -d 'First wait for a random time of up to DURATION, so that many devices do not connect at once'
complete -c peersync -n '__peersync_at \'peersync run\'' -l on-change -x -d 'After storing changes from other devices, run COMMAND with sh'
complete -c peersync -n '__peersync_at \'peersync run\'' -l keep-conflicts -x -d 'Keep versions that lost a conflict for this long (default: 30d; off discards them)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peersync -n '__peersync_at \'peersync run\'' -l trace -r -F -d 'Write each message to and from a peer to FILE, with its time and sender, for \'frame check\''
complete -c peersync -n '__peersync_at \'peersync run\'' -l protocol -x -a '1 2' -d 'Use this version of the peer protocol: 2, or 1 for the first apps (default: 2)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l timeout -x -d 'Give up after this long without traffic (default: 30s)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync run\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync run\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l now -x -d 'Use TIME as the current time'
complete -c peersync -n '__peersync_at \'peersync run\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l mix-entities -d 'Allow records with an entity and records without one in the same store'
complete -c peersync -n '__peersync_at \'peersync run\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c peersync -n '__peersync_at \'peersync run\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c peersync -n '__peersync_at \'peersync run\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync run\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync run\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync run\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync run\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync run\'' -a '(__peersync_print targets)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l table -x -d 'Bind this table or view of the database'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l entity-name -x -d 'Give the records this entity in the store (default: the name of the table, or of the file without its extension)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l key -x -d 'Read the key of a record from this JSON Pointer (default: /id, /line for a .txt file, or the primary key of the table)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l clock -x -d 'Read the time of a record\'s last edit from this JSON Pointer, or off (default: /modifiedAt, otherwise /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l column -x -d 'Use this column; repeat the option for more columns (default: all columns)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l base64 -x -d 'Convert the bytes of this column to Base64 and back'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l bool -x -d 'Convert 0 and 1 in this column to false and true, and back'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l nested -x -d 'Convert the JSON text of this column to a value and back'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync bind\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_first \'peersync bind\'' -a list -d 'print the bound files and tables'
complete -c peersync -n '__peersync_first \'peersync bind\'' -a remove -d 'stop syncing a file or table'
complete -c peersync -n '__peersync_at \'peersync bind\'' -F
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l table -x -d 'Remove only this table of a database'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -a '(__peersync_print sources)'
complete -c peersync -n '__peersync_at \'peersync remote\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync remote\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync remote\'' -x -a add -d 'sync with a shared folder, a server or a Firestore collection'
complete -c peersync -n '__peersync_at \'peersync remote\'' -x -a list -d 'print the remotes'
complete -c peersync -n '__peersync_at \'peersync remote\'' -x -a remove -d 'stop syncing with a remote'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l key-file -r -F -d 'Read the server\'s key from FILE, as \'syncserve key create\' prints it; for Firestore, the JSON key of a service account, or a token'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l ca-file -r -F -d 'Trust the certificates in this file instead of the system\'s'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l entity-name -x -d 'Firestore: give the records this entity (default: the entity that other devices use, else the name of the collection)'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l types -r -F -d 'Firestore: read the types of members from FILE, as \'deltadiff unpack\' writes them'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l deleted-field -x -d 'Firestore: mark a deleted document by setting its member NAME to true, instead of removing it'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l sweep -x -d 'Firestore: compare the names of all documents after this long, even if their number is the same (default: 24h)'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -F
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -a '(__peersync_print remotes)'
complete -c peersync -n '__peersync_at \'peersync status\'' -l records -d 'Print one line per record'
complete -c peersync -n '__peersync_at \'peersync status\'' -l check -d 'Compare with each peer and remote, without changing records'
complete -c peersync -n '__peersync_at \'peersync status\'' -l exit-code -d 'Exit with 1 if records have changed; with status, exit with 1 if a sync is stuck'
complete -c peersync -n '__peersync_at \'peersync status\'' -l timeout -x -d 'Give up after this long without traffic (default: 30s)'
complete -c peersync -n '__peersync_at \'peersync status\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync status\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync status\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync status\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync status\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync status\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync status\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync status\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync status\'' -a '(__peersync_print targets)'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l offline -d 'Check only this device, not peers and remotes'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l timeout -x -d 'Give up after this long without traffic (default: 30s)'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync doctor\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l dry-run -d 'Print the changes without making them'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l store -r -F -d 'Use this file as the store'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peersync -n '__peersync_at \'peersync forget\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync forget\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peersync -n '__peersync_at \'peersync forget\'' -a '(__peersync_print peers)'
