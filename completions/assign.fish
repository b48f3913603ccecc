# fish completion for assign, made by 'assign --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __assign_takes_value
    switch "$argv"
        case 'assign --until' \
            'assign --now' \
            'assign --profile' \
            'assign --entity-name' \
            'assign --key' \
            'assign --clock' \
            'assign --tombstone' \
            'assign --entity' \
            'assign --on-error' \
            'assign --rejects' \
            'assign --memory' \
            'assign --threads' \
            'assign explain --until' \
            'assign explain --now' \
            'assign explain --profile' \
            'assign explain --entity-name' \
            'assign explain --key' \
            'assign explain --clock' \
            'assign explain --tombstone' \
            'assign explain --entity' \
            'assign explain --on-error' \
            'assign explain --rejects' \
            'assign explain --memory' \
            'assign explain --threads' \
            'assign reassign --until' \
            'assign reassign --now' \
            'assign reassign --profile' \
            'assign reassign --entity-name' \
            'assign reassign --key' \
            'assign reassign --clock' \
            'assign reassign --tombstone' \
            'assign reassign --entity' \
            'assign reassign --on-error' \
            'assign reassign --rejects' \
            'assign reassign --memory' \
            'assign reassign --threads' \
            'assign simulate --weeks' \
            'assign simulate --now' \
            'assign simulate --svg' \
            'assign simulate --profile' \
            'assign simulate --entity-name' \
            'assign simulate --key' \
            'assign simulate --clock' \
            'assign simulate --tombstone' \
            'assign simulate --entity' \
            'assign simulate --on-error' \
            'assign simulate --rejects' \
            'assign simulate --memory' \
            'assign simulate --threads' \
            'assign prune --older-than' \
            'assign prune --archive' \
            'assign prune --now' \
            'assign prune --profile' \
            'assign prune --entity-name' \
            'assign prune --key' \
            'assign prune --clock' \
            'assign prune --tombstone' \
            'assign prune --entity' \
            'assign prune --memory' \
            'assign prune --threads' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __assign_words
    set -l at assign
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
            __assign_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __assign_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" ; or contains -- "$place $at $word" 'first assign explain' 'first assign reassign' 'first assign simulate' 'first assign prune'
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

