#!/bin/sh
# Makes a documentation archive of each library product: its public declarations, and the tasks of docs/library.md as articles.
# usage: docc.sh BUILD FOLDER
#
# BUILD has what `make release` has built; FOLDER gets PRODUCT.doccarchive. Any warning of docc is an error.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
modules=$(cd "$1/release/Modules" && pwd)
if ! command -v docc >/dev/null; then
  echo "skipped: no docc in this toolchain"
  exit 0
fi
mkdir -p "$2"
cd "$2"
rm -rf ./*

# A section of the document is an article of the last product that its example imports.
awk '
  function flush() {
    if (title == "" || product == "") return
    name = title; gsub(/[^A-Za-z]+/, "-", name)
    folder = product ".docc"; system("mkdir -p " folder)
    printf "# %s\n%s", title, text > (folder "/" name ".md")
  }
  /^## / { flush(); title = substr($0, 4); text = ""; product = ""; next }
  /^import (SyncCore|Chores|Devices|StoreSync|PeerProtocol|PeerSync)$/ && (product == "" || $2 ~ /^(PeerSync|PeerProtocol|StoreSync)$/) { product = $2 }
  /^\| `/ && title == "" { split($0, cell, / *\| */); gsub(/`/, "", cell[2]); summary[cell[2]] = cell[3] }
  # Other documents are not part of the archive.
  { line = $0; while (match(line, /\[[^]]*\]\([^)]*\)/)) {
      link = substr(line, RSTART + 1, RLENGTH - 1); sub(/\].*/, "", link)
      line = substr(line, 1, RSTART - 1) link substr(line, RSTART + RLENGTH)
    }
    sub(/^```swift .*/, "```swift", line); text = text line "\n" }
  END {
    flush()
    for (product in summary) {
      folder = product ".docc"; system("mkdir -p " folder)
      printf "# ``%s``\n\n%s.\n", product, summary[product] > (folder "/" product ".md")
    }
  }
' "$root/docs/library.md"

includes=
for folder in "$root"/Sources/System/C*/; do includes="$includes -I $folder"; done
target=$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -n 1)
for catalogue in *.docc; do
  product=${catalogue%.docc}
  mkdir "$product"
  # shellcheck disable=SC2086  # includes are several words
  swift symbolgraph-extract -module-name "$product" -I "$modules" $includes -target "$target" \
    -minimum-access-level public -output-dir "$product" >/dev/null
  docc convert "$catalogue" --additional-symbol-graph-dir "$product" --fallback-display-name "$product" \
    --fallback-bundle-identifier "peersync.$product" --fallback-bundle-version 0 --warnings-as-errors \
    --output-path "$product.doccarchive" >docc.log 2>&1 || {
    cat docc.log >&2
    exit 1
  }
done
echo "documentation archives: $(echo ./*.doccarchive)"
