"""How long a filter takes to start, and what it keeps in memory while it waits for input."""

import subprocess
import time

from measure import can_see_memory, in_turn, starts, status_of
from table import BarTable, mebibytes

NOTE = """\
Each start is a whole process with an empty input, `deltadiff` with two. Idle memory is VmRSS of a filter that has read
one record or frame and waits for the next."""


def tables(setting):
    table = BarTable("Starting", NOTE)
    add_starts(setting, table)
    if can_see_memory():
        add_idle_memory(setting, table)
    return [table]


def add_starts(setting, table):
    times = 20 if setting.quick else 200
    filters = {
        "frame": setting.tool("frame decode"),
        "lwwmerge": setting.tool("lwwmerge"),
        "deltadiff": setting.tool("deltadiff", "/dev/null", "/dev/null"),
    }
    commands = [["true"], ["jq", "."], *filters.values()]
    true, jq, *ours = in_turn(
        [lambda command=command: starts(command, times) for command in commands], setting.pairs)
    for name, runs in zip(filters, ours):
        table.compare(f"a start of `{name}` : `true`", runs, true, 1.25)
    for name, runs in zip(filters, ours):
        table.compare(f"a start of `{name}` : `jq`", runs, jq, 0.06)


def add_idle_memory(setting, table):
    record = b'{"id":"1","updatedAt":"2024-05-07T00:00:00Z"}\n'
    waiting = {
        "frame": (setting.tool("frame decode"), b"\0\0\0\2{}"),
        "lwwmerge": (setting.tool("lwwmerge", "-"), record),
        "deltadiff": (setting.tool("deltadiff", "-", "/dev/null"), record),
    }
    for name, (command, start) in waiting.items():
        table.limit(f"idle memory of `{name}`", idle_memory(command, start), 4 << 20, mebibytes)


def idle_memory(command, start):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    process.stdin.write(start)
    process.stdin.flush()
    time.sleep(0.3)
    (resident,) = status_of(process.pid, ["VmRSS"])
    process.communicate()
    return resident
