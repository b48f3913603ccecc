"""A household with many records, and load that goes on for minutes: load.py SCENARIO files|database [SIZE]."""

import contextlib
import http.client
import json
import re
import statistics
import threading
import time
from pathlib import Path
from urllib.parse import quote

from checks import HANGING, Failed, check, main, tool
from cluster import Cluster, DatabaseServer
from household import Server, change

MIB = 1 << 20


@contextlib.contextmanager
def serving(folder, engine, households=("home",), filled=None):
    """A server on an engine; `filled` is a store that its household is made of."""
    with contextlib.ExitStack() as stack:
        if engine == "files":
            server = Server(folder / "server", households=() if filled else households)
            if filled:
                server.folder.mkdir(mode=0o700)
                filled.rename(server.store())
        else:
            cluster = stack.enter_context(Cluster("fsync=on"))
            if filled:
                begun = time.monotonic()
                tool("syncserve", "move", "home", "--store", f"{filled.parent}/", "--to", cluster.url, seconds=3_600)
                print(f"moved into the database in {time.monotonic() - begun:.0f} s")
            server = DatabaseServer(folder / "server", cluster.url, households=households)
        yield stack.enter_context(server)


class Connection:
    """Requests with a key, one after the other on one connection."""

    def __init__(self, server, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANGING)
        self.fields = {"Authorization": f"Bearer {key}"}

    def ask(self, method, path, body=None):
        self.connection.request(method, path, body, self.fields)
        answer = self.connection.getresponse()
        return answer, answer.read()


def pull(folder, engine, count=1_000_000):
    """A client gets every record of a large household: the server's memory has a bound."""
    count = int(count)
    place = folder / "filled"
    place.mkdir(mode=0o700)
    store, lines = place / "home.db", folder / "lines.jsonl"
    with open(lines, "w", encoding="utf-8") as output:
        for number in range(count):
            output.write(change(f"record-{number}", number, title="x" * 100))
    tool("synclog", "apply", "--from", "here", "--store", store, lines, seconds=3_600)
    lines.unlink()
    with serving(folder, engine, filled=store) as server:
        connection = Connection(server, server.key()[0])
        path, told, size, begun = "/changes", 0, 0, time.monotonic()
        while path:
            answer, body = connection.ask("GET", path)
            if answer.status == 429:
                time.sleep(int(answer.headers["Retry-After"]))
                continue
            if answer.status != 200:
                raise Failed(f"{answer.status} {body[:200]}")
            told += body.count(b'"entityName"')
            size += len(body)
            link = re.match("<(.*)>", answer.headers.get("Link", ""))
            path = link and link[1]
        seconds = time.monotonic() - begun
        check(told == count, f"{told} records, {size / MIB:.0f} MiB in {seconds:.1f} s")
        check(server.memory() <= 64 * MIB, f"the server had at most {server.memory() / MIB:.1f} MiB of memory")
        check(server.stop() == 0, "it ends at a signal")


def resident(process):
    """The memory of a process that is its own, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) << 10


class Steady:
    """Writers and followers at a steady pace, and how long each answer took.

    The same records are written again and again: what grows is not what the server holds of larger stores.
    """

    HOUSEHOLDS, WRITERS, FOLLOWERS, EACH, RECORDS = 16, 8, 8, 20, 480

    def __init__(self, server, names, seconds):
        self.server, self.names = server, names
        self.begun, self.seconds = time.monotonic(), seconds
        # For each minute the milliseconds of the writes, and the memory.
        self.times = [[] for _ in range(seconds // 60 + 2)]
        self.memory = [[] for _ in self.times]
        # The last change of each record.
        self.written, self.told = {name: {} for name in names}, {name: {} for name in names}
        self.faults, self.over = [], False

    def minute(self):
        return int(time.monotonic() - self.begun) // 60

    def write(self, number):
        connections = [Connection(self.server, self.server.key(household=name)[0]) for name in self.names]
        count = 0
        while (due := self.begun + count / self.EACH) < self.begun + self.seconds:
            time.sleep(max(0, due - time.monotonic()))
            name = self.names[(count + number) % len(self.names)]
            key, started = f"{number}-{count % self.RECORDS}", time.monotonic()
            answer, body = connections[self.names.index(name)].ask("POST", "/changes", change(key, count, count=count))
            self.times[min(self.minute(), len(self.times) - 1)].append((time.monotonic() - started) * 1e3)
            if answer.status != 200:
                self.faults.append((answer.status, body))
            else:
                self.written[name][key] = count
            count += 1

    def follow(self, number):
        name = self.names[number % len(self.names)]
        connection, last = Connection(self.server, self.server.key(household=name)[0]), ""
        while True:
            # What is written by now is in this answer.
            ends = self.over
            answer, body = connection.ask("GET", f"/changes?since={last}" + ("" if ends else "&wait=2"))
            if answer.status != 200:
                self.faults.append((answer.status, body))
                return
            lines = [json.loads(line) for line in body.splitlines()]
            for line in lines[:-1]:
                self.told[name][line["identity"]["id"]] = line["fields"]["count"]
            last = quote(lines[-1]["newTokenData"], safe="")
            if ends and len(lines) == 1:
                return

    def run(self):
        writers = [threading.Thread(target=self.write, args=(number,), daemon=True) for number in range(self.WRITERS)]
        followers = [threading.Thread(target=self.follow, args=(number,), daemon=True) for number in range(self.FOLLOWERS)]
        for thread in writers + followers:
            thread.start()
        while any(thread.is_alive() for thread in writers):
            # The machine may be late with the last writes.
            self.memory[min(self.minute(), len(self.memory) - 1)].append(resident(self.server.process))
            time.sleep(0.5)
        self.over = True
        for thread in followers:
            thread.join(120)


def percentile(times, part):
    return sorted(times)[int(len(times) * part)]


def steady(folder, engine, seconds=300):
    """Memory stays flat, and no follower misses anything; times are only printed."""
    seconds = int(seconds)
    names = [f"house{number}" for number in range(Steady.HOUSEHOLDS)]
    with serving(folder, engine, names) as server:
        load = Steady(server, names, seconds)
        load.run()
        check(not load.faults, f"each request is answered {load.faults[:3]}")
        missed = sum(len(load.written[name].items() - load.told[name].items()) for name in names[:Steady.FOLLOWERS])
        count = sum(len(each) for each in load.times)
        check(missed == 0, f"{count} writes in {seconds} s, {missed} records missed")
        whole = max(1, seconds // 60)
        for minute in range(whole):
            times, memory = load.times[minute], load.memory[minute]
            print(f"minute {minute + 1}: {len(times)} writes, p50 {percentile(times, 0.5):.1f} ms, "
                  f"p99 {percentile(times, 0.99):.1f} ms, memory {statistics.median(memory) / MIB:.1f} MiB")
        first, last = load.memory[0], load.memory[whole - 1]
        check(statistics.median(last) <= 1.25 * statistics.median(first) + 4 * MIB, "the memory is flat")
        check(server.stop() == 0, "it ends at a signal")


if __name__ == "__main__":
    main(pull, steady)
