"""An app writes to a database, and `tablerows watch` has a line for each of its commits.

usage: watch.py TOOLS COMMITS
"""

import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path


def delays(tablerows, database, commits, journal):
    """Seconds from the return of each commit to the next line; commits come at once, or after a while.

    Throws where no line comes for one.
    """
    app = sqlite3.connect(database, isolation_level=None, timeout=20)
    app.execute(f"PRAGMA journal_mode = {journal}")
    app.execute("PRAGMA synchronous = OFF")
    app.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    watch = subprocess.Popen([tablerows, "watch", database], stdout=subprocess.PIPE)
    lines = []

    def read():
        for _ in watch.stdout:
            lines.append(time.monotonic())

    reader = threading.Thread(target=read)
    reader.start()
    while not lines:
        time.sleep(0.01)
    begun, done = [], []
    for number in range(commits):
        begun.append(time.monotonic())
        app.execute("INSERT INTO notes VALUES (?1, 'note ' || ?1)", [number])
        done.append(time.monotonic())
        # Gaps of every length up to 20 ms, and now and then one in which the watch comes to rest.
        time.sleep(0.4 if number % 500 == 499 else (number * 7919 % 101) / 5000 if number % 3 == 0 else 0)
    patience = time.monotonic() + 60
    while lines[-1] < begun[-1] and time.monotonic() < patience:
        time.sleep(0.01)
    app.close()
    watch.terminate()
    reader.join()
    found, place = [], 0
    for start, end in zip(begun, done):
        while place < len(lines) and lines[place] < start:
            place += 1
        if place == len(lines):
            raise SystemExit(f"{journal}: no line after a commit")
        # A line may come while the commit returns.
        found.append(max(lines[place] - end, 0.0))
    return found


def main():
    tablerows, commits = f"{sys.argv[1]}/tablerows", int(sys.argv[2])
    for journal in "WAL", "DELETE":
        found = sorted(delays(tablerows, str(Path(f"{journal}.db").absolute()), commits, journal))
        print(f"{journal}: a line after each of {commits} commits, the last of 100 after {found[len(found) * 99 // 100] * 1000:.1f} ms")


if __name__ == "__main__":
    main()
