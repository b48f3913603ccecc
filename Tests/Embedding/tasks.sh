#!/bin/sh
# The app of docs/library.md and the tools, as two devices: they pair, and each gets what the other has.
# usage: tasks.sh APP TOOLS
set -eu
app=$1
PATH=$2:$PATH
umask 077
folder=$(mktemp -d)
trap 'kill "$job" 2>/dev/null || :; rm -rf "$folder"' EXIT
cd "$folder"
export PEERSYNC_HOME="$folder/computer"

# Waits until FILE has said on which port the job listens, and sets $address; fails if the job has ended.
#
# Not in a subshell: this shell has to reap the job to notice that.
await_port() {
  until grep -qs 'on port' "$1"; do
    kill -0 "$job" 2>/dev/null || { cat "$1" >&2; exit 1; }
    sleep 0.05
  done
  address=localhost:$(sed -n 's/.*on port \([0-9]*\).*/\1/p' "$1")
}

echo '{"id":"1","title":"From the computer"}' | synclog put --entity-name Task >put.json
peersync pair --yes >code 2>paired & job=$!
await_port paired
"$app" app join "$(head -n 1 code)" "$address"
wait "$job"

peersync serve >served.jsonl 2>serving & job=$!
await_port serving
"$app" app add 2 'From the app'
"$app" app sync "$address" >app.jsonl
kill "$job"
wait "$job" || :
synclog dump >computer.jsonl
cmp app.jsonl computer.jsonl
[ "$(wc -l <app.jsonl)" -eq 2 ]
echo "an app of docs/library.md and peersync have the same records"
