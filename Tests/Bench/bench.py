"""Measures the tools against other programs; bench.sh prepares what this needs.

usage: [QUICK=1] [PAIRS=5] [WRITE=1] [ONLY="starts growth"] bench.py TOOLS_FOLDER YARDSTICKS_FOLDER
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import bound
import chores
import discovery
import everyday
import events
import growth
import hostile
import links
import memory
import merges
import packets
import page
import pushes
import servers
import starts
import stores
import streams
from measure import Failure
from setting import Setting

GROUPS = [
    starts,
    streams,
    merges,
    stores,
    memory,
    growth,
    chores,
    hostile,
    links,
    everyday,
    events,
    discovery,
    pushes,
    packets,
    bound,
    servers,
]
# The groups to measure; all where none is named.
ONLY = os.environ.get("ONLY", "").split()
ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "performance.md"


def is_set(name):
    return os.environ.get(name, "0") not in ("", "0")


def check_space(folder, needed):
    free = shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(f"bench: {folder} has {free >> 30} GiB free, and the data takes {needed >> 30}; set TMPDIR")


def installed(tools, folder):
    """Copies the tools as an installation does: the kernel maps a copy in fewer and larger steps than a linked file."""
    folder.mkdir()
    for page_of in sorted((ROOT / "man").glob("*.1")):
        subprocess.run(["cp", tools / page_of.stem, folder], check=True)
    return folder


def check_names():
    unknown = set(ONLY) - {group.__name__ for group in GROUPS}
    if unknown:
        sys.exit(f"bench: ONLY: no group {' '.join(sorted(unknown))}; there are {' '.join(g.__name__ for g in GROUPS)}")


def measure(setting):
    facts = page.facts(setting)
    print("\n".join(facts))
    tables = [table for group in GROUPS if not ONLY or group.__name__ in ONLY for table in group.tables(setting)]
    print(f"\n{sum(table.missed for table in tables)} bars missed")
    return facts, tables


def main():
    # An end by a signal has to take the data away too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    check_names()
    quick = is_set("QUICK")
    check_space(tempfile.gettempdir(), (1 if quick else 16) << 30)
    with tempfile.TemporaryDirectory(prefix="peersync-bench.") as work:
        os.environ["TMPDIR"] = work  # what a tool spills goes with the rest
        tools = installed(Path(sys.argv[1]), Path(work) / "bin")
        setting = Setting(tools, Path(sys.argv[2]), Path(work), quick, int(os.environ.get("PAIRS", "5")))
        facts, tables = measure(setting)
    if not quick or is_set("WRITE"):
        if ONLY:
            page.replace(DOCUMENT, tables)
        else:
            page.write(DOCUMENT, facts, tables)


try:
    main()
except Failure as failure:
    sys.exit(f"bench: {failure}")
except KeyboardInterrupt:
    sys.exit(130)
