"""Two hosts whose apps edit a table and a todo.txt for ten days, while cron syncs them: days.py, inside namespaces of its own.

A day has 24 runs of each host. The link between the hosts loses packets one way, runs and the server are killed, and the apps
edit all the while. Each edit knows the text that it replaces, so that at the end it is clear which ones nobody has
replaced knowingly: these have to be in the data of both hosts, or among the conflicts that one of them keeps.
"""

import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from pathlib import Path

from everyday import PORT, Device, pair
from lab import Failed, Lab, Program, check, until

DAYS, RUNS = int(os.environ.get("DAYS", "10")), 24
CONTACTS = 5_000 if DAYS > 1 else 1_000
SEED = int(os.environ.get("SEED", "1"))
# Contacts that are edited: few enough for both hosts to meet at one.
BUSY = 12


def stamp():
    now = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"


class Edits:
    """All texts that an app has written, and those that one has replaced or deleted, having read them."""

    def __init__(self):
        self.made, self.known = set(), set()
        self.lock = threading.Lock()

    def note(self, new, old):
        with self.lock:
            self.made.update({new} - {None})
            self.known.update({old} - {None})

    @property
    def last(self):
        return self.made - self.known


class Host(Device):
    """A device with the two apps."""

    def __init__(self, lab, host, folder):
        super().__init__(lab, host, folder)
        self.random = random.Random(SEED * 2 + (host == "a"))
        self.table, self.list = self.home / "contacts.db", self.home / "todo.txt"
        self.contacts, self.todos = Edits(), Edits()
        self.count = 0

    def install(self):
        """Host a has the contacts first; both have tables of one make, of which one has an index by the clock."""
        with sqlite3.connect(self.table) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("CREATE TABLE contacts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone TEXT, updated_at TEXT)")
            if self.host == "a":
                database.execute("CREATE INDEX edited ON contacts (updated_at)")
                rows = ((i, f"contact {i}", f"{i}", "2025-01-01T00:00:00Z") for i in range(1, CONTACTS + 1))
                database.executemany("INSERT INTO contacts VALUES (?, ?, ?, ?)", rows)
        self.list.write_text("".join(f"todo {i}\n" for i in range(50)) if self.host == "a" else "")
        self.tool("peersync", "bind", self.table, "--table", "contacts")
        self.tool("peersync", "bind", self.list)

    def text(self, what):
        self.count += 1
        return f"{what} {self.host}{self.count}"

    def edit_contact(self):
        database = sqlite3.connect(self.table, timeout=60, isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        key = self.random.randint(1, BUSY)
        found = database.execute("SELECT name FROM contacts WHERE id = ?", (key,)).fetchone()
        new = None if found and self.random.random() < 0.1 else self.text("contact")
        if new is None:
            database.execute("DELETE FROM contacts WHERE id = ?", (key,))
        else:
            database.execute("INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?)", (key, new, str(key), stamp()))
        database.execute("COMMIT")
        database.close()
        self.contacts.note(new, found and found[0])

    def edit_todo(self):
        """In place, having read it while it was open to write, or a line more at the end."""
        with open(self.list, "r+") as file:
            lines = file.read().splitlines()
            new = self.text("todo")
            if not lines or self.random.random() < 0.4:
                file.write(new + "\n")
                return self.todos.note(new, None)
            old = lines.pop(self.random.randrange(len(lines)))
            new = None if self.random.random() < 0.2 and len(lines) > 5 else new
            file.seek(0)
            file.truncate()
            file.write("".join(line + "\n" for line in lines + [new] if line))
            self.todos.note(new, old)

    def use(self, ends, failures):
        try:
            while not ends.is_set():
                self.random.choice([self.edit_contact, self.edit_todo])()
                time.sleep(self.random.uniform(0, 0.1))
        except Exception as failure:
            failures.append(f"an app on {self.host}: {failure!r}")

    def cron(self, *words):
        """A run, which may be killed; the other host may be away."""
        program = self.start("peersync", "run", "--quiet", *words, stderr=open(self.home / "cron.log", "a"))
        if self.random.random() < 0.1:
            time.sleep(self.random.uniform(0, 0.3))
            program.process.kill()
        return program.process.wait(300)

    def serve_again(self):
        self.serving.process.kill()
        self.serving.process.wait()
        self.serve_until_end()

    def data(self):
        with sqlite3.connect(self.table) as database:
            contacts = dict(database.execute("SELECT id, name FROM contacts"))
        return contacts, sorted(self.list.read_text().splitlines())

    def kept(self):
        """The texts of the changes that have lost, and are kept."""
        found = set()
        for line in self.tool("synclog", "conflicts", "list"):
            shown = json.loads(self.tool("synclog", "conflicts", "show", json.loads(line)["number"])[0])
            for side in "lost", "stored":
                fields = (shown.get(side) or {}).get("fields") or {}
                found.update({fields.get("name"), fields.get("line")})
        return found


def main():
    lab = Lab("ab")
    with tempfile.TemporaryDirectory() as folder:
        try:
            a, b = Host(lab, "a", folder), Host(lab, "b", folder)
            pair(a, b, 1)
            cable = Program([sys.executable, str(Path(__file__).parent / "lossy.py"), "a", "b", str(SEED), "--loss", "0.05"])
            lab.programs.append(cable)
            cable.wait_for("ready")
            for host in a, b:
                host.install()
            a.serve_until_end()
            lossy = ("--address", f"10.88.0.1:{PORT}", "a")
            until(lambda: b.cron(*lossy) == 0)
            ends, failures = threading.Event(), []
            apps = [threading.Thread(target=host.use, args=[ends, failures]) for host in (a, b)]
            for app in apps:
                app.start()
            statuses = [day(a, b, lossy) for _ in range(DAYS)]
            ends.set()
            for app in apps:
                app.join()
            until(lambda: b.cron(*lossy) == 0 and b.cron(*lossy) == 0 and a.data() == b.data())
            judge(a, b, failures, sum(statuses, []))
        finally:
            lab.end()


def day(a, b, lossy):
    statuses = []
    for hour in range(RUNS):
        statuses.append(b.cron(*lossy))
        if a.random.random() < 0.1:
            a.serve_again()
        time.sleep(0.05)
    return statuses


def judge(a, b, failures, statuses):
    check(not failures, f"no app has failed: {failures}")
    check(a.data() == b.data(), "both hosts have the same")
    kept = a.kept() | b.kept()
    contacts, todos = a.data()
    check(len(contacts) > CONTACTS - BUSY, f"{len(contacts)} contacts, {len(todos)} todos")
    for what, edits, there in (
        ("contacts", [a.contacts, b.contacts], set(contacts.values())), ("todos", [a.todos, b.todos], set(todos)),
    ):
        made = set().union(*(edit.made for edit in edits))
        last = made - set().union(*(edit.known for edit in edits))
        lost = last - there - kept
        check(not lost, f"{len(made)} edits of {what}: {len(last & there)} there, {len(last - there)} kept, lost: {sorted(lost)}")
    killed, failed = statuses.count(-signal.SIGKILL), sum(status not in (0, -signal.SIGKILL) for status in statuses)
    print(f"{len(statuses)} runs, {killed} killed, {failed} failed")
