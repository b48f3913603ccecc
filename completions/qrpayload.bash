# bash completion for qrpayload, made by 'qrpayload --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_qrpayload_value() {
  choices=()
  case "$1 $2" in
    'qrpayload create --protocol') value='choice' choices=(1 2) ;;
    'qrpayload create --identity') value='file' ;;
    'qrpayload create --fingerprint') value='free' ;;
    'qrpayload create --device-name') value='free' ;;
    'qrpayload create --expires-in') value='free' ;;
    'qrpayload create --service') value='free' ;;
    'qrpayload create --now') value='free' ;;
    'qrpayload create -o' | 'qrpayload create --output') value='file' ;;
    'qrpayload read --protocol') value='choice' choices=(1 2) ;;
    'qrpayload read --service') value='free' ;;
    'qrpayload read --now') value='free' ;;
    'qrpayload render --format') value='choice' choices=(terminal png svg code) ;;
    'qrpayload render --scale') value='free' ;;
    'qrpayload render -o' | 'qrpayload render --output') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_qrpayload_options() {
  choices=()
  case "$1" in
    qrpayload) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'qrpayload create') choices=(--protocol --identity --fingerprint --device-name --expires-in --service --text --now -o --output --errors -q --quiet --generate -h --help --version) ;;
    'qrpayload read') choices=(--protocol --service --no-verify --now --errors -q --quiet --generate -h --help --version) ;;
    'qrpayload render') choices=(--format --full --scale -o --output --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_qrpayload_operand() {
  value=none
  case "$1" in
    qrpayload) value='choice' choices=(create read render) ;;
    'qrpayload create') value='none' ;;
    'qrpayload read') value='file' ;;
    'qrpayload render') value='file' ;;
  esac
}

_qrpayload_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _qrpayload_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_qrpayload_follow() {
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
          _qrpayload_value "$at" "$word"
          pending=$value
          ;;
        -?*) _qrpayload_letters ;;
        *)
          _qrpayload_operand "$at"
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
_qrpayload_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_qrpayload_print "${choices[0]}")
}

_qrpayload_offer() {
  local word
  case $value in
    print) _qrpayload_offer_list ;;
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

_qrpayload() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=qrpayload first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _qrpayload_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _qrpayload_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _qrpayload_options "$at"
    value='choice'
  else
    _qrpayload_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _qrpayload_offer
}
complete -F _qrpayload qrpayload
