# fish completion for frame, made by 'frame --generate fish'.

# Whether option $argv[2] of command $argv[1] takes a value.
function __frame_takes_value
    switch "$argv"
        case 'frame encode -p' \
            'frame encode --prefix' \
            'frame encode --max-size' \
            'frame encode --input' \
            'frame encode --on-error' \
            'frame encode --rejects' \
            'frame decode -p' \
            'frame decode --prefix' \
            'frame decode --max-size' \
            'frame decode --output' \
            'frame decode --input' \
            'frame decode --on-error' \
            'frame decode --rejects' \
            'frame exec -p' \
            'frame exec --prefix' \
            'frame exec --max-size' \
            'frame check --max-page' \
            'frame check --now' \
            'frame check --max-drift' \
            'frame check --side' \
            'frame check --on-error' \
            'frame check --rejects' \
            'frame draw --svg' \
            'frame draw --width' \
            'frame draw --lines' \
            'frame draw --side' \
            'frame draw --on-error' \
            'frame draw --rejects' \
            '* --errors' \
            '* --generate'
            return 0
    end
    return 1
end

function __frame_words
    set -l at frame
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
            __frame_takes_value "$at" $word; and set pending yes
        else if test $ended = no; and string match -q -- '-?*' $word
            set -l letters (string split '' -- (string sub -s 2 -- $word))
            while set -q letters[1]
                if __frame_takes_value "$at" -$letters[1]
                    set -q letters[2]; or set pending yes
                    break
                end
                set -e letters[1]
            end
        else if contains -- "$at" frame; or contains -- "$place $at $word" 
            set at "$at $word"
            set place first
            continue
        else
            set -a operands $word
            if contains -- "$at" 'frame exec'
                set at "$at --"
                set ended yes
            end
        end
        string match -qr -- '^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$' $word; or set place later
    end
    printf '%s\n' $place "$at" $operands
end

function __frame_at
    set -l words (__frame_words)
    test "$words[2]" = "$argv[1]"
end

# Whether only common options follow command $argv[1].
function __frame_first
    set -l words (__frame_words)
    test "$words[1] $words[2]" = "first $argv[1]"
end

function __frame_command
    set -l words (__frame_words)
    set -l line
    for word in $words[3..]
        set -a line (string escape -- $word)
    end
    set -a line (commandline -ct)
    complete --do-complete="$line"
end

