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


def clocks(folder):
    """A deletion has the same clock everywhere, whatever a device knew of the record."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double, "--sweep", "1ms")
        put(phone, "anew", "one", "--now", now(240))
        for key in "fresh", "back", "edit", "older":
            put(phone, key, "one")
        put(phone, "tie", "one", "--now", now(240))
        run(phone, tablet)

        for title_ in "two", "three":
            put(phone, "anew", title_)
        phone.put(deletion("anew", age(250)), deletion("fresh", age(180)), deletion("back", age(180)))
        put(tablet, "edit", "by the tablet")
        phone.put(deletion("edit", age(1)))
        phone.run()
        double.control(put=[{"path": f"tasks/{key}", "fields": {"title": string("anew")}} for key in ("anew", "fresh")])
        reader = Phone(folder, "reader", double, "--sweep", "1ms")
        reader.run()
        put(reader, "fresh", "by the reader")
        run(reader, tablet)
        check([each["identity"]["id"] for each in tablet.conflicts()] == ["edit"], "an edit that loses is kept")
        put(tablet, "back", "put back")
        phones.append(reader)
        settle(phones, double, "deletions with clocks ahead")
        check(title(double, "anew") == string("anew"), "what an app makes again stays")
        check(title(double, "fresh") == string("by the reader"), "so does the edit of a device that has never seen the record")
        check(title(double, "back") == string("put back"), "and what a device puts back")
        deleted = [{each["identity"]["id"]: each["deletedAt"] for each in phone.lines() if "deletedAt" in each}
                   for phone in phones]
        check(deleted[0].keys() == {"edit"} and deleted[1:] == deleted[:-1], "a deletion has one clock")

        # The tablet does not know that the record is another one by now.
        phone.put(deletion("back", age(181)))
        phone.run()
        double.control(put={"path": "tasks/back", "fields": {"title": string("by an app")}})
        phone.run()
        tablet.put(deletion("back", age(200)))
        run(tablet, phone)
        settle(phones, double, "the last deletion is later than what an app has made")
        check(title(double, "back") is None, "and stays")

        tablet.put(deletion("older", age(2)))
        put(phone, "older", "later", "--now", now(10))
        put(tablet, "tie", "mine")
        double.control(merge={"path": "tasks/tie", "fields": {"title": string("app")}})
        phone.run()
        tablet.run("--direction", "pull")
        double.control(delete=["tasks/older", "tasks/tie"])
        run(phone, tablet)
        settle(phones, double, "an app removes what a device has changed")
        check("tie" in {each["identity"]["id"] for each in tablet.conflicts()}, "an edit with that very clock is kept")
        check(title(double, "older") is None, "what the device had written is removed, though another one has deleted it before")


def twins(folder):
    """One record in two documents, and deletions that a device cannot have known."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double, "--sweep", "1ms")
        key = "ann@example.org"
        for key_ in key, "w", "q":
            put(phone, key_, "device")
        run(phone, tablet)
        theirs = {"path": f"tasks/{key}", "fields": {"title": string("app")}}
        double.control(put=theirs)
        run(phone, tablet, phone)
        check(len(double.documents()) == 4, "an app makes another document of a record")
        double.control(delete=f"tasks/{key}")
        run(phone, tablet, phone)
        found = [each.records()[key]["title"] for each in phones] + [
            each["title"]["stringValue"] for name, each in double.documents().items() if name.startswith("k.")]
        check(found == ["app"] * 3, f"and removes it: the first one gets what it had: {found}")
        double.control(put=theirs)
        run(phone, tablet)
        tablet.put(deletion(key, age(1)))
        run(tablet, phone, tablet)
        check(double.documents().keys() == {"w", "q"} and phone.records().keys() == {"w", "q"}, "a deletion is of both")

        before = double.documents("tasks-peersync").keys()
        put(tablet, "w", "mine")
        phone.put(deletion("w", age(1)))
        phone.run()
        for note in double.documents("tasks-peersync").keys() - before:
            double.control(delete=f"tasks-peersync/{note}")
        run(tablet, phone, tablet)
        check("w" not in tablet.records(), "a deletion whose note is gone comes all the same")
        check([each["identity"]["id"] for each in phone.conflicts()] == ["w"], "and what it has deleted is kept")

        phone.tool("synclog", "put", "--now", now(600), text=json.dumps(deletion("q", age(600))))
        phone.run("--now", now(600))
        tablet.ends(65, "a deletion far ahead", says="in quarantine")
        put(tablet, "q", "mine")
        tablet.ends(65, "is not written over", says="the deletion of its document is in quarantine")
        check("q" not in double.documents(), "nor is there a document")
        tablet.run("--now", now(400))
        check("q" in {each["identity"]["id"] for each in tablet.conflicts()}, "in the end the edit is kept")


def rules(folder):
    """Where the first version wins, a device writes an earlier one, and no edit of an app."""
    for rule in "terminal", "append-only":
        (folder / rule).mkdir()
        with Double(folder / rule) as double:
            profile = folder / rule / "rules.json"
            profile.write_text(json.dumps({"entities": {"Task": {"rule": rule}}}))
            phones = phone, tablet = [Phone(folder / rule, name, double, "--sweep", "1ms") for name in ("phone", "tablet")]

            def write(each, key, title_, seconds):
                text = json.dumps({"id": key, "title": title_, "status": "completed"}) + "\n"
                each.tool("synclog", "put", "--entity-name", "Task", "--now", now(seconds), text=text)

            for each in phones:
                each.tool("synclog", "init", "--profile", profile, "--entity-name", "Task")
            write(phone, "both", "late", -10)
            write(tablet, "both", "early", -20)
            for key in "edited", "gone":
                write(phone, key, "first", -30)
            settle(phones, double, f"{rule}: both have written a record")
            check(title(double, "both") == string("early"), "the first one stays")
            check(any(each["identity"]["id"] == "both" for each in phone.conflicts()), "the other one is kept")
            double.control(merge={"path": "tasks/edited", "fields": {"title": string("app")}}, delete="tasks/gone")
            tablet.run()
            settle(phones, double, "an app edits one and removes one")
            check(title(double, "edited") == title(double, "gone") == string("first"), "which is undone")
            kept = {each["identity"]["id"] for each in tablet.conflicts()}
            check({"edited", "gone"} <= kept, f"and kept: {sorted(kept)}")


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
        tablet.put(deletion("0", age()))
        tablet.run()
        before = double.documents()
        double.control(delete=[f"tasks/{key}" for key in before])
        phone.ends(77, "emptied after a deletion of another device", says="the collection is empty")
        check(len(phone.records()) == 7, "nothing is deleted")
        double.control(put=[{"path": f"tasks/{key}", "fields": fields} for key, fields in before.items()])
        settle(phones, double, "back again")
        tablet.put(*(deletion(key, age()) for key in tablet.records()))
        tablet.run("--max-delete", "off")
        check(not double.documents(), "a device deletes all")
        phone.run()
        check(not phone.records(), "and so do the others")


if __name__ == "__main__":
    main(edits, deletions, clocks, twins, rules, emptied)
