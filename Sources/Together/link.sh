#!/usr/bin/env bash
# Links tools into one program, each of which it is by the name that it is called by, and puts these names into a folder:
# most of what the tools consist of, they have in common. All of them need the loader, or none.
# usage: link.sh RELEASE_FOLDER FOLDER TOOL...
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
release=$(cd "$1" && pwd) folder=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Of each tool: its objects, and the libraries that it is linked to.
for tool in "$@"; do
  cat "$release/$tool.product/Objects.LinkFileList"
  echo
done | sed '/^$/d' | sort -u >"$work/objects"
for tool in "$@"; do readelf --dynamic "$release/$tool"; done |
  sed -n 's/.*(NEEDED).*\[\(.*\)\]/-l:\1/p' | grep -Ev ':(libc|libm|libgcc_s|libstdc\+\+|ld-linux.*)\.so' | sort -u >"$work/libraries" || true

if readelf --program-headers "$release/$1" | grep -q INTERP; then
  kind=(-static-stdlib)
else
  kind=(-static-executable -Xlinker --no-rosegment -Xlinker --no-warn-symbol-ordering
    -Xlinker "--symbol-ordering-file=$here/../link-order.txt")
fi

{
  printf 'TOOL(%s)\n' "$@"
} >"$work/tools.h"
clang -O2 -I "$work" -c "$here/main.c" -o "$work/main.o"
mapfile -t libraries <"$work/libraries"
swiftc "${kind[@]}" -use-ld=lld -Xlinker --gc-sections -Xlinker --strip-all -o "$work/program" \
  "@$work/objects" "$work/main.o" ${libraries[0]:+"${libraries[@]}"}

first=$1
install -m 755 "$work/program" "$folder/$first"
for tool in "${@:2}"; do ln -f "$folder/$first" "$folder/$tool"; done
