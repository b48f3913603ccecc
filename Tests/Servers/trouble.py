"""Servers that are not what they were: trouble.py SCENARIO."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

from checks import Failed, check, main, tool, until
from household import Device, Server, change, live, token


def pair(folder, url, file):
    devices = [Device(folder, name) for name in ("phone", "tablet")]
    for device in devices:
        device.add(url, "--key-file", file)
    return devices


def settle(devices, server, wanted, what):
    """Runs until all is where it belongs; the last one moves nothing."""
    for _ in range(2):
        for device in devices:
            device.run()
    alike = devices[0].dump() == devices[1].dump() == server.dump()
    check(alike and devices[0].keys() == wanted, f"{what}: all have {len(wanted)} records")
    moved = devices[0].run()
    check((moved["changesReceived"], moved["changesSent"]) == (0, 0), "and nothing more moves")
    check(server.verify() == {"faults": 0, "ahead": 0}, "and nothing is to be repaired")


def full(folder):
    """A disk that becomes full under requests, and is given room."""
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", disk], check=True)
    (disk / "other").write_bytes(bytes(63 << 20))
    try:
        fill(folder, disk)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def fill(folder, disk):
    with Server(disk / "server") as server:
        key, file = server.key()
        kept = folder / "phone.key"
        shutil.copy(file, kept)
        phone, tablet = pair(folder, f"http://127.0.0.1:{server.port}", kept)
        phone.put(1, "first")
        phone.run()
        acknowledged, statuses = {"first"}, []
        while len(statuses) < 200 and statuses[-3:] != [507] * 3:
            batch = [f"{len(statuses)}-{each}" for each in range(20)]
            status, body = server.ask(key, "POST", body="".join(change(each, filling="x" * 1000) for each in batch))
            statuses.append(status)
            if status == 200:
                acknowledged.update(batch)
            elif body["error"]["code"] != "storeFull":
                raise Failed(f"{status}: {body}")
        check(statuses[-1] == 507 and set(statuses) == {200, 507}, f"it answers 507 after {statuses.count(200)} requests")
        check(server.ask(key)[0] == 200, "it still tells what it has")
        check(live(server.dump()) == acknowledged, "of what it refused nothing is stored")
        phone.put(2, *(f"phone{each}" for each in range(400)), filling="x" * 1000)
        done = phone.run(status=None)
        check(done.returncode == 75, "a run ends with 75")
        check(live(server.dump()) >= acknowledged, "and takes nothing away")
        (disk / "other").unlink()
        settle([phone, tablet], server, acknowledged | phone.keys(), "with room")
        said = (folder / "disk" / "server.access.errors").read_text()
        check("the disk is full" in said, "the server's log says why")
        server.stop()


def restored(folder):
    """The server's store is put back as it was in a backup: devices bring what it had since then."""
    with Server(folder / "server") as server:
        key, file = server.key()
        devices = pair(folder, f"http://127.0.0.1:{server.port}", file)
        devices[0].put(1, "old", "gone")
        for device in devices:
            device.run()
        old = token(server.ask(key)[1])
        tool("synclog", "backup", "--store", server.store(), folder / "backup.db")
        devices[0].put(2, "since then", "old")
        devices[1].put(2, "since then too")
        gone = {"entityName": "", "identity": {"id": "gone"}, "deletedAt": "2024-01-01T00:00:00Z"}
        devices[1].tool("synclog", "apply", "--from", "here", text=json.dumps(gone) + "\n")
        for device in (*devices, devices[0]):
            device.run()
        new = token(server.ask(key)[1])
        late, _ = server.key()
        tool("syncserve", "key", "revoke", late.split(".")[2], "--store", server.place)
        server.stop()
        for end in "-wal", "-shm":
            server.store().with_name("home.db" + end).unlink(missing_ok=True)
        shutil.copy(folder / "backup.db", server.store())
        server.start()
        check(live(server.dump()) == {"old", "gone"}, "the server is as it was")
        check(server.ask(key, query=f"?since={new}")[0] == 410, "a token from after the backup leads nowhere")
        check(server.ask(key, query=f"?since={old}")[0] == 200, "one from before it is answered")
        check(server.ask(late)[0] == 401, "a key that was revoked since then stays so")
        settle(devices, server, {"old", "since then", "since then too"}, "restored")


def two(folder):
    """Two servers answer to one name in turn: copies of one store that do not know of each other."""
    with Server(folder / "server") as server:
        _, file = server.key()
        devices = pair(folder, f"http://127.0.0.1:{server.port}", file)
        devices[0].put(1, "before")
        for device in devices:
            device.run()
        server.stop()
        shutil.copytree(folder / "server", folder / "copy")
        copy = Server(folder / "copy")
        wanted, statuses = {"before"}, []
        for number in range(6):
            (one, other) = (server, copy) if number % 2 else (copy, server)
            one.start()
            for device in devices if number % 3 else devices[:1]:
                key = f"{device.home.name}{number}"
                device.put(10 + number, key)
                wanted.add(key)
                statuses.append(device.run(status=None).returncode)
            one.stop()
        check(set(statuses) == {0}, f"each run goes well, whoever answers: {statuses}")
        with copy:
            for _ in range(2):
                for device in devices:
                    device.run()
            check(live(copy.dump()) == wanted, "one of them has everything in the end")
        server.start()
        settle(devices, server, wanted, "and the other one too")


