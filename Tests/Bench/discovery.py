"""How long it takes from the start of a program to the first peer that is found and resolved."""

import json
import os
import statistics
import subprocess
from pathlib import Path

from measure import Run
from table import BarTable, seconds

NOTE = """\
A host in a network namespace looks for the one peer in another namespace, which avahi announces, 20 times with each
program. `avahi-browse` asks a daemon that already has the answer in its cache. A fresh querier cannot be that fast, because
responders wait 20 to 120 ms (RFC 6762 §6). With loss, 30 % of the packets in one direction are lost, and our tool also
announces the peer. A querier repeats its question once a second over each address family until it receives an answer."""

RUN = Path(__file__).resolve().parents[1] / "Interop" / "run.sh"


def tables(setting):
    table = BarTable("Finding the first peer", NOTE)
    times = scenario(setting, "speed")
    if times is None:
        table.absent("a start of `peerdiscover browse --count 1` to the first peer", "absent")
        return [table]
    runs = {name: [Run(time) for time in taken] for name, taken in times.items()}
    ours = runs["peerdiscover"]
    table.compare("the first peer : python-zeroconf", ours, runs["python-zeroconf"], 1.0)
    table.compare("the first peer : `avahi-browse -rt`, its daemon's cache warm", ours, runs["avahi-browse"])
    table.limit("the first peer, median", statistics.median(times["peerdiscover"]), 0.15, seconds)
    for name, taken in (scenario(setting, "loss") or {}).items():
        table.limit(f"the same with loss {name}, median", statistics.median(taken), 2, seconds)
        table.limit(f"the same with loss {name}, the longest", max(taken), 8, seconds)
    return [table]


def scenario(setting, name):
    """The JSON that a scenario prints; None where it cannot run here."""
    environment = {**os.environ, "INTEROP_ROUNDS": "5" if setting.quick else "20"}
    done = subprocess.run([RUN, setting.tools, name], env=environment, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None
