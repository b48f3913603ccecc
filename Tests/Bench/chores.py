"""Giving turns: how many occurrences a second, and how that grows with the number of templates."""

import json

from measure import can_see_memory, commands_in_turn, median, memory_of
from setting import lines_of
from table import BarTable, Table, mebibytes, seconds

NOTE = """\
A household has ten members, and each template is due every day for ten years. All occurrences are new; each is a line of
about 400 bytes with an id made by SHA-1. Growth is the time of an occurrence with the most templates, divided by the time
with the fewest."""

COLUMNS = [("templates", 9), ("occurrences", 12), ("time", 9), ("ns an occurrence", 16), ("peak RSS", 12)]

YEARS = ["--now", "2026-01-01T00:00:00Z", "--until", "2035-12-31"]


def tables(setting):
    bars = BarTable("Giving turns", NOTE)
    counts = [10, 100] if setting.quick else [100, 300, 1000]
    files = [household(setting, count) for count in counts]
    commands = [setting.tool("assign", *YEARS, file) for file in files]
    occurrences = [lines_of(command) for command in commands]
    times = [median(runs) for runs in commands_in_turn(commands, setting.few)]
    costs = [time / count * 1e9 for time, count in zip(times, occurrences)]
    bars.limit("`assign`, ten members, ten years, every day: ns an occurrence", costs[-1], 1000, "{:.0f}".format)
    bars.limit(f"the same, {counts[-1]} templates : {counts[0]}", costs[-1] / costs[0], 1.2, "{:.2f}".format)
    growth = Table("Growth of giving turns", COLUMNS)
    for row in zip(counts, occurrences, times, costs, commands):
        add(growth, *row)
    return [bars, growth]


def add(table, count, occurrences, time, cost, command):
    memory = mebibytes(memory_of(command).resident) if can_see_memory() else ""
    table.row(count, occurrences, seconds(time), f"{cost:.0f}", memory)


def household(setting, templates):
    """Ten members, and so many templates with a chore each day."""
    path = setting.work / f"household-{templates}.jsonl"
    since = "2026-01-01T00:00:00Z"
    members = [
        {"entity": "Member", "id": f"00000000-0000-4000-8000-{number:012}", "createdAt": since, "updatedAt": since}
        for number in range(10)
    ]
    chores = [
        {"entity": "Template", "id": f"00000000-0000-4000-9000-{number:012}", "title": f"Chore {number}",
         "cadenceUnitRaw": "days", "cadenceValue": 1, "startDate": "2026-01-01T09:00:00Z", "updatedAt": since}
        for number in range(templates)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in members + chores))
    return path