complete -c frame -f
complete -c frame -n '__frame_at frame' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c frame -n '__frame_at frame' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c frame -n '__frame_at frame' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c frame -n '__frame_at frame' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c frame -n '__frame_at frame' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c frame -n '__frame_at frame' -x -a encode -d 'turn each line into a frame'
complete -c frame -n '__frame_at frame' -x -a decode -d 'turn each frame into a line'
complete -c frame -n '__frame_at frame' -x -a exec -d 'connect frames to a command that reads and writes lines'
complete -c frame -n '__frame_at frame' -x -a check -d 'find protocol violations in a conversation'
complete -c frame -n '__frame_at frame' -x -a draw -d 'draw a conversation as a sequence diagram'
complete -c frame -n '__frame_at \'frame encode\'' -s p -l prefix -x -a 'u32be u32le u16be u16le u64be varint netstring content-length' -d 'Use this form of length prefix (default: u32be)'
complete -c frame -n '__frame_at \'frame encode\'' -l max-size -x -d 'Refuse payloads above SIZE (default: 16M)'
complete -c frame -n '__frame_at \'frame encode\'' -l no-check -d 'Do not check that payloads are JSON'
complete -c frame -n '__frame_at \'frame encode\'' -l input -x -a 'json base64' -d 'Read each line as json, or as base64 of any payload (default: json)'
complete -c frame -n '__frame_at \'frame encode\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c frame -n '__frame_at \'frame encode\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c frame -n '__frame_at \'frame encode\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c frame -n '__frame_at \'frame encode\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c frame -n '__frame_at \'frame encode\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c frame -n '__frame_at \'frame encode\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c frame -n '__frame_at \'frame encode\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c frame -n '__frame_at \'frame encode\'' -F
complete -c frame -n '__frame_at \'frame decode\'' -s p -l prefix -x -a 'u32be u32le u16be u16le u64be varint netstring content-length' -d 'Use this form of length prefix (default: u32be)'
complete -c frame -n '__frame_at \'frame decode\'' -l max-size -x -d 'Refuse payloads above SIZE (default: 16M)'
complete -c frame -n '__frame_at \'frame decode\'' -l no-check -d 'Do not check that payloads are JSON'
complete -c frame -n '__frame_at \'frame decode\'' -l output -x -a 'json base64' -d 'Write each payload as json, or as base64, which is exact for any bytes (default: json)'
complete -c frame -n '__frame_at \'frame decode\'' -l input -x -a 'raw hex base64 streams' -d 'Read frames as raw bytes, base64, hex (plain, or a dump of xxd, hexdump -C, od -tx1 or Wireshark), or streams (default: raw)'
complete -c frame -n '__frame_at \'frame decode\'' -l annotate -d 'Write one envelope per frame, with its offset and its length'
complete -c frame -n '__frame_at \'frame decode\'' -l resync -d 'After bytes that are not a frame, continue at the next plausible frame'
complete -c frame -n '__frame_at \'frame decode\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c frame -n '__frame_at \'frame decode\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c frame -n '__frame_at \'frame decode\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c frame -n '__frame_at \'frame decode\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c frame -n '__frame_at \'frame decode\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c frame -n '__frame_at \'frame decode\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c frame -n '__frame_at \'frame decode\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c frame -n '__frame_at \'frame decode\'' -F
complete -c frame -n '__frame_at \'frame exec\'' -s p -l prefix -x -a 'u32be u32le u16be u16le u64be varint netstring content-length' -d 'Use this form of length prefix (default: u32be)'
complete -c frame -n '__frame_at \'frame exec\'' -l max-size -x -d 'Refuse payloads above SIZE (default: 16M)'
complete -c frame -n '__frame_at \'frame exec\'' -l no-check -d 'Do not check that payloads are JSON'
complete -c frame -n '__frame_at \'frame exec\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c frame -n '__frame_at \'frame exec\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c frame -n '__frame_at \'frame exec\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c frame -n '__frame_at \'frame exec\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c frame -n '__frame_at \'frame exec\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c frame -n '__frame_at \'frame exec\'' -x -a '(__frame_command)'
complete -c frame -n '__frame_at \'frame exec --\'' -x -a '(__frame_command)'
complete -c frame -n '__frame_at \'frame check\'' -l max-page -x -d 'Report pages above SIZE that have more than one line (default: 4M)'
complete -c frame -n '__frame_at \'frame check\'' -l now -x -d 'Report messages whose sentAt differs from TIME by more than --max-drift'
complete -c frame -n '__frame_at \'frame check\'' -l max-drift -x -d 'With --now, allow messages sent up to this long before or after TIME (default: 5m)'
complete -c frame -n '__frame_at \'frame check\'' -l side -r -F -d 'Read the messages of one side from FILE'
complete -c frame -n '__frame_at \'frame check\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c frame -n '__frame_at \'frame check\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c frame -n '__frame_at \'frame check\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c frame -n '__frame_at \'frame check\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c frame -n '__frame_at \'frame check\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c frame -n '__frame_at \'frame check\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c frame -n '__frame_at \'frame check\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c frame -n '__frame_at \'frame check\'' -F
complete -c frame -n '__frame_at \'frame draw\'' -l svg -r -F -d 'Draw a picture into FILE instead of text'
complete -c frame -n '__frame_at \'frame draw\'' -l width -x -d 'Draw text of N columns, from 20 to 1000 (default: as wide as the terminal, or 100)'
complete -c frame -n '__frame_at \'frame draw\'' -l lines -x -d 'Draw only the messages of these lines; all lines are checked'
complete -c frame -n '__frame_at \'frame draw\'' -l show-content -d 'Show records and names too, up to 20 lines per message'
complete -c frame -n '__frame_at \'frame draw\'' -l side -r -F -d 'Read the messages of one side from FILE'
complete -c frame -n '__frame_at \'frame draw\'' -l on-error -x -a 'stop skip' -d 'Stop at a bad line, or skip it with a report (default: stop)'
complete -c frame -n '__frame_at \'frame draw\'' -l rejects -r -F -d 'Write skipped lines to FILE, byte for byte; without skipped lines, FILE is empty'
complete -c frame -n '__frame_at \'frame draw\'' -l errors -x -a 'text json' -d 'Write diagnostics as text, or as json: one object per line'
complete -c frame -n '__frame_at \'frame draw\'' -s q -l quiet -d 'Write only errors: no progress, no notes'
complete -c frame -n '__frame_at \'frame draw\'' -l generate -x -a 'man bash zsh fish table' -d 'Print the man page (man), the completion script of bash, zsh or fish, or all commands and options as JSON (table)'
complete -c frame -n '__frame_at \'frame draw\'' -s h -l help -d 'Print this help and exit; -h prints at most 25 lines'
complete -c frame -n '__frame_at \'frame draw\'' -l version -d 'Print the version and exit; installed tools add the commit'
complete -c frame -n '__frame_at \'frame draw\'' -F
