#!/usr/bin/env bash
# Feeds mutated bytes to the pure code with libFuzzer, each target for FUZZ_SECONDS (600).
# usage: fuzz.sh [--minimize] [TARGET...]
#
# All targets are built into one program first, whichever are run. Each starts from its kept inputs in Corpus; with
# --minimize these are written anew from all that has been learned. FUZZ_BUILD (.build/fuzz) holds the program, what
# each target has learned, and the inputs that crashed. FUZZ_JOBS (2) targets run at once. Exits with 1 if one crashed.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${FUZZ_SECONDS:-600}
jobs=${FUZZ_JOBS:-2}
build=${FUZZ_BUILD:-.build/fuzz}
kept=Tests/Fuzz/Corpus
# Of the kept inputs of one target, in Base64: with all targets they must stay below 1 MB.
largest_corpus=58000
options=(
  -wmo -parse-as-library -swift-version 6 -strict-memory-safety -package-name peersync -sanitize=fuzzer
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault
  -enable-experimental-feature Lifetimes
)
limits=(-timeout=10 -rss_limit_mb=2048 -max_len=2048 -verbosity=1)
# A crash must end the process at once.
export SWIFT_BACKTRACE=enable=no

# Compiles a module, unless neither it nor those before it have changed since; its object files become one archive.
build_module() {
  local module=$1 archive=$build/lib$1.a
  sources+=("Sources/$module")
  [ -z "$(find "${sources[@]}" Tests/Fuzz/fuzz.sh -newer "$archive" 2>&1 | head -n 1)" ] && return
  find "Sources/$module" -name '*.swift' -print0 | sort -z |
    xargs -0 swiftc -O "${options[@]}" -num-threads 2 -I "$build" -module-name "$module" -emit-module \
      -emit-module-path "$build/$module.swiftmodule" -emit-library -static -o "$archive"
}

# The modules in the order of their imports, then the targets. Most of the time goes into SyncCore.
build_program() {
  local module target sources=()
  mkdir -p "$build/crashes"
  for module in JSONLines SyncCore SystemIO Discovery; do build_module "$module"; done
  swiftc -O "${options[@]}" -I "$build" -L "$build" -module-name Fuzz -o "$build/fuzz" Tests/Fuzz/Entry.swift \
    Tests/Fuzz/Targets/*.swift -lDiscovery -lSystemIO -lSyncCore -lJSONLines
  for target in "$@"; do ln -sf fuzz "$build/$target"; done
}

# Writes the kept inputs of a target into a folder; they are in Base64, one a line.
unpack() {
  mkdir -p "$2"
  [ ! -f "$kept/$1" ] || perl -MMIME::Base64 -ne '
    open my $file, ">:raw", sprintf("%s/kept-%05d", $ENV{folder}, $.) or die $!;
    print $file decode_base64($_)' "$kept/$1"
}

# Writes as many of the inputs in a folder as may be kept, the shortest first, and in an order that does not depend on
# when they were found.
pack() {
  limit=$largest_corpus perl -MMIME::Base64 -e '
    local $/; my (@texts, $size);
    for (glob "$ENV{folder}/*") { open my $file, "<:raw", $_ or die $!; push @texts, encode_base64(<$file>, ""); }
    for (sort { length $a <=> length $b or $a cmp $b } @texts) {
      last if ($size += 1 + length) > $ENV{limit};
      print "$_\n";
    }'
}

run_target() {
  local target=$1 log=$build/$1.log
  folder=$build/kept/$target
  export folder
  rm -rf "$folder"
  unpack "$target" "$folder"
  mkdir -p "$build/corpus/$target"
  if "$build/$target" "${limits[@]}" -max_total_time="$seconds" -dict=Tests/Fuzz/words.dict -print_final_stats=1 \
    -artifact_prefix="$build/crashes/$target-" "$build/corpus/$target" "$folder" >"$log" 2>&1; then
    awk -v target="$target" '/stat::number_of_exec/ { runs = $2 } /stat::average_exec/ { rate = $2 }
      END { printf "%-9s %d runs, %d a second\n", target, runs, rate }' "$log"
  else
    printf '%-9s crashed; the input is in %s/crashes\n' "$target" "$build"
    tail -n 30 "$log"
    return 1
  fi
}

# Keeps the fewest inputs that reach what all inputs reach: those kept, the vectors, and what has been learned.
minimize_target() {
  local target=$1
  folder=$build/kept/$target
  export folder
  rm -rf "$folder" "$build/seeds/$target" "$build/minimal/$target"
  unpack "$target" "$folder"
  Tests/Fuzz/corpus.sh "$target" "$build/seeds/$target"
  mkdir -p "$build/corpus/$target" "$build/minimal/$target"
  "$build/$target" "${limits[@]}" -set_cover_merge=1 "$build/minimal/$target" "$folder" "$build/seeds/$target" \
    "$build/corpus/$target" >"$build/$target.log" 2>&1
  mkdir -p "$kept"
  folder=$build/minimal/$target pack >"$build/$target.kept"
  mv "$build/$target.kept" "$kept/$target"
  printf '%-9s %d inputs of %d\n' "$target" "$(wc -l <"$kept/$target")" "$(find "$build/minimal/$target" -type f | wc -l)"
}

work=--run
case ${1:-} in
  --run)
    run_target "$2"
    exit
    ;;
  --merge)
    minimize_target "$2"
    exit
    ;;
  --minimize)
    work=--merge
    shift
    ;;
  *) ;;
esac
if [ "$#" -eq 0 ]; then
  for file in Tests/Fuzz/Targets/*.swift; do set -- "$@" "$(basename "$file" .swift)"; done
fi
build_program "$@"
echo "built in $SECONDS s"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" Tests/Fuzz/fuzz.sh "$work" || exit 1
