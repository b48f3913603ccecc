#!/bin/bash
# Compares two snapshots on several cores with GNU parallel, and prints the changes, unless they delete more than MAX records.
# usage: diff-parts.sh FOLDER PARTS MAX OLD NEW
#
# FOLDER is made, and must not exist. Changes are in no order of keys: deltadiff apply and lwwmerge take them in any.
set -euo pipefail

folder=$1 parts=$2 max=$3 old=$4 new=$5
mkdir "$folder"

# Writes the lines of a snapshot to the files of their parts, behind a tag, and how many there are.
spread() {
  local tag=$1 file=$2
  # A file that was cut off would look like deletions, and is no longer cut off once its lines are in parts.
  if [ -s "$file" ] && [ "$(tail -c 1 "$file" | od -An -c)" != '  \n' ]; then
    echo "$file: the last line has no line feed" >&2
    return 65
  fi
  lwwmerge keys --parts "$parts" "$file" | awk -v tag="$tag" -v folder="$folder" '
    {
      part = substr($0, 1, index($0, "\t") - 1)
      # The key has no tab, and the line may have.
      sub(/^[^\t]*\t[^\t]*\t/, "")
      print tag "\t" $0 >>(folder "/part-" part ".tagged")
    }
    END { print NR >(folder "/lines." tag) }'
}
spread - "$old"
spread + "$new"
# Without a line there is no part, and no difference.
test -n "$(find "$folder" -name '*.tagged')" || exit 0

now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
parallel --halt now,fail=1 deltadiff --threads 1 --now "$now" --summary {}.summary --tagged {} '>' {}.delta ::: "$folder"/*.tagged

sent=$(awk '{ lines += $1 } END { print lines }' "$folder"/lines.*)
read=$(cat "$folder"/*.summary | jq -s 'map(.lines) | add')
if [ "$read" != "$sent" ]; then
  echo "$sent lines, of which $read were read" >&2
  exit 65
fi
# The limit is for the whole job: each of 256 parts with 10 deletions stays below a limit that 2,560 exceed.
deletes=$(cat "$folder"/*.summary | jq -s 'map(.deletes) | add')
if [ "$deletes" -gt "$max" ]; then
  echo "$deletes records would be deleted, more than $max" >&2
  exit 77
fi
cat "$folder"/*.delta
