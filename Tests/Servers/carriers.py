"""One folder that a program carries between two devices: carriers.py CARRIER."""

import json
import random
import re
import shutil
import subprocess
import urllib.request

from checks import HANGING, LONG, Failed, check, main, tool, until
from household import Device


def tree(folder):
    """The files of a shared folder, without what the carrier keeps there."""
    names = {path: str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for path, name in names.items() if not f"/{name}".count("/.")}


class Copies:
    """rclone, there and back; of a file that stands on both sides the newer one wins."""

    def __init__(self, _, folders):
        self.folders = folders

    def carry(self):
        for here, there in (self.folders, self.folders[::-1]):
            subprocess.run(["rclone", "copy", "--update", "--config", "", here, there], check=True, capture_output=True)

    def end(self):
        pass


OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
    "urAccepted": "-1", "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0", "startBrowser": "false",
    "reconnectionIntervalS": "1", "setLowPriority": "false",
}


class Syncthings:
    """Two that know each other's address and nobody else."""

    def __init__(self, place, folders):
        self.folders, self.homes, self.processes = folders, [place / f"syncthing{n}" for n in (1, 2)], []
        for home in self.homes:
            tool("syncthing", "generate", "--home", home, "--no-default-folder", "--skip-port-probing")
        self.ids = [re.search(r'<device id="([^"]+)"', self.config(n).read_text()).group(1) for n in (0, 1)]
        self.keys = [re.search(r"<apikey>([^<]+)", self.config(n).read_text()).group(1) for n in (0, 1)]
        for number in (0, 1):
            self.settle(number)
            words = ["syncthing", "serve", "--home", self.homes[number], "--no-browser", "--no-restart", "--no-upgrade"]
            with open(place / f"syncthing{number}.log", "wb") as log:
                self.processes.append(subprocess.Popen(list(map(str, words)), stdout=log, stderr=log))
        for number in (0, 1):
            until(lambda number=number: self.is_connected(number), "both are connected")

    def config(self, number):
        return self.homes[number] / "config.xml"

    def settle(self, number):
        text = self.config(number).read_text()
        for name, value in OPTIONS.items():
            text, count = re.subn(f"<{name}>[^<]*</{name}>", f"<{name}>{value}</{name}>", text)
            if count != 1:
                raise Failed(f"syncthing has no option {name}")
        own, other = f"<listenAddress>tcp://127.0.0.1:{22001 + number}<", 1 - number
        text = text.replace("<listenAddress>default<", own).replace("127.0.0.1:8384", f"127.0.0.1:{8385 + number}")
        folder = (
            f'<folder id="shared" path="{self.folders[number]}" type="sendreceive" rescanIntervalS="3600"'
            ' fsWatcherEnabled="true" fsWatcherDelayS="1"><maxConflicts>10</maxConflicts>'
            + "".join(f'<device id="{each}"></device>' for each in self.ids) + "</folder>")
        device = f'<device id="{self.ids[other]}" name="other"><address>tcp://127.0.0.1:{22001 + other}</address></device>'
        text = text.replace("<gui ", f"{device}{folder}<gui ", 1)
        self.config(number).write_text(text)

    def ask(self, number, path, method="GET"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{8385 + number}/rest/{path}", method=method, headers={"X-API-Key": self.keys[number]})
        with urllib.request.urlopen(request, timeout=HANGING) as answer:
            text = answer.read()
        return json.loads(text) if text.strip() else None

    def is_connected(self, number):
        try:
            return self.ask(number, "system/connections")["connections"][self.ids[1 - number]]["connected"]
        except OSError:
            return False

    def carry(self):
        until(self.is_even, "both have the same")

    def is_even(self):
        # A copy of a clash is made while a change comes: only the next look finds it.
        for number in (0, 1):
            self.ask(number, "db/scan?folder=shared", "POST")
        idle = all(self.ask(number, "db/status?folder=shared")["state"] == "idle" for number in (0, 1))
        try:
            return idle and tree(self.folders[0]) == tree(self.folders[1])
        except FileNotFoundError:
            return False  # renamed at this moment

    def end(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()


def edits(carrier_of, place, rounds):
    """Edits on both sides, runs and transports in any order; in the end all is equal, and no copy of a clash does harm."""
    seed = random.randrange(1 << 32)
    print(f"seed: {seed}")
    moments = random.Random(seed)
    folders = [place / "kitchen.shared", place / "attic.shared"]
    devices = [Device(place, name) for name in ("kitchen", "attic")]
    for folder, device in zip(folders, devices):
        folder.mkdir()
        # Before either sees the other's: two files of one name.
        device.add(f"dir:{folder}")
        device.put(1, "begun")
        device.run()
    carrier = carrier_of(place, folders)
    try:
        wanted = {"begun"} | any_order(moments, carrier, folders, devices, rounds)
        settle(carrier, devices, folders, wanted)
        devices.append(copied(devices[0], folders))
        for number, device in enumerate(devices):
            device.put(100, f"copied-{number}")
            wanted.add(f"copied-{number}")
            device.run()
        settle(carrier, devices, folders, wanted)
    finally:
        carrier.end()


def any_order(moments, carrier, folders, devices, rounds):
    """What both devices have written meanwhile."""
    wanted = {"both"}
    for number in range(rounds):
        for one in moments.choice(([0], [1], [0, 1], [1, 0])):
            key = f"{number}-{devices[one].home.name}"
            devices[one].put(number, key)
            devices[one].put(number * 2 + one, "both", at=key)
            wanted.add(key)
            devices[one].run()
        if moments.random() < 0.5:
            clash(folders, number)
        if moments.random() < 0.7:
            carrier.carry()
    return wanted


def settle(carrier, devices, folders, wanted):
    for _ in range(2):
        carrier.carry()
        for device in devices:
            device.run()
    check(all(device.keys() == wanted for device in devices), f"all {len(devices)} stores have {len(wanted)} records")
    check(len({device.dump() for device in devices}) == 1, "and the same of each")
    carrier.carry()
    for device in devices:
        moved = device.run()
        check((moved["changesReceived"], moved["changesSent"]) == (0, 0), "nothing more moves")
        check(json.loads(device.tool("synclog", "verify"))["faults"] == 0, "and nothing is to be repaired")
    carrier.carry()
    trees = [tree(folder) for folder in folders]
    conflicts = [name for name in trees[0] if ".sync-conflict" in name]
    print(f"{len(trees[0])} files, {len(conflicts)} of them copies of clashes")
    check(trees[0] == trees[1], "both folders have the same")


def copied(device, folders):
    """A copy of a device with its store, on the other side: both write files of the same names."""
    copy = object.__new__(Device)
    copy.home = device.home.with_name("copy")
    shutil.copytree(device.home, copy.home)
    remotes = copy.home / "remotes.jsonl"
    remotes.write_text(remotes.read_text().replace(folders[0].name, folders[1].name))
    copy.environment = device.environment | {"PEERSYNC_HOME": str(copy.home)}
    return copy


def clash(folders, number):
    """A copy of a clash, as Syncthing names it, of a page that is there: its content is that of another time."""
    pages = sorted(folders[number % 2].glob("*/*.jsonl"))
    if pages:
        copy = pages[0].with_name(f"{pages[0].stem}.sync-conflict-20260101-00000{number % 10}-ABCDEFG.jsonl")
        shutil.copy(pages[-1], copy)


def rclone(place):
    edits(Copies, place, 40 if LONG else 3)


def syncthing(place):
    edits(Syncthings, place, 40 if LONG else 4)


main(rclone, syncthing)
