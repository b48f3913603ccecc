#!/bin/bash
# Merges files on several cores or machines with GNU parallel, and prints what one lwwmerge would print.
# usage: merge-parts.sh FOLDER PARTS FILE...
#
# FOLDER is created, and must not exist yet. HOSTS=a,b sends the parts to these machines, which need lwwmerge and rsync.
set -euo pipefail

folder=$1 parts=$2
shift 2
test ! -e "$folder" || { echo "$folder exists" >&2; exit 73; }

lwwmerge shard --parts "$parts" --into "$folder" "$@"
# Count the lines of each part before it is processed.
wc -l "$folder"/*.jsonl | grep jsonl >"$folder/counts"

remote=()
if [ -n "${HOSTS:-}" ]; then
  remote=(--sshlogin "$HOSTS" --transferfile {} --return {}.merged --return {}.summary --cleanup)
fi
# All parts use the same time. A part that fails ends the job.
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
parallel "${remote[@]}" --halt now,fail=1 \
  lwwmerge --threads 1 --now "$now" --summary {}.summary {} '>' {}.merged ::: "$folder"/*.jsonl

# If a part is missing, or was not read to its end, the job fails before it prints output.
while read -r lines part; do
  read=$(jq .lines "$part.summary")
  keys=$(jq .keys "$part.summary")
  if [ "$read" != "$lines" ] || [ "$(wc -l <"$part.merged")" != "$keys" ]; then
    echo "$part: $lines lines, of which $read were read; $keys keys" >&2
    exit 65
  fi
done <"$folder/counts"
test "$(wc -l <"$folder/counts")" = "$parts" || { echo "parts are missing" >&2; exit 65; }
cat "$folder"/*.jsonl.merged
