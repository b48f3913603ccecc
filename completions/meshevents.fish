# fish completion for meshevents, made by 'meshevents --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __meshevents_takes_value
    switch "$argv"
        case 'meshevents events --id-key' \
            'meshevents events --registry' \
            'meshevents events --on-error' \
            'meshevents events --rejects' \
            'meshevents host --self' \
            'meshevents host --name' \
            'meshevents host --on-error' \
            'meshevents host --rejects' \
            'meshevents guest --self' \
            'meshevents guest --host' \
            'meshevents guest --view' \
            'meshevents guest --on-error' \
            'meshevents guest --rejects' \
            'meshevents receive --from' \
            'meshevents receive --on-error' \
            'meshevents receive --rejects' \
            'meshevents encode --on-error' \
            'meshevents encode --rejects' \
            'meshevents decode --on-error' \
            'meshevents decode --rejects' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __meshevents_words
    set -l at meshevents
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
            __meshevents_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __meshevents_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" meshevents; or contains -- "$place $at $word" 
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

function __meshevents_at
    set -l words (__meshevents_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __meshevents_first
    set -l words (__meshevents_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __meshevents_command
    set -l words (__meshevents_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c meshevents -f
complete -c meshevents -n '__meshevents_at meshevents' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at meshevents' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at meshevents' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at meshevents' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at meshevents' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at meshevents' -x -a events -d 'turn logged callbacks into events'
complete -c meshevents -n '__meshevents_at meshevents' -x -a host -d 'keep the song queue, and write each new state for the guests'
complete -c meshevents -n '__meshevents_at meshevents' -x -a guest -d 'show the host\'s state, and write messages to the host'
complete -c meshevents -n '__meshevents_at meshevents' -x -a receive -d 'turn each message on standard input into a messageReceived event'
complete -c meshevents -n '__meshevents_at meshevents' -x -a encode -d 'check messages, one per line, and write them as the Base64 of callbacks'
complete -c meshevents -n '__meshevents_at meshevents' -x -a decode -d 'read the Base64 of callbacks, one per line, and write the messages'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l id-key -x -d 'Read the id from this member of the discovery info (default: id)'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l registry -r -F -d 'Keep the id of each handle in FILE, one per line; FILE is created if needed'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at \'meshevents events\'' -F
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l self -x -d 'Use ID as this device\'s id (default: PEERLINK_SELF_ID, otherwise self)'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l name -x -d 'Use NAME as this device\'s name (default: its id)'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at \'meshevents host\'' -F
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l self -x -d 'Use ID as this device\'s id (default: PEERLINK_SELF_ID, otherwise self)'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l host -x -d 'Name the id of the host (required)'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l view -r -F -d 'Append the view to FILE; - is standard output, instead of the messages'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at \'meshevents guest\'' -F
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -l from -x -d 'Use ID as the sender\'s id (default: PEERLINK_PEER_ID)'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at \'meshevents receive\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at \'meshevents encode\'' -F
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c meshevents -n '__meshevents_at \'meshevents decode\'' -F
