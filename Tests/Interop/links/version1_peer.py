"""An app of protocol version 1, written from the facts about its wire alone: plain sockets and the standard library.

A frame is four bytes of length, the most significant first, and JSON. What the first apps do is done here too:
capitals in UUIDs, `\\/` for a slash, members in any order, and the last frame together with the end.
"""

import base64
import datetime
import json
import random
import socket
import uuid


class Refused(Exception):
    """The other side has sent an error, or something else than what comes next."""


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def written(message, rng):
    """A message as text, its members shuffled at every depth where there is a generator."""

    def shuffled(value):
        if isinstance(value, dict):
            members = list(value.items())
            rng.shuffle(members)
            return {name: shuffled(member) for name, member in members}
        return [shuffled(one) for one in value] if isinstance(value, list) else value

    text = json.dumps(shuffled(message) if rng else message, ensure_ascii=False, separators=(",", ":"))
    return text.replace("/", "\\/").encode()


class Wire:
    """One connection. `split` sends every frame in pieces of a few bytes."""

    def __init__(self, connection, split=False, seed=None):
        self.connection, self.split = connection, split
        self.rng = random.Random(seed) if seed is not None else None
        connection.settimeout(300)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message, last=False):
        text = written(message, self.rng)
        frame = len(text).to_bytes(4, "big") + text
        if last:
            # The end leaves with the last frame, or at once after it.
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
        while self.split and frame:
            count = (self.rng or random).randint(1, 7)
            self.connection.sendall(frame[:count])
            frame = frame[count:]
        self.connection.sendall(frame)
        if last:
            self.connection.shutdown(socket.SHUT_WR)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                raise Refused(f"the end after {len(data)} bytes of {count}")
            data += more
        return data

    def receive(self, kind):
        message = json.loads(self.exactly(int.from_bytes(self.exactly(4), "big")))
        for name in ("id", "protocolVersion", "sentAt", "type"):
            if name not in message:
                raise Refused(f"no {name}: {message}")
        if message["protocolVersion"] != 1:
            raise Refused(f"version {message['protocolVersion']}")
        if message["type"] != kind:
            raise Refused(message.get("errorCode") or f"{message['type']}, not {kind}")
        datetime.datetime.strptime(message["sentAt"], "%Y-%m-%dT%H:%M:%SZ")
        return message

    def end(self):
        """Reads to the other side's end."""
        while self.connection.recv(65_536):
            pass
        self.connection.close()


