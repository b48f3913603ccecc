# fish completion for syncsim, made by 'syncsim --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __syncsim_takes_value
    switch "$argv"
        case 'syncsim run --devices' \
            'syncsim run --steps' \
            'syncsim run --seed' \
            'syncsim run --seeds' \
            'syncsim run --links' \
            'syncsim run --threads' \
            'syncsim run --plant' \
            'syncsim replay --log' \
            'syncsim replay --plant' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __syncsim_words
    set -l at syncsim
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
            __syncsim_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __syncsim_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" syncsim; or contains -- "$place $at $word" 
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

function __syncsim_at
    set -l words (__syncsim_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __syncsim_first
    set -l words (__syncsim_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __syncsim_command
    set -l words (__syncsim_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c syncsim -f
complete -c syncsim -n '__syncsim_at syncsim' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncsim -n '__syncsim_at syncsim' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncsim -n '__syncsim_at syncsim' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncsim -n '__syncsim_at syncsim' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncsim -n '__syncsim_at syncsim' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncsim -n '__syncsim_at syncsim' -x -a run -d 'make stories from seeds and run them'
complete -c syncsim -n '__syncsim_at syncsim' -x -a replay -d 'run a story from a file'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l devices -x -d 'Simulate N devices (default: 5)'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l steps -x -d 'Make stories of N steps (default: 60)'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l seed -x -d 'Use this seed for the story, from 1 on (default: 1)'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l seeds -x -d 'Run one story for each of these seeds, instead of --seed'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l links -x -a 'chain star full hub' -d 'Connect the devices in this topology (default: chain, star or full, at random for each story)'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l dry-run -d 'Write the stories without running them'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l keep-going -d 'Run all seeds, and write one object instead of the story for each seed that fails'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l counts -d 'Also write the number of events'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l plant -x -a 'asymmetric-tie checkpoint-first tombstone-dropped-early echo-withheld echo-left-out-of-resync loser-unanswered unpushed-removed rules-differ-silently entity-lost baseline-sees-stamp acked-not-compared edit-ignored' -d 'Put a known bug between the dialogue and the store, to check that it is found'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncsim -n '__syncsim_at \'syncsim run\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -l log -r -F -d 'Write all events to FILE, one object per line'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -l counts -d 'Also write the number of events'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -l plant -x -a 'asymmetric-tie checkpoint-first tombstone-dropped-early echo-withheld echo-left-out-of-resync loser-unanswered unpushed-removed rules-differ-silently entity-lost baseline-sees-stamp acked-not-compared edit-ignored' -d 'Put a known bug between the dialogue and the store, to check that it is found'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c syncsim -n '__syncsim_at \'syncsim replay\'' -F
