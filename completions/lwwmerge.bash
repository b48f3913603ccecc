# bash completion for lwwmerge, made by 'lwwmerge --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_lwwmerge_value() {
  choices=()
  case "$1 $2" in
    'lwwmerge --conflicts') value='file' ;;
    'lwwmerge --summary') value='file' ;;
    'lwwmerge --max-drift') value='free' ;;
    'lwwmerge --now') value='free' ;;
    'lwwmerge --profile') value='file' ;;
    'lwwmerge --entity-name') value='free' ;;
    'lwwmerge --key') value='free' ;;
    'lwwmerge --clock') value='free' ;;
    'lwwmerge --tombstone') value='free' ;;
    'lwwmerge --entity') value='free' ;;
    'lwwmerge --on-error') value='choice' choices=(stop skip) ;;
    'lwwmerge --rejects') value='file' ;;
    'lwwmerge --memory') value='free' ;;
    'lwwmerge --threads') value='free' ;;
    'lwwmerge explain --identity') value='free' ;;
    'lwwmerge explain --only') value='free' ;;
    'lwwmerge explain --max-drift') value='free' ;;
    'lwwmerge explain --now') value='free' ;;
    'lwwmerge explain --profile') value='file' ;;
    'lwwmerge explain --entity-name') value='free' ;;
    'lwwmerge explain --key') value='free' ;;
    'lwwmerge explain --clock') value='free' ;;
    'lwwmerge explain --tombstone') value='free' ;;
    'lwwmerge explain --entity') value='free' ;;
    'lwwmerge explain --on-error') value='choice' choices=(stop skip) ;;
    'lwwmerge explain --rejects') value='file' ;;
    'lwwmerge explain --memory') value='free' ;;
    'lwwmerge explain --threads') value='free' ;;
    'lwwmerge keys --parts') value='free' ;;
    'lwwmerge keys --profile') value='file' ;;
    'lwwmerge keys --entity-name') value='free' ;;
    'lwwmerge keys --key') value='free' ;;
    'lwwmerge keys --clock') value='free' ;;
    'lwwmerge keys --tombstone') value='free' ;;
    'lwwmerge keys --entity') value='free' ;;
    'lwwmerge keys --on-error') value='choice' choices=(stop skip) ;;
    'lwwmerge keys --rejects') value='file' ;;
    'lwwmerge keys --memory') value='free' ;;
    'lwwmerge keys --threads') value='free' ;;
    'lwwmerge shard --parts') value='free' ;;
    'lwwmerge shard --into') value='file' ;;
    'lwwmerge shard --profile') value='file' ;;
    'lwwmerge shard --entity-name') value='free' ;;
    'lwwmerge shard --key') value='free' ;;
    'lwwmerge shard --clock') value='free' ;;
    'lwwmerge shard --tombstone') value='free' ;;
    'lwwmerge shard --entity') value='free' ;;
    'lwwmerge shard --on-error') value='choice' choices=(stop skip) ;;
    'lwwmerge shard --rejects') value='file' ;;
    'lwwmerge shard --memory') value='free' ;;
    'lwwmerge shard --threads') value='free' ;;
    'lwwmerge check-laws --seeds') value='free' ;;
    'lwwmerge check-laws --seed') value='free' ;;
    'lwwmerge check-laws --profile') value='file' ;;
    'lwwmerge check-laws --entity-name') value='free' ;;
    'lwwmerge check-laws --key') value='free' ;;
    'lwwmerge check-laws --clock') value='free' ;;
    'lwwmerge check-laws --tombstone') value='free' ;;
    'lwwmerge check-laws --entity') value='free' ;;
    'lwwmerge check-laws --on-error') value='choice' choices=(stop skip) ;;
    'lwwmerge check-laws --rejects') value='file' ;;
    'lwwmerge check-laws --memory') value='free' ;;
    'lwwmerge check-laws --threads') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_lwwmerge_options() {
  choices=()
  case "$1" in
    lwwmerge) choices=(--drop-tombstones --conflicts --summary --max-drift --now --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'lwwmerge explain') choices=(--identity --only --json --max-drift --now --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'lwwmerge keys') choices=(--parts --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'lwwmerge shard') choices=(--parts --into --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'lwwmerge check-laws') choices=(--seeds --seed --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_lwwmerge_operand() {
  value=none
  case "$1" in
    lwwmerge) value='mixed' choices=(explain keys shard check-laws) ;;
    'lwwmerge explain') value='file' ;;
    'lwwmerge keys') value='file' ;;
    'lwwmerge shard') value='file' ;;
    'lwwmerge check-laws') value='file' ;;
  esac
}

_lwwmerge_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _lwwmerge_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_lwwmerge_follow() {
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
          _lwwmerge_value "$at" "$word"
          pending=$value
          ;;
        -?*) _lwwmerge_letters ;;
        *)
          _lwwmerge_operand "$at"
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
_lwwmerge_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_lwwmerge_print "${choices[0]}")
}

_lwwmerge_offer() {
  local word
  case $value in
    print) _lwwmerge_offer_list ;;
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

_lwwmerge() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=lwwmerge first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _lwwmerge_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _lwwmerge_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _lwwmerge_options "$at"
    value='choice'
  else
    _lwwmerge_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _lwwmerge_offer
}
complete -F _lwwmerge lwwmerge
