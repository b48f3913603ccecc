#!/usr/bin/env bash
# Prints the symbols that small runs of the tools touch, for the linker to lay side by side.
# usage: link-order.sh TOOLS_FOLDER
set -euo pipefail

tools=$(cd "$1" && pwd)
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{"id":1,"updatedAt":"2026-01-01T00:00:00Z"}\n' >old
printf '{"id":1,"updatedAt":"2026-01-02T00:00:00Z"}\n' >new
printf '\0\0\0\2{}' >frame

# What a run executes, reads and writes, each symbol with its aliases, by address, behind a 0 or a 1. A name that stands
# for several places is left out: the linker would move all of them. So are protocol conformances: looking for one
# reads them all. A 1 marks the functions of the standard library that are one section, and belong at the end;
# what was specialized for our code (Tg5) is not among them.
touched() { # TOOL ARGUMENT...
  valgrind --tool=lackey --trace-mem=yes --log-file=trace "$tools/$1" "${@:2}" >output
  nm --defined-only "$tools/$1" >symbols
  awk '{ print $3 }' symbols | sort | uniq -d >ambiguous
  {
    awk 'FILENAME == "ambiguous" { skip[$1]; next }
      !($3 in skip) && $3 !~ /^\$s.*Mc$/ { print $1, 0, $3, $2 == "t" && $3 ~ /^\$s[^0-9]/ && $3 !~ /Tg5/ }' ambiguous symbols
    awk '$1 ~ /^[ILSM]$/ { sub(/,.*/, "", $2); if (!seen[$2]++) print $2 }' trace |
      awk '{ while (length($1) < 16) $1 = "0" $1; print $1, 1 }'
  } | sort | awk '
    $2 == 0 { if ($1 != at) count = 0; at = $1; names[++count] = $4 " " $3 }
    $2 == 1 { for (i = 1; i <= count; i++) print names[i]; count = 0 }'
}

# From pipes, which are read by another way than files.
# shellcheck disable=SC2002
{
  cat frame | touched frame decode
  cat old | touched frame encode
  cat new | touched lwwmerge old -
  cat new | touched deltadiff old -
} | awk '!seen[$2]++' | sort -s -k1,1n | cut -d ' ' -f 2
