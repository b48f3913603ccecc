#!/bin/bash
# Runs docs/examples/scale/merge-parts.sh over ssh, on two addresses of a network namespace of its own, and then on one that is gone.
# usage: unshare -n ssh.sh TOOLS_FOLDER
#
# Ends with 77 if it is not run by root, as sshd has to be.
set -euo pipefail
[ "$(id -u)" = 0 ] || exit 77

tools=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap '[ ! -e "$scratch/pid" ] || kill "$(cat "$scratch/pid")"; rm -rf "$scratch"' EXIT
cd "$scratch"
ip link set lo up
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f key
cat >settings <<END
Port 2222
ListenAddress 127.0.0.1
ListenAddress 127.0.0.2
HostKey $scratch/host
AuthorizedKeysFile $scratch/key.pub
StrictModes no
SetEnv PATH=$tools:/usr/bin:/bin
PidFile $scratch/pid
END
mkdir -p /run/sshd
/usr/sbin/sshd -f settings
connect="ssh -p 2222 -i $scratch/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
export PARALLEL_SSH="$connect" RSYNC_RSH="$connect" HOSTS=127.0.0.1,127.0.0.2
export PATH="$tools:$root/docs/examples/scale:$PATH"

for file in 1 2; do
  seq 100000 | awk -v file=$file '{
    printf "{\"id\":\"%d\",\"n\":%d,\"updatedAt\":\"2026-0%d-0%dT00:00:00Z\"}\n", $1 % 70000, $1, file, 1 + $1 % 9 }' >$file.jsonl
done
lwwmerge 1.jsonl 2.jsonl >whole
merge-parts.sh parts 8 1.jsonl 2.jsonl | cmp - whole

kill "$(cat pid)"
while $connect 127.0.0.2 true 2>warnings; do sleep 0.1; done
if merge-parts.sh again 8 1.jsonl 2.jsonl >short 2>warnings; then
  echo "a job without its machines has not failed" >&2
  exit 1
fi
test ! -s short
echo "two hosts print what one merge prints; without them the job fails, and prints nothing"
