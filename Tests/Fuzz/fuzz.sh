#!/usr/bin/env bash
# Feeds random bytes to the pure code with libFuzzer, each target for FUZZ_SECONDS (600).
# usage: fuzz.sh [TARGET...]
#
# FUZZ_BUILD (.build/fuzz) keeps the programs, what each target has learnt, and the inputs that crashed.
# FUZZ_JOBS (2) targets run at once. Ends with 1 where one of them has crashed.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${FUZZ_SECONDS:-600}
jobs=${FUZZ_JOBS:-2}
build=${FUZZ_BUILD:-.build/fuzz}
modules=(JSONLines SyncCore SystemIO Discovery)
options=(
  -O -wmo -parse-as-library -swift-version 6 -strict-memory-safety -package-name peersync -sanitize=fuzzer
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault
  -enable-experimental-feature Lifetimes
)
# A crash must end the process at once.
export SWIFT_BACKTRACE=enable=no

# The modules in the order of their imports, then one program a target.
build_targets() {
  local module target objects=()
  mkdir -p "$build/crashes"
  for module in "${modules[@]}"; do
    find "Sources/$module" -name '*.swift' -print0 | sort -z |
      xargs -0 swiftc "${options[@]}" -I "$build" -module-name "$module" -emit-module \
        -emit-module-path "$build/$module.swiftmodule" -c -o "$build/$module.o"
    objects+=("$build/$module.o")
  done
  for target in "$@"; do
    swiftc "${options[@]}" -I "$build" -module-name Fuzz -o "$build/$target" \
      Tests/Fuzz/Entry.swift "Tests/Fuzz/Targets/$target.swift" "${objects[@]}"
  done
}

# Seeds a target and runs it; what it prints goes to a log.
run_target() {
  local target=$1 log=$build/$1.log
  Tests/Fuzz/corpus.sh "$target" "$build/seeds/$target"
  mkdir -p "$build/corpus/$target"
  if "$build/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=2048 \
    -dict=Tests/Fuzz/words.dict -artifact_prefix="$build/crashes/$target-" -print_final_stats=1 -verbosity=1 \
    "$build/corpus/$target" "$build/seeds/$target" >"$log" 2>&1; then
    awk -v target="$target" '/stat::number_of_exec/ { runs = $2 } /stat::average_exec/ { rate = $2 }
      END { printf "%-8s %d runs, %d a second\n", target, runs, rate }' "$log"
  else
    printf '%-8s crashed; the input is in %s/crashes\n' "$target" "$build"
    tail -n 30 "$log"
    return 1
  fi
}

if [ "${1:-}" = --run ]; then
  run_target "$2"
  exit
fi
if [ "$#" -eq 0 ]; then
  for file in Tests/Fuzz/Targets/*.swift; do set -- "$@" "$(basename "$file" .swift)"; done
fi
build_targets "$@"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$jobs" Tests/Fuzz/fuzz.sh --run || exit 1
