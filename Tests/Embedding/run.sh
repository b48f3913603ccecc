#!/bin/sh
# Builds every example of docs/library.md as an app of its own, which sees only what is public, runs it, and compares what it prints.
# usage: run.sh [FOLDER]
#
# FOLDER (.build/embedding) is what the app is built in.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/.build/embedding}
mkdir -p "$folder"
rm -rf "$folder/Sources" "$folder/expected"
mkdir "$folder/Sources" "$folder/expected"
cp "$root/Tests/Embedding/Package.swift" "$folder"

# An example is a block of Swift; the block after it is what it prints.
awk -v folder="$folder" '
  /^```/ && inside { inside = 0; close(file); next }
  /^```swift$/ {
    name = "example" ++count; inside = 1
    system("mkdir " folder "/Sources/" name); file = folder "/Sources/" name "/main.swift"; next
  }
  /^```text$/ { inside = 1; file = name ? folder "/expected/" name : "/dev/null"; name = ""; next }
  /^```/ { inside = 1; file = "/dev/null"; next }
  inside { print > file }
' "$root/docs/library.md"

cd "$folder"
PEERSYNC_PACKAGE=$root swift build --quiet
for example in expected/*; do
  name=${example#expected/}
  ".build/debug/$name" | diff -u "$example" - || {
    echo "docs/library.md: $name prints something else" >&2
    exit 1
  }
done
count=$(find Sources -name main.swift | wc -l)
[ "$count" -gt 0 ] && [ "$count" -eq "$(find expected -type f | wc -l)" ] || {
  echo "docs/library.md: an example without what it prints" >&2
  exit 1
}
echo "$count examples of docs/library.md print what they say"
