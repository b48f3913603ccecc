"""What a run costs for an app's table, by how many rows it has."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from measure import Failure, Run
from setting import count_named
from table import BarTable, seconds

sys.path.insert(0, str(Path(__file__).parent.parent / "Bindings"))
import watch

NOTE = """\
`peersync run` syncs with a folder as its remote after {changes} rows were edited. *Theirs* is the same run with a
table of {few} rows. With an index on the column of clocks, a run reads only the new rows; without one, it reads all
rows. For the line after a commit, an app makes ten thousand commits, some in groups and some one by one, while a watch
runs. The watch at rest is measured for ten seconds."""

CHANGES = 100


def tables(setting):
    few, many = (10_000, 100_000) if setting.quick else (10_000, 1_000_000)
    table = BarTable("Bound tables", NOTE.format(changes=CHANGES, few=count_named(few)))
    apps = [App(setting, few, True), App(setting, many, True), App(setting, many, False)]
    turns = [[app.edit_and_run(turn) for app in apps] for turn in range(setting.pairs)]
    small, indexed, plain = zip(*turns)
    what = f"{CHANGES} edits in {count_named(many)} rows : in {count_named(few)}"
    table.compare(f"{what}, indexed", indexed, small, 2.0)
    table.compare(f"{what}, no index", plain, small)
    add_watch(setting, table)
    return [table]


def add_watch(setting, table):
    tool, commits = str(setting.tool("tablerows")[0]), 1_000 if setting.quick else 10_000
    for journal in "WAL", "DELETE":
        path = setting.work / f"watched-{journal}.db"
        found = sorted(watch.delays(tool, str(path), commits, journal))
        table.limit(f"a line after a commit, journal {journal}: 99 of 100", found[len(found) * 99 // 100], 0.2, seconds)
    process = subprocess.Popen([tool, "watch", str(path)], stdout=subprocess.DEVNULL)
    time.sleep(1)
    before, length = used(process.pid), 10
    time.sleep(length)
    share = (used(process.pid) - before) / length
    process.terminate()
    process.wait()
    table.limit("a watch at rest: share of a processor", share, 0.001, lambda value: f"{value * 100:.3f} %")


def used(pid):
    """Seconds of a processor so far."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


class App:
    """A device with one table, bound, and a folder."""

    def __init__(self, setting, count, is_indexed):
        self.peersync = str(setting.tool("peersync")[0])
        self.count = count
        home = setting.work / f"bound-{count}-{is_indexed}"
        (home / "folder").mkdir(parents=True)
        home.chmod(0o700)
        self.environment = dict(os.environ, PEERSYNC_HOME=str(home))
        self.database = home / "app.db"
        with sqlite3.connect(self.database) as database:
            database.execute("CREATE TABLE contacts (id INTEGER PRIMARY KEY, name TEXT, mail TEXT, updated_at TEXT)")
            database.execute(
                "WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?) INSERT INTO contacts "
                "SELECT i, 'Name ' || i, i || '@example.org', strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i, 'unixepoch') FROM numbers",
                [count],
            )
            if is_indexed:
                database.execute("CREATE INDEX edited ON contacts (updated_at)")
        self.run("remote", "add", f"dir:{home / 'folder'}")
        self.run("bind", self.database, "--table", "contacts")
        self.run("run", "--quiet")

    def run(self, *words):
        start = time.perf_counter()
        done = subprocess.run([self.peersync, *map(str, words)], env=self.environment, capture_output=True, text=True)
        wall = time.perf_counter() - start
        if done.returncode != 0:
            raise Failure(f"peersync {words}: status {done.returncode}\n{done.stderr[:2000]}")
        return Run(wall), done.stdout

    def edit_and_run(self, turn):
        with sqlite3.connect(self.database) as database:
            database.execute(
                "UPDATE contacts SET name = 'Edit ' || ?1, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + ?1, 'unixepoch') "
                "WHERE id % ?2 = ?1",
                [turn, self.count // CHANGES],
            )
        run, printed = self.run("run")
        if f'"recorded":{CHANGES}' not in printed:
            raise Failure(f"not {CHANGES} edits: {printed[:500]}")
        return run
