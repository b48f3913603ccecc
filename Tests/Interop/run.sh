#!/bin/sh
# Runs a scenario of discovery.py in namespaces of its own, as root or by user namespaces.
# usage: run.sh TOOLS_FOLDER SCENARIO
#
# Ends with 77 where the machine gives no namespaces. python-zeroconf is fetched once into .build/interop.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
scenario=$2
environment=$here/../../.build/interop
zeroconf=0.154.0

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

if { [ "$scenario" = with-zeroconf ] || [ "$scenario" = speed ]; } &&
  [ "$(cat "$environment/fetched" 2>/dev/null)" != "$zeroconf" ]; then
  rm -rf "$environment"
  # Debian's Python has no ensurepip until python3-venv is there.
  python3 -c 'import ensurepip' 2>/dev/null || "$here/../../.ci/install-missing" python3-venv
  python3 -m venv "$environment"
  "$environment/bin/pip" --quiet --disable-pip-version-check install "zeroconf==$zeroconf"
  echo "$zeroconf" >"$environment/fetched"
fi
if [ -x "$environment/bin/python" ]; then
  export INTEROP_PYTHON="$environment/bin/python"
fi
export PEERDISCOVER="$tools/peerdiscover" PYTHONDONTWRITEBYTECODE=1
exec "$@" python3 "$here/discovery.py" "$scenario"
