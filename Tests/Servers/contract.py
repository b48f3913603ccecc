"""Requests that schemathesis makes from /openapi.json, well formed and not, with all of its checks."""

import itertools
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from checks import LONG, check, main
from cluster import Cluster, DatabaseServer
from household import Server

MEMBER = "6F1B2C3D-0000-4000-8000-00000000000A"
# A token that leads nowhere any more is well formed: the answer is 410.
SETTINGS = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "410", "429"]

# A query can be too long for the HTTP library.
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "414", "415", "422", "428", "429", "431"]

# A member that does not exist is well formed too.
[[operations]]
include-name = "POST /devices"

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "401", "403", "429"]
"""
# Each key has 50 requests a second.
KEYS = 40


def snapshot():
    """What an app of the household pushes first."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000))
    return {
        "members": [{"id": MEMBER, "displayName": "Ann", "updatedAt": at}],
        "templates": [{
            "id": MEMBER.replace("000A", "00AA"), "title": "Dishes", "cadenceValue": 1, "cadenceUnitRaw": "days",
            "createdAt": at, "updatedAt": at}]}


def described(folder):
    """No 5xx, no answer that is not described, nothing taken that is not of its form, nothing open without a key."""
    with Server(folder / "server") as server:
        examine(server, folder)


def in_database(folder):
    """The same of households in PostgreSQL."""
    with Cluster() as cluster, DatabaseServer(folder / "server", cluster.url) as server:
        examine(server, folder)


def examine(server, folder):
    keys = [server.key("--member", MEMBER)[0] for _ in range(KEYS)]
    server.ask(keys[0], "POST", path="/sync", body=json.dumps(snapshot()))
    (folder / "schemathesis.toml").write_text(SETTINGS)
    environment = os.environ | {
        "CONTRACT_KEYS": " ".join(keys), "PYTHONPATH": str(Path(__file__).parent),
        "SCHEMATHESIS_HOOKS": Path(__file__).stem}
    words = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"http://127.0.0.1:{server.port}/openapi.json",
        "--checks", "all", "--max-examples", "1000" if LONG else "15", "--workers", "1", "--continue-on-failure",
        "--suppress-health-check", "all", "--no-color", "--phases", "coverage,fuzzing"]
    done = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-8000:], done.stderr[-2000:])
    check(done.returncode == 0, "schemathesis finds nothing")
    asked = len([line for line in server.log() if line.get("keyId")])
    cases = int(re.search(r"(\d+) generated", done.stdout)[1])
    check(cases >= (10_000 if LONG else 250), f"{cases} cases, {asked} requests with a key")
    check(server.verify(), "the store is whole")


def offer():
    """What schemathesis imports: bodies of change lines, and keys."""
    import schemathesis
    from hypothesis import strategies

    text = strategies.text(strategies.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)

    def line(key, words):
        return json.dumps({
            "entityName": "Note", "identity": {"id": key}, "modifiedAt": "2026-01-01T00:00:00Z",
            "fields": {"id": key, "text": words}})

    lines = strategies.lists(strategies.builds(line, text.filter(bool), text), max_size=5)
    schemathesis.openapi.media_type("application/jsonl", lines.map(lambda all: "\n".join(all).encode()))
    keys = itertools.cycle(os.environ["CONTRACT_KEYS"].split())

    @schemathesis.hook
    def filter_case(context, case):
        # OpenAPI cannot express that the body is empty with this query parameter.
        return "disown" not in (case.query or {}) or not case.body

    @schemathesis.auth(refresh_interval=None)
    class Keys:
        def get(self, case, context):
            return next(keys)

        def set(self, case, data, context):
            case.headers["Authorization"] = f"Bearer {data}"


if __name__ == "__main__":
    main(described, in_database)
else:
    offer()
