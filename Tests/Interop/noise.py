"""A host of bad will: 10,000 records a second for ever new instances, goodbyes and odd packets, until it is stopped."""

import os
import random
import socket
import struct
import time

GROUP = ("224.0.0.251", 5353)
TYPE = b"\x08_appsync\x04_tcp\x05local\x00"
RATE = 10_000


def label(text):
    return bytes([len(text)]) + text.encode()


def record(name, kind, data, flush=True, ttl=120):
    return name + struct.pack(">HHIH", kind, 0x8001 if flush else 1, ttl, len(data)) + data


def response(records):
    return struct.pack(">6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def ghosts(first, count):
    """Whole instances, of four records each."""
    records = []
    for number in range(first, first + count):
        name, host = label(f"Ghost {number}") + TYPE, label(f"ghost-{number}") + b"\x05local\x00"
        records += [
            record(TYPE, 12, name, flush=False), record(name, 33, struct.pack(">3H", 0, 0, 9) + host),
            record(name, 16, b"\x07id=fake"), record(host, 1, bytes([10, 77, 9, number & 255])),
        ]
    return response(records)


def goodbye():
    name = label("Kitchen") + TYPE
    return response([record(TYPE, 12, name, flush=False, ttl=0), record(name, 16, b"\x00", ttl=0)])


def main():
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    end.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    end.bind(("", 5353))
    chance = random.Random(1)
    start, sent = time.monotonic(), 0
    while True:
        end.sendto(ghosts(sent // 4, 5), GROUP)
        sent += 20
        if sent == 50_000:
            print(f"{sent} records", flush=True)
        if sent % 1_000 == 0:
            end.sendto(goodbye(), GROUP)
            end.sendto(os.urandom(chance.randrange(1, 1_400)), GROUP)
            end.sendto(response([]) + os.urandom(60_000), GROUP)
        time.sleep(max(0, start + sent / RATE - time.monotonic()))


main()
