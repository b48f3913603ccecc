"""The streams of a capture, beside tcpflow and tshark on the same file."""

import random
import sys
from pathlib import Path

from measure import commands_in_turn
from table import BarTable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Captures"))

import captures  # noqa: E402

NOTE = """\
The capture has eight connections at once, with packets of 1,448 bytes, each acknowledged. All programs read the file.
`tcpflow` writes a file for each direction. `pcapstream` writes a line for each packet, and `tshark -T fields` writes a line
for each packet with its stream, sender, time and payload in hex."""

CONNECTIONS = 8


def tables(setting):
    table = BarTable("Captures", NOTE)
    size = (16 if setting.quick else 200) << 20
    capture = str(made(setting.work / "streams.pcap", size))
    fields = ["-T", "fields", "-e", "tcp.stream", "-e", "ip.src", "-e", "frame.time_epoch", "-e", "tcp.payload"]
    flows = setting.work / "flows"
    ours, flow, shark = commands_in_turn(
        [
            setting.tool("pcapstream", capture),
            ["tcpflow", "-q", "-r", capture, "-o", str(flows)],
            ["tshark", "-r", capture, *fields],
        ],
        setting.few)
    table.compare(f"`pcapstream`, {size >> 20} MiB : `tcpflow -r`", ours, flow, 2)
    table.compare("the same : `tshark -T fields`", ours, shark, 0.1)
    return [table]


def made(path, size):
    rng = random.Random(1)
    talks = [captures.Conversation(rng, ports=(51_000 + number, 27_421)) for number in range(CONNECTIONS)]
    page = rng.randbytes(64 << 10)
    for _ in range(size // len(page) // CONNECTIONS):
        for talk in talks:
            talk.send(1, page, 1448)
            talk.sent = [b"", b""]
    for talk in talks:
        talk.end()
    longest = max(len(talk.frames) for talk in talks)
    frames = [talk.frames[index] for index in range(longest) for talk in talks if index < len(talk.frames)]
    captures.write(path, "ethernet", frames, step=0.000_01)
    return path
