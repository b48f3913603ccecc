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
export PEERSYNC_TOOLS PYTHONDONTWRITEBYTECODE=1
exec "$@" python3 "$here/everyday.py" "$scenario"
