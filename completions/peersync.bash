# bash completion for peersync, made by 'peersync --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_peersync_value() {
  choices=()
  case "$1 $2" in
    'peersync pair --scan') value='file' ;;
    'peersync pair --name') value='free' ;;
    'peersync pair --address') value='free' ;;
    'peersync pair --expires-in') value='free' ;;
    'peersync pair -p' | 'peersync pair --port') value='free' ;;
    'peersync pair --interface') value='free' ;;
    'peersync pair --protocol') value='choice' choices=(1 2) ;;
    'peersync pair --timeout') value='free' ;;
    'peersync serve -p' | 'peersync serve --port') value='free' ;;
    'peersync serve --max-connections') value='free' ;;
    'peersync serve --peer') value='print' choices=(peers) ;;
    'peersync serve --on-change') value='free' ;;
    'peersync serve --keep-conflicts') value='free' ;;
    'peersync serve --interface') value='free' ;;
    'peersync serve --trace') value='file' ;;
    'peersync serve --protocol') value='choice' choices=(1 2) ;;
    'peersync serve --timeout') value='free' ;;
    'peersync serve --store') value='file' ;;
    'peersync serve --wait') value='free' ;;
    'peersync serve --now') value='free' ;;
    'peersync serve --max-drift') value='free' ;;
    'peersync serve --max-delete') value='free' ;;
    'peersync serve --profile') value='file' ;;
    'peersync serve --entity-name') value='free' ;;
    'peersync serve --key') value='free' ;;
    'peersync serve --clock') value='free' ;;
    'peersync serve --tombstone') value='free' ;;
    'peersync serve --entity') value='free' ;;
    'peersync run --direction') value='choice' choices=(pull push both) ;;
    'peersync run --address') value='free' ;;
    'peersync run --jitter') value='free' ;;
    'peersync run --on-change') value='free' ;;
    'peersync run --keep-conflicts') value='free' ;;
    'peersync run --interface') value='free' ;;
    'peersync run --trace') value='file' ;;
    'peersync run --protocol') value='choice' choices=(1 2) ;;
    'peersync run --timeout') value='free' ;;
    'peersync run --store') value='file' ;;
    'peersync run --wait') value='free' ;;
    'peersync run --now') value='free' ;;
    'peersync run --max-drift') value='free' ;;
    'peersync run --max-delete') value='free' ;;
    'peersync run --profile') value='file' ;;
    'peersync run --entity-name') value='free' ;;
    'peersync run --key') value='free' ;;
    'peersync run --clock') value='free' ;;
    'peersync run --tombstone') value='free' ;;
    'peersync run --entity') value='free' ;;
    'peersync bind --table') value='free' ;;
    'peersync bind --entity-name') value='free' ;;
    'peersync bind --key') value='free' ;;
    'peersync bind --clock') value='free' ;;
    'peersync bind --column') value='free' ;;
    'peersync bind --base64') value='free' ;;
    'peersync bind --bool') value='free' ;;
    'peersync bind --nested') value='free' ;;
    'peersync bind --store') value='file' ;;
    'peersync bind --wait') value='free' ;;
    'peersync bind list --store') value='file' ;;
    'peersync bind list --wait') value='free' ;;
    'peersync bind remove --table') value='free' ;;
    'peersync bind remove --store') value='file' ;;
    'peersync bind remove --wait') value='free' ;;
    'peersync remote add --key-file') value='file' ;;
    'peersync remote add --ca-file') value='file' ;;
    'peersync remote add --entity-name') value='free' ;;
    'peersync remote add --types') value='file' ;;
    'peersync remote add --deleted-field') value='free' ;;
    'peersync remote add --sweep') value='free' ;;
    'peersync remote remove --store') value='file' ;;
    'peersync remote remove --wait') value='free' ;;
    'peersync status --timeout') value='free' ;;
    'peersync status --store') value='file' ;;
    'peersync status --wait') value='free' ;;
    'peersync doctor --timeout') value='free' ;;
    'peersync doctor --store') value='file' ;;
    'peersync doctor --wait') value='free' ;;
    'peersync forget --store') value='file' ;;
    'peersync forget --wait') value='free' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_peersync_options() {
  choices=()
  case "$1" in
    peersync) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peersync pair') choices=(--scan --name --address -y --yes --expires-in -p --port --interface --protocol --timeout --json --errors -q --quiet --generate -h --help --version) ;;
    'peersync serve') choices=(-p --port --max-connections --once --peer --on-change --keep-conflicts --interface --trace --protocol --timeout --json --store --wait --now --max-drift --max-delete --mix-entities --profile --entity-name --key --clock --tombstone --entity --errors -q --quiet --generate -h --help --version) ;;
    'peersync run') choices=(--direction --address -f --follow -v --verbose --dry-run --exit-code --jitter --on-change --keep-conflicts --interface --trace --protocol --timeout --json --store --wait --now --max-drift --max-delete --mix-entities --profile --entity-name --key --clock --tombstone --entity --errors -q --quiet --generate -h --help --version) ;;
    'peersync bind') choices=(--table --entity-name --key --clock --column --base64 --bool --nested --json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'peersync bind list') choices=(--json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'peersync bind remove') choices=(--table --json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'peersync remote') choices=(--errors -q --quiet --generate -h --help --version) ;;
    'peersync remote add') choices=(--key-file --ca-file --entity-name --types --deleted-field --sweep --json --errors -q --quiet --generate -h --help --version) ;;
    'peersync remote list') choices=(--json --errors -q --quiet --generate -h --help --version) ;;
    'peersync remote remove') choices=(--json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'peersync status') choices=(--records --check --exit-code --timeout --json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'peersync doctor') choices=(--offline --timeout --json --store --wait --errors -q --quiet --generate -h --help --version) ;;
    'peersync forget') choices=(--dry-run --json --store --wait --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_peersync_operand() {
  value=none
  case "$1" in
    peersync) value='choice' choices=(pair serve run bind remote status doctor forget) ;;
    'peersync pair') value='none' ;;
    'peersync serve') value='none' ;;
    'peersync run') value='print' choices=(targets) ;;
    'peersync bind') value='mixed' choices=(list remove) ;;
    'peersync bind list') value='none' ;;
    'peersync bind remove') value='print' choices=(sources) ;;
    'peersync remote') value='choice' choices=(add list remove) ;;
    'peersync remote add') value='file' ;;
    'peersync remote list') value='none' ;;
    'peersync remote remove') value='print' choices=(remotes) ;;
    'peersync status') value='print' choices=(targets) ;;
    'peersync doctor') value='none' ;;
    'peersync forget') value='print' choices=(peers) ;;
  esac
}

