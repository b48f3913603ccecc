"""peersync on hosts of their own: everyday.py SCENARIO, inside namespaces of its own."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lab import HANGING, Failed, Lab, Program, check, sh, until

HERE = Path(__file__).parent
TOOLS = Path(os.environ["PEERSYNC_TOOLS"])
PORT = 7411
# Long ago, so that no clock is ahead.
START = 1_700_000_000
# Given to tools that are to come to their end however busy the machine is.
PATIENT = ("--timeout", f"{HANGING}s")


def clock(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + seconds))


class Device:
    """A host with a store, an identity and the tools."""

    def __init__(self, lab, host, folder):
        self.lab, self.host, self.home = lab, host, Path(folder) / host
        self.home.mkdir(mode=0o700)
        self.store = self.home / "store.db"
        self.environment = os.environ | {"PEERSYNC_HOME": str(self.home)}
        self.tool("peerpair", "identity", "--device-name", host)

    def command(self, tool, *words):
        return [TOOLS / tool, *words]

    def tool(self, tool, *words, status=0, lines=None):
        text = None if lines is None else "".join(json.dumps(line) + "\n" for line in lines)
        return self.lab.run(
            self.host, *self.command(tool, *words), status=status, env=self.environment, input=text,
            stderr=subprocess.DEVNULL if status is None else None)

    def start(self, tool, *words, **options):
        return self.lab.start(self.host, *self.command(tool, *words), env=self.environment, **options)

    def serve(self, *words):
        program = self.start("peersync", "serve", "--quiet", "--port", PORT, *words)
        program.wait_for('"listening"')
        return program

    def serve_until_end(self):
        self.serving = self.serve()

    def run(self, *words, status=0):
        """A run; gives its summary. Without a --timeout it is a patient one."""
        if "--timeout" not in words:
            words = (*PATIENT, *words)
        lines = self.tool("peersync", "run", "--quiet", *words, status=status)
        return json.loads(lines[-1]) if lines else {}

    def put(self, seconds, **records):
        lines = [{"id": key, "title": title, "updatedAt": clock(seconds)} for key, title in records.items()]
        self.tool("synclog", "put", "--now", clock(seconds), lines=lines)

    def delete(self, seconds, key):
        line = {"entityName": "", "identity": {"id": key}, "deletedAt": clock(seconds)}
        self.tool("synclog", "put", "--now", clock(seconds), lines=[line])

    def dump(self):
        return self.tool("synclog", "dump", "--changes")

    def titles(self):
        return {line["id"]: line["title"] for line in map(json.loads, self.tool("synclog", "dump"))}


def address(number):
    return f"10.77.0.{number}:{PORT}"


def pair(provider, scanner, number=None):
    """The provider shows its text, the scanner reads it as a line; without a number it has to find the provider."""
    offer = provider.start("peersync", "pair", "--yes", "--port", 7410, stderr=subprocess.DEVNULL)
    text = offer.wait_for("")
    place = ["--address", f"10.77.0.{number}:7410"] if number else []
    done = scanner.lab.run(
        scanner.host, *scanner.command("peersync", "pair", "--yes", "--scan", "-", *place),
        env=scanner.environment, input=text, stderr=subprocess.DEVNULL)
    check(json.loads(done[-1])["deviceName"] == provider.host, f"{scanner.host} trusts {provider.host}")
    check(json.loads(offer.wait_for("peerId"))["deviceName"] == scanner.host, f"{provider.host} trusts {scanner.host}")


def meet():
    """From nothing to equal stores: pairing, both ways, the same record, a deletion, a third device through the second."""
    lab = Lab("abc")
    with tempfile.TemporaryDirectory() as folder:
        a, b, c = (Device(lab, host, folder) for host in "abc")
        pair(a, b, 1)
        a.put(10, one="Water the plants", two="Oil the hinges")
        b.put(10, three="Clean the windows")
        b.put(20, one="Water all plants")
        serving = a.serve()
        summary = b.run("--address", address(1), "a")
        check(summary["done"] == 1 and summary["changesReceived"] == 1, "one run brings both together")
        check(a.dump() == b.dump() and len(a.dump()) == 3, "to the same bytes")
        check(a.titles()["one"] == "Water all plants", "the later change of the same record stays")
        a.put(40, two="Oil the hinges well")
        b.put(30, two="Oil all hinges")
        b.run()
        check(a.dump() == b.dump() and b.titles()["two"] == "Oil the hinges well", "so it does the other way round")
        pair(b, c, 2)
        relay = b.serve()
        c.run("--address", address(2), "b")
        check(c.dump() == a.dump(), "a third device has everything through the second")
        a.delete(100, "three")
        b.run("a")
        c.put(50, three="Clean the windows, an older copy")
        c.run()
        b.run("a")
        check("three" not in a.titles() | b.titles() | c.titles(), "an older copy does not bring back what was deleted")
        check(a.dump() == b.dump() == c.dump(), "all three have the same bytes")
        check(serving.stop() == 0 and relay.stop() == 0, "SIGTERM ends what serves")


def found():
    """A peer that has another address than before, or none that is known, is found by its id; its key decides."""
    lab = Lab("abc")
    with tempfile.TemporaryDirectory() as folder:
        a, b, c = (Device(lab, host, folder) for host in "abc")
        # Others wait to be paired with, or serve.
        other = c.start("peersync", "pair", "--yes", "--port", 7410, stderr=subprocess.DEVNULL)
        other.wait_for("")
        pair(a, b)
        other.stop()
        pair(a, c)
        number = json.loads(a.tool("peerpair", "identity")[0])["peerId"]
        a.put(10, one="Water the plants")
        # Somebody else says to be it.
        liar = lab.start(
            "c", TOOLS / "peerdiscover", "advertise", "--name", "a", "--port", PORT, "--txt", f"id={number}", "--",
            *c.command("peersync", "serve", "--quiet", "--port", PORT), env=c.environment, stderr=subprocess.STDOUT)
        liar.wait_for('"advertised"')
        serving = a.serve()
        announced(lab, 1, PORT)
        check(b.run("a")["done"] == 1 and a.dump() == b.dump(), "a peer without an address is found by its id")
        b.run("--timeout", "2s", "--address", "10.77.0.3:7412", "a", status=69)
        check(b.run("a")["done"] == 1, "and where it was is remembered")
        check(serving.stop() == 0, "SIGTERM ends what serves")
        serving = a.start("peersync", "serve", "--quiet", "--port", PORT + 1)
        serving.wait_for('"listening"')
        announced(lab, 1, PORT + 1)
        a.put(20, two="Oil the hinges")
        check(b.run("a")["done"] == 1 and a.dump() == b.dump(), "as it is on another port")
        check(serving.stop() == 0, "SIGTERM ends what serves")
        check(b.run("--timeout", "2s", "a", status=69)["failed"] == 1, "whoever does not serve is not found")


def announced(lab, number, port):
    """Waits until the host with a number announces something on a port, as another one sees it."""
    watch = lab.start("b", TOOLS / "peerdiscover", "browse", "--follow")
    while line := json.loads(watch.wait_for(f'"port":{port},')):
        if any(place["address"] == f"10.77.0.{number}" for place in line["addresses"]):
            return watch.stop()


def fill(device, count, prefix="r"):
    lines = [{"id": f"{prefix}{n}", "title": f"{n} " * 40, "updatedAt": clock(n % 1000)} for n in range(count)]
    device.tool("synclog", "put", "--now", clock(2000), lines=lines)


def two(folder, lab=None):
    lab = lab or Lab("ab")
    a, b = (Device(lab, host, folder) for host in "ab")
    pair(a, b, 1)
    return lab, a, b


def killed():
    """Either side is killed at random moments; each next run goes on, and nothing is lost."""
    rounds = int(os.environ.get("ROUNDS", "6"))
    seed = int(os.environ.get("SEED", "1"))
    print(f"seed {seed}")
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        lab, a, b = two(folder)
        serving = a.serve()
        fill(a, 3000, "first-")
        start = time.monotonic()
        b.run("--address", address(1), "a")
        usual = time.monotonic() - start
        for number in range(rounds):
            fill(a, 3000, f"a{number}-")
            fill(b, 3000, f"b{number}-")
            run = b.start("peersync", "run", "--quiet", stderr=subprocess.DEVNULL)
            # Any moment will do, before its beginning and after its end too.
            time.sleep(chance.random() * usual * 2)
            victim = chance.choice([run, serving])
            victim.process.kill()
            victim.process.wait()
            run.process.wait()
            if victim is serving:
                serving = a.serve()
        b.run()
        check(a.dump() == b.dump() and len(a.dump()) == 3000 + 6000 * rounds, f"after {rounds} kills both have everything")
        for device in (a, b):
            device.tool("synclog", "verify")
        check(True, "and both stores are whole")


def cut(device, isUp):
    sh(f"ip -n {device.host} link set eth0 {'up' if isUp else 'down'}")


def troubled():
    """A link that goes down in the middle, a full disk, a clock that is off: each is told by its code and then over."""
    with tempfile.TemporaryDirectory() as folder:
        lab, a, b = two(folder)
        serving = a.serve()
        b.run("--address", address(1), "a")
        fill(a, 8000)
        # The way there shuts when a part has come, and then the link goes down: the run cannot be over before.
        valve = lab.start("a", sys.executable, HERE / "valve.py", PORT + 9, PORT, 40_000)
        valve.wait_for("ready")
        words = ["--timeout", "10s", "--errors", "json", "--address", f"10.77.0.1:{PORT + 9}", "a"]
        run = b.start("peersync", "run", *words, stderr=subprocess.PIPE)
        valve.wait_for("shut")
        cut(b, False)
        run.process.wait(HANGING)
        code = json.loads(run.process.stderr.read().splitlines()[-1])["error"]["code"]
        check(code in ("timedOut", "connectionLost", "cannotConnect"), f"a link that goes down is told: {code}")
        status = run.process.returncode
        check(status in (69, 75), f"with status {status}")
        cut(b, True)
        sh(f"ip -n {b.host} addr replace 10.77.0.2/16 dev eth0")
        b.run("--address", address(1), "a")
        check(a.dump() == b.dump(), "the next run brings both together")
        full_disk(a, b)
        late_clock(a, b)
        check(serving.stop() == 0, "SIGTERM ends what serves")


def cable(lab, loss, number):
    """A cable between a and b that loses packets on the way from a to b."""
    program = Program([sys.executable, str(HERE / "lossy.py"), "a", "b", str(number), "--loss", str(loss)])
    lab.programs.append(program)
    program.wait_for("ready")
    return program


def unplug(line):
    line.process.kill()
    line.process.wait()
    for host in "ab":
        gone = ["ip", "-n", host, "link", "show", "lan"]
        check(until(lambda: subprocess.run(gone, capture_output=True).returncode != 0), f"{host} has no cable any more")


def lossy():
    """One packet of five is lost, then all of one direction."""
    with tempfile.TemporaryDirectory() as folder:
        lab, a, b = two(folder)
        serving = a.serve()
        line = cable(lab, 0.2, 1)
        fill(a, 3000)
        fill(b, 3000, "b")
        b.run("--address", f"10.88.0.1:{PORT}", "a")
        check(a.dump() == b.dump(), "with one packet of five lost, both have everything")
        unplug(line)
        line = cable(lab, 1.0, 2)
        fill(a, 10, "late")
        words = ["--address", f"10.88.0.1:{PORT}", "--timeout", "2s"]
        summary = b.run(*words, "a", status=None)
        check(summary["failed"] == 1, "where nothing comes back the run says so")
        status = json.loads(b.tool("peersync", "status", status=None)[0])
        check(status["code"] in ("cannotConnect", "timedOut"), f"as does status: {status['code']}")
        unplug(line)
        cable(lab, 0, 3)
        b.run(*words[:2], "a")
        check(a.dump() == b.dump(), "and the next run brings both together")
        serving.stop()


def full_disk(a, b):
    room = b.home / "disk"
    room.mkdir()
    sh(f"mount -t tmpfs -o size=2m none {room}")
    store = room / "store.db"
    words = ["peersync", "run", "--store", store, "--errors", "json"]
    done = subprocess.run(
        ["ip", "netns", "exec", b.host, *map(str, b.command(*words))], env=b.environment, capture_output=True, text=True)
    code = json.loads(done.stderr.splitlines()[-1])["error"]["code"]
    check(done.returncode == 74 and code == "storeFull", "a full disk is told")
    sh(f"mount -o remount,size=64m {room}")
    b.run("--store", store)
    check(b.tool("synclog", "dump", "--changes", "--store", store) == a.dump(), "with room it goes on to the end")
    sh(f"umount {room}")


def late_clock(a, b):
    """The clock of a is ten minutes ahead."""
    line = {"id": "soon", "title": "From the future", "updatedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 600))}
    a.tool("synclog", "put", "--max-drift", "off", lines=[line])
    summary = b.run(status=65)
    check(summary["quarantined"] == 1, "what comes from a clock that is ten minutes ahead waits in quarantine")
    later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 700))
    check(b.run("--now", later)["quarantined"] == 0 and a.dump() == b.dump(), "and is there once its time has come")


def cron():
    """Runs every minute of half an hour, where a minute has a second; some overlap, some fail."""
    minutes = int(os.environ.get("MINUTES", "30"))
    with tempfile.TemporaryDirectory() as folder:
        lab, a, b = two(folder)
        serving = a.serve()
        b.run("--address", address(1), "a")
        log = open(b.home / "sync.log", "w")
        runs = []
        for minute in range(minutes):
            fill(b, 2000 if minute % 7 == 3 else 2, f"m{minute}-")
            if minute % 10 == 5:
                serving.stop()
            if minute % 10 == 6:
                serving = a.serve()
            for _ in range(2 if minute % 3 == 0 else 1):
                command = ["ip", "netns", "exec", "b", TOOLS / "peersync", "run", "--quiet", "--jitter", "200ms"]
                runs.append(subprocess.Popen(list(map(str, command)), env=b.environment, stdout=log, stderr=log))
            time.sleep(1)
        statuses = [run.wait(HANGING) for run in runs]
        print("statuses", {status: statuses.count(status) for status in set(statuses)})
        check(set(statuses) <= {0, 69, 75}, "each run is well, finds nobody, or leaves it to another one")
        b.run()
        check(a.dump() == b.dump(), "both have the same bytes in the end")
        text = (b.home / "sync.log").read_text().splitlines()
        summaries = [line for line in text if '"remotes"' in line]
        check(all(line.startswith(("{", "peersync: ")) for line in text), "each line of the log is an object or a diagnostic")
        check(len(summaries) == sum(status != 75 for status in statuses), "each run that had the store has a summary")
        left = subprocess.run(["ip", "netns", "pids", "b"], capture_output=True, text=True, check=True).stdout
        check(left == "", "no run is left over")
        serving.stop()


def edits():
    """Under --follow an edit on either side arrives at the other."""
    latency(3, judged=False)


def latency(rounds=100, judged=True):
    """How long an edit takes from one side to the other under --follow."""
    with tempfile.TemporaryDirectory() as folder:
        lab, a, b = two(folder)
        serving = a.serve()
        follow = b.start("peersync", "run", "--quiet", "--follow", "--address", address(1), "a")
        a.put(1, first="x")
        follow.wait_for("changesReceived")
        times = {"from the side that serves": [], "from the side that follows": []}
        for number in range(rounds):
            for way, source, target in (("serves", a, b), ("follows", b, a)):
                key = f"{way}{number}"
                times[f"from the side that {way}"].append(arrives(source, target, key))
        for way, all_times in times.items():
            median = sorted(all_times)[len(all_times) // 2]
            print(f"{way}: median {median * 1000:.0f} ms, longest {max(all_times) * 1000:.0f} ms")
            check(not judged or median < 0.2, f"an edit {way} arrives")
        # Both write down what has moved, until they end.
        follow.stop()
        serving.stop()


def moved():
    """A peer that is followed comes back at another address, and its old one is another device's; a third peer sees and is
    seen meanwhile. The side that serves writes down what moves as well."""
    lab = Lab("abcd")
    with tempfile.TemporaryDirectory() as folder:
        a, b, c, d = (Device(lab, host, folder) for host in "abcd")
        for peer, number in ((a, 1), (c, 3)):
            pair(peer, b, number)
            peer.serve_until_end()
            b.run("--address", address(number), peer.host)
        follow = b.start("peersync", "run", "--quiet", "--follow")
        arrives(a, b, "one")
        arrives(c, b, "two")
        check(until(lambda: seen(a, "two")), "what one peer has written reaches the other")
        check(until(lambda: transfers(c).get("lastTransferAt")), "the side that serves notes what has moved")
        # Lost with a message on its way, a link ends after a minute only: the rest would be as it is, and take longer.
        time.sleep(1)
        # Nobody answers at its address at all.
        cut(a, False)
        a.serving.process.kill()
        check(until(lambda: overtakes(follow.pid, c, b)), "a peer that is there does not wait for one that is not")
        sh("ip -n d addr add 10.77.0.1/16 dev eth0 && ip -n a addr del 10.77.0.1/16 dev eth0")
        d.serve_until_end()
        cut(a, True)
        sh("ip -n a addr replace 10.77.0.9/16 dev eth0 && ip -n a route replace 224.0.0.0/4 dev eth0")
        a.serve_until_end()
        taken = arrives(a, b, "four")
        check(True, f"a peer that has moved is found in spite of another device at its old address: {taken:.1f} s")
        check(follow.stop() == 0, "SIGTERM ends what follows")
        for device in (a, c, d):
            device.serving.stop()


SILENT = """
import socket, sys, time
listener = socket.create_server(("10.77.0.1", int(sys.argv[1])))
print("listening", flush=True)
connection, _ = listener.accept()
start = time.monotonic()
while connection.recv(65536):
    pass
