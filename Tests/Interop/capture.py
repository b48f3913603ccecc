"""The multicast DNS packets that pass on a host, and what is to be seen in them."""

import collections
import socket
import struct
import threading
import time

from lab import inside


# Of the kernel's headers, where Python does not have it.
SO_TIMESTAMPNS = 35


def moment_of(control):
    """When the kernel took a packet, on the monotonic clock; Python may read it much later."""
    for level, kind, data in control:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
            seconds, nanoseconds = struct.unpack("@ll", data[:struct.calcsize("@ll")])
            return time.monotonic() - (time.time() - seconds - nanoseconds / 1e9)
    return time.monotonic()


def start(lab, host):
    """Gathers (time, source, is multicast, hops left, payload) of every packet on the host's eth0, IPv4 only: IPv6 carries the same."""
    packets = []
    with inside(host):
        raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003))
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        raw.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        raw.bind(("eth0", 0x0003))

    def gather():
        while True:
            packet, control, *_ = raw.recvmsg(65536, 256)
            if len(packet) > 28 and packet[0] >> 4 == 4 and packet[9] == 17:
                start = (packet[0] & 15) * 4
                if struct.unpack_from(">H", packet, start + 2)[0] == 5353:
                    target = packet[16:20] == b"\xe0\x00\x00\xfb"
                    packets.append((moment_of(control), packet[12:16], target, packet[8], packet[start + 8:]))

    threading.Thread(target=gather, daemon=True).start()
    return packets


def name_at(data, place):
    """A name in lower case, and the place behind it."""
    labels, after = [], None
    while data[place]:
        if data[place] >= 0xC0:
            after = after or place + 2
            place = (data[place] & 0x3F) << 8 | data[place + 1]
            continue
        labels.append(data[place + 1:place + 1 + data[place]].lower())
        place += 1 + data[place]
    return b".".join(labels), after or place + 1


def parts(data):
    """Questions and records, as (name, type) and (name, type, data)."""
    _, flags, *counts = struct.unpack_from(">6H", data)
    place, questions, records = 12, [], []
    for _ in range(counts[0]):
        name, place = name_at(data, place)
        questions.append((name, struct.unpack_from(">H", data, place)[0]))
        place += 4
    for _ in range(sum(counts[1:])):
        name, place = name_at(data, place)
        kind, _, ttl, length = struct.unpack_from(">HHIH", data, place)
        place += 10
        content = name_at(data, place)[0] if kind == 12 else data[place:place + length]
        if kind == 33:
            content = data[place:place + 6] + name_at(data, place + 6)[0]
        records.append((name, kind, content, ttl))
        place += length
    return bool(flags & 0x8000), questions, records


def repeats(packets):
    """Records that one instance has multicast twice within a second; those that many hosts share are left out."""
    last, found = {}, []
    for moment, _, is_group, _, data in packets:
        is_response, _, records = parts(data)
        if not is_response or not is_group:
            continue
        for name, kind, content, _ in records:
            if name.startswith(b"_services."):
                continue
            key = (name, kind, content)
            # A millisecond is lost between the clock of the sender and ours.
            if key in last and moment - last[key] < 0.99:
                found.append((name, kind, moment - last[key]))
            last[key] = moment
    return found


def query_gaps(packets):
    """Seconds between two askings of one question by one host."""
    times = collections.defaultdict(list)
    for moment, source, _, _, data in packets:
        is_response, questions, records = parts(data)
        if not is_response:
            for question in questions:
                times[source, question].append(moment)
    return [b - a for all_times in times.values() for a, b in zip(all_times, all_times[1:])]


def peak_memory(process):
    """VmHWM of the program, which `ip netns exec` has become."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) << 10
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0
