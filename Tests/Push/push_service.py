"""A push service over HTTP/2 and TLS that holds a sender to Apple's documented contract.

It runs in a thread of its own. What it answers to a push that is in order is decided by `behave`, a function that a
scenario sets; everything that is not in order is answered as Apple says.
"""

import asyncio
import base64
import json
import ssl
import subprocess
import threading
import time
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded, StreamReset
from h2.exceptions import ProtocolError
from hyperframe.frame import GoAwayFrame

KEY_ID, TEAM_ID, TOPIC = "ABC1234567", "DEF7654321", "org.example.chores"
ALERT = {"alert": "10", "background": "5"}


class Answer:
    """`action` is what happens in place of an answer: `cut`, `goaway`, or `reset` with the code of an error."""

    def __init__(self, status=200, reason=None, after=0.0, headers=(), action=None, **members):
        self.status, self.after, self.headers, self.action = status, after, list(headers), action
        self.body = json.dumps({"reason": reason, **members}).encode() if reason else b""


class Push:
    """A request as it came, by which door, and the status that it got; None while there is none."""

    def __init__(self, headers, body, connection, door):
        self.headers, self.body, self.connection, self.door = headers, body, connection, door
        self.device = headers.get(":path", "").removeprefix("/3/device/")
        self.id = headers.get("apns-id")
        self.status = None


