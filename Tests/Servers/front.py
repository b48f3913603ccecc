"""The recipe of the cookbook for a server behind a proxy with TLS, as it is printed there: front.py PROXY."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path

from checks import HANGING, LONG, Failed, check, main, until
from household import Device, Server, change, parsed, token

TEXT = (Path(__file__).parents[2] / "docs" / "cookbook.md").read_text()
RECIPE = TEXT[TEXT.index("## My own server in ten minutes"):].split("\n## ")[0]


def blocks(language):
    """The blocks of the recipe in a language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", RECIPE, re.MULTILINE | re.DOTALL)


def mount(*folders):
    """Empty folders over those of the machine, which only this process sees."""
    for folder in folders:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", folder], check=True)


def know_the_name(folder):
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost sync.example\n")
    hosts.chmod(0o644)
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)


class Front:
    """A proxy that runs for a while."""

    def __init__(self, command, authority, **options):
        self.process = subprocess.Popen(list(map(str, command)), **options)
        self.authority = authority
        until(self.is_up, "the proxy answers with its certificate")

    def is_up(self):
        if self.process.poll() is not None:
            raise Failed(f"the proxy has ended with {self.process.returncode}")
        try:
            return self.authority.exists() and parsed(self.ask("GET /health HTTP/1.1\r\nHost: sync.example\r\n"))[0] == 200
        except OSError:
            return False

    def ask(self, head, body=b""):
        """A request through the proxy; gives all that comes."""
        context = ssl.create_default_context(cafile=self.authority)
        with socket.create_connection(("sync.example", 443), timeout=HANGING) as raw:
            with context.wrap_socket(raw, server_hostname="sync.example") as connection:
                connection.sendall(f"{head}Connection: close\r\n\r\n".encode() + body)
                taken = b""
                while part := connection.recv(65536):
                    taken += part
                return taken

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(HANGING)


def waits(front, server, key):
    """A request that waits comes through, and so does its answer, at once."""
    bearer = f"Host: sync.example\r\nAuthorization: Bearer {key}\r\n"
    since = token(parsed(front.ask(f"GET /changes HTTP/1.1\r\n{bearer}"))[1])
    answers = []

    def wait(seconds):
        begun = time.monotonic()
        answer = front.ask(f"GET /changes?since={since}&wait={seconds} HTTP/1.1\r\n{bearer}")
        answers.append((time.monotonic() - begun, *parsed(answer)))

    wait(2)
    taken, status, _ = answers[-1]
    check(status == 200 and taken >= 2, f"nothing comes, and the answer after the time that was asked for: {taken:.1f} s")
    if LONG:
        wait(50)
        taken, status, _ = answers[-1]
        check(status == 200 and taken >= 50, f"also where that is long: {taken:.1f} s")
    waiting = threading.Thread(target=wait, args=(50,))
    waiting.start()
    time.sleep(1)
    check(len(answers) == 1 + LONG, "nothing is told before there is something")
    server.ask(key, "POST", body=change("woken"))
    waiting.join()
    taken, status, text = answers[-1]
    check(status == 200 and "woken" in text and taken < 40, f"a change ends the wait: {taken:.1f} s")


def recipe(folder, front, server, authority):
    """The device's part of the recipe, and what a real sync needs of the proxy."""
    desk, phone = Device(folder, "desk"), Device(folder, "phone")
    (_, _, adding) = blocks("sh")
    for device in desk, phone:
        key, file = server.key("--device", device.home.name)
        settings = device.home / ".config" / "peersync"
        settings.mkdir(parents=True)
        shutil.copy(file, settings / "key")
        shutil.copy(authority, device.home / "sync.example.pem")
        device.put(1, *(f"{device.home.name}{each}" for each in range(50)))
        done = subprocess.run(
            ["sh", "-e", "-c", adding], cwd=device.home, env=device.environment, capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"the recipe as it is printed on {device.home.name} {done.stderr}")
    desk.run()
    check(desk.dump() == phone.dump() == server.dump() != "", "both devices have the same")
    waits(front, server, key)
    large_key, _ = server.key(household="other")
    large = "".join(change(f"large{each}", filling="x" * 100_000) for each in range(200))
    head = f"POST /changes HTTP/1.1\r\nHost: sync.example\r\nAuthorization: Bearer {large_key}\r\nContent-Length: {len(large)}\r\n"
    status, report = parsed(front.ask(head, large.encode()))
    check(status == 200 and report["taken"] == 200, f"a body of {len(large) >> 20} MiB goes through")
    follow = desk.started("--follow")
    try:
        phone.put(5, "followed")
        phone.run()
        until(lambda: "followed" in desk.keys(), "a change of one device is at the other that follows")
        # One that is kept waiting does not ask again and again.
        before = len(server.log())
        time.sleep(1)
        check(len(server.log()) - before < 3, "and who follows asks once, and waits")
    finally:
        follow.terminate()
        follow.wait()


def nginx(folder):
    shutil.copy("/etc/ssl/openssl.cnf", folder)
    mount("/etc/ssl", "/etc/nginx/conf.d", "/run", "/var/log/nginx", "/var/lib/nginx")
    shutil.copy(folder / "openssl.cnf", "/etc/ssl")
    know_the_name(folder)
    (settings,), (_, certificate, _) = blocks("nginx"), blocks("sh")
    subprocess.run(["sh", "-e", "-c", certificate], check=True, capture_output=True)
    Path("/etc/nginx/conf.d/sync.conf").write_text(settings)
    authority = Path("/etc/ssl/sync.example.pem")
    with Server(folder / "server", households=("home", "other")) as server, Front(["nginx", "-g", "daemon off;"], authority) as front:
        recipe(folder, front, server, authority)


def caddy(folder):
    know_the_name(folder)
    (settings,) = blocks("caddy")
    # What differs from the recipe: an authority of its own, as nobody else can be asked here.
    (folder / "Caddyfile").write_text("{\nlocal_certs\nskip_install_trust\nadmin off\n}\n" + settings)
    environment = os.environ | {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    authority = folder / "data/caddy/pki/authorities/local/root.crt"
    command = ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]
    with open(folder / "caddy.log", "wb") as log, Server(folder / "server", households=("home", "other")) as server, Front(
            command, authority, env=environment, stdout=log, stderr=log) as front:
        recipe(folder, front, server, authority)


main(nginx, caddy)
