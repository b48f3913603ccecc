"""A Firestore collection as a remote: collection.py SCENARIO. The double of its REST interface is in firestore/."""

import base64
import json
import random
import shutil
import signal
import threading
import time

from checks import LONG, check, main
from firestore.devices import URL, Phone, canonical, change, deletion, line, settle, stamp, two
from firestore.running import Double, string

# Where the clock of the double goes on, it begins days ago: what an app writes is not to be ahead of the devices.
DAY = 86_400


KINDS = {
    "null": None, "true": True, "false": False, "zero": 0, "minus": -17, "large": 2**53 + 1, "largest": 2**63 - 1,
    "smallest": -(2**63), "half": 0.5, "whole": 2.0, "huge": 1e300, "tiny": 5e-324, "beyond": 10**19,
    "text": "Milk", "empty": "", "words": "äöü 漢字 \U0001F600 \"\\ \u0000 \u2028", "date": "2026-11-01T08:00:00Z",
    "due": "2026-11-02T08:00:00.123Z", "list": [1, 2.5, "a", None, True, {"deep": [1]}], "none": [],
    "map": {"a": {"b": {"c": [{"d": "e"}]}}, "with.dot": 1, "with `tick`": 2, "ü b": 3}, "nothing": {},
    "name with blank": 1, "peer.sync": {"line": "x"}}


def read_back(value):
    """As mirror.py spells it."""
    if isinstance(value, dict):
        return {name: read_back(each) for name, each in value.items()}
    if isinstance(value, list):
        return [read_back(each) for each in value]
    return float(value) if value == 10**19 else value


def exact(value):
    """Text that distinguishes 2 and 2.0."""
    return json.dumps(value, sort_keys=True)


def coded(identity):
    text = base64.urlsafe_b64encode(canonical(identity).encode()).decode().rstrip("=")
    return f"k.{text}"


def mirror(folder):
    """The values of devices and of an app, in the double."""
    with Double(folder) as double:
        values(folder, double)


def values(folder, database):
    """Google's own client reads what was written; what it has written is as it was where nobody has changed it."""
    types = folder / "types.json"
    types.write_text(json.dumps({"entities": {"Task": {"fields": {"due": "date", "number": "double"}}}}))
    ids = ["plain", "with-dash_0", "a/b", "__x__", "", "x" * 200, "x" * 128, "ü", ".", "..", "k.abc", "with space"]
    composite = [{"list": "a", "number": 7}, {"number": 8, "list": "b/c"}, {"id": 5}, {"uuid": "x"}]
    phone, tablet = two(folder, database, "--types", types)
    phone.put(change("kinds", **KINDS), change("number", number=3), *(change(each, id=each) for each in ids))
    phone.put(*(change(each, title="composite") for each in composite))
    phone.run()
    seen = database.mirror()
    kinds = {name: value for name, value in seen["kinds"].items() if name != "peersync"}
    wanted = read_back(KINDS)
    wrong = [name for name in wanted.keys() | kinds.keys() if name != "due"
             and exact(kinds.get(name, "absent")) != exact(wanted.get(name, "absent"))]
    check(not wrong, f"the values are the same: {wrong}")
    raw = database.documents()["kinds"]
    check(raw["due"] == {"timestampValue": "2026-11-02T08:00:00.123Z"}, "a date by --types is a timestamp")
    check(raw["date"] == string("2026-11-01T08:00:00Z"), "another one is a string")
    check(raw["large"] == {"integerValue": str(2**53 + 1)}, "an integer is an int64")
    check("doubleValue" in raw["whole"] and "doubleValue" in raw["huge"], "a number with a point is a double")
    check(database.documents()["number"]["number"] == {"doubleValue": 3.0}, "and one that --types says is one")
    plain = {"plain", "with-dash_0", "x" * 128}
    names = {each: each if each in plain else coded({"id": each}) for each in ids}
    names |= {canonical(each): coded(each) for each in composite}
    missing = [each for each, name in names.items() if name not in seen]
    check(not missing, f"the ids are those that are expected: {missing}")
    check(len(seen) == len(names) + 2, "and there are no others")
    tablet.run()
    check(exact(tablet.records()["kinds"]) == exact(read_back(KINDS)), "another device reads the same values")
    settle([phone, tablet], database, "pushed")
    typed(database, phone, tablet)


