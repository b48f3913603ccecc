"""peerdiscover with other programs: discovery.py SCENARIO, inside namespaces of its own."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import capture
from avahi import Avahi
from captured import captured
from connections import connections
from lab import PYTHON, TOOL, Failed, Lab, Program, check, sh, until

HERE = Path(__file__).parent
# Given to tools that end once they have found what they look for, however busy the machine is.
PATIENT = ("--timeout", "300s")


def zeroconf(lab, host, *words):
    return lab.start(host, PYTHON, HERE / "zeroconf_peer.py", *words)


def found(lines, name):
    return [line for line in lines if line["event"] == "peerDiscovered" and line["instance"] == name]


def families(line):
    return {":" in place["address"] for place in line["addresses"]}


def has_both(line):
    return families(line) == {False, True}


def interfaces_of(line):
    return {place["interface"] for place in line["addresses"]}


def sees(lab, host, name, holds=lambda line: True, user=()):
    """Whether a host sees an instance of which something holds, now or in time."""
    watch = lab.start(host, *user, TOOL, "browse", "--follow")
    line = watch.event_of(name, holds)[-1]
    watch.stop()
    return line


def with_zeroconf():
    """python-zeroconf finds us and is found, its goodbye is heard and ours, and its name is left to it."""
    lab = Lab("ab")
    peer = zeroconf(lab, "b", "publish", "Snake", 7001, "10.77.0.2", "fd77:0::2")
    peer.wait_for("ready")
    line = sees(lab, "a", "Snake", has_both)
    check(line["peer"]["id"] == "Z1" and line["port"] == 7001, "python-zeroconf's peer is found, with IPv4 and IPv6")
    (line,) = [json.loads(line) for line in lab.run("a", TOOL, "resolve", *PATIENT, "Snake")]
    check(line["port"] == 7001, "and resolved")
    types = [json.loads(line)["service"] for line in lab.run("a", TOOL, "types", "--count", "1", *PATIENT)]
    check("_appsync._tcp" in types, "its type is listed")
    own = lab.start("a", TOOL, "advertise", "--name", "Snake", "--port", "7000")
    line = own.event('"renamed"')
    check(line["instance"] == "Snake (2)", "its name is left to it")
    watch = lab.start("a", TOOL, "browse", "--follow")
    watch.wait_for('"Snake"')
    peer.stop()
    line = watch.event("peerLost")
    check(line["reason"] == "goodbye", "its goodbye is heard")
    browser = zeroconf(lab, "b", "browse", 600)
    line = browser.wait_for("add Snake (2)")
    check("10.77.0.1" in line and "fd77:" in line, "python-zeroconf finds us, with IPv4 and IPv6")
    check(own.stop() == -signal.SIGTERM, "SIGTERM ends us")
    browser.wait_for("remove Snake")
    check(True, "and it hears our goodbye on SIGTERM")


def with_avahi():
    """avahi finds us and is found; goodbye and rename both ways."""
    lab = Lab("ab")
    avahi = Avahi(lab, "b")
    peer = avahi.publish("Kitchen", 7002, "id=A1")
    peer.wait_for("Established")
    line = sees(lab, "a", "Kitchen", has_both)
    check(line["peer"]["id"] == "A1", "avahi's peer is found, IPv4 and IPv6")
    own = lab.start("a", TOOL, "advertise", "--name", "Kitchen", "--port", "7000", "--txt", "id=K1")
    line = own.event('"renamed"')
    check(line["instance"] == "Kitchen (2)", "its name is left to it")
    own.wait_for('"advertised"')
    ours = []

    def is_found():
        ours[:] = [line for line in avahi.browse("-rtp") if line.startswith("=") and "Kitchen\\032\\0402\\041" in line]
        return {line.split(";")[2] for line in ours} == {"IPv4", "IPv6"}

    check(until(is_found), "avahi finds us over IPv4 and IPv6")
    check(all(';7000;"id=K1"' in line for line in ours), "with port and TXT record")
    other = avahi.publish("Kitchen (2)", 7003)
    line = other.wait_for("Established")
    check("#2" in line or "#" in line, "avahi leaves our name to us")
    watch = lab.start("a", TOOL, "browse", "--follow")
    watch.wait_for('"A1"')
    peer.stop()
    line = watch.event("peerLost")
    check(line["reason"] == "goodbye", "avahi's goodbye is heard")
    own.stop()
    check(until(lambda: not any("K1" in line for line in avahi.browse("-rtp"))), "avahi hears ours")


def beside_avahi():
    """On one host with a running avahi-daemon, under another user where this one may become another."""
    lab = Lab("ab")
    avahi = Avahi(lab, "a")
    avahi.publish("House", 7002, "id=A1")
    user = ["setpriv", "--reuid=65534", "--clear-groups"] if os.environ.get("INTEROP_ROOT") else []
    own = lab.start("a", *user, TOOL, "advertise", "--name", "Guest", "--port", "7000")
    own.wait_for('"advertised"')
    for name in "House", "Guest":
        sees(lab, "a", name, user=user)
        check(True, f"{name} is found on the host itself")
        sees(lab, "b", name)
        check(True, "and from another")
    check(until(lambda: any("Guest" in line for line in avahi.browse("-rtp"))), "avahi finds its guest")


def with_command():
    """The announcement ends with its command; a signal reaches both; the goodbye is said."""
    lab = Lab("ab")
    watch = lab.start("b", TOOL, "browse", "--follow")
    own = lab.start("a", TOOL, "advertise", "--name", "Shop", "--port", "7000", "--", "sh", "-c",
                    "until [ -e /run/enough ]; do sleep 0.1; done; exit 5", stderr=subprocess.DEVNULL)
    watch.wait_for("peerDiscovered")
    Path("/run/enough").touch()
    line = watch.event("peerLost")
    check(line["reason"] == "goodbye" and own.process.wait(300) == 5, "it ends with its command and says goodbye")
    own = lab.start("a", TOOL, "advertise", "--name", "Shop", "--port", "7000", "--", "sleep", "900", stderr=subprocess.DEVNULL)
    watch.wait_for("peerDiscovered")
    status = own.stop()
    line = watch.event("peerLost")
    check(line["reason"] == "goodbye" and status == 143, "and so it does on SIGTERM")


def interfaces():
    """Two interfaces, of which one goes and comes back."""
    lab = Lab("ab", links=2)
    lab.advertise("b", "Kitchen")
    watch = lab.start("a", TOOL, "browse", "--follow")
    lines = watch.event_of("Kitchen", lambda line: interfaces_of(line) == {"eth0", "eth1"})
    check(len(found(lines, "Kitchen")) == 1, "a peer on two links is told of once, with both")
    lab.run("a", "ip", "link", "set", "eth1", "down")
    lines = watch.event_of("Kitchen", lambda line: interfaces_of(line) == {"eth0"})
    check(not found(lines, "Kitchen"), "one goes")
    lab.run("a", "ip", "link", "set", "eth0", "down")
    line = watch.event("peerLost")
    check(line["reason"] == "interface", "the other one goes")
    lab.run("a", "ip", "link", "set", "eth0", "up")
    line = watch.event("peerDiscovered")
    check(line["instance"] == "Kitchen", "and comes back")


def many():
    """200 peers on one link: all are found, in little memory, and nobody says a thing twice in a second."""
    count = int(os.environ.get("INTEROP_PEERS", "200"))
    lab = Lab("a" + "b")
    packets = capture.start(lab, "b")
    peers = [
        lab.start("b", TOOL, "advertise", "--name", f"Peer {number}", "--port", 8000 + number, "--txt", f"id=P{number}")
        for number in range(count)
    ]
    for peer in peers:
        peer.wait_for('"advertised"', 120)
    time.sleep(3)
    packets.clear()
    memory = [0]
    start = time.monotonic()
    browser = lab.start("a", TOOL, "browse", "--count", count, "--timeout", "60s")

    def watch():
        while browser.process.poll() is None:
            memory.append(capture.peak_memory(browser.pid))
            time.sleep(0.01)

    threading.Thread(target=watch, daemon=True).start()
    status = browser.process.wait(90)
    took = time.monotonic() - start
    names = {line["instance"] for line in browser.events(5) if line["event"] == "peerDiscovered"}
    check(len(names) == count and status == 0, f"all {count} are found, in {took:.1f} s")
    check(max(memory) <= 16 << 20, f"in {max(memory) / 1048576:.1f} MiB")
    time.sleep(3)
    check(packets, "packets of theirs are seen")
    repeats = capture.repeats(packets)
    check(not repeats, f"no record is multicast twice in a second, among {len(packets)} packets {repeats[:3]}")
    queries = capture.query_gaps(packets)
    check(all(gap >= 0.99 for gap in queries), "nor a question asked")


def alone():
    """With neither a daemon nor a D-Bus."""
    lab = Lab("ab")
    packets = capture.start(lab, "b")
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    own = lab.start("b", TOOL, "advertise", "--name", "Alone", "--port", "7000", env=environment)
    own.wait_for('"advertised"')
    watch = lab.start("a", TOOL, "browse", "--follow", env=environment)
    watch.event_of("Alone", lambda line: ("fe80:", "eth0") in {
        (place["address"][:5], place["interface"]) for place in line["addresses"]})
    check(True, "a peer is found, and its link-local address comes with the interface")
    check(until(lambda: len(packets) > 4) and all(hops == 255 for _, _, _, hops, _ in packets), "all packets leave with 255 hops")


def only(family):
    lab = Lab("ab", families=(family,))
    lab.advertise("b", "Kitchen")
    (line,) = found(lab.browse("a", "--count", "1", *PATIENT), "Kitchen")
    check(families(line) == {family == "v6"}, f"a peer is found by {family} alone")


def only_v4():
    """Where there is no IPv6."""
    only("v4")


def only_v6():
    """Where there is no IPv4."""
    only("v6")


def flood():
    """Hosts that forge: 10,000 records a second for ever new instances, and goodbyes for a peer that stays."""
    lab = Lab("abc")
    own = lab.advertise("b", "Kitchen", "--txt", "id=K1")
    watch = lab.start("a", TOOL, "browse", "--follow", stdout=subprocess.DEVNULL)
    kitchen = lab.start("a", TOOL, "browse", "--follow", "--service", "_other._tcp")
    noise = lab.start("c", sys.executable, HERE / "noise.py")
    noise.wait_for("50000 records")
    for name, more in (("Kitchen", ()), ("Hall", ("--service", "_other._tcp"))):
        if name == "Hall":
            lab.start("b", TOOL, "advertise", "--name", name, "--port", 7001, *more)
            kitchen.wait_for(f'"{name}"')
        lines = lab.run("a", TOOL, "resolve", *more, name, *PATIENT)
        check(json.loads(lines[0])["instance"] == name, f"{name} is found amid the flood")
    peak = capture.peak_memory(watch.pid)
    check(0 < peak <= 32 << 20, f"the browser that hears it all has taken {peak / 1048576:.1f} MiB at most")
    check(watch.process.poll() is None and own.process.poll() is None, "and both are there still")
    noise.stop()
    check(sees(lab, "a", "Kitchen")["peer"]["id"] == "K1", "when it is over, the peer is found as before")


def first_line(command, text):
    """Seconds from the start of a program to its first line that has a text in it; None where it ends without."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    took = next((time.monotonic() - start for line in process.stdout if text in line), None)
    process.terminate()
    process.wait()
    return took


