"""A server under measurement, thousands that wait at it, and nginx beside it; each for a while."""

import base64
import hashlib
import hmac
import json
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path

from measure import Failure

PORT = 8477


class Server:
    """`syncserve` with one household and many keys."""

    def __init__(self, setting, place, keys=30_000):
        self.setting, self.place, self.key_count, self.posted = setting, place, keys, 0
        self.store, self.key_file = place / "server", place / "keys"

    def __enter__(self):
        place = f"{self.store}/"
        subprocess.run(self.setting.tool("syncserve", "household", "add", "home", "--store", place), check=True, stdout=subprocess.DEVNULL)
        subprocess.run(self.setting.tool("syncserve", "key", "create", "--store", place), check=True, stdout=subprocess.DEVNULL)
        self.keys = make_keys(self.store / "server", self.key_count)
        self.key_file.write_text("".join(f"{key}\n" for key in self.keys))
        with open(self.place / "access", "wb") as access:
            self.process = subprocess.Popen(
                self.setting.tool("syncserve", "run", "--quiet", "--store", place, "--listen", f"127.0.0.1:{PORT}"), stdout=access)
        while not self.answers():
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def answers(self):
        try:
            return self.get("/health")
        except OSError:
            return False

    def ask(self, path, body=None):
        self.posted += 1
        key = self.keys[self.posted % len(self.keys)]
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", body, {"Authorization": f"Bearer {key}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    get = ask

    def post(self, size=1):
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + self.posted))
        line = {"entityName": "", "identity": {"id": "1"}, "modifiedAt": at, "fields": {"id": "1", "text": "x" * size}}
        self.ask("/changes", json.dumps(line).encode())

    def client(self, *words):
        command = [str(self.setting.yardsticks / "waiters"), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
        return done.stdout.split()

    def waiting(self, count):
        return Waiting(self, count)

    def busy(self, length):
        """The share of a processor that it takes over a while."""
        before, begun = self.time(), time.monotonic()
        time.sleep(length)
        return (self.time() - before) / (time.monotonic() - begun)

    def time(self):
        """Seconds of a processor so far; hundredths, as elsewhere in /proc, would be too coarse."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9


class Waiting:
    """So many connections that wait for a change, for a while."""

    def __init__(self, server, count):
        token = json.loads(server.get("/changes").splitlines()[-1])["newTokenData"]
        path = f"/changes?wait=55&since={urllib.parse.quote(token, safe='')}"
        command = [server.setting.yardsticks / "waiters", "wait", PORT, count, path, server.key_file]
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "waiting\n":
            raise Failure("the client cannot open so many connections")

    def __enter__(self):
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Nginx:
    """nginx with the folder's files, for a while."""

    def __init__(self, place):
        self.place = place

    def __enter__(self):
        names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "".join(f"{name}_temp_path {self.place}/nginx;" for name in names)
        settings = self.place / "nginx.conf"
        settings.write_text(
            f"daemon off; user root; worker_processes 1; pid {self.place}/pid; error_log {self.place}/nginx-errors;"
            "events { worker_connections 1024; }"
            f"http {{ access_log {self.place}/nginx-access; {folders} keepalive_requests 100000000;"
            f"server {{ listen 127.0.0.1:8080; root {self.place}; }} }}")
        self.process = subprocess.Popen(["nginx", "-c", settings], stderr=subprocess.DEVNULL)
        while True:
            try:
                return urllib.request.urlopen("http://127.0.0.1:8080/file", timeout=5).close()
            except OSError:
                time.sleep(0.02)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def make_keys(folder, count):
    """Keys as `syncserve key create` makes them, which would write the list anew for each."""
    secret = (folder / "server.key").read_bytes()
    line = json.loads((folder / "keys.jsonl").read_text().splitlines()[0])
    lines, texts = [], []
    for number in range(count):
        name = f"{number:016x}"
        head = f"ps1.home.{name}"
        mac = base64.urlsafe_b64encode(hmac.digest(secret, head.encode(), hashlib.sha256)).decode().rstrip("=")
        lines.append(json.dumps(line | {"keyId": name, "origin": name}) + "\n")
        texts.append(f"{head}.{mac}")
    (folder / "keys.jsonl").write_text("".join(lines))
    return texts
