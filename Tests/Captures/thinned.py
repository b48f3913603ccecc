"""Takes packets out of a capture of Ethernet that tcpdump has written, and knows which bytes it has no more."""
import struct

from captures import FIN, SYN, end


class Segment:
    """A TCP segment of a frame, with its ends as pcapstream writes them."""

    def __init__(self, frame):
        packet = frame[14:]
        if packet[0] >> 4 == 4:
            start, addresses, length = (packet[0] & 15) * 4, (packet[12:16], packet[16:20]), struct.unpack_from("!H", packet, 2)[0]
        else:
            start, addresses, length = 40, (packet[8:24], packet[24:40]), 40 + struct.unpack_from("!H", packet, 4)[0]
        ports = struct.unpack_from("!HH", packet, start)
        self.ends = tuple(map(end, addresses, ports))
        self.sequence = struct.unpack_from("!I", packet, start + 4)[0]
        self.flags = packet[start + 13]
        self.length = length - start - (packet[start + 12] >> 4) * 4


def is_tcp(frame):
    return frame[12:14] == b"\x08\0" and frame[23] == 6 or frame[12:14] == b"\x86\xdd" and frame[20] == 6


def thin(rng, source, target, chance):
    """Leaves out frames that carry bytes; for each direction, the ranges of the bytes that are left."""
    with open(source, "rb") as file:
        whole = file.read()
    starts, left, place = {}, {}, 24
    with open(target, "wb") as file:
        file.write(whole[:24])
        while place < len(whole):
            size = 16 + struct.unpack_from("<I", whole, place + 8)[0]
            frame = whole[place + 16:place + size]
            segment = Segment(frame) if is_tcp(frame) else None
            # Without the end of a stream nobody knows how much is missing there.
            if not (segment and segment.length and not segment.flags & FIN and rng.random() < chance):
                file.write(whole[place:place + size])
                if segment and segment.flags & SYN:
                    starts[segment.ends] = segment.sequence + 1
                elif segment and segment.length:
                    offset = (segment.sequence - starts[segment.ends]) & 0xFFFFFFFF
                    left.setdefault(segment.ends, []).append((offset, offset + segment.length))
            place += size
    return left


def covered(ranges, count):
    """For each of `count` bytes, 1 if a range has it."""
    bytes_left = bytearray(count)
    for start, stop in ranges:
        bytes_left[start:stop] = b"\1" * (stop - start)
    return bytes(bytes_left)
