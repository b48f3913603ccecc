#!/bin/sh
# Compares what notify makes of rules of recurrence with what dateutil makes of them.
# usage: run.sh TOOLS_FOLDER COUNT
#
# Ends with 77 where .ci/python-environment has not made its environment.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
root=$here/../..

"$root/.ci/python-environment" --check
PYTHONDONTWRITEBYTECODE=1 exec "$root/.build/python/bin/python" "$here/rules.py" "$tools/notify" "$2"
