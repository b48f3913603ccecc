#!/usr/bin/env bash
# Installs the tools into a folder.
# usage: install.sh RELEASE_FOLDER FOLDER TOOL...
#
# Most of a tool's code is common to all tools. So on Linux the statically linked tools become one program, and the
# others another one; the name by which it is called selects the tool. They are linked from the same objects as the tools.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
release=$(cd "$1" && pwd) folder=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$(uname)" != Linux ]; then
  for tool in "$@"; do install -m 755 "$release/$tool" "$folder/$tool"; done
  exit 0
fi

# An archive has its commit in commit.txt; in a checkout, a plus sign marks changes.
commit=$(cut -c 1-12 "$here/commit.txt")
case $commit in *Format*) commit=$(git -C "$here" describe --always --abbrev=12 --exclude='*' --dirty=+ 2>/dev/null || true) ;; esac

# link NAME FLAG... with the tools in $work/NAME
link() {
  local name=$1 tool first
  shift
  while read -r tool; do
    cat "$release/$tool.product/Objects.LinkFileList"
    echo
  done <"$work/$name" | sed '/^$/d' | sort -u >"$work/objects"
  # What they are linked to besides the libraries that come with the compiler.
  while read -r tool; do readelf --dynamic "$release/$tool"; done <"$work/$name" |
    sed -n 's/.*(NEEDED).*\[\(.*\)\]/-l:\1/p' | grep -Ev ':(libc|libm|libgcc_s|libstdc\+\+|ld-linux.*)\.so' |
    sort -u >"$work/libraries" || true
  sed 's/.*/TOOL(&)/' "$work/$name" >"$work/tools.h"
  clang -O2 ${commit:+"-DCOMMIT=\"$commit\""} -I "$work" -c "$here/main.c" -o "$work/main.o"
  swiftc "$@" -use-ld=lld -Xlinker --gc-sections -Xlinker --strip-all -o "$work/program" \
    "@$work/objects" "$work/main.o" "@$work/libraries"
  first=$(head -n 1 "$work/$name")
  install -m 755 "$work/program" "$folder/$first"
  tail -n +2 "$work/$name" | while read -r tool; do ln -f "$folder/$first" "$folder/$tool"; done
}

for tool in "$@"; do
  if readelf --program-headers "$release/$tool" | grep -q INTERP; then name=linked; else name=static; fi
  echo "$tool" >>"$work/$name"
done
[ ! -s "$work/static" ] || link static -static-executable -Xlinker --no-rosegment -Xlinker --no-warn-symbol-ordering \
  -Xlinker "--symbol-ordering-file=$here/../link-order.txt"
# A tree that is moved brings libraries along, beside its programs.
beside=()
# shellcheck disable=SC2016 # The loader knows what $ORIGIN is.
[ -z "${BUNDLED:-}" ] || beside=(-Xlinker -rpath -Xlinker '$ORIGIN/../lib/peersync')
[ ! -s "$work/linked" ] || link linked -static-stdlib "${beside[@]}"
