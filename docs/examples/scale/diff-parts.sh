#!/bin/bash
# Compares two snapshots on several cores with GNU parallel, and prints the changes, unless they delete more than MAX records.
# usage: diff-parts.sh FOLDER PARTS MAX OLD NEW
#
# FOLDER is created, and must not exist yet. The changes are not in key order; deltadiff apply and lwwmerge accept any order.
set -euo pipefail

folder=$1 parts=$2 max=$3 old=$4 new=$5
mkdir "$folder"

# Writes each line of a snapshot, after a tag, to the file of its part, and counts the lines.
spread() {
  local tag=$1 file=$2
  # A file that was cut off would look like deletions, and this cannot be detected once its lines are in parts.
  if [ -s "$file" ] && [ "$(tail -c 1 "$file" | od -An -c)" != '  \n' ]; then
    echo "$file: the last line has no line feed" >&2
    return 65
  fi
  lwwmerge keys --parts "$parts" "$file" | awk -v tag="$tag" -v folder="$folder" '
    {
      part = substr($0, 1, index($0, "\t") - 1)
      # The key cannot contain a tab, but the line can.
      sub(/^[^\t]*\t[^\t]*\t/, "")
      print tag "\t" $0 >>(folder "/part-" part ".tagged")
    }
    END { print NR >(folder "/lines." tag) }'
}
spread - "$old"
spread + "$new"
# Without lines there are neither parts nor differences.
test -n "$(find "$folder" -name '*.tagged')" || exit 0

now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
parallel --halt now,fail=1 deltadiff --threads 1 --now "$now" --summary {}.summary --tagged {} '>' {}.delta ::: "$folder"/*.tagged

sent=$(awk '{ lines += $1 } END { print lines }' "$folder"/lines.*)
read=$(cat "$folder"/*.summary | jq -s 'map(.lines) | add')
if [ "$read" != "$sent" ]; then
  echo "$sent lines, of which $read were read" >&2
  exit 65
fi
# The limit applies to the whole job: 256 parts with 10 deletions each make 2,560 deletions.
deletes=$(cat "$folder"/*.summary | jq -s 'map(.deletes) | add')
if [ "$deletes" -gt "$max" ]; then
  echo "$deletes records would be deleted, more than $max" >&2
  exit 77
fi
cat "$folder"/*.delta
