# fish completion for syncserve, made by 'syncserve --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __syncserve_takes_value
    switch "$argv"
        case 'syncserve run --store' \
            'syncserve run --keys' \
            'syncserve run --password-file' \
            'syncserve run --wait' \
            'syncserve run --listen' \
            'syncserve run --max-body' \
            'syncserve run --quota' \
            'syncserve run --max-drift' \
            'syncserve run --max-delete' \
            'syncserve household add --store' \
            'syncserve household add --keys' \
            'syncserve household add --password-file' \
            'syncserve household add --wait' \
            'syncserve household list --store' \
            'syncserve household list --keys' \
            'syncserve household list --password-file' \
            'syncserve household list --wait' \
            'syncserve household set --store' \
            'syncserve household set --keys' \
            'syncserve household set --password-file' \
            'syncserve household set --wait' \
            'syncserve household remove --store' \
            'syncserve household remove --keys' \
            'syncserve household remove --password-file' \
            'syncserve household remove --wait' \
            'syncserve key create --household' \
            'syncserve key create --member' \
            'syncserve key create --device' \
            'syncserve key create --expires-in' \
            'syncserve key create --store' \
            'syncserve key create --keys' \
            'syncserve key create --password-file' \
            'syncserve key create --wait' \
            'syncserve key list --store' \
            'syncserve key list --keys' \
            'syncserve key list --password-file' \
            'syncserve key list --wait' \
            'syncserve key revoke --store' \
            'syncserve key revoke --keys' \
            'syncserve key revoke --password-file' \
            'syncserve key revoke --wait' \
            'syncserve key rotate --overlap' \
            'syncserve key rotate --store' \
            'syncserve key rotate --keys' \
            'syncserve key rotate --password-file' \
            'syncserve key rotate --wait' \
            'syncserve pushes --store' \
            'syncserve pushes --keys' \
            'syncserve pushes --password-file' \
            'syncserve pushes --wait' \
            'syncserve pushes --household' \
            'syncserve devices --store' \
            'syncserve devices --keys' \
            'syncserve devices --password-file' \
            'syncserve devices --wait' \
            'syncserve devices --household' \
            'syncserve devices --remove' \
            'syncserve status --store' \
            'syncserve status --keys' \
            'syncserve status --password-file' \
            'syncserve status --wait' \
            'syncserve status --household' \
            'syncserve dump --store' \
            'syncserve dump --keys' \
            'syncserve dump --password-file' \
            'syncserve dump --wait' \
            'syncserve dump --household' \
            'syncserve backup --store' \
            'syncserve backup --keys' \
            'syncserve backup --password-file' \
            'syncserve backup --wait' \
            'syncserve backup --household' \
            'syncserve prune --store' \
            'syncserve prune --keys' \
            'syncserve prune --password-file' \
            'syncserve prune --wait' \
            'syncserve prune --household' \
            'syncserve prune --before' \
            'syncserve prune --only' \
            'syncserve prune --now' \
            'syncserve prune --max-delete' \
            'syncserve compact --store' \
            'syncserve compact --keys' \
            'syncserve compact --password-file' \
            'syncserve compact --wait' \
            'syncserve compact --household' \
            'syncserve compact --retire-after' \
            'syncserve compact --keep-deletions' \
            'syncserve compact --max-drift' \
            'syncserve move --store' \
            'syncserve move --keys' \
            'syncserve move --password-file' \
            'syncserve move --wait' \
            'syncserve move --to' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __syncserve_words
    set -l at syncserve
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
            __syncserve_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __syncserve_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" syncserve 'syncserve household' 'syncserve key'; or contains -- "$place $at $word" 
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

