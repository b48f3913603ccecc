"""Reads a live pipe: each line comes as soon as its packet has been written, and a signal ends it.

usage: live.py PCAPSTREAM FOLDER
"""
import base64
import json
import os
import random
import signal
import subprocess
import sys

from captures import Conversation, write

path = os.path.join(sys.argv[2], "live.pcap")
talk = Conversation(random.Random(1))
for number in range(20):
    talk.send(number % 2, b"message %d" % number)
write(path, "sll2", talk.frames)
with open(path, "rb") as file:
    capture = file.read()

with subprocess.Popen([sys.argv[1], "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
    reader.stdin.write(capture[:24])
    place, count = 24, 0
    for _, payload, _ in talk.frames:
        size = 16 + int.from_bytes(capture[place + 8:place + 12], "little")
        # The last byte of the packet comes by itself, after all before it has been taken.
        reader.stdin.write(capture[place:place + size - 1])
        reader.stdin.flush()
        reader.stdin.write(capture[place + size - 1:place + size])
        reader.stdin.flush()
        if payload:
            line = json.loads(reader.stdout.readline())
            assert base64.b64decode(line["data"]) == payload, line
            count += 1
        place += size
    assert count == 20, count
    reader.send_signal(signal.SIGINT)
    assert reader.wait(timeout=60) == -signal.SIGINT, reader.returncode
print("20 lines as they came")
