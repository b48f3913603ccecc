"""The tools with an app of protocol version 1, both ways round: version1.py SCENARIO, in an empty folder."""

import json
import re
import socket
import subprocess
import threading

from devices import Device, Failed, Listener, check, main
from version1_peer import App, Refused

STYLES = {"plain": {}, "in pieces of a few bytes": {"split": True}, "with its members in any order": {"seed": 7}}


def in_every_style(scenario):
    def run():
        for number, (name, options) in enumerate(STYLES.items()):
            print(f"an app that writes {name}:" if name != "plain" else "an app:")
            scenario(Device(f"mac {number}"), App("Dan's iPhone / 2", **options))

    run.__name__, run.__doc__ = scenario.__name__, scenario.__doc__
    return run


def beside(work):
    """Runs something in a thread; call what is returned to get its result."""
    results = []

    def run():
        try:
            results.append(work())
        except (Refused, OSError) as error:
            results.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def result():
        thread.join(300)
        if not results or isinstance(results[0], Exception):
            raise Failed(f"the app: {results}")
        return results[0]

    return result


def scan(mac, app):
    """The app scans the symbol of the tools."""
    payload = mac.payload("p", "--protocol", "1", "--device-name", "Mac")
    text = mac.run("qrpayload", "create", "--protocol", "1", "--text")
    check(text.status == 0, "a symbol is printed")
    (mac.home / "text").touch(mode=0o600)
    (mac.home / "text").write_text(text.output, encoding="ascii")
    payload = mac.home / "text"
    with mac.provide(payload, version=1) as door:
        app.scan(text.output.strip(), door.port)
        door.ended()


def provide(mac, app):
    """The tools scan the symbol of the app."""
    text, session = app.symbol()
    payload = mac.home / "symbol"
    payload.touch(mode=0o600)
    payload.write_text(text, encoding="ascii")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = beside(lambda: app.provide(listener, session))
        done = mac.scan(payload, listener.getsockname()[1], version=1)
        result()
    check(done.status == 0, f"peerpair ends well {done.errors}")


def both_trust(mac, app):
    check(mac.id in app.trust, "the app trusts the tools")
    check(len(app.trust[mac.id]["publicKeyFingerprint"]) == 32 and mac.key not in str(app.trust), "by a fingerprint of no key")
    record = json.loads(mac.trust)
    check(record["peerId"] == app.id and record["protocolVersion"] == 1, "the tools trust the app, over version 1")
    check(record["deviceName"] == app.name, "by its name")


@in_every_style
def app_scans(mac, app):
    scan(mac, app)
    both_trust(mac, app)


@in_every_style
def app_provides(mac, app):
    provide(mac, app)
    both_trust(mac, app)


def put(mac, *lines):
    mac.run("synclog", "put", "--store", mac.home / "mac.db", text="".join(line + "\n" for line in lines))


@in_every_style
def app_pulls(mac, app):
    """Everything, then nothing, then what is new; the token that it has acknowledged is known."""
    provide(mac, app)
    put(
        mac, '{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2026-01-01T08:00:00.5Z","version":1,"fields":{"title":"a/b","n":2}}',
        '{"entityName":"Task","identity":{"id":"2"},"modifiedAt":"2026-01-01T08:00:00Z","version":1,"fields":{"title":null}}')
    respond = ["frame", "exec", "--", "synclog", "respond", "--store", mac.home / "mac.db"]
    with Listener(mac, "--protocol", "1", command=respond) as door:
        check(app.pull(door.port) == 2, "the app pulls both records")
        title = app.records["Task", "id", "1"]["fields"]["title"]
        check(title == {"type": "string", "stringValue": "a/b"}, "with their fields")
        check(app.pull(door.port) == 0, "and nothing the next time")
        put(mac, '{"entityName":"Task","identity":{"id":"1"},"deletedAt":"2026-01-02T08:00:00Z"}')
        check(app.pull(door.port) == 1 and list(app.records) == [("Task", "id", "2")], "then the deletion")
        door.ended()
        states = [event.get("status") for event in door.events("peerDisconnected")]
        check(states == [0, 0, 0], f"synclog ends well each time {states}")
    peers = [json.loads(line) for line in mac.run("synclog", "peers", "--store", mac.home / "mac.db").output.splitlines()]
    check([(peer["peer"], peer["behind"]) for peer in peers] == [(app.id, 0)], "what it has acknowledged is known")


