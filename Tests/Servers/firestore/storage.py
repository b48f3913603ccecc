"""The documents of a database, with commits that become visible late, and the file that keeps them."""

import base64
import json
import os
import threading

from firestore.commits import Version, next_version, seen, written_path
from firestore.messages import CommitResponse, Document, set_time


class Database:
    """The documents of one database, by collection path and document id."""

    def __init__(self, clock, name=None):
        self.clock, self.name = clock, name
        self.lock = threading.RLock()
        self.collections = {}
        self.last = 0

    def versions(self, path):
        collection, _, name = path.rpartition("/")
        return self.collections.get(collection, {}).get(name, [])

    def latest(self, path):
        versions = self.versions(path)
        return versions[-1] if versions and versions[-1].fields is not None else None

    def read_time(self):
        """Now, and no commit that follows gets this time or an earlier one."""
        self.last = max(self.last, self.clock.now())
        return self.last

    def read(self, paths):
        """The documents at paths as reads see them now, and the read time."""
        with self.lock:
            now, stamp = self.clock.now(), self.read_time()
            return [seen(self.versions(path), now) for path in paths], stamp

    def read_collection(self, collection):
        with self.lock:
            now, stamp = self.clock.now(), self.read_time()
            found = (seen(versions, now) for versions in self.collections.get(collection, {}).values())
            return [version for version in found if version], stamp

    def add(self, version):
        """Stores a version, and drops those that no read can see any more."""
        collection, _, name = version.path.rpartition("/")
        versions = self.collections.setdefault(collection, {}).setdefault(name, [])
        versions.append(version)
        now = self.clock.now()
        while len(versions) > 1 and any(later.visible <= now for later in versions[1:]):
            versions.pop(0)
        self.last = max(self.last, version.update)

    def commit(self, database, writes, delay):
        """Carries out all writes or none; gives the stored versions and the response."""
        with self.lock:
            now = self.clock.now()
            stamp = self.last = max(self.last + 1, now)
            visible = now + int(delay * 1_000_000) if delay else 0
            staged, response = {}, CommitResponse()
            set_time(response.commit_time, stamp)
            for write in writes:
                path = written_path(database, write)
                before = staged[path] if path in staged else self.latest(path)
                version = next_version(database, path, write, before, stamp, visible, response.write_results.add())
                if version:
                    staged[path] = version
            for version in staged.values():
                self.add(version)
            return list(staged.values()), response


class Journal:
    """The state file: one JSON line a stored version, replayed at the start."""

    def __init__(self, path, service):
        self.path, self.service, self.file = path, service, None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    if line.endswith("\n"):  # a line cut short was never answered
                        self.replay(json.loads(line))
        self.rewrite()

    def replay(self, record):
        service = self.service
        if "offset" in record:
            service.clock.offset = record["offset"]
            return
        name = record["database"]
        store = service.first if name is None else service.store(name)
        if "last" in record:
            store.last = max(store.last, record["last"])
            return
        fields = record["fields"]
        document = None if fields is None else Document.FromString(base64.b64decode(fields))
        store.add(Version(record["path"], document, record["create"], record["update"], record["visible"]))

    def write(self, record):
        self.file.write(json.dumps(record) + "\n")

    def append(self, store, versions):
        for item in versions:
            fields = item.fields and base64.b64encode(item.fields.SerializeToString()).decode()
            self.write({"database": store.name, "path": item.path, "fields": fields,
                        "create": item.create, "update": item.update, "visible": item.visible})
        self.file.flush()

    def rewrite(self):
        if self.file:
            self.file.close()
        temporary = self.path + ".new"
        self.file = open(temporary, "w", encoding="utf-8")
        self.write({"offset": self.service.clock.offset})
        for store in self.service.all_stores():
            self.write({"database": store.name, "last": store.last})
            for collection in store.collections.values():
                for versions in collection.values():
                    self.append(store, versions)
        self.file.flush()
        os.replace(temporary, self.path)
