"""Devices and an app around Google's own emulator, where that and a Java are installed: emulator.py google"""

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from checks import HANGING, Failed, check, main, until
from collection import values
from firestore.devices import Phone, deletion, line, settle, stamp
from firestore.running import ROOT, Database, string

PROGRAM = "platform/cloud-firestore-emulator/cloud_firestore_emulator"


def installed():
    """What `gcloud emulators firestore start` starts, in Google's SDK; nothing where it could not run."""
    # A stand-in of ours may come before the real one.
    found = [Path(folder) / "gcloud" for folder in os.environ["PATH"].split(os.pathsep)]
    programs = [gcloud.resolve().parents[1] / PROGRAM for gcloud in found if gcloud.exists()]
    return next((each for each in programs if each.exists()), None) if shutil.which("java") else None


class Emulator:
    """The emulator in a session and with process ids of its own: it ends with this process, however that ends."""

    ALONE = ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child"]

    def __init__(self, folder, program):
        self.log, self.program = folder / "emulator.log", program

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        words = [*self.ALONE, self.program, "start", "--host=127.0.0.1", f"--port={self.port}"]
        # Without files of its own outside of the folder of the scenario.
        environment = os.environ | {"JAVA_TOOL_OPTIONS": "-XX:-UsePerfData"}
        self.held, writer = os.pipe()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True,
                pass_fds=[writer])
        os.close(writer)
        try:
            until(self.is_up, "the emulator answers")
        except BaseException:
            self.end()
            raise
        return self.port

    def is_up(self):
        if self.process.poll() is not None:
            raise Failed(f"the emulator has ended with {self.process.returncode}: {self.log.read_text()[-1000:]}")
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/", timeout=HANGING) as answer:
                return answer.status == 200
        except OSError:
            return False

    def __exit__(self, *_):
        self.end()

    def end(self):
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        # All that it has started hold the other end.
        is_over = select.select([self.held], [], [], HANGING)[0] and os.read(self.held, 1) == b""
        os.close(self.held)
        check(is_over, "no process of the emulator is left")


def app(key, seconds=0, **members):
    """A record as an app writes it."""
    return {name: string(text) for name, text in line(key, seconds, **members).items()}


def touch(database, key, **fields):
    """An app writes these members, and the time of the server where the next run looks for it."""
    name = f"{ROOT.removeprefix('/v1/')}/{database.collection}/{key}"
    write = {"update": {"name": name, "fields": fields}, "updateMask": {"fieldPaths": list(fields)},
             "updateTransforms": [{"fieldPath": "peersync.at", "setToServerValue": "REQUEST_TIME"}]}
    database.ask(f"{ROOT}:commit", {"writes": [write]})


def titles(device):
    return {key: fields.get("title") for key, fields in device.records().items()}


def google(folder):
    program = installed()
    if not program:
        print("Google's emulator of Firestore and a Java are not installed", file=sys.stderr)
        sys.exit(77)
    with Emulator(folder, program) as port:
        for stage, collection in (values, "tasks"), (exchanged, "users/ann/tasks"), (marked, "chores"):
            place = folder / stage.__name__
            place.mkdir()
            stage(place, Database(port, collection))
        for stage in spelled, negative, longer, superseded, unbumped:
            place = folder / stage.__name__
            place.mkdir()
            database = Database(port, stage.__name__)
            stage([Phone(place, name, database) for name in ("phone", "tablet")], database)


def exchanged(folder, database):
    """Hundreds of records both ways, then edits and removals on all sides."""
    phones = seldom, always = Phone(folder, "phone", database), Phone(folder, "tablet", database, "--sweep", "0s")
    for each in phones:
        each.put(*(line(f"{each.home.name}{number}", title="old") for number in range(350)))
    for number in range(20):
        database.save(f"app{number}", app(f"app{number}", title="old"))
    check(len(settle(phones, database, "exchanged")) == 720, "hundreds go both ways")

    seldom.put(line("phone1", 60, title="edited"))
    touch(database, "app1", title=string("edited"))
    there, here = database.documents(), seldom.dump()
    tried = seldom.run("--dry-run")
    check((tried["changesReceived"], tried["changesSent"]) == (1, 1), "a run that is only tried says what it would do")
    check((database.documents(), seldom.dump()) == (there, here), "and changes nothing")
    found = settle(phones, database, "edited")
    check((found["phone1"]["title"], found["app1"]["title"]) == ("edited", "edited"), "an edit of each side is on both")

    database.save("phone2", app("phone2", 60, title="whole"))
    database.save("phone3", {"title": string("merged")}, "title")
    for each in phones:
        each.run()
    check(titles(seldom)["phone2"] == "old", "an app's edit without a note is not found by the next run")
    check((titles(always)["phone2"], titles(always)["phone3"]) == ("whole", "merged"), "with a sweep at each run it is")
    touch(database, "phone2", title=string("noted"), updatedAt=string(stamp(120)))
    seldom.run()
    check(titles(seldom)["phone2"] == "noted", "where the app says when, the next run finds it")
    settle(phones, database, "with the time of the server")

    for seconds, winner, keys in (50, "mine", ("new1", "phone4")), (5_000, "theirs", ("new2", "phone5")):
        seldom.put(*(line(key, 1_000, title="mine") for key in keys))
        for key in keys:
            database.save(key, app(key, seconds, title="theirs"))
        settle(phones, database, f"written on both sides between two runs, {winner} later")
        there = database.documents()
        check(all(there[key]["title"] == string(winner) for key in keys), "and that is there")
    raced(phones, database)

    database.remove("tablet6")
    always.put(deletion("tablet7", 60))
    found = settle(phones, database, "removed")
    check(not {"tablet6", "tablet7"} & (found.keys() | database.documents().keys()), "what one side removes is gone")
    vector(phones, database)


