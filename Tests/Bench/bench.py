"""Measures the tools against other programs; bench.sh prepares what this needs.

usage: [QUICK=1] [PAIRS=5] [WRITE=1] bench.py TOOLS_FOLDER YARDSTICKS_FOLDER
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import chores
import growth
import hostile
import links
import memory
import merges
import page
import pushes
import starts
import stores
import streams
from measure import Failure
from setting import Setting

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "performance.md"


def is_set(name):
    return os.environ.get(name, "0") not in ("", "0")


def check_space(folder, needed):
    free = shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(f"bench: {folder} has {free >> 30} GiB free, and the data takes {needed >> 30}; set TMPDIR")


def installed(tools, folder):
    """Copies the tools as an installation does: the kernel maps a copy in fewer and larger steps than a linked file."""
    folder.mkdir()
    for name in "assign", "frame", "deltadiff", "lwwmerge", "synclog", "peerlink", "notify":
        subprocess.run(["cp", tools / name, folder], check=True)
    return folder


def measure(setting):
    facts = page.facts(setting)
    print("\n".join(facts))
    groups = [
        starts.tables, streams.tables, merges.tables, stores.tables, memory.tables, growth.tables, chores.tables,
        hostile.tables, links.tables,
        pushes.tables,
    ]
    tables = [table for group in groups for table in group(setting)]
    print(f"\n{sum(table.missed for table in tables)} bars missed")
    return facts, tables


def main():
    # An end by a signal has to take the data away too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    quick = is_set("QUICK")
    check_space(tempfile.gettempdir(), (1 if quick else 16) << 30)
    with tempfile.TemporaryDirectory(prefix="peersync-bench.") as work:
        os.environ["TMPDIR"] = work  # what a tool spills goes with the rest
        tools = installed(Path(sys.argv[1]), Path(work) / "bin")
        setting = Setting(tools, Path(sys.argv[2]), Path(work), quick, int(os.environ.get("PAIRS", "5")))
        facts, tables = measure(setting)
    if not quick or is_set("WRITE"):
        page.write(DOCUMENT, facts, tables)


try:
    main()
except Failure as failure:
    sys.exit(f"bench: {failure}")
except KeyboardInterrupt:
    sys.exit(130)
