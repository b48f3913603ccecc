#!/bin/sh
# Runs a scenario of push.py against a push service that plays Apple's documented contract over HTTP/2 and TLS.
# usage: run.sh TOOLS_FOLDER SCENARIO
#
# Ends with 77 where .ci/python-environment has not made its environment.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
root=$here/../..

"$root/.ci/python-environment" --check
PYTHONDONTWRITEBYTECODE=1 exec "$root/.build/python/bin/python" "$here/push.py" "$tools/notify" "$2"
