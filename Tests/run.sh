#!/bin/sh
# Builds the tests, runs them, and prints progress, failures with their difference, and a summary.
# usage: run.sh quick | all | PATTERN...
#
# "quick" builds and runs the tests of the pure modules alone, for debugging, and tries laws with a tenth of the seeds. Anything
# else is a regular expression of tests, as `swift test --filter` takes it; it needs the tools that `make release` has built in
# BUILD (.build), and is linked with the same objects. SWIFT_FLAGS are those of that build.
# VERBOSE=1 prints everything; without it FOLDER/test.log has it, where FOLDER is BUILD/tests or BUILD/quick.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-.build}

kind=tests
case ${1:?"usage: run.sh quick | all | PATTERN..."} in
  quick)
    kind=quick
    export QUICK=1
    set --
    ;;
  all) set -- ;;
  *) for pattern in "$@"; do
    set -- "$@" --filter "$pattern"
    shift
  done ;;
esac
# Says to Package.swift what is built.
export PEERSYNC_TEST_BUILD=$kind
folder=$build/$kind
log=$folder/test.log
if [ "$kind" = quick ]; then
  options="--scratch-path $folder -Xswiftc -gnone"
  bundle=$folder/debug/peersyncPackageTests.xctest
else
  options="-c release --scratch-path $build"
  bundle=$build/release/peersyncPackageTests.xctest
fi
export PEERSYNC_TOOLS="$PWD/$build/release"
# Otherwise each error that is thrown costs a backtrace: half of the time of the module tests.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0
# What a test prints of these goes into the summary.
export PEERSYNC_TEST_TIMES="$PWD/$folder/times"

mkdir -p "$folder"
rm -f "$log.status" "$PEERSYNC_TEST_TIMES"

# `swift test` loses what it has read where that ends within a character; elsewhere than on Linux it is needed.
run() {
  if [ -f "$bundle" ]; then
    env NO_COLOR=1 "$bundle" --testing-library swift-testing "$@" 2>&1
  else
    # shellcheck disable=SC2086
    swift test $options --skip-build --disable-xctest "$@" 2>&1
  fi
}

# Tests that run the tools wait for much: the others run beside them, and are told afterwards.
run_all() {
  { run --skip '^AcceptanceTests\.' || echo modules >>"$log.status"; } >"$log.modules" &
  # They have less to compute, and wait the longer.
  nice -n 5 env NO_COLOR=1 "$bundle" --testing-library swift-testing --filter '^AcceptanceTests\.' 2>&1 ||
    echo acceptance >>"$log.status"
  wait
  cat "$log.modules"
}

# Shortens what a run prints, as it comes; mawk has to be asked for that.
summarize() {
  if awk -W version 2>/dev/null </dev/null | grep -q '^mawk'; then set -- -W interactive; else set --; fi
  awk "$@" -f Tests/summary.awk -v log_file="$log" -v runs="$runs"
}

echo "building the tests (the first time takes minutes)"
# shellcheck disable=SC2086  # options and SWIFT_FLAGS are several words
swift build $options --product peersyncPackageTests ${SWIFT_FLAGS:--Xswiftc -enable-testing} >"$log" 2>&1 || {
  grep -E '(error|warning): ' "$log" | sort -u | head -n 40
  tail -n 5 "$log"
  exit 1
}
runs=1
if [ "$kind-$#" = tests-0 ] && [ -f "$bundle" ]; then runs=2; fi

# The status of the run, which the pipe would hide, goes to a file.
{
  if [ "$runs" = 2 ]; then run_all; else run "$@" || echo failed >"$log.status"; fi
} | tee "$log" | if [ -n "${VERBOSE:-}" ]; then cat; else summarize; fi
if [ -s "$log.status" ]; then exit 1; fi
# A run that ends early has no last line, whatever its status is.
if [ "$(grep -c ' Test run with ' "$log")" -ne "$runs" ]; then
  echo "the tests have not come to their end" >&2
  exit 1
fi
