#!/bin/sh
# Lets apps edit files and tables while they are synced.
# usage: run.sh TOOLS_FOLDER SEED ROUNDS
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
PYTHONDONTWRITEBYTECODE=1 python3 "$here/edits.py" "$tools" "$2" "$3"
