#!/bin/sh
# Builds every example of docs/library.md as an app of its own, which sees only what is public, runs it, and compares what it prints.
# usage: run.sh [FOLDER]
#
# FOLDER (.build/embedding) is the package that depends on this one: by its path, or with BY=tag by a version, which is a tag in a
# clone of what is committed. With PEERSYNC_TOOLS, a folder of tools, an app of the document
# syncs with them too. With OBJECTS, the folder of `make release`, the package is only planned, and the examples are linked
# with these objects: that takes a tenth of the time.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/.build/embedding}
mkdir -p "$folder"
rm -rf "$folder/Sources" "$folder/expected"
mkdir "$folder/Sources" "$folder/expected"

# An example is a block of Swift; the block of text after it is what it prints.
awk -v folder="$folder" '
  /^```/ && inside { inside = 0; close(file); next }
  /^```swift/ {
    name = NF > 1 ? $2 : "example" ++count; inside = 1
    system("mkdir " folder "/Sources/" name); file = folder "/Sources/" name "/main.swift"; next
  }
  /^```text$/ { inside = 1; file = name ~ /^example/ ? folder "/expected/" name : "/dev/null"; name = ""; next }
  /^```/ { inside = 1; file = "/dev/null"; next }
  inside { print > file }
' "$root/docs/library.md"

# Links an example with the products that it imports.
target() {
  products=$(sed -n -E 's/^import (SyncCore|Chores|Devices|StoreSync|PeerProtocol|PeerSync)$/.product(name: "\1", package: "peersync"), /p' "Sources/$1/main.swift")
  printf '    .executableTarget(name: "%s", dependencies: [%s]),\n' "$1" "$(echo "$products" | tr -d '\n')"
}

cd "$folder"
dependency="name: \"peersync\", path: \"$root\""
if [ "${BY:-path}" = tag ]; then
  # A version of its own for each commit: the package manager keeps what it has once seen of one.
  version=0.0.$(git -C "$root" log -1 --format=%ct)
  rm -rf origin Package.resolved
  git clone --quiet --bare "$root" origin/peersync
  git -C origin/peersync tag --force "$version" HEAD >/dev/null
  dependency="url: \"file://$PWD/origin/peersync\", exact: \"$version\""
fi
{
  printf '// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n  name: "app", platforms: [.macOS(.v15)],\n'
  printf '  dependencies: [.package(%s)],\n  targets: [\n' "$dependency"
  for example in Sources/*; do target "${example#Sources/}"; done
  printf '  ])\n'
} >Package.swift

if [ -z "${OBJECTS:-}" ]; then
  swift build --quiet
else
  swift build --print-manifest-job-graph >graph
  mkdir -p .build/debug
  set -- -swift-version 6 -gnone -use-ld=lld -I "$OBJECTS/Modules"
  for module in "$root"/Sources/Core/* "$root"/Sources/System/*; do
    name=${module##*/}
    if [ -d "$OBJECTS/$name.build" ]; then set -- "$@" "$OBJECTS/$name.build"/*.o; else set -- "$@" -I "$module"; fi
  done
  for example in Sources/*; do swiftc "$example/main.swift" -o ".build/debug/${example#Sources/}" "$@"; done
fi
# In a network of its own where the system has namespaces: the examples listen, and announce themselves.
alone() {
  if unshare -n true 2>/dev/null; then unshare -n sh -c 'ip link set lo up && exec "$@"' sh "$@"; else "$@"; fi
}
# It only ends what hangs.
limited() { if command -v timeout >/dev/null; then alone timeout --kill-after=10 300 "$@"; else alone "$@"; fi; }
for example in expected/*; do
  name=${example#expected/}
  limited ".build/debug/$name" >printed || {
    echo "docs/library.md: $name ends with $?" >&2
    exit 1
  }
  diff -u "$example" printed || {
    echo "docs/library.md: $name prints something else" >&2
    exit 1
  }
done
count=$(find Sources -path '*/example*/main.swift' | wc -l)
if [ "$count" -eq 0 ] || [ "$count" -ne "$(find expected -type f | wc -l)" ]; then
  echo "docs/library.md: an example without what it prints" >&2
  exit 1
fi
echo "$count examples of docs/library.md print what they say"
# What needs the frameworks of other systems is read as Swift at least.
rm -rf parsed
mkdir parsed
awk '/^```swift$/ { file = "parsed/" ++count ".swift"; inside = 1; next } /^```/ { inside = 0 } inside { print > file }' "$root/docs/apps.md"
for file in parsed/*.swift; do swiftc -frontend -parse "$file"; done
if [ -n "${PEERSYNC_TOOLS:-}" ]; then limited "$root/Tests/Embedding/tasks.sh" "$PWD/.build/debug/tasks" "$PEERSYNC_TOOLS"; fi
