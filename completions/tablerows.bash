# bash completion for tablerows, made by 'tablerows --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_tablerows_value() {
  choices=()
  case "$1 $2" in
    'tablerows read --where') value='free' ;;
    'tablerows read --column') value='free' ;;
    'tablerows read --base64') value='free' ;;
    'tablerows read --bool') value='free' ;;
    'tablerows read --nested') value='free' ;;
    'tablerows read --wait') value='free' ;;
    'tablerows write --key') value='free' ;;
    'tablerows write --only') value='free' ;;
    'tablerows write --max-delete') value='free' ;;
    'tablerows write --column') value='free' ;;
    'tablerows write --base64') value='free' ;;
    'tablerows write --bool') value='free' ;;
    'tablerows write --nested') value='free' ;;
    'tablerows write --wait') value='free' ;;
    'tablerows write --on-error') value='choice' choices=(stop skip) ;;
    'tablerows write --rejects') value='file' ;;
    'tablerows watch --count') value='free' ;;
    'tablerows watch --timeout') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_tablerows_options() {
  choices=()
  case "$1" in
    tablerows) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'tablerows read') choices=(--where --column --base64 --bool --nested --wait --errors -q --quiet --generate -h --help --version) ;;
    'tablerows write') choices=(--key --only --max-delete --column --base64 --bool --nested --wait --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'tablerows watch') choices=(--count --timeout --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_tablerows_operand() {
  value=none
  case "$1" in
    tablerows) value='choice' choices=(read write watch) ;;
    'tablerows read') value='file' ;;
    'tablerows write') value='file' ;;
    'tablerows watch') value='file' ;;
  esac
}

_tablerows_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _tablerows_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_tablerows_follow() {
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
          _tablerows_value "$at" "$word"
          pending=$value
          ;;
        -?*) _tablerows_letters ;;
        *)
          _tablerows_operand "$at"
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
_tablerows_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_tablerows_print "${choices[0]}")
}

_tablerows_offer() {
  local word
  case $value in
    print) _tablerows_offer_list ;;
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

_tablerows() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=tablerows first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _tablerows_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _tablerows_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _tablerows_options "$at"
    value='choice'
  else
    _tablerows_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _tablerows_offer
}
complete -F _tablerows tablerows