def raced(phones, database):
    """Two devices and an app write the same documents at once."""
    for number in range(2):
        for each in phones:
            each.put(*(line(f"both{key}", 100 * number + (each is phones[0]), title=f"{each.home.name} {number}")
                       for key in range(100)))
        started = [each.started() for each in phones]
        for key in range(0, 100, 10):
            touch(database, f"both{key}", **app(f"both{key}", 100 * number + 50, title=f"app {number}"))
        check([each.wait(HANGING) for each in started] == [0, 0], "all at once")
        found = settle(phones, database, "all at once")
        wrong = [key for key in range(100)
                 if found[f"both{key}"]["title"] != f"{'phone' if key % 10 else 'app'} {number}"]
        check(not wrong, f"the latest wins: {wrong}")


def vector(phones, database):
    """A value that is a map in the REST interface, with a member that no record of a device can bring there."""
    numbers = {"arrayValue": {"values": [{"doubleValue": 0.5}, {"doubleValue": 2}]}}
    embedding = {"mapValue": {"fields": {"__type__": string("__vector__"), "value": numbers}}}
    database.save("vector", app("vector", title="theirs") | {"embedding": embedding})
    settle(phones, database, "a vector")
    phone = phones[0]
    phone.put(line("vector", 60, title="mine", embedding=phone.records()["vector"]["embedding"]), line("beside"))
    phone.ends(65, "an edit of it here", says="__type__")
    there = database.documents()
    check("beside" in there and there["vector"]["title"] == string("theirs"), "is kept out, alone")
    phone.put(deletion("vector", 120))
    phone.ends(0, "its deletion is not")
    check("vector" not in settle(phones, database, "a vector removed"), "and it is gone")


def marked(folder, database):
    """Deletions that an app sees as a member."""
    phones = phone, tablet = [
        Phone(folder, name, database, "--deleted-field", "isDeleted") for name in ("phone", "tablet")]
    phone.put(*(line(str(number), title="old") for number in range(5)))
    settle(phones, database, "with a mark")
    phone.put(deletion("1", 60))
    touch(database, "2", isDeleted={"booleanValue": True})
    for each in phones:
        each.run()
    there = database.documents()
    check(there["1"]["isDeleted"] == {"booleanValue": True} and there["1"]["title"] == string("old"), "it is set")
    check(all(each.records().keys() == set("034") for each in phones), "whoever sets it has deleted a record")
    touch(database, "1", isDeleted={"booleanValue": False})
    touch(database, "3", isDeleted=string("yes"), title=string("odd"))
    tablet.ends(65, "a mark that is no boolean", says="isDeleted")
    check(titles(tablet) == {each: "old" for each in "0134"}, "is not read, and one that was taken back is")
    touch(database, "3", isDeleted={"booleanValue": False})
    for each in phones:
        each.ends(0, "mended")
    check(titles(phone) == titles(tablet) == {each: "old" for each in "014"} | {"3": "odd"}, "all is read")


def spelled(phones, database):
    """The service spells a double otherwise than this program does; numbers go back as they were read."""
    double = {"doubleValue": 1.1383974582076995e17}
    database.save("1", app("1", title="old") | {"least": {"doubleValue": 5e-324}, "number": double})
    settle(phones, database, "spelled")
    text = phones[1].dump().replace('"old"', '"mine"').replace(stamp(), stamp(60))
    phones[1].tool("synclog", "put", text=text)
    phones[1].ends(0, "an edit of another member")
    settle(phones, database, "spelled and edited")


def negative(phones, database):
    """The emulator keeps no sign of zero."""
    phones[0].put(line("1", number=-0.0))
    settle(phones, database, "minus zero")


def longer(phones, database):
    """A document of an app whose id this program would not give it."""
    database.save("x" * 1_400, app("x" * 1_400, title="old"))
    settle(phones, database, "a long id")
    phones[0].put(line("x" * 1_400, 60, title="mine"))
    phones[0].ends(0, "an edit of it")


def superseded(phones, database):
    """A record that could not be written, and that the collection has in a later version."""
    numbers = {"arrayValue": {"values": [{"doubleValue": 1}]}}
    embedding = {"mapValue": {"fields": {"__type__": string("__vector__"), "value": numbers}}}
    database.save("1", app("1", title="old") | {"embedding": embedding})
    settle(phones, database, "a vector")
    phones[0].put(line("1", 60, title="mine", embedding=phones[0].records()["1"]["embedding"]))
    phones[0].run(status=None)
    touch(database, "1", title=string("later"), updatedAt=string(stamp(120)))
    phones[0].run(status=None)
    check(titles(phones[0])["1"] == "later", "a later one there is read")
    phones[0].ends(0, "and nothing is left to be written")


def unbumped(phones, database):
    """One device reads two versions of an app that leaves the record's own clock, the other one only the second."""
    phones[0].put(line("1", title="old"))
    settle(phones, database, "pushed")
    touch(database, "1", title=string("one"), updatedAt=string(stamp(60)))
    phones[0].run()
    touch(database, "1", title=string("two"))
    settle(phones, database, "two versions")


if __name__ == "__main__":
    main(google)
