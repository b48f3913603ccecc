# fish completion for peerpair, made by 'peerpair --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __peerpair_takes_value
    switch "$argv"
        case 'peerpair identity --device-name' \
            'peerpair provide --payload' \
            'peerpair provide --timeout' \
            'peerpair provide --now' \
            'peerpair scan --payload' \
            'peerpair scan --timeout' \
            'peerpair scan --now' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

# Prints list $argv[1], one value per line.
function __peerpair_print
    switch $argv[1]
        case peers
            sh -c 'peerpair list | sed -n -e \'s/.*"peerId":"\\([^"]*\\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\\1/p\' -e t -e \'s/.*"deviceName":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
    end
end

function __peerpair_words
    set -l at peerpair
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
            __peerpair_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __peerpair_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" peerpair; or contains -- "$place $at $word" 
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

function __peerpair_at
    set -l words (__peerpair_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __peerpair_first
    set -l words (__peerpair_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __peerpair_command
    set -l words (__peerpair_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c peerpair -f
complete -c peerpair -n '__peerpair_at peerpair' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at peerpair' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at peerpair' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at peerpair' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at peerpair' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at peerpair' -x -a identity -d 'print the identity of this device as one JSON line'
complete -c peerpair -n '__peerpair_at peerpair' -x -a list -d 'print the trusted peers, one JSON line each'
complete -c peerpair -n '__peerpair_at peerpair' -x -a show -d 'print one trusted peer as a JSON line'
complete -c peerpair -n '__peerpair_at peerpair' -x -a forget -d 'remove a trusted peer, and print its record'
complete -c peerpair -n '__peerpair_at peerpair' -x -a export -d 'print trusted peers for import elsewhere'
complete -c peerpair -n '__peerpair_at peerpair' -x -a import -d 'trust the peers of an export'
complete -c peerpair -n '__peerpair_at peerpair' -x -a provide -d 'pair with a device that has scanned this device\'s payload'
complete -c peerpair -n '__peerpair_at peerpair' -x -a scan -d 'pair with a device after scanning its payload'
complete -c peerpair -n '__peerpair_at \'peerpair identity\'' -l device-name -x -d 'Name this device NAME from now on (default for a new identity: the machine\'s name)'
complete -c peerpair -n '__peerpair_at \'peerpair identity\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair identity\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair identity\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair identity\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair identity\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c peerpair -n '__peerpair_at \'peerpair list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair show\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair show\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair show\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair show\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair show\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair show\'' -a '(__peerpair_print peers)'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -l dry-run -d 'Print the changes without making them'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair forget\'' -a '(__peerpair_print peers)'
complete -c peerpair -n '__peerpair_at \'peerpair export\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair export\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair export\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair export\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair export\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair export\'' -a '(__peerpair_print peers)'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -l dry-run -d 'Print the changes without making them'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair import\'' -F
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -l payload -r -F -d 'Read the payload from a file that only its owner can read, an open descriptor (/dev/fd/3) or the environment (env:NAME)'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -l timeout -x -d 'Give up if the pairing takes longer than this (default: 30s)'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -l now -x -d 'Use TIME as the current time'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair provide\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -l payload -r -F -d 'Read the payload from a file that only its owner can read, an open descriptor (/dev/fd/3) or the environment (env:NAME)'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -l timeout -x -d 'Give up if the pairing takes longer than this (default: 30s)'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -l now -x -d 'Use TIME as the current time'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c peerpair -n '__peerpair_at \'peerpair scan\'' -l version -d 'Print the version and exit; installed tools add the commit'
