#!/usr/bin/env bash
# Brings two devices together over a TCP connection and says what it shows.
# usage: demo.sh TOOLS_FOLDER
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$1" && pwd)
export PATH=$tools:$PATH LC_ALL=C
unset PEERSYNC_ERRORS
work=$(mktemp -d)
listener=
server=
finish() {
  if [ -n "$listener" ]; then kill -- "-$listener" 2>/dev/null || true; fi
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT
cd "$work"

# Waits until FILE, which exists, names a port.
port_in() { # PATTERN FILE
  for ((try = 0; try < 1200; try++)); do
    port=$(sed -n "s/.*$1\\([0-9][0-9]*\\).*/\\1/p" "$2" | head -n 1)
    if [ -n "$port" ]; then return; fi
    sleep 0.05
  done
  cat "$2" >&2
  return 1
}

# Receives a delta and merges it into FILE; says on which port.
# socat takes a free port by itself and names it in its log, so that nobody else can come in between.
listen() { # FILE RESULT
  : >log
  set -m # a process group of its own, to be ended as a whole
  (
    socat -d -d -u TCP-LISTEN:0,bind=127.0.0.1,accept-timeout=60 - 2>>log |
      frame decode | lwwmerge --drop-tombstones "$1" - >"$2"
  ) &
  listener=$!
  set +m
  port_in ' listening on .*:' log
}

# Sends what OLD lacks of NEW, and waits until the other side has merged it.
send() { # OLD NEW
  deltadiff "$1" "$2" | frame encode | socat -u - "TCP:127.0.0.1:$port"
  wait "$listener"
  listener=
}

show_pipe() {
  cat <<END
    phone   \$ socat -u TCP-LISTEN:$port - | frame decode | lwwmerge --drop-tombstones phone.jsonl -
    laptop  \$ deltadiff phone.jsonl laptop.jsonl | frame encode | socat -u - TCP:127.0.0.1:$port
END
}

compare() { # RESULT NEW
  sort "$2" >sorted
  if ! cmp "$1" sorted; then
    echo "the result is not what the laptop has" >&2
    exit 1
  fi
}

indent() { sed 's/^/    /'; }
lines() { wc -l <"$1" | tr -d ' '; }
size() { wc -c <"$1" | awk '{ printf "%.1f MB", $1 / 1000000 }'; }
row() { printf '    %-14s %7s lines  %8s\n' "$1" "$(lines "$1")" "$(size "$1")"; }

small_lists() {
  cp "$here/phone.jsonl" "$here/laptop.jsonl" .
  cat <<'END'

Two devices, no cloud
=====================

A phone and a laptop have the same task list. Since they last met, the laptop has
changed three tasks, added one and deleted one. What does the phone lack?

    $ deltadiff phone.jsonl laptop.jsonl
END
  deltadiff phone.jsonl laptop.jsonl | indent
  listen phone.jsonl merged.jsonl
  printf '\nOnly that goes over the wire, each change in a frame of its own:\n\n'
  show_pipe
  send phone.jsonl laptop.jsonl
  compare merged.jsonl laptop.jsonl
  printf '\nNow the phone has the lines of the laptop, sorted by key:\n\n'
  indent <merged.jsonl
}

large_lists() {
  local TIMEFORMAT='    delta, frames, TCP and merge took %R s'
  rm -f -- *.jsonl
  cat <<'END'

The same with 100,000 tasks
===========================

10 % changed, 2 % deleted, 3 % added, in no order:

END
  "$here/generate.sh" 100000 phone.jsonl laptop.jsonl
  deltadiff phone.jsonl laptop.jsonl >delta.jsonl
  row phone.jsonl
  row laptop.jsonl
  row delta.jsonl
  echo
  listen phone.jsonl merged.jsonl
  show_pipe
  echo
  { time send phone.jsonl laptop.jsonl; } 2>&1
  compare merged.jsonl laptop.jsonl
  printf '\nAgain the phone has the lines of the laptop, sorted by key: %s, every byte the same.\n' "$(lines merged.jsonl)"
}

phone() { PEERSYNC_HOME=$work/phone "$@"; }
laptop() { PEERSYNC_HOME=$work/laptop "$@"; }

pair_devices() {
  phone peerpair identity --device-name phone >/dev/null
  laptop peerpair identity --device-name laptop >/dev/null
  : >said
  umask 077; PEERSYNC_HOME=$work/laptop peersync pair --yes --port 0 >symbol 2>>said &
  server=$!
  port_in 'on port ' said
  head -n 1 symbol | phone peersync pair --yes --scan - --address "localhost:$port" 2>&1 >/dev/null | indent
  wait "$server"
  server=
  grep '^peersync: paired' said | indent
}

sync_devices() {
  local TIMEFORMAT='    it took %R s'
  # Not by the function, so that the process to be ended is the tool and no shell around it.
  : >served
  PEERSYNC_HOME=$work/laptop peersync serve --quiet --port 0 >>served &
  server=$!
  port_in '"port":' served
  { time phone peersync run --quiet --address "localhost:$port" | tail -n 1 | indent; } 2>&1
  kill "$server"
  wait "$server" || true # a signal ended it
  server=
}

paired_devices() {
  cat <<'END'

Two devices that know each other
================================

Now each has a store, and a key of its own; they pair by what a QR symbol says:

    laptop  $ peersync pair
    phone   $ peersync pair --scan scanned.txt --address laptop.local:PORT

END
  pair_devices
  "$here/generate.sh" 10000 phone.jsonl laptop.jsonl
  phone synclog record phone.jsonl >/dev/null
  laptop synclog record laptop.jsonl >/dev/null
  printf '\n10,000 tasks on either side, many of them the same and some newer here or there:\n\n'
  cat <<'END'
    laptop  $ peersync serve
    phone   $ peersync run

END
  sync_devices
  phone synclog dump >phone.dump
  laptop synclog dump >laptop.dump
  if ! cmp phone.dump laptop.dump; then
    echo "the two stores are not the same" >&2
    exit 1
  fi
  printf '\nBoth stores are the same: %s tasks, every byte.\n' "$(lines phone.dump)"
}

small_lists
large_lists
paired_devices
