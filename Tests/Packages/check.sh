#!/usr/bin/env bash
# Tries the packages that 'make package' has made, each where there is nothing else.
# usage: check.sh FOLDER
set -euo pipefail

packages=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "failed: $*" >&2; exit 1; }
ok() { echo "ok: $*"; }
# Says what cannot be tried here; in CI that is a failure.
skip() { if [ -n "${CI:-}" ]; then fail "$*"; else echo "skipped: $*"; fi; }

(cd "$packages" && sha256sum --check --quiet SHA256SUMS) || fail "the checksums are not those of the packages"
tools=$(ls "$packages"/../tree/usr/bin)

# shellcheck disable=SC2016 # The shell that runs it is another one.
# What a device does first, with the tools that are found on PATH alone.
try='set -eu
mkdir -m 700 home; export PEERSYNC_HOME=$PWD/home
echo "{\"id\":\"1\",\"title\":\"Sweep\"}" >tasks.jsonl
peersync bind tasks.jsonl --entity-name Task --quiet >out
mkdir drive; peersync remote add dir:drive --quiet >out; peersync run --quiet >out
synclog dump; frame encode <tasks.jsonl | frame decode; peerpair identity --device-name Study >id
umask 077; qrpayload create --identity id | qrpayload render --format code >code; qrpayload read code >read'

if command -v dpkg-deb >/dev/null; then
  deb=$(ls "$packages"/*.deb)
  dpkg-deb --extract "$deb" deb
  dpkg-deb --field "$deb" Depends | grep -q libsqlite3 || fail "the package names no libraries"
  for tool in $tools; do
    deb/usr/bin/"$tool" --version | grep -Eq "^$tool [0-9.]+ \([0-9a-f]{12}\+?\)$" || fail "$tool of the Debian package does not start"
    [ -s "deb/usr/share/man/man1/$tool.1.gz" ] || fail "no man page of $tool"
  done
  mkdir -m 700 one
  (cd one && PATH=$work/deb/usr/bin:$PATH sh -c "$try") >said 2>&1 || { cat said; fail "the Debian package does not work"; }
  grep -q Sweep said || fail "the Debian package does something else"
  ok "the Debian package"
  if command -v lintian >/dev/null; then
    # Whoever makes a package for others says who they are.
    lintian --allow-root --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$deb" >said 2>&1 || { cat said; fail "lintian complains"; }
    ok "lintian has no complaint"
  else
    skip "lintian is not installed"
  fi
else
  skip "the Debian package: dpkg-deb is not installed"
fi

archive=$(ls "$packages"/*-linux-*.tar.gz)
mkdir -p root/opt root/tmp root/proc
tar -C root/opt -xzf "$archive"
bin=/opt/$(ls root/opt)/bin
# A system with the libraries of C and C++ and a shell, and nothing else.
for file in $(ldd "$(readlink -f /bin/sh)" "root$bin/peersync" | grep -oE '/[^ ]*/(ld-linux[^ ]*|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so[^ ]*' | sort -u) \
  /bin/sh /bin/mkdir; do
  mkdir -p "root$(dirname "$file")"
  cp -L "$file" "root$file"
  for needed in $(ldd "$file" 2>/dev/null | grep -oE '/[^ ]*\.so[^ ]*'); do
    mkdir -p "root$(dirname "$needed")"
    cp -Ln "$needed" "root$needed" 2>/dev/null || true
  done
done
if unshare -r true 2>/dev/null; then
  # shellcheck disable=SC2016 # So is this one.
  unshare -rm sh -c 'mount --rbind /proc root/proc; exec chroot root /bin/sh -c "$1"' sh "PATH=$bin:/bin; mkdir -m 700 /tmp/one; cd /tmp/one; $try" >said 2>&1 || { cat said; fail "the tarball does not work by itself"; }
  grep -q Sweep said || fail "the tarball does something else"
  ok "the tarball, in a system with nothing but the libraries of C and C++"
else
  skip "the tarball: no namespaces to be had"
fi
grep -q 'GLIBC' "root/opt/$(ls root/opt)/README" || fail "the tarball does not say which C library it needs"

if [ -e "$packages/peersync.rb" ]; then
  tar -xzf "${archive%-linux-*}.tar.gz"
  cat peersync-*/Package.swift >said || fail "the sources are not there"
  if command -v ruby >/dev/null; then ruby -c "$packages/peersync.rb" >said || fail "the formula is no Ruby"; fi
  ok "the formula and its sources"
fi
