"""What must not lead to trust, with the real tools at both ends or at one: refusals.py SCENARIO, in an empty folder.

Each scenario says the code of the refusal, and that no device trusts anybody whom it did not trust before.
"""

import json
import socket
import ssl
import uuid

from devices import (
    Device, Failed, Listener, Middle, Server, check, connect, connect_as, introduction, main, message,
    receive, send, unchanged,
)

OTHER_SECRET = "00112233445566778899AABBCCDDEE0F"


def session(payload):
    return json.loads(payload.read_text())["pairingSessionId"]


def secret(payload):
    return json.loads(payload.read_text())["pairingSecret"]


def options_of(version):
    return ["--protocol", "1"] if version == 1 else []


def both_versions(scenario):
    """Runs a scenario over version 2 and over version 1, with devices of their own."""

    def run():
        for version in (2, 1):
            print(f"version {version}:")
            scenario(Device(f"laptop {version}"), Device(f"phone {version}"), version)

    run.__name__, run.__doc__ = scenario.__name__, scenario.__doc__
    return run


def refused(door, done, code, provider=None):
    """Both sides say so, with the same code unless they see it differently."""
    check(done.status == 77 and done.codes("peerpair") == [code], f"the scanner says {code}, status {done.status}")
    door.ended()
    last = door.codes("peerpair")[-1:]
    check(last == [provider or code], f"the provider says {provider or code}")


# Secrets and proofs


@both_versions
def wrong_secret(laptop, phone, version):
    payload = laptop.payload("p", *options_of(version))
    with laptop.provide(payload, version=version) as door:
        done = phone.scan(phone.with_changes(payload, pairingSecret=OTHER_SECRET), door.port, version=version)
        refused(door, done, "invalidPairingSecret")
    unchanged([laptop, phone], ["", ""])


@both_versions
def reused_secret(laptop, phone, version):
    """The session is that of the first scanner, or over."""
    thief = Device(f"thief {version}")
    payload = laptop.payload("p", *options_of(version))
    with laptop.provide(payload, version=version) as door:
        first = phone.scan(payload, door.port, version=version)
        check(first.status == 0 and laptop.trusts(phone), "the first scanner pairs")
        before = [laptop.trust, thief.trust]
        refused(door, thief.scan(payload, door.port, version=version), "invalidPairingSession")
    unchanged([laptop, thief], before)


@both_versions
def expired_secret(laptop, phone, version):
    """On the clock of either side, and where only the provider's clock is past it."""
    payload = laptop.payload("p", *options_of(version), "--expires-in", "5m")
    late = ["--now", "2099-01-01T00:00:00Z"]
    with laptop.provide(payload, *late, version=version) as door:
        done = phone.scan(payload, door.port, version=version)
        code = "expiredPairingPayload" if version == 2 else "invalidPairingSession"
        refused(door, done, code, provider="expiredPairingPayload")
        done = phone.scan(payload, door.port, *late, version=version)
        check(done.status == 77 and done.codes("peerpair") == ["expiredPairingPayload"], "and a scanner by its own clock")
    old = phone.with_changes(payload, expiresAt="2026-01-01T00:00:00Z")
    done = phone.scan(old, 9, version=version)
    check(done.codes("peerlink") == ["expiredPairingPayload"], "peerlink does not even connect")
    unchanged([laptop, phone], ["", ""])


def replayed_proof():
    """A right proof that was made for one connection, on another one: with the scanner's own key, and with a stranger's."""
    laptop, phone, stranger = Device("laptop"), Device("phone"), Device("stranger")
    payload = laptop.payload()
    with laptop.provide(payload) as door:
        kept = phone.home / "hello"
        keep = ["sh", "-c", f"peerpair scan --payload '{payload}' --timeout 1s > '{kept}'"]
        phone.run(
            "peerlink", "connect", "--allow-unpaired", "--session", payload, f"127.0.0.1:{door.port}", "--", "frame", "exec",
            "--", *keep)
        hello = kept.read_bytes().strip()
        check(json.loads(hello)["type"] == "pairHello", "the proof was kept back")
        for device in (phone, stranger):
            with connect_as(device, door.port) as connection:
                send(connection, hello)
                answer = receive(connection)
            check(answer["errorCode"] == "invalidPairingSecret", f"invalidPairingSecret, by the key of the {device.name}")
    unchanged([laptop, phone, stranger], ["", "", ""])


