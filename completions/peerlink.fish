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

# Prints list $argv[1], one value a line.
function __peerlink_print
    switch $argv[1]
        case peers
            sh -c 'peerpair list | sed -n -e \'s/.*"deviceName":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
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

# Whether there has been nothing but common options since command $argv[1].
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
complete -c peerlink -n '__peerlink_at peerlink' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peerlink -n '__peerlink_at peerlink' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peerlink -n '__peerlink_at peerlink' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerlink -n '__peerlink_at peerlink' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peerlink -n '__peerlink_at peerlink' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c peerlink -n '__peerlink_at peerlink' -x -a listen -d 'wait for trusted peers, and run a command for each'
complete -c peerlink -n '__peerlink_at peerlink' -x -a connect -d 'make a link to a peer that listens'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -s p -l port -x -d 'Listen on port N (default: any free port, which is printed)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l max-connections -x -d 'Serve at most N links at a time; others are refused as busy (default: 16)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l once -d 'End after the first link, with the status of its COMMAND'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l advertise -d 'Announce this device on the local network, by multicast DNS, with its name, id and protocol version, as long as connections are taken; with protocol 1 by its name alone'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l peer -x -d 'Only this peer: its id, the first 4 or more characters of it, or its name'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l allow-unpaired -d 'Take anybody, for pairing messages only: frames of at most 8 KiB, and a pairHello before --timeout'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l session -r -F -d 'The pairing payload: its time limits --allow-unpaired, and connect takes its key only'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l protocol -x -a '1 2' -d 'The version of the peer protocol: 2 (the default), or 1, which is plain TCP and proves nothing: on loopback, or with --interface, and only for peers that were paired over it'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l trace -r -F -d 'Write each message to and from a peer to FILE, one line each with its time and sender, for \'frame check\''
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l key-log -r -F -d 'Add the keys of each connection to FILE, by which Wireshark and tshark decrypt a capture of it'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l timeout -x -d 'How long the other side may take to prove who it is; the default is 10s'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l idle-timeout -x -d 'End a link on which nothing moves for so long; the default is off'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l events -r -F -d 'Write a line of JSON to FILE for what happens: listening, peerConnected, peerDisconnected, peerRefused, peersRefused'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c peerlink -n '__peerlink_at \'peerlink listen\'' -x -a '(__peerlink_command)'
complete -c peerlink -n '__peerlink_at \'peerlink listen --\'' -x -a '(__peerlink_command)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l peer -x -d 'Only this peer: its id, the first 4 or more characters of it, or its name'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l allow-unpaired -d 'Take anybody, for pairing messages only: frames of at most 8 KiB, and a pairHello before --timeout'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l session -r -F -d 'The pairing payload: its time limits --allow-unpaired, and connect takes its key only'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l protocol -x -a '1 2' -d 'The version of the peer protocol: 2 (the default), or 1, which is plain TCP and proves nothing: on loopback, or with --interface, and only for peers that were paired over it'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l interface -x -d 'Use only this network interface, such as eth0'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l trace -r -F -d 'Write each message to and from a peer to FILE, one line each with its time and sender, for \'frame check\''
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l key-log -r -F -d 'Add the keys of each connection to FILE, by which Wireshark and tshark decrypt a capture of it'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l timeout -x -d 'How long the other side may take to prove who it is; the default is 10s'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l idle-timeout -x -d 'End a link on which nothing moves for so long; the default is off'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l events -r -F -d 'Write a line of JSON to FILE for what happens: listening, peerConnected, peerDisconnected, peerRefused, peersRefused'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object a line'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -s q -l quiet -d 'Write errors only: no progress, no notes'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -s h -l help -d 'Print this help and end; -h prints at most 25 lines'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -l version -d 'Print the version, with the commit where the tools are installed, and end'
complete -c peerlink -n '__peerlink_at \'peerlink connect\'' -a '(__peerlink_print peers)'
