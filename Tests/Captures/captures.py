"""Makes captures of TCP streams: what each direction sends is known, and so is what a capture of it lacks."""
import ipaddress
import random
import struct

IPV4 = (bytes([10, 0, 0, 2]), bytes([10, 0, 0, 3]))
IPV6 = (bytes.fromhex("20010db8000000000000000000000002"), bytes.fromhex("20010db8000000000000000000000003"))
SYN, FIN, RST, ACK, PSH = 2, 1, 4, 16, 8
LINKS = {"ethernet": 1, "vlan": 1, "qinq": 1, "sll": 113, "sll2": 276, "null": 0, "raw": 101}


def tcp(source, destination, sequence, acknowledgment, flags, payload=b"", options=b""):
    size = (20 + len(options)) // 4
    return struct.pack(
        "!HHIIBBHHH", source, destination, sequence & 0xFFFFFFFF, acknowledgment & 0xFFFFFFFF, size << 4, flags, 65535, 0, 0
    ) + options + payload


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def ipv4(source, destination, payload, protocol=6, identification=0, place=0):
    header = struct.pack(
        "!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), identification & 0xFFFF, place, 64, protocol, 0, source, destination)
    return header[:10] + struct.pack("!H", checksum(header)) + header[12:] + payload


def ipv6(source, destination, payload, protocol=6, extensions=()):
    """`extensions` are (number, bytes), where the first byte is set to the number of what follows."""
    body, following = payload, protocol
    for number, header in reversed(list(extensions)):
        body, following = bytes([following]) + header[1:] + body, number
    return struct.pack("!IHBB16s16s", 6 << 28, len(body), following, 64, source, destination) + body


def packets(source, destination, payload, protocol=6, identification=0, fragment=None, extensions=()):
    """An IP packet with the payload, or its fragments of `fragment` bytes."""
    is_ipv6 = len(source) == 16
    if fragment is None or len(payload) <= fragment:
        if is_ipv6:
            return [ipv6(source, destination, payload, protocol, extensions)]
        return [ipv4(source, destination, payload, protocol, identification)]
    size = fragment // 8 * 8
    result = []
    for start in range(0, len(payload), size):
        piece, more = payload[start:start + size], start + size < len(payload)
        if is_ipv6:
            header = struct.pack("!BBHI", 0, 0, start | more, identification)
            result.append(ipv6(source, destination, piece, protocol, list(extensions) + [(44, header)]))
        else:
            result.append(ipv4(source, destination, piece, protocol, identification, start // 8 | more << 13))
    return result


def link(kind, packet):
    ethertype = b"\x86\xdd" if packet[0] >> 4 == 6 else b"\x08\x00"
    if kind == "raw":
        return packet
    if kind == "null":
        return struct.pack("<I", 30 if packet[0] >> 4 == 6 else 2) + packet
    if kind == "sll":
        return struct.pack("!HHH8s", 0, 1, 6, b"\2\0\0\0\0\1") + ethertype + packet
    if kind == "sll2":
        return ethertype + struct.pack("!HIHBB8s", 0, 1, 1, 0, 6, b"\2\0\0\0\0\1") + packet
    tags = {"ethernet": b"", "vlan": b"\x81\0\0\x07", "qinq": b"\x88\xa8\0\x08\x81\0\0\x07"}[kind]
    return b"\2\0\0\0\0\2\2\0\0\0\0\1" + tags + ethertype + packet


def end(address, port):
    text = str(ipaddress.ip_address(address))
    return f"[{text}]:{port}" if ":" in text else f"{text}:{port}"


class Conversation:
    """Two sides that send bytes to each other; `sent` has the payload of each side in the capture's order."""

    def __init__(self, rng, addresses=IPV4, ports=(51000, 27421), starts=None, handshake=True, close=True, **ip):
        self.addresses, self.ports, self.ip = addresses, ports, ip
        starts = starts or [rng.getrandbits(32), rng.getrandbits(32)]
        self.next = [s + 1 for s in starts]
        self.sent, self.frames, self.rng, self.close = [b"", b""], [], rng, close
        if handshake:
            self.add(0, SYN, b"", starts[0], 0, b"\2\4\5\xb4")
            self.add(1, SYN | ACK, b"", starts[1], starts[0] + 1)
            self.add(0, ACK)

    def add(self, side, flags, payload=b"", sequence=None, acknowledgment=None, options=b""):
        segment = tcp(
            self.ports[side], self.ports[1 - side], self.next[side] if sequence is None else sequence,
            self.next[1 - side] if acknowledgment is None else acknowledgment, flags, payload, options)
        self.frames.append((side, payload, packets(
            self.addresses[side], self.addresses[1 - side], segment, identification=self.rng.getrandbits(16), **self.ip)))

    def ends(self, side):
        """Where a side's bytes come from and go to, as pcapstream writes it."""
        return tuple(end(self.addresses[number], self.ports[number]) for number in (side, 1 - side))

    def send(self, side, payload, segment=1400):
        for start in range(0, len(payload), segment):
            piece = payload[start:start + segment]
            self.add(side, PSH | ACK, piece)
            self.next[side] += len(piece)
            if self.rng.random() < 0.5:
                self.add(1 - side, ACK)
        self.sent[side] += payload
        self.add(1 - side, ACK)

    def end(self):
        for side in (0, 1):
            self.add(side, FIN | ACK)
            self.next[side] += 1
        self.add(0, ACK)


def conversation(rng, size=20_000, **settings):
    talk = Conversation(rng, **settings)
    for _ in range(rng.randrange(2, 8)):
        talk.send(rng.randrange(2), rng.randbytes(rng.randrange(1, size)), rng.choice([1, 100, 536, 1400]))
    if talk.close:
        talk.end()
    return talk


def disturb(rng, frames, reorder=0, duplicate=0.0):
    """Moves packets back by up to `reorder` places, and repeats some; nothing comes before what it answers."""
    result, latest = [], [0, 0]
    for index, frame in enumerate(frames):
        side = frame[0]
        place = index + (rng.random() * reorder if frame[1] else 0)
        place = max(place, latest[1 - side] + 0.001)
        latest[side] = max(latest[side], place)
        result.append((place, frame))
        if rng.random() < duplicate:
            result.append((place + 0.5 + rng.random() * 5, frame))
    return [frame for _, frame in sorted(result, key=lambda item: item[0])]


def interleave(rng, conversations):
    """The frames of several conversations at once, those of each in their order."""
    turns = [number for number, frames in enumerate(conversations) for _ in frames]
    rng.shuffle(turns)
    left = [iter(frames) for frames in conversations]
    return [next(left[number]) for number in turns]


def write(path, kind, frames, at=1_767_225_600.0, step=0.000_1, snap=262_144):
    """Writes a pcap of the frames' packets, each a little later than the one before."""
    number = 0
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, snap, LINKS[kind]))
        for _, _, pieces in frames:
            for piece in pieces:
                data = link(kind, piece)
                microseconds = round((at + number * step) * 1_000_000)
                file.write(struct.pack(
                    "<IIII", microseconds // 1_000_000, microseconds % 1_000_000, min(len(data), snap), len(data)))
                file.write(data[:snap])
                number += 1
