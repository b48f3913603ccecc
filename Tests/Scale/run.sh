#!/bin/sh
# Runs the jobs of docs/examples/scale on Spark: in local mode, and on a cluster of two workers on this machine.
# usage: run.sh TOOLS_FOLDER [LINES [times]]
#
# Ends with 77 where .ci/python-environment has not made the environment of Spark.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
root=$(cd "$here/../.." && pwd)
"$root/.ci/python-environment" --check spark

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cc -O2 -o "$scratch/generate" "$root/Tests/Bench/generate.c"
export PATH="$tools:$root/.build/spark/bin:$PATH"
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
python "$here/spark.py" "$root/docs/examples/scale" "$scratch" "${2:-200000}" "${3:-}"
