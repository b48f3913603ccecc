"""Links between two trusted peers beside socat with the same keys: how much goes through, and how many a second."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from measure import commands_in_turn
from table import BarTable

NOTE = """\
Both programs use the same two keys and certificates and check the other side's certificate, with TLS 1.3 over the
loopback. A link is a whole client process: it connects, sends a line, reads it back from a `cat` that the listener
started, and exits. For the throughput, zeros are sent to a command that discards them. The bar is 0.9 of socat's rate."""

BAR = 1 / 0.9


def tables(setting):
    table = BarTable("Links", NOTE)
    pair = Pair(setting)
    add_throughput(setting, table, pair)
    add_links(setting, table, pair)
    return [table]


def add_throughput(setting, table, pair):
    size = (100 if setting.quick else 1000) << 20
    script = 'head -c "$1" /dev/zero | { shift; exec "$@"; }'
    with pair.listeners("cat > /dev/null") as clients:
        ours, socat = commands_in_turn([["sh", "-c", script, "sh", str(size), *client] for client in clients], setting.pairs)
    table.compare(f"{size >> 20} MiB through `peerlink` : `socat`", ours, socat, BAR)


def add_links(setting, table, pair):
    count = 20 if setting.quick else 200
    one = 'count=$1; shift; while [ "$count" -gt 0 ]; do echo line | "$@" || exit; count=$((count - 1)); done'
    four = 'count=$1; shift; seq "$count" | xargs -P 4 -I {} sh -c "echo line | $*"'
    for name, script in ("one after the other", one), ("four at a time", four):
        with pair.listeners("cat") as clients:
            ours, socat = commands_in_turn(
                [["sh", "-c", script, "sh", str(count), *client] for client in clients], setting.pairs)
        table.compare(f"{count} links of `peerlink`, {name} : `socat`", ours, socat, BAR)


class Pair:
    """Two devices that trust each other, as folders and as files for socat."""

    def __init__(self, setting, phones=("phone",)):
        self.peerlink = setting.tool("peerlink")[0]
        # Only for its owner, and one for each group that measures.
        self.folder = Path(tempfile.mkdtemp(prefix="links.", dir=setting.work))
        for name in "laptop", *phones:
            # A connection to nowhere makes the identity.
            subprocess.run([self.peerlink, "connect", "127.0.0.1:9"], env=self.home(name), stderr=subprocess.DEVNULL)
            text = (self.folder / name / "identity.pem").read_text(encoding="utf-8")
            (self.folder / f"{name}.pem").write_text(text[text.index("-----BEGIN"):], encoding="ascii")
        for phone in phones:
            self.trust("laptop", phone)
            self.trust(phone, "laptop")

    def home(self, name):
        return {**os.environ, "PEERSYNC_HOME": str(self.folder / name)}

    def trust(self, name, other):
        certificate = self.folder / f"{other}.pem"
        shell = 'openssl x509 -in "$1" -noout -pubkey | openssl pkey -pubin -outform DER | sha256sum | cut -c 1-64'
        key = subprocess.run(["sh", "-c", shell, "sh", certificate], check=True, capture_output=True, text=True).stdout
        head = (self.folder / other / "identity.pem").read_text(encoding="utf-8").splitlines()
        record = {
            "peerId": head[1].removeprefix("peerId: "), "deviceName": other, "publicKeyFingerprint": key.strip(),
            "protocolVersion": 2, "pairedAt": "2025-01-01T00:00:00Z",
        }
        store = self.folder / name / "trust.jsonl"
        store.touch(mode=0o600)
        with open(store, "a", encoding="utf-8") as records:
            records.write(json.dumps(record) + "\n")

    def listeners(self, command):
        return Listeners(self, command)


class Listeners:
    """A listener of each program, for a while; gives the two clients' command lines."""

    def __init__(self, pair, command):
        self.pair = pair
        self.command = command

    def __enter__(self):
        pair, folder = self.pair, self.pair.folder
        events = folder / "events"
        events.unlink(missing_ok=True)
        ours = [pair.peerlink, "listen", "--quiet", "--events", events, "--", "sh", "-c", self.command]
        port = 27500
        options = f"cert={folder}/laptop.pem,cafile={folder}/phone.pem,verify=1"
        socat = ["socat", f"OPENSSL-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork,{options}", f"SYSTEM:{self.command}"]
        self.processes = [
            subprocess.Popen(ours, env=pair.home("laptop"), start_new_session=True),
            subprocess.Popen(socat, stderr=subprocess.DEVNULL, start_new_session=True),
        ]
        while not events.exists() or not events.read_text(encoding="utf-8").endswith("\n"):
            time.sleep(0.02)
        time.sleep(0.3)
        own = json.loads(events.read_text(encoding="utf-8").splitlines()[0])["port"]
        options = f"cert={folder}/phone.pem,cafile={folder}/laptop.pem,verify=1,commonname=peersync"
        # Not by env(1): that would be a second program for each link of ours.
        os.environ["PEERSYNC_HOME"] = str(folder / "phone")
        return [
            [str(pair.peerlink), "connect", f"127.0.0.1:{own}"],
            ["socat", "-t", "10", "-", f"OPENSSL:127.0.0.1:{port},{options}"],
        ]

    def __exit__(self, *_):
        del os.environ["PEERSYNC_HOME"]
        for process in self.processes:
            process.terminate()
            process.wait()
