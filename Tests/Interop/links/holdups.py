"""What must not hold up everybody else: holdups.py SCENARIO, in an empty folder."""

import fcntl
import hashlib
import json
import sqlite3
import subprocess
import threading
import time

from devices import Device, Failed, Server, check, connect_as, main, message, receive, send

DIGEST = hashlib.sha256(b"{}").hexdigest()


class Serving:
    """`peersync serve` of a device, for a while."""

    def __init__(self, device, *options):
        self.device = device
        words = ["peersync", "serve", "--quiet", "--store", device.home / "tasks.db", *options]
        self.process = subprocess.Popen(
            list(map(str, words)), stdout=subprocess.PIPE, text=True, env=device.environment)
        self.port = self.event("listening")["port"]

    def event(self, name):
        """The next event of that name; others before it are passed over."""
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == name:
                return event
        raise Failed(f"no {name}")

    def stop(self):
        self.process.terminate()
        return self.process.wait(300)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def put(device, *ids, padding=0):
    lines = "".join(
        json.dumps({"id": str(each), "note": "x" * padding, "updatedAt": "2025-01-01T08:00:00Z"}) + "\n" for each in ids)
    done = device.run("synclog", "put", "--store", device.home / "tasks.db", text=lines)
    if done.status != 0:
        raise Failed(done.errors)


def trio():
    """A laptop, and a phone and a tablet that it trusts."""
    laptop, phone, tablet = Device("laptop"), Device("phone"), Device("tablet")
    phone.pair(laptop)
    tablet.pair(laptop)
    put(laptop, "1")
    return laptop, phone, tablet


def ask(connection, device, **members):
    send(connection, message("syncRequest", peerId=device.id, deviceName=device.name, rulesDigest=DIGEST, **members))


def acknowledge(connection, device, page, **members):
    token = page["delta"]["newTokenData"]
    send(connection, message("ack", peerId=device.id, ackTokenData=token, inReplyTo=page["id"], **members))


def lock(device):
    """Another program that writes to the store of a device."""
    connection = sqlite3.connect(device.home / "tasks.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection


def store_in_use():
    """One peer's ack waits for a store that another program writes to; another peer gets its page meanwhile."""
    laptop, phone, tablet = trio()
    with Serving(laptop, "--wait", "10m") as serving:
        first, second = connect_as(phone, serving.port), connect_as(tablet, serving.port)
        ask(first, phone)
        page = receive(first)
        writer = lock(laptop)
        acknowledge(first, phone, page, yourTurn=True)
        ask(second, tablet)
        answer = receive(second)
        check(answer and answer["type"] == "syncResponse", "another peer is answered while the store is locked")
        writer.execute("ROLLBACK")
        turn = receive(first)
        check(turn and turn["type"] == "syncRequest", "and the first one once it is not")
    with Serving(laptop, "--wait", "100ms") as serving:
        first = connect_as(phone, serving.port)
        ask(first, phone)
        page = receive(first)
        writer = lock(laptop)
        acknowledge(first, phone, page)
        answer = receive(first)
        check(answer and answer["errorCode"] == "busy", "after --wait the peer is told that the store is busy")
        check(serving.event("peerDisconnected")["code"] == "storeBusy", "and so is who watches")
        writer.execute("ROLLBACK")
        check(serving.stop() == 0, "a signal ends what serves")


def drip(connection, data):
    """A byte now and then, until the other side has had enough; false where it never has."""
    for number in range(100):
        try:
            connection.sendall(data[number : number + 1])
            connection.settimeout(0.3)
            if not connection.recv(1):
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def a_whole_request(device):
    data = json.dumps(message("syncRequest", peerId=device.id, deviceName=device.name, rulesDigest=DIGEST)).encode()
    return len(data).to_bytes(4, "big") + data


def peer_that_drips():
    """A byte now and then holds neither a place of `serve` nor its end."""
    laptop, phone, _ = trio()
    with Serving(laptop, "--timeout", "2s") as serving:
        connection = connect_as(phone, serving.port)
        check(drip(connection, a_whole_request(phone)), "a link on which a byte comes now and then ends")
        check(serving.event("peerDisconnected")["code"] == "timedOut", "timedOut, as is said")
        connection = connect_as(phone, serving.port)
        ask(connection, phone)
        page = receive(connection)
        connection.sendall(a_whole_request(phone)[:4])
        serving.process.terminate()
        check(page and drip(connection, a_whole_request(phone)[4:]), "and so does one after a signal")
        check(serving.process.wait(300) == 0, "with what serves")


def remotes_that_do_not_wait():
    """A peer that answers a byte now and then ends in time, and another one of the same run is done before."""
    laptop, phone, tablet = Device("laptop"), Device("phone"), Device("tablet")
    laptop.pair(tablet)
    laptop.pair(phone)
    put(phone, "1")
    command = ["peersync", "run", "--quiet", "--store", laptop.home / "tasks.db"]
    with Serving(tablet) as serving:
        port = serving.port
        done = laptop.run(*command, "--address", f"127.0.0.1:{port}", "tablet")
        check(done.status == 0 and serving.stop() == 0, "where the tablet is is remembered")
    asked = threading.Event()

    def answer(connection):
        send(connection, {})
        receive(connection)
        asked.set()
        drip(connection, a_whole_request(tablet))

    Server(answer, tablet, clients=laptop, port=port)
    with Serving(phone) as serving:
        done = laptop.run(*command, "--address", f"127.0.0.1:{serving.port}", "phone")
        check(done.status == 0, "and where the phone is")
        put(phone, "2")
        words = [*map(str, command), "--timeout", "8s"]
        run = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=laptop.environment)
        lines = [json.loads(line) for line in run.stdout]
        check(asked.is_set() and lines[0]["deviceName"] == "phone", "the phone is not held up by the tablet")
        check(lines[0]["changesReceived"] == 1, "and has told what is new")
        check(lines[1]["code"] == "timedOut" and run.wait(300) == 65, "the tablet is given up, and the run ends")