def another(folder):
    """At a name that was one server's there is another one, with other stores, or with the same keys: nothing is mixed."""
    with Server(folder / "server") as server:
        _, file = server.key()
        phone, tablet = pair(folder, f"http://127.0.0.1:{server.port}", file)
        phone.put(1, "1")
        phone.run()
        server.stop()
        with Server(folder / "other") as other:
            other.key()
            done = phone.run(status=None)
            check(done.returncode == 77 and other.dump() == "", f"a key of the first is none of the second: {done.stderr.strip()}")
        for end in "", "-wal", "-shm":
            (folder / "server" / f"home.db{end}").unlink(missing_ok=True)
        server = Server(folder / "server")
        server.start()
        phone.put(2, "2")
        settle([phone, tablet], server, {"1", "2"}, "one with the same keys and an empty store is filled again")
        server.stop()


def taken_back(folder):
    """A move beside the running server that fails, or is killed and undone: what is acknowledged afterwards stays."""
    with Server(folder / "server") as server:
        key = server.key()[0]
        wanted = set()

        def post(*names):
            status = server.ask(key, "POST", body="".join(change(name) for name in names))[0]
            check(status == 200, f"{names[0]}: it is stored")
            wanted.update(names)
            check(live(server.dump()) == wanted, "another process has it")
            before = token(tool("synclog", "since", "--store", server.store()))
            beside = f"beside {names[0]}"
            tool("synclog", "apply", "--from", "here", "--store", server.store(), text=change(beside))
            wanted.add(beside)
            check(beside in server.ask(key, query=f"?since={before}")[1], "the server has what another process stores")

        post(*(f"a{number}" for number in range(20000)))
        there = folder / "there"
        # The copy cannot be made.
        (there / "home.db.new").mkdir(parents=True, mode=0o700)
        words = ("syncserve", "move", "home", "--store", server.place, "--to", f"{there}/")
        for turn in range(3):
            check(tool(*words, status=None).returncode != 0 and server.store().exists(), "the move fails, and is taken back")
            post(f"after {turn}")
        (there / "home.db.new").rmdir()
        move = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until((there / "home.db.new").exists, "it copies")
        move.kill()
        move.wait()
        check(not server.store().exists(), "a killed one leaves it closed")
        check(server.ask(key, "POST", body=change("closed"))[0] == 503, "nothing is taken")
        # As after a kill in the middle of the renaming.
        for end in "-wal", "-shm":
            server.store().with_name(f"home.db.moving{end}").rename(server.store().with_name(f"home.db{end}"))
        tool(*words, "--cancel")
        post("undone")
        check(not any("home.db-" in name and "deleted" in name for name in opened(server)), "its log is the one that is there")
        server.stop(signal.SIGKILL)
        check(live(server.dump()) == wanted, "all that was acknowledged is there")
        check(server.verify() == {"faults": 0, "ahead": 0}, "and nothing is to be repaired")
        server.start()
        move = json.loads(tool(*words))
        check(move["records"] == len(wanted), "in the end it is moved")
        check(server.ask(key, "POST", body=change("gone"))[0] in (404, 503), "and the old place takes nothing")


def opened(server):
    """The files that the server has open."""
    files = []
    for each in Path(f"/proc/{server.process.pid}/fd").iterdir():
        try:
            files.append(os.readlink(each))
        except FileNotFoundError:
            pass  # it is closed by now
    return files


def unrevoked(folder):
    """The keys of a household cannot be revoked, because the disk is full: the household is not removed either."""
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "none", disk], check=True)
    try:
        place = ("--store", f"{folder}/server/", "--keys", disk / "keys")
        tool("syncserve", "household", "add", "home", *place)
        key = tool("syncserve", "key", "create", *place).strip()
        try:
            (disk / "other").write_bytes(bytes(64 << 10))
        except OSError:
            pass  # it is full
        done = tool("syncserve", "household", "remove", "home", *place, status=None)
        check(done.returncode != 0 and (folder / "server" / "home.db").exists(), f"nothing is removed: {done.stderr.strip()}")
        (disk / "other").unlink()
        tool("syncserve", "household", "remove", "home", *place)
        server = Server(folder / "server")
        server.options = ("--keys", str(disk / "keys"))
        with server:
            check(server.ask(key)[0] == 401, "the key is not for the next household of the name")
            server.stop()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def purged(folder):
    """A household is removed for good beside the running server, which gives its file back to the disk."""
    with Server(folder / "server", households=("home", "old")) as server:
        key = server.key(household="old")[0]
        check(server.ask(key, "POST", body=change("1"))[0] == 200 and server.ask(key)[0] == 200, "a household is used")
        check(any("old.db" in name for name in opened(server)), "its file is open")
        removed = json.loads(tool("syncserve", "household", "remove", "old", "--store", server.place))["removedAs"]
        tool("syncserve", "household", "remove", removed, "--store", server.place)
        # The server looks when the keys have changed, or a minute later.
        server.key()
        until(lambda: not any("old.db" in name for name in opened(server)), "no file of it is open")
        check(server.stop() == 0, "it is closed, and the server goes on")


def locked(folder):
    """Another program keeps the store locked: a signal ends the server all the same, ten seconds later."""
    server = Server(folder / "server")
    server.options = ("--wait", "60s")
    with server:
        key = server.key()[0]
        check(server.ask(key, "POST", body=change("1"))[0] == 200, "a record is stored")
        other = sqlite3.connect(server.store(), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        asked = threading.Thread(target=server.ask, args=(key, "POST"), kwargs={"body": change("2")}, daemon=True)
        asked.start()
        time.sleep(1)
        begun = time.monotonic()
        status = server.stop()
        took = time.monotonic() - begun
        check(status == 0 and 8 < took < 40, f"it ends after {took:.0f} s: {status}")
        asked.join()
        other.execute("ROLLBACK")
        other.close()
        check(live(server.dump()) == {"1"}, "what was not answered is not stored")
        check(server.verify() == {"faults": 0, "ahead": 0}, "and nothing is to be repaired")


main(full, restored, two, another, taken_back, unrevoked, purged, locked)
