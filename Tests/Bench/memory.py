"""Memory of a merge and a diff: what they need when they may, and whether they keep to less."""

from measure import can_see_memory, commands_in_turn, memory_of
from setting import count_named
from table import BarTable, mebibytes

NOTE = """\
Own memory is the peak of RssAnon, read every 2 ms, divided by the records of both files. Mapped input belongs to the page
cache and does not count. With `--memory`, the peak of all resident memory counts, VmHWM, including mapped pages.
*Theirs* is the time of the same merge without `--memory`."""


def tables(setting):
    if not can_see_memory():
        return []
    table = BarTable("Memory", NOTE)
    add_own_memory(setting, table)
    add_limited(setting, table)
    return [table]


def add_own_memory(setting, table):
    files = setting.pair("plain", setting.records)
    records = records_of(setting.records)
    for name in "lwwmerge", "deltadiff":
        taken = memory_of(setting.with_threads(name, *files))
        table.limit(f"own memory of `{name} A B`, a record", taken.anonymous / records, 48, bytes_shown)


def add_limited(setting, table):
    count, limit, rounds = (500_000, 32, setting.few) if setting.quick else (5_000_000, 256, setting.few)
    for name in "lwwmerge", "deltadiff":
        what = f"`{name} --memory {limit}M`, {count_named(count)} + {count_named(count)}"
        if not setting.has(name, "--memory"):
            table.absent(what, "absent")
            continue
        files = setting.pair("plain", count)
        command = setting.with_threads(name, "--memory", f"{limit}M", *files)
        table.limit(f"{what}: VmHWM", memory_of(command).resident, limit << 20, mebibytes)
        bounded, free = commands_in_turn([command, setting.with_threads(name, *files)], rounds)
        table.compare(f"{what}: without", bounded, free, 2)


def records_of(count):
    """Records of both snapshots: the second has 2 % fewer and 3 % more, whatever the seed to within 0.1 %."""
    return count * 2.01


def bytes_shown(value):
    return f"{value:.1f} B"
