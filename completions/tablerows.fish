# fish completion for tablerows, made by 'tablerows --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __tablerows_takes_value
    switch "$argv"
        case 'tablerows read --where' \
            'tablerows read --column' \
            'tablerows read --base64' \
            'tablerows read --bool' \
            'tablerows read --nested' \
            'tablerows read --wait' \
            'tablerows write --key' \
            'tablerows write --only' \
            'tablerows write --max-delete' \
            'tablerows write --column' \
            'tablerows write --base64' \
            'tablerows write --bool' \
            'tablerows write --nested' \
            'tablerows write --wait' \
            'tablerows write --on-error' \
            'tablerows write --rejects' \
            'tablerows watch --count' \
            'tablerows watch --timeout' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __tablerows_words
    set -l at tablerows
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
            __tablerows_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __tablerows_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" tablerows; or contains -- "$place $at $word" 
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

function __tablerows_at
    set -l words (__tablerows_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __tablerows_first
    set -l words (__tablerows_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __tablerows_command
    set -l words (__tablerows_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c tablerows -f
complete -c tablerows -n '__tablerows_at tablerows' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c tablerows -n '__tablerows_at tablerows' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c tablerows -n '__tablerows_at tablerows' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c tablerows -n '__tablerows_at tablerows' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c tablerows -n '__tablerows_at tablerows' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c tablerows -n '__tablerows_at tablerows' -x -a read -d 'write the rows of a table'
complete -c tablerows -n '__tablerows_at tablerows' -x -a write -d 'write rows into a table'
complete -c tablerows -n '__tablerows_at tablerows' -x -a watch -d 'write a line when the database changes'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l where -x -d 'Write only the rows that meet CONDITION, an SQL expression'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l column -x -d 'Use only this column (default: all columns)'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l base64 -x -d 'Convert the bytes of this column to Base64 and back'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l bool -x -d 'Convert 0 and 1 in this column to false and true, and back'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l nested -x -d 'Convert the JSON text of this column to a value and back'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c tablerows -n '__tablerows_at \'tablerows read\'' -F
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l key -x -d 'Identify rows by this column, a JSON Pointer (default: the primary key)'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l only -x -d 'Write only the records of this entity'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l max-delete -x -d 'Refuse to delete more rows of a table than this: a number, a share like 20%, or off (default: the larger of 100 and 20%)'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l column -x -d 'Use only this column (default: all columns)'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l base64 -x -d 'Convert the bytes of this column to Base64 and back'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l bool -x -d 'Convert 0 and 1 in this column to false and true, and back'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l nested -x -d 'Convert the JSON text of this column to a value and back'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c tablerows -n '__tablerows_at \'tablerows write\'' -F
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -l count -x -d 'Exit after N lines'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -l timeout -x -d 'Exit after this long, with status 1 if --count has not been reached'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c tablerows -n '__tablerows_at \'tablerows watch\'' -F
