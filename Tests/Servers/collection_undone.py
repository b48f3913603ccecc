"""What an app or a device takes back in a collection is not taken back again: collection_undone.py SCENARIO."""

import json
import time

from checks import check, main
from firestore.devices import START, Phone, deletion, line, settle, two
from firestore.running import Double, string


def now(seconds=0):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + seconds))


def age(seconds=0):
    """The present, as deletions are stamped."""
    return int(time.time()) + seconds - START


def put(phone, key, title, *words):
    """A record that has no clock in itself."""
    text = json.dumps({"id": key, "title": title}) + "\n"
    phone.tool("synclog", "put", "--entity-name", "Task", *words, text=text)


def title(double, key):
    return double.documents().get(key, {}).get("title")


def run(*phones):
    for phone in phones:
        phone.run()


def edits(folder):
    """An app writes a document as it was before an edit of a device, or over edits that another device has not seen."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double, "--sweep", "1ms")
        put(phone, "1", "one")
        run(phone, tablet)
        for stamped in {}, {"serverTime": "peersync.at"}:
            before = double.documents()["1"]
            put(phone, "1", "two")
            run(phone, tablet)
            check(title(double, "1") == string("two"), "a device edits")
            double.control(put={"path": "tasks/1", "fields": before, **stamped})
            settle(phones, double, "the app takes it back")
            check(title(double, "1") == string("one"), "and that stays")

        put(phone, "2", "one", "--now", now(240))
        run(phone, tablet)
        put(phone, "2", "two")
        put(phone, "2", "three")
        phone.run()
        double.control(put={"path": "tasks/2", "fields": {"title": string("by the app")}})
        # This one knows neither of the edits.
        tablet.run()
        settle(phones, double, "an app writes over edits with a clock that is ahead")
        check(title(double, "2") == string("by the app"), "and that stays")

        double.control(merge={"path": "tasks/1", "fields": {"title": string("theirs")}, "serverTime": "peersync.at"})
        put(phone, "1", "mine")
        phone.run("--direction", "push")
        check(title(double, "1") == string("mine"), "a run that only pushes writes over an earlier edit")
        check([each["identity"]["id"] for each in phone.conflicts()] == ["1"], "and keeps it")
        restored(folder)


def restored(folder):
    """In a collection that was restored, documents are as they were, and nobody has taken anything back."""
    folder /= "restored"
    folder.mkdir()
    with Double(folder) as double:
        double.control(clock=-3_600)
        phones = phone, tablet = two(folder, double, "--sweep", "1ms")
        reader = Phone(folder, "reader", double, "--sweep", "1ms")
        put(phone, "1", "one")
        run(phone, tablet, reader)
        before = double.documents(), double.documents("tasks-peersync")
        double.control(clock=0)
        put(phone, "1", "two")
        run(phone, tablet)
        reader.run("--direction", "pull")
        for path, documents in zip(("tasks", "tasks-peersync"), before):
            double.control(put=[{"path": f"{path}/{key}", "fields": fields} for key, fields in documents.items()])
        for gone in double.documents("tasks-peersync").keys() - before[1].keys():
            double.control(delete=f"tasks-peersync/{gone}")
        reader.run("--direction", "pull")
        tablet.run()
        settle(phones, double, "restored")
        check(title(double, "1") == string("two"), "what is newer on the devices is written again")


def deletions(folder):
    """What is there again after a deletion stays, whoever has put it there."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double, "--sweep", "1ms")
        old = {"title": string("one"), "updatedAt": string("2026-11-01T08:00:00Z")}
        double.control(put=[{"path": f"tasks/{key}", "fields": old} for key in ("app", "other")])
        for key in "note", "mine", "ahead", "back":
            put(phone, key, "one")
        run(phone, tablet)
        before = double.documents()

        double.control(delete=["tasks/app", "tasks/note"])
        phone.put(deletion("mine", age()), deletion("ahead", age(240)))
        tablet.put(deletion("back", age()))
        run(phone, tablet, phone)
        check(double.documents().keys() == {"other"} and phone.records().keys() == {"other"}, "five are deleted")

        double.control(put=[
            {"path": "tasks/app", "fields": old}, {"path": "tasks/note", "fields": before["note"]},
            {"path": "tasks/mine", "fields": before["mine"]},
            {"path": "tasks/ahead", "fields": {"title": string("anew")}, "serverTime": "peersync.at"}])
        phone.put({"id": "back", "title": "one", "updatedAt": "2026-11-01T08:00:00Z"})
        settle(phones, double, "they are put back")
        keys = {"app", "note", "mine", "ahead", "back", "other"}
        check(double.documents().keys() == keys, f"and are there: {sorted(double.documents())}")
        check(all(each.records().keys() == keys for each in phones), "on all devices")


def emptied(folder):
    """A device that has only read does not vouch for a collection that was emptied."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        phone.put(*(line(str(number), title="old") for number in range(7)))
        settle(phones, double, "pushed")
        double.control(merge={"path": "tasks/1", "fields": {"title": string("new")}, "serverTime": "peersync.at"})
        tablet.run()
        double.control(delete=[f"tasks/{key}" for key in double.documents()])
        for each in phones:
            each.ends(77, "emptied by hand", says="the collection is empty")
            check(len(each.records()) == 7, "nothing is deleted")
        for words in ["remove"], ["add", "--entity-name", "Task"]:
            phone.tool("peersync", "remote", words[0], double.url, *words[1:])
        run(phone, tablet)
        settle(phones, double, "filled again")
        tablet.put(*(deletion(key, age()) for key in tablet.records()))
        tablet.run("--max-delete", "off")
        check(not double.documents(), "a device deletes all")
        phone.run()
        check(not phone.records(), "and so do the others")


if __name__ == "__main__":
    main(edits, deletions, emptied)
