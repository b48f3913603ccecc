"""A cable between two hosts of the lab that loses packets one way: lossy.py FROM TO LOSS SEED.

Each host gets an interface `lan`, which is ours to read and write; this kernel may have no netem.
"""

import ctypes
import fcntl
import os
import random
import select
import struct
import subprocess
import sys

CLONE_NEWNET, TUNSETIFF, TAP_WITHOUT_HEADER = 0x40000000, 0x400454CA, 0x1002


def plug(host, number):
    """The end of the cable in a host, as a file of Ethernet frames."""
    libc = ctypes.CDLL(None, use_errno=True)
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{host}", os.O_RDONLY)
    if libc.setns(there, CLONE_NEWNET) != 0:
        sys.exit(f"{host}: {os.strerror(ctypes.get_errno())}")
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH22x", b"lan", TAP_WITHOUT_HEADER))
    for command in (
        "sysctl -qw net.ipv6.conf.lan.accept_dad=0", "ip link set lan up multicast on",
        f"ip addr add 10.88.0.{number}/24 dev lan", f"ip addr add fd88::{number}/64 dev lan nodad",
    ):
        subprocess.check_call(command.split())
    libc.setns(here, CLONE_NEWNET)
    return end


def main():
    loss, chance = float(sys.argv[3]), random.Random(int(sys.argv[4]))
    ends = [plug(host, number) for number, host in enumerate(sys.argv[1:3], 1)]
    print("ready", flush=True)
    while True:
        for end in select.select(ends, [], [])[0]:
            frame = os.read(end, 65535)
            if end == ends[0] and chance.random() < loss:
                continue
            try:
                os.write(ends[1 - ends.index(end)], frame)
            except BlockingIOError:
                pass


main()