def typed(database, phone, tablet):
    """Documents of an app, with types that JSON has not."""
    fields = {
        "title": string("Milk"), "when": {"timestampValue": "2026-11-01T08:00:00.123456Z"},
        "photo": {"bytesValue": "AAECAw=="}, "place": {"geoPointValue": {"latitude": 48.5, "longitude": -7}},
        "owner": {"referenceValue": "projects/my-app/databases/(default)/documents/users/ann"},
        "rate": {"doubleValue": "NaN"}, "most": {"doubleValue": "Infinity"}, "nothing": {"nullValue": None},
        "price": {"doubleValue": 3}, "count": {"integerValue": "3"}, "done": {"booleanValue": False},
        "tags": {"arrayValue": {"values": [string("a"), {"timestampValue": "2026-11-01T08:00:00Z"}]}},
        "inner": {"mapValue": {"fields": {"at": {"timestampValue": "2026-11-01T08:00:00Z"}, "n": {"doubleValue": 1}}}}}
    database.save("app", fields)
    before = database.mirror()["app"]
    for device in (phone, tablet):
        device.run()
    record = phone.records()["app"]
    check(record == tablet.records()["app"], "both devices read an app's document")
    check(record["title"] == "Milk" and record["rate"] == "NaN" and record["nothing"] is None, "as JSON")
    tablet.put(change("app", 60, **(record | {"title": "Bread"})))
    tablet.run()
    after = database.documents()["app"]
    kept = {name: value for name, value in after.items() if name not in ("title", "peersync")}
    first = {name: value for name, value in fields.items() if name != "title"}
    different = [name for name in first if list(kept.get(name, {})) != list(first[name])]
    check(not different, f"an edit elsewhere keeps the types of the other members: {different}")
    changed = database.mirror()["app"]
    changed.pop("peersync")
    check(exact(changed) == exact(before | {"title": "Bread"}), "and their values")
    settle([phone, tablet], database, "edited")
    tablet.put(change("app2", 60, title="new", when="2026-11-03T08:00:00Z", price=5, id="app2"))
    tablet.run()
    new = database.documents()["app2"]
    check("timestampValue" in new["when"], "a new record has a timestamp where others have one")


def late(folder):
    """Commits that become visible up to a minute after the time that is in their documents."""
    seed = random.randrange(1 << 32)
    print(f"seed: {seed}")
    moments = random.Random(seed)
    with Double(folder) as double:
        double.control(clock=-DAY)
        writers = two(folder, double)
        reader = Phone(folder, "reader", double)
        # One document that all write would hold up each commit.
        writers[0].put(line("first"))
        writers[0].run()
        clock, ready, wanted = 0.0, [0.0, 0.0], {"first"}

        def go_on(seconds):
            nonlocal clock
            clock += seconds
            double.control(clock=seconds)

        for number in range(200 if LONG else 80):
            which = moments.randrange(2)
            # A commit is answered when it can be seen: its writer goes on then, all others at any time.
            if ready[which] > clock:
                which = 1 - which
            if ready[which] > clock:
                go_on(ready[which] - clock)
            delay = moments.choice((0, moments.uniform(0, 60), 60))
            key = f"{which}-{number}"
            wanted.add(key)
            if number % 10 == 9:
                fields = {"id": string(key), "title": string("an app's")}
                double.control(put={
                    "path": f"tasks/{key}", "fields": fields, "serverTime": "peersync.at", "visibleAfter": delay})
            else:
                writers[which].put(line(key, number))
                double.control(delay=delay)
                writers[which].run()
                double.control(delay=0)
                ready[which] = clock + delay + 0.001
            if moments.random() < 0.35:
                reader.run()
            go_on(moments.uniform(0, 20))
        go_on(60)
        for phone in (reader, *writers):
            phone.run()
            missed = wanted - phone.records().keys()
            check(not missed, f"{phone.home.name} has missed none of {len(wanted)}: {sorted(missed)[:5]}")
        settle([*writers, reader], double, "late")


