# fish completion for peerdiscover, made by 'peerdiscover --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __peerdiscover_takes_value
    switch "$argv"
        case 'peerdiscover browse --service' \
            'peerdiscover browse --interface' \
            'peerdiscover browse --timeout' \
            'peerdiscover browse --count' \
            'peerdiscover resolve --service' \
            'peerdiscover resolve --interface' \
            'peerdiscover resolve --timeout' \
            'peerdiscover types --interface' \
            'peerdiscover types --timeout' \
            'peerdiscover types --count' \
            'peerdiscover advertise --name' \
            'peerdiscover advertise --port' \
            'peerdiscover advertise --txt' \
            'peerdiscover advertise --service' \
            'peerdiscover advertise --interface' \
            'peerdiscover decode --input' \
            'peerdiscover decode --on-error' \
            'peerdiscover decode --rejects' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __peerdiscover_words
    set -l at peerdiscover
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
            __peerdiscover_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __peerdiscover_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" peerdiscover; or contains -- "$place $at $word" 
            set at "$at $word"
            set place first
            continue
        else
            set -a operands $word
            if contains -- "$at" 'peerdiscover advertise'
                set at "$at --"
                set ended yes
            end
        end
        string match -qr -- '^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$' $word; or set place later
    end
    printf '%s\n' $place "$at" $operands
end

function __peerdiscover_at
    set -l words (__peerdiscover_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __peerdiscover_first
    set -l words (__peerdiscover_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __peerdiscover_command
    set -l words (__peerdiscover_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c peerdiscover -f
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -x -a browse -d 'find peers, and report changes'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -x -a resolve -d 'find the host, port and addresses of one peer'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -x -a types -d 'list the announced service types'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -x -a advertise -d 'announce a service while a command runs, or until a signal'
complete -c peerdiscover -n '__peerdiscover_at peerdiscover' -x -a decode -d 'read multicast DNS packets as JSON'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l service -x -d 'Use this service type (default: _appsync._tcp)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l interface -x -d 'Use this network interface (default: all that support multicast)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l timeout -x -d 'Exit after DURATION (default: 3s; with --follow, never)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l count -x -d 'Exit as soon as N peers are found; exit with status 1 if fewer are found'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -s f -l follow -d 'Continue until a signal'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover browse\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -l service -x -d 'Use this service type (default: _appsync._tcp)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -l interface -x -d 'Use this network interface (default: all that support multicast)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -l timeout -x -d 'Give up after DURATION, with status 1 (default: 3s)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover resolve\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -l interface -x -d 'Use this network interface (default: all that support multicast)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -l timeout -x -d 'Exit after DURATION (default: 3s; with --follow, never)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -l count -x -d 'Exit as soon as N types are found; exit with status 1 if fewer are found'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -s f -l follow -d 'Continue until a signal'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover types\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l name -x -d 'Announce this instance name, which people see (default: this machine\'s name)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l port -x -d 'Announce this port, on which the service listens'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l txt -x -d 'Add a pair KEY=VALUE, or a key, to the TXT record'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l service -x -d 'Use this service type (default: _appsync._tcp)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l interface -x -d 'Use this network interface (default: all that support multicast)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise\'' -x -a '(__peerdiscover_command)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover advertise --\'' -x -a '(__peerdiscover_command)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -l input -x -a 'hex base64 dump raw' -d 'Read packets as hex or base64, one per line, or as dump or raw, one per file (default: hex)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerdiscover -n '__peerdiscover_at \'peerdiscover decode\'' -F
