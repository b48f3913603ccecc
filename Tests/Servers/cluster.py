"""A PostgreSQL server of a scenario's own, and syncserve with its households there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from checks import tool, until
from household import Server

HERE = Path(__file__).parent


class Cluster:
    """What cluster.sh runs; the scenario ends with 77 where PostgreSQL is not installed."""

    def __init__(self, *settings):
        self.process = subprocess.Popen(
            [HERE / "cluster.sh", *settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.folder = self.process.stdout.readline().strip()
        if not self.folder:
            sys.exit(self.process.wait() or 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def control(self, *words):
        subprocess.run([f"{self.folder}/ctl", *words], check=True, stdout=subprocess.DEVNULL)

    def program(self, name):
        """The whole path of a program of the server."""
        return re.search(r'"(/[^"]*)/pg_ctl"', Path(f"{self.folder}/ctl").read_text()).group(1) + "/" + name

    def as_owner(self, *words, **more):
        """Runs a program as the user of the server."""
        if os.getuid() == 0:
            words = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *words)
        environment = os.environ | {"PGCTLTIMEOUT": "600"}
        return subprocess.run(
            list(map(str, words)), check=True, cwd=self.folder, capture_output=True, text=True, env=environment, **more)

    def holding(self, statement):
        """A session that holds the lock of a statement until it is released."""
        words = ["psql", "-qAt", "-h", self.folder, "-U", "postgres", "-d", "peersync", "-c", f"BEGIN; {statement}; SELECT pg_sleep(3600)"]
        session = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1", "it is locked")
        return session

    def release(self, session):
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
        session.wait()

    def sql(self, text, role="postgres", database="peersync"):
        words = ["psql", "-qAt", "-h", self.folder, "-U", role, "-d", database, "-v", "ON_ERROR_STOP=1", "-c", text]
        return self.as_owner(self.program(words[0]), *words[1:]).stdout.strip()


class DatabaseServer(Server):
    """`syncserve` with households in a database; its keys are in a folder."""

    def __init__(self, folder, url, port=8477, households=("home",)):
        self.url = url
        self.keys = Path(folder)
        self.keys.mkdir(mode=0o700, exist_ok=True)
        self.options = ("--keys", str(folder))
        self.folder, self.port, self.process = Path(folder), port, None
        self.place = url
        self.access = Path(f"{str(self.folder).rstrip('/')}.access")
        known = {json.loads(line)["household"] for line in tool("syncserve", "household", "list", "--store", url).splitlines()}
        for name in households:
            if name not in known:
                tool("syncserve", "household", "add", name, "--store", url)

    def key(self, *options, household="home"):
        return super().key(*options, "--keys", self.keys, household=household)

    def verify(self, household="home"):
        copy = self.folder / "verified.db"
        for end in ("", "-wal", "-shm"):
            Path(f"{copy}{end}").unlink(missing_ok=True)
        tool("syncserve", "backup", "--household", household, "--store", self.url, copy)
        return json.loads(tool("synclog", "verify", "--store", copy))

    def dump(self, household="home"):
        return tool("syncserve", "dump", "--household", household, "--store", self.url)
