"""A server: reads beside nginx, and what thousands that wait for a change cost."""

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from measure import Failure, Run, in_turn, status_of
from serving import PORT, Nginx, Server
from table import BarTable, mebibytes, seconds

NOTE = """\
`syncserve` tells a household's one record of 1 KiB, and nginx sends a file of that size, each with an access log; an epoll
client keeps 50 connections busy. The bar is 0.4 of nginx's rate. Each of those that wait has a connection with a request
that waits for a change, four a key. One household has 1,000 of them, and a record comes: from before it is sent until each
has its answer. What 10,000 use while nothing happens is measured over ten seconds."""

BAR = 1 / 0.4
MEMORY, IDLE, WOKEN = 300 << 20, 0.01, 0.050


def tables(setting):
    table = BarTable("Servers", NOTE)
    place = Path(tempfile.mkdtemp(prefix="servers.", dir=setting.work))
    with Server(setting, place) as server:
        if shutil.which("nginx") is None:
            table.absent("1 KiB read from `syncserve` : from nginx", "no nginx")
        else:
            add_reads(setting, table, server)
        add_wake(setting, table, server)
        add_waiters(table, server)
    return [table]


def add_reads(setting, table, server):
    file = server.place / "file"
    file.write_bytes(server.get("/changes"))
    length = 1 if setting.quick else 5

    def rate(port, path, *keys):
        answers, others, taken = server.client("reads", port, 50, length, path, *keys)
        if others != "0":
            raise Failure(f"{others} answers of {answers} were no success")
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