function __assign_at
    set -l words (__assign_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __assign_first
    set -l words (__assign_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __assign_command
    set -l words (__assign_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c assign -f
complete -c assign -n '__assign_at assign' -l until -x -d 'Plan this far ahead: a duration from now, or a date (default: 60d)'
complete -c assign -n '__assign_at assign' -l now -x -d 'Use TIME as the current time'
complete -c assign -n '__assign_at assign' -l all -d 'Write all occurrences, not only new and changed ones'
complete -c assign -n '__assign_at assign' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c assign -n '__assign_at assign' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c assign -n '__assign_at assign' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c assign -n '__assign_at assign' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c assign -n '__assign_at assign' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c assign -n '__assign_at assign' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c assign -n '__assign_at assign' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c assign -n '__assign_at assign' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c assign -n '__assign_at assign' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c assign -n '__assign_at assign' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c assign -n '__assign_at assign' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c assign -n '__assign_at assign' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c assign -n '__assign_at assign' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c assign -n '__assign_at assign' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c assign -n '__assign_at assign' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c assign -n '__assign_at assign' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c assign -n '__assign_first assign' -a explain -d 'explain why a member has a turn'
complete -c assign -n '__assign_first assign' -a reassign -d 'give a turn to another member'
complete -c assign -n '__assign_first assign' -a simulate -d 'show the turns of the coming weeks, and how evenly they are shared'
complete -c assign -n '__assign_first assign' -a prune -d 'move old completed occurrences into an archive'
complete -c assign -n '__assign_at assign' -F
complete -c assign -n '__assign_at \'assign explain\'' -l until -x -d 'Plan this far ahead: a duration from now, or a date (default: 60d)'
complete -c assign -n '__assign_at \'assign explain\'' -l now -x -d 'Use TIME as the current time'
complete -c assign -n '__assign_at \'assign explain\'' -l json -d 'Write one object instead of text'
complete -c assign -n '__assign_at \'assign explain\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c assign -n '__assign_at \'assign explain\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c assign -n '__assign_at \'assign explain\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c assign -n '__assign_at \'assign explain\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c assign -n '__assign_at \'assign explain\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c assign -n '__assign_at \'assign explain\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c assign -n '__assign_at \'assign explain\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c assign -n '__assign_at \'assign explain\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c assign -n '__assign_at \'assign explain\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c assign -n '__assign_at \'assign explain\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c assign -n '__assign_at \'assign explain\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c assign -n '__assign_at \'assign explain\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c assign -n '__assign_at \'assign explain\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c assign -n '__assign_at \'assign explain\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c assign -n '__assign_at \'assign explain\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c assign -n '__assign_at \'assign explain\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c assign -n '__assign_at \'assign explain\'' -F
complete -c assign -n '__assign_at \'assign reassign\'' -l until -x -d 'Plan this far ahead: a duration from now, or a date (default: 60d)'
complete -c assign -n '__assign_at \'assign reassign\'' -l now -x -d 'Use TIME as the current time'
complete -c assign -n '__assign_at \'assign reassign\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c assign -n '__assign_at \'assign reassign\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c assign -n '__assign_at \'assign reassign\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c assign -n '__assign_at \'assign reassign\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c assign -n '__assign_at \'assign reassign\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c assign -n '__assign_at \'assign reassign\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c assign -n '__assign_at \'assign reassign\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c assign -n '__assign_at \'assign reassign\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c assign -n '__assign_at \'assign reassign\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c assign -n '__assign_at \'assign reassign\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c assign -n '__assign_at \'assign reassign\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c assign -n '__assign_at \'assign reassign\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c assign -n '__assign_at \'assign reassign\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c assign -n '__assign_at \'assign reassign\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c assign -n '__assign_at \'assign reassign\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c assign -n '__assign_at \'assign reassign\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c assign -n '__assign_at \'assign reassign\'' -F
complete -c assign -n '__assign_at \'assign simulate\'' -l weeks -x -d 'Show N weeks, at most 520 (default: 12)'
complete -c assign -n '__assign_at \'assign simulate\'' -l now -x -d 'Use TIME as the current time'
complete -c assign -n '__assign_at \'assign simulate\'' -l svg -r -F -d 'Also draw a calendar into FILE'
complete -c assign -n '__assign_at \'assign simulate\'' -l json -d 'Write one object per turn, member and template instead of text'
complete -c assign -n '__assign_at \'assign simulate\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c assign -n '__assign_at \'assign simulate\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c assign -n '__assign_at \'assign simulate\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c assign -n '__assign_at \'assign simulate\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c assign -n '__assign_at \'assign simulate\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c assign -n '__assign_at \'assign simulate\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c assign -n '__assign_at \'assign simulate\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c assign -n '__assign_at \'assign simulate\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c assign -n '__assign_at \'assign simulate\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c assign -n '__assign_at \'assign simulate\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c assign -n '__assign_at \'assign simulate\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c assign -n '__assign_at \'assign simulate\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c assign -n '__assign_at \'assign simulate\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c assign -n '__assign_at \'assign simulate\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c assign -n '__assign_at \'assign simulate\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c assign -n '__assign_at \'assign simulate\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c assign -n '__assign_at \'assign simulate\'' -F
complete -c assign -n '__assign_at \'assign prune\'' -l older-than -x -d 'Archive occurrences whose dates are older than this, such as 365d'
complete -c assign -n '__assign_at \'assign prune\'' -l archive -r -F -d 'Merge the archived lines into FILE'
complete -c assign -n '__assign_at \'assign prune\'' -l now -x -d 'Use TIME as the current time'
complete -c assign -n '__assign_at \'assign prune\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c assign -n '__assign_at \'assign prune\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c assign -n '__assign_at \'assign prune\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c assign -n '__assign_at \'assign prune\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c assign -n '__assign_at \'assign prune\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c assign -n '__assign_at \'assign prune\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c assign -n '__assign_at \'assign prune\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c assign -n '__assign_at \'assign prune\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c assign -n '__assign_at \'assign prune\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c assign -n '__assign_at \'assign prune\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c assign -n '__assign_at \'assign prune\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c assign -n '__assign_at \'assign prune\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c assign -n '__assign_at \'assign prune\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c assign -n '__assign_at \'assign prune\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c assign -n '__assign_at \'assign prune\'' -F
