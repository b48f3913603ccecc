#!/bin/sh
# Compares what pcapstream makes of captures with what tshark and tcpflow make of them, and reads a live pipe.
# usage: run.sh TOOLS_FOLDER [COUNT]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

export PYTHONDONTWRITEBYTECODE=1

python3 "$here/compare.py" "$tools/pcapstream" "$scratch" 1 "${2:-20}"
python3 "$here/dialogues.py" "$tools" "$scratch" "$here/../Acceptance/Cases/frame-check.trn" \
  "$here/../../docs/formats/frame-check.md"
python3 "$here/live.py" "$tools/pcapstream" "$scratch"
