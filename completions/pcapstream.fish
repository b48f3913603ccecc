# fish completion for pcapstream, made by 'pcapstream --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __pcapstream_takes_value
    switch "$argv"
        case 'pcapstream --udp' \
            'pcapstream --memory' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __pcapstream_words
    set -l at pcapstream
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
            __pcapstream_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __pcapstream_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" ; or contains -- "$place $at $word" 
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

function __pcapstream_at
    set -l words (__pcapstream_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __pcapstream_first
    set -l words (__pcapstream_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __pcapstream_command
    set -l words (__pcapstream_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c pcapstream -f
complete -c pcapstream -n '__pcapstream_at pcapstream' -l udp -x -d 'Write the UDP datagrams to and from PORT instead, one per line'
complete -c pcapstream -n '__pcapstream_at pcapstream' -l memory -x -d 'Use at most about SIZE for open streams (default: 64M)'
complete -c pcapstream -n '__pcapstream_at pcapstream' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c pcapstream -n '__pcapstream_at pcapstream' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c pcapstream -n '__pcapstream_at pcapstream' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c pcapstream -n '__pcapstream_at pcapstream' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c pcapstream -n '__pcapstream_at pcapstream' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c pcapstream -n '__pcapstream_at pcapstream' -F
