#!/bin/sh
# Runs a scenario in network and mount namespaces of its own, as root or by user namespaces.
# usage: run.sh TOOLS_FOLDER FILE SCENARIO [ARGUMENT]...
#
# FILE is that of a script of this folder, without its end; each scenario says what arguments it takes. Ends with 77 where
# the machine gives no namespaces, or .ci/python-environment has not made what a scenario imports.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tools=$(cd "$1" && pwd)
script=$here/$2.py
shift 2
python=python3
case ${script##*/} in
  contract.py | collection.py | collection_*.py | emulator.py)
    "$root/.ci/python-environment" --check
    python=$root/.build/python/bin/python
    ;;
esac

# The shell is the first process of its namespace, which reaps what others leave behind.
# shellcheck disable=SC2016
set -- sh -c 'ip link set lo up && "$0" "$@"; exit $?' "$python" "$script" "$@"
if [ "$(id -u)" -eq 0 ]; then
  own="unshare -nm"
else
  own="unshare -Urnm --map-root-user"
fi
# shellcheck disable=SC2086  # several words
if ! $own true 2>/dev/null; then
  echo "no namespaces to be had" >&2
  exit 77
fi
# With process ids of its own, whatever it has started ends with it, however that ends.
whole="--pid --fork --kill-child --mount-proc"
# shellcheck disable=SC2086
if $own $whole true 2>/dev/null; then own="$own $whole"; fi
export PATH="$tools:$PATH" PYTHONDONTWRITEBYTECODE=1
# shellcheck disable=SC2086
exec $own "$@"
