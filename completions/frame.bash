# bash completion for frame, made by 'frame --generate bash'.

# Sets $value for option $2 of command $1: empty for a flag, otherwise free, file, choice with its
# choices, or print with a list.
_frame_value() {
  choices=()
  case "$1 $2" in
    'frame encode -p' | 'frame encode --prefix') value='choice' choices=(u32be u32le u16be u16le u64be varint netstring content-length) ;;
    'frame encode --max-size') value='free' ;;
    'frame encode --input') value='choice' choices=(json base64) ;;
    'frame encode --on-error') value='choice' choices=(stop skip) ;;
    'frame encode --rejects') value='file' ;;
    'frame decode -p' | 'frame decode --prefix') value='choice' choices=(u32be u32le u16be u16le u64be varint netstring content-length) ;;
    'frame decode --max-size') value='free' ;;
    'frame decode --output') value='choice' choices=(json base64) ;;
    'frame decode --input') value='choice' choices=(raw hex base64 streams) ;;
    'frame decode --on-error') value='choice' choices=(stop skip) ;;
    'frame decode --rejects') value='file' ;;
    'frame exec -p' | 'frame exec --prefix') value='choice' choices=(u32be u32le u16be u16le u64be varint netstring content-length) ;;
    'frame exec --max-size') value='free' ;;
    'frame check --max-page') value='free' ;;
    'frame check --now') value='free' ;;
    'frame check --max-drift') value='free' ;;
    'frame check --side') value='file' ;;
    'frame check --on-error') value='choice' choices=(stop skip) ;;
    'frame check --rejects') value='file' ;;
    'frame draw --svg') value='file' ;;
    'frame draw --width') value='free' ;;
    'frame draw --lines') value='free' ;;
    'frame draw --side') value='file' ;;
    'frame draw --on-error') value='choice' choices=(stop skip) ;;
    'frame draw --rejects') value='file' ;;
    *' --errors') value='choice' choices=(text json) ;;
    *' --generate') value='choice' choices=(man bash zsh fish table) ;;
    *) value= ;;
  esac
}

# The names of the options of command $1.
_frame_options() {
  choices=()
  case "$1" in
    frame) choices=(--errors -q --quiet --generate -h --help --version) ;;
    'frame encode') choices=(-p --prefix --max-size --no-check --input --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'frame decode') choices=(-p --prefix --max-size --no-check --output --input --annotate --resync --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'frame exec') choices=(-p --prefix --max-size --no-check --errors -q --quiet --generate -h --help --version) ;;
    'frame check') choices=(--max-page --now --max-drift --side --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
    'frame draw') choices=(--svg --width --lines --show-content --side --on-error --rejects --errors -q --quiet --generate -h --help --version) ;;
  esac
}

# Sets $value for an operand of command $1: none, free, file, command, choice with its choices, or
# print with a list.
_frame_operand() {
  value=none
  case "$1" in
    frame) value='choice' choices=(encode decode exec check draw) ;;
    'frame encode') value='file' ;;
    'frame decode') value='file' ;;
    'frame exec') value='command' ;;
    'frame check') value='file' ;;
    'frame draw') value='file' ;;
  esac
}

_frame_letters() {
  local j
  for ((j = 1; j < ${#word}; j++)); do
    _frame_value "$at" "-${word:j:1}"
    if [[ $value ]]; then
      ((j == ${#word} - 1)) && pending=1
      return
    fi
  done
}

# Sets $at to the command of the line, $pending and $ended to the state after its last word, and $first to
# whether only common options follow the command.
_frame_follow() {
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
          _frame_value "$at" "$word"
          pending=$value
          ;;
        -?*) _frame_letters ;;
        *)
          _frame_operand "$at"
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
_frame_offer_list() {
  local word shown typed=${COMP_LINE:0:COMP_POINT}
  [[ $typed ]] || typed=$cur
  [[ $prefix ]] && typed=${typed#*"$prefix"}
  typed=${typed##*[ =]}
  local split=''
  [[ $COMP_WORDBREAKS == *:* ]] && split=${typed%"${typed##*:}"}
  while IFS= read -r word; do
    printf -v shown %q "$word"
    [[ $word == "$typed"* || $shown == "$typed"* ]] && COMPREPLY+=("$prefix${shown#"$split"}")
  done < <(_frame_print "${choices[0]}")
}

_frame_offer() {
  local word
  case $value in
    print) _frame_offer_list ;;
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

_frame() {
  local common='^(-[qh]+|--(errors|quiet|generate|help|version)(=.*)?)$'
  local at=frame first=1 value='' pending='' ended='' glued='' prefix='' cur word i n=0 operands=0
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
  _frame_follow
  if [[ $pending ]]; then
    :
  elif [[ ! $ended && $cur == --*=* ]]; then
    _frame_value "$at" "${cur%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${cur%%=*}=
    cur=${cur#*=}
  elif [[ ! $ended && $cur == -* ]]; then
    _frame_options "$at"
    value='choice'
  else
    _frame_operand "$at"
    [[ $value == command && $operands -gt 0 ]] && value='file'
  fi
  _frame_offer
}
complete -F _frame frame
