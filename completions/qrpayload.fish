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

# Whether only common options follow command $argv[1].
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
complete -c qrpayload -n '__qrpayload_at qrpayload' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c qrpayload -n '__qrpayload_at qrpayload' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at qrpayload' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at qrpayload' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at qrpayload' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c qrpayload -n '__qrpayload_at qrpayload' -x -a create -d 'make a payload, one JSON line'
complete -c qrpayload -n '__qrpayload_at qrpayload' -x -a read -d 'check and print a payload'
complete -c qrpayload -n '__qrpayload_at qrpayload' -x -a render -d 'draw a payload as a QR symbol'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l protocol -x -a '1 2' -d 'Pair with this protocol version: 2, or 1 for apps that support only version 1 (default: 2)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l identity -r -F -d 'Read name and fingerprint from FILE, a line of peerpair identity'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l fingerprint -x -d 'Use this SHA-256 of this device\'s public key instead of --identity; version 2 only'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l device-name -x -d 'Add this name of the device; without it the scanner accepts any name'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l expires-in -x -d 'Make the payload expire after this long, at most 24h (default: 5m)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l service -x -d 'Look for this service type (default: _appsync._tcp)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l text -d 'Write the text of the QR symbol, Base64, instead of JSON'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l now -x -d 'Use TIME as the current time'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -s o -l output -r -F -d 'Write to FILE, which only its owner can read (0600), instead of standard output'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at \'qrpayload create\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l protocol -x -a '1 2' -d 'Accept only this protocol version (default: 1 or 2)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l service -x -d 'Accept only this service type (default: _appsync._tcp)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l no-verify -d 'Print one object with the payload and all problems, even if there are problems'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l now -x -d 'Use TIME as the current time'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c qrpayload -n '__qrpayload_at \'qrpayload read\'' -F
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l format -x -a 'terminal png svg code' -d 'Draw a png, an svg or terminal text, or write the code to type'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l full -d 'On a terminal, draw with spaces only: twice as large, for fonts whose blocks leave gaps'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l scale -x -d 'Draw each module of a picture with N pixels (default: 8)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -s o -l output -r -F -d 'Write to FILE, which only its owner can read (0600), instead of standard output'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c qrpayload -n '__qrpayload_at \'qrpayload render\'' -F
