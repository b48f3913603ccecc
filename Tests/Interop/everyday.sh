#!/bin/sh
# Runs a scenario of everyday.py in namespaces of its own, as root or by user namespaces.
# usage: everyday.sh TOOLS_FOLDER SCENARIO
#
# Ends with 77 where the machine gives no namespaces.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PEERSYNC_TOOLS=$(cd "$1" && pwd)
scenario=$2

if [ "$(id -u)" -eq 0 ]; then
  set -- unshare -nm
else
  set -- unshare -Urnm --map-root-user
fi
if ! "$@" true 2>/dev/null; then
  echo "no namespaces to be had" >&2
  exit 77
fi
# With process ids of its own, whatever it has started ends with it, however that ends.
if "$@" --pid --fork --kill-child --mount-proc true 2>/dev/null; then set -- "$@" --pid --fork --kill-child --mount-proc; fi
export PEERSYNC_TOOLS PYTHONDONTWRITEBYTECODE=1
# The shell is the first process of its namespace, which reaps what others leave behind.
# shellcheck disable=SC2016
exec "$@" sh -c 'python3 "$@"; exit $?' sh "$here/everyday.py" "$scenario"