@both_versions
def fourth_wrong_proof(laptop, phone, version):
    """After three wrong ones a right one is too late."""
    payload = laptop.payload("p", *options_of(version))
    wrong = phone.with_changes(payload, pairingSecret=OTHER_SECRET)
    with laptop.provide(payload, version=version) as door:
        for _ in range(3):
            refused(door, phone.scan(wrong, door.port, version=version), "invalidPairingSecret")
        refused(door, phone.scan(payload, door.port, version=version), "invalidPairingSession")
    unchanged([laptop, phone], ["", ""])


# Messages out of their place


def call(device, port, version, *messages):
    """Says something as the other side of a listener, and gives what it answers."""
    with connect_as(device, port) if version == 2 else connect(port) as connection:
        for one in messages:
            send(connection, one)
        return receive(connection)


@both_versions
def pair_done_without_pair_hello(laptop, phone, version):
    payload = laptop.payload("p", *options_of(version))
    own = introduction(phone, version)
    done = message("pairDone", version, pairingSessionId=session(payload), **own)
    with laptop.provide(payload, version=version) as door:
        answer = call(phone, door.port, version, done)
        check(answer["errorCode"] == "invalidPairingSession", "invalidPairingSession: nothing but a pairHello can begin")
        check(door.ended(1) == ["protocolBroken"], "protocolBroken at the provider, whose peerpair has not seen it")
        evidence = {"pairingSecret": OTHER_SECRET} if version == 1 else {"pairingProof": "0" * 64}
        hello = message("pairHello", version, pairingSessionId=session(payload), **evidence, **own)
        answer = call(phone, door.port, version, hello, done)
        check(answer["errorCode"] == "invalidPairingSecret", "invalidPairingSecret: behind a wrong pairHello it is not heard")
    unchanged([laptop], [""])


@both_versions
def unsolicited_pair_confirm(laptop, phone, version):
    """To a provider, and to a scanner before it could have been asked for."""
    payload = laptop.payload("p", *options_of(version))
    confirm = message("pairConfirm", version, pairingSessionId=session(payload), **introduction(laptop, version))
    with laptop.provide(payload, version=version) as door:
        answer = call(phone, door.port, version, confirm)
        check(answer["errorCode"] == "invalidPairingSession", "invalidPairingSession: a provider has not asked for it")
        check(door.ended(1) == ["protocolBroken"], "protocolBroken at the provider")
        evidence = {"pairingSecret": secret(payload)} if version == 1 else {"pairingProof": "0" * 64}
        if version == 1:
            hello = message("pairHello", 1, pairingSessionId=session(payload), **evidence, **introduction(phone, 1))
            with connect(door.port) as connection:
                send(connection, hello)
                check(receive(connection)["type"] == "pairConfirm", "the scanner is heard")
                send(connection, confirm)
                answer = receive(connection)
            check(answer["errorCode"] == "invalidPairingSession", "and a pairConfirm of its own refused")
    if version == 1:
        return unchanged([laptop, phone], ["", ""])
    proof = {"pairingProof": "0" * 64}
    for when, reply in (("at once", proof), ("later", proof), ("later", {**proof, "inReplyTo": str(uuid.uuid4())}), ("later", {})):

        def serve(connection, when=when, reply=reply):
            send(connection, {})
            if when == "later":
                receive(connection)
            send(connection, {**confirm, **reply})
            while receive(connection):
                pass

        done = phone.scan(payload, Server(serve, laptop).port)
        said = done.codes("peerlink") + done.codes("peerpair")
        if when == "at once":
            # Whether the scanner's own message is out by then is a matter of time.
            check(done.status in (76, 77) and set(said) <= {"protocolBroken", "invalidPairingSession", "connectionClosed"}, f"before it has asked {said}")
        elif "inReplyTo" in reply:
            check(done.status == 77 and said == ["invalidPairingSession"], f"invalidPairingSession: no answer to what it has asked {said}")
        else:
            check(done.status == 76 and said == ["protocolBroken"], "protocolBroken: one that answers nothing")
    return unchanged([laptop, phone], ["", ""])


@both_versions
def oversize_frame(laptop, phone, version):
    """A frame that is longer than a pairing message may be; nothing is kept of it."""
    payload = laptop.payload("p", *options_of(version))
    evidence = {"pairingSecret": OTHER_SECRET} if version == 1 else {"pairingProof": "0" * 64}
    hello = message("pairHello", version, pairingSessionId=session(payload), **evidence, **introduction(phone, version))
    with laptop.provide(payload, version=version) as door:
        answer = call(phone, door.port, version, {**hello, "padding": "x" * 9000})
        check(answer["errorCode"] == "frameTooLarge" and answer["protocolVersion"] == version, "frameTooLarge")
        with connect_as(phone, door.port) if version == 2 else connect(door.port) as connection:
            connection.sendall((1 << 31).to_bytes(4, "big") + b"{")
            check(receive(connection)["errorCode"] == "frameTooLarge", "also for one that only says how long it is")
        check(door.ended(2) == ["protocolBroken"] * 2, "protocolBroken")
        check(door.codes("peerpair").count("invalidPairingSecret") == 0, "and peerpair has not seen it")
    unchanged([laptop, phone], ["", ""])


