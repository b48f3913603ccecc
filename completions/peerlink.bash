# bash completion for peerlink, made by 'peerlink --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_peerlink_value() {
  choices=()
  case "$1 $2" in
    'peerlink listen -p' | 'peerlink listen --port') value='free' ;;
    'peerlink listen --max-connections') value='free' ;;
    'peerlink listen --peer') value='free' ;;
    'peerlink listen --session') value='file' ;;
    'peerlink listen --protocol') value='choice' choices=(1 2) ;;
    'peerlink listen --interface') value='free' ;;
    'peerlink listen --trace') value='file' ;;
    'peerlink listen --key-log') value='file' ;;
    'peerlink listen --timeout') value='free' ;;
    'peerlink listen --idle-timeout') value='free' ;;
    'peerlink listen --events') value='file' ;;
    'peerlink connect --peer') value='free' ;;
    'peerlink connect --session') value='file' ;;
    'peerlink connect --protocol') value='choice' choices=(1 2) ;;
    'peerlink connect --interface') value='free' ;;
    'peerlink connect --trace') value='file' ;;
    'peerlink connect --key-log') value='file' ;;
    'peerlink connect --timeout') value='free' ;;
    'peerlink connect --idle-timeout') value='free' ;;
    'peerlink connect --events') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_peerlink_options() {
  choices=()
  case "$1" in
    peerlink) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peerlink listen') choices=(-p --port --max-connections --once --advertise --peer --allow-unpaired --session --protocol --interface --trace --key-log --timeout --idle-timeout --events --errors -q --quiet --generate -h --help --version) ;;
    'peerlink connect') choices=(--peer --allow-unpaired --session --protocol --interface --trace --key-log --timeout --idle-timeout --events --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_peerlink_operand() {
  value=none
  case "$1" in
    peerlink) value='choice' choices=(listen connect) ;;
    'peerlink listen') value='command' ;;
    'peerlink connect') value='print' choices=(peers) ;;
  esac
}

# Prints list $1, one value per line.
_peerlink_print() {
  case $1 in
    peers) peerpair list | sed -n -e 's/.*"peerId":"\([^"]*\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\1/p' -e t -e 's/.*"deviceName":"\([^"]*\)".*/\1/p' ;;
  esac 2>/dev/null
}

_peerlink_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _peerlink_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_peerlink_follow() {
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
          _peerlink_value "$at" "$word"
          pending=$value
          ;;
        -?*) _peerlink_letters ;;
        *)
          _peerlink_operand "$at"
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
_peerlink_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_peerlink_print "${choices[0]}")
}

_peerlink_offer() {
  local word
  case $value in
    print) _peerlink_offer_list ;;
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

_peerlink() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=peerlink first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _peerlink_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _peerlink_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _peerlink_options "$at"
    value='choice'
  else
    _peerlink_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _peerlink_offer
}
complete -F _peerlink peerlink
