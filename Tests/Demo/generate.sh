#!/bin/sh
# Writes two snapshots of one list: of COUNT records 10 % are changed later, 2 % deleted, 3 % added; shuffled.
# usage: generate.sh COUNT OLD NEW [SEED]
set -eu
count=$1 old=$2 new=$3 seed=${4:-20250507}

# Lines of both snapshots: OLD or NEW, a random number to sort by, the record.
# The generator (Park and Miller) is written out: every awk has a rand() of its own.
records() {
  awk -v count="$count" -v seed="$seed" '
    function random(n) { seed = seed * 16807 % 2147483647; return seed % n }
    function record(snapshot, id, version, day) {
      printf "%s %010d {\"id\":\"task-%07d\",\"title\":\"%s %s, round %d\",\"room\":\"%s\",", snapshot,
        random(2147483647), id, verbs[1 + id % 5], things[1 + id % 7], version, rooms[1 + id % 4]
      printf "\"done\":%s,\"version\":%d,\"updatedAt\":\"2025-%02d-%02dT%02d:%02d:%02d.%03dZ\"}\n",
        id % 3 ? "false" : "true", version, 1 + day / 28 % 12, 1 + day % 28, id % 24, id % 60, id * 7 % 60, id % 1000
    }
    BEGIN {
      split("Water Clean Repair Sort Move", verbs)
      split("plants windows shelves boxes papers tools shoes", things)
      split("kitchen hall bedroom cellar", rooms)
      for (id = 1; id <= count; id++) {
        day = random(150)
        record("OLD", id, 1, day)
        choice = random(100)
        if (choice < 10) record("NEW", id, 2, day + 1 + random(150))
        else if (choice >= 12) record("NEW", id, 1, day)
      }
      for (id = count + 1; id <= count + int(count * 3 / 100); id++) record("NEW", id, 1, random(300))
    }'
}

records | LC_ALL=C sort -k1,1 -k2,2n | awk -v old="$old" -v new="$new" '
  { print substr($0, 16) > ($1 == "OLD" ? old : new) }'
