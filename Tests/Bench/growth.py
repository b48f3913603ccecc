"""How time and memory grow with the number of records."""

from measure import can_see_memory, commands_in_turn, median, memory_of
from memory import bytes_shown, records_of
from setting import count_named
from table import Table, mebibytes, seconds

NOTE = """\
Each of the two files has this many records. Nanoseconds and bytes per record are the totals divided by the records of
both files. Peak RSS includes the mapped pages of the input, which the kernel takes back when it needs memory; RssAnon
does not."""

COLUMNS = [("tool", 11), ("records", 8), ("time", 9), ("ns a record", 11), ("peak RSS", 12), ("RssAnon a record", 16)]


def tables(setting):
    table = Table("Growth", COLUMNS, NOTE)
    counts = [10_000, 100_000, 500_000] if setting.quick else [100_000, 1_000_000, 5_000_000, 10_000_000]
    for count in counts:
        files = setting.pair("plain", count)
        for name in "lwwmerge", "deltadiff":
            add(setting, table, name, count, files)
        if count > setting.records:
            for file in files:
                file.unlink()
    return [table]


def add(setting, table, name, count, files):
    command = setting.with_threads(name, *files)
    (runs,) = commands_in_turn([command], setting.few)
    cells = ["", ""]
    if can_see_memory():
        taken = memory_of(command)
        cells = [mebibytes(taken.resident), bytes_shown(taken.anonymous / records_of(count))]
    wall = median(runs)
    table.row(f"`{name}`", count_named(count), seconds(wall), f"{wall / records_of(count) * 1e9:.0f}", *cells)
