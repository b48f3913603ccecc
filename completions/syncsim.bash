# bash completion for syncsim, made by 'syncsim --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_syncsim_value() {
  choices=()
  case "$1 $2" in
    'syncsim run --devices') value='free' ;;
    'syncsim run --steps') value='free' ;;
    'syncsim run --seed') value='free' ;;
    'syncsim run --seeds') value='free' ;;
    'syncsim run --links') value='choice' choices=(chain star full hub) ;;
    'syncsim run --threads') value='free' ;;
    'syncsim run --plant') value='choice' choices=(asymmetric-tie checkpoint-first tombstone-dropped-early echo-withheld echo-left-out-of-resync loser-unanswered unpushed-removed rules-differ-silently entity-lost baseline-sees-stamp acked-not-compared edit-ignored) ;;
    'syncsim replay --log') value='file' ;;
    'syncsim replay --plant') value='choice' choices=(asymmetric-tie checkpoint-first tombstone-dropped-early echo-withheld echo-left-out-of-resync loser-unanswered unpushed-removed rules-differ-silently entity-lost baseline-sees-stamp acked-not-compared edit-ignored) ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_syncsim_options() {
  choices=()
  case "$1" in
    syncsim) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'syncsim run') choices=(--devices --steps --seed --seeds --links --dry-run --keep-going --threads --counts --plant --errors -q --quiet --generate -h --help --version) ;;
    'syncsim replay') choices=(--log --counts --plant --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_syncsim_operand() {
  value=none
  case "$1" in
    syncsim) value='choice' choices=(run replay) ;;
    'syncsim run') value='none' ;;
    'syncsim replay') value='file' ;;
  esac
}

_syncsim_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _syncsim_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_syncsim_follow() {
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
          _syncsim_value "$at" "$word"
          pending=$value
          ;;
        -?*) _syncsim_letters ;;
        *)
          _syncsim_operand "$at"
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
_syncsim_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_syncsim_print "${choices[0]}")
}

_syncsim_offer() {
  local word
  case $value in
    print) _syncsim_offer_list ;;
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

_syncsim() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=syncsim first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _syncsim_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _syncsim_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _syncsim_options "$at"
    value='choice'
  else
    _syncsim_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _syncsim_offer
}
complete -F _syncsim syncsim