def removed(folder):
    """An app removes documents, and nothing tells that but their absence."""
    with Double(folder) as double:
        double.control(clock=-3 * DAY)
        phones = phone, tablet = two(folder, double)
        phone.put(*(line(str(number), title="old") for number in range(10)))
        settle(phones, double, "pushed")
        double.control(delete="tasks/3")
        for each in phones:
            each.run()
        check(all("3" not in each.records() for each in phones), "a document that is gone is deleted on both")
        double.control(delete="tasks/4")
        tablet.put(line("new", 10))
        tablet.run()
        phone.run()
        check(phone.records().keys() == {*"01256789", "new"}, "one is gone and another device has added one")
        settle(phones, double, "removed and added")

        double.control(delete="tasks/new", put={"path": "tasks/app", "fields": {"title": string("an app's")}})
        double.control(clock=DAY + 1)
        for each in phones:
            each.run()
        keys = {*"01256789", "app"}
        together = all(each.records().keys() == keys for each in phones)
        check(together, "a removal and an addition without a note are found by a sweep")

        double.control(delete=["tasks/5", "tasks/6"])
        phone.put(line("5", 60, title="edited"))
        phone.run()
        check(phone.records().keys() == keys - {"6"}, "what was edited here meanwhile stays")
        check(double.documents()["5"]["title"] == string("edited"), "and comes back there")
        settle(phones, double, "edited")

        phone.put(*(line(f"many{number}") for number in range(200)))
        settle(phones, double, "many")
        double.control(delete=[f"tasks/many{number}" for number in range(150)])
        count = len(phone.records())
        phone.ends(77, "more than may be deleted")
        check(len(phone.records()) == count, "nothing is deleted then")
        phone.ends(77, "and the same again")
        phone.run("--max-delete", "off")
        check(len(phone.records()) == count - 150, "with --max-delete off it goes")
        tablet.run("--max-delete", "off")
        settle(phones, double, "many removed")

        keys = phone.records().keys()
        double.control(clear=True)
        phone.run()
        check(phone.records().keys() == keys, "a collection that was emptied deletes nothing")
        tablet.run()
        check(tablet.records().keys() == keys and len(double.documents()) == len(keys), "and is filled again")
        settle(phones, double, "emptied")
        # Where somebody deletes it in the console, what the devices have noted beside it stays.
        double.control(delete=[f"tasks/{key}" for key in double.documents()])
        phone.run(status=None)
        check(phone.records().keys() == keys, "nor does one whose documents alone were removed, all at once")


def edited(folder):
    """An app that knows nothing of the tools changes documents."""
    with Double(folder) as double:
        double.control(clock=-3 * DAY)
        seldom = Phone(folder, "phone", double)
        always = Phone(folder, "tablet", double, "--sweep", "0s")
        phones = [seldom, always]
        seldom.put(*(line(str(number), title="old", other=number) for number in range(6)))
        settle(phones, double, "pushed")
        # What was written in the last minutes is looked at again.
        double.control(clock=600)
        settle(phones, double, "a while later")
        double.control(
            merge={"path": "tasks/1", "fields": {"title": string("merged")}},
            put={"path": "tasks/2", "fields": {"title": string("overwritten"), "updatedAt": string(stamp(60))}})
        for each in phones:
            each.run()
        check(seldom.records()["1"]["title"] == "old", "what has the old note, or none, is not seen without a sweep")
        found = always.records()
        check(found["1"] == line("1", title="merged", other=1), "with a sweep at each run a merged member is")
        check(found["2"] == {"title": "overwritten", "updatedAt": stamp(60)}, "and a document without a note")
        double.control(clock=DAY + 1)
        seldom.run()
        check(seldom.records() == found, "the daily sweep finds both")
        settle(phones, double, "merged and overwritten")

        double.control(
            merge={"path": "tasks/3", "fields": {"title": string("noted")}, "serverTime": "peersync.at"},
            put=[{"path": "tasks/4", "fields": {"title": string("whole")}, "serverTime": "peersync.at"},
                 {"path": "tasks/new", "fields": {"title": string("new")}, "serverTime": "peersync.at"}])
        seldom.run()
        titles = {key: fields["title"] for key, fields in seldom.records().items()}
        check([titles.get(key) for key in ("3", "4", "new")] == ["noted", "whole", "new"], "with peersync.at: at once")
        settle(phones, double, "noted")
        seldom.put(line("3", 9_000, title="mine", other=3))
        settle(phones, double, "edited here")
        check(double.documents()["3"]["title"] == string("mine"), "an edit here goes there")
        check(double.documents()["4"]["title"] == string("whole"), "and no other is written over")

        for title in "checked", "old":
            fields = {"title": string(title)}
            double.control(merge={"path": "tasks/5", "fields": fields, "serverTime": "peersync.at"})
            for each in phones:
                each.run()
        check(double.documents()["5"]["title"] == string("old"), "an edit that brings back what was is one")
        check(all(each.records()["5"]["title"] == "old" for each in phones), "on both devices")
        settle(phones, double, "brought back")

        twins = "\u00e9", "e\u0301"
        double.control(put=[{"path": f"tasks/{key}", "fields": {"title": string(f"{len(key)}")}} for key in twins])
        settle(phones, double, "ids that look alike")
        check({phones[0].records()[key]["title"] for key in twins} == {"1", "2"}, "are two documents")
        double.control(delete=f"tasks/{twins[0]}")
        for each in phones:
            each.run()
        check(all(twins[0] not in each.records() and twins[1] in each.records() for each in phones), "and one goes alone")
        marked(folder)


