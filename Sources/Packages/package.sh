#!/usr/bin/env bash
# Makes packages of an installed tree.
# usage: package.sh TREE FOLDER
#
# TREE is what 'make install PREFIX=/usr' has put below DESTDIR. In FOLDER are then:
#   peersync_VERSION_ARCH.deb            where dpkg-deb is
#   peersync-VERSION-linux-ARCH.tar.gz   with the libraries that the tools need: it runs wherever it is unpacked
#   peersync-VERSION.tar.gz, peersync.rb  the sources, and a formula for Homebrew that builds them
#   SHA256SUMS
# MAINTAINER is the package's maintainer, NAME <ADDRESS>; HOMEPAGE and URL are the home page and the sources.
# COMPRESS is how much the packages are compressed, from 1, which is fast, to 9.
set -euo pipefail

tree=$(cd "$1" && pwd) folder=$(mkdir -p "$2" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
version=$("$tree/usr/bin/frame" --version | cut -d ' ' -f 2)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The packages of libraries that are loaded on demand, by file name; libraries that are not installed are left out.
recommended() {
  local file path
  for file in libcurl.so.4 libmicrohttpd.so.12 libical.so.3 libpcap.so.0.8 libpq.so.5; do
    path=$(ldconfig -p | sed -n "s|^\t$file .* => ||p" | head -n 1)
    [ -z "$path" ] || dpkg-query -S "$path" "$(readlink -f "$path")" 2>/dev/null | cut -d : -f 1
  done | sort -u | paste -sd , | sed 's/,/, /g'
}

debian_package() {
  local root=$work/deb architecture needed maintainer=${MAINTAINER:-peersync <peersync@localhost>}
  architecture=$(dpkg --print-architecture)
  cp -a "$tree" "$root"
  mkdir -p "$work/shlibs/debian" "$root/DEBIAN"
  printf 'Source: peersync\n\nPackage: peersync\nArchitecture: any\n' >"$work/shlibs/debian/control"
  needed=$(cd "$work/shlibs" && dpkg-shlibdeps -O "$root/usr/bin/peersync" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
  # Debian's policy requires compressed documents, and a file with the license.
  find "$root/usr/share/man" -type f -exec gzip -9n {} +
  local doc=$root/usr/share/doc/peersync
  printf 'peersync (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" "$maintainer" \
    "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
  rm "$doc/LICENSE"
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
  install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/peersync"
  cp "$here/copyright" "$doc/copyright"
  find "$root" -type d -exec chmod 755 {} +
  find "$root/usr/share" -type f -exec chmod 644 {} +
  {
    echo "Package: peersync"
    echo "Version: $version"
    echo "Architecture: $architecture"
    echo "Maintainer: $maintainer"
    echo "Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)"
    echo "Depends: $needed"
    echo "Recommends: $(recommended), tzdata"
    echo "Section: net"
    echo "Priority: optional"
    cat "$here/description"
  } >"$root/DEBIAN/control"
  (cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2) >"$root/DEBIAN/md5sums"
  dpkg-deb --root-owner-group "-z${COMPRESS:-2}" --build "$root" "$folder/peersync_${version}_$architecture.deb" >/dev/null
}

# The libraries beside the tools, which look for them there; of the system only those of C and C++ are needed.
tarball() {
  local name root file newest
  name=peersync-$version-linux-$(uname -m)
  root=$work/$name
  mkdir -p "$root/lib/peersync"
  cp -a "$tree/usr/." "$root"
  ldd "$root/bin/peersync" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | grep -Ev '/(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux[^/]*)\.so' |
    while read -r file; do install -m 644 "$file" "$root/lib/peersync/$(basename "$file")"; done
  newest=$(for file in "$root/bin/peersync" "$root"/lib/peersync/*; do objdump -T "$file"; done |
    grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
  printf 'The tools and the libraries that they need, for Linux on %s with %s or later and libstdc++.\n\n' "$(uname -m)" "${newest/_/ }" >"$root/README"
  printf 'syncserve, pushes, captures, calendars, and servers or Firestore as remotes also need libraries of the system; they name them.\n\n' >>"$root/README"
  printf 'Put bin into PATH; the man pages are in share/man. The folder can be anywhere, but the units of systemd name /usr/bin.\n' >>"$root/README"
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
    gzip "-${COMPRESS:-9}n" >"$folder/$name.tar.gz"
  echo "$name.tar.gz needs ${newest/_/ }"
}

formula() {
  local sources=$folder/peersync-$version.tar.gz
  git -C "$here/../.." archive --format=tar --prefix="peersync-$version/" HEAD |
    gzip "-${COMPRESS:-9}n" >"$sources"
  sed -e "s|@VERSION@|$version|; s|@SHA256@|$(sha256sum "$sources" | cut -d ' ' -f 1)|" \
    -e "s|@URL@|${URL:-file://$sources}|; s|@HOMEPAGE@|${HOMEPAGE:-file://$tree/usr/share/doc/peersync/README.md}|" \
    "$here/peersync.rb.in" >"$folder/peersync.rb"
}

if command -v dpkg-deb >/dev/null; then debian_package; fi
tarball
if git -C "$here" rev-parse HEAD >/dev/null 2>&1; then formula; fi
(cd "$folder" && shopt -s nullglob && sha256sum -- *.deb *.tar.gz >SHA256SUMS)