@both_versions
def sync_of_a_stranger(laptop, phone, version):
    """A device that wants to sync where there is only a pairing to be had."""
    payload = laptop.payload("p", *options_of(version))
    request = message("syncRequest", version, peerId=phone.id, deviceName="phone", rulesDigest="0" * 64)
    with laptop.provide(payload, version=version) as door:
        answer = call(phone, door.port, version, request)
        check(answer["errorCode"] == "untrustedPeer" and answer["protocolVersion"] == version, "untrustedPeer")
        check(version == 1 or answer["inReplyTo"].upper() == request["id"].upper(), "in reply to its request")
    unchanged([laptop, phone], ["", ""])


# Keys


def wrong_fingerprint():
    """A device that is not the one of the symbol, whether peerlink looks at its key or peerpair."""
    laptop, other, phone = Device("laptop"), Device("other"), Device("phone")
    payload, another = laptop.payload(), other.payload()
    with other.provide(another) as door:
        done = phone.scan(payload, door.port)
        check(done.status == 77 and done.codes("peerlink") == ["untrustedPeer"], "untrustedPeer of peerlink")
        done = phone.scan(payload, door.port, session=another)
        check(done.status == 77 and done.codes("peerpair") == ["wrongFingerprint"], "wrongFingerprint of peerpair")
        check(door.ended(1)[:1] == ["refusedByPeer"], "and the other device is told")
    unchanged([laptop, other, phone], ["", "", ""])


def goodbye_in_place_of_a_proof():
    """A stranger who ends the handshake in an orderly way, instead of showing a key."""
    laptop = Device("laptop")
    with Listener(laptop, command=["sh", "-c", 'echo begun > "$PEERSYNC_HOME/begun"']) as door:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        heard, said = ssl.MemoryBIO(), ssl.MemoryBIO()
        hello = context.wrap_bio(heard, said)
        try:
            hello.do_handshake()
        except ssl.SSLWantReadError:
            pass
        with socket.create_connection(("127.0.0.1", door.port)) as connection:
            connection.sendall(said.read())
            check(connection.recv(1), "the listener answers a stranger's greeting")
            # An alert in the clear: close_notify.
            connection.sendall(bytes([21, 3, 3, 0, 2, 1, 0]))
            door.wait_for("peerRefused")
    check(not (laptop.home / "begun").exists(), "its command is not run for one who has shown no key")
    unchanged([laptop], [""])


def man_in_the_middle():
    """A relay with a certificate of its own, in a pairing and on a link."""
    laptop, phone, middle = Device("laptop"), Device("phone"), Device("middle")
    payload = laptop.payload()
    with laptop.provide(payload) as door:
        between = Middle(middle, phone, door.port)
        done = phone.scan(payload, between.port)
        check(done.status == 77 and done.codes("peerlink") == ["untrustedPeer"], "untrustedPeer: the scanner says nothing to it")
        check(between.seen["up"] == b"", "so it has seen nothing")
    unchanged([laptop, phone, middle], ["", "", ""])
    phone.pair(laptop)
    before = [laptop.trust, phone.trust, middle.trust]
    with Listener(laptop, command=["cat"]) as door:
        between = Middle(middle, phone, door.port)
        done = phone.run("peerlink", "connect", f"127.0.0.1:{between.port}", text="a secret\n")
        check(done.status == 77 and done.codes("peerlink") == ["untrustedPeer"], "untrustedPeer: nor does a trusted peer")
        check(between.seen == {"up": b"", "down": b""}, "and again it has seen nothing")
        try:
            connect_as(middle, door.port).close()
        except (Failed, OSError):
            pass
        door.wait_for("peerRefused")
        check(door.ended(1) == ["untrustedPeer"], "untrustedPeer: its own key is refused at the other end")
    unchanged([laptop, phone, middle], before)


def relayed_proof():
    """The scanner was made to take the key of somebody in between, who passes its proof on."""
    laptop, phone, middle = Device("laptop"), Device("phone"), Device("middle")
    payload = laptop.payload()
    with laptop.provide(payload) as door:
        between = Middle(middle, phone, door.port)
        done = phone.scan(phone.with_changes(payload, publicKeyFingerprint=middle.key), between.port)
        check(b"pairHello" in between.seen["up"], "the proof has been passed on")
        refused(door, done, "invalidPairingSecret")
    unchanged([laptop, phone, middle], ["", "", ""])


