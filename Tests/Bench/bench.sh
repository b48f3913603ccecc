#!/usr/bin/env bash
# Measures the tools against ordinary programs in one run; prints median ratios beside the bars to hold.
# usage: [QUICK=1] [PAIRS=5] bench.sh TOOLS_FOLDER
# shellcheck disable=SC2002  # the pipe is what is measured
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
export LC_ALL=C TIMEFORMAT=%R
pairs=${PAIRS:-5}
records=1000000 starts=200
if [ "${QUICK:-0}" != 0 ]; then records=100000 starts=50; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# As they are installed: the kernel maps a copy with fewer and larger steps than a file from the linker.
mkdir "$work/bin"
cp "$tools"/{frame,deltadiff,lwwmerge} "$work/bin"
tools=$work/bin
lines=$work/lines frames=$work/frames times=$work/times

# Seconds that a command takes, its output thrown away.
seconds() { { time "$@" >/dev/null 2>"$work/errors" </dev/null; } 2>&1; }

median() { sort -n | awk '{ v[NR] = $1 } END { print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2) }'; }

# Runs two functions in turn, after one of each to warm up, and prints the median ratio of their times.
compare() { # BAR WHAT SUBJECT BASELINE
  local try subject baseline
  "$3" >/dev/null </dev/null
  "$4" >/dev/null </dev/null
  : >"$times"
  for ((try = 0; try < pairs; try++)); do
    subject=$(seconds "$3")
    baseline=$(seconds "$4")
    echo "$subject $baseline" >>"$times"
  done
  subject=$(awk '{ print $1 }' "$times" | median)
  baseline=$(awk '{ print $2 }' "$times" | median)
  awk '{ print $1 / ($2 > 0 ? $2 : 0.001) }' "$times" | median |
    awk -v what="$2" -v bar="$1" -v a="$subject" -v b="$baseline" '
      { printf "%-44s %8.3f s %8.3f s %7.3f  %5.2f  %s\n", what, a, b, $1, bar, $1 <= bar ? "holds" : "MISSED" }'
}

# xargs starts programs more cheaply than a shell, and gives them an empty input.
repeat() { seq "$starts" | xargs -I % "$@"; } # COMMAND...

cat_lines() { cat "$lines" | cat; }
cat_frames() { cat "$frames" | cat; }
encode() { cat "$lines" | "$tools/frame" encode; }
encode_unchecked() { cat "$lines" | "$tools/frame" encode --no-check; }
decode() { cat "$frames" | "$tools/frame" decode; }
decode_unchecked() { cat "$frames" | "$tools/frame" decode --no-check; }
start_tool() { repeat "$tools/frame" decode; }
start_true() { repeat true; }
start_jq() { repeat jq .; }

"$here/generate.sh" "$records" >"$lines"
"$tools/frame" encode "$lines" >"$frames"

printf '%d records, %d bytes; medians of %d alternating pairs\n\n' "$records" "$(wc -c <"$lines")" "$pairs"
printf '%-44s %10s %10s %7s  %5s\n' "" "this" "that" "ratio" "bar"
compare 1.1 "frame encode --no-check : cat | cat" encode_unchecked cat_lines
compare 1.1 "frame decode --no-check : cat | cat" decode_unchecked cat_frames
compare 1.5 "frame encode : cat | cat" encode cat_lines
compare 1.5 "frame decode : cat | cat" decode cat_frames
compare 1.2 "$starts starts of frame : true" start_tool start_true
compare 0.06 "$starts starts of frame : jq" start_tool start_jq

# What a filter that waits for input keeps in memory; Linux says.
if [ -r /proc/self/status ]; then
  mkfifo "$work/fifo"
  "$tools/frame" decode <"$work/fifo" >/dev/null &
  exec 3>"$work/fifo"
  printf '\0\0\0\2{}' >&3
  sleep 0.3
  awk -v bar=2048 '/^VmRSS/ {
    printf "%-44s %21d KiB %13d  %s\n", "idle memory of frame", $2, bar, $2 <= bar ? "holds" : "MISSED" }' \
    "/proc/$!/status"
  exec 3>&-
  wait
fi
