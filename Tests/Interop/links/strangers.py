"""Connections that break off, crowd the door or waste time: strangers.py SCENARIO, in an empty folder."""

import socket
import subprocess
import sys
import threading

from devices import Device, Failed, check


class Offering:
    """`peersync pair` of a device, which shows a payload and waits."""

    def __init__(self, device, *options):
        self.device = device
        self.errors_file = device.home / "errors"
        words = ["peersync", "pair", "--yes", *options]
        with open(self.errors_file, "wb") as errors:
            self.process = subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=errors, text=True, env=device.environment)
        self.payload = self.process.stdout.readline()
        self.port = self.find_port()

    def find_port(self):
        """From the note that it writes once it listens, before it takes a connection."""
        while self.process.poll() is None:
            words = self.errors_file.read_text(encoding="utf-8").split("listening on port ")
            if len(words) > 1 and '"' in words[1]:
                return int(words[1].split('"')[0])
        raise Failed(self.errors_file.read_text(encoding="utf-8"))

    def scan(self, device, port=None, *options):
        place = ["--address", f"127.0.0.1:{port or self.port}"]
        return device.run("peersync", "pair", "--yes", "--scan", "-", *place, *options, text=self.payload)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def pump(source, sink):
    """All that comes, until one side ends."""
    try:
        while data := source.recv(65_536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class CutBehindTrust:
    """A network that breaks the connection off with the first bytes that a provider sends after it has stored the scanner."""

    def __init__(self, provider, port):
        self.provider, self.target = provider, port
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.has_cut = threading.Event()
        threading.Thread(target=self.relay, daemon=True).start()

    def relay(self):
        scanner, _ = self.socket.accept()
        provider = socket.create_connection(("127.0.0.1", self.target))
        threading.Thread(target=pump, args=(scanner, provider), daemon=True).start()
        while data := provider.recv(65_536):
            if self.provider.trust:
                self.has_cut.set()
                break
            scanner.sendall(data)
        for end in (scanner, provider):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


def lost_ack():
    """The last ack of a pairing is lost: the same scanner can repeat it, and no other can."""
    laptop, phone, thief = Device("laptop"), Device("phone"), Device("thief")
    with Offering(laptop) as offer:
        network = CutBehindTrust(laptop, offer.port)
        done = offer.scan(phone, network.port)
        check(network.has_cut.is_set() and done.status == 75, f"the ack is lost, and the scanner says try again: {done.status}")
        check(laptop.trusts(phone) and not phone.trusts(laptop), "the provider trusts the scanner, and not the other way round")
        check(phone.id in offer.process.stdout.readline(), "the peer is written at once")
        done = offer.scan(thief)
        check(done.status == 77 and "invalidPairingSession" in done.errors, "another scanner is refused")
        done = offer.scan(phone)
        check(done.status == 0 and phone.trusts(laptop), f"the scanner repeats it: {done.errors}")
        check(offer.process.wait(300) == 0, "which is the end for the provider too")
        check(offer.process.stdout.read() == "", "nothing is written twice")
    check(not laptop.trusts(thief) and laptop.trust.count("\n") == 1, "nobody else is trusted")


def lost_ack_of_a_filter():
    """The same with `peerpair provide` behind `peerlink listen --once`."""
    laptop, phone = Device("laptop"), Device("phone")
    payload = laptop.payload()
    provide = ["frame", "exec", "--", "peerpair", "provide", "--quiet", "--payload", payload]
    events = laptop.home / "events"
    events.touch()
    words = ["peerlink", "listen", "--quiet", "--once", "--events", events, "--allow-unpaired", "--session", payload]
    process = subprocess.Popen(list(map(str, [*words, "--", *provide])), env=laptop.environment)
    try:
        while not (line := events.read_text(encoding="utf-8")):
            pass
        port = int(line.split('"port":')[1].split("}")[0])
        network = CutBehindTrust(laptop, port)
        done = phone.scan(payload, network.port)
        check(network.has_cut.is_set() and done.status == 75, f"the ack is lost: {done.status}")
        done = phone.scan(payload, port)
        check(done.status == 0 and phone.trusts(laptop), f"the scanner repeats it: {done.errors}")
        check(process.wait(300) == 0, "and --once is over")
    finally:
        process.kill()


def interrupted_wait():
    """Whoever does not want to wait for a scanner that may come again sends a signal: the pairing is done."""
    laptop, phone = Device("laptop"), Device("phone")
    with Offering(laptop) as offer:
        network = CutBehindTrust(laptop, offer.port)
        check(offer.scan(phone, network.port).status == 75, "the ack is lost")
        check(phone.id in offer.process.stdout.readline(), "the peer is written at once")
        offer.process.terminate()
        check(offer.process.wait(300) == 0, "ended by a signal, with 0")


SCENARIOS = [lost_ack, lost_ack_of_a_filter, interrupted_wait]


def main():
    name = sys.argv[1]
    if name == "list":
        print("\n".join(scenario.__name__ for scenario in SCENARIOS))
        return
    scenario = next(one for one in SCENARIOS if one.__name__ == name)
    try:
        scenario()
    except Failed as failure:
        sys.exit(f"not so: {failure}")


main()
