"""Pushes a second, beside h2load and the same service in the same run."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from measure import Failure, Run
from table import BarTable, mebibytes

NOTE = """\
The push service is the one of the tests: in Python, over TLS, and checking every push. It runs on the same machine, and
takes most of the time of both programs. `notify send` reads each push from its outbox and stores each answer; `h2load`
sends one body repeatedly. Both use one connection and up to 500 streams. The bar is 0.15 of h2load's rate. Memory is VmHWM,
and its bar is computed from the memory of 2,000 pushes in the same run."""

BAR = 1 / 0.15

RUNNER = Path(__file__).resolve().parents[1] / "Push" / "run.sh"


def tables(setting):
    table = BarTable("Pushes", NOTE)
    add_rate(setting, table)
    add_memory(setting, table)
    return [table]


def add_rate(setting, table):
    count = 1_000 if setting.quick else 20_000
    what = f"{count:,} pushes of `notify send` : `h2load`"
    if shutil.which("h2load") is None:
        table.absent(what, "no h2load")
        return
    taken = run(setting, "rate", PUSH_COUNT=count, PUSH_ROUNDS=setting.few)
    table.compare(what, *[[Run(time) for time in taken[name]] for name in ("notify", "h2load")], BAR)


def add_memory(setting, table):
    result = run(setting, "flood", PUSH_COUNT=10_000 if setting.quick else 100_000)
    few, many = result["taken"]
    table.limit(f"memory of {many['count']:,} pushes", many["peak"], few["peak"] * result["flat"], mebibytes)


def run(setting, scenario, **environment):
    """The JSON object that a scenario writes."""
    tools = Path(setting.tool("notify")[0]).parent
    environment = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    done = subprocess.run([RUNNER, tools, scenario], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{RUNNER} {scenario}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)