def links_of_one_peer():
    """A peer that opens link after link pushes out its own oldest, and nobody else."""
    laptop, phone, tablet = trio()
    with Serving(laptop) as serving:
        links = []
        for _ in range(20):
            links.append(connect_as(phone, serving.port))
            ask(links[-1], phone, waitSeconds=86400)
            page = receive(links[-1])
            acknowledge(links[-1], phone, page)
            ask(links[-1], phone, waitSeconds=86400, sinceTokenData=page["delta"]["newTokenData"])
        first = connect_as(tablet, serving.port)
        ask(first, tablet)
        answer = receive(first)
        check(answer and answer["type"] == "syncResponse", "another peer has its place, whatever one peer opens")
        check(all(receive(link) is None for link in links[:16]), "the oldest links of that peer have ended")
        put(laptop, "2")
        answers = [receive(link) for link in links[16:]]
        check(all(answer and len(answer["changes"]) == 1 for answer in answers), "and its newest are served")
        check(serving.event("peerDisconnected")["code"] == "peerBusy", "who watches is told")


def notes_in_use():
    """What is noted of a session waits for a program that has the file of notes; other peers do not, and nothing is lost."""
    laptop, phone, tablet = trio()
    with Serving(laptop) as serving, open(laptop.home / "transfers.jsonl.lock", "wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        first = connect_as(phone, serving.port)
        ask(first, phone)
        page = receive(first)
        acknowledge(first, phone, page)
        first.unwrap().close()
        serving.event("peerDisconnected")
        second = connect_as(tablet, serving.port)
        ask(second, tablet)
        answer = receive(second)
        check(answer and answer["type"] == "syncResponse", "another peer is answered")
        fcntl.flock(held, fcntl.LOCK_UN)
        second.close()
        check(serving.stop() == 0, "a signal ends what serves")
    status = json.loads(laptop.run("peersync", "status", "--store", laptop.home / "tasks.db", "phone").output)
    check(status.get("bytesReceived", 0) > 0, "and the session of the first one is noted")


def message_too_large():
    """Whoever announces a message that is too large is told so while it is still sending, and the link ends."""
    laptop, phone, _ = trio()
    with Serving(laptop) as serving:
        connection = connect_as(phone, serving.port)
        connection.sendall((17 << 20).to_bytes(4, "big") + b" " * (1 << 20))
        answer = receive(connection)
        check(answer and answer["errorCode"] == "frameTooLarge", "who sends too much is told")
        check(receive(connection) is None, "once, and then the connection ends")
        check(serving.event("peerDisconnected")["code"] == "messageTooLarge", "which is told here too")
        check(serving.stop() == 0, "a signal ends what serves")


def acks_of_unread_pages():
    """A peer that asks and acknowledges without reading costs a few pages of memory, holds up nobody, and is given up."""
    laptop, phone, tablet = trio()
    put(laptop, *range(2, 30), padding=700_000)
    with Serving(laptop, "--timeout", "5s") as serving:
        connection = connect_as(phone, serving.port, room=2048)
        before = most_memory(serving.process)

        def flood():
            """Forty rounds at once, and then a message now and then for longer than the peer may take."""
            try:
                for number in range(40 * 29 + 75):
                    if number % 29 == 0:
                        ask(connection, phone, window=4)
                    else:
                        send(connection, message("ack", peerId=phone.id, ackTokenData=""))
                    time.sleep(0.2 if number > 40 * 29 else 0)
                connection.close()
            except OSError:
                pass

        threading.Thread(target=flood, daemon=True).start()
        time.sleep(1)
        other = connect_as(tablet, serving.port)
        ask(other, tablet)
        page = receive(other)
        check(page and page["hasMore"], "another peer is answered meanwhile")
        acknowledge(other, tablet, page)
        other.unwrap().close()
        ended = [serving.event("peerDisconnected") for _ in range(2)]
        check([each.get("code") for each in ended if each["deviceName"] == "phone"] == ["timedOut"], "timedOut: who does not read is given up")
        used = most_memory(serving.process) - before
        check(used < 60 << 20, f"and few of its pages wait: {used >> 20} MiB")
        check(serving.stop() == 0, "a signal ends what serves")


def most_memory(process):
    """In bytes, of a process so far."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) << 10


SCENARIOS = [
    notes_in_use, store_in_use, peer_that_drips, remotes_that_do_not_wait, links_of_one_peer, message_too_large,
    acks_of_unread_pages]


main(SCENARIOS)
