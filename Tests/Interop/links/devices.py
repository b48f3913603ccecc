"""Devices with a home of their own each, the tools that they run, and strangers who speak for themselves.

The tools are those on the path; each scenario starts in an empty folder.
"""

import json
import os
import select
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path


class Failed(Exception):
    """What should hold does not."""


def main(scenarios, *refusals):
    """Runs the scenario that is named on the command line, or with `list` writes their names."""
    if sys.argv[1] == "list":
        print("\n".join(scenario.__name__ for scenario in scenarios))
        return
    try:
        next(one for one in scenarios if one.__name__ == sys.argv[1])()
    except (Failed, *refusals) as failure:
        sys.exit(f"not so: {failure}")


def check(holds, what):
    if not holds:
        raise Failed(what)
    print(f"ok: {what}", flush=True)


def codes(text, tool):
    """The codes of what a tool has said on standard error, where other tools speak too."""
    found = []
    for line in text.splitlines():
        try:
            error = json.loads(line).get("error", {})
        except ValueError:
            continue
        if error.get("tool") == tool:
            found.append(error["code"])
    return found


class Run:
    """A program that has ended."""

    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors

    def codes(self, tool):
        return codes(self.errors, tool)


class Device:
    """A device with an identity; `prefix` is what runs a program where it is."""

    def __init__(self, name, prefix=(), address="127.0.0.1"):
        self.name = name
        self.prefix = list(prefix)
        self.address = address
        self.home = Path.cwd() / name.replace(" ", "-")
        self.home.mkdir(mode=0o700)
        self.identity_file = self.home / "identity.json"
        self.read_identity("--device-name", name)

    def read_identity(self, *options):
        text = self.run("peerpair", "identity", *options).output
        self.identity_file.write_text(text, encoding="utf-8")
        identity = json.loads(text)
        self.id = identity["peerId"]
        self.key = identity["publicKeyFingerprint"]

    @property
    def environment(self):
        return {**os.environ, "PEERSYNC_HOME": str(self.home), "PEERSYNC_ERRORS": "json"}

    @property
    def pem(self):
        return str(self.home / "identity.pem")

    def run(self, *words, text=None, timeout=300):
        done = subprocess.run(
            [*self.prefix, *map(str, words)], input=text, capture_output=True, text=True, timeout=timeout, env=self.environment,
            check=False)
        return Run(done.returncode, done.stdout, done.stderr)

    # Pairing

    def payload(self, name="payload", *options):
        """A new payload of this device, as the file that `qrpayload` writes."""
        path = self.home / f"{name}.json"
        path.unlink(missing_ok=True)
        version = [] if "--protocol" in options else ["--identity", self.identity_file]
        made = self.run("qrpayload", "create", *version, "--output", path, *options)
        if made.status != 0:
            raise Failed(made.errors)
        return path

    def with_changes(self, payload, **members):
        """A copy of a payload with other members, as this device has read it."""
        copy = self.home / f"changed-{uuid.uuid4()}.json"
        copy.touch(mode=0o600)
        copy.write_text(json.dumps({**json.loads(payload.read_text()), **members}), encoding="utf-8")
        return copy

    def provide(self, payload, *options, version=2, session=None):
        command = ["frame", "exec", "--", "peerpair", "provide", "--quiet", "--payload", payload, *options]
        unpaired = ["--protocol", version, "--allow-unpaired", "--session", session or payload]
        return Listener(self, *unpaired, command=command)

    def scan(self, payload, port, *options, version=2, session=None, address="127.0.0.1"):
        command = ["frame", "exec", "--", "peerpair", "scan", "--quiet", "--payload", payload, *options]
        unpaired = ["--protocol", version, "--allow-unpaired", "--session", session or payload]
        return self.run("peerlink", "connect", *unpaired, f"{address}:{port}", "--", *command)

    def pair(self, other, version=2):
        """Lets this device scan the symbol of another one."""
        payload = other.payload("pairing", *(["--protocol", "1"] if version == 1 else []))
        with other.provide(payload, version=version) as door:
            done = self.scan(payload, door.port, version=version, address=other.address)
        if done.status != 0:
            raise Failed(f"{self.name} does not pair with {other.name}: {done.errors}{door.errors}")

    @property
    def trust(self):
        """The trust store as it stands."""
        store = self.home / "trust.jsonl"
        return store.read_text(encoding="utf-8") if store.exists() else ""

    def trusts(self, other):
        return any(json.loads(line)["peerId"] == other.id for line in self.trust.splitlines())


