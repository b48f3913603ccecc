"""A cable between two hosts of the lab that disturbs what passes; this kernel may have no netem.

usage: lossy.py FROM TO SEED --loss CHANCE [--both] [--repeat CHANCE] [--hold CHANCE]

Each host gets an interface `lan`, which is ours to read and write. Frames are lost one way, or with --both in either direction. Some are
sent twice, and some are held back for up to 20 ms, so that later ones overtake them. SIGTERM ends it with a line of how many of each.
"""

import argparse
import fcntl
import heapq
import json
import os
import random
import select
import signal
import struct
import time

from lab import inside, sh

TUNSETIFF, TAP_WITHOUT_HEADER = 0x400454CA, 0x1002


def plug(host, number):
    """The end of the cable in a host, as a file of Ethernet frames."""
    with inside(host):
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH22x", b"lan", TAP_WITHOUT_HEADER))
        sh("sysctl -qw net.ipv6.conf.lan.accept_dad=0 && ip link set lan up multicast on")
        sh(f"ip addr add 10.88.0.{number}/24 dev lan && ip addr add fd88::{number}/64 dev lan nodad")
    return end


class Cable:
    """What is on its way, and what has become of the frames so far."""

    def __init__(self, ends, settings):
        self.ends, self.settings, self.chance = ends, settings, random.Random(settings.seed)
        self.waiting = []
        self.counts = {"passed": 0, "lost": 0, "repeated": 0, "held": 0}

    def happens(self, share, what):
        # A share of 0 takes nothing from the sequence of chances.
        is_so = share > 0 and self.chance.random() < share
        self.counts[what] += is_so
        return is_so

    def take(self, end):
        frame = os.read(end, 65535)
        if (self.settings.both or end == self.ends[0]) and self.happens(self.settings.loss, "lost"):
            return
        for _ in range(2 if self.happens(self.settings.repeat, "repeated") else 1):
            moment = time.monotonic()
            if self.happens(self.settings.hold, "held"):
                moment += self.chance.uniform(0.001, 0.02)
            self.counts["passed"] += 1
            heapq.heappush(self.waiting, (moment, self.counts["passed"], self.ends[1 - self.ends.index(end)], frame))

    def pass_on(self):
        """Writes what is due; the seconds until the next frame is, or None."""
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            _, _, end, frame = heapq.heappop(self.waiting)
            try:
                os.write(end, frame)
            except BlockingIOError:
                pass
        return max(0, self.waiting[0][0] - time.monotonic()) if self.waiting else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hosts", nargs=2)
    parser.add_argument("seed", type=int)
    parser.add_argument("--both", action="store_true")
    for name in ("loss", "repeat", "hold"):
        parser.add_argument(f"--{name}", type=float, default=0)
    settings = parser.parse_args()
    cable = Cable([plug(host, number) for number, host in enumerate(settings.hosts, 1)], settings)

    def report(*_):
        print(json.dumps(cable.counts), flush=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, report)
    print("ready", flush=True)
    while True:
        for end in select.select(cable.ends, [], [], cable.pass_on())[0]:
            cable.take(end)


main()
