"""Connections that break off, crowd the door or waste time: strangers.py SCENARIO, in an empty folder."""

import ctypes
import select
import socket
import ssl
import subprocess
import threading
import time
import uuid

from devices import Device, Failed, Listener, check, connect, main, receive


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
            time.sleep(0.02)
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
        while "\n" not in (line := events.read_text(encoding="utf-8")):
            time.sleep(0.02)
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


class Crowd:
    """Strangers at some addresses who connect one after the other, and say nothing."""

    def __init__(self, port, sources, target="127.0.0.1"):
        self.sources, self.target = sources, (target, port)
        self.connections = []

    def knock(self, count):
        """Returns once all but a few of the connections were closed by the other side, so that it has looked at each."""
        for _ in range(count):
            source = self.sources[len(self.connections) % len(self.sources)]
            self.connections.append(self.connect(source))
        waiting = select.poll()
        for connection in self.connections:
            waiting.register(connection, select.POLLIN)
        while len(waiting.poll()) < len(self.connections) - 5:
            time.sleep(0.02)

    def connect(self, source):
        family, *_, target = socket.getaddrinfo(*self.target, type=socket.SOCK_STREAM)[0]
        connection = socket.socket(family)
        connection.bind(socket.getaddrinfo(source, 0, type=socket.SOCK_STREAM)[0][4])
        connection.connect(target)
        return connection

    def knock_until(self, done):
        while not done.is_set():
            for source in self.sources:
                self.connect(source).close()


def greets(device, connection):
    """Whether a connection is let in by now."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(device.pem)
    try:
        return receive(context.wrap_socket(connection)) == {}
    except OSError:
        return False


def crowded_pairing():
    """Eight addresses connect all the time: whoever comes seldom stays, however slow, and a scanner pairs."""
    laptop, phone = Device("laptop"), Device("phone")
    with Offering(laptop, "--port", "0") as offer:
        crowd = Crowd(offer.port, [f"127.0.0.{number}" for number in range(2, 10)])
        crowd.knock(40)
        slow = connect(offer.port)
        crowd.knock(400)
        check(greets(phone, slow), "a connection that had said nothing yet is still there after 400 others")
        done = threading.Event()
        threads = [threading.Thread(target=crowd.knock_until, args=(done,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        scan = offer.scan(phone)
        done.set()
        for thread in threads:
            thread.join()
        check(scan.status == 0, f"a scanner pairs while they go on: {scan.errors}")
        check(offer.process.wait(300) == 0, "and the provider is done")


def crowd_of_one_network():
    """A hundred link-local addresses of one interface are one network; needs a network of its own."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    sources = [f"fe80::{number:x}" for number in range(0x101, 0x165)]
    for address in ["fe80::1", *sources]:
        subprocess.run(["ip", "-6", "address", "add", f"{address}/64", "dev", "lo", "nodad"], check=True)
    laptop, phone = Device("laptop"), Device("phone")
    with Offering(laptop) as offer:
        crowd = Crowd(offer.port, [f"{source}%lo" for source in sources], "fe80::1%lo")
        slow = connect(offer.port)
        crowd.knock(100)
        check(greets(phone, slow), "a connection from elsewhere is still there after one from each of 100 addresses")


def few_descriptors():
    """With 64 descriptors: strangers who say nothing keep no peer out, and a limit that can be raised is raised."""
    laptop, phone = Device("laptop", ["prlimit", "--nofile=64:64"]), Device("phone")
    phone.pair(laptop)
    with Listener(laptop, command=["cat"]) as door:
        silent = [connect(door.port) for _ in range(200)]
        done = phone.run("peerlink", "connect", f"127.0.0.1:{door.port}", text="hello\n")
        check(done.status == 0 and done.output == "hello\n", f"a peer gets in: {done.errors}")
        for connection in silent:
            connection.close()
    laptop.prefix = ["prlimit", "--nofile=64:512"]
    with Listener(laptop, command=["cat"]) as door:
        with open(f"/proc/{door.process.pid}/limits", encoding="utf-8") as limits:
            line = next(line for line in limits if line.startswith("Max open files"))
        check(line.split()[3] == "512", "the soft limit is the hard one")


