#!/usr/bin/env bash
# Feeds mutated bytes to the pure code with libFuzzer, each target for FUZZ_SECONDS (120).
# usage: fuzz.sh [--minimize] [TARGET...]
#
# All targets are built into one program first, whichever are run. Each starts from its kept inputs in Corpus; with
# --minimize these are written anew from all that has been learned. FUZZ_BUILD (.build/fuzz) holds the program, what
# each target has learned, and the inputs that crashed. FUZZ_JOBS (2) targets run at once. FUZZ_SEED makes a run like
# the last one with that seed; 0, the default, is a new one. With FUZZ_RELEASE, the folder of `make release`, its objects
# are linked: the program is there in half a minute, but mutates without seeing what an input has reached. Exits with 1
# if one crashed.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${FUZZ_SECONDS:-120}
jobs=${FUZZ_JOBS:-2}
release=${FUZZ_RELEASE:-}
build=${FUZZ_BUILD:-.build/fuzz${release:+-release}}
optimize=-O
package=peersync
if [ -n "$release" ]; then
  optimize=-Onone
  # The package manager names the package after its folder.
  package=$(grep -o '"-package-name","[^"]*' "$release.yaml" | sed -n '1s/.*"//p')
fi
kept=Tests/Fuzz/Corpus
# In bytes, of the kept inputs of one target: compressed, those of all targets must stay below 1 MB.
largest_corpus=400000
options=(
  "$optimize" -wmo -parse-as-library -swift-version 6 -strict-memory-safety -package-name "$package" -sanitize=fuzzer
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault
  -enable-experimental-feature Lifetimes
)
limits=(-timeout=10 -rss_limit_mb=2048 -max_len=2048 -verbosity=1 -seed="${FUZZ_SEED:-0}")
# A crash must end the process at once.
export SWIFT_BACKTRACE=enable=no

# In the order of their imports.
modules=(JSONLines SystemIO SyncCore Pairing Chores Devices Captures Drawings Simulation ServerProtocol Discovery)

# Compiles a module, unless neither it nor a module before it has changed since; its object files become one archive.
build_module() {
  local module=$1 archive=$build/lib$1.a
  [ -z "$(find "${folders[@]}" -newer "$archive" 2>&1 | head -n 1)" ] && return
  find Sources/*/"$module" -name '*.swift' -print0 | sort -z |
    xargs -0 swiftc "${options[@]}" -num-threads 2 -I "$build" -module-name "$module" -emit-module \
      -emit-module-path "$build/$module.swiftmodule" -emit-library -static -o "$archive"
}

# The modules, then the targets. Most of the time goes into SyncCore.
build_program() {
  local target module interfaces=$build folders=() libraries=()
  mkdir -p "$build/crashes"
  for module in "${modules[@]}"; do
    if [ -n "$release" ]; then
      interfaces=$release/Modules
      libraries+=("$release/$module.build"/*.o)
      continue
    fi
    folders+=(Sources/*/"$module")
    libraries=("-l$module" "${libraries[@]}")
    build_module "$module"
  done
  swiftc "${options[@]}" -I "$interfaces" -L "$build" -module-name Fuzz -o "$build/fuzz" Tests/Fuzz/Entry.swift \
    Tests/Fuzz/Targets/*.swift "${libraries[@]}" -lswiftSynchronization
  for target in "$@"; do ln -sf fuzz "$build/$target"; done
}

# Writes the kept inputs of a target into a folder; they are lines of hex.
unpack() {
  mkdir -p "$2"
  [ ! -f "$kept/$1.gz" ] || gzip -dc "$kept/$1.gz" | folder=$2 perl -ne '
    open my $file, ">:raw", sprintf("%s/kept-%05d", $ENV{folder}, $.) or die $!;
    chomp; print $file pack("H*", $_)'
}

# Writes as many of the inputs in a folder as may be kept, the shortest first, and in an order that does not depend on
# when they were found.
pack() {
  folder=$1 limit=$largest_corpus perl -e '
    local $/; my (@texts, $size);
    for (glob "$ENV{folder}/*") { open my $file, "<:raw", $_ or die $!; push @texts, unpack("H*", <$file> // ""); }
    for (sort { length $a <=> length $b or $a cmp $b } @texts) {
      last if ($size += length($_) / 2) > $ENV{limit};
      print "$_\n";
    }' | gzip -9n
}

run_target() {
  local target=$1 log=$build/$1.log folder=$build/kept/$1
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
  local target=$1 folder=$build/kept/$1
  rm -rf "$folder" "$build/seeds/$target" "$build/minimal/$target"
  unpack "$target" "$folder"
  Tests/Fuzz/corpus.sh "$target" "$build/seeds/$target"
  mkdir -p "$build/corpus/$target" "$build/minimal/$target"
  "$build/$target" "${limits[@]}" -set_cover_merge=1 "$build/minimal/$target" "$folder" "$build/seeds/$target" \
    "$build/corpus/$target" >"$build/$target.log" 2>&1
  mkdir -p "$kept"
  pack "$build/minimal/$target" >"$build/$target.gz"
  mv "$build/$target.gz" "$kept/$target.gz"
  printf '%-9s %d inputs, %d bytes\n' "$target" "$(gzip -dc "$kept/$target.gz" | wc -l)" "$(wc -c <"$kept/$target.gz")"
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
