"""The double as a process, for scenarios; this module imports nothing of Google's."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

from checks import HANGING, Failed, until

PROJECT = "my-app"
ROOT = f"/v1/projects/{PROJECT}/databases/(default)/documents"


class Double:
    """A database without documents. It also is what an app does to it that knows nothing of the tools."""

    def __init__(self, folder, *options):
        self.port_file = Path(folder) / "port"
        self.log = Path(f"{self.port_file}.log")
        self.options, self.read = options, 0

    def __enter__(self):
        words = [sys.executable, Path(__file__).parent, "--port-file", self.port_file, *self.options]
        self.process = subprocess.Popen(list(map(str, words)))
        until(lambda: self.port_file.exists() or self.process.poll() is not None, "the double listens")
        if not self.port_file.exists():
            raise Failed("the double does not start")
        self.port = int(self.port_file.read_text())
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", data, {"Authorization": "Bearer owner"})
        with urlopen(request, timeout=HANGING) as answer:
            return json.load(answer)

    def control(self, **members):
        """See controls.py."""
        return self.ask("/control", members)

    def documents(self, collection="tasks"):
        """The fields of its documents as the API spells them, by id."""
        found, token = {}, ""
        while True:
            page = self.ask(f"{ROOT}/{collection}?pageSize=300&pageToken={token}")
            for document in page.get("documents", []):
                found[document["name"].rpartition("/")[2]] = document.get("fields", {})
            token = page.get("nextPageToken")
            if not token:
                return found

    def mirror(self, collection="tasks"):
        """The fields of its documents as Google's client reads them, by id."""
        words = [sys.executable, Path(__file__).with_name("mirror.py"), str(self.port), PROJECT, collection]
        lines = subprocess.run(words, check=True, capture_output=True, text=True, timeout=HANGING).stdout
        return {line["name"]: line["fields"] for line in map(json.loads, lines.split("\n")[:-1])}

    def requests(self):
        """What was asked since this was asked last: operation, status, and number of documents."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        new, self.read = lines[self.read:], len(lines)
        return [
            (line["path"].rpartition(":")[2], line["status"], line["documents"]) for line in new
            if line["path"].startswith(f"{ROOT}:") or line["path"] == "/token"]


def string(text):
    return {"stringValue": text}
