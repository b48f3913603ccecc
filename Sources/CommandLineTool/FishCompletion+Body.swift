extension FishCompletion {
  /// The part that is the same for every tool: it follows the line as the parser does.
  ///
  /// `_words` prints the command that the line is about and then its operands; where these are a program and
  /// its arguments, the first line ends in ` --` once there is one, and no option is offered any more.
  static func body(_ function: String, tool: String, parents: String, children: String, wrappers: String)
    -> String
  {
    #"""
    function \#(function)_words
        set -l at \#(ShellWord.fish(tool))
        set -l operands
        set -l pending no
        set -l ended no
        set -l next first
        set -l words (commandline -opc)
        set -e words[1]
        for word in $words
            set -l place $next
            set next later
            if test $pending = yes
                set pending no
            else if test $ended = no; and test "$word" = --
                set ended yes
            else if test $ended = no; and string match -q -- '--*=*' $word
                continue
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
                set next first
            else
                set -a operands $word
                if contains -- "$at" \#(wrappers)
                    set at "$at --"
                    set ended yes
                end
            end
        end
        printf '%s\n' "$at" $operands
    end

    function \#(function)_at
        set -l words (\#(function)_words)
        test "$words[1]" = "$argv[1]"
    end

    # The next word is the first after command $argv[1].
    function \#(function)_first
        set -l words (commandline -opc)
        set words[1] \#(ShellWord.fish(tool))
        test "$words" = "$argv[1]"
    end

    function \#(function)_command
        set -l words (\#(function)_words)
        set -l line
        for word in $words[2..]
            set -a line (string escape -- $word)
        end
        set -a line (commandline -ct)
        complete --do-complete="$line"
    end
    """#
  }
}
