"""What all scenarios of this folder do: run tools, wait, and say what holds."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LONG = os.environ.get("SOAK", "0") not in ("", "0")
# In seconds. Only ends what hangs: nothing rests on how fast something is, and the long tests share the machine.
HANGING = 1_800 if LONG else 300


class Failed(Exception):
    """What should hold does not."""


def check(holds, what):
    if not holds:
        raise Failed(what)
    print(f"ok: {what}", flush=True)


def until(holds, what):
    deadline = time.monotonic() + HANGING
    while not (found := holds()):
        if time.monotonic() > deadline:
            raise Failed(f"not in {HANGING} s: {what}")
        time.sleep(0.02)
    return found


def tool(*words, text=None, status=0, environment=None, seconds=HANGING):
    """What a tool writes; `text` is its input. Any status is well where it is None."""
    done = subprocess.run(
        list(map(str, words)), input=text, capture_output=True, text=True, timeout=seconds, check=False,
        env=environment)
    if status is not None and done.returncode != status:
        raise Failed(f"{' '.join(map(str, words))}: status {done.returncode}, not {status}: {done.stderr}")
    return done.stdout if status is not None else done


def main(*scenarios):
    """Runs the scenario that is named on the command line, in a folder of its own; what follows the name goes to it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    scenario = next(one for one in scenarios if one.__name__ == sys.argv[1].replace("-", "_"))
    os.umask(0o077)
    with tempfile.TemporaryDirectory() as folder:
        try:
            scenario(Path(folder), *sys.argv[2:])
        except Failed as failure:
            sys.exit(f"{scenario.__name__}: {failure}")
