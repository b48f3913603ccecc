import SystemIO

extension FishCompletion {
  /// The common part for all tools: it follows the line as the parser does.
  ///
  /// `_words` prints one item per line. The first is `first` if only common options follow the line's current
  /// command, and otherwise `later`. That command and its operands follow. If the operands are a program and
  /// its arguments, the second line ends in ` --` after the program, and options are not offered any more.
  static func body(_ function: String, tool: String, parents: String, children: String, wrappers: String)
    -> String
  {
    #"""
    function \#(function)_words
        set -l at \#(ShellWord.fish(tool))
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
                \#(function)_takes_value "$at" $word; and set pending yes
            else if test $ended = no; and string match -q -- '-?*' $word
                set -l letters (string split '' -- (string sub -s 2 -- $word))
                while set -q letters[1]
                    if \#(function)_takes_value "$at" -$letters[1]
                        set -q letters[2]; or set pending yes
                        break
                    end
                    set -e letters[1]
                end
            else if contains -- "$at" \#(parents); or contains -- "$place $at $word" \#(children)
                set at "$at $word"
                set place first
                continue
            else
                set -a operands $word
                if contains -- "$at" \#(wrappers)
                    set at "$at --"
                    set ended yes
                end
            end
            string match -qr -- \#(ShellWord.fish(OptionsOfAllTools.pattern)) $word; or set place later
        end
        printf '%s\n' $place "$at" $operands
    end

    function \#(function)_at
        set -l words (\#(function)_words)
        test "$words[2]" = "$argv[1]"
    end

    # Whether only common options follow command $argv[1].
    function \#(function)_first
        set -l words (\#(function)_words)
        test "$words[1] $words[2]" = "first $argv[1]"
    end

    function \#(function)_command
        set -l words (\#(function)_words)
        set -l line
        for word in $words[3..]
            set -a line (string escape -- $word)
        end
        set -a line (commandline -ct)
        complete --do-complete="$line"
    end
    """#
  }
}