def marked(folder):
    """Deletions that an app sees as a member."""
    (folder / "soft").mkdir()
    with Double(folder / "soft") as double:
        phones = phone, tablet = two(folder / "soft", double, "--deleted-field", "isDeleted")
        phone.put(*(line(str(number), title="old") for number in range(4)))
        for each in phones:
            each.run()
        check(double.documents()["1"]["isDeleted"] == {"booleanValue": False}, "a live document says so")
        phone.put(deletion("1", 60))
        for each in phones:
            each.run()
        fields = double.documents()["1"]
        check(fields["isDeleted"] == {"booleanValue": True}, "a deletion is a member")
        check(fields["title"] == string("old"), "beside the others")
        check("1" not in tablet.records(), "and a deletion on the other device")
        double.control(merge=[
            {"path": "tasks/1", "fields": {"isDeleted": {"booleanValue": False}}, "serverTime": "peersync.at"},
            {"path": "tasks/2", "fields": {"isDeleted": {"booleanValue": True}}, "serverTime": "peersync.at"}])
        for each in phones:
            each.run()
        check(all(each.records().keys() == set("013") for each in phones), "an app deletes one, and takes one back")
        check(phone.records()["1"]["title"] == "old", "with what it had")
        for each in phones:
            check(each.run()["changesSent"] == 0, "nothing more moves")
        phone.put(deletion("0", 60))
        phone.run()
        phone.put(line("0", 9_000, title="again"))
        for each in phones:
            each.run()
        check(tablet.records()["0"]["title"] == "again", "one is taken back here")
        check(double.documents()["0"]["isDeleted"] == {"booleanValue": False}, "and there")


