"""A server: reads beside nginx, what thousands that wait for a change cost, and the page of a household."""

import json
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from measure import Failure, Run, in_turn, status_of
from serving import PORT, Nginx, Server
from table import BarTable, mebibytes, seconds

NOTE = """\
`syncserve` returns a household's one record of 1 KiB, and nginx returns a file of that size, each with an access log. An
epoll client keeps 50 connections busy. The bar is 0.4 of nginx's rate. A waiting client has a connection with a
request that waits for a change. Each key has four such clients, and one household has 1,000. The time is from the
moment before a record is sent to the server until each client has its answer. The idle use of 10,000 waiting clients
is measured over ten seconds. The page shows a household with four keys and 164 planned chores; before each request
`/sync` changes a member."""

BAR = 1 / 0.4
MEMORY, IDLE, WOKEN, PAGE = 300 << 20, 0.01, 0.050, 0.100


def tables(setting):
    table = BarTable("Servers", NOTE)
    place = Path(tempfile.mkdtemp(prefix="servers.", dir=setting.work))
    with Server(setting, place) as server:
        server.post(size=790)
        if shutil.which("nginx") is None:
            table.absent("1 KiB read from `syncserve` : from nginx", "no nginx")
        else:
            add_reads(setting, table, server)
        add_wake(setting, table, server)
        add_waiters(table, server)
    other = place / "planner"
    other.mkdir()
    with Server(setting, other, keys=4) as server:
        add_page(setting, table, server)
    return [table]


def add_reads(setting, table, server):
    file = server.place / "file"
    file.write_bytes(server.get("/changes"))
    length = 1 if setting.quick else 5

    def rate(port, path, *keys):
        answers, others, taken, status = server.client("reads", port, 50, length, path, *keys)
        if others != "0":
            raise Failure(f"{others} of {answers} answers of port {port} were failures, such as {status}")
        return Run(float(taken) / int(answers))

    with Nginx(server.place):
        ours, theirs = in_turn(
            [lambda: rate(PORT, "/changes", server.key_file), lambda: rate(8080, "/file")], setting.pairs)
    table.compare("1 KiB read from `syncserve` : from nginx", ours, theirs, BAR)


def add_wake(setting, table, server):
    count, found = 1_000, {0.5: [], 0.99: []}
    for _ in range(setting.pairs):
        with server.waiting(count) as client:
            while server.busy(0.3) > 0.02:
                pass
            begun = time.monotonic_ns()
            server.post()
            times = []
            while len(times) < count:
                time.sleep(0.2)
                client.stdin.write("\n")
                client.stdin.flush()
                times += [(int(each) - begun) / 1e9 for each in client.stdout.readline().split()]
        for share, all_of_it in found.items():
            all_of_it.append(sorted(times)[int(share * count)])
    for share, bar in (0.5, None), (0.99, WOKEN):
        what, value = f"a record for {count:,} that wait: {int(share * 100)} of 100 have it", statistics.median(found[share])
        if bar is None:
            table.row(what, seconds(value), "", "", "", "")
        else:
            table.limit(what, value, bar, seconds)


def add_waiters(table, server):
    count = 10_000
    with server.waiting(count):
        # What has come is worked on.
        while server.busy(0.5) > 0.05:
            pass
        share = server.busy(10)
        (resident,) = status_of(server.process.pid, ["VmRSS"])
    table.limit(f"{count:,} wait: memory", resident, MEMORY, mebibytes)
    table.limit(f"{count:,} wait: share of a processor", share, IDLE, lambda value: f"{value * 100:.2f} %")


def add_page(setting, table, server):
    at = "2026-01-01T00:00:00Z"
    members = [{"id": f"6F1B2C3D-0000-4000-8000-{number:012X}", "displayName": "x", "updatedAt": at} for number in range(2)]
    today = time.strftime("%Y-%m-%dT20:00:00Z", time.gmtime())
    templates = [
        {"id": f"6F1B2C3D-0000-4000-8000-{number:012X}", "title": f"Chore {number}", "cadenceUnitRaw": "days", "cadenceValue": 1,
         "startDate": today, "createdAt": at, "updatedAt": at, "timeZone": "Europe/Berlin"} for number in range(16, 180)]

    def push(**lists):
        return json.loads(server.ask("/sync", json.dumps(lists).encode()))

    pushed = push(members=members, templates=templates)
    times, count = [], 20 if setting.quick else 100
    for turn in range(1, count + 1):
        member = members[0] | {"displayName": f"x{turn}", "updatedAt": f"2026-01-02T00:{turn // 60:02}:{turn % 60:02}Z"}
        pushed |= push(baseRevision=pushed["revision"], members=[member])
        begun = time.monotonic()
        server.get("/")
        times.append(time.monotonic() - begun)
    records = int(re.search(r"^peersync_records\S* (\d+)", server.get("/metrics").decode(), re.MULTILINE)[1])
    table.limit(
        f"the page of a household of {records:,} records, just changed: 99 of 100", sorted(times)[-(-99 * count // 100) - 1], PAGE, seconds)