class TLSClient:
    """A client that asks more of the library than Python's own."""

    KEY_FILE_PEM, VERIFY_NONE = 1, 0

    def __init__(self, device, port):
        self.ssl = ctypes.CDLL("libssl.so.3")
        for name in ("TLS_client_method", "SSL_CTX_new", "SSL_new"):
            getattr(self.ssl, name).restype = ctypes.c_void_p
        context = ctypes.c_void_p(self.ssl.SSL_CTX_new(ctypes.c_void_p(self.ssl.TLS_client_method())))
        pem = device.pem.encode()
        self.ssl.SSL_CTX_use_certificate_file(context, pem, self.KEY_FILE_PEM)
        self.ssl.SSL_CTX_use_PrivateKey_file(context, pem, self.KEY_FILE_PEM)
        self.ssl.SSL_CTX_set_verify(context, self.VERIFY_NONE, None)
        self.connection = connect(port)
        self.connection.setblocking(True)
        self.session = ctypes.c_void_p(self.ssl.SSL_new(context))
        self.ssl.SSL_set_fd(self.session, self.connection.fileno())
        if self.ssl.SSL_connect(self.session) != 1:
            raise Failed("no handshake")

    def read(self):
        """How many bytes have come; 0 or less at the end."""
        return self.ssl.SSL_read(self.session, ctypes.create_string_buffer(1024), 1024)

    def write(self, data):
        return self.ssl.SSL_write(self.session, data, len(data))

    def change_key(self):
        """False where nothing can be sent any more."""
        return self.ssl.SSL_key_update(self.session, 0) == 1 and self.ssl.SSL_do_handshake(self.session) == 1


def flood_of_key_updates():
    """Changes of the key, which cost the other side work and no answer: some are taken, and a flood ends the link."""
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    with Listener(laptop, command=["cat"]) as door:
        client = TLSClient(phone, door.port)
        check(client.read() > 0, "there is a greeting")
        check(all(client.change_key() for _ in range(16)) and client.write(b"hello") == 5, "16 changes of the key")
        check(client.read() == 5, "are taken, and the link goes on")
        for _ in range(100):
            client.change_key()
        client.write(b"hello")
        check(client.read() <= 0, "with more of them it ends")
        check(door.ended(1) == ["protocolBroken"], "protocolBroken at the other side")


def flood_of_requests():
    """A device that answers a caller with requests for a handshake without end, which a caller skips one by one."""
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    requests = b"\x16\x03\x03\x40\x00" + bytes(0x4000)
    with socket.create_server(("127.0.0.1", 0)) as door:
        def flood():
            connection, _ = door.accept()
            with connection:
                connection.recv(65_536)
                for _ in range(2_000):
                    connection.sendall(requests)
        flooding = threading.Thread(target=lambda: attempt(flood))
        flooding.start()
        caller = phone.run("peerlink", "connect", f"127.0.0.1:{door.getsockname()[1]}", text="")
        flooding.join()
    check(caller.status == 76 and "handshake messages" in caller.errors, "the call ends: protocolBroken")


def ever_new_addresses():
    """A stranger who announces a peer's id at one address after the other does not keep a run from ending."""
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    # Only ends what hangs.
    end = time.monotonic() + 120

    def announce(number):
        while time.monotonic() < end:
            with socket.create_server(("127.0.0.1", 0)) as door:
                words = ["peerdiscover", "advertise", "--interface", "lo", "--name", f"{number} {uuid.uuid4()}"]
                facts = ["--port", str(door.getsockname()[1]), "--txt", "pv=2", "--txt", f"id={laptop.id}"]
                with subprocess.Popen([*words, *facts], stdout=subprocess.DEVNULL) as advertiser:
                    door.settimeout(1)
                    attempt(lambda: door.accept()[0].close())
                    advertiser.terminate()
    strangers = [threading.Thread(target=announce, args=[number]) for number in range(6)]
    for stranger in strangers:
        stranger.start()
    begin = time.monotonic()
    run = phone.run("peersync", "run", "--interface", "lo", "--timeout", "3s", "--verbose", "laptop")
    took = time.monotonic() - begin
    end = 0
    for stranger in strangers:
        stranger.join()
    check(run.errors.count("a device answers") > 1, "several of them are tried")
    check(run.status != 0 and took < 60, f"the run ends in time: {took:.1f} s")


def attempt(action):
    """What the other side may break off."""
    try:
        action()
    except OSError:
        pass


def log_of_strangers():
    """A thousand connections that come to nothing: some are written down, and how many more there were."""
    laptop, phone = Device("laptop"), Device("phone")
    phone.pair(laptop)
    with Listener(laptop, command=["cat"], quiet=False) as door:
        for _ in range(1_000):
            with connect(door.port) as connection:
                connection.sendall(b"hello")
        # Behind all of them.
        check(phone.run("peerlink", "connect", f"127.0.0.1:{door.port}", text="").status == 0, "a peer gets in")
    refused = door.events("peerRefused")
    more = sum(event["count"] for event in door.events("peersRefused"))
    check(len(refused) < 100, f"{len(refused)} events are written, each code at most 20 times")
    check(len(refused) + more == 1_000, "the others are counted")
    notes = [line for line in door.errors.splitlines() if "more like this" in line]
    check(len(door.errors.splitlines()) < 200 and notes, "and so it is on standard error")


SCENARIOS = [
    lost_ack, lost_ack_of_a_filter, interrupted_wait, crowded_pairing, crowd_of_one_network, few_descriptors,
    flood_of_key_updates, flood_of_requests, ever_new_addresses, log_of_strangers,
]


main(SCENARIOS)
