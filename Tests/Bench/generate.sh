#!/bin/sh
# Prints COUNT records of about 265 bytes, the same for the same SEED.
# usage: generate.sh COUNT [SEED]
set -eu

# Park and Miller's generator is written out: every awk has a rand() of its own.
LC_ALL=C awk -v count="$1" -v seed="${2:-1}" '
  function random(n) { seed = seed * 16807 % 2147483647; return seed % n }
  BEGIN {
    split("Water Clean Repair Sort Move Fold Paint", verbs)
    split("plants windows shelves boxes papers tools shoes lamps", things)
    for (id = 1; id <= count; id++) {
      printf "{\"entityName\":\"Task\",\"identity\":{\"id\":\"%08x-%04x\"},\"modifiedAt\":\"2025-%02d-%02dT%02d:%02d:%02d.%03dZ\",",
        random(2147483647), random(65536), 1 + random(12), 1 + random(28), random(24), random(60), random(60), random(1000)
      printf "\"version\":%d,\"fields\":{\"title\":\"%s the %s\",\"notes\":\"%s\",\"minutes\":%d,\"done\":%s,\"position\":%d.%d}}\n",
        1 + random(9), verbs[1 + random(7)], things[1 + random(8)],
        "Caf\303\251, \\\"second\\\" floor: take the long ladder and two dry cloths", random(240),
        random(2) ? "true" : "false", random(1000), random(1000)
    }
  }'
