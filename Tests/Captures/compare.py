"""Compares the streams that pcapstream writes with those of tshark and tcpflow, and with what was sent.

usage: compare.py PCAPSTREAM FOLDER SEED COUNT
"""
import os
import random
import sys

import programs
from captures import IPV4, IPV6, LINKS, conversation, disturb, interleave, write
from programs import bytes_of, flows, followed

PCAPSTREAM = sys.argv[1]


def streams(path, status=0, text=None):
    return programs.streams(PCAPSTREAM, path, status, text)


def settings(rng):
    is_ipv6 = rng.random() < 0.5
    chosen = {"addresses": IPV6 if is_ipv6 else IPV4, "close": rng.random() < 0.7}
    if rng.random() < 0.3:
        chosen["fragment"] = rng.choice([256, 512, 1000])
    if is_ipv6 and rng.random() < 0.3:
        chosen["extensions"] = [(0, bytes(8)), (60, bytes(8))][:rng.randrange(1, 3)]
    if rng.random() < 0.3:
        chosen["starts"] = [2**32 - rng.randrange(1, 20_000), 2**32 - rng.randrange(1, 20_000)]
    if rng.random() < 0.2:
        chosen["handshake"] = False
    return chosen


def same_as_tshark(rng, path):
    """However packets came, both programs give what was sent."""
    chosen = settings(rng)
    talk = conversation(rng, **chosen)
    reorder = rng.choice([0, 3, 10]) if chosen.get("handshake", True) else 0
    write(path, rng.choice(list(LINKS)), disturb(rng, talk.frames, reorder, rng.choice([0, 0.1])))
    parts = streams(path)
    ours = [bytes_of(parts.get(talk.ends(side), [])) for side in (0, 1)]
    assert ours == talk.sent, "not what was sent"
    # tshark calls the side that is first in a capture the client.
    assert sorted(followed(path)) == sorted(ours), "not what tshark finds"


def same_as_tcpflow(rng, path):
    """Of several connections at once, both programs give what was sent; of what tcpflow does not know there is nothing."""
    talks = []
    for number in range(rng.randrange(1, 5)):
        chosen = settings(rng)
        chosen.pop("fragment", None)
        chosen.pop("extensions", None)
        talks.append((conversation(rng, ports=(51_000 + number, 27_421), **chosen), chosen.get("handshake", True)))
    is_ipv6 = any(talk.addresses == IPV6 for talk, _ in talks)
    kind = rng.choice([kind for kind in LINKS if kind != "sll2" and not (kind == "null" and is_ipv6)])
    disturbed = [
        disturb(rng, talk.frames, rng.choice([0, 3, 10]) if has_start else 0, rng.choice([0, 0.1])) for talk, has_start in talks]
    write(path, kind, interleave(rng, disturbed))
    want = {talk.ends(side): talk.sent[side] for talk, _ in talks for side in (0, 1) if talk.sent[side]}
    assert {ends: bytes_of(parts) for ends, parts in streams(path).items()} == want, "not what was sent"
    assert flows(path) == want, "not what tcpflow finds"


def gaps_where_bytes_were_taken(rng, path):
    """Without some packets, gaps are exactly where their bytes were."""
    talk = conversation(rng, handshake=True, close=True, size=5_000)
    frames = [(side, payload, pieces, []) for side, payload, pieces in talk.frames]
    kept, offsets = [], [0, 0]
    want = [bytearray(), bytearray()]
    for side, payload, pieces, _ in frames:
        is_lost = len(payload) > 0 and rng.random() < 0.2
        want[side] += b"\0" * len(payload) if is_lost else b"\1" * len(payload)
        if not is_lost:
            kept.append((side, payload, pieces))
        offsets[side] += len(payload)
    write(path, "ethernet", kept)
    has_gap = any(0 in side for side in want)
    parts = streams(path, 65 if has_gap else 0)
    for side in (0, 1):
        have = b"".join(b"\0" * part if isinstance(part, int) else b"\1" * len(part) for part in parts.get(talk.ends(side), []))
        assert have == want[side], "a gap elsewhere"
        position = 0
        for part in parts.get(talk.ends(side), []):
            if isinstance(part, bytes):
                assert part == talk.sent[side][position:position + len(part)], "other bytes"
            position += part if isinstance(part, int) else len(part)


def cuts(rng, path, step):
    """A file that is cut gives the beginning of what was sent, and says that it was cut.

    It is cut after every `step` bytes, at each end of a packet, and a byte before and after each.
    """
    talk = conversation(rng, size=60)
    write(path, rng.choice(list(LINKS)), talk.frames)
    with open(path, "rb") as file:
        whole = file.read()
    ends, place = {24}, 24
    while place < len(whole):
        place += 16 + int.from_bytes(whole[place + 8:place + 12], "little")
        ends.add(place)
    near = {end + beside for end in ends for beside in (-1, 0, 1)}
    for count in range(len(whole)):
        if count % step != 0 and count not in near:
            continue
        parts = streams("-", 0 if count in ends else 65, whole[:count])
        for side in (0, 1):
            known = b"".join(part for part in parts.get(talk.ends(side), []) if isinstance(part, bytes))
            assert talk.sent[side].startswith(known), f"cut at {count}"


def main():
    folder, seed, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    path = os.path.join(folder, "capture.pcap")
    for number in range(seed, seed + count):
        for check in (same_as_tshark, same_as_tcpflow, gaps_where_bytes_were_taken):
            try:
                check(random.Random(number), path)
            except AssertionError as error:
                sys.exit(f"{check.__name__}, seed {number}: {error}")
    cuts(random.Random(seed), path, 1 if count > 100 else 5)
    print(f"{count} captures")


main()
