"""Clean events from logged callbacks, beside jq on the same lines."""

import base64
import json

from measure import commands_in_turn, median
from setting import check_counts, lines_of
from table import BarTable

NOTE = """\
The log has forty peers and mostly data messages of about 300 bytes: votes, suggestions and a few states. `jq` decodes the
data of each line and writes the event. It does not keep a table of peers or check messages."""

PEERS = 40

PROGRAM = """
if .data then {event: "messageReceived", from: .handle, message: (.data | @base64d | fromjson), at}
else {event: .callback, peer: .handle, at} end"""


def tables(setting):
    table = BarTable("Events", NOTE)
    # jq takes half a minute for a million.
    count = setting.records // 5
    log = callbacks(setting.work / "callbacks.jsonl", count)
    ours = setting.tool("meshevents events", log)
    jq = ["jq", "-c", PROGRAM, str(log)]
    check_counts("jq", [lines_of(ours), lines_of(jq)])
    own, theirs = commands_in_turn([ours, jq], setting.few)
    table.compare("`meshevents events LOG` : jq", own, theirs, 0.1)
    table.limit("the same: ns an event", median(own) / count * 1e9, 1000, "{:.0f}".format)
    return [table]


def callbacks(path, count):
    data = [encoded(message(number)) for number in range(997)]
    with open(path, "w", encoding="utf-8") as log:
        for peer in range(PEERS):
            write(log, peer, "session:peer:didChangeState:", displayName=f"Phone {peer % 7}", state="connected")
        for number in range(PEERS, count):
            write(log, number * 31 % PEERS, "session:didReceiveData:fromPeer:", data=data[number % len(data)])
    return path


def write(log, peer, callback, **members):
    line = {"at": "2026-01-01T20:00:00.250Z", "callback": callback, "handle": f"0x6000028f{peer:04x}", **members}
    log.write(json.dumps(line, separators=(",", ":")) + "\n")


def message(number):
    song = {"id": str(number), "title": f"Song {number}", "artist": "The Hinges", "duration": 180 + number % 90}
    peer = {"id": f"K{number % PEERS}", "name": f"Phone {number % 7}"}
    if number % 10 < 7:
        return {"intent": {"_0": {"vote": {"songID": str(number)}}}}
    if number % 10 < 9:
        return {"intent": {"_0": {"suggestSong": {"_0": song}}}}
    entry = {"id": "1", "song": song, "addedBy": peer, "voters": ["K1", "K2"]}
    return {"stateUpdate": {"_0": {"isPlaying": True, "queue": [entry] * 3, "connectedPeers": [peer] * 3}}}


def encoded(value):
    return base64.b64encode(json.dumps(value, separators=(",", ":")).encode()).decode()
