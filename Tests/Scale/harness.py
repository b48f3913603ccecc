"""What through.py does with a tool and its input, without an engine.

usage: harness.py EXAMPLES
"""

import os
import sys
import time

sys.path.insert(0, sys.argv[1])
from through import ToolFailed, through  # noqa: E402

LINES = b'{"id":"1"}\n{"id":"2"}\n'


def expect_failure(command, partition, text):
    """It fails soon, and does not yield a summary; what it yielded before goes with the partition."""
    start = time.monotonic()
    try:
        for piece in through(command)(partition):
            assert not isinstance(piece, dict), piece
    except ToolFailed as failure:
        assert text in str(failure), failure
    else:
        raise AssertionError(f"{command} does not fail")
    assert time.monotonic() - start < 60


def failing(count):
    yield from [LINES] * count
    raise OSError("the disk is gone")


def script(text):
    """A command that gets `--summary FILE` as $1 and $2."""
    return ["sh", "-c", text, "sh"]


*output, summary = through(["lwwmerge", "-"])(iter([LINES, LINES]))
assert b"".join(output) == LINES and summary["lines"] == 4, (output, summary)
*output, summary = through(["lwwmerge", "-"])(iter([]))
assert not output and summary["lines"] == 0

expect_failure(["lwwmerge", "-"], iter([LINES, b'{"id":\n']), "lwwmerge ended with 65: lwwmerge: -: line 3")
# An input of many pieces, of which the tool has read some when it fails.
expect_failure(["lwwmerge", "-"], iter([b"{\n"] + [LINES * 10000] * 50), "ended with 65")
expect_failure(["lwwmerge", "-"], failing(0), "the disk is gone")
expect_failure(["lwwmerge", "-"], failing(5), "the disk is gone")
expect_failure(script('cat >/dev/null; kill -9 $$'), iter([LINES]), "was killed")
expect_failure(script('head -n 1 | lwwmerge - "$@" >/dev/null; cat >/dev/null'), iter([LINES * 100000]), "counts")
expect_failure(["lwwmerge", "-", "--on-error", "skip"], iter([LINES, b"{\n"]), "ended with 65")

# A task that is cancelled leaves no tool behind.
pieces = through(script("echo $$; head -c 2000000 /dev/zero; exec sleep 600"))(iter([LINES]))
tool = int(next(pieces).split(b"\n")[0])
pieces.close()
try:
    os.kill(tool, 0)
except ProcessLookupError:
    pass
else:
    raise AssertionError("a tool is left behind")