class Listener:
    """`peerlink listen` of a device, for a while."""

    def __init__(self, device, *options, command, quiet=True):
        self.device, self.command = device, command
        self.options = [*(["--quiet"] if quiet else []), *options]
        self.errors = ""

    def __enter__(self):
        self.events_file = self.device.home / f"events-{uuid.uuid4()}"
        self.errors_file = self.device.home / f"errors-{uuid.uuid4()}"
        words = ["peerlink", "listen", "--events", self.events_file, *self.options, "--", *self.command]
        with open(self.errors_file, "wb") as errors:
            self.process = subprocess.Popen(
                [*self.device.prefix, *map(str, words)], stdin=subprocess.DEVNULL, stderr=errors, env=self.device.environment)
        self.port = self.wait_for("listening")[0]["port"]
        return self

    def events(self, name=None):
        try:
            lines = self.events_file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        events = [json.loads(line) for line in lines]
        return [event for event in events if name in (None, event["event"])]

    def wait_for(self, name, count=1):
        return self.wait_until(lambda: self.events(name), count, name)

    def wait_until(self, look, count, name="code"):
        """What `look` gives, once it has so many elements."""
        deadline = time.monotonic() + 300
        while len(found := look()) < count:
            if time.monotonic() > deadline:
                raise Failed(f"no {name} of {self.device.name}: {self.errors_file.read_text()}")
            time.sleep(0.02)
        return found

    def ended(self, failures=0):
        """The codes with which connections have ended or been refused, once all have and there are so many."""
        self.wait_for("peerDisconnected", len(self.events("peerConnected")))
        return self.wait_until(lambda: [event["code"] for event in self.events() if "code" in event], failures)

    def codes(self, tool):
        return codes(self.errors_file.read_text(encoding="utf-8"), tool)

    def __exit__(self, kind, *_):
        if kind is None:
            self.ended()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(300)
        self.errors = self.errors_file.read_text(encoding="utf-8")


def unchanged(devices, before):
    """No device trusts anybody whom it did not trust before."""
    check([device.trust for device in devices] == before, "no trust is stored")


# Frames and messages by hand


def send(connection, message):
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    connection.sendall(len(data).to_bytes(4, "big") + data)


def receive_exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            return None
        data += more
    return data


def receive(connection):
    """The next message; None at the end, however it comes."""
    try:
        header = receive_exactly(connection, 4)
        payload = header and receive_exactly(connection, int.from_bytes(header, "big"))
    except (OSError, ssl.SSLError):
        return None
    return json.loads(payload) if payload else None


def message(kind, version=2, **members):
    return {
        "id": str(uuid.uuid4()).upper(), "protocolVersion": version, "sentAt": "2026-01-01T00:00:00Z", "type": kind, **members,
    }


def introduction(device, version=2):
    fingerprint = device.key if version == 2 else "0123456789abcdef0123456789abcdef"
    return {"peerId": device.id, "deviceName": device.name, "publicKeyFingerprint": fingerprint}


def connect(port, room=None):
    """A connection, with so many bytes of room for what has come and was not read."""
    connection = socket.socket()
    if room:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    connection.settimeout(300)
    connection.connect(("127.0.0.1", port))
    return connection


def connect_as(device, port, room=None):
    """A TLS connection with the key of a device, past the greeting."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(device.pem)
    connection = context.wrap_socket(connect(port, room))
    if receive(connection) != {}:
        raise Failed("no greeting")
    return connection


class Server:
    """A stranger's server on a port of its own; `serve` is given each connection."""

    def __init__(self, serve, identity=None, clients=None, port=0):
        self.serve = serve
        self.context = None
        if identity:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(identity.pem)
        if clients:
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(clients.pem)
        self.socket = socket.create_server(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        self.failures = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.run, args=(connection,), daemon=True).start()

    def run(self, connection):
        connection.settimeout(300)
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            self.serve(connection)
            if self.context:
                connection.settimeout(2)
                connection.unwrap()
        except (OSError, ssl.SSLError) as error:
            self.failures.append(str(error))
        finally:
            connection.close()


class Middle(Server):
    """Somebody in between with a key of its own: TLS to either side, and what one says it passes on to the other."""

    def __init__(self, identity, scanner, port):
        self.identity, self.target = identity, port
        self.seen = {"up": b"", "down": b""}
        super().__init__(self.relay, identity, clients=scanner)

    def relay(self, connection):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.load_cert_chain(self.identity.pem)
        with context.wrap_socket(connect(self.target)) as other:
            self.copy({connection: (other, "up"), other: (connection, "down")})

    def copy(self, ways):
        """Both ways until one side ends; in one thread, as a session of the library takes one at a time."""
        while True:
            ready = [end for end in ways if end.pending()] or select.select(list(ways), [], [], 300)[0]
            for source in ready:
                sink, way = ways[source]
                data = source.recv(65_536)
                if not data:
                    sink.settimeout(5)
                    sink.unwrap()
                    return
                self.seen[way] += data
                sink.sendall(data)
