#!/bin/sh
# Lets apps edit files and tables while they are synced.
# usage: run.sh TOOLS_FOLDER edits SEED ROUNDS | watch COMMITS
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
script=$2
shift 2
PYTHONDONTWRITEBYTECODE=1 python3 "$here/$script.py" "$tools" "$@"
