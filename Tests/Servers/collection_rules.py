"""What devices agree on about a collection, and what is kept out of it: collection_rules.py SCENARIO."""

import json
import time

from checks import check, main
from firestore.devices import URL, Phone, change, deletion, line, settle, stamp, two
from firestore.running import Double, string

DAY = 86_400
BESIDE = "tasks-peersync"


def agreed(folder):
    """A device that would read or merge in another way exchanges nothing."""
    with Double(folder) as double:
        phone = Phone(folder, "phone", double)
        phone.put(line("1", title="one"))
        phone.run()
        common = double.documents(BESIDE)["agreement"]
        check(common["entityName"] == string("Task"), "the first device writes what they agree on")
        before = double.documents(), double.documents(BESIDE)

        tablet = Phone(folder, "tablet", double, add=False)
        added = json.loads(tablet.add(URL))
        check(added["entityName"] == "Task", "another one takes the name of the entity from there")
        done = tablet.add(URL, "--entity-name", "Chore", status=None)
        check(done.returncode == 78 and "not of 'Chore'" in done.stderr, f"not another: {done.stderr.strip()}")
        done = tablet.add(URL, "--deleted-field", "gone", status=None)
        check(done.returncode == 78 and "'gone'" in done.stderr, f"nor another way to delete: {done.stderr.strip()}")
        # Where the clock of a document is, the collection says.
        tablet.tool("synclog", "put", "--entity-name", "Task", "--clock", "/edited", text=json.dumps(line("2", title="two")) + "\n")
        settle([phone, tablet], double, "agreed")

        def other(name, what, *words, says, entity="Task"):
            there = double.documents(), double.documents(BESIDE)
            device = Phone(folder, name, double)
            fields = {"id": name, "title": name, "updatedAt": stamp(), "edited": stamp()}
            device.tool("synclog", "put", *words, "--entity-name", entity, text=json.dumps(fields) + "\n")
            for run in "the first time", "and the next":
                said = device.ends(78, f"{what}, {run}", says=says)
                check("use a new store" in said or f"{BESIDE}/agreement" in said, "with what helps")
            check(len(device.lines()) == 1, "nothing came")
            check((double.documents(), double.documents(BESIDE)) == there, "nothing was written")

        other("key", "another key", "--key", "/title", says="'/title'")
        profile = folder / "profile.json"
        profile.write_text(json.dumps({"entities": {"Task": {"rule": "append-only"}}}))
        other("rule", "another merge rule", "--profile", profile, says="append-only")

        profile.write_text(json.dumps({"entities": {"Task": {"rule": "append-only"}}}))
        tablet.tool("synclog", "rules", "set", "--profile", profile)
        tablet.put(line("3", title="three"))
        tablet.ends(78, "rules that were changed later", says="append-only")
        tablet.tool("synclog", "rules", "set", "--profile", profile)
        double.control(delete=f"{BESIDE}/agreement")
        phone.tool("synclog", "rules", "set", "--profile", profile)
        settle([tablet, phone], double, "rules that were changed everywhere")
        check("3" in phone.records(), "what waited is there")
        check("append-only" in double.documents(BESIDE)["agreement"]["rules"]["stringValue"], "and the agreement is new")
        check(before[0].keys() < double.documents().keys(), "nothing was lost")

        late = Phone(folder, "late", double)
        late.run()
        check(json.loads(late.tool("synclog", "rules", "show"))["entities"] == {"Task": {"rule": "append-only"}},
              "a store without rules takes those of the others")
        double.control(put={"path": f"{BESIDE}/agreement", "fields": {"rules": string("x" * 900_000)}})
        phone.ends(65, "an agreement that is none", says="agreement")
        check(phone.records() == late.records(), "changes nothing")
    first(folder)


def first(folder):
    """Two devices at once are the first ones, and do not agree."""
    (folder / "first").mkdir()
    with Double(folder / "first") as double:
        phone, tablet = Phone(folder, "one", double), Phone(folder, "two", double, "--deleted-field", "gone")
        tablet.put(line("two"))
        phone.put(line("one"))
        written = {"entityName": string("Task"), "rules": string("{}"), "identities": string("{}")}
        double.control(before={"path": "commit", "put": {"path": f"{BESIDE}/agreement", "fields": written}})
        tablet.ends(78, "another device was faster, and deletes otherwise", says="'gone'")
        check(not double.documents(), "nothing is written")
        phone.run()
        check(double.documents().keys() == {"one"}, "the faster one goes on")
        tablet.ends(78, "the other one does not", says="remote remove")
        tablet.tool("peersync", "remote", "remove", URL)
        tablet.add(URL)
        settle([phone, tablet], double, "as the collection has it")
        plain(double, phone)