def raced(folder):
    """Another writer writes right before a commit."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)

        def app(key, seconds, title):
            return {"path": f"tasks/{key}", "serverTime": "peersync.at", "fields": {
                "id": string(key), "title": string(title), "updatedAt": string(stamp(seconds))}}

        phone.put(*(line(each, title="old") for each in ("older", "newer", "fresh", "often", "always")))
        settle(phones, double, "pushed")
        for key, seconds, winner in ("older", 50, "mine"), ("newer", 5_000, "theirs"):
            phone.put(line(key, 1_000, title="mine"))
            double.control(before={"path": "commit", "put": app(key, seconds, "theirs")})
            phone.run()
            check(phone.records()[key]["title"] == winner, f"{key}: the later clock wins here")
            check(double.documents()[key]["title"] == string(winner), "and there")
        phone.put(line("added", 1_000, title="mine"))
        double.control(before={"path": "commit", "put": app("added", 2_000, "theirs")})
        phone.run()
        check(phone.records()["added"]["title"] == "theirs", "both add the same record: the later clock wins")
        lost = [each["identity"]["id"] for each in phone.conflicts()]
        check({"added", "newer"} <= set(lost), f"what was ours and has lost is a conflict: {lost}")
        phone.put(deletion("fresh", 1_000))
        double.control(before={"path": "commit", "put": app("fresh", 2_000, "theirs")})
        phone.run()
        check(phone.records()["fresh"]["title"] == "theirs", "a deletion loses against a later edit")
        settle(phones, double, "raced")

        for times in 3, 6:
            phone.put(line("often", 10_000 * times, title=f"mine {times}"), line(f"beside{times}", title="mine"))
            # A clock that is earlier than that of the document would count as none.
            double.control(before=[{"path": "commit", "put": app("often", 10_000 * times - 99 + each, f"theirs {each}")}
                                   for each in range(times)])
            phone.ends(0, f"{times} times in a row")
            double.control(clearRules=True)
            settle(phones, double, f"{times} times")
            check(double.documents()["often"]["title"] == string(f"mine {times}"), "the later clock wins")
            check(f"beside{times}" in double.documents(), "what was beside it is there")

        phone.put(line("always", 1_000, title="mine"))
        double.control(before=[{"path": "commit", "put": app("always", 2_000 + number, f"theirs {number}")}
                               for number in range(100)])
        done = phone.run(status=None)
        check(done.returncode in (0, 75), f"whoever writes all the time is not waited for: {done.returncode}")
        double.control(clearRules=True)
        settle(phones, double, "always")
        check(phone.records()["always"]["title"].startswith("theirs"), "and the later clock has won")
        # Two devices at once.
        for number in range(5):
            for each in phones:
                mine = {"title": f"{each.home.name} {number}"}
                each.put(*(line(f"both{key}", 20_000 + 10 * number, **mine) for key in range(50)))
            for process in [each.started() for each in phones]:
                check(process.wait(60) == 0, "two devices at once")
        settle(phones, double, "at once")


def account(folder, port, name="account", key=None):
    """The key file of a service account, and the public key."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = key or rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    file = folder / f"{name}.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps({
        "type": "service_account", "client_email": "sync@my-app.iam.gserviceaccount.com", "private_key_id": "1",
        "private_key": key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode(),
        "token_uri": f"http://127.0.0.1:{port}/token"}))
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return file, public, key


