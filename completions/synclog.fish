# fish completion for synclog, made by 'synclog --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __synclog_takes_value
    switch "$argv"
        case 'synclog init --store' \
            'synclog init --wait' \
            'synclog init --profile' \
            'synclog init --entity-name' \
            'synclog init --key' \
            'synclog init --clock' \
            'synclog init --tombstone' \
            'synclog init --entity' \
            'synclog record --keep-conflicts' \
            'synclog record --store' \
            'synclog record --wait' \
            'synclog record --now' \
            'synclog record --max-drift' \
            'synclog record --max-delete' \
            'synclog record --profile' \
            'synclog record --entity-name' \
            'synclog record --key' \
            'synclog record --clock' \
            'synclog record --tombstone' \
            'synclog record --entity' \
            'synclog record --on-error' \
            'synclog record --rejects' \
            'synclog record --memory' \
            'synclog record --threads' \
            'synclog put --store' \
            'synclog put --wait' \
            'synclog put --now' \
            'synclog put --max-drift' \
            'synclog put --max-delete' \
            'synclog put --profile' \
            'synclog put --entity-name' \
            'synclog put --key' \
            'synclog put --clock' \
            'synclog put --tombstone' \
            'synclog put --entity' \
            'synclog put --on-error' \
            'synclog put --rejects' \
            'synclog put --memory' \
            'synclog put --threads' \
            'synclog since --limit' \
            'synclog since --max-bytes' \
            'synclog since --for' \
            'synclog since --store' \
            'synclog since --wait' \
            'synclog pending --store' \
            'synclog pending --wait' \
            'synclog apply --from' \
            'synclog apply --keep-conflicts' \
            'synclog apply --store' \
            'synclog apply --wait' \
            'synclog apply --now' \
            'synclog apply --max-drift' \
            'synclog apply --max-delete' \
            'synclog apply --profile' \
            'synclog apply --entity-name' \
            'synclog apply --key' \
            'synclog apply --clock' \
            'synclog apply --tombstone' \
            'synclog apply --entity' \
            'synclog apply --on-error' \
            'synclog apply --rejects' \
            'synclog apply --memory' \
            'synclog apply --threads' \
            'synclog dump --only' \
            'synclog dump --store' \
            'synclog dump --wait' \
            'synclog get --only' \
            'synclog get --store' \
            'synclog get --wait' \
            'synclog log --store' \
            'synclog log --wait' \
            'synclog checkpoint get --store' \
            'synclog checkpoint get --wait' \
            'synclog checkpoint set --store' \
            'synclog checkpoint set --wait' \
            'synclog checkpoint set --now' \
            'synclog peers --store' \
            'synclog peers --wait' \
            'synclog peers forget --store' \
            'synclog peers forget --wait' \
            'synclog conflicts list --store' \
            'synclog conflicts list --wait' \
            'synclog conflicts show --store' \
            'synclog conflicts show --wait' \
            'synclog conflicts restore --store' \
            'synclog conflicts restore --wait' \
            'synclog conflicts restore --now' \
            'synclog conflicts drop --store' \
            'synclog conflicts drop --wait' \
            'synclog quarantine list --store' \
            'synclog quarantine list --wait' \
            'synclog quarantine retry --store' \
            'synclog quarantine retry --wait' \
            'synclog quarantine retry --now' \
            'synclog quarantine retry --max-drift' \
            'synclog quarantine retry --max-delete' \
            'synclog quarantine accept --store' \
            'synclog quarantine accept --wait' \
            'synclog quarantine accept --now' \
            'synclog quarantine accept --max-delete' \
            'synclog quarantine drop --store' \
            'synclog quarantine drop --wait' \
            'synclog stat --store' \
            'synclog stat --wait' \
            'synclog verify --store' \
            'synclog verify --wait' \
            'synclog verify --now' \
            'synclog verify --max-drift' \
            'synclog compact --retire-after' \
            'synclog compact --store' \
            'synclog compact --wait' \
            'synclog compact --now' \
            'synclog compact --max-drift' \
            'synclog prune --before' \
            'synclog prune --only' \
            'synclog prune --store' \
            'synclog prune --wait' \
            'synclog prune --now' \
            'synclog prune --max-delete' \
            'synclog backup --store' \
            'synclog backup --wait' \
            'synclog restore --store' \
            'synclog restore --wait' \
            'synclog reclock --only' \
            'synclog reclock --store' \
            'synclog reclock --wait' \
            'synclog reclock --now' \
            'synclog reclock --max-drift' \
            'synclog rules show --store' \
            'synclog rules show --wait' \
            'synclog rules set --store' \
            'synclog rules set --wait' \
            'synclog rules set --profile' \
            'synclog rules set --entity-name' \
            'synclog rules set --key' \
            'synclog rules set --clock' \
            'synclog rules set --tombstone' \
            'synclog rules set --entity' \
            'synclog request --round' \
            'synclog request --linger' \
            'synclog request --store' \
            'synclog request --wait' \
            'synclog request --now' \
            'synclog request --max-drift' \
            'synclog request --max-delete' \
            'synclog request --peer' \
            'synclog request --protocol' \
            'synclog request --self-id' \
            'synclog request --self-name' \
            'synclog request --types' \
            'synclog request --max-page' \
            'synclog request --max-size' \
            'synclog request --timeout' \
            'synclog request --profile' \
            'synclog request --entity-name' \
            'synclog request --key' \
            'synclog request --clock' \
            'synclog request --tombstone' \
            'synclog request --entity' \
            'synclog respond --store' \
            'synclog respond --wait' \
            'synclog respond --now' \
            'synclog respond --max-drift' \
            'synclog respond --max-delete' \
            'synclog respond --peer' \
            'synclog respond --protocol' \
            'synclog respond --self-id' \
            'synclog respond --self-name' \
            'synclog respond --types' \
            'synclog respond --max-page' \
            'synclog respond --max-size' \
            'synclog respond --timeout' \
            'synclog respond --profile' \
            'synclog respond --entity-name' \
            'synclog respond --key' \
            'synclog respond --clock' \
            'synclog respond --tombstone' \
            'synclog respond --entity' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

