"""Two devices that pair and sync by the tools, connected as a user connects them: sync.py SCENARIO, in an empty folder."""

import hashlib
import json
import os
import random
import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from devices import Device, Failed, Listener, check, connect_as, main, message, send

RESPOND = ["frame", "exec", "--", "synclog", "respond", "--store"]
VALVE = str(Path(__file__).parents[1] / "valve.py")
REQUEST = ["frame", "exec", "--", "synclog", "request", "--push", "--store"]


def store(device):
    return device.home / "tasks.db"


def put(device, *records):
    lines = "".join(json.dumps(record) + "\n" for record in records)
    done = device.run("synclog", "put", "--store", store(device), text=lines)
    if done.status != 0:
        raise Failed(done.errors)


def tasks(device, numbers, padding=0):
    return [
        {"id": f"{device.name}-{number}", "title": f"Task {number}", "note": "x" * padding, "updatedAt": "2025-01-01T08:00:00Z"}
        for number in numbers
    ]


def dump(device):
    return device.run("synclog", "dump", "--store", store(device)).output


def sync(device, place, *options):
    return device.run("peerlink", "connect", *options, place, "--", *REQUEST, store(device))


# Two hosts


class Host:
    """A network namespace inside those of this process."""

    def __init__(self):
        script = "ip link set lo up && echo up && exec sleep 3600"
        self.process = subprocess.Popen(["unshare", "-n", "sh", "-c", script], stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "up\n":
            raise Failed("no network namespace")
        self.prefix = ["nsenter", "-t", str(self.process.pid), "-n"]

    def ip(self, words):
        subprocess.run([*self.prefix, "ip", *words.split()], check=True)

    def plug(self, number):
        self.ip("link set eth0 up")
        self.ip(f"addr add 10.79.0.{number}/24 dev eth0")
        self.ip(f"addr add fd79::{number}/64 dev eth0 nodad")


def hosts():
    a, b = Host(), Host()
    a.ip(f"link add eth0 type veth peer name eth0 netns {b.process.pid}")
    a.plug(1)
    b.plug(2)
    return a, b


def two_hosts():
    """They pair by the text that one prints, sync both ways, and end with the same bytes."""
    a, b = hosts()
    try:
        pair_and_sync(a, b)
    finally:
        for host in (a, b):
            host.process.kill()


def interface_made_anew():
    """Who listens on one interface is reached through a new one of the same name, on the same port."""
    a, b = hosts()
    try:
        laptop, phone = Device("laptop", a.prefix, "10.79.0.1"), Device("phone", b.prefix, "10.79.0.2")
        phone.pair(laptop)
        put(laptop, *tasks(laptop, range(3)))
        put(phone, *tasks(phone, [0]))
        words = ["peersync", "serve", "--quiet", "--interface", "eth0", "--store", store(laptop)]
        serving = subprocess.Popen([*a.prefix, *map(str, words)], stdout=subprocess.PIPE, text=True, env=laptop.environment)
        try:
            place = f"10.79.0.1:{json.loads(serving.stdout.readline())['port']}"

            def pull(*options):
                return phone.run("peersync", "run", "--store", store(phone), *options, "--address", place, "laptop")

            first = pull()
            check(first.status == 0, f"it is reached {first.errors}")
            a.ip("link delete eth0")
            a.ip(f"link add eth0 type veth peer name eth0 netns {b.process.pid}")
            a.plug(1)
            b.plug(2)
            put(laptop, *tasks(laptop, [3]))
            deadline = time.monotonic() + 300
            while (done := pull("--timeout", "5s")).status != 0 and time.monotonic() < deadline:
                time.sleep(0.2)
            check(done.status == 0, f"and again through the new interface {done.errors}")
            check(dump(laptop) == dump(phone) and dump(phone).count("\n") == 5, "with what has changed since")
        finally:
            serving.terminate()
            check(serving.wait(300) == 0, "a signal ends what serves")
    finally:
        for host in (a, b):
            host.process.kill()


def private(device, name, text):
    path = device.home / name
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    return path


def pair_and_sync(a, b):
    laptop, phone = Device("laptop", a.prefix, "10.79.0.1"), Device("phone", b.prefix, "10.79.0.2")
    printed = laptop.run("qrpayload", "create", "--identity", laptop.identity_file, "--text").output
    shown = private(laptop, "shown", printed)
    scanned = private(phone, "scanned", phone.run("qrpayload", "read", text=printed).output)
    with laptop.provide(shown) as door:
        done = phone.scan(scanned, door.port, address=laptop.address)
        check(done.status == 0, f"they pair by the printed text {done.errors}")
    check(laptop.trusts(phone) and phone.trusts(laptop), "and each trusts the other")
    put(laptop, *tasks(laptop, range(200)))
    put(phone, *tasks(phone, range(300)))
    with Listener(laptop, command=[*RESPOND, store(laptop)]) as door:
        done = sync(phone, f"10.79.0.1:{door.port}")
        check(done.status == 0, f"they sync {done.errors}")
        check(dump(laptop) == dump(phone) and dump(phone).count("\n") == 500, "500 records on either side, the same bytes")
        put(phone, {"entityName": "", "identity": {"id": "laptop-7"}, "deletedAt": "2025-06-01T00:00:00Z"}, *tasks(phone, [300]))
        put(laptop, *tasks(laptop, [200]))
        done = sync(phone, f"[fd79::1]:{door.port}", "--peer", "laptop")
        check(done.status == 0, f"and again over IPv6 {done.errors}")
        check(dump(laptop) == dump(phone), "the same bytes once more")
        check('"laptop-7"' not in dump(laptop) and dump(laptop).count("\n") == 501, "with what was deleted and added")
        put(laptop, *tasks(laptop, range(1000, 9000), padding=200))
        done = sync_over_a_cable_that_is_pulled(a, b, phone, door.port)
        check(done.status == 75, f"a cable that is pulled ends it with 75: {done.status} {done.errors}")
        done = sync(phone, f"10.79.0.1:{door.port}")
        check(done.status == 0, f"and the next run takes it up {done.errors}")
        check(dump(laptop) == dump(phone) and dump(phone).count("\n") == 8501, "to the same bytes")
        door.process.terminate()
        door.process.wait(300)


def sync_over_a_cable_that_is_pulled(a, b, phone, port):
    """The way there shuts when a part has come, and then the cable is pulled: the run cannot be over before."""
    valve = subprocess.Popen(
        [*a.prefix, sys.executable, VALVE, str(port + 1), str(port), "200000"], stdout=subprocess.PIPE, text=True)

    def pull():
        if valve.stdout.readline() == "shut\n":
            b.ip("link set eth0 down")

    if valve.stdout.readline() != "ready\n":
        raise Failed("no valve")
    puller = threading.Thread(target=pull)
    puller.start()
    try:
        return sync(phone, f"10.79.0.1:{port + 1}", "--peer", "laptop", "--idle-timeout", "10s")
    finally:
        valve.kill()
        puller.join()
        b.ip("link set eth0 up")


# A connection that is cut


class Cutter:
    """Passes bytes on, both ways, and breaks off after a number of them."""

    def __init__(self, port):
        self.target = port
        self.limit = None
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.relay, args=(connection, self.limit), daemon=True).start()

    def relay(self, connection, limit):
        other = socket.create_connection(("127.0.0.1", self.target))
        ways = {connection: other, other: connection}
        count = 0
        try:
            while ways:
                for source in select.select(list(ways), [], [], 300)[0]:
                    data = source.recv(4096 if limit is None else min(4096, limit - count))
                    if not data:
                        ways.pop(source).shutdown(socket.SHUT_WR)
                        continue
                    ways[source].sendall(data)
                    count += len(data)
                if limit is not None and count >= limit:
                    break
        except OSError:
            pass
        connection.close()
        other.close()


