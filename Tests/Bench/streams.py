"""Work that goes over the input once: the validating scan, and frames in a pipe."""

import subprocess

from measure import commands_in_turn
from setting import check_counts, said
from table import BarTable

NOTE = """\
The scan is `deltadiff stat FILE`, which checks each line as JSON and reads its key and clock. `yyjson` is a loop over the
lines of a mapped file with one memory pool, which reads the same three members. Records of another shape have one of four
entities in `entity`, and their key in `id`. For them, *theirs* is the time of the same records as change lines. Frames
go through a pipe from `cat`, and *theirs* is the cost of the pipe itself."""


def tables(setting):
    table = BarTable("Going over the input once", NOTE)
    lines = setting.data("plain", "old", setting.records)
    add_scan(setting, table, lines)
    add_shape(setting, table)
    add_frames(setting, table, lines)
    return [table]


def add_scan(setting, table, lines):
    check_counts("yyjson", [int(said(setting.yyjson(lines))), setting.records])
    ours, wc, yyjson = commands_in_turn(
        [setting.with_threads("deltadiff stat", lines), ["wc", "-l", str(lines)], setting.yyjson(lines)], setting.pairs)
    table.compare("`deltadiff stat A` : `wc -l`", ours, wc, 5)
    table.compare("`deltadiff stat A` : yyjson, user time", ours, yyjson, 1.1, of="user")
    table.compare("`deltadiff stat A` : yyjson", ours, yyjson)


def add_shape(setting, table):
    foreign, four = (setting.data(kind, "old", setting.records) for kind in ("foreign", "four"))
    ours, usual = commands_in_turn(
        [setting.with_threads("deltadiff stat", *setting.FOREIGN, foreign), setting.with_threads("deltadiff stat", four)],
        setting.pairs)
    table.compare("`deltadiff stat --key …`, another shape : change lines, user", ours, usual, 1.1, of="user")


def add_frames(setting, table, lines):
    frames = setting.work / "frames"
    with open(frames, "wb") as output:
        subprocess.run(setting.tool("frame encode", lines), stdout=output, check=True)
    for direction, source in ("encode", lines), ("decode", frames):
        checked, unchecked, plain = commands_in_turn(
            [piped(setting, source, direction), piped(setting, source, direction, "--no-check"), cat(source)],
            setting.pairs)
        table.compare(f"`cat A \\| frame {direction} --no-check` : `cat A \\| cat`", unchecked, plain, 1.1)
        table.compare(f"`cat A \\| frame {direction}` : `cat A \\| cat`", checked, plain, 1.5)
    frames.unlink()


def piped(setting, source, direction, *words):
    script = 'file=$1; shift; cat "$file" | "$@"'
    return ["sh", "-c", script, "sh", str(source), *setting.tool(f"frame {direction}", *words)]


def cat(source):
    return ["sh", "-c", 'cat "$1" | cat', "sh", str(source)]
