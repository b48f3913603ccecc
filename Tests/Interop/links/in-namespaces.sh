#!/bin/sh
# Runs a command in network namespaces of its own, as root or by user namespaces.
# usage: in-namespaces.sh COMMAND [ARG...]
#
# Ends with 77 where the machine gives none.
set -eu

if [ "$(id -u)" -eq 0 ]; then
  set -- unshare -n -- "$@"
else
  set -- unshare -Urn --map-root-user -- "$@"
fi
if ! unshare -n true 2>/dev/null && ! unshare -Urn true 2>/dev/null; then
  echo "no namespaces to be had" >&2
  exit 77
fi
exec "$@"
