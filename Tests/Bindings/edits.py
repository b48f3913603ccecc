"""Two devices whose apps edit files and tables while they are synced: no edit is lost.

usage: edits.py TOOLS SEED ROUNDS

Each device has the same 40 records in a file that its app writes by truncating it, by renaming another over it and by
appending to it, and in a table. Every edit has a time of its own and a text of its own. At the end both devices have the same,
and the last edit that an app has made of each record, or have it among the conflicts: an app that writes back twice what it had read before
it was given a record has deleted that.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

TOOLS, SEED, ROUNDS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
KEYS = [f"k{number}" for number in range(40)]

clock = int(time.time() * 1000) - 10_000_000
clock_lock = threading.Lock()
# By entity and key: the time and text of the last edit, None for a deletion.
last: dict = {}


def now():
    """A time that no other edit has, far enough apart for the millisecond by which a store sets edits apart."""
    global clock
    with clock_lock:
        clock += 20
        return clock


def stamp(milliseconds):
    seconds, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03d}Z"


class Device:
    def __init__(self, name, numbers):
        self.name = name
        self.random = random.Random(SEED * 10 + numbers)
        self.file = f"{name}.jsonl"
        self.table = f"{name}.db"
        os.mkdir(name, 0o700)
        self.environment = dict(os.environ, PEERSYNC_HOME=os.path.abspath(name))
        open(self.file, "w").close()
        with sqlite3.connect(self.table) as database:
            database.execute("CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT NOT NULL, updated_at TEXT)")
            # What is new is found by an index, on one of the devices.
            if numbers % 2 == SEED % 2:
                database.execute("CREATE INDEX edited ON notes (updated_at)")
            if numbers % 2:
                database.execute("PRAGMA journal_mode = WAL")
        self.run("bind", self.file, "--entity-name", "Task")
        self.run("bind", self.table, "--table", "notes", "--entity-name", "Note")
        self.run("remote", "add", "dir:folder")
        self.count = 0

    def run(self, *words, kill=False):
        process = subprocess.Popen(
            [f"{TOOLS}/peersync", *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        if kill:
            time.sleep(self.random.uniform(0, 0.06))
            process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        if process.returncode not in (0, 1, 75, -9):
            raise SystemExit(f"{self.name}: peersync {words}: {process.returncode}\n{errors.decode()}")
        return process.returncode

    # The app. It opens its file to write before it reads it, as an app does that shares its file with another program.

    def text(self):
        self.count += 1
        return f"{self.name} {self.count}"

    def edited(self, records):
        key = self.random.choice(KEYS)
        if key in records and self.random.random() < 0.15:
            del records[key]
            return key, None
        moment, text = now(), self.text()
        records[key] = {"id": key, "body": text, "updated_at": stamp(moment)}
        return key, (moment, text)

    def edit_file(self):
        way = self.random.choice(["truncate", "truncate", "append", "rename"])
        if way == "rename":
            return self.edit_by_rename()
        with open(self.file, "r+") as file:
            records = {}
            for line in file.read().splitlines():
                record = json.loads(line)
                records[record["id"]] = record
            if way == "append":
                free = [key for key in KEYS if key not in records]
                if not free:
                    return
                key, moment, text = self.random.choice(free), now(), self.text()
                record = {"id": key, "body": text, "updated_at": stamp(moment)}
                file.seek(0, os.SEEK_END)
                file.write(json.dumps(record)[:10])
                file.flush()
                time.sleep(self.random.uniform(0, 0.01))
                file.write(json.dumps(record)[10:] + "\n")
                note("Task", key, (moment, text))
                return
            key, edit = self.edited(records)
            file.seek(0)
            file.truncate()
            file.flush()
            for record in records.values():
                file.write(json.dumps(record) + "\n")
                if self.random.random() < 0.02:
                    file.flush()
                    time.sleep(0.005)
            note("Task", key, edit)

    def edit_by_rename(self):
        """What was read may be old by the time it is put in place."""
        with open(self.file) as file:
            records = {}
            for line in file.read().splitlines():
                record = json.loads(line)
                records[record["id"]] = record
        key = self.random.choice(KEYS)
        moment, text = now(), self.text()
        records[key] = {"id": key, "body": text, "updated_at": stamp(moment)}
        time.sleep(self.random.uniform(0, 0.02))
        with open(self.file + ".new", "w") as file:
            for record in records.values():
                file.write(json.dumps(record) + "\n")
        os.rename(self.file + ".new", self.file)
        note("Task", key, (moment, text))

    def edit_table(self):
        database = sqlite3.connect(self.table, timeout=20, isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        key = self.random.choice(KEYS)
        there = database.execute("SELECT 1 FROM notes WHERE id = ?", (key,)).fetchone()
        if there and self.random.random() < 0.15:
            database.execute("DELETE FROM notes WHERE id = ?", (key,))
            edit = None
        else:
            moment, text = now(), self.text()
            edit = (moment, text)
            database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (key, text, stamp(moment)))
        database.execute("COMMIT")
        database.close()
        note("Note", key, edit)

    def kept(self):
        """The texts among the conflicts."""
        texts = set()
        for line in self.output("list"):
            shown = json.loads(self.output("show", json.loads(line)["number"])[0])
            texts.add((shown["lost"].get("fields") or {}).get("body"))
        return texts

    def output(self, *words):
        command = [f"{TOOLS}/synclog", "conflicts", *map(str, words)]
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, check=True).stdout.splitlines()

    def records(self):
        tasks = {}
        for line in open(self.file).read().splitlines():
            record = json.loads(line)
            tasks[record["id"]] = record["body"]
        with sqlite3.connect(self.table) as database:
            notes = dict(database.execute("SELECT id, body FROM notes"))
        return {"Task": tasks, "Note": notes}


def note(entity, key, edit):
    """Remembers an edit; one deletion among the edits of a record leaves open which of them stays."""
    with clock_lock:
        known = last.get((entity, key))
        if edit is None or known == "open":
            last[entity, key] = "open"
        elif known is None or known[0] < edit[0]:
            last[entity, key] = edit


def main():
    os.mkdir("folder")
    devices = [Device("one", 1), Device("two", 2)]
    ends = threading.Event()
    failures = []

    def app(device):
        try:
            while not ends.is_set():
                device.random.choice([device.edit_file, device.edit_table])()
                time.sleep(device.random.uniform(0, 0.05))
        except Exception as failure:
            failures.append(f"{device.name}: {failure!r}")

    apps = [threading.Thread(target=app, args=[device]) for device in devices]
    for thread in apps:
        thread.start()
    for _ in range(ROUNDS):
        for device in devices:
            device.run("run", kill=device.random.random() < 0.3)
    ends.set()
    for thread in apps:
        thread.join()
    for _ in range(6):
        for device in devices:
            device.run("run")
    one, two = (device.records() for device in devices)
    kept = devices[0].kept() | devices[1].kept()
    for entity in one:
        for key in KEYS:
            if one[entity].get(key) != two[entity].get(key):
                failures.append(f"{entity} {key}: {one[entity].get(key)} here, {two[entity].get(key)} there")
            edit = last.get((entity, key))
            if edit not in (None, "open") and edit[1] not in {one[entity].get(key)} | kept:
                failures.append(f"{entity} {key}: {one[entity].get(key)} in place of the last edit, {edit[1]}")
    if failures:
        raise SystemExit(f"seed {SEED}:\n" + "\n".join(failures))
    edits = sum(device.count for device in devices)
    print(f"{edits} edits of two apps, {2 * ROUNDS} runs: both have the same, and every last edit")


main()
