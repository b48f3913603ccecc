"""What a capture of a link shows: capture.py SCENARIO. As root of a network namespace."""

import os
import signal
import subprocess
import time

from checks import HANGING, check, main, tool, until

PORT = 27_411


def pair(folder):
    """Two devices that trust each other; gives their environments."""
    devices = {}
    for name in "laptop", "phone":
        (folder / name).mkdir(mode=0o700)
        devices[name] = os.environ | {"PEERSYNC_HOME": str(folder / name)}
        tool("peerpair", "identity", "--device-name", name, environment=devices[name])
    with open(folder / "symbol", "wb") as symbol:
        showing = subprocess.Popen(
            ["peersync", "pair", "--yes", "--quiet", "--port", "27412"], env=devices["laptop"], stdout=symbol)
    until(lambda: (folder / "symbol").stat().st_size, "the symbol is shown")
    tool("peersync", "pair", "--yes", "--scan", folder / "symbol", "--address", "127.0.0.1:27412",
         environment=devices["phone"])
    check(showing.wait(HANGING) == 0, "both trust each other")
    return devices


def is_quiet(file):
    """Whether nothing came to the file for a second: a busy tcpdump writes long after the last packet."""
    before = file.stat().st_size
    time.sleep(1)
    return file.stat().st_size == before


def decrypted(folder):
    """tshark reads by the key log what went over a TLS link, and by nothing else."""
    devices = pair(folder)
    capture, keys, events = folder / "link.pcap", folder / "keys", folder / "events"
    keys.write_text("# mine\n")
    keys.chmod(0o644)
    with open(folder / "tcpdump", "w", encoding="utf-8") as said:
        dumping = subprocess.Popen(
            ["tcpdump", "-i", "lo", "-U", "-B", "32768", "-w", capture, "-Z", "root", f"port {PORT}"], stderr=said)
    until(lambda: "listening on" in (folder / "tcpdump").read_text(), "tcpdump listens")
    serving = subprocess.Popen(
        ["peerlink", "listen", "--once", "--quiet", "--port", str(PORT), "--events", events, "--", "cat"],
        env=devices["laptop"])
    until(lambda: events.exists() and events.stat().st_size, "the laptop listens")
    text = "".join(f"line {number} of a secret\n" for number in range(20_000))
    done = tool("peerlink", "connect", f"127.0.0.1:{PORT}", "--key-log", keys, text=text, status=None,
                environment=devices["phone"])
    check(done.returncode == 0 and done.stdout == text, "all comes back")
    check("can read all data" in done.stderr, f"the user is warned: {done.stderr.strip()}")
    serving.wait(HANGING)
    until(lambda: capture.stat().st_size > 2 * len(text) and is_quiet(capture), "the capture has it")
    dumping.send_signal(signal.SIGINT)
    dumping.wait(HANGING)
    check(keys.stat().st_mode & 0o777 == 0o600, "the keys are for the owner alone")
    labels = [line.split()[0] for line in keys.read_text().splitlines()]
    check(labels[0] == "#" and {"CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"} < set(labels),
          f"they are added: {labels[1:]}")

    def read(*options):
        said = tool("tshark", "-r", capture, *options, "-d", f"tcp.port=={PORT},tls", "-q", "-z", "follow,tls,raw,0")
        lines = [line for line in said.splitlines() if line.strip("\t0123456789abcdef") == ""]
        # The other side's are indented.
        return [bytes.fromhex("".join(line.strip() for line in lines if line.startswith("\t") == is_other))
                for is_other in (False, True)]

    found = read("-o", f"tls.keylog_file:{keys}")
    check("\n0 packets dropped by kernel" in (folder / "tcpdump").read_text(), "tcpdump got every packet")
    check(all(text.encode() in part for part in found), "with the keys both directions can be read")
    check(not any(b"secret" in part for part in read()), "without them nothing can")
    check(b"secret" not in capture.read_bytes(), "nor is it in the capture")


if __name__ == "__main__":
    main(decrypted)
