#!/bin/sh
# Runs a scenario of discovery.py in namespaces of its own, as root or by user namespaces.
# usage: run.sh TOOLS_FOLDER SCENARIO
#
# Ends with 77 where the machine gives no namespaces, or .ci/python-environment has not made what a scenario imports.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
scenario=$2
root=$here/../..

if [ "$(id -u)" -eq 0 ] && [ -z "${INTEROP_USER:-}" ]; then
  set -- unshare -nm
  export INTEROP_ROOT=1
else
  set -- unshare -Urnm --map-root-user
fi
if ! "$@" true 2>/dev/null; then
  echo "no namespaces to be had" >&2
  exit 77
fi

# With process ids of its own, whatever it has started ends with it, however that ends.
if "$@" --pid --fork --kill-child --mount-proc true 2>/dev/null; then set -- "$@" --pid --fork --kill-child --mount-proc; fi

if [ "$scenario" = with-zeroconf ] || [ "$scenario" = speed ]; then
  "$root/.ci/python-environment" --check
  export INTEROP_PYTHON="$root/.build/python/bin/python"
fi
export PEERDISCOVER="$tools/peerdiscover" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/../Captures"
# The shell is the first process of its namespace, which reaps what others leave behind.
# shellcheck disable=SC2016
exec "$@" sh -c 'python3 "$@"; exit $?' sh "$here/discovery.py" "$scenario"
