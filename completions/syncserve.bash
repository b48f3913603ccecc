# bash completion for syncserve, made by 'syncserve --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_syncserve_value() {
  choices=()
  case "$1 $2" in
    'syncserve run --store') value='file' ;;
    'syncserve run --keys') value='file' ;;
    'syncserve run --password-file') value='file' ;;
    'syncserve run --wait') value='free' ;;
    'syncserve run --listen') value='free' ;;
    'syncserve run --max-body') value='free' ;;
    'syncserve run --quota') value='free' ;;
    'syncserve run --max-drift') value='free' ;;
    'syncserve run --max-delete') value='free' ;;
    'syncserve household add --store') value='file' ;;
    'syncserve household add --keys') value='file' ;;
    'syncserve household add --password-file') value='file' ;;
    'syncserve household add --wait') value='free' ;;
    'syncserve household list --store') value='file' ;;
    'syncserve household list --keys') value='file' ;;
    'syncserve household list --password-file') value='file' ;;
    'syncserve household list --wait') value='free' ;;
    'syncserve household set --store') value='file' ;;
    'syncserve household set --keys') value='file' ;;
    'syncserve household set --password-file') value='file' ;;
    'syncserve household set --wait') value='free' ;;
    'syncserve household remove --store') value='file' ;;
    'syncserve household remove --keys') value='file' ;;
    'syncserve household remove --password-file') value='file' ;;
    'syncserve household remove --wait') value='free' ;;
    'syncserve key create --household') value='free' ;;
    'syncserve key create --member') value='free' ;;
    'syncserve key create --device') value='free' ;;
    'syncserve key create --expires-in') value='free' ;;
    'syncserve key create --store') value='file' ;;
    'syncserve key create --keys') value='file' ;;
    'syncserve key create --password-file') value='file' ;;
    'syncserve key create --wait') value='free' ;;
    'syncserve key list --store') value='file' ;;
    'syncserve key list --keys') value='file' ;;
    'syncserve key list --password-file') value='file' ;;
    'syncserve key list --wait') value='free' ;;
    'syncserve key revoke --store') value='file' ;;
    'syncserve key revoke --keys') value='file' ;;
    'syncserve key revoke --password-file') value='file' ;;
    'syncserve key revoke --wait') value='free' ;;
    'syncserve key rotate --overlap') value='free' ;;
    'syncserve key rotate --store') value='file' ;;
    'syncserve key rotate --keys') value='file' ;;
    'syncserve key rotate --password-file') value='file' ;;
    'syncserve key rotate --wait') value='free' ;;
    'syncserve pushes --store') value='file' ;;
    'syncserve pushes --keys') value='file' ;;
    'syncserve pushes --password-file') value='file' ;;
    'syncserve pushes --wait') value='free' ;;
    'syncserve pushes --household') value='free' ;;
    'syncserve devices --store') value='file' ;;
    'syncserve devices --keys') value='file' ;;
    'syncserve devices --password-file') value='file' ;;
    'syncserve devices --wait') value='free' ;;
    'syncserve devices --household') value='free' ;;
    'syncserve devices --remove') value='file' ;;
    'syncserve status --store') value='file' ;;
    'syncserve status --keys') value='file' ;;
    'syncserve status --password-file') value='file' ;;
    'syncserve status --wait') value='free' ;;
    'syncserve status --household') value='free' ;;
    'syncserve dump --store') value='file' ;;
    'syncserve dump --keys') value='file' ;;
    'syncserve dump --password-file') value='file' ;;
    'syncserve dump --wait') value='free' ;;
    'syncserve dump --household') value='free' ;;
    'syncserve backup --store') value='file' ;;
    'syncserve backup --keys') value='file' ;;
    'syncserve backup --password-file') value='file' ;;
    'syncserve backup --wait') value='free' ;;
    'syncserve backup --household') value='free' ;;
    'syncserve prune --store') value='file' ;;
    'syncserve prune --keys') value='file' ;;
    'syncserve prune --password-file') value='file' ;;
    'syncserve prune --wait') value='free' ;;
    'syncserve prune --household') value='free' ;;
    'syncserve prune --before') value='free' ;;
    'syncserve prune --only') value='free' ;;
    'syncserve prune --now') value='free' ;;
    'syncserve prune --max-delete') value='free' ;;
    'syncserve compact --store') value='file' ;;
    'syncserve compact --keys') value='file' ;;
    'syncserve compact --password-file') value='file' ;;
    'syncserve compact --wait') value='free' ;;
    'syncserve compact --household') value='free' ;;
    'syncserve compact --retire-after') value='free' ;;
    'syncserve compact --keep-deletions') value='free' ;;
    'syncserve compact --max-drift') value='free' ;;
    'syncserve move --store') value='file' ;;
    'syncserve move --keys') value='file' ;;
    'syncserve move --password-file') value='file' ;;
    'syncserve move --wait') value='free' ;;
    'syncserve move --to') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_syncserve_options() {
  choices=()
  case "$1" in
    syncserve) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'syncserve run') choices=(--store --keys --password-file --wait --listen --max-body --quota --max-drift --max-delete --errors -q --quiet --generate -h --help --version) ;;
    'syncserve household') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'syncserve household add') choices=(--store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve household list') choices=(--json --store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve household set') choices=(--tell-loser --no-tell-loser --store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve household remove') choices=(--store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve key') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'syncserve key create') choices=(--household --member --device --read-only --expires-in --store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve key list') choices=(--json --store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve key revoke') choices=(--store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve key rotate') choices=(--overlap --store --keys --password-file --wait --errors -q --quiet --generate -h --help --version) ;;
    'syncserve pushes') choices=(--store --keys --password-file --wait --household -f --follow --errors -q --quiet --generate -h --help --version) ;;
    'syncserve devices') choices=(--store --keys --password-file --wait --household --remove --errors -q --quiet --generate -h --help --version) ;;
    'syncserve status') choices=(--store --keys --password-file --wait --household --errors -q --quiet --generate -h --help --version) ;;
    'syncserve dump') choices=(--store --keys --password-file --wait --household --errors -q --quiet --generate -h --help --version) ;;
    'syncserve backup') choices=(--store --keys --password-file --wait --household --errors -q --quiet --generate -h --help --version) ;;
    'syncserve prune') choices=(--store --keys --password-file --wait --household --before --only --now --max-delete --errors -q --quiet --generate -h --help --version) ;;
    'syncserve compact') choices=(--store --keys --password-file --wait --household --retire-after --keep-deletions --max-drift --errors -q --quiet --generate -h --help --version) ;;
    'syncserve move') choices=(--store --keys --password-file --wait --to --cancel --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_syncserve_operand() {
  value=none
  case "$1" in
    syncserve) value='choice' choices=(run household key pushes devices status dump backup prune compact move) ;;
    'syncserve run') value='none' ;;
    'syncserve household') value='choice' choices=(add list set remove) ;;
    'syncserve household add') value='free' ;;
    'syncserve household list') value='none' ;;
    'syncserve household set') value='free' ;;
    'syncserve household remove') value='free' ;;
    'syncserve key') value='choice' choices=(create list revoke rotate) ;;
    'syncserve key create') value='none' ;;
    'syncserve key list') value='none' ;;
    'syncserve key revoke') value='free' ;;
    'syncserve key rotate') value='free' ;;
    'syncserve pushes') value='none' ;;
    'syncserve devices') value='none' ;;
    'syncserve status') value='none' ;;
    'syncserve dump') value='none' ;;
    'syncserve backup') value='file' ;;
    'syncserve prune') value='none' ;;
    'syncserve compact') value='none' ;;
    'syncserve move') value='free' ;;
  esac
}

_syncserve_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _syncserve_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_syncserve_follow() {
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
          _syncserve_value "$at" "$word"
          pending=$value
          ;;
        -?*) _syncserve_letters ;;
        *)
          _syncserve_operand "$at"
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
_syncserve_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_syncserve_print "${choices[0]}")
}

_syncserve_offer() {
  local word
  case $value in
    print) _syncserve_offer_list ;;
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

_syncserve() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=syncserve first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _syncserve_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _syncserve_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _syncserve_options "$at"
    value='choice'
  else
    _syncserve_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _syncserve_offer
}
complete -F _syncserve syncserve
