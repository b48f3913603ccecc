"""What is killed with signal 9 at any moment: kills.py SCENARIO."""

import json
import random
import signal
import threading
import time

from checks import LONG, Failed, check, main, until
from household import Device, Server, change, parsed, request

CLIENTS = 4


class Client(threading.Thread):
    """Posts one record after the other on a connection of its own, and notes what has been acknowledged.

    A request without an answer is sent again until it has one: its record may be there already.
    """

    def __init__(self, server, number, retried=()):
        super().__init__(daemon=True)
        self.retried = retried
        self.port, self.number, self.key = server.port, number, server.key()[0]
        self.acknowledged, self.over, self.strange, self.repeated = [], False, [], 0

    def run(self):
        count, is_repeated = 0, False
        while not self.over:
            key = f"{self.number}-{count}"
            body = change(key).encode()
            head = f"POST /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.key}\r\nConnection: close\r\n"
            try:
                status, report = parsed(request(self.port, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body))
            except OSError:
                time.sleep(0.005)
                is_repeated = True
                continue
            if status == 200 and isinstance(report, dict) and report["taken"] + (is_repeated and report["same"]) == 1:
                self.acknowledged.append(key)
                self.repeated += report["same"]
            elif status == 429 or status in self.retried or not status:
                time.sleep(0.1 if status else 0.005)
                is_repeated = is_repeated or status != 429
                continue
            else:
                self.strange.append((status, report))
            count, is_repeated = count + 1, False


def wait_between_kills(clients, moments, number):
    """Some of these moments are before anything is acknowledged; in every second turn something is, however slow the disk is."""
    def acknowledged():
        return sum(len(client.acknowledged) for client in clients)

    before = acknowledged()
    time.sleep(moments.uniform(0, 0.15))
    if number % 2:
        until(lambda: acknowledged() > before, "something is acknowledged")


def server(folder):
    """The server, while several clients post: what it has acknowledged is there, and nothing has to be repaired."""
    kills = 500 if LONG else 12
    seed = random.randrange(1 << 32)
    print(f"seed: {seed}")
    moments = random.Random(seed)
    with Server(folder / "server") as running:
        clients = [Client(running, number) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        for number in range(kills):
            wait_between_kills(clients, moments, number)
            running.stop(signal.SIGKILL)
            found = running.verify()
            if found != {"faults": 0, "ahead": 0}:
                raise Failed(f"verify: {found}")
            running.start()
        acknowledged_under_way = sum(len(client.acknowledged) for client in clients)
        check(acknowledged_under_way >= kills // 2, f"{acknowledged_under_way} records in {kills} kills")
        for client in clients:
            client.over = True
        for client in clients:
            client.join()
        check(not any(client.strange for client in clients), f"no other answer {[c.strange[:1] for c in clients]}")
        kept = {json.loads(line)["identity"]["id"] for line in running.dump().splitlines()}
        lost = [key for client in clients for key in client.acknowledged if key not in kept]
        check(not lost, f"all that was acknowledged is there: {lost[:5]}")
        print(f"{sum(client.repeated for client in clients)} had been stored when their request was repeated")
        check(running.stop() == 0, "it ends at a signal")
        check(running.verify() == {"faults": 0, "ahead": 0}, "nothing is to be repaired")


def runs(folder, devices, url, *options):
    """Runs that are killed; in the end all devices have everything that any of them wrote."""
    kills = 300 if LONG else 10
    seed = random.randrange(1 << 32)
    print(f"seed: {seed}")
    moments, wanted, cut, number, span = random.Random(seed), set(), 0, 0, 0.2
    for device in devices:
        device.add(url, *options)
    while cut < kills:
        number += 1
        for device in devices:
            keys = [f"{device.home.name}-{number}-{each}" for each in range(moments.choice((1, 5, 300)))]
            device.put(number, *keys, filling="x" * 200)
            # The same record on both sides too.
            device.put(2 * number + (device is devices[0]), "shared", at=f"{number} {device.home.name}")
            wanted.update(keys, {"shared"})
        started = [device.started() for device in devices]
        time.sleep(moments.uniform(0, span))
        for process in started:
            process.kill()
        killed = sum(process.wait() == -signal.SIGKILL for process in started)
        cut += killed
        # Neither all before they have begun, nor all after their end.
        span *= 0.8 if killed == 0 else 1.1
    print(f"{cut} runs of {2 * number} were killed")
    for _ in range(2):
        for device in devices:
            device.run()
    check(all(device.keys() == wanted for device in devices), f"{len(wanted)} records are on both sides")
    check(devices[0].dump() == devices[1].dump(), "and are the same")
    for device in devices:
        moved = device.run()
        check((moved["changesReceived"], moved["changesSent"]) == (0, 0), "and nothing more moves")
        check(json.loads(device.tool("synclog", "verify"))["faults"] == 0, "and no store needs repair")


def client(folder):
    """`peersync run` against a server."""
    with Server(folder / "server") as running:
        _, file = running.key()
        devices = [Device(folder, name) for name in ("kitchen", "attic")]
        runs(folder, devices, f"http://127.0.0.1:{running.port}", "--key-file", file)
        check(running.dump() == devices[0].dump(), "which are those of the server")


def carried(folder):
    """`peersync run` against a shared folder."""
    (folder / "shared").mkdir()
    runs(folder, [Device(folder, name) for name in ("kitchen", "attic")], f"dir:{folder / 'shared'}")


if __name__ == "__main__":
    main(server, client, carried)
