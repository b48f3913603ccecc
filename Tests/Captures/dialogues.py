"""Puts the conversations of a transcript into captures and traces: what breaks the protocol is found there too.

Every code that the document lists comes up.

usage: dialogues.py TOOLS_FOLDER FOLDER TRANSCRIPT DOCUMENT
"""
import json
import os
import random
import re
import struct
import subprocess
import sys

from captures import Conversation, write

tools, path = sys.argv[1], os.path.join(sys.argv[2], "dialogue.pcap")


def run(name, *words, text=None, statuses=(0, 1)):
    outcome = subprocess.run([os.path.join(tools, name), *words], input=text, capture_output=True)
    assert outcome.returncode in statuses, f"{name}: {outcome.stderr.decode()}"
    return outcome.stdout


# What is found with an option only.
OPTIONS = {"clock": ["--now", "2026-01-01T07:11:02Z"], "pages": ["--max-page", "177"]}


def findings(lines, options):
    found = [json.loads(line) for line in run("frame", "check", *options, text=lines).splitlines()]
    return [(finding["line"], finding["code"], finding["message"]) for finding in found]


def conversations(transcript):
    with open(transcript, encoding="utf-8") as file:
        sections = re.split(r"^-- (\S+) --\n", file.read(), flags=re.M)[1:]
    for name, text in zip(sections[::2], sections[1::2]):
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            messages = [json.loads(line) for line in lines]
        except ValueError:
            continue
        if all(isinstance(message, dict) and "type" in message for message in messages):
            yield name, lines
        # A conversation that keeps to the protocol is broken by each message that it lacks, and by each that comes again.
        for index in range(len(lines) if name in ("one", "two", "pair") else 0):
            yield f"{name} without {index}", lines[:index] + lines[index + 1:]
            yield f"{name}, {index} twice", lines[:index + 1] + lines[index:]
        if name == "pages":
            change = '{"entityName":"E","identity":{"id":"1"},"fields":{"text":"%s"}}' % ("x" * (8 << 20))
            yield "long", [lines[0], re.sub(r'"changes":\[.*\]', lambda _: f'"changes":[{change}]', lines[1])]


def trace(lines):
    """The envelopes that peersync run --trace would have written."""
    return "\n".join(
        '{"stream":0,"direction":"%s","offset":0,"length":%d,"message":%s}' % (
            "sent" if json.loads(line).get("peerId") == "phone" else "received", len(line.encode()), line)
        for line in lines).encode()


def capture(name, lines):
    talk = Conversation(random.Random(name))
    for line in lines:
        payload = line.encode()
        side = 0 if json.loads(line).get("peerId") == "phone" else 1
        talk.send(side, struct.pack(">I", len(payload)) + payload, 200 if len(payload) < 10_000 else 60_000)
    talk.end()
    write(path, "ethernet", talk.frames)
    return run("frame", "decode", "--input", "streams", "--annotate", text=run("pcapstream", path))


count, broken, codes = 0, 0, set()
for name, lines in conversations(sys.argv[3]):
    options = OPTIONS.get(name, [])
    want = findings("\n".join(lines).encode(), options)
    for way, envelopes in ("trace", trace(lines)), ("capture", capture(name, lines)):
        found = findings(envelopes, options)
        assert found == want, f"{name}, from a {way}: {found}, not {want}"
    count, broken = count + 1, broken + bool(want)
    codes.update(code for _, code, _ in want)
with open(sys.argv[4], encoding="utf-8") as file:
    documented = set(re.findall(r"^\| `(\w+)` \|", file.read().split("## Findings")[1], flags=re.M))
assert broken >= 20 and codes == documented, (broken, documented - codes, codes - documented)
print(f"{count} conversations, {broken} of them broken, with all {len(codes)} codes")
