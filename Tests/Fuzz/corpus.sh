#!/bin/sh
# Writes the first inputs of a fuzz target, made from the vectors, into a folder.
# usage: corpus.sh TARGET FOLDER
set -eu

target=$1
folder=$2
vectors=$(dirname "$0")/../Vectors
mkdir -p "$folder"

# The texts, Base64, one a line.
texts() {
  case $target in
    json) jq -r '.[] | .text // empty | @base64' "$vectors/json-scan.json" ;;
    clock)
      jq -r '.[] | (.winner, .loser) | fromjson | (.updatedAt, .deletedAt, .completedAt) | values
        | tojson, (strings) | @base64' "$vectors/merge-order.json"
      ;;
    profile) jq -r '.[] | .text | @base64' "$vectors/profiles.json" ;;
    merge)
      jq -r 'to_entries[] | ([.key % 4] | implode) + .value.winner + "\n" + .value.loser + "\n" | @base64' \
        "$vectors/merge-order.json"
      ;;
    frame)
      jq -r '["u32be","u32le","u16be","u16le","u64be","varint","netstring","content-length"] as $prefixes
        | to_entries[] | .value.prefix as $prefix | "0\($prefixes | index($prefix))0\(.key % 10)\(.value.hex)"' \
        "$vectors/frames.json" | from_hex
      ;;
    hex)
      jq -r '.[] | .hex | select(length < 400) | ., gsub("(?<a>..)"; "\(.a) "), "00000000: " + gsub("(?<a>....)"; "\(.a) ")
        | @base64' "$vectors/frames.json"
      ;;
    wire)
      jq -r '(.deltas[] | ("\u0000", "\u0001") + .delta, "\u0002" + (.lines | join("\n"))),
        (.unpackErrors[] | "\u0001" + .delta), (.packErrors[] | ("\u0002", "\u0003") + .line) | @base64' \
        "$vectors/wire-delta.json"
      ;;
    turns) chunks '' '^{"entity' assign ;;
    lines) chunks '\0' '^{"\(id\|entity\)' lwwmerge deltadiff synclog ;;
    household) chunks '\0' '^{"\(entity\|id\|memberID\)' assign notify ;;
    mesh) chunks '' '^{"\(at\|callback\|event\|command\|intent\|handle\)' meshevents ;;
    context) chunks '' '^{' watchcontext ;;
    dialogue)
      chunks '\0' 'protocolVersion":2' synclog frame
      chunks '\1' 'protocolVersion":1' synclog frame
      chunks '\2' 'protocolVersion":2' synclog
      jq -r '.[] | ("\u0000", "\u0001") + .text | @base64' "$vectors/messages.json"
      ;;
    pairing)
      jq -r '[.[].text] as $all | (range(6) | [.] | implode) + ($all[], ($all | .[:6] | join("\n")), ($all | .[1:3] | join("\n")))
        | @base64' "$vectors/messages.json"
      chunks '\6' 'pairingSessionId\|bytesSent' peerpair peersync
      ;;
    story) for file in "$vectors"/stories/*; do head -c 2048 "$file" | base64 -w 0 && echo; done ;;
    zone) for name in Paris Lisbon Dublin; do base64 -w 0 "/usr/share/zoneinfo/Europe/$name" && echo; done ;;
    payload)
      jq -r '.[] | select(.text | length < 2000) | "\u0000" + .text | @base64' "$vectors/pairing-payloads.json"
      jq -rn '["\u0001" + ({peerId: "6f2c9a4e-0000-4000-8000-000000000001", deviceName: "Mac", publicKeyFingerprint: "0",
        protocolVersion: 1, pairedAt: "2026-01-01T00:00:00Z", other: [1]} | tojson) + "\n"][] | @base64'
      ;;
    mdns)
      for packet in 08_000000000001000000000000085f61707073796e63045f746370056c6f63616c00000c0001 \
        00_000084000000000200000000085f61707073796e63045f746370056c6f63616c00000c000100001194000a074b69746368656ec00cc02b0021800100000078000c000000001b5803626f78c01a \
        00_000000000001000000010000074b69746368656e085f61707073796e63045f746370056c6f63616c0000ff0001c00c00100001000000780001 \
        ; do
        echo "$packet" | tr -d _
      done | from_hex
      ;;
    *) ;;
  esac
}

# A first byte and lines that match, out of the transcripts whose names begin so; as many lines as an input has room
# for.
chunks() {
  first=$1 pattern=$2
  shift 2
  for name; do
    for file in "$vectors"/../*/Cases/"$name"*.trn; do
      [ -e "$file" ] || continue
      grep -e "$pattern" "$file" | first=$first awk '
        function flush() { if (size) { print text | command; close(command) } text = ""; size = 0 }
        BEGIN { command = "{ printf %b \"$first\"; cat; } | base64 -w 0; echo" }
        length > 1500 { next }
        { if (size + length > 1500) flush(); text = text (size ? "\n" : "") $0; size += length + 1 }
        END { flush() }'
    done
  done
}

# What has made the target fail before.
findings() {
  jq -r --arg target "$target" '.[] | select(.target == $target) | .hex' "$vectors/fuzz-findings.json" | from_hex
}

from_hex() {
  while read -r hex; do
    printf '%s' "$hex" | xxd -r -p | base64 -w 0
    echo
  done
}

number=0
{ texts; findings; } | sort -u | while read -r text; do
  number=$((number + 1))
  printf '%s' "$text" | base64 -d >"$folder/$number"
done
