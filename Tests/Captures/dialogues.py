"""Puts the conversations of a transcript into captures: what breaks the protocol there is found in the capture too.

usage: dialogues.py TOOLS_FOLDER FOLDER TRANSCRIPT
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


def findings(lines):
    found = [json.loads(line) for line in run("frame", "check", text=lines).splitlines()]
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
        yield name, lines, messages
        # A conversation that keeps to the protocol is broken by each message that it lacks.
        for index in range(len(lines) if name in ("two", "pair") else 0):
            yield f"{name} {index}", lines[:index] + lines[index + 1:], messages[:index] + messages[index + 1:]


count, codes = 0, set()
for name, lines, messages in conversations(sys.argv[3]):
    if not all(isinstance(message, dict) and "type" in message for message in messages):
        continue
    talk = Conversation(random.Random(name))
    for line, message in zip(lines, messages):
        payload = line.encode()
        talk.send(0 if message.get("peerId") == "phone" else 1, struct.pack(">I", len(payload)) + payload, 200)
    talk.end()
    write(path, "ethernet", talk.frames)
    envelopes = run("frame", "decode", "--input", "streams", "--annotate", text=run("pcapstream", path))
    want = findings("\n".join(lines).encode())
    assert findings(envelopes) == want, f"{name}: {findings(envelopes)}, not {want}"
    count += 1
    codes.update(code for _, code, _ in want)
assert count >= 30 and len(codes) >= 12, (count, codes)
print(f"{count} conversations with {len(codes)} codes")
