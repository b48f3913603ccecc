# fish completion for lwwmerge, made by 'lwwmerge --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __lwwmerge_takes_value
    switch "$argv"
        case 'lwwmerge --conflicts' \
            'lwwmerge --summary' \
            'lwwmerge --max-drift' \
            'lwwmerge --now' \
            'lwwmerge --profile' \
            'lwwmerge --entity-name' \
            'lwwmerge --key' \
            'lwwmerge --clock' \
            'lwwmerge --tombstone' \
            'lwwmerge --entity' \
            'lwwmerge --on-error' \
            'lwwmerge --rejects' \
            'lwwmerge --memory' \
            'lwwmerge --threads' \
            'lwwmerge explain --identity' \
            'lwwmerge explain --only' \
            'lwwmerge explain --max-drift' \
            'lwwmerge explain --now' \
            'lwwmerge explain --profile' \
            'lwwmerge explain --entity-name' \
            'lwwmerge explain --key' \
            'lwwmerge explain --clock' \
            'lwwmerge explain --tombstone' \
            'lwwmerge explain --entity' \
            'lwwmerge explain --on-error' \
            'lwwmerge explain --rejects' \
            'lwwmerge explain --memory' \
            'lwwmerge explain --threads' \
            'lwwmerge keys --parts' \
            'lwwmerge keys --profile' \
            'lwwmerge keys --entity-name' \
            'lwwmerge keys --key' \
            'lwwmerge keys --clock' \
            'lwwmerge keys --tombstone' \
            'lwwmerge keys --entity' \
            'lwwmerge keys --on-error' \
            'lwwmerge keys --rejects' \
            'lwwmerge keys --memory' \
            'lwwmerge keys --threads' \
            'lwwmerge shard --parts' \
            'lwwmerge shard --into' \
            'lwwmerge shard --profile' \
            'lwwmerge shard --entity-name' \
            'lwwmerge shard --key' \
            'lwwmerge shard --clock' \
            'lwwmerge shard --tombstone' \
            'lwwmerge shard --entity' \
            'lwwmerge shard --on-error' \
            'lwwmerge shard --rejects' \
            'lwwmerge shard --memory' \
            'lwwmerge shard --threads' \
            'lwwmerge check-laws --seeds' \
            'lwwmerge check-laws --seed' \
            'lwwmerge check-laws --profile' \
            'lwwmerge check-laws --entity-name' \
            'lwwmerge check-laws --key' \
            'lwwmerge check-laws --clock' \
            'lwwmerge check-laws --tombstone' \
            'lwwmerge check-laws --entity' \
            'lwwmerge check-laws --on-error' \
            'lwwmerge check-laws --rejects' \
            'lwwmerge check-laws --memory' \
            'lwwmerge check-laws --threads' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __lwwmerge_words
    set -l at lwwmerge
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
            __lwwmerge_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __lwwmerge_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" ; or contains -- "$place $at $word" 'first lwwmerge explain' 'first lwwmerge keys' 'first lwwmerge shard' 'first lwwmerge check-laws'
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

function __lwwmerge_at
    set -l words (__lwwmerge_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __lwwmerge_first
    set -l words (__lwwmerge_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __lwwmerge_command
    set -l words (__lwwmerge_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c lwwmerge -f
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l drop-tombstones -d 'Leave deletions out of the output'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l conflicts -r -F -d 'Write one line per contested key to FILE: the winner, the losers, and the step that decided'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l summary -r -F -d 'Write the counts of the merge to FILE as one object'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l now -x -d 'Use TIME as the current time'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c lwwmerge -n '__lwwmerge_first lwwmerge' -a explain -d 'explain why a record won, step by step'
complete -c lwwmerge -n '__lwwmerge_first lwwmerge' -a keys -d 'print each line after its key, for an engine that distributes work over machines'
complete -c lwwmerge -n '__lwwmerge_first lwwmerge' -a shard -d 'cut files into parts that can be merged independently'
complete -c lwwmerge -n '__lwwmerge_first lwwmerge' -a check-laws -d 'check that the order and grouping of your files do not matter'
complete -c lwwmerge -n '__lwwmerge_at lwwmerge' -F
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l identity -x -d 'Explain this record'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l only -x -d 'Explain only the record of this entity'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l json -d 'Write one object per key, as --conflicts does, instead of text'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l now -x -d 'Use TIME as the current time'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge explain\'' -F
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l parts -x -d 'Cut the keys into N parts, at most 10,000'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge keys\'' -F
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l parts -x -d 'Cut the keys into N parts, at most 10,000'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l into -r -F -d 'Write the parts into the folder DIR, which must be new or empty'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge shard\'' -F
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l seeds -x -d 'Try N seeds (default: 20)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l seed -x -d 'Start with seed N (default: 1)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c lwwmerge -n '__lwwmerge_at \'lwwmerge check-laws\'' -F
