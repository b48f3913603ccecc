#!/bin/sh
# Runs a PostgreSQL server of its own until standard input ends; everything of it is then removed.
# The first one leaves a copy of its new data in .build, with which the next ones begin.
# usage: cluster.sh [SETTING=VALUE]...
#
# Prints the URL of a database whose owner is an ordinary role, and the folder of the server, in which 'ctl' runs pg_ctl as
# its user. It does what a line of the input says, such as "stop -m immediate" or "pgbench -n", and then prints "done". It
# listens on a socket in that folder, and nowhere else unless a setting says so. Ends with 77 where PostgreSQL is not installed.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$(pg_config --bindir 2>/dev/null || true)
# The newest version comes last.
for folder in "$programs" $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V); do
  if [ -x "$folder/initdb" ]; then programs=$folder; fi
done
if [ ! -x "$programs/initdb" ]; then
  echo "PostgreSQL is not installed" >&2
  exit 77
fi

# A socket's path is at most about 100 bytes long, whatever TMPDIR is.
folder=$(TMPDIR=/tmp mktemp -d -t pg.XXXXXX)
as=
if [ "$(id -u)" -eq 0 ]; then
  if ! id postgres >/dev/null 2>&1; then
    echo "PostgreSQL does not run as root, and there is no user postgres" >&2
    exit 77
  fi
  chown postgres "$folder"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
port=5432
settings="-p $port -k $folder -c listen_addresses= -c max_connections=300 -c shared_buffers=64MB"
durable=
for setting in "$@"; do
  settings="$settings -c $setting"
  case $setting in fsync=on) durable=1 ;; esac
done
if [ -z "$durable" ]; then settings="$settings -c fsync=off"; fi

version=$("$programs/initdb" --version | sed 's/^[^)]*) \([^ ]*\).*/\1/')
# After a kill it syncs each file of the data by itself, which takes long on a busy disk; since version 14 it can do so at once.
if [ "${version%%[!0-9]*}" -ge 14 ]; then
  settings="$settings -c recovery_init_sync_method=syncfs"
fi

cat >"$folder/ctl" <<END
#!/bin/sh
cd "$folder"
export PGCTLTIMEOUT=600
exec $as "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -o "$settings" -w -s "\$@"
END
chmod 755 "$folder/ctl"
kept=$root/.build/cluster-$version-$(id -u)
# Its name ends like that of the folder: in namespaces, several have the same process id.
copy=$kept.${folder##*.}
trap '"$folder/ctl" stop -m immediate >/dev/null 2>&1 || true; rm -rf "$folder" "$copy"' EXIT
trap 'exit 143' TERM INT HUP

cd "$folder"
if [ -d "$kept" ]; then
  cp -a "$kept" "$folder/data"
else
  $as "$programs/initdb" -D "$folder/data" -A trust --no-locale -E UTF8 -N >"$folder/initdb.log"
  # Another one may have left its copy meanwhile, or there is no room: that is no failure.
  { mkdir -p "${kept%/*}" && cp -a "$folder/data" "$copy" && mv -T "$copy" "$kept"; } 2>/dev/null || true
fi
"$folder/ctl" start >/dev/null
$as "$programs/psql" -q -h "$folder" -p "$port" -d postgres -c 'CREATE ROLE peersync LOGIN CREATEDB' -c 'CREATE DATABASE peersync OWNER peersync'
echo "postgresql://peersync@/peersync?host=$folder&port=$port"
echo "$folder"
while read -r words; do
  # shellcheck disable=SC2086  # several words
  case $words in
    pgbench\ *) "$programs"/$words 2>/dev/null </dev/null || true ;;
    *) "$folder/ctl" $words >/dev/null </dev/null ;;
  esac
  echo "done"
done
