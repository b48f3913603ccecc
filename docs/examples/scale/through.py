"""Runs a tool over the partitions of an RDD, and fails if data is lost."""

import json
import os
import subprocess
import tempfile
import threading


class ToolFailed(Exception):
    """The tool failed, or did not read all its input."""


def through(command):
    """Makes a function for mapPartitions of a command that reads standard input and has --summary.

    An element is the bytes of whole lines. The function yields the output in pieces, and then the summary.
    """

    def run(partition):
        with tempfile.TemporaryDirectory() as folder:
            summary, log = os.path.join(folder, "summary"), os.path.join(folder, "errors")
            with open(log, "wb") as errors:
                tool = subprocess.Popen([*command, "--summary", summary],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
            sent = {"lines": 0, "failure": None}
            feeder = threading.Thread(target=feed, args=(partition, tool, sent), daemon=True)
            feeder.start()
            try:
                while piece := tool.stdout.read(1 << 20):
                    yield piece
                status = tool.wait()
                if status > 0:
                    with open(log, errors="replace") as errors:
                        raise ToolFailed(f"{command[0]} ended with {status}: {errors.read()[-2000:]}")
                feeder.join()
                if status < 0 or sent["failure"]:
                    raise ToolFailed(f"{command[0]} was killed: {sent['failure']!r}") from sent["failure"]
            finally:
                # End the tool if the task is cancelled.
                tool.kill()
                tool.wait()
            with open(summary) as file:
                counts = json.load(file)
            if counts["lines"] != sent["lines"] or counts["leftOut"]:
                raise ToolFailed(f"sent {sent['lines']} lines, and {command[0]} counts {counts}")
            yield counts

    return run


def feed(partition, tool, sent):
    """Closes standard input only after the last element. If the input fails, the tool is killed and never sees its end."""
    try:
        for lines in partition:
            tool.stdin.write(lines)
            sent["lines"] += lines.count(b"\n")
        tool.stdin.close()
    except BaseException as failure:
        sent["failure"] = failure
        tool.kill()