def renamed_impostor():
    """The name of a peer is worth nothing, and its id is not either."""
    laptop, phone, impostor = Device("laptop"), Device("phone"), Device("impostor")
    phone.pair(laptop)
    impostor.read_identity("--device-name", "phone")
    impostor.run("peerpair", "import", text=phone.trust)
    before = [laptop.trust, phone.trust]
    with Listener(laptop, command=["cat"]) as door:
        done = impostor.run("peerlink", "connect", f"127.0.0.1:{door.port}", text="x")
        check(done.status == 77 and done.codes("peerlink") == ["refusedByPeer"], "refusedByPeer: another key by the same name")
        check(door.ended(1) == ["untrustedPeer"], "untrustedPeer at the other end")
    unchanged([laptop, phone], before)
    tablet = Device("tablet")
    tablet.pair(laptop)
    laptop.run("synclog", "put", "--store", laptop.home / "store.db", text='{"id":"1","updatedAt":"2025-01-01T00:00:00Z"}\n')
    respond = ["frame", "exec", "--", "synclog", "respond", "--store", laptop.home / "store.db"]
    before = [laptop.trust, phone.trust]
    with Listener(laptop, command=respond) as door:
        rules = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        request = message("syncRequest", peerId=phone.id, deviceName="phone", rulesDigest=rules)
        answer = call(tablet, door.port, 2, request)
        check(answer["errorCode"] == "untrustedPeer", "untrustedPeer: a trusted peer that speaks as another one")
        request = message("syncRequest", peerId=tablet.id, deviceName="phone", rulesDigest=rules)
        check(call(tablet, door.port, 2, request)["type"] == "syncResponse", "while as itself it is served")
    unchanged([laptop, phone], before)


def known_id_with_a_new_key():
    """Even with a right proof; until the peer is forgotten."""
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    impostor = Device("other")
    file = impostor.home / "identity.pem"
    file.write_text(file.read_text(encoding="utf-8").replace(impostor.id, phone.id), encoding="utf-8")
    impostor.read_identity()
    before = [laptop.trust, phone.trust, impostor.trust]
    payload = laptop.payload()
    with laptop.provide(payload) as door:
        refused(door, impostor.scan(payload, door.port), "untrustedPeer")
    unchanged([laptop, phone, impostor], before)
    laptop.run("peerpair", "forget", phone.id)
    impostor.pair(laptop)
    check(impostor.key in laptop.trust and phone.key not in laptop.trust, "once it is forgotten, the new key is taken")


# Versions


def version_downgrade():
    """Nobody gets a session of version 2 to go on as version 1."""
    laptop, phone = Device("laptop"), Device("phone")
    payload = laptop.payload()
    hello = {"pairingSessionId": session(payload), "pairingSecret": secret(payload)}
    with laptop.provide(payload) as door:
        answer = call(phone, door.port, 2, message("pairHello", 1, **hello, **introduction(phone, 1)))
        check(answer["errorCode"] == "incompatibleProtocolVersion", "incompatibleProtocolVersion: a message of version 1")
        answer = call(phone, door.port, 2, message("pairHello", 2, **hello, **introduction(phone)))
        check(answer["errorCode"] == "invalidPairingSecret", "invalidPairingSecret: the secret in clear")
        with connect(door.port) as connection:
            send(connection, message("pairHello", 1, **hello, **introduction(phone, 1)))
            check(receive(connection) is None, "and without TLS nothing")
    one = laptop.payload("one", "--protocol", "1")
    for other, version in ((payload, 1), (one, 2)):
        listen = ["peerlink", "listen", *options_of(version), "--allow-unpaired", "--session", other, "--", "cat"]
        for done in (laptop.run(*listen), phone.scan(other, 9, version=version)):
            check(
                done.status == 77 and done.codes("peerlink") == ["incompatibleProtocolVersion"],
                f"incompatibleProtocolVersion: a payload of version {3 - version} is not used over version {version}")
    with laptop.provide(one, version=1) as door:
        done = phone.scan(payload, door.port, version=1, session=one)
        check(
            done.status == 77 and done.codes("peerpair") == ["incompatibleProtocolVersion"], "nor by peerpair")
    unchanged([laptop, phone], ["", ""])


