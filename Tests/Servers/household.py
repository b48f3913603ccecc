"""A server, devices that sync with it, and what is sent to it byte by byte. The tools are those on the path."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from checks import HANGING, tool, until


def answers(port):
    try:
        return b'"ok"' in request(port, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    except OSError:
        return False


def request(port, data, end=False, seconds=HANGING):
    """Sends bytes and reads until the other side closes, or says nothing for so long."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANGING) as connection:
        taken = b""
        try:
            connection.sendall(data if isinstance(data, bytes) else data.encode())
            if end:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # what it has said before it closed is still to be read
        connection.settimeout(seconds)
        try:
            while part := connection.recv(65536):
                taken += part
        except (TimeoutError, ConnectionResetError):
            pass
        return taken


def change(key, seconds=0, **fields):
    """A change line; its clock is long ago."""
    at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_700_000_000 + seconds))
    line = {"entityName": "", "identity": {"id": key}, "modifiedAt": at, "fields": {"id": key, **fields}}
    return json.dumps(line) + "\n"


class Server:
    """`syncserve` with the household `home`, in a folder."""

    # Those that it is always started with.
    options = ()

    def __init__(self, folder, port=8477, households=("home",)):
        self.folder, self.port, self.process = Path(folder), port, None
        self.place = f"{self.folder}/"
        for name in households:
            if not self.store(name).exists():
                tool("syncserve", "household", "add", name, "--store", self.place)
        self.access = Path(f"{str(self.folder).rstrip('/')}.access")

    def store(self, household="home"):
        return self.folder / f"{household}.db"

    def key(self, *options, household="home"):
        """A new key, and the file that it is in."""
        text = tool("syncserve", "key", "create", "--household", household, *options, "--store", self.place).strip()
        file = self.folder.parent / f"{text.split('.')[2]}.key"
        file.touch(mode=0o600)
        file.write_text(text + "\n")
        return text, file

    def start(self, *options):
        words = ["syncserve", "run", "--store", self.place, "--listen", f"127.0.0.1:{self.port}", *self.options, *options]
        with open(self.access, "ab") as access, open(f"{self.access}.errors", "ab") as errors:
            self.process = subprocess.Popen(words, stdout=access, stderr=errors)
        until(lambda: answers(self.port), "the server answers")
        return self

    def stop(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        return self.process.wait(HANGING)

    def log(self):
        return [json.loads(line) for line in self.access.read_text().splitlines()]

    def memory(self):
        """Its peak so far, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) << 10

    def verify(self, household="home"):
        return json.loads(tool("synclog", "verify", "--store", self.store(household)))

    def dump(self, household="home"):
        return tool("synclog", "dump", "--changes", "--store", self.store(household))

    def ask(self, key, method="GET", query="", body=None, fields="", path="/changes"):
        """One request with a key; gives status and body."""
        data = body.encode() if isinstance(body, str) else body
        length = "" if data is None else f"Content-Length: {len(data)}\r\n"
        bearer = f"Authorization: Bearer {key}\r\n" if key else ""
        head = f"{method} {path}{query} HTTP/1.1\r\nHost: a\r\n{bearer}{fields}{length}Connection: close\r\n\r\n"
        return parsed(request(self.port, head.encode() + (data or b"")))

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def token(answer):
    """The token that an answer ends with, for a query."""
    line = json.loads(answer.splitlines()[-1]) if isinstance(answer, str) else answer
    return quote(line["newTokenData"], safe="")


def parsed(answer):
    """The status of an answer, 0 where there is none, and its body: JSON where it is that."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0
    try:
        return status, json.loads(body)
    except ValueError:
        return status, body.decode(errors="replace")


def live(changes):
    """The ids of the records in change lines that are there."""
    lines = [json.loads(line) for line in changes.splitlines()]
    return {line["identity"]["id"] for line in lines if "deletedAt" not in line}


class Device:
    """A store and the remotes of a device."""

    def __init__(self, folder, name):
        self.home = Path(folder) / name
        self.home.mkdir(mode=0o700)
        self.environment = os.environ | {"HOME": str(self.home), "PEERSYNC_HOME": str(self.home)}
        self.tool("peerpair", "identity", "--device-name", name)

    def tool(self, *words, **options):
        return tool(*words, environment=self.environment, **options)

    def add(self, url, *options, status=0):
        return self.tool("peersync", "remote", "add", url, *options, status=status)

    def put(self, seconds, *keys, **fields):
        self.tool("synclog", "apply", "--from", "here", text="".join(change(key, seconds, **fields) for key in keys))

    def run(self, *words, status=0):
        """A run; gives its summary."""
        lines = self.tool("peersync", "run", "--quiet", *words, status=status)
        if status is None:
            return lines
        return json.loads(lines.splitlines()[-1]) if lines else {}

    def started(self, *words):
        words = ["peersync", "run", "--quiet", *words]
        return subprocess.Popen(
            words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def dump(self):
        return self.tool("synclog", "dump", "--changes")

    def keys(self):
        return live(self.dump())