def trouble(folder):
    """A service that answers otherwise than with what was asked for."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        number = 0

        def trial(expected, what, *words, says="", **rule):
            nonlocal number
            number += 1
            phone.put(line(f"{number}", title=what))
            double.control(fail={"path": "*", "status": 503, **rule})
            start = time.monotonic()
            phone.ends(expected, what, *words, says=says)
            double.control(clearRules=True)
            return time.monotonic() - start

        busy = {"status": 429, "code": "RESOURCE_EXHAUSTED", "message": "Quota exceeded."}
        check(trial(0, "429 with Retry-After", **busy, retryAfter=2) >= 2, "it waits as long as is asked for")
        trial(0, "429 without", **busy, path="commit", times=2)
        trial(0, "503 with Retry-After", path="runQuery", retryAfter=1)
        trial(0, "503 without", path="batchGet")
        for path in "commit", "runQuery", "batchGet", "runAggregationQuery":
            trial(75, f"a quota that is used up, at {path}", "--timeout", "1s", **busy, path=path, times=1_000,
                  says="Quota exceeded.")
        settle(phones, double, "with a quota again")
        trial(75, "500", status=500, code="INTERNAL", message="Internal error encountered.", path="commit")
        trial(77, "403", status=403, code="PERMISSION_DENIED", message="Missing or insufficient permissions.",
              path="commit", says="Missing or insufficient permissions.")
        for path in "runQuery", "batchGet", "commit":
            double.control(fail={"path": path, "status": 0})
            phone.put(line(f"closed {path}"))
            done = phone.run(status=None)
            check(done.returncode in (0, 75), f"a connection closed at {path}: {done.returncode} {done.stderr.strip()}")
            double.control(clearRules=True)
            settle(phones, double, f"after {path}")
        for status in 0, 503, 500:
            number += 1
            phone.put(*(line(f"{number}-{each}") for each in range(10)), line("again", number, title=str(status)))
            double.control(fail={"path": "commit", "status": status, "after": True})
            done = phone.run(status=None)
            check(done.returncode in (0, 75), f"an answer lost after the commit: {done.returncode}")
            there = double.documents()
            phone.run()
            check(double.documents() == there, "the next run writes nothing twice")
            settle(phones, double, "after it")
        check(not phone.conflicts() and not tablet.conflicts(), "none of this is a conflict")
    keys(folder)


def keys(folder):
    """Tokens, and keys of service accounts."""
    file, public, key = account(folder, 0)
    (folder / "public.pem").write_bytes(public)
    (folder / "double").mkdir()
    options = "--service-account", folder / "public.pem", "--token", "good", "--array-errors"
    with Double(folder / "double", *options) as double:
        file, _, _ = account(folder, double.port, key=key)
        phone = Phone(folder, "watch", double, "--key-file", file)
        check(("/token", 200, 0) in double.requests(), "a service account gets a token")
        phone.put(*(line(str(number)) for number in range(700)))
        double.control(fail={"path": "commit", "status": 401, "code": "UNAUTHENTICATED", "skip": 1})
        phone.ends(0, "a token that is withdrawn in a session")
        check(len(double.documents()) == 700, "all is there")
        over = threading.Event()

        def expire():
            # Each has been good for something: of two in a row that are not, nothing helps.
            is_new, is_used = True, False
            while not over.wait(0.1):
                for name, status, _ in double.requests():
                    is_new |= name == "/token"
                    is_used = is_used and name != "/token" or is_new and name != "/token" and status == 200
                if is_used:
                    double.control(token="expire")
                    is_new = is_used = False

        phone.put(*(line(str(number), 60) for number in range(700)))
        thread = threading.Thread(target=expire)
        thread.start()
        try:
            phone.ends(0, "tokens that expire all the time")
        finally:
            over.set()
            thread.join()
        reader = Phone(folder, "clock", double, "--key-file", file)
        double.control(fail={"path": "runQuery", "status": 401, "code": "UNAUTHENTICATED", "skip": 2})
        reader.ends(0, "a token that is withdrawn as it reads")
        check(len(reader.records()) == 700, "all was read")
        double.control(fail={"path": "token", "status": 503, "code": "UNAVAILABLE"})
        phone.ends(0, "503 at the token")
        double.control(clearRules=True)

        double.control(fail={"path": "runQuery", "status": 403, "code": "PERMISSION_DENIED", "message": "No access."})
        phone.ends(77, "an error within an array", says="No access.")
        double.control(clearRules=True)
        other, _, _ = account(folder, double.port, "other")
        done = phone.add(URL, "--key-file", other, status=None)
        check(done.returncode == 77 and "Invalid JWT" in done.stderr, f"another key: {done.stderr.strip()}")
        wrong = folder / "wrong.json"
        wrong.touch(mode=0o600)
        wrong.write_text(json.dumps(json.loads(file.read_text()) | {"private_key": "-----BEGIN PRIVATE KEY-----\n"}))
        token = Phone(folder, "token", double, add=False)
        for text in wrong.read_text(), "{}", '{"client_email":"a"}', "two words", "", "\x00\x01":
            wrong.write_text(text)
            done = token.add(URL, "--key-file", wrong, status=None)
            check(done.returncode == 65, f"no key: {done.returncode} {done.stderr.splitlines()[0]}")
        wrong.write_text("bad\n")
        done = token.add(URL, "--key-file", wrong, status=None)
        check(done.returncode == 77, f"a token that nobody knows: {done.stderr.splitlines()[0]}")
        wrong.write_text("good\n")
        token.add(URL, "--key-file", wrong, "--entity-name", "Task")
        token.run()
        check(len(token.records()) == 700, "a token in a file")
        double.control(fail={"path": "commit", "status": 401, "code": "UNAUTHENTICATED"})
        token.put(line("token"))
        token.ends(77, "one that has expired")
        wrong.write_text("renewed\n")
        token.ends(77, "one that is not valid")
        wrong.write_text("good\n")
        token.ends(0, "one that was renewed")
        file.chmod(0o644)
        phone.ends(77, "a key that others can read", says="others have access")
        file.chmod(0o600)
        file.unlink()
        done = phone.run(status=None)
        check(done.returncode == 66, f"a key that is gone: {done.returncode} {done.stderr.splitlines()[0]}")


def refused(folder):
    """Records that no document can hold: all others are there."""
    deep = 1
    for _ in range(25):
        deep = {"in": deep}
    bad = {
        "nested": {"value": [[1]]}, "large": {"value": "x" * (1 << 20)}, "inexact": {"value": "NUMBER"},
        "integer": {"value": 123456789012345678901234567890}, "noted": {"peersync": 1}, "deep": {"value": deep},
        "reserved": {"__value__": 1}, "unnamed": {"": 1}, "y" * 1_500: {"value": 1}}

    def text(key, seconds, fields):
        return json.dumps(change(key, seconds, **fields)).replace('"NUMBER"', "0.12345678901234567890123") + "\n"

    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        phone.put(line("noted", title="good"), line("good", title="good"))
        settle(phones, double, "pushed")
        for number, (key, fields) in enumerate(bad.items()):
            beside = f"beside{number}"
            phone.tool("synclog", "put", text=text(key, 60, fields) + json.dumps(change(beside, 60, id=beside)) + "\n")
            phone.ends(65, f"a record with {list(fields)[0] or 'a member without a name'}", says=key[:40])
            check(beside in double.documents(), "what is beside it is there")
            phone.ends(65, "the next run says it again", says=key[:40])
            if key.startswith("y"):
                phone.put(deletion(key, 120))
            else:
                phone.put(change(key, 120, title="mended"))
            phone.ends(0, "mended")
            check(key.startswith("y") or double.documents()[key]["title"] == string("mended"), "and it is there")
        for key, fields in bad.items():
            phone.tool("synclog", "put", text=text(key, 180, fields))
        said = phone.ends(65, "all at once")
        check(f"{len(bad)} records" in said, "their number is told")
        check(double.documents()["noted"]["title"] == string("mended"), "a document stays as it was")
        tablet.run()
        check(tablet.records()["noted"]["title"] == "mended", "for the other device too")
        tablet.put(*(line(f"more{number}") for number in range(300)))
        tablet.run()
        phone.ends(65, "others can be read")
        check("more299" in phone.records(), "and are here")
        phone.put(*(change(key, 240, title="mended") if len(key) < 100 else deletion(key, 240) for key in bad))
        phone.ends(0, "all are mended")
        settle(phones, double, "mended")
        # Maps count for more than their members: that is left to the service.
        phone.put(change("maps", value=[{"a": 1}] * 25_000), *(change(f"by{number}") for number in range(9)))
        phone.ends(65, "a record that the service itself refuses", says="maps")
        check({f"by{number}" for number in range(9)} < double.documents().keys(), "what is beside it is there")
        phone.ends(65, "the next run says it again", says="maps")
        phone.put(change("maps", 60, title="mended"))
        phone.ends(0, "mended")
        settle(phones, double, "the service")


def restored(folder):
    """A collection, or a store, that is as it was earlier; and a store on two devices."""
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        phone.put(*(line(str(number), title="old") for number in range(10)))
        settle(phones, double, "pushed")
        double.control(snapshot="old")
        phone.put(line("since", 60), line("1", 60, title="edited"), deletion("2", 60))
        tablet.put(line("since too", 60), line("3", 60, title="edited"))
        before = settle(phones, double, "changed")
        phone.put(line("unsent", 60))
        tablet.put(deletion("4", 120))
        double.control(restore="old")
        check(len(double.documents()) == 10, "the collection is as it was")
        after = settle(phones, double, "restored", rounds=3)
        del before["4"]
        check(after == before | {"unsent": line("unsent", 60)}, "what was written since comes back from the stores")
        late = Phone(folder, "late", double)
        late.run()
        check(late.records() == after, "also for a device that comes later")
        phones.append(late)

        backup = folder / "backup.db"
        phone.tool("synclog", "backup", backup)
        phone.put(line("of the phone", 60), line("5", 60, title="edited"), deletion("6", 60))
        tablet.put(line("of the tablet", 60))
        wanted = settle(phones, double, "after the backup")
        phone.put(line("lost", 60))
        phone.tool("synclog", "restore", "--replace", backup)
        check("of the phone" not in phone.records(), "the store is as it was in the backup")
        check(settle(phones, double, "from a backup") == wanted, "what it had sent comes back")

        for name in "copy", "copied":
            copy = Phone(folder, name, double, add=name == "copied")
            if name == "copy":
                # All of a device, as a new phone gets it.
                shutil.rmtree(copy.home)
                shutil.copytree(phone.home, copy.home)
            else:
                phone.tool("synclog", "backup", folder / "copied.db")
                copy.tool("synclog", "restore", folder / "copied.db")
            for number in range(4):
                for each in (phone, copy) if number % 2 else (copy, phone):
                    key = f"{name} {each.home.name} {number}"
                    each.put(line(key, 60 + number), line("shared", 1_000 + number, title=key))
                    wanted[key] = line(key, 60 + number)
                    each.run()
            phones.append(copy)
            found = settle(phones, double, name, rounds=3)
            found.pop("shared")
            check(found == wanted, f"{name}: nothing is lost")


def killed(folder):
    """Runs that are killed at any moment, while records move both ways."""
    kills = 200 if LONG else 8
    seed = random.randrange(1 << 32)
    print(f"seed: {seed}")
    moments, wanted, cut, number, span = random.Random(seed), {}, 0, 0, 0.3
    with Double(folder) as double:
        phones = two(folder, double)
        while cut < kills:
            number += 1
            for each in phones:
                mine = [line(f"{each.home.name}{key}", number, title=number) for key in range(150)]
                mine.append(line(f"{each.home.name} once {number}", number))
                each.put(*mine, line("shared", 2 * number + (each is phones[0]), title=f"{each.home.name} {number}"))
                wanted |= {record["id"]: record for record in mine}
            started = [each.started() for each in phones]
            time.sleep(moments.uniform(0, span))
            for process in started:
                process.kill()
            ended = sum(process.wait() == -signal.SIGKILL for process in started)
            cut += ended
            # Neither all before they have begun, nor all after their end.
            span *= 0.8 if ended == 0 else 1.1
        print(f"{cut} runs of {2 * number} were killed")
        found = settle(phones, double, "killed")
        shared = found.pop("shared")
        check(shared["title"] == f"phone {number}", "the later one of both has won")
        check(found == wanted, f"{len(wanted)} records are as they were written last")
        there = double.documents()
        check(all(int(there[key]["title"]["integerValue"]) == record["title"]
                  for key, record in wanted.items() if "title" in record), "and so they are there")


def many(folder):
    """Requests are counted: each is paid for."""
    count = 20_000 if LONG else 2_000
    with Double(folder) as double:
        phones = phone, tablet = two(folder, double)
        double.requests()

        def asked(what):
            found = double.requests()
            kinds = {kind: [entry for entry in found if entry[0] == kind] for kind, _, _ in found}
            said = {kind: (len(entries), sum(entry[2] for entry in entries)) for kind, entries in kinds.items()}
            print(f"{what}: {said}")
            return said

        for start in range(0, count, 1_000):
            phone.put(*(line(f"{number:05}", title="x" * 50) for number in range(start, start + 1_000)))
        phone.run()
        said = asked("pushed")
        check(len(double.documents()) == count, f"{count} documents")
        check(count / 200 <= said["commit"][0] <= count / 200 * 1.1 + 5, "in about as many commits as expected")
        check(said["commit"][1] <= count * 1.01 + 10, "each is written once")
        check(said["runQuery"][0] <= 10, "few queries")
        check(said["batchGet"][1] <= 10, "nothing is read before it is written")
        tablet.run()
        said = asked("pulled")
        check(len(tablet.records()) == count, f"{count} records")
        check(count / 300 <= said["runQuery"][0] <= count / 300 * 1.1 + 5, "in about as many queries as expected")
        check(said["runQuery"][1] <= count * 1.01 + 10, "each is read once")
        check(said.get("commit", (0, 0))[1] <= 2, "nothing is written")
        # What was written a while ago is not looked at again.
        for each in phones:
            each.run()
        asked("the next runs")
        double.control(clock=600)
        for each in phones:
            each.run()
        asked("ten minutes later")
        for each in phones:
            each.run()
            said = asked(f"idle {each.home.name}")
            check(sum(number for number, _ in said.values()) <= 4, "an idle run asks at most four times")
            check(sum(documents for _, documents in said.values()) <= 5, "for a handful of documents")
        tablet.put(line("00007", 60, title="edited"))
        for each in (tablet, phone):
            each.run()
            said = asked(f"one edit, {each.home.name}")
            check(sum(documents for _, documents in said.values()) <= 10, "an edit costs a handful of documents")
        check(phone.records()["00007"]["title"] == "edited", "and is there")
        settle(phones, double, "many", rounds=1)


if __name__ == "__main__":
    main(mirror, late, removed, edited, raced, trouble, refused, restored, killed, many)