@in_every_style
def app_serves(mac, app):
    """The tools pull from the app, and acknowledge what they have stored."""
    scan(mac, app)
    entry = {
        "entityName": "Task", "identity": {"key": "id", "value": {"type": "string", "stringValue": "7"}},
        "fields": {"title": {"type": "string", "stringValue": "of the app"}, "done": {"type": "bool", "boolValue": False}},
        "modifiedAt": "2026-01-01T08:00:00Z", "version": 1,
    }
    request = ["frame", "exec", "--", "synclog", "request", "--store", mac.home / "mac.db"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for upserts, token, expected in (([entry], "QUFB", (None, "QUFB")), ([], "QUJC", ("QUFB", "QUJC"))):
            result = beside(lambda upserts=upserts, token=token: app.serve(listener, upserts, [], token))
            done = mac.run("peerlink", "connect", "--protocol", "1", "--peer", app.id, f"127.0.0.1:{port}", "--", *request)
            check(done.status == 0, f"synclog ends well {done.errors}")
            check(result() == expected, f"asks with {expected[0]} and acknowledges {expected[1]}")
    records = mac.run("synclog", "dump", "--store", mac.home / "mac.db").output
    check(json.loads(records)["fields"] == {"title": "of the app", "done": False}, "the record is stored")


class Program:
    """A run of `peersync` that goes on while the app talks to it."""

    def __init__(self, mac, *words):
        self.process = subprocess.Popen(
            list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=mac.environment)

    def line(self):
        return self.process.stdout.readline()

    def port(self):
        """Said on standard error before anything else is."""
        return int(re.search(r"on port (\d+)", self.process.stderr.readline())[1])

    def end(self):
        output, errors = self.process.communicate(timeout=300)
        check(self.process.returncode == 0, f"peersync ends well {errors}")
        return output


def pressure(value, modified):
    time = {"type": "date", "dateValue": "2026-01-01T00:00:00Z"}
    return {
        "entityName": "Pressure", "identity": {"key": "timestamp", "value": time},
        "fields": {"sys": {"type": "int16", "int16Value": value}, "at": time}, "modifiedAt": modified, "version": 1,
    }


@in_every_style
def everyday(mac, app):
    """The app with `peersync` alone: pairs, and goes both ways over one connection, whoever has made it."""
    store = ["--store", mac.home / "mac.db"]
    offer = Program(mac, "peersync", "pair", "--yes", "--protocol", "1")
    text = offer.line().strip()
    app.scan(text, offer.port())
    offer.end()
    both_trust(mac, app)

    put(mac, '{"entityName":"Task","identity":{"id":"1"},"modifiedAt":"2026-01-01T08:00:00Z","version":1,"fields":{"title":"of the mac"}}')
    for early in (True, False):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            address = f"127.0.0.1:{listener.getsockname()[1]}"
            served = beside(
                lambda listener=listener, early=early: app.both(
                    app.wire(listener.accept()[0]), [pressure(120, "2026-01-01T00:00:00Z")], "QUFB", early) or True)
            done = mac.run("peersync", "run", "--protocol", "1", *store, "--address", address, app.name)
            served()
            check(done.status == 0, f"peersync ends well {done.errors}")
        check(("Task", "id", "1") in app.records, f"the app has read, asking {'before' if early else 'after'} its answer")
    check(len(mac.run("synclog", "dump", *store).output.splitlines()) == 2, "and the mac")

    put(
        mac, '{"entityName":"Pressure","identity":{"timestamp":"2026-01-01T00:00:00Z"},"modifiedAt":"2026-01-02T00:00:00Z","version":2,'
        '"fields":{"sys":130,"at":"2026-01-01T00:00:00Z"}}')
    # Whoever does not keep the connection cannot be asked; the mac does not take that ill.
    app.records.pop(("Task", "id", "1"))
    serve = Program(mac, "peersync", "serve", "--once", "--protocol", "1", "--peer", app.name, *store)
    acknowledged = app.call(serve.port(), [pressure(140, "2026-01-03T00:00:00Z")], "QUJC")
    serve.end()
    check(acknowledged == "QUJC", "the mac reads what is new there, over the connection of the app")
    (key,) = [key for key in app.records if key[0] == "Pressure"]
    check(key == ("Pressure", "timestamp", "2026-01-01T00:00:00Z"), "the record is the one that the app had")
    fields = app.records[key]["fields"]
    check(fields["sys"] == {"type": "int16", "int16Value": 130} and fields["at"]["type"] == "date", "with its types")
    serve = Program(mac, "peersync", "serve", "--once", "--protocol", "1", "--peer", app.name, *store)
    app.pull(serve.port())
    serve.end()


def another_provider():
    """Somebody else than the payload names answers, and is not trusted."""
    mac, app = Device("mac"), App("Phone")
    text, session = app.symbol()
    app.name = "Other"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = beside(lambda: app.provide(listener, session))
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        done = mac.run("peersync", "pair", "--yes", "--protocol", "1", "--scan", "-", "--address", address, text=text + "\n")
        check(done.status == 77 and done.codes("peersync") == ["untrustedPeer"], "untrustedPeer: it has another name")
        try:
            result()
        except Failed as failure:
            check("untrustedPeer" in str(failure), "and is told so")
    check(mac.trust == "" and app.trust == {}, "nobody trusts anybody")


def stranger():
    """An app that is not paired is told untrustedPeer, and the tools leave one that refuses them."""
    mac, app, other = Device("mac"), App("Phone"), App("Other")
    scan(mac, app)
    other.trust = dict(app.trust)
    respond = ["frame", "exec", "--", "synclog", "respond", "--store", mac.home / "mac.db"]
    with Listener(mac, "--protocol", "1", command=respond) as door:
        try:
            other.pull(door.port)
            said = "nothing"
        except Refused as refusal:
            said = str(refusal)
        check(said == "untrustedPeer", "untrustedPeer: an app that is not paired")
        door.wait_for("peerRefused")
    app.trust = {}
    request = ["frame", "exec", "--", "synclog", "request", "--store", mac.home / "mac.db"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = beside(lambda: app.serve(listener, [], [], ""))
        port = listener.getsockname()[1]
        done = mac.run("peerlink", "connect", "--protocol", "1", "--peer", app.id, f"127.0.0.1:{port}", "--", *request)
        try:
            result()
        except Failed as failure:
            check("untrustedPeer" in str(failure), "the app does not know the tools any more")
    check(done.status == 77 and done.codes("synclog") == ["untrustedPeer"], "untrustedPeer: and they say so")


SCENARIOS = [app_scans, app_provides, app_pulls, app_serves, everyday, another_provider, stranger]


main(SCENARIOS, Refused)
