"""Databases of scenarios, and the double as a process; this module imports nothing of Google's."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from checks import HANGING, Failed, until

PROJECT = "my-app"
ROOT = f"/v1/projects/{PROJECT}/databases/(default)/documents"


class Database:
    """A collection of a database, and what an app does to it that knows nothing of the tools."""

    def __init__(self, port=None, collection="tasks"):
        self.port, self.collection = port, collection
        self.url = f"firestore://{PROJECT}/{collection}"

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": "Bearer owner", "Content-Type": "application/json"}
        request = Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urlopen(request, timeout=HANGING) as answer:
            return json.load(answer)

    def save(self, key, fields, *members):
        """Replaces a document, or these members of it."""
        mask = urlencode([("updateMask.fieldPaths", member) for member in members])
        self.ask(f"{ROOT}/{self.collection}/{quote(key)}?{mask}", {"fields": fields}, "PATCH")

    def remove(self, key):
        self.ask(f"{ROOT}/{self.collection}/{quote(key)}", method="DELETE")

    def documents(self, collection=None):
        """The fields of its documents as the API spells them, by id."""
        found, token = {}, ""
        while True:
            query = urlencode({"pageSize": 300, "pageToken": token})
            page = self.ask(f"{ROOT}/{collection or self.collection}?{query}")
            for document in page.get("documents", []):
                found[document["name"].rpartition("/")[2]] = document.get("fields", {})
            token = page.get("nextPageToken")
            if not token:
                return found

    def mirror(self):
        """The fields of its documents as Google's client reads them, by id."""
        words = [sys.executable, Path(__file__).with_name("mirror.py"), str(self.port), PROJECT, self.collection]
        lines = subprocess.run(words, check=True, capture_output=True, text=True, timeout=HANGING).stdout
        return {line["name"]: line["fields"] for line in map(json.loads, lines.split("\n")[:-1])}


class Double(Database):
    """A database without documents."""

    def __init__(self, folder, *options):
        super().__init__()
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

    def control(self, **members):
        """See controls.py."""
        return self.ask("/control", members)

    def requests(self):
        """What was asked since this was asked last: operation, status, and number of documents."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        new, self.read = lines[self.read:], len(lines)
        return [
            (line["path"].rpartition(":")[2], line["status"], line["documents"]) for line in new
            if line["path"].startswith(f"{ROOT}:") or line["path"] == "/token"]


def string(text):
    return {"stringValue": text}
