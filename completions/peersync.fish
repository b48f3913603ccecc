# fish completion for peersync, made by 'peersync --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __peersync_takes_value
    switch "$argv"
        case 'peersync pair --scan' \
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
            'peersync forget --store' \
            'peersync forget --wait' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
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

# Whether there has been nothing but common options since command $argv[1].
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
complete -c peersync -n '__peersync_at peersync' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at peersync' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at peersync' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at peersync' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at peersync' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at peersync' -x -a pair -d 'make this device and another one trust each other'
complete -c peersync -n '__peersync_at peersync' -x -a serve -d 'answer peers that sync with this device'
complete -c peersync -n '__peersync_at peersync' -x -a run -d 'sync with peers, shared folders, servers and Firestore collections'
complete -c peersync -n '__peersync_at peersync' -x -a bind -d 'keep an app\'s file or table equal with the store'
complete -c peersync -n '__peersync_at peersync' -x -a remote -d 'manage remotes that are not peers: shared folders, servers and Firestore collections'
complete -c peersync -n '__peersync_at peersync' -x -a status -d 'say how things stand with each peer and remote'
complete -c peersync -n '__peersync_at peersync' -x -a forget -d 'end the trust in a peer'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l scan -r -F -d 'Read the other side\'s text, in place of showing one'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l address -x -d 'Where the other side is; without it, where it was last, or where it is found'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s y -l yes -d 'Trust the other side without asking'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l expires-in -x -d 'How long the symbol is good, up to 24h; the default is 5m'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s p -l port -x -d 'Listen on port N; the default is any free port, which is told'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l interface -x -d 'Only through this network interface, such as eth0'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l protocol -x -a '1 2' -d 'The version of the peer protocol: 2 (the default), or 1, for the first apps'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l timeout -x -d 'How long nothing may come or go; the default is 30s'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync pair\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync pair\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync serve\'' -s p -l port -x -d 'Listen on port N; the default is any free port, which is told'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l max-connections -x -d 'Serve at most N links at a time, the others are told busy; the default is 16'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l once -d 'End after the first session, with its status'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l peer -x -d 'Only this peer: an id, 4 or more characters of it, or a name'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l on-change -x -d 'Run COMMAND, with sh, after changes of others were stored; their keys are on its standard input, an object a line'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l keep-conflicts -x -d 'How long to keep what has lost against a change that did not know it; the default is 30d, and off keeps nothing'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l interface -x -d 'Only through this network interface, such as eth0'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l trace -r -F -d 'Write each message that goes to a peer or comes from it to FILE: a line each, with its time and who it is from, for \'frame check\''
complete -c peersync -n '__peersync_at \'peersync serve\'' -l protocol -x -a '1 2' -d 'The version of the peer protocol: 2 (the default), or 1, for the first apps'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l timeout -x -d 'How long nothing may come or go; the default is 30s'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l now -x -d 'The present, in place of the clock'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l max-drift -x -d 'How far ahead of now a clock may be; the default is 5m, and off lets all through'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l max-delete -x -d 'Refuse a run that deletes more live records: a number, a share such as 20%, or off'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l mix-entities -d 'Let records that name no entity come to those that name theirs'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l profile -r -F -d 'How the records of each entity are read and merged: chores, which is built in, or a JSON file, such as one that synclog rules show has written'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l entity-name -x -d 'The entity of plain records that do not name theirs; the default is empty'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l key -x -d 'Where a plain record has its key, a JSON Pointer; more than one make a key of several members'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l clock -x -d 'Where a plain record has its clock; the default is /modifiedAt, else /modified_at, /updatedAt, /updated_at, /timestamp'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l tombstone -x -d 'Where a plain record says that it is deleted, by a clock, or by true where this is given; the default is /deletedAt'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l entity -x -d 'Where a plain record names its entity; the default is /entity'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync serve\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync serve\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync serve\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync run\'' -l direction -x -a 'pull push both' -d 'Which way changes go: pull, push, or both, which is the default'
complete -c peersync -n '__peersync_at \'peersync run\'' -l address -x -d 'Where the other side is; without it, where it was last, or where it is found'
complete -c peersync -n '__peersync_at \'peersync run\'' -s f -l follow -d 'Go on until stopped'
complete -c peersync -n '__peersync_at \'peersync run\'' -l dry-run -d 'Say what would be done, and do nothing'
complete -c peersync -n '__peersync_at \'peersync run\'' -l exit-code -d 'End with 1 when something has changed, or with status, when something is stuck'
complete -c peersync -n '__peersync_at \'peersync run\'' -l jitter -x -d 'Wait at first, up to DURATION, so that many devices do not come at once'
complete -c peersync -n '__peersync_at \'peersync run\'' -l on-change -x -d 'Run COMMAND, with sh, after changes of others were stored; their keys are on its standard input, an object a line'
complete -c peersync -n '__peersync_at \'peersync run\'' -l keep-conflicts -x -d 'How long to keep what has lost against a change that did not know it; the default is 30d, and off keeps nothing'
complete -c peersync -n '__peersync_at \'peersync run\'' -l interface -x -d 'Only through this network interface, such as eth0'
complete -c peersync -n '__peersync_at \'peersync run\'' -l trace -r -F -d 'Write each message that goes to a peer or comes from it to FILE: a line each, with its time and who it is from, for \'frame check\''
complete -c peersync -n '__peersync_at \'peersync run\'' -l protocol -x -a '1 2' -d 'The version of the peer protocol: 2 (the default), or 1, for the first apps'
complete -c peersync -n '__peersync_at \'peersync run\'' -l timeout -x -d 'How long nothing may come or go; the default is 30s'
complete -c peersync -n '__peersync_at \'peersync run\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync run\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync run\'' -l now -x -d 'The present, in place of the clock'
complete -c peersync -n '__peersync_at \'peersync run\'' -l max-drift -x -d 'How far ahead of now a clock may be; the default is 5m, and off lets all through'
complete -c peersync -n '__peersync_at \'peersync run\'' -l max-delete -x -d 'Refuse a run that deletes more live records: a number, a share such as 20%, or off'
complete -c peersync -n '__peersync_at \'peersync run\'' -l mix-entities -d 'Let records that name no entity come to those that name theirs'
complete -c peersync -n '__peersync_at \'peersync run\'' -l profile -r -F -d 'How the records of each entity are read and merged: chores, which is built in, or a JSON file, such as one that synclog rules show has written'
complete -c peersync -n '__peersync_at \'peersync run\'' -l entity-name -x -d 'The entity of plain records that do not name theirs; the default is empty'
complete -c peersync -n '__peersync_at \'peersync run\'' -l key -x -d 'Where a plain record has its key, a JSON Pointer; more than one make a key of several members'
complete -c peersync -n '__peersync_at \'peersync run\'' -l clock -x -d 'Where a plain record has its clock; the default is /modifiedAt, else /modified_at, /updatedAt, /updated_at, /timestamp'
complete -c peersync -n '__peersync_at \'peersync run\'' -l tombstone -x -d 'Where a plain record says that it is deleted, by a clock, or by true where this is given; the default is /deletedAt'
complete -c peersync -n '__peersync_at \'peersync run\'' -l entity -x -d 'Where a plain record names its entity; the default is /entity'
complete -c peersync -n '__peersync_at \'peersync run\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync run\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync run\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync run\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync run\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync run\'' -F
complete -c peersync -n '__peersync_at \'peersync bind\'' -l table -x -d 'The table, or view, of a database'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l entity-name -x -d 'What its records are called in the store; the default is the name of the table, or of the file without its ending'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l key -x -d 'Where a record has its key, a JSON Pointer; more than one make a key of several members'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l clock -x -d 'Where a record has the time of its last edit; the default is /modifiedAt, else /modified_at, /updatedAt, /updated_at, /timestamp'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l column -x -d 'Only this column, and others that are named so; the default is all'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l base64 -x -d 'This column has bytes, in JSON as Base64'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l bool -x -d 'This column has 0 and 1, in JSON as false and true'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l nested -x -d 'This column has JSON as its text, in JSON as the value itself'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync bind\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync bind\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync bind\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_first \'peersync bind\'' -a list -d 'print what is bound'
complete -c peersync -n '__peersync_first \'peersync bind\'' -a remove -d 'leave a file or table alone from now on'
complete -c peersync -n '__peersync_at \'peersync bind\'' -F
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l json -d 'Print JSON lines on a terminal too, instead of a table'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync bind list\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l table -x -d 'Only this table of a database'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync bind remove\'' -F
complete -c peersync -n '__peersync_at \'peersync remote\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync remote\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync remote\'' -x -a add -d 'sync with a shared folder, a server or a Firestore collection from now on'
complete -c peersync -n '__peersync_at \'peersync remote\'' -x -a list -d 'print the remotes'
complete -c peersync -n '__peersync_at \'peersync remote\'' -x -a remove -d 'stop syncing with a remote'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l key-file -r -F -d 'The file with the key of the server, as \'syncserve key create\' has printed it; for Firestore the JSON key of a service account, or a token'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l ca-file -r -F -d 'Trust the certificates in this file in place of the system\'s'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l entity-name -x -d 'Firestore: the entity of the records in the collection; the default is what other devices have said, else the name of the collection'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l types -r -F -d 'Firestore: read the types of members from FILE, as \'deltadiff unpack\' writes it'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l deleted-field -x -d 'Firestore: do not remove a document that is deleted, but set its member NAME to true'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l sweep -x -d 'Firestore: after so long compare the names of all documents, even if there are as many as before; the default is 24h'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync remote add\'' -F
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l json -d 'Print JSON lines on a terminal too, instead of a table'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote list\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync remote remove\'' -F
complete -c peersync -n '__peersync_at \'peersync status\'' -l records -d 'Write a line for each record'
complete -c peersync -n '__peersync_at \'peersync status\'' -l check -d 'Ask each what it has, and change nothing'
complete -c peersync -n '__peersync_at \'peersync status\'' -l exit-code -d 'End with 1 when something has changed, or with status, when something is stuck'
complete -c peersync -n '__peersync_at \'peersync status\'' -l timeout -x -d 'How long nothing may come or go; the default is 30s'
complete -c peersync -n '__peersync_at \'peersync status\'' -l json -d 'Print JSON lines on a terminal too, instead of a table'
complete -c peersync -n '__peersync_at \'peersync status\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync status\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync status\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync status\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync status\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync status\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync status\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync status\'' -F
complete -c peersync -n '__peersync_at \'peersync forget\'' -l dry-run -d 'Say what would be done, and do nothing'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l store -r -F -d 'The file that the store is in'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l wait -x -d 'How long to wait for another process that writes; the default is 10s'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peersync -n '__peersync_at \'peersync forget\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peersync -n '__peersync_at \'peersync forget\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peersync -n '__peersync_at \'peersync forget\'' -l version -d 'Print the version and end'
complete -c peersync -n '__peersync_at \'peersync forget\'' -F
