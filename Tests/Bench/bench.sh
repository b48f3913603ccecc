#!/usr/bin/env bash
# Measures the tools against other programs in one run, and prints median ratios beside the bars to hold.
# usage: [QUICK=1] [PAIRS=5] [WRITE=1] bench.sh TOOLS_FOLDER
# A run that is not quick, or has WRITE=1, also writes its tables into docs/performance.md.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
yardsticks=$here/../../.build/bench

"$here/../../.ci/install-missing" python3 gcc jq sqlite3 socat openssl rsync nginx tcpflow tshark
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
  echo "bench: needs Python 3.10 or later" >&2
  exit 69
}
"$here/../../.ci/python-environment"
"$here/yardsticks.sh" "$yardsticks"

unset PEERSYNC_ERRORS
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
exec python3 "$here/bench.py" "$tools" "$yardsticks"
