#!/usr/bin/env bash
# Prepares, once, what the tools are measured against: DuckDB and orjson in a Python of their own, yyjson compiled.
# usage: yardsticks.sh FOLDER
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
compiler=${CC:-cc}
duckdb=2.0.0 orjson=3.13.0 yyjson=4.0.6 # yyjson is the Python package, whose source holds the C library
wanted="duckdb $duckdb, orjson $orjson, yyjson $yyjson"

fetch() {
  echo "fetching $wanted; this is done once" >&2
  # Debian's Python has no ensurepip until python3-venv is there.
  python3 -c 'import ensurepip' 2>/dev/null || "$here/../../.ci/install-missing" python3-venv
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  local pip=("$folder/python/bin/pip" --quiet --disable-pip-version-check)
  "${pip[@]}" install "duckdb==$duckdb" "orjson==$orjson"
  "${pip[@]}" download --no-deps --no-binary yyjson --dest "$folder" "yyjson==$yyjson"
  tar -xzf "$folder/yyjson-$yyjson.tar.gz" -C "$folder"
  echo "$wanted" >"$folder/fetched"
}

# Compiles a program of this folder where it is missing or older than its source.
compile() { # PROGRAM ARGUMENT...
  local program=$1
  shift
  if [ "$here/$program.c" -nt "$folder/$program" ]; then
    "$compiler" -o "$folder/$program" "$here/$program.c" "$@"
  fi
}

if [ "$(cat "$folder/fetched" 2>/dev/null)" != "$wanted" ]; then fetch; fi
compile generate -O2
compile waiters -O2
compile yyjson_lines -O3 -I "$folder/yyjson-$yyjson/yyjson" "$folder/yyjson-$yyjson/yyjson/yyjson.c"
