# bash completion for watchcontext, made by 'watchcontext --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_watchcontext_value() {
  choices=()
  case "$1 $2" in
    'watchcontext eligible --max-auto-sync-size') value='free' ;;
    'watchcontext eligible --override') value='free' ;;
    'watchcontext eligible --on-error') value='choice' choices=(stop skip) ;;
    'watchcontext eligible --rejects') value='file' ;;
    'watchcontext context --max-auto-sync-size') value='free' ;;
    'watchcontext context --override') value='free' ;;
    'watchcontext context --max-context') value='free' ;;
    'watchcontext context --on-error') value='choice' choices=(stop skip) ;;
    'watchcontext context --rejects') value='file' ;;
    'watchcontext snapshot --max-auto-sync-size') value='free' ;;
    'watchcontext snapshot --override') value='free' ;;
    'watchcontext snapshot --max-context') value='free' ;;
    'watchcontext snapshot --on-error') value='choice' choices=(stop skip) ;;
    'watchcontext snapshot --rejects') value='file' ;;
    'watchcontext run --role') value='choice' choices=(phone watch) ;;
    'watchcontext run --keys') value='file' ;;
    'watchcontext run --handlers') value='file' ;;
    'watchcontext run --deliver') value='file' ;;
    'watchcontext run --local') value='file' ;;
    'watchcontext run --max-auto-sync-size') value='free' ;;
    'watchcontext run --override') value='free' ;;
    'watchcontext run --max-context') value='free' ;;
    'watchcontext run --on-error') value='choice' choices=(stop skip) ;;
    'watchcontext run --rejects') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_watchcontext_options() {
  choices=()
  case "$1" in
    watchcontext) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'watchcontext eligible') choices=(--max-auto-sync-size --override --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'watchcontext context') choices=(--max-auto-sync-size --override --max-context --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'watchcontext snapshot') choices=(--max-auto-sync-size --override --max-context --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'watchcontext run') choices=(--role --keys --handlers --deliver --link --local --max-auto-sync-size --override --max-context --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_watchcontext_operand() {
  value=none
  case "$1" in
    watchcontext) value='choice' choices=(eligible context snapshot run) ;;
    'watchcontext eligible') value='file' ;;
    'watchcontext context') value='file' ;;
    'watchcontext snapshot') value='file' ;;
    'watchcontext run') value='file' ;;
  esac
}

_watchcontext_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _watchcontext_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_watchcontext_follow() {
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
          _watchcontext_value "$at" "$word"
          pending=$value
          ;;
        -?*) _watchcontext_letters ;;
        *)
          _watchcontext_operand "$at"
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
_watchcontext_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_watchcontext_print "${choices[0]}")
}

_watchcontext_offer() {
  local word
  case $value in
    print) _watchcontext_offer_list ;;
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

_watchcontext() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=watchcontext first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _watchcontext_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _watchcontext_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _watchcontext_options "$at"
    value='choice'
  else
    _watchcontext_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _watchcontext_offer
}
complete -F _watchcontext watchcontext
