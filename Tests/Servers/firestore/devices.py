"""Devices that sync with a collection, `tasks` where nothing else is said, and the records in it."""

import json
import time

from checks import Failed, check
from household import Device

URL = "firestore://my-app/tasks"
START = 1_790_000_000


def stamp(seconds=0):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(START + seconds))


def line(key, seconds=0, **fields):
    """A record; its clock is some time ago."""
    return {"id": key, "updatedAt": stamp(seconds), **fields}


def change(key, seconds=0, **fields):
    """A change line, whose record has no clock in itself; its identity is {"id": key}, or what is given."""
    identity = key if isinstance(key, dict) else {"id": key}
    return {"entityName": "Task", "identity": identity, "modifiedAt": stamp(seconds), "fields": fields}


def deletion(key, seconds=0):
    return {"entityName": "Task", "identity": {"id": key}, "deletedAt": stamp(seconds)}


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Phone(Device):
    """A device with the collection as a remote."""

    def __init__(self, folder, name, double, *options, url=None, add=True):
        super().__init__(folder, name)
        self.environment["FIRESTORE_EMULATOR_HOST"] = f"127.0.0.1:{double.port}"
        if add:
            self.add(url or double.url, "--entity-name", "Task", *options)

    def put(self, *lines, status=0):
        text = "".join(json.dumps(each) + "\n" for each in lines)
        return self.tool("synclog", "put", "--entity-name", "Task", text=text, status=status)

    def lines(self):
        return [json.loads(each) for each in self.dump().split("\n")[:-1]]

    def records(self):
        """The fields of the records that are there, by id, or by identity where that has other members."""
        return {
            each["identity"]["id"] if list(each["identity"]) == ["id"] else canonical(each["identity"]): each["fields"]
            for each in self.lines() if each.get("deletedAt") is None}

    def clocks(self):
        """The records that are there, and when they were changed."""
        return {
            canonical(each["identity"]): (each.get("modifiedAt"), each["fields"])
            for each in self.lines() if each.get("deletedAt") is None}

    def conflicts(self):
        return [json.loads(each) for each in self.tool("synclog", "conflicts", "list").splitlines()]

    def ends(self, status, what, *words, says=""):
        """A run that ends so; gives its errors."""
        done = self.run(*words, status=None)
        said = done.stderr.strip()
        is_so = done.returncode == status and says in said
        check(is_so, f"{what}: {status} {says if is_so else f'{says}, not {done.returncode} {said}'}".rstrip())
        return said


def two(folder, double, *options):
    return [Phone(folder, name, double, *options) for name in ("phone", "tablet")]


def settle(phones, double, what, rounds=2):
    """Runs until all is where it belongs; the last one moves nothing."""
    for _ in range(rounds):
        for phone in phones:
            phone.run()
    found = [phone.clocks() for phone in phones]
    for other in found[1:]:
        different = [key for key in found[0].keys() | other.keys() if found[0].get(key) != other.get(key)]
        check(not different, f"{what}: all have the same {len(found[0])} records {different[:3]}".removesuffix(" []"))
    moved = [phone.run() for phone in phones]
    idle = all((each["changesReceived"], each["changesSent"]) == (0, 0) for each in moved)
    check(idle, f"{what}: nothing more moves")
    for phone in phones:
        if json.loads(phone.tool("synclog", "verify"))["faults"]:
            raise Failed(f"{what}: a store needs repair")
    there = double.documents()
    check(len(there) == len(found[0]), f"{what}: so has the collection")
    return phones[0].records()
