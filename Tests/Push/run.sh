#!/bin/sh
# Runs a scenario of push.py against a push service that plays Apple's documented contract over HTTP/2 and TLS.
# usage: run.sh TOOLS_FOLDER SCENARIO
#
# h2 and cryptography are fetched once into .build/push.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
scenario=$2
environment=$here/../../.build/push
wanted="h2 4.3.0, cryptography 46.0.3"

# Tests run side by side: one of them fetches, the others wait for it.
mkdir -p "$environment"
exec 9>"$environment/lock"
flock 9
if [ "$(cat "$environment/fetched" 2>/dev/null)" != "$wanted" ]; then
  # Debian's Python has no ensurepip until python3-venv is there.
  python3 -c 'import ensurepip' 2>/dev/null || "$here/../../.ci/install-missing" python3-venv
  python3 -m venv "$environment/python"
  "$environment/python/bin/pip" --quiet --disable-pip-version-check install h2==4.3.0 cryptography==46.0.3
  echo "$wanted" >"$environment/fetched"
fi
exec 9>&-
PYTHONDONTWRITEBYTECODE=1 exec "$environment/python/bin/python" "$here/push.py" "$tools/notify" "$scenario"
