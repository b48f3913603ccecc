"""Pushes a second, beside h2load and the same service in the same run."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from measure import Failure, Run
from table import BarTable

NOTE = """\
The service is that of the tests, in Python, over TLS; it checks every push and stands on the same machine, so that it takes
most of the time of both. `notify send` takes each push from its outbox and stores each answer; h2load sends one body again
and again. Both use one connection and up to 500 streams. The bar is 0.15 of h2load's rate."""

BAR = 1 / 0.15

RUNNER = Path(__file__).resolve().parents[1] / "Push" / "run.sh"


def tables(setting):
    table = BarTable("Pushes", NOTE)
    count = 1000 if setting.quick else 20000
    what = f"{count} pushes of `notify send` : `h2load`"
    if shutil.which("h2load") is None:
        table.absent(what, "no h2load")
        return [table]
    environment = {**os.environ, "PUSH_COUNT": str(count), "PUSH_ROUNDS": str(setting.few)}
    tools = Path(setting.tool("notify")[0]).parent
    done = subprocess.run([RUNNER, tools, "rate"], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{RUNNER} rate: status {done.returncode}\n{done.stderr}")
    taken = json.loads(done.stdout)
    table.compare(what, *[[Run(time) for time in taken[name]] for name in ("notify", "h2load")], BAR)
    return [table]
