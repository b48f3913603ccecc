"""Merges files, or compares two snapshots, on a Spark cluster.

usage: spark-submit --py-files through.py job.py merge --into DIR FILE...
       spark-submit --py-files through.py job.py diff --into DIR --max-delete N --old FILE... --new FILE...

Every worker needs the tools on PATH, and the files and DIR under the same names. Concatenated, the files of DIR are the
output of lwwmerge FILE... or of deltadiff OLD NEW.
"""

import argparse
import bisect
import os
import shutil
import subprocess
import sys
import uuid
from datetime import datetime, timezone

from pyspark import SparkContext
from through import ToolFailed, through

PIECE = 256 << 10


def keys(path, options):
    """The lines of a file, each after its key and a tab, in pieces of whole lines."""
    with subprocess.Popen(["lwwmerge", "keys", *options, path], stdout=subprocess.PIPE) as tool:
        rest = b""
        while piece := tool.stdout.read(PIECE):
            end = piece.rfind(b"\n") + 1
            if end:
                yield rest + piece[:end]
                rest = b""
            rest += piece[end:]
    if tool.returncode or rest:
        raise ToolFailed(f"lwwmerge keys {path} ended with {tool.returncode}")


def survey(path, tag, options):
    """Returns the number of lines of a file, and some of its keys."""
    if tag and is_cut_off(path):
        raise ToolFailed(f"{path}: the last line has no line feed")
    lines, sample = 0, []
    for piece in keys(path, options):
        lines += piece.count(b"\n")
        sample.append(piece[:piece.index(b"\t")])
    return lines, sample


def is_cut_off(path):
    """Whether the last line of a snapshot has no line feed, so that missing lines would look like deletions."""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 1))
        return file.read() not in (b"", b"\n")


def spread(path, tag, bounds, options):
    """The lines of a file as pairs: the part that they belong to, and the bytes of some of its lines."""
    waiting = [bytearray() for _ in range(len(bounds) + 1)]
    for piece in keys(path, options):
        # Not splitlines, which cuts at a CR too.
        for line in piece[:-1].split(b"\n"):
            key, _, line = line.partition(b"\t")
            part = bisect.bisect_right(bounds, key)
            waiting[part] += tag + line + b"\n"
            if len(waiting[part]) > PIECE:
                yield part, bytes(waiting[part])
                waiting[part].clear()
    yield from ((part, bytes(lines)) for part, lines in enumerate(waiting) if lines)


def save(command, folder):
    """Runs the command on a part, and writes its output to a file; returns the values that the driver checks."""

    def run(part, pairs):
        target = os.path.join(folder, f"part-{part:05}.jsonl")
        # Two attempts may run at a time. Both write the same content.
        temporary = f"{target}.{uuid.uuid4().hex}"
        with open(temporary, "wb") as file:
            for piece in through(command)(lines for _, lines in pairs):
                if isinstance(piece, dict):
                    summary = piece
                else:
                    file.write(piece)
            size = file.tell()
        os.replace(temporary, target)
        yield part, size, summary

    return run


def check(results, parts, lines, folder, max_delete):
    """Raises an error unless every part exists and every line was read."""
    found = sorted(part for part, _, _ in results)
    if found != list(range(parts)):
        raise ToolFailed(f"parts are missing: {len(found)} of {parts} are there")
    for part, size, _ in results:
        if os.path.getsize(os.path.join(folder, f"part-{part:05}.jsonl")) != size:
            raise ToolFailed(f"part {part} is not the file that was written")
    read = sum(summary["lines"] for _, _, summary in results)
    if read != lines:
        raise ToolFailed(f"the files have {lines} lines, and the parts {read}")
    deletes = sum(summary.get("deletes", 0) for _, _, summary in results)
    if max_delete is not None and deletes > max_delete:
        raise ToolFailed(f"{deletes} deletions in all, more than --max-delete {max_delete}")


def run(context, inputs, command, settings):
    """Makes the folder of the parts; `inputs` are pairs of a path and the tag of its lines."""
    if os.path.exists(settings.into):
        raise FileExistsError(settings.into)
    options = settings.option
    surveys = context.parallelize(inputs, len(inputs)).map(lambda input: survey(*input, options)).collect()
    lines = sum(count for count, _ in surveys)
    sample = sorted(key for _, some in surveys for key in some)
    bounds = sorted({sample[len(sample) * part // settings.parts] for part in range(1, settings.parts) if sample})
    parts = len(bounds) + 1
    folder = f"{settings.into}.{uuid.uuid4().hex}"
    os.makedirs(folder)
    try:
        pairs = context.parallelize(inputs, len(inputs)).flatMap(
            lambda input: spread(*input, bounds, options))
        parted = pairs.partitionBy(parts, lambda part: part)
        results = parted.mapPartitionsWithIndex(save(command, folder)).collect()
        check(results, parts, lines, folder, settings.max_delete)
        for name in os.listdir(folder):
            # An attempt that was killed has left this file.
            if not name.endswith(".jsonl"):
                os.remove(os.path.join(folder, name))
        os.rename(folder, settings.into)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return {"lines": lines, "parts": parts}


def arguments(words):
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--into", required=True, help="the folder to create")
    common.add_argument("--parts", type=int, default=32)
    common.add_argument("--now", default=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                        help="the current time, the same for all parts")
    common.add_argument("--option", action="append", default=[], help="an option of the tools, as --option=--profile=chores")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest="job", required=True)
    merge = jobs.add_parser("merge", parents=[common])
    merge.add_argument("files", nargs="+", metavar="FILE")
    merge.set_defaults(max_delete=None)
    diff = jobs.add_parser("diff", parents=[common])
    diff.add_argument("--old", nargs="+", required=True, metavar="FILE")
    diff.add_argument("--new", nargs="+", required=True, metavar="FILE")
    diff.add_argument("--max-delete", type=int, help="how many records the whole job may delete")
    return parser.parse_args(words)


def main(words):
    settings = arguments(words)
    if settings.job == "merge":
        inputs, command = [(path, b"") for path in settings.files], ["lwwmerge", "-"]
    else:
        inputs = [(path, b"-\t") for path in settings.old] + [(path, b"+\t") for path in settings.new]
        command = ["deltadiff", "--tagged", "-"]
    # The engine already runs one task per core.
    command += ["--threads", "1", "--now", settings.now, *settings.option]
    with SparkContext(appName=f"peersync {settings.job}") as context:
        context.setLogLevel("ERROR")
        print(run(context, inputs, command, settings))


if __name__ == "__main__":
    main(sys.argv[1:])
