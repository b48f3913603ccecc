#!/bin/sh
# Builds the tests, runs them, and prints progress, failures with their difference, and a summary.
# usage: run.sh quick | all | PATTERN...
#
# "quick" builds and runs the tests of the pure modules alone, and tries laws with a tenth of the seeds. Anything else
# is a regular expression of tests, as `swift test --filter` takes it. PEERSYNC_TOOLS (.build/release) names the
# folder of the tools that the acceptance tests run.
# VERBOSE=1 prints everything; without it FOLDER/test.log has it, where FOLDER is BUILD/tests or BUILD/quick (.build).
set -eu
cd "$(dirname "$0")/.."

# Says to Package.swift what is built, and that what laws try on much data is to be optimized.
PEERSYNC_TEST_BUILD=tests
case ${1:?"usage: run.sh quick | all | PATTERN..."} in
  quick)
    PEERSYNC_TEST_BUILD=quick
    export QUICK=1
    set --
    ;;
  all) set -- ;;
  *) for pattern in "$@"; do
    set -- "$@" --filter "$pattern"
    shift
  done ;;
esac
export PEERSYNC_TEST_BUILD
build=${BUILD:-.build}/$PEERSYNC_TEST_BUILD
log=$build/test.log
export PEERSYNC_TOOLS="${PEERSYNC_TOOLS:-$PWD/.build/release}"
# What a test prints of these goes into the summary.
export PEERSYNC_TEST_TIMES="$PWD/$build/times"

mkdir -p "$build"
rm -f "$log.status" "$PEERSYNC_TEST_TIMES"
echo "building the tests (the first time takes minutes)"
# Without what only a debugger reads.
# shellcheck disable=SC2086  # SWIFT_FLAGS are several words
if ! swift build --scratch-path "$build" --product peersyncPackageTests -Xswiftc -gnone ${SWIFT_FLAGS:-} >"$log" 2>&1; then
  grep -E '(error|warning): ' "$log" | sort -u | head -n 40
  tail -n 5 "$log"
  exit 1
fi

# `swift test` loses what it has read where that ends within a character; elsewhere than on Linux it is needed.
bundle=$build/debug/peersyncPackageTests.xctest
if [ -f "$bundle" ]; then
  set -- env NO_COLOR=1 "$bundle" --testing-library swift-testing "$@"
else
  set -- swift test --scratch-path "$build" --skip-build --disable-xctest "$@"
fi

# Shortens what a run prints, as it comes; mawk has to be asked for that.
summarize() {
  if awk -W version 2>/dev/null </dev/null | grep -q '^mawk'; then set -- -W interactive; else set --; fi
  awk "$@" -f Tests/summary.awk -v log_file="$log"
}

# The status of the run, which the pipe would hide, goes to a file.
{
  "$@" 2>&1 || echo "$?" >"$log.status"
} | tee "$log" | if [ -n "${VERBOSE:-}" ]; then cat; else summarize; fi
if [ -s "$log.status" ]; then exit 1; fi