def plain(double, phone):
    """An entity of the collection is not written by a store that only has records of others."""
    phone.tool("synclog", "put", "--entity-name", "Note", text=json.dumps(line("note")) + "\n")
    phone.run()
    check("note" not in double.documents(), "records of other entities stay here")
    check("note" not in phone.tool("peersync", "status", "--records"), "and nobody says that they are there")


def aside(folder):
    """What a store has set aside is not written over."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        phone.put(line("1", title="old"), line("2", title="old"))
        settle(phones, double, "pushed")
        ahead = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 30 * DAY))
        theirs = {"id": string("1"), "title": string("theirs"), "updatedAt": string(ahead)}
        double.control(put={"path": "tasks/1", "fields": theirs, "serverTime": "peersync.at"})
        phone.run(status=None)
        check(phone.records()["1"]["title"] == "old", "a clock that is far ahead is set aside")
        phone.put(line("1", 60, title="mine"), line("2", 60, title="mine"), line("3", 60, title="mine"))
        for _ in range(2):
            phone.ends(65, "an edit here does not take its place", says="quarantine")
            check(double.documents()["1"]["title"] == string("theirs"), "there it is as it was")
        check(double.documents()["2"]["title"] == string("mine"), "others are written")
        phone.put(deletion("1", 120))
        phone.ends(65, "nor does a deletion", says="quarantine")
        check(double.documents()["1"]["title"] == string("theirs"), "there it is as it was")
        theirs["updatedAt"] = string(stamp(600))
        double.control(put={"path": "tasks/1", "fields": theirs, "serverTime": "peersync.at"})
        phone.run(status=None)
        check(phone.records()["1"]["title"] == "theirs", "when the app mends the clock, it is merged")
        phone.put(line("1", 900, title="mine"))
        phone.run(status=None)
        check(double.documents()["1"]["title"] == string("mine"), "and an edit here is written")
    marks(folder)


def marks(folder):
    """Members that mark deleted documents, and are none."""
    (folder / "marks").mkdir()
    with Double(folder / "marks") as double:
        device = Phone(folder, "wrong", double, add=False)
        for word in "", "__gone__", "peersync", "x" * 1_501:
            done = device.add(URL, "--deleted-field", word, status=None)
            check(done.returncode == 64, f"a mark that no document can have: {done.stderr[:60].strip()}")
        phones = phone, tablet = [
            Phone(folder, name, double, "--deleted-field", "gone") for name in ("marker", "reader")]
        phone.put(line("1", title="old"), line("2", title="old", gone=False))
        settle(phones, double, "pushed")
        phone.put(line("1", 60, title="edited", gone=True), change("4", fields=1))
        said = phone.ends(65, "a record that would be deleted by its own member", says="gone")
        check("1 record could not be written" in said, "is kept out, and named")
        check(double.documents()["1"]["title"] == string("old"), "the document is as it was")
        phone.put(line("1", 120, title="edited", gone=None))
        phone.ends(0, "mended")
        settle(phones, double, "mended")
        odd = {"title": string("odd"), "gone": string("yes")}
        double.control(put={"path": "tasks/3", "fields": odd, "serverTime": "peersync.at"})
        tablet.ends(65, "a mark that is no boolean", says="not a boolean")
        check("3" not in tablet.records(), "its document is no record")
        double.control(put={"path": "tasks/3", "fields": odd | {"gone": {"nullValue": None}},
                            "serverTime": "peersync.at"})
        tablet.ends(0, "null is none")
        check(tablet.records()["3"]["title"] == "odd", "and the record is there")
        lists(double, phone)


def lists(double, phone):
    """Fields that are no object, in a change line that was stored so."""
    text = '{"entityName":"Task","identity":{"id":"list"},"modifiedAt":"2026-11-01T00:00:00Z","fields":[1]}\n'
    done = phone.tool("synclog", "put", text=text, status=None)
    if done.returncode == 0:
        phone.ends(65, "fields that are no object", says="not an object")
        check("list" not in double.documents(), "are no document")


def blocked(folder):
    """An edit that is not in the collection is not lost when somebody else changes the document, or removes it."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double, "--deleted-field", "gone")

        def app(key, **fields):
            double.control(put={"path": f"tasks/{key}", "serverTime": "peersync.at", "fields": {
                "id": string(key), "title": string("theirs"), **fields}})

        phone.put(*(line(key, title="old") for key in ("kept", "lost", "odd", "removed")))
        settle(phones, double, "pushed")
        phone.put(*(line(key, 60, title="mine", rows=[[1]]) for key in ("kept", "lost")))
        phone.ends(65, "edits that no document can hold", says="2 records could not be written")
        states = [json.loads(each) for each in phone.tool("peersync", "status", "--records").splitlines()]
        check([each["state"] for each in states].count("pendingPush") == 2, "wait to be sent")
        double.control(delete="tasks/kept")
        phone.ends(65, "an app removes one", says="kept")
        check(phone.records()["kept"]["title"] == "mine", "which stays here")
        app("lost", updatedAt=string(stamp(600)))
        phone.run(status=None)
        check(phone.records()["lost"]["title"] == "theirs", "an app's later edit wins")
        check([each["identity"]["id"] for each in phone.conflicts()] == ["lost"], "and what has lost is kept")
        phone.put(line("kept", 120, title="mended"))
        settle(phones, double, "mended")

        phone.put(line("odd", 60, title="mine"))
        app("odd", gone=string("no"), extra=string("only there"))
        for _ in range(2):
            phone.ends(65, "a document that is no record", says="not overwritten")
            check("extra" in double.documents()["odd"], "is as it was")
        phone.put(deletion("odd", 120))
        phone.ends(65, "also for a deletion", says="not overwritten")
        app("odd", updatedAt=string(stamp(900)))
        phone.run()
        settle(phones, double, "mended there")
        app("removed", gone=string("no"))
        phone.ends(65, "another one", says="not a boolean")
        double.control(delete="tasks/removed")
        phone.run()
        check("removed" not in phone.records(), "when it is removed, its record is deleted")
        tablet.run()
        settle(phones, double, "removed")

        app("removed", updatedAt=string(stamp(2_000_000_000 - 1_790_000_000)))
        phone.put(line("removed", 10_000, title="mine"))
        phone.ends(65, "a later version, for a run that only pushes", "--direction", "push", says="later version")
        check(double.documents()["removed"]["title"] == string("theirs"), "is not written over")


