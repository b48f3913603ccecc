# bash completion for peerdiscover, made by 'peerdiscover --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_peerdiscover_value() {
  choices=()
  case "$1 $2" in
    'peerdiscover browse --service') value='free' ;;
    'peerdiscover browse --interface') value='free' ;;
    'peerdiscover browse --timeout') value='free' ;;
    'peerdiscover browse --count') value='free' ;;
    'peerdiscover resolve --service') value='free' ;;
    'peerdiscover resolve --interface') value='free' ;;
    'peerdiscover resolve --timeout') value='free' ;;
    'peerdiscover types --interface') value='free' ;;
    'peerdiscover types --timeout') value='free' ;;
    'peerdiscover types --count') value='free' ;;
    'peerdiscover advertise --name') value='free' ;;
    'peerdiscover advertise --port') value='free' ;;
    'peerdiscover advertise --txt') value='free' ;;
    'peerdiscover advertise --service') value='free' ;;
    'peerdiscover advertise --interface') value='free' ;;
    'peerdiscover decode --input') value='choice' choices=(hex base64 dump raw) ;;
    'peerdiscover decode --on-error') value='choice' choices=(stop skip) ;;
    'peerdiscover decode --rejects') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_peerdiscover_options() {
  choices=()
  case "$1" in
    peerdiscover) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peerdiscover browse') choices=(--service --interface --timeout --count -f --follow --errors -q --quiet --generate -h --help --version) ;;
    'peerdiscover resolve') choices=(--service --interface --timeout --errors -q --quiet --generate -h --help --version) ;;
    'peerdiscover types') choices=(--interface --timeout --count -f --follow --errors -q --quiet --generate -h --help --version) ;;
    'peerdiscover advertise') choices=(--name --port --txt --service --interface --errors -q --quiet --generate -h --help --version) ;;
    'peerdiscover decode') choices=(--input --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_peerdiscover_operand() {
  value=none
  case "$1" in
    peerdiscover) value='choice' choices=(browse resolve types advertise decode) ;;
    'peerdiscover browse') value='none' ;;
    'peerdiscover resolve') value='free' ;;
    'peerdiscover types') value='none' ;;
    'peerdiscover advertise') value='command' ;;
    'peerdiscover decode') value='file' ;;
  esac
}

_peerdiscover_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _peerdiscover_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_peerdiscover_follow() {
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
          _peerdiscover_value "$at" "$word"
          pending=$value
          ;;
        -?*) _peerdiscover_letters ;;
        *)
          _peerdiscover_operand "$at"
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
_peerdiscover_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_peerdiscover_print "${choices[0]}")
}

_peerdiscover_offer() {
  local word
  case $value in
    print) _peerdiscover_offer_list ;;
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

_peerdiscover() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=peerdiscover first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _peerdiscover_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _peerdiscover_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _peerdiscover_options "$at"
    value='choice'
  else
    _peerdiscover_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _peerdiscover_offer
}
complete -F _peerdiscover peerdiscover
