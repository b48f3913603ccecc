# bash completion for assign, made by 'assign --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_assign_value() {
  choices=()
  case "$1 $2" in
    'assign --until') value='free' ;;
    'assign --now') value='free' ;;
    'assign --profile') value='file' ;;
    'assign --entity-name') value='free' ;;
    'assign --key') value='free' ;;
    'assign --clock') value='free' ;;
    'assign --tombstone') value='free' ;;
    'assign --entity') value='free' ;;
    'assign --on-error') value='choice' choices=(stop skip) ;;
    'assign --rejects') value='file' ;;
    'assign --memory') value='free' ;;
    'assign --threads') value='free' ;;
    'assign explain --until') value='free' ;;
    'assign explain --now') value='free' ;;
    'assign explain --profile') value='file' ;;
    'assign explain --entity-name') value='free' ;;
    'assign explain --key') value='free' ;;
    'assign explain --clock') value='free' ;;
    'assign explain --tombstone') value='free' ;;
    'assign explain --entity') value='free' ;;
    'assign explain --on-error') value='choice' choices=(stop skip) ;;
    'assign explain --rejects') value='file' ;;
    'assign explain --memory') value='free' ;;
    'assign explain --threads') value='free' ;;
    'assign reassign --until') value='free' ;;
    'assign reassign --now') value='free' ;;
    'assign reassign --profile') value='file' ;;
    'assign reassign --entity-name') value='free' ;;
    'assign reassign --key') value='free' ;;
    'assign reassign --clock') value='free' ;;
    'assign reassign --tombstone') value='free' ;;
    'assign reassign --entity') value='free' ;;
    'assign reassign --on-error') value='choice' choices=(stop skip) ;;
    'assign reassign --rejects') value='file' ;;
    'assign reassign --memory') value='free' ;;
    'assign reassign --threads') value='free' ;;
    'assign simulate --weeks') value='free' ;;
    'assign simulate --now') value='free' ;;
    'assign simulate --svg') value='file' ;;
    'assign simulate --profile') value='file' ;;
    'assign simulate --entity-name') value='free' ;;
    'assign simulate --key') value='free' ;;
    'assign simulate --clock') value='free' ;;
    'assign simulate --tombstone') value='free' ;;
    'assign simulate --entity') value='free' ;;
    'assign simulate --on-error') value='choice' choices=(stop skip) ;;
    'assign simulate --rejects') value='file' ;;
    'assign simulate --memory') value='free' ;;
    'assign simulate --threads') value='free' ;;
    'assign prune --older-than') value='free' ;;
    'assign prune --archive') value='file' ;;
    'assign prune --now') value='free' ;;
    'assign prune --profile') value='file' ;;
    'assign prune --entity-name') value='free' ;;
    'assign prune --key') value='free' ;;
    'assign prune --clock') value='free' ;;
    'assign prune --tombstone') value='free' ;;
    'assign prune --entity') value='free' ;;
    'assign prune --memory') value='free' ;;
    'assign prune --threads') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_assign_options() {
  choices=()
  case "$1" in
    assign) choices=(--until --now --all --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'assign explain') choices=(--until --now --json --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'assign reassign') choices=(--until --now --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'assign simulate') choices=(--weeks --now --svg --json --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'assign prune') choices=(--older-than --archive --now --profile --entity-name --key --clock --tombstone --entity --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_assign_operand() {
  value=none
  case "$1" in
    assign) value='mixed' choices=(explain reassign simulate prune) ;;
    'assign explain') value='file' ;;
    'assign reassign') value='file' ;;
    'assign simulate') value='file' ;;
    'assign prune') value='file' ;;
  esac
}

_assign_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _assign_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_assign_follow() {
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
          _assign_value "$at" "$word"
          pending=$value
          ;;
        -?*) _assign_letters ;;
        *)
          _assign_operand "$at"
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
_assign_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_assign_print "${choices[0]}")
}

_assign_offer() {
  local word
  case $value in
    print) _assign_offer_list ;;
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

_assign() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=assign first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _assign_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _assign_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _assign_options "$at"
    value='choice'
  else
    _assign_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _assign_offer
}
complete -F _assign assign
