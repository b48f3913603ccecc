# bash completion for meshevents, made by 'meshevents --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_meshevents_value() {
  choices=()
  case "$1 $2" in
    'meshevents events --id-key') value='free' ;;
    'meshevents events --registry') value='file' ;;
    'meshevents events --on-error') value='choice' choices=(stop skip) ;;
    'meshevents events --rejects') value='file' ;;
    'meshevents host --self') value='free' ;;
    'meshevents host --name') value='free' ;;
    'meshevents host --on-error') value='choice' choices=(stop skip) ;;
    'meshevents host --rejects') value='file' ;;
    'meshevents guest --self') value='free' ;;
    'meshevents guest --host') value='free' ;;
    'meshevents guest --view') value='file' ;;
    'meshevents guest --on-error') value='choice' choices=(stop skip) ;;
    'meshevents guest --rejects') value='file' ;;
    'meshevents receive --from') value='free' ;;
    'meshevents receive --on-error') value='choice' choices=(stop skip) ;;
    'meshevents receive --rejects') value='file' ;;
    'meshevents encode --on-error') value='choice' choices=(stop skip) ;;
    'meshevents encode --rejects') value='file' ;;
    'meshevents decode --on-error') value='choice' choices=(stop skip) ;;
    'meshevents decode --rejects') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_meshevents_options() {
  choices=()
  case "$1" in
    meshevents) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'meshevents events') choices=(--id-key --registry --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'meshevents host') choices=(--self --name --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'meshevents guest') choices=(--self --host --view --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'meshevents receive') choices=(--from --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'meshevents encode') choices=(--on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'meshevents decode') choices=(--on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_meshevents_operand() {
  value=none
  case "$1" in
    meshevents) value='choice' choices=(events host guest receive encode decode) ;;
    'meshevents events') value='file' ;;
    'meshevents host') value='file' ;;
    'meshevents guest') value='file' ;;
    'meshevents receive') value='none' ;;
    'meshevents encode') value='file' ;;
    'meshevents decode') value='file' ;;
  esac
}

_meshevents_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _meshevents_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_meshevents_follow() {
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
          _meshevents_value "$at" "$word"
          pending=$value
          ;;
        -?*) _meshevents_letters ;;
        *)
          _meshevents_operand "$at"
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
_meshevents_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_meshevents_print "${choices[0]}")
}

_meshevents_offer() {
  local word
  case $value in
    print) _meshevents_offer_list ;;
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

_meshevents() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=meshevents first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _meshevents_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _meshevents_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _meshevents_options "$at"
    value='choice'
  else
    _meshevents_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _meshevents_offer
}
complete -F _meshevents meshevents