class Service:
    def __init__(self, folder):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.pushes, self.connections, self.tokens = [], 0, {}
        # Connections that the service has cut, and what was sent to it against the protocol.
        self.cuts, self.faults = set(), []
        self.behave = lambda push: Answer()
        self.clock = time.time
        self.max_streams = 1000
        self.keep = True
        self._write_files()
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(self.certificate, self.certificate_key)
        self.context.set_alpn_protocols(["h2"])
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, daemon=True).start()
        self.doors = {}
        self.endpoint = self.open_door(None)

    def open_door(self, name):
        """Another address of the same service. Each push tells by which it came, however late it is looked at."""
        self.doors[name] = server = self._wait(self._listen(name))
        return f"https://localhost:{server.sockets[0].getsockname()[1]}"

    def close_door(self, name):
        """Lets nobody in any more; who is in stays."""
        self.loop.call_soon_threadsafe(self.doors.pop(name).close)

    def _wait(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def _write_files(self):
        secret = self.folder / "secret"
        secret.mkdir(mode=0o700)
        self.key_file = secret / "push.p8"
        self.key_file.touch(mode=0o600)
        self.key_text = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.key_file.write_bytes(self.key_text)
        self.certificate, self.certificate_key = self.folder / "service.pem", self.folder / "service.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", self.certificate_key,
             "-out", self.certificate], check=True, capture_output=True)

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    async def _listen(self, door):
        return await self.loop.create_server(lambda: Connection(self, door), "127.0.0.1", 0, ssl=self.context)

    def answer(self, push):
        fault = self.fault(push)
        return fault if fault else self.behave(push)

    def fault(self, push):
        """What Apple says to a push that is not in order; None to one that is."""
        headers = push.headers
        if headers.get(":method") != "POST":
            return Answer(405, "MethodNotAllowed")
        if not push.device or any(digit not in "0123456789abcdef" for digit in push.device):
            return Answer(400, "BadDeviceToken")
        if fault := self._token_fault(headers.get("authorization", "")):
            return fault
        if headers.get("apns-topic") != TOPIC:
            return Answer(400, "BadTopic" if "apns-topic" in headers else "MissingTopic")
        kind = headers.get("apns-push-type")
        if kind not in ALERT:
            return Answer(400, "InvalidPushType")
        if headers.get("apns-priority") != ALERT[kind]:
            return Answer(400, "BadPriority")
        if not headers.get("apns-expiration", "").isdigit():
            return Answer(400, "BadExpirationDate")
        try:
            if str(uuid.UUID(push.id)) != push.id:
                return Answer(400, "BadMessageId")
        except (TypeError, ValueError):
            return Answer(400, "BadMessageId")
        if len(headers.get("apns-collapse-id", "").encode()) > 64:
            return Answer(400, "BadCollapseId")
        return self._payload_fault(kind, push.body)

    @staticmethod
    def _payload_fault(kind, body):
        if len(body) > 4096:
            return Answer(413, "PayloadTooLarge")
        try:
            aps = json.loads(body)["aps"]
        except (ValueError, KeyError, TypeError):
            return Answer(400, "PayloadEmpty")
        if (aps == {"content-available": 1}) != (kind == "background"):
            return Answer(400, "InvalidPushType")
        return None

    def _token_fault(self, authorization):
        if not authorization.startswith("bearer "):
            return Answer(403, "MissingProviderToken")
        token = authorization.removeprefix("bearer ")
        try:
            issued = self.tokens[token] if token in self.tokens else self._verify(token)
        except (ValueError, KeyError, InvalidSignature):
            return Answer(403, "InvalidProviderToken")
        if token not in self.tokens:
            if any(0 < issued - other < 20 * 60 for other in self.tokens.values()):
                return Answer(429, "TooManyProviderTokenUpdates")
            self.tokens[token] = issued
        if not -60 <= self.clock() - issued <= 3600:
            return Answer(403, "ExpiredProviderToken")
        return None

    def _verify(self, token):
        """The time of issue of a token with a good signature."""
        head, claims, signature = token.split(".")
        raw = decode(signature)
        if len(raw) != 64:
            raise ValueError("a signature of ES256 has 64 bytes")
        r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        self.key.public_key().verify(
            encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        head, claims = json.loads(decode(head)), json.loads(decode(claims))
        if (head["alg"], head["kid"], claims["iss"]) != ("ES256", KEY_ID, TEAM_ID):
            raise ValueError("another key")
        return claims["iat"]


def decode(text):
    if "=" in text:
        raise ValueError("padding")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


class Connection(asyncio.Protocol):
    def __init__(self, service, door):
        self.service, self.door = service, door
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.open = {}
        # The last stream whose push was taken, and the one that a GOAWAY has named.
        self.taken = 0
        self.last_stream = None

    def connection_made(self, transport):
        self.transport = transport
        self.service.connections += 1
        self.number = self.service.connections
        self.h2.local_settings.max_concurrent_streams = self.service.max_streams
        self.h2.initiate_connection()
        self.flush()

    def data_received(self, data):
        try:
            for event in self.h2.receive_data(data):
                self.take(event)
        except ProtocolError as error:
            self.service.faults.append(repr(error))
            self.transport.abort()
            return
        self.flush()

    def take(self, event):
        if isinstance(event, RequestReceived):
            self.open[event.stream_id] = (dict(event.headers), bytearray())
        elif isinstance(event, DataReceived):
            self.open[event.stream_id][1].extend(event.data)
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, StreamEnded):
            headers, body = self.open[event.stream_id]
            if self.last_stream is None or event.stream_id <= self.last_stream:
                self.receive(event.stream_id, Push(headers, bytes(body), self.number, self.door))
        elif isinstance(event, StreamReset):
            self.open.pop(event.stream_id, None)

    def receive(self, stream, push):
        answer = self.service.answer(push)
        if answer.action == "goaway" and self.last_stream is None:
            # Streams need not end in the order in which they began: what was taken is never said not to be.
            self.go_away(max(stream - 2, self.taken))
        if answer.action == "goaway" and stream > self.last_stream:
            return
        self.taken = max(self.taken, stream)
        if self.service.keep:
            self.service.pushes.append(push)
        if isinstance(answer.action, tuple):
            self.h2.reset_stream(stream, error_code=answer.action[1])
            self.open.pop(stream, None)
        elif answer.action == "cut":
            self.service.cuts.add(self.number)
            self.transport.abort()
        elif answer.after:
            self.service.loop.call_later(answer.after, self.send, stream, push, answer)
        else:
            self.send(stream, push, answer)

    def go_away(self, last):
        """Says that streams after `last` are not looked at. The others are answered, and it is the sender who closes: an
        answer that has not been read yet would be lost with the connection."""
        self.flush()
        self.last_stream = last
        self.transport.write(GoAwayFrame(0, last_stream_id=last).serialize())
        self.service.loop.call_later(300, self.give_up)

    def give_up(self):
        if not self.transport.is_closing():
            self.service.faults.append("a connection is open long after its GOAWAY")
            self.transport.abort()

    def send(self, stream, push, answer):
        if self.transport.is_closing():
            return
        headers = [(":status", str(answer.status)), ("apns-id", push.id or ""), *answer.headers]
        try:
            self.h2.send_headers(stream, headers, end_stream=not answer.body)
            if answer.body:
                self.h2.send_data(stream, answer.body, end_stream=True)
        except ProtocolError:
            return
        push.status = answer.status
        self.open.pop(stream, None)
        self.flush()

    def flush(self):
        if data := self.h2.data_to_send():
            self.transport.write(data)