print(f"closed after {time.monotonic() - start} s", flush=True)
"""


def silent():
    """Where a peer was, somebody takes connections and says nothing: the peer is looked for meanwhile, and wins."""
    lab = Lab("abd")
    with tempfile.TemporaryDirectory() as folder:
        a, b = (Device(lab, host, folder) for host in "ab")
        pair(a, b, 1)
        serving = a.serve()
        b.run("--address", address(1), "a")
        serving.stop()
        sh("ip -n a addr del 10.77.0.1/16 dev eth0 && ip -n d addr add 10.77.0.1/16 dev eth0")
        sh("ip -n a addr replace 10.77.0.9/16 dev eth0 && ip -n a route replace 224.0.0.0/4 dev eth0")
        sh("ip -n b neigh flush all")
        other = lab.start("d", sys.executable, "-c", SILENT, PORT)
        other.wait_for("listening")
        serving = a.serve()
        check(b.run()["done"] == 1, "a peer with a new address is found")
        # Whoever proves nothing is given up after 10 s.
        lasted = float(other.wait_for("closed").split()[2])
        check(lasted < 10, f"while the old one was still waited for: {lasted:.1f} s")
        serving.stop()


def cut_off():
    """A connection that died with bytes on their way is noticed long before the request that waits on it is over."""
    lab = Lab("ab")
    with tempfile.TemporaryDirectory() as folder:
        a, b = (Device(lab, host, folder) for host in "ab")
        pair(a, b, 1)
        serving = a.serve()
        follow = b.start(
            "peersync", "run", "--follow", "--timeout", "3s", "--address", address(1), "a", stderr=subprocess.STDOUT)
        arrives(a, b, "one")
        cut(a, False)
        b.put(10, two="x")
        trouble = follow.wait_for(f": {address(1)}", 60)
        check("timed out" in trouble or "broke off" in trouble, f"it is said why: {trouble.strip()}")
        follow.stop()
        serving.process.kill()


def transfers(device):
    lines = [json.loads(line) for line in device.tool("peersync", "status", status=None)]
    return lines[0] if lines else {}


def overtakes(process, source, target):
    """Whether a record has come while a process was waiting for one and the same answer from 10.77.0.1."""
    before = dialing(process)
    if not before:
        return False
    arrives(source, target, f"three{time.monotonic()}")
    return bool(before & dialing(process))


def days():
    """Ten days of two apps and cron."""
    import days as scenario
    scenario.main()


def dialing(process):
    """The local ports of connections to 10.77.0.1 that have no answer yet, on the host of a process."""
    with open(f"/proc/{process}/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return {local for _, local, remote, state, *_ in rows if remote.startswith("01004D0A:") and state == "02"}


def arrives(source, target, key):
    """How long a record takes to the other side, together with the start of synclog put and its way to the disk."""
    start = time.monotonic()
    source.put(10, **{key: "x"})
    if not until(lambda: seen(target, key)):
        raise Failed(f"{key} has not come in {HANGING} s")
    return time.monotonic() - start


def seen(device, key):
    """Whether the store has the record, looked at through SQLite: no tool is started."""
    import sqlite3
    text = json.dumps(["", {"id": key}], separators=(",", ":")).encode()
    try:
        with contextlib.closing(sqlite3.connect(f"file:{device.store}?mode=ro", uri=True)) as database:
            return database.execute("SELECT 1 FROM changes WHERE key = ?", (text,)).fetchone() is not None
    except sqlite3.OperationalError:
        # The store is yet to be made, or just being made.
        return False


def main():
    scenario = globals()[sys.argv[1].replace("-", "_")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        scenario()
    except Failed as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
    finally:
        if Lab.current:
            Lab.current.end()


if __name__ == "__main__":
    main()