def speed():
    """Seconds from a start to the first resolved peer, in turn with others, as one line of JSON.

    The peer is avahi's. avahi-browse asks the daemon of its host, which has run for long and knows the answer;
    the others have a host without a daemon.
    """
    rounds = int(os.environ.get("INTEROP_ROUNDS", "20"))
    lab = Lab("abc")
    peer = Avahi(lab, "b")
    peer.publish("Kitchen", 7002, "id=A1").wait_for("Established")
    warm = Avahi(lab, "a")
    time.sleep(9)
    commands = {
        "peerdiscover": (["ip", "netns", "exec", "c", TOOL, "browse", "--count", "1"], "peerDiscovered"),
        "python-zeroconf": (["ip", "netns", "exec", "c", PYTHON, str(HERE / "zeroconf_peer.py"), "first"], "add "),
        "avahi-browse": (
            ["ip", "netns", "exec", "a", "env", f"DBUS_SYSTEM_BUS_ADDRESS={warm.environment['DBUS_SYSTEM_BUS_ADDRESS']}",
             "avahi-browse", "-rtp", "_appsync._tcp"], "=;"),
    }
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (command, text) in commands.items():
            times[name].append(first_line(command, text))
            time.sleep(1.2)
    print(json.dumps(times))


def loss():
    """The same where 30 % of the packets are lost on the way to us, or from us, over each family, as JSON."""
    rounds = int(os.environ.get("INTEROP_ROUNDS", "20"))
    lab, times = Lab([]), {}
    for number, way in enumerate(("to us", "from us")):
        us, peer = f"us{number}", f"peer{number}"
        for host in (us, peer):
            sh(f"ip netns add {host} && ip -n {host} link set lo up")
        ends = (peer, us) if way == "to us" else (us, peer)
        lab.programs.append(Program([sys.executable, str(HERE / "lossy.py"), *ends, str(number), "--loss", "0.3"]))
        lab.programs[-1].wait_for("ready")
        lab.advertise(peer, "Kitchen")
        time.sleep(2)
        flush = f"ip -n {us} addr flush dev lan"
        setups = {
            "IPv4 and IPv6": "true",
            "IPv4": f"ip -n {us} -6 addr flush dev lan",
            "IPv6": f"{flush}; ip -n {us} addr add fe80::9/64 dev lan nodad; ip -n {us} addr add fd88::9/64 dev lan nodad",
        }
        browse = ["ip", "netns", "exec", us, TOOL, "browse", "--count", "1", "--timeout", "20s"]
        for family, setup in setups.items():
            sh(setup)
            times[f"{way}, {family}"] = [first_line(browse, "peerDiscovered") or 20 for _ in range(rounds)]
    print(json.dumps(times))


def main():
    scenario = globals()[sys.argv[1].replace("-", "_")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        scenario()
    except Failed as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
    finally:
        if Lab.current:
            Lab.current.end()


main()
