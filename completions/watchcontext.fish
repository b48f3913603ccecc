# fish completion for watchcontext, made by 'watchcontext --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __watchcontext_takes_value
    switch "$argv"
        case 'watchcontext eligible --max-auto-sync-size' \
            'watchcontext eligible --override' \
            'watchcontext eligible --on-error' \
            'watchcontext eligible --rejects' \
            'watchcontext context --max-auto-sync-size' \
            'watchcontext context --override' \
            'watchcontext context --max-context' \
            'watchcontext context --on-error' \
            'watchcontext context --rejects' \
            'watchcontext snapshot --max-auto-sync-size' \
            'watchcontext snapshot --override' \
            'watchcontext snapshot --max-context' \
            'watchcontext snapshot --on-error' \
            'watchcontext snapshot --rejects' \
            'watchcontext run --role' \
            'watchcontext run --keys' \
            'watchcontext run --handlers' \
            'watchcontext run --deliver' \
            'watchcontext run --local' \
            'watchcontext run --max-auto-sync-size' \
            'watchcontext run --override' \
            'watchcontext run --max-context' \
            'watchcontext run --on-error' \
            'watchcontext run --rejects' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __watchcontext_words
    set -l at watchcontext
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
            __watchcontext_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __watchcontext_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" watchcontext; or contains -- "$place $at $word" 
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

function __watchcontext_at
    set -l words (__watchcontext_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __watchcontext_first
    set -l words (__watchcontext_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __watchcontext_command
    set -l words (__watchcontext_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c watchcontext -f
complete -c watchcontext -n '__watchcontext_at watchcontext' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c watchcontext -n '__watchcontext_at watchcontext' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c watchcontext -n '__watchcontext_at watchcontext' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c watchcontext -n '__watchcontext_at watchcontext' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c watchcontext -n '__watchcontext_at watchcontext' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c watchcontext -n '__watchcontext_at watchcontext' -x -a eligible -d 'report which registered keys are sent to the watch, and why'
complete -c watchcontext -n '__watchcontext_at watchcontext' -x -a context -d 'write the values for the watch as one object'
complete -c watchcontext -n '__watchcontext_at watchcontext' -x -a snapshot -d 'write the reply to a request of the watch'
complete -c watchcontext -n '__watchcontext_at watchcontext' -x -a run -d 'act as the phone or the watch: read session events, write actions'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l max-auto-sync-size -x -d 'Send values up to this size automatically (default: 64K)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l override -x -d 'Send KEY regardless of its policy and size, if it is available on the watch'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c watchcontext -n '__watchcontext_at \'watchcontext eligible\'' -F
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l max-auto-sync-size -x -d 'Send values up to this size automatically (default: 64K)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l override -x -d 'Send KEY regardless of its policy and size, if it is available on the watch'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l max-context -x -d 'Allow this size for keys and values together (default: 256K; systems drop larger contexts)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c watchcontext -n '__watchcontext_at \'watchcontext context\'' -F
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l max-auto-sync-size -x -d 'Send values up to this size automatically (default: 64K)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l override -x -d 'Send KEY regardless of its policy and size, if it is available on the watch'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l max-context -x -d 'Allow this size for keys and values together (default: 256K; systems drop larger contexts)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c watchcontext -n '__watchcontext_at \'watchcontext snapshot\'' -F
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l role -x -a 'phone watch' -d 'Act as this side, phone or watch (required)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l keys -r -F -d 'Read the phone\'s registered keys from FILE; valueDidChange lines change them'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l handlers -r -F -d 'Read from FILE how the watch decodes values: an object that maps each key to json, utf8 or base64'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l deliver -r -F -d 'Append the watch\'s deliveries to FILE instead of standard output'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l link -d 'Exchange data with the other side over standard input and output'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l local -r -F -d 'With --link, read events of this device from FILE, for example a named pipe'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l max-auto-sync-size -x -d 'Send values up to this size automatically (default: 64K)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l override -x -d 'Send KEY regardless of its policy and size, if it is available on the watch'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l max-context -x -d 'Allow this size for keys and values together (default: 256K; systems drop larger contexts)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c watchcontext -n '__watchcontext_at \'watchcontext run\'' -F
