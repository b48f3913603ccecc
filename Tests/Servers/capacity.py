"""How many pulls and writes a second a server answers, for docs/scale.md: capacity.py files|database. It judges nothing."""

import http.client
import json
import multiprocessing
import time

from checks import HANGING, main
from cluster import Cluster, DatabaseServer
from household import Server, change, token

HOUSEHOLDS = [f"house{number}" for number in range(16)]
#: A key may send 50 requests a second.
KEYS = 12
CLIENTS = 8
SECONDS = 10


def ask(running, households, kind, counts, number):
    """One client with a connection of its own, which asks as often as it can."""
    connection = http.client.HTTPConnection("127.0.0.1", running.port)
    done, times, tokens = 0, [], {}
    start = time.monotonic()
    while time.monotonic() - start < SECONDS:
        name, keys = households[(done + number) % len(households)]
        key = keys[(done // len(households) + number) % len(keys)]
        headers = {"Authorization": f"Bearer {key}"}
        begun = time.monotonic()
        if kind == "writes":
            connection.request("POST", "/changes", change(f"{number}-{done}", text="Water the plants"), headers)
        else:
            connection.request("GET", f"/changes?since={tokens.get(name, '')}", headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} {body}")
        if kind == "pulls" and name not in tokens:
            tokens[name] = token(body.decode())
        times.append(time.monotonic() - begun)
        done += 1
    times.sort()
    counts.put((done, times[len(times) // 2], times[len(times) * 99 // 100]))


def measure(running):
    households = [(name, [running.key(household=name)[0] for _ in range(KEYS)]) for name in HOUSEHOLDS]
    for kind in "writes", "pulls":
        for clients in 1, CLIENTS:
            counts = multiprocessing.Queue()
            several = [multiprocessing.Process(target=ask, args=(running, households, kind, counts, number))
                       for number in range(clients)]
            for client in several:
                client.start()
            results = [counts.get(timeout=HANGING) for _ in several]
            for client in several:
                client.join()
            print(json.dumps({
                "kind": kind, "clients": clients, "perSecond": round(sum(done for done, _, _ in results) / SECONDS),
                "median": f"{max(median for _, median, _ in results) * 1000:.1f} ms",
                "99 of 100": f"{max(late for _, _, late in results) * 1000:.1f} ms"}), flush=True)


def files(folder):
    with Server(folder / "server", households=HOUSEHOLDS) as running:
        measure(running)


def database(folder):
    with Cluster("fsync=on") as cluster, DatabaseServer(folder / "server", cluster.url, households=HOUSEHOLDS) as running:
        measure(running)


if __name__ == "__main__":
    main(files, database)