def cut_in_mid_transfer():
    """After any number of bytes: both sides say so, nothing is lost, and the next run takes it up."""
    cut([1, 700, 1500, 2500, 3000, 4000, 20_000, 80_000, 120_000, 180_000])


def cut_anywhere():
    """The same after many numbers of bytes, which a seed gives."""
    seed = int(os.environ.get("SEED") or random.randrange(1 << 32))
    print(f"SEED={seed}", flush=True)
    rng = random.Random(seed)
    cut([rng.choice([rng.randrange(1, 5000), rng.randrange(1, 180_000)]) for _ in range(300)])


def cut(limits):
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    put(laptop, *tasks(laptop, range(500), padding=100))
    put(phone, *tasks(phone, range(500), padding=100))
    with Listener(laptop, command=[*RESPOND, store(laptop)]) as door:
        cutter = Cutter(door.port)
        for number, cutter.limit in enumerate(limits):
            done = sync(phone, f"127.0.0.1:{cutter.port}")
            # Once everything is over, a run is shorter than what it would be cut at.
            if done.status != 75 and not (done.status == 0 and dump(laptop) == dump(phone)):
                raise Failed(f"cut {number} after {cutter.limit} bytes: status {done.status} {done.errors}")
            for device in (laptop, phone):
                verified = device.run("synclog", "verify", "--store", store(device))
                if verified.status != 0:
                    raise Failed(f"{device.name} after {cutter.limit} bytes: {verified.errors}")
        check(dump(laptop).count("\n") >= 500 and dump(phone).count("\n") >= 500, "nothing is lost")
        cutter.limit = None
        check(sync(phone, f"127.0.0.1:{cutter.port}").status == 0, "the next run ends well")
        check(dump(laptop) == dump(phone) and dump(phone).count("\n") == 1000, "with the same bytes on both sides")
        others = set(door.ended()) - {"connectionLost", "protocolBroken"}
        check(not others, f"the listener has told of broken connections, and of nothing else: {sorted(others)}")


def reader_who_does_not_read():
    """A trusted device that asks for everything and reads nothing is given up; meanwhile nothing spins."""
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    # More than the buffers between the two can hold.
    put(laptop, *tasks(laptop, [1], padding=8_000_000))
    words = ["peersync", "serve", "--quiet", "--timeout", "5s", "--store", store(laptop)]
    serving = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=laptop.environment)
    try:
        connection = connect_as(phone, json.loads(serving.stdout.readline())["port"], room=2048)
        digest = hashlib.sha256(b"{}").hexdigest()
        send(connection, message("syncRequest", peerId=phone.id, deviceName=phone.name, rulesDigest=digest))
        used = seconds_used(serving)
        events = [json.loads(serving.stdout.readline()) for _ in range(2)]
        check([event["event"] for event in events] == ["peerConnected", "peerDisconnected"], "its link has ended")
        check(events[1]["code"] == "timedOut", "timedOut: and is told to have waited in vain")
        check(seconds_used(serving) - used < 1.5, "without work while there is no room")
    finally:
        serving.terminate()
        check(serving.wait(300) == 0, "a signal ends what serves")


def seconds_used(process):
    """Of a processor, by a process so far."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


SCENARIOS = [two_hosts, interface_made_anew, cut_in_mid_transfer, cut_anywhere, reader_who_does_not_read]


main(SCENARIOS)
