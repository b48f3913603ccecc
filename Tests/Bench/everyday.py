"""Two devices in sync by peersync, beside what people do instead: rsync of a file, and a dump through socat."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from links import Pair
from measure import Failure, Run, status_of
from setting import count_named
from table import BarTable, mebibytes, seconds

NOTE = """\
The laptop has {count} records, and all programs run on one machine over the loopback. A first sync copies the records to a
phone with an empty store. `rsync` copies the file of lines, without merging, authentication or encryption. The dump goes
through TLS with the keys of both sides into a new database. `synclog apply` stores the same lines from a file. Then 1,000
records change: `peersync run` transfers these, `rsync` compares the old file with a new one, and the dump would transfer
all records again. The bytes are those that the phone receives. Memory is the peak of all resident memory, VmHWM. The slow
link is a relay with 50 Mbit/s and a round trip of 40 ms; *theirs* is the time that the received bytes take at that
rate. For the last row, five phones follow the laptop, where `synclog put` stores 20 changes a second, one at a time.
The time is from the start of `put` until the last phone has stored the change."""

CHANGES = 1_000
# Bits a second of the slow link.
RATE = 50_000_000
FOLLOWERS = 5
EDIT = '.fields.title += $mark | .modifiedAt = "2026-01-01T00:00:0\\($mark | length)Z"'


def tables(setting):
    count = count_named(setting.records)
    table = BarTable("Every day", NOTE.format(count=count))
    devices = Devices(setting)
    try:
        first, highest = devices.first_sync()
        slow, compression = devices.slow_sync()
        changed = [devices.next_sync(number) for number in range(1, setting.few + 1)]
    finally:
        devices.end()
    synced, rsynced, dumped, applied = zip(*first)
    table.compare(f"first sync of {count} : `synclog apply` of the lines", synced, applied, 1.5)
    table.compare(f"first sync of {count} over 50 Mbit/s and 40 ms : bytes at that rate", *zip(*slow), 1.15)
    table.row("the same: bytes of the lines : bytes that came", "", "", f"{compression:.3f}", "≥ 4", "holds" if compression >= 4 else "MISSED")
    table.compare(f"first sync of {count} : `rsync` of the lines", synced, rsynced)
    table.compare(f"first sync of {count} : `sqlite3 .dump` through `socat`", synced, dumped)
    table.limit(f"first sync of {count}: VmHWM of `run`", highest[0], 64 << 20, mebibytes)
    table.limit(f"first sync of {count}: VmHWM of `serve`", highest[1], 64 << 20, mebibytes)
    synced, rsynced = zip(*[times for times, _ in changed])
    table.compare(f"{CHANGES} changes in {count} : `rsync` of the lines", synced, rsynced)
    ours, theirs = changed[-1][1]
    table.row(f"{CHANGES} changes in {count}: bytes", kibibytes(ours), kibibytes(theirs), f"{ours / theirs:.3f}", "", "")
    delays = Followers(setting).delays()
    table.limit("20 changes a second, 5 followers: 99 of 100 stored by the last", delays[len(delays) * 99 // 100], 0.06, seconds)
    return [table]


def kibibytes(value):
    return f"{value / 1024:.0f} KiB"


def timed(command, **options):
    start = time.perf_counter()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    wall = time.perf_counter() - start
    if done.returncode != 0:
        raise Failure(f"{command}: status {done.returncode}\n{done.stderr[:2000]}")
    return Run(wall), done.stdout


class Devices:
    """The laptop that serves, by each of the three programs, and the phone."""

    def __init__(self, setting):
        self.setting = setting
        self.pair = Pair(setting)
        self.folder = self.pair.folder
        self.lines = setting.data("plain", "old", setting.records)
        self.phone = self.pair.home("phone")
        laptop = self.pair.home("laptop")
        timed(setting.tool("synclog record", "--max-drift", "off", self.lines), env=laptop)
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        os.link(self.lines, self.shared / "lines")
        (self.folder / "copy").mkdir()
        (self.folder / "rsyncd.conf").write_text(
            f"use chroot = no\n[lines]\npath = {self.shared}\nuid = {os.geteuid()}\ngid = {os.getegid()}\n", encoding="ascii")
        options = f"cert={self.folder}/laptop.pem,cafile={self.folder}/phone.pem,verify=1"
        dump = f"sqlite3 {self.folder}/laptop/store.db .dump"
        serve = setting.tool("peersync serve", "--quiet", "--port", "27510", "--max-drift", "off")
        self.processes = [
            subprocess.Popen(serve, env=laptop, stdout=subprocess.DEVNULL),
            subprocess.Popen(["rsync", "--daemon", "--no-detach", "--port", "27511", "--config", self.folder / "rsyncd.conf"]),
            subprocess.Popen(["socat", f"OPENSSL-LISTEN:27512,bind=127.0.0.1,reuseaddr,fork,{options}", f"SYSTEM:{dump}"]),
        ]
        time.sleep(1)

    def end(self):
        for process in self.processes:
            process.terminate()
            process.wait()

    def run(self, port=27510):
        """One run of peersync: its time, and the bytes that have come."""
        command = self.setting.tool("peersync run", "--quiet", "--direction", "pull", "--max-drift", "off")
        taken, said = timed([*command, "--address", f"127.0.0.1:{port}"], env=self.phone)
        return taken, json.loads(said.splitlines()[-1])["bytesReceived"]

    def rsync(self):
        """The same of rsync; whole files only where there is none to compare with."""
        taken, said = timed(
            ["rsync", "--stats", "--no-whole-file", "rsync://127.0.0.1:27511/lines/lines", self.folder / "copy" / "lines"])
        return taken, int(re.search(r"Total bytes received: ([\d,]+)", said)[1].replace(",", ""))

    def dump(self):
        options = f"cert={self.folder}/phone.pem,cafile={self.folder}/laptop.pem,verify=1,commonname=peersync"
        into = "rm -f dumped.db; socat -u OPENSSL:127.0.0.1:27512," + options + " - | sqlite3 dumped.db"
        return timed(["sh", "-c", into], cwd=self.folder)[0]

    def first_sync(self):
        """Rounds of all three, and the memory of our two processes."""
        times = []
        for _ in range(self.setting.few):
            self.empty_phone()
            for old in (self.folder / "copy").glob("*"):
                old.unlink()
            synced = self.run()[0]
            times.append((synced, self.rsync()[0], self.dump(), self.apply()))
        return times, (self.memory_of_run(), status_of(self.processes[0].pid, ["VmHWM"])[0])

    def empty_phone(self):
        """Removes the store, and the notes which would show that it is lost."""
        for old in [*(self.folder / "phone").glob("store.db*"), *(self.folder / "phone").glob("transfers.jsonl")]:
            old.unlink()

    def apply(self):
        """The same lines from a file."""
        changes = self.folder / "changes"
        if not changes.exists():
            with open(changes, "wb") as output:
                subprocess.run(self.setting.tool("synclog since"), env=self.pair.home("laptop"), stdout=output, check=True)
        self.empty_phone()
        command = self.setting.tool("synclog apply", "--max-drift", "off", "--from", "laptop", changes)
        return timed(command, env=self.phone)[0]

    def slow_sync(self):
        """A first sync over a slow link: its time beside that of its bytes, and the bytes of the lines by those that came."""
        script = Path(__file__).parent / "slow_link.py"
        relay = subprocess.Popen([sys.executable, script, "27513", "27510", str(RATE), "0.04"])
        time.sleep(0.5)
        try:
            self.empty_phone()
            taken, came = self.run(27513)
        finally:
            relay.terminate()
            relay.wait()
        return [(taken, Run(came * 8 / RATE))], self.lines.stat().st_size / came

    def memory_of_run(self):
        """One more first sync, watched."""
        self.empty_phone()
        command = self.setting.tool("peersync run", "--quiet", "--direction", "pull", "--max-drift", "off")
        process = subprocess.Popen([*command, "--address", "127.0.0.1:27510"], env=self.phone, stdout=subprocess.DEVNULL)
        highest = 0
        while process.poll() is None:
            highest = max(highest, status_of(process.pid, ["VmHWM"])[0])
            time.sleep(0.01)
        return highest

    def next_sync(self, number):
        """1,000 records change on the laptop: the times and bytes of ours and of rsync."""
        step = self.setting.records // CHANGES
        script = 'awk -v step="$1" "NR % step == 0" "$2" | jq -c --arg mark "$3" "$4"'
        words = [str(step), str(self.lines), "!" * number, EDIT]
        _, changed = timed(["sh", "-c", script, "sh", *words])
        put = self.setting.tool("synclog put", "--max-drift", "off")
        subprocess.run(put, input=changed, text=True, check=True, stdout=subprocess.DEVNULL, env=self.pair.home("laptop"))
        new = self.shared / "new"
        with open(new, "wb") as output:
            edited = changed.encode().splitlines(keepends=True)
            for index, line in enumerate(open(self.lines, "rb"), 1):
                output.write(edited[index // step - 1] if index % step == 0 else line)
        new.replace(self.shared / "lines")
        (ours, came), (theirs, brought) = self.run(), self.rsync()
        return (ours, theirs), (came, brought)


class Followers:
    """A laptop that serves, and phones that follow it."""

    def __init__(self, setting):
        self.setting = setting
        self.phones = [f"phone{number}" for number in range(FOLLOWERS)]
        self.pair = Pair(setting, self.phones)
        self.laptop = self.pair.home("laptop")

    def delays(self):
        """The seconds that each change takes to the last phone, in order of length."""
        serve = self.setting.tool("peersync serve", "--quiet", "--port", "27514")
        self._put(0)
        processes = [subprocess.Popen(serve, env=self.laptop, stdout=subprocess.DEVNULL)]
        time.sleep(1)
        for phone in self.phones:
            run = self.setting.tool("peersync run", "--quiet", "--follow", "--address", "127.0.0.1:27514")
            processes.append(subprocess.Popen(run, env=self.pair.home(phone), stdout=subprocess.DEVNULL))
        try:
            return sorted(self._measure(100 if self.setting.quick else 500))
        finally:
            for process in processes:
                process.terminate()
                process.wait()

    def _put(self, number):
        line = json.dumps({"id": f"record{number}", "title": "Water the plants", "n": number})
        subprocess.run(
            self.setting.tool("synclog put"), input=line + "\n", text=True, check=True, stdout=subprocess.DEVNULL, env=self.laptop)

    def _measure(self, count):
        paths = [self.pair.folder / phone / "store.db" for phone in self.phones]
        while not all(path.exists() for path in paths):
            time.sleep(0.1)
        time.sleep(2)
        stores = [sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None) for path in paths]
        taken, start = [], time.perf_counter()
        for number in range(1, count + 1):
            time.sleep(max(0, start + number / 20 - time.perf_counter()))
            put = time.perf_counter()
            self._put(number)
            for store in stores:
                while store.execute("SELECT sequence FROM store").fetchone()[0] < number + 1:
                    time.sleep(0.0005)
            taken.append(time.perf_counter() - put)
        return taken
