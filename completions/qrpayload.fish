# fish completion for qrpayload, made by 'qrpayload --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __qrpayload_takes_value
    switch "$argv"
        case 'qrpayload create --protocol' \
            'qrpayload create --identity' \
            'qrpayload create --fingerprint' \
            'qrpayload create --device-name' \
            'qrpayload create --expires-in' \
            'qrpayload create --service' \
            'qrpayload create --now' \
            'qrpayload create -o' \
            'qrpayload create --output' \
            'qrpayload read --protocol' \
            'qrpayload read --service' \
            'qrpayload read --now' \
            'qrpayload render --format' \
            'qrpayload render --scale' \
            'qrpayload render -o' \
            'qrpayload render --output' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __qrpayload_words
    set -l at qrpayload
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
            __qrpayload_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __qrpayload_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" qrpayload; or contains -- "$place $at $word" 
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

function __qrpayload_at
    set -l words (__qrpayload_words)
    test "$words[2]" = "$argv[1]"
end

# Whether there has been nothing but common options since command $argv[1].
function __qrpayload_first
    set -l words (__qrpayload_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __qrpayload_command
    set -l words (__qrpayload_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c qrpayload -f
complete -c qrpayload -n '__qrpayload_at qrpayload' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c qrpayload -n '__qrpayload_at qrpayload' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at qrpayload' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at qrpayload' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at qrpayload' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c qrpayload -n '__qrpayload_at qrpayload' -x -a create -d 'make a payload: one JSON line'
complete -c qrpayload -n '__qrpayload_at qrpayload' -x -a read -d 'say what a payload holds, and whether to pair by it'
complete -c qrpayload -n '__qrpayload_at qrpayload' -x -a render -d 'draw a payload as a QR symbol'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l protocol -x -a '1 2' -d 'The protocol version to pair by: 2 (the default), or 1 for apps that have no other'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l identity -r -F -d 'Take name and fingerprint from FILE, which has a line of peerpair identity'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l fingerprint -x -d 'The SHA-256 of this device\'s public key, in place of --identity; version 2 only'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l device-name -x -d 'The name under which this device is found; any name will do without it'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l expires-in -x -d 'How long the payload is good, up to 24h; the default is 5m'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l service -x -d 'The service type to look for; the default is _appsync._tcp'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l text -d 'Write what the QR symbol holds, Base64, in place of JSON'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l now -x -d 'The present, in place of the clock'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -s o -l output -r -F -d 'Write to FILE, which only its owner can read (0600), in place of standard output'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l protocol -x -a '1 2' -d 'The only protocol version to accept; without it, 1 or 2'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l service -x -d 'The only service type to accept; the default is _appsync._tcp'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l no-verify -d 'Print the payload and all problems, one object, whatever they are'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l now -x -d 'The present, in place of the clock'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -F
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l format -x -a 'terminal png svg code' -d 'Draw for a terminal, as png or svg, or write the code for people to type; without it, as the name of the --output file ends: .png, .svg, or .txt and no ending for a terminal'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l full -d 'On a terminal, draw with blanks alone: twice as large, for fonts whose blocks leave gaps'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l scale -x -d 'Pixels a module in a picture; the default is 8'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -s o -l output -r -F -d 'Write to FILE, which only its owner can read (0600), in place of standard output'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -F