function __syncserve_at
    set -l words (__syncserve_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __syncserve_first
    set -l words (__syncserve_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __syncserve_command
    set -l words (__syncserve_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c syncserve -f
complete -c syncserve -n '__syncserve_at syncserve' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at syncserve' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at syncserve' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at syncserve' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at syncserve' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at syncserve' -x -a run -d 'answer requests until a signal'
complete -c syncserve -n '__syncserve_at syncserve' -x -a household -d 'make, list and set up households'
complete -c syncserve -n '__syncserve_at syncserve' -x -a key -d 'make and revoke keys'
complete -c syncserve -n '__syncserve_at syncserve' -x -a pushes -d 'print notifications for members of households'
complete -c syncserve -n '__syncserve_at syncserve' -x -a devices -d 'print the devices that receive pushes'
complete -c syncserve -n '__syncserve_at syncserve' -x -a status -d 'count the records of households'
complete -c syncserve -n '__syncserve_at syncserve' -x -a dump -d 'write the change lines of a household'
complete -c syncserve -n '__syncserve_at syncserve' -x -a backup -d 'copy the store of a household into a file'
complete -c syncserve -n '__syncserve_at syncserve' -x -a prune -d 'drop old records of a household'
complete -c syncserve -n '__syncserve_at syncserve' -x -a compact -d 'remove deletions of a household that every device has'
complete -c syncserve -n '__syncserve_at syncserve' -x -a move -d 'move households to another place'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l listen -x -d 'Listen on HOST:PORT or unix:PATH (default: 127.0.0.1:8477)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l max-body -x -d 'Refuse request bodies above SIZE (default: 64M)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l quota -x -d 'Limit the store of each household to SIZE, at least 1M, not counting the log beside it (default: no limit)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve run\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -x -a add -d 'make the store of a household'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -x -a list -d 'print the households'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -x -a set -d 'set the events that members are notified of'
complete -c syncserve -n '__syncserve_at \'syncserve household\'' -x -a remove -d 'remove a household from the server'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve household add\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve household list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l tell-loser -d 'Also notify a member who loses a turn'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l no-tell-loser -d 'Do not notify a member who loses a turn (the initial setting)'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve household set\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve household remove\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -x -a create -d 'make a key and print it'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -x -a list -d 'print the keys\' details'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -x -a revoke -d 'make a key invalid'
complete -c syncserve -n '__syncserve_at \'syncserve key\'' -x -a rotate -d 'replace a key with a new one'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l household -x -d 'Make a key for this household; required if the server has several'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l member -x -d 'Make a key for this member of the household'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l device -x -d 'Note the device that uses the key, to distinguish keys'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l read-only -d 'Make a key that can read but not write'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l expires-in -x -d 'Make the key expire after this long, such as 365d (default: never)'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve key create\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve key list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve key revoke\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l overlap -x -d 'Keep the old key valid for this long (default: 0s)'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve key rotate\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l household -x -d 'Print only the lines of this household'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -s f -l follow -d 'Keep running until a signal'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve pushes\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l household -x -d 'Print only the lines of this household'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l remove -r -F -d 'Remove the devices with tokens in FILE, and print them'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve devices\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l household -x -d 'Use only this household; required if the server has several'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve status\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l household -x -d 'Use only this household; required if the server has several'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve dump\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l household -x -d 'Use only this household; required if the server has several'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve backup\'' -F
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l household -x -d 'Use only this household; required if the server has several'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l before -x -d 'Drop the records before TIME'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l only -x -d 'Drop only the records of this entity'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l now -x -d 'Use TIME as the current time'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve prune\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l household -x -d 'Use only this household; required if the server has several'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l retire-after -x -d 'Do not wait for peers that were silent for longer than this (default: 90d)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l keep-deletions -x -d 'Keep each deletion for this long after it was stored (default: 400d)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve compact\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l store -r -F -d 'Use a file, a folder with a file per household, or the URL of a PostgreSQL database'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l keys -r -F -d 'Keep the keys of the server in this folder (default: beside the stores)'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l password-file -r -F -d 'Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l to -r -F -d 'Move to this file, folder or postgresql://…, as for --store'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l cancel -d 'Undo interrupted moves, unless the new place already has the household'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncserve -n '__syncserve_at \'syncserve move\'' -l version -d 'Print the version and exit; installed tools add the commit'
