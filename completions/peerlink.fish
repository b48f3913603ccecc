# fish completion for peerlink, made by 'peerlink --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __peerlink_takes_value
    switch "$argv"
        case 'peerlink listen -p' \
            'peerlink listen --port' \
            'peerlink listen --max-connections' \
            'peerlink listen --peer' \
            'peerlink listen --session' \
            'peerlink listen --protocol' \
            'peerlink listen --interface' \
            'peerlink listen --trace' \
            'peerlink listen --key-log' \
            'peerlink listen --timeout' \
            'peerlink listen --idle-timeout' \
            'peerlink listen --events' \
            'peerlink connect --peer' \
            'peerlink connect --session' \
            'peerlink connect --protocol' \
            'peerlink connect --interface' \
            'peerlink connect --trace' \
            'peerlink connect --key-log' \
            'peerlink connect --timeout' \
            'peerlink connect --idle-timeout' \
            'peerlink connect --events' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

# Prints list $argv[1], one value per line.
function __peerlink_print
    switch $argv[1]
        case peers
            sh -c 'peerpair list | sed -n -e \'s/.*"peerId":"\\([^"]*\\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\\1/p\' -e t -e \'s/.*"deviceName":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
    end
end

function __peerlink_words
    set -l at peerlink
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
            __peerlink_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __peerlink_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" peerlink; or contains -- "$place $at $word" 
            set at "$at $word"
            set place first
            continue
        else
            set -a operands $word
            if contains -- "$at" 'peerlink listen'
                set at "$at --"
                set ended yes
            end
        end
        string match -qr -- '^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$' $word; or set place later
    end
    printf '%s\n' $place "$at" $operands
end

function __peerlink_at
    set -l words (__peerlink_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __peerlink_first
    set -l words (__peerlink_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __peerlink_command
    set -l words (__peerlink_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c peerlink -f
complete -c peerlink -n '__peerlink_at peerlink' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerlink -n '__peerlink_at peerlink' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerlink -n '__peerlink_at peerlink' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerlink -n '__peerlink_at peerlink' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerlink -n '__peerlink_at peerlink' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerlink -n '__peerlink_at peerlink' -x -a listen -d 'wait for trusted peers, and run a command for each'
complete -c peerlink -n '__peerlink_at peerlink' -x -a connect -d 'connect to a peer that listens'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -s p -l port -x -d 'Listen on port N (default: any free port, which is printed)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l max-connections -x -d 'Serve at most N links at a time; refuse others as busy (default: 16)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l once -d 'Exit after the first link, with the status of its COMMAND'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l advertise -d 'While accepting connections, announce this device\'s name, id and protocol version on the local network by multicast DNS'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l peer -x -d 'Accept only this peer: an id (at least its first 4 characters) or a name'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l allow-unpaired -d 'Accept any device, for pairing messages only: frames of at most 8 KiB, and a pairHello within --timeout'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l session -r -F -d 'Read the pairing payload'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l protocol -x -a '1 2' -d 'Use this version of the peer protocol: 2 or 1 (default: 2)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l trace -r -F -d 'Write each message to and from a peer to FILE, with its time and sender, for \'frame check\''
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l key-log -r -F -d 'Append the keys of each connection to FILE, so that Wireshark and tshark can decrypt a capture'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l timeout -x -d 'Give up if the other side has not authenticated after this long (default: 10s)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l idle-timeout -x -d 'End a link after this long without traffic (default: off)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l events -r -F -d 'Write one JSON line per event to FILE: listening, peerConnected, peerDisconnected, peerRefused, peersRefused'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -x -a '(__peerlink_command)'
complete -c peerlink -n '__peerlink_at \'peerlink listen --\'' -x -a '(__peerlink_command)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l peer -x -d 'Accept only this peer: an id (at least its first 4 characters) or a name'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l allow-unpaired -d 'Accept any device, for pairing messages only: frames of at most 8 KiB, and a pairHello within --timeout'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l session -r -F -d 'Read the pairing payload'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l protocol -x -a '1 2' -d 'Use this version of the peer protocol: 2 or 1 (default: 2)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l trace -r -F -d 'Write each message to and from a peer to FILE, with its time and sender, for \'frame check\''
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l key-log -r -F -d 'Append the keys of each connection to FILE, so that Wireshark and tshark can decrypt a capture'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l timeout -x -d 'Give up if the other side has not authenticated after this long (default: 10s)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l idle-timeout -x -d 'End a link after this long without traffic (default: off)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l events -r -F -d 'Write one JSON line per event to FILE: listening, peerConnected, peerDisconnected, peerRefused, peersRefused'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -a '(__peerlink_print peers)'
