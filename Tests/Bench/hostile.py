"""Inputs made to be slow, beside ordinary records: the same bytes may take twice the time and no more."""

import statistics
from dataclasses import dataclass

from measure import commands_in_turn, median
from setting import count_named
from table import Table, verdict

NOTE = """\
Throughput is computed from the bytes of all inputs. The bar: a byte may take at most twice as long as in ordinary records,
measured in the same rounds. The last three rows compare short records with ordinary short records, because a short record
has fewer bytes for the cost of its key. The rows of ordinary short records show that cost, and do not have a bar."""

COLUMNS = [("input", 57), ("tool", 16), ("size", 10), ("MB/s", 7), ("ordinary", 8), ("ratio", 6), ("bar", 5), ("", 6)]

BAR = 2


@dataclass(frozen=True)
class Kind:
    """An input: what the generator calls it, what is in it, and the ordinary kind beside it."""

    name: str
    what: str
    count: int
    beside: str
    beside_count: int
    bar: bool = True
    options: tuple = ()  # of deltadiff


def kinds(setting):
    full, short = (30_000, 100_000) if setting.quick else (1_000_000, 10_000_000)
    # One key twice is an error in a snapshot unless it is told which to take.
    last = ("--duplicates", "last")
    return [
        Kind("long", "records of 1 MiB", full // 4000, "plain", full),
        Kind("blank", "100,000 empty lines between records", full, "plain", full),
        Kind("alike", "keys that begin alike, or are permutations", full, "plain", full),
        Kind("one-key", "one key, different clocks", full, "plain", full, options=last),
        Kind("ties", "one key, one clock, different content", full, "plain", full, options=last),
        Kind("short", "short records", short, "plain", full, bar=False),
        Kind("counter", "short records, keys one byte apart : short records", short, "short", short),
    ]


def tables(setting):
    table = Table("Hostile input", COLUMNS, NOTE)
    for kind in kinds(setting):
        files = setting.pair(kind.name, kind.count)
        beside = setting.pair(kind.beside, kind.beside_count)
        for name, command in commands(setting, kind).items():
            add(setting, table, kind, name, command, files, beside)
        if kind.name != "short":
            for file in files:
                file.unlink()
    return [table]


def commands(setting, kind):
    return {
        "lwwmerge": lambda files: setting.with_threads("lwwmerge", *files),
        "deltadiff": lambda files: setting.with_threads("deltadiff", *kind.options, *files),
        "deltadiff stat": lambda files: setting.with_threads("deltadiff stat", *files),
    }


def add(setting, table, kind, name, command, files, beside):
    size, ordinary_size = (sum(file.stat().st_size for file in pair) for pair in (files, beside))
    ours, ordinary = commands_in_turn([command(files), command(beside)], setting.few)
    ratio = statistics.median(a.wall / b.wall for a, b in zip(ours, ordinary)) * ordinary_size / size
    table.row(
        f"{kind.what}, {count_named(kind.count) if kind.count >= 1000 else kind.count}", f"`{name}`",
        f"{size / 1e6:.0f} MB", f"{size / median(ours) / 1e6:.0f}", f"{ordinary_size / median(ordinary) / 1e6:.0f}",
        f"{ratio:.2f}", *((BAR, verdict(ratio, BAR)) if kind.bar else ("", "")))
