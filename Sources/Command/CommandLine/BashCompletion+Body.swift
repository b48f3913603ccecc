import SystemIO

extension BashCompletion {
  /// The common part for all tools; `function` is the name of the tool's completing function.
  ///
  /// Readline splits `--limit=16M` at the equals sign, and the first loop joins the parts again. The second
  /// loop follows the line as the parser does. `compopt` fails outside a completion and does not exist before
  /// bash 4. The fallback is compgen, which ignores quotes.
  static func body(_ function: String, tool: String) -> String {
    #"""
    \#(function)_letters() {
      local j
      for ((j = 1; j < ${#word}; j++)); do
        \#(function)_value "$at" "-${word:j:1}"
        if [[ $value ]]; then
          ((j == ${#word} - 1)) && pending=1
          return
        fi
      done
    }

    # Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
    # whether only common options follow the command.
    \#(function)_follow() {
      local word
      for word in "${words[@]:0:n-1}"; do
        if [[ $pending ]]; then
          pending=
          continue
        elif [[ $ended ]]; then
          ((operands += 1))
        else
          case $word in
            --) ended=1 ;;
            --*=*) ;;
            --*)
              \#(function)_value "$at" "$word"
              pending=$value
              ;;
            -?*) \#(function)_letters ;;
            *)
              \#(function)_operand "$at"
              if [[ $value == choice || ($value == mixed && $first && " ${choices[*]} " == *" $word "*) ]]; then
                at+=" $word" first=1
                continue
              fi
              ((operands += 1))
              [[ $value == command ]] && ended=1
              ;;
          esac
        fi
        [[ $word =~ $common ]] || first=
      done
    }

    # Words of a list may contain blanks and colons; readline splits the typed text at colons.
    \#(function)_offer_list() {
      local word shown typed=${COMP_LINE:0:COMP_POINT}
      [[ $typed ]] || typed=$cur
      [[ $prefix ]] && typed=${typed#*"$prefix"}
      typed=${typed##*[ =]}
      local split=''
      [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
      while IFS= read -r word; do
        printf -v shown %q "$word"
        [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
      done < <(\#(function)_print "${choices[0]}")
    }

    \#(function)_offer() {
      local word
      case $value in
        print) \#(function)_offer_list ;;
        choice|mixed)
          for word in "${choices[@]}"; do
            [[ $word == "$cur"* && ($value == choice || $first) ]] && COMPREPLY+=("$prefix$word")
          done
          [[ $value == mixed ]] || return
          compopt -o filenames 2>/dev/null
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
          ;;
        file)
          [[ ! $prefix ]] && compopt -o default 2>/dev/null && return
          while IFS= read -r word; do COMPREPLY+=("$prefix$word"); done < <(compgen -f -- "$cur")
          ;;
        command)
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$cur")
          ;;
      esac
    }

    \#(function)() {
      local common=\#(ShellWord.posix(OptionsOfAllTools.pattern))
      local at=\#(ShellWord.posix(tool)) first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
      local -a words choices
      COMPREPLY=()
      for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((n > 0)) && [[ $glued || ($word == '=' && ${words[n - 1]} == --*) ]]; then
          words[n - 1]+=$word
          [[ $word == '=' ]] && glued=1 || glued=
        else
          words[n++]=$word
        fi
      done
      cur=${words[n - 1]}
      \#(function)_follow
      if [[ $pending ]]; then
        :
      elif [[ ! $ended && $cur == --*=* ]]; then
        \#(function)_value "$at" "${cur%%=*}"
        [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
        cur=${cur#*=}
      elif [[ ! $ended && $cur == -* ]]; then
        \#(function)_options "$at"
        value='choice'
      else
        \#(function)_operand "$at"
        [[ $value == command && $operands -gt 0 ]] && value='file'
      fi
      \#(function)_offer
    }
    """#
  }
}
