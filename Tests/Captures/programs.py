"""The bytes that programs find in a capture, by the two ends of their direction: ("10.0.0.2:51000", "10.0.0.3:27421")."""
import base64
import json
import os
import re
import subprocess
import tempfile

FLOW = re.compile(r"(.+)\.([0-9]{5})-(.+)\.([0-9]{5})(--[0-9]+)?(c[0-9]+)?")


def streams(pcapstream, path, status=0, text=None):
    """The parts of each direction, bytes or the length of a gap; checks that offsets follow one another."""
    run = subprocess.run([pcapstream, path], capture_output=True, input=text)
    assert run.returncode == status, f"status {run.returncode}: {run.stderr.decode()}"
    parts, ends = {}, {}
    for written in run.stdout.splitlines():
        line = json.loads(written)
        key = (line["from"], line["to"])
        part = line["gap"] if "gap" in line else base64.b64decode(line["data"], validate=True)
        assert line["offset"] == ends.get(key, 0), line
        ends[key] = line["offset"] + (part if "gap" in line else len(part))
        parts.setdefault(key, []).append(part)
    return parts


def bytes_of(parts):
    assert not any(isinstance(part, int) for part in parts), "a gap"
    return b"".join(parts)


def followed(path):
    """The bytes of both directions, the client's first, as tshark follows stream 0."""
    text = subprocess.run(
        ["tshark", "-r", path, "-q", "-z", "follow,tcp,raw,0"], capture_output=True, text=True, check=True).stdout
    sides = [b"", b""]
    for line in text.splitlines():
        if line.strip() and all(digit in "0123456789abcdef" for digit in line.strip()):
            sides[line.startswith("\t")] += bytes.fromhex(line.strip())
    return sides


def end(address, port):
    """An end as pcapstream writes it, of an address as tcpflow does."""
    if ":" in address:
        return f"[{address}]:{int(port)}"
    return ".".join(str(int(part)) for part in address.split(".")) + f":{int(port)}"


def flows(path):
    """The bytes of each direction that has any, as tcpflow writes them; it knows neither SLL2, fragments nor extension headers.

    Packets that come again after the end of a connection are a new one to it, in a file of its own: these are left out.
    """
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["tcpflow", "-q", "-r", path, "-o", folder, "-X", os.devnull, "-x", "http"], capture_output=True, check=True)
        found = {}
        for name in os.listdir(folder):
            parts = FLOW.fullmatch(name)
            assert parts, f"tcpflow has written {name}"
            if parts[6]:
                continue
            with open(os.path.join(folder, name), "rb") as file:
                found[end(parts[1], parts[2]), end(parts[3], parts[4])] = file.read()
        return found
