# bash completion for synclog, made by 'synclog --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_synclog_value() {
  choices=()
  case "$1 $2" in
    'synclog init --store') value='file' ;;
    'synclog init --wait') value='free' ;;
    'synclog init --profile') value='file' ;;
    'synclog init --entity-name') value='free' ;;
    'synclog init --key') value='free' ;;
    'synclog init --clock') value='free' ;;
    'synclog init --tombstone') value='free' ;;
    'synclog init --entity') value='free' ;;
    'synclog record --keep-conflicts') value='free' ;;
    'synclog record --store') value='file' ;;
    'synclog record --wait') value='free' ;;
    'synclog record --now') value='free' ;;
    'synclog record --max-drift') value='free' ;;
    'synclog record --max-delete') value='free' ;;
    'synclog record --profile') value='file' ;;
    'synclog record --entity-name') value='free' ;;
    'synclog record --key') value='free' ;;
    'synclog record --clock') value='free' ;;
    'synclog record --tombstone') value='free' ;;
    'synclog record --entity') value='free' ;;
    'synclog record --on-error') value='choice' choices=(stop skip) ;;
    'synclog record --rejects') value='file' ;;
    'synclog record --memory') value='free' ;;
    'synclog record --threads') value='free' ;;
    'synclog put --store') value='file' ;;
    'synclog put --wait') value='free' ;;
    'synclog put --now') value='free' ;;
    'synclog put --max-drift') value='free' ;;
    'synclog put --max-delete') value='free' ;;
    'synclog put --profile') value='file' ;;
    'synclog put --entity-name') value='free' ;;
    'synclog put --key') value='free' ;;
    'synclog put --clock') value='free' ;;
    'synclog put --tombstone') value='free' ;;
    'synclog put --entity') value='free' ;;
    'synclog put --on-error') value='choice' choices=(stop skip) ;;
    'synclog put --rejects') value='file' ;;
    'synclog put --memory') value='free' ;;
    'synclog put --threads') value='free' ;;
    'synclog since --limit') value='free' ;;
    'synclog since --max-bytes') value='free' ;;
    'synclog since --for') value='print' choices=(peers) ;;
    'synclog since --store') value='file' ;;
    'synclog since --wait') value='free' ;;
    'synclog pending --store') value='file' ;;
    'synclog pending --wait') value='free' ;;
    'synclog apply --from') value='print' choices=(peers) ;;
    'synclog apply --keep-conflicts') value='free' ;;
    'synclog apply --store') value='file' ;;
    'synclog apply --wait') value='free' ;;
    'synclog apply --now') value='free' ;;
    'synclog apply --max-drift') value='free' ;;
    'synclog apply --max-delete') value='free' ;;
    'synclog apply --profile') value='file' ;;
    'synclog apply --entity-name') value='free' ;;
    'synclog apply --key') value='free' ;;
    'synclog apply --clock') value='free' ;;
    'synclog apply --tombstone') value='free' ;;
    'synclog apply --entity') value='free' ;;
    'synclog apply --on-error') value='choice' choices=(stop skip) ;;
    'synclog apply --rejects') value='file' ;;
    'synclog apply --memory') value='free' ;;
    'synclog apply --threads') value='free' ;;
    'synclog dump --only') value='print' choices=(entities) ;;
    'synclog dump --store') value='file' ;;
    'synclog dump --wait') value='free' ;;
    'synclog get --only') value='print' choices=(entities) ;;
    'synclog get --store') value='file' ;;
    'synclog get --wait') value='free' ;;
    'synclog log --store') value='file' ;;
    'synclog log --wait') value='free' ;;
    'synclog checkpoint get --store') value='file' ;;
    'synclog checkpoint get --wait') value='free' ;;
    'synclog checkpoint set --store') value='file' ;;
    'synclog checkpoint set --wait') value='free' ;;
    'synclog checkpoint set --now') value='free' ;;
    'synclog peers --store') value='file' ;;
    'synclog peers --wait') value='free' ;;
    'synclog peers forget --store') value='file' ;;
    'synclog peers forget --wait') value='free' ;;
    'synclog conflicts list --store') value='file' ;;
    'synclog conflicts list --wait') value='free' ;;
    'synclog conflicts show --store') value='file' ;;
    'synclog conflicts show --wait') value='free' ;;
    'synclog conflicts restore --store') value='file' ;;
    'synclog conflicts restore --wait') value='free' ;;
    'synclog conflicts restore --now') value='free' ;;
    'synclog conflicts drop --store') value='file' ;;
    'synclog conflicts drop --wait') value='free' ;;
    'synclog quarantine list --store') value='file' ;;
    'synclog quarantine list --wait') value='free' ;;
    'synclog quarantine retry --store') value='file' ;;
    'synclog quarantine retry --wait') value='free' ;;
    'synclog quarantine retry --now') value='free' ;;
    'synclog quarantine retry --max-drift') value='free' ;;
    'synclog quarantine retry --max-delete') value='free' ;;
    'synclog quarantine accept --store') value='file' ;;
    'synclog quarantine accept --wait') value='free' ;;
    'synclog quarantine accept --now') value='free' ;;
    'synclog quarantine accept --max-delete') value='free' ;;
    'synclog quarantine drop --store') value='file' ;;
    'synclog quarantine drop --wait') value='free' ;;
    'synclog stat --store') value='file' ;;
    'synclog stat --wait') value='free' ;;
    'synclog verify --store') value='file' ;;
    'synclog verify --wait') value='free' ;;
    'synclog verify --now') value='free' ;;
    'synclog verify --max-drift') value='free' ;;
    'synclog compact --retire-after') value='free' ;;
    'synclog compact --store') value='file' ;;
    'synclog compact --wait') value='free' ;;
    'synclog compact --now') value='free' ;;
    'synclog compact --max-drift') value='free' ;;
    'synclog prune --before') value='free' ;;
    'synclog prune --only') value='print' choices=(entities) ;;
    'synclog prune --store') value='file' ;;
    'synclog prune --wait') value='free' ;;
    'synclog prune --now') value='free' ;;
    'synclog prune --max-delete') value='free' ;;
    'synclog backup --store') value='file' ;;
    'synclog backup --wait') value='free' ;;
    'synclog restore --store') value='file' ;;
    'synclog restore --wait') value='free' ;;
    'synclog reclock --only') value='print' choices=(entities) ;;
    'synclog reclock --store') value='file' ;;
    'synclog reclock --wait') value='free' ;;
    'synclog reclock --now') value='free' ;;
    'synclog reclock --max-drift') value='free' ;;
    'synclog rules show --store') value='file' ;;
    'synclog rules show --wait') value='free' ;;
    'synclog rules set --store') value='file' ;;
    'synclog rules set --wait') value='free' ;;
    'synclog rules set --profile') value='file' ;;
    'synclog rules set --entity-name') value='free' ;;
    'synclog rules set --key') value='free' ;;
    'synclog rules set --clock') value='free' ;;
    'synclog rules set --tombstone') value='free' ;;
    'synclog rules set --entity') value='free' ;;
    'synclog request --round') value='free' ;;
    'synclog request --linger') value='free' ;;
    'synclog request --store') value='file' ;;
    'synclog request --wait') value='free' ;;
    'synclog request --now') value='free' ;;
    'synclog request --max-drift') value='free' ;;
    'synclog request --max-delete') value='free' ;;
    'synclog request --peer') value='free' ;;
    'synclog request --protocol') value='choice' choices=(1 2) ;;
    'synclog request --self-id') value='free' ;;
    'synclog request --self-name') value='free' ;;
    'synclog request --types') value='file' ;;
    'synclog request --max-page') value='free' ;;
    'synclog request --max-size') value='free' ;;
    'synclog request --timeout') value='free' ;;
    'synclog request --profile') value='file' ;;
    'synclog request --entity-name') value='free' ;;
    'synclog request --key') value='free' ;;
    'synclog request --clock') value='free' ;;
    'synclog request --tombstone') value='free' ;;
    'synclog request --entity') value='free' ;;
    'synclog respond --store') value='file' ;;
    'synclog respond --wait') value='free' ;;
    'synclog respond --now') value='free' ;;
    'synclog respond --max-drift') value='free' ;;
    'synclog respond --max-delete') value='free' ;;
    'synclog respond --peer') value='free' ;;
    'synclog respond --protocol') value='choice' choices=(1 2) ;;
    'synclog respond --self-id') value='free' ;;
    'synclog respond --self-name') value='free' ;;
    'synclog respond --types') value='file' ;;
    'synclog respond --max-page') value='free' ;;
    'synclog respond --max-size') value='free' ;;
    'synclog respond --timeout') value='free' ;;
    'synclog respond --profile') value='file' ;;
    'synclog respond --entity-name') value='free' ;;
    'synclog respond --key') value='free' ;;
    'synclog respond --clock') value='free' ;;
    'synclog respond --tombstone') value='free' ;;
    'synclog respond --entity') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_synclog_options() {
  choices=()
  case "$1" in
    synclog) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'synclog init') choices=(--store --wait --profile --entity-name --key --clock --tombstone --entity --errors -q --quiet --generate -h --help --version) ;;
    'synclog record') choices=(--dry-run --keep-conflicts --store --wait --now --max-drift --max-delete --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'synclog put') choices=(--store --wait --now --max-drift --max-delete --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'synclog since') choices=(--limit --max-bytes --for --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog pending') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog apply') choices=(--from --keep-conflicts --store --wait --now --max-drift --max-delete --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'synclog dump') choices=(--changes --baseline --only --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog get') choices=(--changes --only --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog log') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog checkpoint') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'synclog checkpoint get') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog checkpoint set') choices=(--store --wait --now --errors -q --quiet --generate -h --help --version) ;;
    'synclog peers') choices=(--json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog peers forget') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog conflicts') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'synclog conflicts list') choices=(--json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog conflicts show') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog conflicts restore') choices=(--store --wait --now --errors -q --quiet --generate -h --help --version) ;;
    'synclog conflicts drop') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog quarantine') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'synclog quarantine list') choices=(--json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog quarantine retry') choices=(--store --wait --now --max-drift --max-delete --errors -q --quiet --generate -h --help --version) ;;
    'synclog quarantine accept') choices=(--store --wait --now --max-delete --errors -q --quiet --generate -h --help --version) ;;
    'synclog quarantine drop') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog stat') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog verify') choices=(--store --wait --now --max-drift --errors -q --quiet --generate -h --help --version) ;;
    'synclog compact') choices=(--retire-after --store --wait --now --max-drift --errors -q --quiet --generate -h --help --version) ;;
    'synclog prune') choices=(--before --only --store --wait --now --max-delete --errors -q --quiet --generate -h --help --version) ;;
    'synclog backup') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog restore') choices=(--replace --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog reclock') choices=(--ahead --sent --only --store --wait --now --max-drift --errors -q --quiet --generate -h --help --version) ;;
    'synclog rules') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'synclog rules show') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'synclog rules set') choices=(--store --wait --profile --entity-name --key --clock --tombstone --entity --errors -q --quiet --generate -h --help --version) ;;
    'synclog request') choices=(--push --no-pull -f --follow --round --linger --store --wait --now --max-drift --max-delete --peer --protocol --self-id --self-name --types --mix-entities --max-page --max-size --timeout --profile --entity-name --key --clock --tombstone --entity --errors -q --quiet --generate -h --help --version) ;;
    'synclog respond') choices=(--store --wait --now --max-drift --max-delete --peer --protocol --self-id --self-name --types --mix-entities --max-page --max-size --timeout --profile --entity-name --key --clock --tombstone --entity --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_synclog_operand() {
  value=none
  case "$1" in
    synclog) value='choice' choices=(init record put since pending apply dump get log checkpoint peers conflicts quarantine stat verify compact prune backup restore reclock rules request respond) ;;
    'synclog init') value='none' ;;
    'synclog record') value='file' ;;
    'synclog put') value='file' ;;
    'synclog since') value='free' ;;
    'synclog pending') value='print' choices=(peers) ;;
    'synclog apply') value='file' ;;
    'synclog dump') value='none' ;;
    'synclog get') value='free' ;;
    'synclog log') value='none' ;;
    'synclog checkpoint') value='choice' choices=(get set) ;;
    'synclog checkpoint get') value='print' choices=(peers) ;;
    'synclog checkpoint set') value='print' choices=(peers) ;;
    'synclog peers') value='mixed' choices=(forget) ;;
    'synclog peers forget') value='print' choices=(peers) ;;
    'synclog conflicts') value='choice' choices=(list show restore drop) ;;
    'synclog conflicts list') value='none' ;;
    'synclog conflicts show') value='free' ;;
    'synclog conflicts restore') value='free' ;;
    'synclog conflicts drop') value='free' ;;
    'synclog quarantine') value='choice' choices=(list retry accept drop) ;;
    'synclog quarantine list') value='none' ;;
    'synclog quarantine retry') value='none' ;;
    'synclog quarantine accept') value='free' ;;
    'synclog quarantine drop') value='free' ;;
    'synclog stat') value='none' ;;
    'synclog verify') value='none' ;;
    'synclog compact') value='none' ;;
    'synclog prune') value='none' ;;
    'synclog backup') value='file' ;;
    'synclog restore') value='file' ;;
    'synclog reclock') value='free' ;;
    'synclog rules') value='choice' choices=(show set) ;;
    'synclog rules show') value='none' ;;
    'synclog rules set') value='none' ;;
    'synclog request') value='none' ;;
    'synclog respond') value='none' ;;
  esac
}

# Prints list $1, one value per line.
_synclog_print() {
  case $1 in
    peers) synclog peers | sed -n -e 's/.*"peer":"\([^"]*\)".*/\1/p' ;;
    entities) synclog stat | sed -n 's/.*"entities":\["\([^]]*\)"\].*/\1/p' | tr -d '"' | tr , '\n' ;;
  esac 2>/dev/null
}

_synclog_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _synclog_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_synclog_follow() {
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
          _synclog_value "$at" "$word"
          pending=$value
          ;;
        -?*) _synclog_letters ;;
        *)
          _synclog_operand "$at"
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
_synclog_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_synclog_print "${choices[0]}")
}

_synclog_offer() {
  local word
  case $value in
    print) _synclog_offer_list ;;
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

_synclog() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=synclog first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _synclog_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _synclog_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _synclog_options "$at"
    value='choice'
  else
    _synclog_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _synclog_offer
}
complete -F _synclog synclog
