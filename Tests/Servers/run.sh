#!/bin/sh
# Runs a scenario in network and mount namespaces of its own, as root or by user namespaces.
# usage: run.sh TOOLS_FOLDER FILE SCENARIO
#
# FILE is that of a script of this folder, without its end. Ends with 77 where the machine gives no namespaces, or
# .ci/python-environment has not made what a scenario imports.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tools=$(cd "$1" && pwd)
script=$here/$2.py
scenario=$3
python=python3
case $2 in
  contract | collection | collection_* | emulator)
    "$root/.ci/python-environment" --check
    python=$root/.build/python/bin/python
    ;;
esac

if [ "$(id -u)" -eq 0 ]; then
  set -- unshare -nm
else
  set -- unshare -Urnm --map-root-user
fi
if ! "$@" true 2>/dev/null; then
  echo "no namespaces to be had" >&2
  exit 77
fi
export PATH="$tools:$PATH" PYTHONDONTWRITEBYTECODE=1
# shellcheck disable=SC2016
exec "$@" sh -c 'ip link set lo up && exec "$0" "$1" "$2"' "$python" "$script" "$scenario"
