"""Connections of the kernel over a cable that loses, repeats and reorders packets, captured at both ends.

What the sockets have received is what pcapstream has to find, and what tcpflow writes.
"""

import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from captures import end
from lab import HANGING, TOOL, Failed, Lab, Program, check, inside, sh, until
from programs import bytes_of, flows, streams
from thinned import covered, thin

PCAPSTREAM = os.path.join(os.path.dirname(TOOL), "pcapstream")
MARK = b"the end of the capture"
LISTENING = {socket.AF_INET: ("10.88.0.2", 27421), socket.AF_INET6: ("fd88::2", 27421)}
# Below the ports that the kernel chooses: it can choose the port of a connection that has ended.
FIRST_PORT = 20_000


def talk(link, rng, received):
    """Sends pieces, some of them after a while, and reads until the other side has ended, sometimes slowly."""
    def send():
        for _ in range(rng.randrange(1, 40)):
            link.sendall(rng.randbytes(rng.choice([1, 100, 1_400, 10_000])))
            time.sleep(rng.choice([0, 0, 0.01]))
        link.shutdown(socket.SHUT_WR)

    # Two threads must not share a sequence of chances: what each does would depend on the other.
    is_slow = rng.random() < 0.2
    sender = threading.Thread(target=send)
    sender.start()
    while piece := link.recv(2_000 if is_slow else 65_536):
        received += piece
        time.sleep(0.001 if is_slow else 0)
    sender.join()
    link.close()


class Connections:
    """Connections from host a to host b, and the bytes that each direction has brought, by its ends."""

    def __init__(self, seed, count):
        self.received, self.failures, self.threads = {}, [], []
        with inside("b"):
            servers = {family: socket.create_server(at, family=family, backlog=count) for family, at in LISTENING.items()}
        with inside("a"):
            links = [socket.socket([*LISTENING][number % 2]) for number in range(count)]
        for number, link in enumerate(links):
            link.bind(("", FIRST_PORT + number))
            chance = random.Random(f"{seed} {number}")
            if chance.random() < 0.3:
                # A window that is often full.
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            self.start(self.client, link, chance)
            self.start(self.serve, servers[link.family], random.Random(f"{seed} {number} b"))

    def start(self, body, *words):
        def run():
            try:
                body(*words)
            except OSError as error:
                self.failures.append(error)

        self.threads.append(threading.Thread(target=run, daemon=True))
        self.threads[-1].start()

    def client(self, link, chance):
        link.connect(LISTENING[link.family])
        self.talk(link, chance)

    def serve(self, server, chance):
        self.talk(server.accept()[0], chance)

    def talk(self, link, chance):
        own, other = link.getsockname(), link.getpeername()
        received = self.received.setdefault((end(*other[:2]), end(*own[:2])), bytearray())
        talk(link, chance, received)

    def wait(self):
        deadline = time.monotonic() + HANGING
        for thread in self.threads:
            thread.join(max(0, deadline - time.monotonic()))
        if self.failures or any(thread.is_alive() for thread in self.threads):
            raise Failed(f"connections that do not end: {self.failures}")


def check_gaps(rng, path, want):
    """Without some of its packets a capture gives gaps exactly where no other packet has the bytes."""
    left = thin(rng, path, path + ".thinned", 0.03)
    gaps = 0
    for ends, parts in streams(PCAPSTREAM, path + ".thinned", 65).items():
        known = b"".join((b"\0" if isinstance(part, int) else b"\1") * size_of(part) for part in parts)
        there = covered(left.get(ends, []), len(want[ends]))
        # On a machine that is slow, bytes that the receiver has may come again when their gap was given up, which is said.
        if known != there and (any(one > other for one, other in zip(known, there)) or not late(path, ends)):
            raise Failed(f"a gap elsewhere in {ends}")
        place = 0
        for part in parts:
            if not isinstance(part, int) and part != want[ends][place:place + len(part)]:
                raise Failed(f"other bytes in {ends}")
            place += size_of(part)
            gaps += isinstance(part, int)
    check(gaps > 0, f"without some packets it has {gaps} gaps, where these were")


def late(path, ends):
    said = subprocess.run([PCAPSTREAM, path + ".thinned"], capture_output=True, text=True, check=False).stderr
    return any("after their gap" in line and " to ".join(ends) in line for line in said.splitlines())


def size_of(part):
    return part if isinstance(part, int) else len(part)


def start_capture(lab, host):
    capture = lab.start(
        host, "tcpdump", "-Z", "root", "-U", "-B", 32_768, "-i", "lan", "-w", f"/run/{host}.pcap", "tcp or udp",
        stderr=subprocess.STDOUT)
    capture.wait_for("listening on lan")
    return capture


def end_capture(host, capture):
    """Ends a capture once a packet is in it that was sent after all that the sockets have received."""
    with inside(host), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        link.sendto(MARK, ("10.88.0.255", 9))
    if not until(lambda: MARK in Path(f"/run/{host}.pcap").read_bytes()[-1 << 20:]):
        raise Failed(f"the capture of {host} has no end")
    capture.stop()
    capture.wait_for("0 packets dropped by kernel")


def connections():
    """What both ends of each connection have received is in the captures of both."""
    seed, count = int(os.environ.get("INTEROP_SEED", "1")), int(os.environ.get("INTEROP_CONNECTIONS", "40"))
    lab = Lab([])
    for host in "ab":
        sh(f"ip netns add {host} && ip -n {host} link set lo up")
    lossy = Path(__file__).with_name("lossy.py")
    disturbance = ("--both", "--loss", "0.03", "--repeat", "0.05", "--hold", "0.1")
    cable = Program([sys.executable, str(lossy), "a", "b", str(seed), *disturbance])
    lab.programs.append(cable)
    cable.wait_for("ready")
    captures = [start_capture(lab, host) for host in "ab"]
    talks = Connections(seed, count)
    talks.wait()
    for host, capture in zip("ab", captures):
        end_capture(host, capture)
    cable.process.terminate()
    counts = json.loads(cable.wait_for("{"))
    check(min(counts.values()) > 0, f"a cable with {counts}")
    want = {ends: bytes(received) for ends, received in talks.received.items()}
    size = sum(map(len, want.values()))
    check(len(want) == 2 * count, f"{count} connections have {len(want)} directions: {sorted(want)[-4:]}")
    empty = [ends for ends, received in want.items() if not received]
    check(not empty, f"they have brought {size} bytes, and each of them some {empty[:5]}")
    for host in "ab":
        found = {ends: bytes_of(parts) for ends, parts in streams(PCAPSTREAM, f"/run/{host}.pcap").items()}
        check(found == want, f"they are the streams that pcapstream finds in the capture of {host}")
        check(flows(f"/run/{host}.pcap") == want, "and those that tcpflow finds")
        check_gaps(random.Random(seed), f"/run/{host}.pcap", want)
