#!/usr/bin/env bash
# Pairs and syncs two devices, and draws what a person sees as an SVG picture on standard output.
# usage: session.sh FOLDER_OF_THE_TOOLS
#
# In a network of its own; ends with 77 where the machine gives none. What differs from run to run, as a key, is cut.
set -euo pipefail

tools=$(cd "$1" && pwd)
if [ -z "${IN_NAMESPACE:-}" ]; then
  space=(unshare -n)
  [ "$(id -u)" -eq 0 ] || space=(unshare -Urn --map-root-user)
  "${space[@]}" true 2>/dev/null || exit 77
  IN_NAMESPACE=1 exec "${space[@]}" "$0" "$tools"
fi
ip link set lo up
ip link set lo multicast on
ip route add 224.0.0.0/4 dev lo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$tools:$PATH TERM=dumb NO_COLOR=1
umask 077
mkdir "$work/laptop" "$work/desktop"

# at DEVICE COMMAND: what a person at its terminal sees.
at() {
  printf '%s$ %s\n' "$1" "$2"
  PEERSYNC_HOME=$work/$1/home script -qec "cd '$work/$1'; stty cols 78; $2" /dev/null </dev/null | tr -d '\r' |
    sed "s:$work/$1/::; s/\x1b\[[0-9;]*m//g; s/\(key [0-9a-f]\{4\}\)[0-9a-f]*/\1…/; s/key [0-9a-f]\{4\}…/key …/"
}

until_says() { until grep -qs "$1" "$2"; do sleep 0.05; done; }

story() {
  trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT
  printf '{"id":"k7f","title":"Water the plants"}\n{"id":"p2m","title":"Oil the hinges"}\n' >"$work/laptop/tasks.jsonl"
  : >"$work/desktop/tasks.jsonl"
  for device in laptop desktop; do
    PEERSYNC_HOME=$work/$device/home peerpair identity --device-name "$device" >/dev/null
    at "$device" 'peersync bind tasks.jsonl --entity-name Task > bound.json'
  done
  printf 'laptop$ peersync pair && peersync serve\n'
  (
    export PEERSYNC_HOME=$work/laptop/home
    cd "$work/laptop"
    peersync pair --yes >symbol 2>said && exec peersync serve >served 2>&1
  ) &
  until_says 'on port' "$work/laptop/said"
  head -n 1 "$work/laptop/symbol" >"$work/desktop/symbol"
  at desktop 'peersync pair --scan symbol --yes > peer.json'
  until_says . "$work/laptop/served"
  at desktop "peersync run | jq -c 'select(.deviceName) | [.deviceName, .changesReceived]'"
  at desktop "sed -i 's/hinges/doors/' tasks.jsonl"
  at desktop 'peersync run > sync.log'
  until grep -q doors "$work/laptop/tasks.jsonl"; do sleep 0.05; done
  at laptop 'cat tasks.jsonl'
  at desktop 'peersync status'
}

draw() {
  awk '
    { if (length($0) > longest) longest = length($0); gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;"); lines[NR] = $0 }
    END {
      height = 24 + 20 * NR
      # A character of the usual fonts is up to 0.602 of their size wide.
      width = 32 + int(8.5 * longest)
      printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"14\">\n", width, height
      print "<style>text{fill:#24292f;white-space:pre}.typed{fill:#0550ae;font-weight:bold}.back{fill:#f6f8fa}" \
        "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.typed{fill:#79c0ff}.back{fill:#161b22}}</style>"
      printf "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width, height
      for (i = 1; i <= NR; i++) {
        typed = lines[i] ~ /^(laptop|desktop)\$ /
        printf "<text x=\"16\" y=\"%d\"%s xml:space=\"preserve\">%s</text>\n", 10 + 20 * i, typed ? " class=\"typed\"" : "", lines[i]
      }
      print "</svg>"
    }'
}

story | draw