class App:
    """An app with its stores: trust, checkpoints, and records by their key."""

    def __init__(self, name, split=False, seed=None):
        self.id = str(uuid.uuid4())
        self.name = name
        self.fingerprint = f"{random.getrandbits(128):032x}"
        self.trust = {}
        self.outgoing = {}
        self.incoming = {}
        self.records = {}
        self.options = {"split": split, "seed": seed}

    def wire(self, connection):
        return Wire(connection, **self.options)

    def envelope(self, kind, **members):
        head = {"id": str(uuid.uuid4()).upper(), "protocolVersion": 1, "sentAt": now(), "type": kind}
        return {**head, "peerId": self.id, **members}

    def introduction(self, session):
        return {"pairingSessionId": session, "deviceName": self.name, "publicKeyFingerprint": self.fingerprint}

    def store_trust(self, message):
        self.trust[message["peerId"]] = {name: message[name] for name in ("deviceName", "publicKeyFingerprint")}

    # Pairing

    def scan(self, text, port):
        """Pairs as the side that has read a QR symbol."""
        payload = json.loads(base64.b64decode(text, validate=True))
        if payload["protocolVersion"] != 1 or payload["expiresAt"] <= now():
            raise Refused("the payload")
        session = payload["pairingSessionId"]
        wire = self.wire(socket.create_connection(("127.0.0.1", port)))
        wire.send(self.envelope("pairHello", pairingSecret=payload["pairingSecret"], **self.introduction(session)))
        confirm = wire.receive("pairConfirm")
        if confirm["pairingSessionId"].upper() != session.upper():
            raise Refused("another session")
        self.store_trust(confirm)
        wire.send(self.envelope("pairDone", **self.introduction(session)), last=True)
        wire.end()

    def symbol(self):
        """The text of a QR symbol, and the session that it is of."""
        expiry = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=300)
        session = {
            "pairingSessionId": str(uuid.uuid4()).upper(), "bonjourServiceType": "_appsync._tcp",
            "expectedPeerDeviceId": self.name, "pairingSecret": f"{random.getrandbits(128):032X}", "protocolVersion": 1,
            "expiresAt": expiry.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        return base64.b64encode(json.dumps(session).encode()).decode(), session

    def provide(self, listener, session):
        """Pairs as the side that has shown a QR symbol, with the first that connects."""
        wire = self.wire(listener.accept()[0])
        hello = wire.receive("pairHello")
        if hello["pairingSessionId"].upper() != session["pairingSessionId"]:
            raise Refused("another session")
        if hello["pairingSecret"] != session["pairingSecret"]:
            raise Refused("another secret")
        wire.send(self.envelope("pairConfirm", **self.introduction(session["pairingSessionId"])))
        done = wire.receive("pairDone")
        if done["peerId"] != hello["peerId"]:
            raise Refused("another peer")
        self.store_trust(done)
        wire.connection.shutdown(socket.SHUT_WR)
        wire.end()

    # Sync

    def pull(self, port):
        """Asks a peer for its changes, applies them, and says so with the last frame."""
        wire = self.wire(socket.create_connection(("127.0.0.1", port)))
        count = self.pull_over(wire, last=True)
        wire.end()
        return count

    def pull_over(self, wire, last=False):
        (peer,) = self.trust
        token = {"sinceTokenData": self.outgoing[peer]} if peer in self.outgoing else {}
        wire.send(self.envelope("syncRequest", deviceName=self.name, **token))
        response = wire.receive("syncResponse")
        if response["peerId"] != peer:
            raise Refused("another peer")
        delta = response["delta"]
        count = self.apply(delta)
        if delta["newTokenData"]:
            self.outgoing[peer] = delta["newTokenData"]
        wire.send(self.envelope("ack", ackTokenData=delta["newTokenData"]), last=last)
        return count

    def apply(self, delta):
        for entry in delta["deletes"]:
            datetime.datetime.strptime(entry["deletedAt"], "%Y-%m-%dT%H:%M:%SZ")
            self.records.pop(self.key(entry), None)
        for entry in delta["upserts"]:
            self.records[self.key(entry)] = entry
        return len(delta["deletes"]) + len(delta["upserts"])

    @staticmethod
    def key(entry):
        value = entry["identity"]["value"]
        return entry["entityName"], entry["identity"]["key"], value[f"{value['type']}Value"]

    def both(self, wire, upserts, token, early):
        """Reads and is read over one connection; `early` asks before it answers.

        The side that has connected has asked, or will be asked by this one.
        """
        def ask():
            wire.send(self.envelope("syncRequest", deviceName=self.name))

        def read():
            delta = wire.receive("syncResponse")["delta"]
            self.apply(delta)
            wire.send(self.envelope("ack", ackTokenData=delta["newTokenData"]))

        def answer():
            delta = {"upserts": upserts, "deletes": [], "newTokenData": token}
            wire.send(self.envelope("syncResponse", deviceName=self.name, delta=delta))

        wire.receive("syncRequest")
        if early:
            ask()
            read()
            answer()
            wire.receive("ack")
        else:
            answer()
            wire.receive("ack")
            ask()
            read()
        wire.end()

    def call(self, port, upserts, token):
        """Connects, reads, and answers the request that comes back over the same connection."""
        self.pull_over(wire := self.wire(socket.create_connection(("127.0.0.1", port))))
        wire.receive("syncRequest")
        delta = {"upserts": upserts, "deletes": [], "newTokenData": token}
        wire.send(self.envelope("syncResponse", deviceName=self.name, delta=delta))
        ack = wire.receive("ack")
        wire.connection.shutdown(socket.SHUT_WR)
        wire.end()
        return ack["ackTokenData"]

    def serve(self, listener, upserts, deletes, token):
        """Answers one request; gives the token that was asked with, and the one that was acknowledged."""
        wire = self.wire(listener.accept()[0])
        request = wire.receive("syncRequest")
        if request["peerId"] not in self.trust:
            wire.send(self.envelope("error", errorCode="untrustedPeer", errorMessage=""), last=True)
            raise Refused("untrustedPeer")
        delta = {"upserts": upserts, "deletes": deletes, "newTokenData": token}
        wire.send(self.envelope("syncResponse", deviceName=self.name, delta=delta))
        ack = wire.receive("ack")
        if ack["ackTokenData"]:
            self.incoming[request["peerId"]] = ack["ackTokenData"]
        wire.connection.shutdown(socket.SHUT_WR)
        wire.end()
        return request.get("sinceTokenData"), ack["ackTokenData"]