# Prints list $1, one value per line.
_peersync_print() {
  case $1 in
    peers) peerpair list | sed -n -e 's/.*"peerId":"\([^"]*\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\1/p' -e t -e 's/.*"deviceName":"\([^"]*\)".*/\1/p' ;;
    targets) { peerpair list; peersync remote list; } | sed -n -e 's/.*"peerId":"\([^"]*\)".*"deviceName":"[^"]*:[0-9][0-9]*".*/\1/p' -e t -e 's/.*"deviceName":"\([^"]*\)".*/\1/p' -e 's/.*"remote":"\([^"]*\)".*/\1/p' ;;
    sources) peersync bind list | sed -n -e 's/.*"source":"\([^"]*\)".*/\1/p' ;;
    remotes) peersync remote list | sed -n -e 's/.*"remote":"\([^"]*\)".*/\1/p' ;;
  esac 2>/dev/null
}

_peersync_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _peersync_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_peersync_follow() {
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
          _peersync_value "$at" "$word"
          pending=$value
          ;;
        -?*) _peersync_letters ;;
        *)
          _peersync_operand "$at"
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
_peersync_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_peersync_print "${choices[0]}")
}

_peersync_offer() {
  local word
  case $value in
    print) _peersync_offer_list ;;
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

_peersync() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=peersync first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _peersync_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _peersync_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _peersync_options "$at"
    value='choice'
  else
    _peersync_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _peersync_offer
}
complete -F _peersync peersync