# Prints list $argv[1], one value per line.
function __synclog_print
    switch $argv[1]
        case peers
            sh -c 'synclog peers | sed -n -e \'s/.*"peer":"\\([^"]*\\)".*/\\1/p\'' 2>/dev/null
        case entities
            sh -c 'synclog stat | sed -n \'s/.*"entities":\\["\\([^]]*\\)"\\].*/\\1/p\' | tr -d \'"\' | tr , \'\\n\'' 2>/dev/null
    end
end

function __synclog_words
    set -l at synclog
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
            __synclog_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __synclog_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" synclog 'synclog checkpoint' 'synclog conflicts' 'synclog quarantine' 'synclog rules'; or contains -- "$place $at $word" 'first synclog peers forget'
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

function __synclog_at
    set -l words (__synclog_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __synclog_first
    set -l words (__synclog_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __synclog_command
    set -l words (__synclog_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c synclog -f
complete -c synclog -n '__synclog_at synclog' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at synclog' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at synclog' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at synclog' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at synclog' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at synclog' -x -a init -d 'make a store, and set its rules'
complete -c synclog -n '__synclog_at synclog' -x -a record -d 'store the changes since the last record'
complete -c synclog -n '__synclog_at synclog' -x -a put -d 'store changes that were made here'
complete -c synclog -n '__synclog_at synclog' -x -a since -d 'write the changes after a token'
complete -c synclog -n '__synclog_at synclog' -x -a pending -d 'write the changes that a peer does not have'
complete -c synclog -n '__synclog_at synclog' -x -a apply -d 'store changes from a peer'
complete -c synclog -n '__synclog_at synclog' -x -a dump -d 'write the records'
complete -c synclog -n '__synclog_at synclog' -x -a get -d 'write one record'
complete -c synclog -n '__synclog_at synclog' -x -a log -d 'write when each change arrived, and from which peer'
complete -c synclog -n '__synclog_at synclog' -x -a checkpoint -d 'show or move a checkpoint'
complete -c synclog -n '__synclog_at synclog' -x -a peers -d 'list the peers of this store'
complete -c synclog -n '__synclog_at synclog' -x -a conflicts -d 'manage changes that lost a conflict'
complete -c synclog -n '__synclog_at synclog' -x -a quarantine -d 'manage changes that could not be applied'
complete -c synclog -n '__synclog_at synclog' -x -a stat -d 'count the stored records'
complete -c synclog -n '__synclog_at synclog' -x -a verify -d 'check a store for damage'
complete -c synclog -n '__synclog_at synclog' -x -a compact -d 'remove deletions that every peer has'
complete -c synclog -n '__synclog_at synclog' -x -a prune -d 'drop old records'
complete -c synclog -n '__synclog_at synclog' -x -a backup -d 'copy the store into a file'
complete -c synclog -n '__synclog_at synclog' -x -a restore -d 'replace the store with a backup'
complete -c synclog -n '__synclog_at synclog' -x -a reclock -d 'set clocks that are ahead back to now'
complete -c synclog -n '__synclog_at synclog' -x -a rules -d 'show and change how records are read and merged'
complete -c synclog -n '__synclog_at synclog' -x -a request -d 'fetch a peer\'s changes, and let the peer fetch this store\'s changes'
complete -c synclog -n '__synclog_at synclog' -x -a respond -d 'answer a peer\'s requests'
complete -c synclog -n '__synclog_at \'synclog init\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog init\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog init\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog init\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog init\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog init\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog init\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog init\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog init\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog init\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog init\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog init\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog init\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog record\'' -l dry-run -d 'Print the counts without storing anything'
complete -c synclog -n '__synclog_at \'synclog record\'' -l keep-conflicts -x -d 'Keep versions that lost a conflict for this long (default: 30d; off discards them)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog record\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog record\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog record\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c synclog -n '__synclog_at \'synclog record\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c synclog -n '__synclog_at \'synclog record\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c synclog -n '__synclog_at \'synclog record\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog record\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog record\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog record\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog record\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog record\'' -F
complete -c synclog -n '__synclog_at \'synclog put\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog put\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog put\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog put\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c synclog -n '__synclog_at \'synclog put\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c synclog -n '__synclog_at \'synclog put\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c synclog -n '__synclog_at \'synclog put\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog put\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog put\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog put\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog put\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog put\'' -F
complete -c synclog -n '__synclog_at \'synclog since\'' -l limit -x -d 'Write at most N changes; the next run can continue from the checkpoint'
complete -c synclog -n '__synclog_at \'synclog since\'' -l max-bytes -x -d 'Write changes up to SIZE in total, but at least one change'
complete -c synclog -n '__synclog_at \'synclog since\'' -l for -x -a '(__synclog_print peers)' -d 'Leave out the changes from this peer, unless all changes are requested'
complete -c synclog -n '__synclog_at \'synclog since\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog since\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog since\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog since\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog since\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog since\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog since\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog pending\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog pending\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog pending\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog pending\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog pending\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog pending\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog pending\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog pending\'' -a '(__synclog_print peers)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l from -x -a '(__synclog_print peers)' -d 'Name the id of the peer that sent the changes'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l keep-conflicts -x -d 'Keep versions that lost a conflict for this long (default: 30d; off discards them)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l memory -x -d 'Use temporary files beyond this much memory, a size such as 256M (default: half of the free memory)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l threads -x -d 'Use N threads, at most 64 (default: one per processor)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l no-mmap -d 'Read files piece by piece instead of mapping them into memory'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog apply\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog apply\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog apply\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog apply\'' -F
complete -c synclog -n '__synclog_at \'synclog dump\'' -l changes -d 'Write change lines, including deletions'
complete -c synclog -n '__synclog_at \'synclog dump\'' -l baseline -d 'Use the output as the baseline of the next \'synclog record\''
complete -c synclog -n '__synclog_at \'synclog dump\'' -l only -x -a '(__synclog_print entities)' -d 'Write only the records of this entity'
complete -c synclog -n '__synclog_at \'synclog dump\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog dump\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog dump\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog dump\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog dump\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog dump\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog dump\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog get\'' -l changes -d 'Write the change line, even if it is a deletion'
complete -c synclog -n '__synclog_at \'synclog get\'' -l only -x -a '(__synclog_print entities)' -d 'Write only the records of this entity'
complete -c synclog -n '__synclog_at \'synclog get\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog get\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog get\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog get\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog get\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog get\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog get\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog log\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog log\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog log\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog log\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog log\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog log\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog log\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -x -a get -d 'write a checkpoint as a checkpoint line'
complete -c synclog -n '__synclog_at \'synclog checkpoint\'' -x -a set -d 'move a checkpoint'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog checkpoint get\'' -a '(__synclog_print peers)'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog checkpoint set\'' -a '(__synclog_print peers)'
complete -c synclog -n '__synclog_at \'synclog peers\'' -l json -d 'Print JSON lines on a terminal too'
complete -c synclog -n '__synclog_at \'synclog peers\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog peers\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog peers\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog peers\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog peers\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog peers\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog peers\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_first \'synclog peers\'' -a forget -d 'forget a peer that no longer syncs'
complete -c synclog -n '__synclog_at \'synclog peers\'' -F
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog peers forget\'' -a '(__synclog_print peers)'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -x -a list -d 'write the lost changes, one object per line'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -x -a show -d 'write both sides of conflicts, and the differences'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -x -a restore -d 'restore lost changes'
complete -c synclog -n '__synclog_at \'synclog conflicts\'' -x -a drop -d 'discard lost changes'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog conflicts list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog conflicts show\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog conflicts restore\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog conflicts drop\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -x -a list -d 'write the changes in quarantine, one object per line'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -x -a retry -d 'apply the changes that can now be applied'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -x -a accept -d 'apply changes even if their clocks are far ahead'
complete -c synclog -n '__synclog_at \'synclog quarantine\'' -x -a drop -d 'discard changes permanently'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -l json -d 'Print JSON lines on a terminal too'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog quarantine list\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog quarantine retry\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog quarantine accept\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog quarantine drop\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog stat\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog stat\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog stat\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog stat\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog stat\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog stat\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog stat\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog verify\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog verify\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog verify\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l retire-after -x -d 'Do not wait for peers that were silent for longer than this (default: 90d)'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog compact\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog compact\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog compact\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l before -x -d 'Drop records with a clock before TIME'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l only -x -a '(__synclog_print entities)' -d 'Drop only the records of this entity'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog prune\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog prune\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog prune\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog backup\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog backup\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog backup\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog backup\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog backup\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog backup\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog backup\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog backup\'' -F
complete -c synclog -n '__synclog_at \'synclog restore\'' -l replace -d 'Replace a store that is not empty'
complete -c synclog -n '__synclog_at \'synclog restore\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog restore\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog restore\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog restore\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog restore\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog restore\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog restore\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog restore\'' -F
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l ahead -d 'Change all records with clocks too far ahead'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l sent -d 'Also change records that have been sent to a peer'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l only -x -a '(__synclog_print entities)' -d 'Change only the records of this entity'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog reclock\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog rules\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog rules\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog rules\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog rules\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog rules\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog rules\'' -x -a show -d 'write the rules'
complete -c synclog -n '__synclog_at \'synclog rules\'' -x -a set -d 'change the rules'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog rules show\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog rules set\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog request\'' -l push -d 'Let the other side fetch this side\'s changes'
complete -c synclog -n '__synclog_at \'synclog request\'' -l no-pull -d 'With --push: only send changes'
complete -c synclog -n '__synclog_at \'synclog request\'' -s f -l follow -d 'Keep running, and fetch each change as it is made'
complete -c synclog -n '__synclog_at \'synclog request\'' -l round -x -d 'With --follow: each request waits up to DURATION for changes (default: 1m; at most 1d)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l linger -x -d 'With protocol 1: after all changes are received, wait this long for a request of the other side (default: 0s)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog request\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog request\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l peer -x -d 'Use ID, which you have verified, as the id of the other side (default: from peerlink)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l protocol -x -a '1 2' -d 'Use this version of the protocol, 1 or 2 (default: from peerlink)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l self-id -x -d 'Use ID as the id of this side (default: from peerlink)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l self-name -x -d 'Use NAME as the name of this side (default: from peerlink, otherwise the id)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l types -r -F -d 'With protocol 1: keep in FILE the types that plain JSON cannot distinguish (default: the path of the store plus .types)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l mix-entities -d 'Allow records with an entity and records without one in the same store'
complete -c synclog -n '__synclog_at \'synclog request\'' -l max-page -x -d 'Send pages of up to SIZE, or of one longer line (default: 4M; at most 8M)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l max-size -x -d 'Refuse messages above SIZE (default: 16M; at most 64M)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l timeout -x -d 'Give up after this long with little or no traffic (default: 1m)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog request\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog request\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog request\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog request\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog request\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog request\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l store -r -F -d 'Use this file as the store'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l wait -x -d 'Wait up to this long while another process writes (default: 10s)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l now -x -d 'Use TIME as the current time'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l max-drift -x -d 'Reject clocks further ahead than this (default: 5m; off accepts any)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l max-delete -x -d 'Refuse to delete more live records than this: a number, a share such as 20%, or off (default: the larger of 100 and 20%)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l peer -x -d 'Use ID, which you have verified, as the id of the other side (default: from peerlink)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l protocol -x -a '1 2' -d 'Use this version of the protocol, 1 or 2 (default: from peerlink)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l self-id -x -d 'Use ID as the id of this side (default: from peerlink)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l self-name -x -d 'Use NAME as the name of this side (default: from peerlink, otherwise the id)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l types -r -F -d 'With protocol 1: keep in FILE the types that plain JSON cannot distinguish (default: the path of the store plus .types)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l mix-entities -d 'Allow records with an entity and records without one in the same store'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l max-page -x -d 'Send pages of up to SIZE, or of one longer line (default: 4M; at most 8M)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l max-size -x -d 'Refuse messages above SIZE (default: 16M; at most 64M)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l timeout -x -d 'Give up after this long with little or no traffic (default: 1m)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l profile -r -F -d 'Read and merge the records of each entity by these rules: the built-in chores, or a JSON file as \'synclog rules show\' prints it'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l entity-name -x -d 'Give plain records without an entity this entity (default: empty)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l key -x -d 'Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l clock -x -d 'Read the clock of a plain record from here (default: the first of /modifiedAt, /modified_at, /updatedAt, /updated_at, /timestamp)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l tombstone -x -d 'Treat a plain record with a time in this member as deleted (default: /deletedAt)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l entity -x -d 'Read the entity of a plain record from this member (default: /entity)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c synclog -n '__synclog_at \'synclog respond\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c synclog -n '__synclog_at \'synclog respond\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c synclog -n '__synclog_at \'synclog respond\'' -l version -d 'Print the version and exit; installed tools add the commit'
