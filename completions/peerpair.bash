# bash completion for peerpair, made by 'peerpair --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_peerpair_value() {
  choices=()
  case "$1 $2" in
    'peerpair identity --device-name') value='free' ;;
    'peerpair provide --payload') value='file' ;;
    'peerpair provide --timeout') value='free' ;;
    'peerpair provide --now') value='free' ;;
    'peerpair scan --payload') value='file' ;;
    'peerpair scan --timeout') value='free' ;;
    'peerpair scan --now') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_peerpair_options() {
  choices=()
  case "$1" in
    peerpair) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peerpair identity') choices=(--device-name --errors -q --quiet --generate -h --help --version) ;;
    'peerpair list') choices=(--json --errors -q --quiet --generate -h --help --version) ;;
    'peerpair show') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peerpair forget') choices=(--dry-run --errors -q --quiet --generate -h --help --version) ;;
    'peerpair export') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peerpair import') choices=(--dry-run --errors -q --quiet --generate -h --help --version) ;;
    'peerpair provide') choices=(--payload --timeout --now --errors -q --quiet --generate -h --help --version) ;;
    'peerpair scan') choices=(--payload --timeout --now --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_peerpair_operand() {
  value=none
  case "$1" in
    peerpair) value='choice' choices=(identity list show forget export import provide scan) ;;
    'peerpair identity') value='none' ;;
    'peerpair list') value='none' ;;
    'peerpair show') value='print' choices=(peers) ;;
    'peerpair forget') value='print' choices=(peers) ;;
    'peerpair export') value='print' choices=(peers) ;;
    'peerpair import') value='file' ;;
    'peerpair provide') value='none' ;;
    'peerpair scan') value='none' ;;
  esac
}

# Prints list $1, one value per line.
_peerpair_print() {
  case $1 in
    peers) peerpair list | sed -n -e 's/.*"peerId":"\([^"]*\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\1/p' -e t -e 's/.*"deviceName":"\([^"]*\)".*/\1/p' ;;
  esac 2>/dev/null
}

_peerpair_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _peerpair_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_peerpair_follow() {
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
          _peerpair_value "$at" "$word"
          pending=$value
          ;;
        -?*) _peerpair_letters ;;
        *)
          _peerpair_operand "$at"
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
_peerpair_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_peerpair_print "${choices[0]}")
}

_peerpair_offer() {
  local word
  case $value in
    print) _peerpair_offer_list ;;
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

_peerpair() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=peerpair first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _peerpair_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _peerpair_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _peerpair_options "$at"
    value='choice'
  else
    _peerpair_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _peerpair_offer
}
complete -F _peerpair peerpair
