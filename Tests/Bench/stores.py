"""The store of synclog: what a difference costs, an unchanged snapshot, and a first load."""

import json
import subprocess

from measure import commands_in_turn
from setting import check_counts, count_named, lines_of, said
from table import BarTable, mebibytes

NOTE = """\
A has {count} records. The difference is 1,000 changes spread over all keys, which `since` writes for the token before
these changes; both stores are opened for each run. `record` does not find changes in A, and `deltadiff` compares A with
itself. `.import` loads the lines as text into a table with one column and without an index, in WAL mode like the store.
`apply` reads each line, sorts by key, and writes two indexes and checksums. Both sync the disk once, at the end. Plain
records are the same records without their change lines. The store keeps them, and the wire carries them, as change lines: entity,
identity and clock, then the record. The bytes on the wire are those of one page with all records, before TLS."""

SMALL = 10_000
CHANGES = 1_000


def tables(setting):
    table = BarTable("The store", NOTE.format(count=count_named(setting.records)))
    large = recorded(setting, setting.records)
    add_unchanged(setting, table, large)
    add_since(setting, table, large, recorded(setting, SMALL))
    add_load(setting, table)
    add_plain(setting, table)
    return [table]


def store_path(setting, count):
    return setting.work / f"store-{count}.db"


def recorded(setting, count):
    """A store of so many records, as `record` makes it."""
    path = store_path(setting, count)
    lines = setting.data("plain", "old", count)
    subprocess.run(
        setting.tool("synclog record", "--max-drift", "off", "--store", path, lines), check=True, stdout=subprocess.DEVNULL)
    return path


def add_unchanged(setting, table, store):
    lines = setting.data("plain", "old", setting.records)
    record = setting.with_threads("synclog record", "--max-drift", "off", "--store", store, lines)
    check_counts("record", [json.loads(said(record))["stored"], 0])
    ours, theirs = commands_in_turn([record, setting.with_threads("deltadiff", lines, lines)], setting.pairs)
    table.compare("`synclog record A`, nothing new : `deltadiff A A`", ours, theirs, 2)


def add_since(setting, table, *stores):
    questions = [difference(setting, store, count) for store, count in zip(stores, (setting.records, SMALL))]
    check_counts("since", [*map(lines_of, questions), CHANGES + 1])
    large, small = commands_in_turn(questions, setting.pairs * 4)
    what = f"`synclog since`, 1,000 changes in {count_named(setting.records)} : in {count_named(SMALL)}"
    table.compare(what, large, small, 2)


def difference(setting, store, count):
    """Changes every so many of a store's records; gives the command that tells what has changed."""
    end = subprocess.run(
        setting.tool("synclog since", "--store", store), check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1]
    token = json.loads(end)["newTokenData"]
    edit = ".fields.title += \"!\" | .modifiedAt = \"2026-01-01T00:00:00Z\""
    script = 'awk -v step="$1" "NR % step == 0" "$2" | jq -c "$3" | "$4" put --max-drift off --store "$5"'
    words = [str(count // CHANGES), str(setting.data("plain", "old", count)), edit, *setting.tool("synclog"), str(store)]
    subprocess.run(["sh", "-c", script, "sh", *words], check=True, stdout=subprocess.DEVNULL)
    return setting.tool("synclog since", "--store", store, token)


def add_load(setting, table):
    lines = setting.data("plain", "old", setting.records)
    loaded, imported = setting.work / "loaded.db", setting.work / "imported.db"
    apply = anew(loaded, *setting.tool("synclog apply", "--from", "peer", "--max-drift", "off", "--store", loaded, lines))
    load = anew(
        imported, "sqlite3", str(imported), "PRAGMA journal_mode = WAL", "CREATE TABLE lines (line TEXT)", ".mode ascii",
        '.separator "\\001" "\\n"', f".import {lines} lines")
    ours, theirs = commands_in_turn([apply, load], setting.few)
    count = "SELECT count(*) FROM"
    check_counts("load", [said(["sqlite3", str(loaded), f"{count} changes"]), said(["sqlite3", str(imported), f"{count} lines"])])
    table.compare("`synclog apply A` into a new store : `sqlite3 .import`", ours, theirs)


def add_plain(setting, table):
    lines, store = setting.work / "records.jsonl", setting.work / "records.db"
    with open(lines, "wb") as output:
        script = '{id: .identity.id, updatedAt: .modifiedAt} + .fields'
        subprocess.run(["jq", "-c", script, setting.data("plain", "old", setting.records)], check=True, stdout=output)
    record = setting.with_threads(
        "synclog record", "--entity-name", "Task", "--max-drift", "off", "--store", store, lines)
    subprocess.run(record, check=True, stdout=subprocess.DEVNULL)
    ours, theirs = commands_in_turn([record, setting.with_threads("deltadiff", lines, lines)], setting.pairs)
    table.compare("`synclog record R`, plain records, nothing new : `deltadiff R R`", ours, theirs, 2)
    subprocess.run(["sqlite3", store, "PRAGMA wal_checkpoint(TRUNCATE)"], check=True, stdout=subprocess.DEVNULL)
    wire = subprocess.run(
        ["sh", "-c", '"$@" | wc -c', "sh", *map(str, setting.tool("synclog since", "--store", store))],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    add_size(table, "bytes of a store of plain records : of the records", store.stat().st_size, lines.stat().st_size)
    add_size(table, "bytes on the wire of plain records : of the records", int(wire), lines.stat().st_size)


def add_size(table, what, ours, theirs):
    table.row(what, mebibytes(ours), mebibytes(theirs), f"{ours / theirs:.3f}", "", "")


def anew(store, *command):
    """The command after the store of the round before has been taken away."""
    return ["sh", "-c", 'rm -f "$1"*; shift; exec "$@"', "sh", str(store), *command]
