#!/bin/sh
# Runs a command in network namespaces of its own, as root or by user namespaces.
# usage: in-namespaces.sh COMMAND [ARG...]
#
# Ends with 77 where the machine gives none.
set -eu

for options in -n "-Urn --map-root-user"; do
  # Words, of which there are several.
  # shellcheck disable=SC2086
  if unshare $options true 2>/dev/null; then
    # shellcheck disable=SC2086
    exec unshare $options -- "$@"
  fi
done
echo "no namespaces to be had" >&2
exit 77
