# bash completion for notify, made by 'notify --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_notify_value() {
  choices=()
  case "$1 $2" in
    'notify plan --old') value='file' ;;
    'notify plan --new') value='file' ;;
    'notify plan --actor') value='free' ;;
    'notify plan --quiet-hours') value='free' ;;
    'notify plan --in-quiet-hours') value='choice' choices=(defer drop collapse) ;;
    'notify plan --zone') value='free' ;;
    'notify plan --busy') value='file' ;;
    'notify plan --busy-member') value='free' ;;
    'notify plan --now') value='free' ;;
    'notify plan --profile') value='file' ;;
    'notify plan --entity-name') value='free' ;;
    'notify plan --key') value='free' ;;
    'notify plan --clock') value='free' ;;
    'notify plan --tombstone') value='free' ;;
    'notify plan --entity') value='free' ;;
    'notify plan --on-error') value='choice' choices=(stop skip) ;;
    'notify plan --rejects') value='file' ;;
    'notify plan --memory') value='free' ;;
    'notify plan --threads') value='free' ;;
    'notify due --state') value='file' ;;
    'notify due --quiet-hours') value='free' ;;
    'notify due --in-quiet-hours') value='choice' choices=(defer drop collapse) ;;
    'notify due --zone') value='free' ;;
    'notify due --busy') value='file' ;;
    'notify due --busy-member') value='free' ;;
    'notify due --now') value='free' ;;
    'notify due --profile') value='file' ;;
    'notify due --entity-name') value='free' ;;
    'notify due --key') value='free' ;;
    'notify due --clock') value='free' ;;
    'notify due --tombstone') value='free' ;;
    'notify due --entity') value='free' ;;
    'notify due --on-error') value='choice' choices=(stop skip) ;;
    'notify due --rejects') value='file' ;;
    'notify due --memory') value='free' ;;
    'notify due --threads') value='free' ;;
    'notify outbox add --store') value='file' ;;
    'notify outbox add --wait') value='free' ;;
    'notify outbox add --on-error') value='choice' choices=(stop skip) ;;
    'notify outbox add --rejects') value='file' ;;
    'notify outbox list --store') value='file' ;;
    'notify outbox list --wait') value='free' ;;
    'notify outbox list --state') value='choice' choices=(waiting sending sent failed expired merged withdrawn) ;;
    'notify outbox retry --store') value='file' ;;
    'notify outbox retry --wait') value='free' ;;
    'notify outbox prune --store') value='file' ;;
    'notify outbox prune --wait') value='free' ;;
    'notify outbox prune --now') value='free' ;;
    'notify outbox prune --older-than') value='free' ;;
    'notify devices add --store') value='file' ;;
    'notify devices add --wait') value='free' ;;
    'notify devices add --now') value='free' ;;
    'notify devices add --member') value='free' ;;
    'notify devices add --on-error') value='choice' choices=(stop skip) ;;
    'notify devices add --rejects') value='file' ;;
    'notify devices remove --store') value='file' ;;
    'notify devices remove --wait') value='free' ;;
    'notify devices remove --member') value='free' ;;
    'notify devices remove --tokens') value='file' ;;
    'notify devices remove --on-error') value='choice' choices=(stop skip) ;;
    'notify devices remove --rejects') value='file' ;;
    'notify devices list --store') value='file' ;;
    'notify devices list --wait') value='free' ;;
    'notify devices list --member') value='free' ;;
    'notify send --to') value='choice' choices=(apns command) ;;
    'notify send --signing-key') value='file' ;;
    'notify send --key-id') value='free' ;;
    'notify send --team-id') value='free' ;;
    'notify send --topic') value='free' ;;
    'notify send --endpoint') value='free' ;;
    'notify send --ca-file') value='file' ;;
    'notify send --streams') value='free' ;;
    'notify send --timeout') value='free' ;;
    'notify send --answer-timeout') value='free' ;;
    'notify send --backoff') value='free' ;;
    'notify send --store') value='file' ;;
    'notify send --wait') value='free' ;;
    'notify send --now') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_notify_options() {
  choices=()
  case "$1" in
    notify) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'notify plan') choices=(--old --new --actor --silent --tell-loser --quiet-hours --in-quiet-hours --zone --busy --busy-member --now --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'notify due') choices=(--state --quiet-hours --in-quiet-hours --zone --busy --busy-member --now --profile --entity-name --key --clock --tombstone --entity --on-error --rejects --memory --threads --no-mmap --errors -q --quiet --generate -h --help --version) ;;
    'notify outbox') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'notify outbox add') choices=(--store --wait --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'notify outbox list') choices=(--store --wait --state --json --errors -q --quiet --generate -h --help --version) ;;
    'notify outbox retry') choices=(--store --wait --errors -q --quiet --generate -h --help --version) ;;
    'notify outbox prune') choices=(--store --wait --now --older-than --errors -q --quiet --generate -h --help --version) ;;
    'notify devices') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'notify devices add') choices=(--store --wait --now --member --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'notify devices remove') choices=(--store --wait --member --tokens --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'notify devices list') choices=(--store --wait --member --json --errors -q --quiet --generate -h --help --version) ;;
    'notify send') choices=(--to --signing-key --key-id --team-id --topic --endpoint --ca-file --streams --timeout --answer-timeout --backoff --dry-run --store --wait --now --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_notify_operand() {
  value=none
  case "$1" in
    notify) value='choice' choices=(plan due outbox devices send) ;;
    'notify plan') value='none' ;;
    'notify due') value='none' ;;
    'notify outbox') value='choice' choices=(add list retry prune) ;;
    'notify outbox add') value='file' ;;
    'notify outbox list') value='none' ;;
    'notify outbox retry') value='free' ;;
    'notify outbox prune') value='none' ;;
    'notify devices') value='choice' choices=(add remove list) ;;
    'notify devices add') value='file' ;;
    'notify devices remove') value='free' ;;
    'notify devices list') value='none' ;;
    'notify send') value='command' ;;
  esac
}

_notify_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _notify_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_notify_follow() {
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
          _notify_value "$at" "$word"
          pending=$value
          ;;
        -?*) _notify_letters ;;
        *)
          _notify_operand "$at"
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
_notify_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_notify_print "${choices[0]}")
}

_notify_offer() {
  local word
  case $value in
    print) _notify_offer_list ;;
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

_notify() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=notify first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _notify_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _notify_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _notify_options "$at"
    value='choice'
  else
    _notify_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _notify_offer
}
complete -F _notify notify
