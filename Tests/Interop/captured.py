"""What peerdiscover says on a link, captured by tcpdump: decode reads of it what tshark reads."""

import json
import os
import subprocess
from datetime import datetime

from lab import TOOL, Failed, Lab, check, sh, until

PCAPSTREAM = os.path.join(os.path.dirname(TOOL), "pcapstream")
CAPTURE = "/run/mdns.pcap"
TYPES = {"A": 1, "PTR": 12, "TXT": 16, "AAAA": 28, "SRV": 33, "NSEC": 47, "ANY": 255}
SERVICE_NAME = ("dns.srv.service", "dns.srv.proto", "dns.srv.name")
FIELDS = SERVICE_NAME + (
    "frame.time_epoch", "ip.src", "ipv6.src", "udp.srcport", "ip.dst", "ipv6.dst", "udp.dstport", "dns.flags.response",
    "dns.qry.name", "dns.qry.type", "dns.qry.qu", "dns.resp.name", "dns.resp.type", "dns.resp.cache_flush", "dns.resp.ttl",
    "dns.ptr.domain_name", "dns.srv.port", "dns.srv.target", "dns.a", "dns.aaaa", "dns.txt")


def tshark():
    """What each packet has of the fields, as lists of text."""
    words = [word for field in FIELDS for word in ("-e", field)]
    lines = subprocess.run(
        ["tshark", "-n", "-r", CAPTURE, "-Y", "mdns", "-T", "fields", "-E", "separator=|", "-E", "aggregator=;", *words],
        capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        values = dict(zip(FIELDS, line.split("|"), strict=True))
        packet = {field: value.split(";") if value else [] for field, value in values.items()}
        # tshark has the name of an SRV record in three parts, and not among the others.
        packet["names of SRV"] = [".".join(parts) for parts in zip(*(packet.pop(field) for field in SERVICE_NAME), strict=True)]
        yield packet


def end(packet, side):
    """An end as pcapstream writes it."""
    address = packet[f"ip.{side}"] or [f"[{packet[f'ipv6.{side}'][0]}]"]
    return f"{address[0]}:{packet[f'udp.{side}port'][0]}"


def as_tshark(message):
    """The fields of a decoded message."""
    questions = message["questions"]
    records = message["answers"] + message["authorities"] + message["additionals"]

    def data(kind):
        return [record["data"] for record in records if record["type"] == kind]

    texts = [pair if value is None else f"{pair}={value}" for text in data("TXT") for pair, value in text.items()]
    return {
        "dns.flags.response": [str(int(message["kind"] == "response"))],
        "dns.qry.name": [question["name"] for question in questions],
        "dns.qry.type": [str(TYPES[question["type"]]) for question in questions],
        "dns.qry.qu": [str(int(question["unicast"])) for question in questions],
        "dns.resp.name": [record["name"] for record in records if record["type"] != "SRV"],
        "names of SRV": [record["name"] for record in records if record["type"] == "SRV"],
        "dns.resp.type": [str(TYPES[record["type"]]) for record in records],
        "dns.resp.cache_flush": [str(int(record["flush"])) for record in records],
        "dns.resp.ttl": [str(record["ttl"]) for record in records],
        "dns.ptr.domain_name": data("PTR"),
        "dns.srv.port": [str(location["port"]) for location in data("SRV")],
        "dns.srv.target": [location["host"] for location in data("SRV")],
        "dns.a": data("A"),
        "dns.aaaa": data("AAAA"),
        "dns.txt": texts,
    }


def instant(text):
    """Microseconds since 1970."""
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return int(moment.timestamp()) * 1_000_000 + moment.microsecond


def same(ours, theirs, place):
    if ours != theirs:
        raise Failed(f"{place}: {ours}, but tshark has {theirs}")


def captured():
    """Two devices that announce themselves, one that looks for them, and their goodbyes."""
    lab = Lab("abc")
    capture = lab.start("c", "tcpdump", "-Z", "root", "-U", "-i", "eth0", "-w", CAPTURE, "udp", "port", "5353",
                        stderr=subprocess.STDOUT)
    capture.wait_for("listening on eth0")
    peers = [
        lab.advertise("a", "Küche", "--txt", "id=K1", "--txt", "pv=2", "--txt", "pairing"),
        lab.advertise("b", "Living room", "--service", "_other._tcp", port=65_535),
    ]
    for service in ("_appsync._tcp", "_other._tcp"):
        lab.browse("c", "--service", service, "--count", "1", "--timeout", "300s")
    lab.run("c", TOOL, "types", "--count", "2", "--timeout", "300s")
    for peer in peers:
        peer.stop()

    def are_gone():
        return sum(packet["dns.resp.ttl"][:1] == ["0"] for packet in tshark()) >= 4

    check(until(are_gone), "both goodbyes are captured, over IPv4 and IPv6")
    capture.stop()

    sh(f"{PCAPSTREAM} {CAPTURE} --udp 5353 > /run/datagrams.jsonl && {TOOL} decode /run/datagrams.jsonl > /run/messages.jsonl")
    with open("/run/messages.jsonl", encoding="utf-8") as file:
        messages = [json.loads(line) for line in file]
    packets = list(tshark())
    check(len(messages) == len(packets) >= 20, f"{len(packets)} packets are {len(messages)} messages")
    for number, (message, packet) in enumerate(zip(messages, packets)):
        place = (message["datagram"], message["from"], message["to"], instant(message["at"]))
        seconds, _, fraction = packet["frame.time_epoch"][0].partition(".")
        want = (number, end(packet, "src"), end(packet, "dst"), int(seconds) * 1_000_000 + int(fraction[:6]))
        same(place, want, f"packet {number}")
        for field, values in as_tshark(message).items():
            same(values, packet[field], f"packet {number}, {field}")
    check(True, "and each has the times, ends, questions and records that tshark finds")