def peer_of_version_2_over_version_1():
    """Its id and its name are not believed where nothing proves them; neither in a pairing nor afterwards."""
    laptop, phone, other = Device("laptop"), Device("phone"), Device("other")
    phone.pair(laptop)
    before = [laptop.trust, phone.trust, other.trust]
    for claim in ({"peerId": phone.id}, {"deviceName": "Phone"}):
        payload = laptop.payload("one", "--protocol", "1")
        hello = {"pairingSessionId": session(payload), "pairingSecret": secret(payload), **introduction(other, 1), **claim}
        with laptop.provide(payload, version=1) as door:
            answer = call(other, door.port, 1, message("pairHello", 1, **hello))
            check(answer["errorCode"] == "untrustedPeer", f"untrustedPeer: a pairing with its {list(claim)[0]}")
    unchanged([laptop, phone, other], before)
    respond = ["frame", "exec", "--", "synclog", "respond", "--store", laptop.home / "store.db"]
    other.pair(laptop, version=1)
    before = [laptop.trust, phone.trust, other.trust]
    with Listener(laptop, "--protocol", "1", command=respond) as door:
        for claim in ({"peerId": phone.id}, {"deviceName": "PHONE"}):
            request = message("syncRequest", 1, **{"peerId": other.id, "deviceName": "other", **claim})
            answer = call(other, door.port, 1, request)
            check(answer["errorCode"] == "untrustedPeer", f"untrustedPeer: a request with its {list(claim)[0]}")
        check(not door.events("peerConnected"), "no command is started for it")
        request = message("syncRequest", 1, peerId=other.id, deviceName="other")
        check(call(other, door.port, 1, request)["type"] == "syncResponse", "while a peer of version 1 is served")
    done = laptop.run("peerlink", "connect", "--protocol", "1", "--peer", phone.id, "127.0.0.1:9")
    check(done.status == 77 and done.codes("peerlink") == ["untrustedPeer"], "untrustedPeer: nor is it called over version 1")
    unchanged([laptop, phone, other], before)


def names_that_do_not_do():
    """A name that is too long, or of which nothing can be seen; over version 1 also an id and a fingerprint of another form."""
    laptop, phone = Device("laptop"), Device("phone")
    claims = [{"deviceName": name} for name in ("x" * 64, "\u200b\u202e", "a\u0007")]
    claims += [{"peerId": "phone"}, {"publicKeyFingerprint": phone.key}, {"publicKeyFingerprint": "0"}]
    for claim in claims:
        payload = laptop.payload("one", "--protocol", "1")
        hello = {"pairingSessionId": session(payload), "pairingSecret": secret(payload), **introduction(phone, 1), **claim}
        with laptop.provide(payload, version=1) as door:
            answer = call(phone, door.port, 1, message("pairHello", 1, **hello))
            check(answer["errorCode"] == "untrustedPeer", f"untrustedPeer: {json.dumps(claim)[:60]}")
    unchanged([laptop, phone], ["", ""])


def squatter_of_version_1():
    """Who has paired over version 1 with the id of another device does not keep that one from pairing with its key."""
    laptop, phone, squatter = Device("laptop"), Device("phone"), Device("squatter")
    payload = laptop.payload("one", "--protocol", "1")
    own = {**introduction(squatter, 1), "peerId": phone.id}
    with laptop.provide(payload, version=1) as door, connect(door.port) as connection:
        send(connection, message("pairHello", 1, pairingSessionId=session(payload), pairingSecret=secret(payload), **own))
        check(receive(connection)["type"] == "pairConfirm", "the squatter has the secret, and is heard")
        send(connection, message("pairDone", 1, pairingSessionId=session(payload), **own))
        check(receive(connection) is None, "and is believed over version 1")
    check(phone.id in laptop.trust and phone.key not in laptop.trust, "by the other's id")
    phone.pair(laptop)
    check(phone.key in laptop.trust and "squatter" not in laptop.trust, "the one that proves its key takes its place")
    respond = ["frame", "exec", "--", "synclog", "respond", "--store", laptop.home / "store.db"]
    with Listener(laptop, "--protocol", "1", command=respond) as door:
        answer = call(squatter, door.port, 1, message("syncRequest", 1, peerId=phone.id, deviceName="squatter"))
        check(answer["errorCode"] == "untrustedPeer", "untrustedPeer: over version 1 nobody has that id any more")


SCENARIOS = [
    wrong_secret, reused_secret, expired_secret, replayed_proof, fourth_wrong_proof, pair_done_without_pair_hello,
    unsolicited_pair_confirm, oversize_frame, wrong_fingerprint, goodbye_in_place_of_a_proof, man_in_the_middle, relayed_proof, renamed_impostor,
    known_id_with_a_new_key, version_downgrade, peer_of_version_2_over_version_1, sync_of_a_stranger,
    names_that_do_not_do, squatter_of_version_1,
]


main(SCENARIOS)