def unbumped(folder):
    """An app edits a document and leaves the clock that its record has in itself: all devices take the same time for it."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)

        def app(title):
            double.control(merge={"path": "tasks/1", "fields": {"title": string(title)}, "serverTime": "peersync.at"})

        phone.put(line("1", title="old"))
        settle(phones, double, "pushed")
        fields = {"id": string("1"), "title": string("one"), "updatedAt": string(stamp(60))}
        double.control(put={"path": "tasks/1", "fields": fields, "serverTime": "peersync.at"})
        phone.run()
        app("two")
        # One of them has not seen the version before.
        settle(phones, double, "two versions")
        tablet.put(line("1", 90, title="mine"))
        tablet.run()
        settle(phones, double, "an edit after both")
        check(phone.records()["1"]["title"] == "mine", "is on all")
        odd(double, phones)


def odd(double, phones):
    """Numbers in other spellings, and an id that no record would get."""
    key = "x" * 1_400
    double.control(put={"path": f"tasks/{key}", "serverTime": "peersync.at", "fields": {
        "title": string("old"), "number": {"doubleValue": 1.1383974582076995e17}, "zero": {"doubleValue": -0.0}}})
    settle(phones, double, "an app's")
    phone = phones[0]
    phone.put({**phone.records()[key], "id": key, "title": "mine"})
    phone.run()
    check(double.documents()[key]["title"] == string("mine"), "can be edited here")


def added(folder):
    """A collection that is added again is compared as a whole."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        phone.put(*(line(str(number), title="old") for number in range(4)))
        settle(phones, double, "pushed")
        double.control(delete=[f"tasks/{key}" for key in double.documents()])
        said = phone.ends(77, "a collection that was emptied", says="remote remove")
        for words in ["remove"], ["add", "--entity-name", "Task"]:
            phone.tool("peersync", "remote", *words[:1], URL, *words[1:])
        phone.run()
        check(len(double.documents()) == 4, f"is filled again, as the hint says: {said.splitlines()[-1]}")
        settle(phones, double, "filled")
        phone.tool("peersync", "remote", "remove", URL)
        tablet.put(deletion("1", 60))
        tablet.run()
        phone.add(URL)
        settle(phones, double, "what was deleted meanwhile", rounds=3)
        check("1" not in phone.records(), "is deleted everywhere")

        idle = Phone(folder, "idle", double, url="firestore://my-app/other")
        idle.run()
        check("agreement" not in double.documents("other-peersync"), "a device that has nothing says nothing")
        idle.tool("synclog", "put", "--entity-name", "Task", "--key", "/uuid", text='{"uuid":"1"}\n')
        idle.run()
        check(double.documents("other").keys() == {"1"}, "its first record does")


if __name__ == "__main__":
    main(agreed, aside, blocked, unbumped, added)
