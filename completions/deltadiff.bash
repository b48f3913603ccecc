# bash completion for deltadiff, made by 'deltadiff --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_deltadiff_value() {
  choices=()
  case "$1 $2" in
    'deltadiff --deleted-at') value='free' ;;
    'deltadiff --now') value='free' ;;
    'deltadiff --explain') value='file' ;;
    'deltadiff --summary') value='file' ;;
    'deltadiff --tagged') value='file' ;;
    'deltadiff --duplicates') value='choice' choices=(error last) ;;
    'deltadiff --profile') value='file' ;;
    'deltadiff --entity-name') value='free' ;;
    'deltadiff --key') value='free' ;;
    'deltadiff --clock') value='free' ;;
    'deltadiff --tombstone') value='free' ;;
    'deltadiff --entity') value='free' ;;
    'deltadiff --on-error') value='choice' choices=(stop skip) ;;
    'deltadiff --rejects') value='file' ;;
    'deltadiff --memory') value='free' ;;
    'deltadiff --threads') value='free' ;;
    'deltadiff apply --duplicates') value='choice' choices=(error last) ;;
    'deltadiff apply --profile') value='file' ;;
    'deltadiff apply --entity-name') value='free' ;;
    'deltadiff apply --key') value='free' ;;
    'deltadiff apply --clock') value='free' ;;
    'deltadiff apply --tombstone') value='free' ;;
    'deltadiff apply --entity') value='free' ;;
    'deltadiff apply --on-error') value='choice' choices=(stop skip) ;;
    'deltadiff apply --rejects') value='file' ;;
    'deltadiff apply --memory') value='free' ;;
    'deltadiff apply --threads') value='free' ;;
    'deltadiff invert --deleted-at') value='free' ;;
    'deltadiff invert --now') value='free' ;;
    'deltadiff invert --duplicates') value='choice' choices=(error last) ;;
    'deltadiff invert --profile') value='file' ;;
    'deltadiff invert --entity-name') value='free' ;;
    'deltadiff invert --key') value='free' ;;
    'deltadiff invert --clock') value='free' ;;
    'deltadiff invert --tombstone') value='free' ;;
    'deltadiff invert --entity') value='free' ;;
    'deltadiff invert --on-error') value='choice' choices=(stop skip) ;;
    'deltadiff invert --rejects') value='file' ;;
    'deltadiff invert --memory') value='free' ;;
    'deltadiff invert --threads') value='free' ;;
    'deltadiff stat --profile') value='file' ;;
    'deltadiff stat --entity-name') value='free' ;;
    'deltadiff stat --key') value='free' ;;
    'deltadiff stat --clock') value='free' ;;
    'deltadiff stat --tombstone') value='free' ;;
    'deltadiff stat --entity') value='free' ;;
    'deltadiff stat --on-error') value='choice' choices=(stop skip) ;;
    'deltadiff stat --rejects') value='file' ;;
    'deltadiff stat --memory') value='free' ;;
    'deltadiff stat --threads') value='free' ;;
    'deltadiff pack --types') value='file' ;;
    'deltadiff pack --response') value='file' ;;
    'deltadiff pack --profile') value='file' ;;
    'deltadiff pack --entity-name') value='free' ;;
    'deltadiff pack --key') value='free' ;;
    'deltadiff pack --clock') value='free' ;;
    'deltadiff pack --tombstone') value='free' ;;
    'deltadiff pack --entity') value='free' ;;
    'deltadiff pack --on-error') value='choice' choices=(stop skip) ;;
    'deltadiff pack --rejects') value='file' ;;
    'deltadiff unpack --types') value='file' ;;
    'deltadiff unpack --on-error') value='choice' choices=(stop skip) ;;
    'deltadiff unpack --rejects') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_deltadiff_options() {
  choices=()
  case "$1" in
    deltadiff) choices=(--deleted-at --now --changes --exit-code --explain --summary --tagged --duplicates --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'deltadiff apply') choices=(--strict --duplicates --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'deltadiff invert') choices=(--deleted-at --now --duplicates --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'deltadiff stat') choices=(--profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'deltadiff pack') choices=(--types --response --lossy --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'deltadiff unpack') choices=(--types --lossy --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_deltadiff_operand() {
  value=none
  case "$1" in
    deltadiff) value='mixed' choices=(apply invert stat pack unpack) ;;
    'deltadiff apply') value='file' ;;
    'deltadiff invert') value='file' ;;
    'deltadiff stat') value='file' ;;
    'deltadiff pack') value='file' ;;
    'deltadiff unpack') value='file' ;;
  esac
}

_deltadiff_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _deltadiff_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_deltadiff_follow() {
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
          _deltadiff_value "$at" "$word"
          pending=$value
          ;;
        -?*) _deltadiff_letters ;;
        *)
          _deltadiff_operand "$at"
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
_deltadiff_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_deltadiff_print "${choices[0]}")
}

_deltadiff_offer() {
  local word
  case $value in
    print) _deltadiff_offer_list ;;
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

_deltadiff() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=deltadiff first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _deltadiff_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _deltadiff_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _deltadiff_options "$at"
    value='choice'
  else
    _deltadiff_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _deltadiff_offer
}
complete -F _deltadiff deltadiff
