"""Hosts on a link of their own: network namespaces inside those of this process, which unshare has made.

run.sh starts a scenario as `unshare -Urnm --map-root-user`, or plainly as root.
"""

import contextlib
import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

TOOL = os.environ.get("PEERDISCOVER", "peerdiscover")
PYTHON = os.environ.get("INTEROP_PYTHON", sys.executable)
# In seconds. Only ends what hangs: nothing rests on how fast something is.
HANGING = 300
CLONE_NEWNET = 0x40000000


def sh(command):
    subprocess.run(command, shell=True, check=True)


@contextlib.contextmanager
def inside(host):
    """What this thread opens meanwhile belongs to a host."""
    libc = ctypes.CDLL(None, use_errno=True)
    spaces = [os.open(path, os.O_RDONLY) for path in ("/proc/thread-self/ns/net", f"/run/netns/{host}")]

    def enter(space):
        if libc.setns(space, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"setns {host}")

    try:
        enter(spaces[1])
        yield
    finally:
        enter(spaces[0])
        for space in spaces:
            os.close(space)


class Failed(Exception):
    """What should hold does not."""


def check(holds, what):
    if not holds:
        raise Failed(what)
    print(f"ok: {what}", flush=True)


def until(holds):
    """Whether something holds, now or in time."""
    deadline = time.monotonic() + HANGING
    while not (done := holds()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return done


class Program:
    """A program that runs, and the lines that it writes."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, **{"stdout": subprocess.PIPE, "text": True, **options})
        self.pid = self.process.pid
        self.lines = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout or ():
            self.lines.put(line)
        self.lines.put(None)

    def line(self, deadline):
        """The next line; None at the end, or when the time is over."""
        try:
            return self.lines.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            return None

    def wait_for(self, text, seconds=HANGING):
        """The first line that has a text in it."""
        deadline = time.monotonic() + seconds
        while line := self.line(deadline):
            if text in line:
                return line
        raise Failed(f"{self.process.args}: no '{text}' in {seconds} s, status {self.process.poll()}")

    def event(self, text, seconds=HANGING):
        return json.loads(self.wait_for(text, seconds))

    def event_of(self, instance, holds):
        """The events up to the first of an instance with addresses of which something holds."""
        deadline, found = time.monotonic() + HANGING, []
        while line := self.line(deadline):
            found.append(json.loads(line))
            if found[-1].get("instance") == instance and found[-1].get("addresses") and holds(found[-1]):
                return found
        raise Failed(f"{self.process.args}: no such event of {instance} among {found}")

    def events(self, seconds):
        """The event lines that come within a time."""
        deadline = time.monotonic() + seconds
        found = []
        while line := self.line(deadline):
            found.append(json.loads(line))
        return found

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(HANGING)


class Lab:
    """A switch, and hosts a, b, c and so on with one interface each, eth0, or two."""

    current = None

    def __init__(self, hosts, families=("v4", "v6"), links=1):
        self.programs = []
        Lab.current = self
        self.families = families
        sh("mount -t tmpfs tmpfs /run && mkdir -p /run/netns && ip netns add sw && ip -n sw link set lo up")
        for link in range(links):
            sh(f"ip -n sw link add br{link} type bridge mcast_snooping 0 forward_delay 0 && ip -n sw link set br{link} up")
        for number, host in enumerate(hosts, 1):
            sh(f"ip netns add {host} && ip -n {host} link set lo up")
            for link in range(links):
                self.plug(host, number, link)

    def plug(self, host, number, link):
        sh(f"ip -n sw link add p{link}{host} type veth peer name eth{link} netns {host}")
        sh(f"ip -n sw link set p{link}{host} master br{link} up")
        if "v6" in self.families:
            sh(f"ip netns exec {host} sysctl -qw net.ipv6.conf.eth{link}.accept_dad=0")
        else:
            sh(f"ip netns exec {host} sysctl -qw net.ipv6.conf.eth{link}.disable_ipv6=1")
        sh(f"ip -n {host} link set eth{link} up multicast on")
        if "v4" in self.families:
            sh(f"ip -n {host} addr add 10.{77 + link}.{number >> 8}.{number & 255}/16 dev eth{link}")
            sh(f"ip -n {host} route replace 224.0.0.0/4 dev eth0 2>/dev/null || true")
        if "v6" in self.families:
            sh(f"ip -n {host} addr add fd77:{link}::{number:x}/64 dev eth{link} nodad")

    def start(self, host, *command, **options):
        """Starts a program on a host; what it writes is read as lines."""
        program = Program(["ip", "netns", "exec", host, *map(str, command)], **options)
        self.programs.append(program)
        return program

    def run(self, host, *command, timeout=600, status=0, **options):
        """Runs a program on a host and gives its lines."""
        done = subprocess.run(
            ["ip", "netns", "exec", host, *map(str, command)], stdout=subprocess.PIPE, text=True, timeout=timeout,
            **options)
        if status is not None and done.returncode != status:
            raise Failed(f"{' '.join(map(str, command))}: status {done.returncode}, not {status}")
        return done.stdout.splitlines()

    def browse(self, host, *options, **more):
        return [json.loads(line) for line in self.run(host, TOOL, "browse", *options, **more)]

    def advertise(self, host, name, *options, port=7000):
        """Starts to announce, and waits until the name is taken."""
        program = self.start(host, TOOL, "advertise", "--name", name, "--port", port, *options)
        program.wait_for('"advertised"')
        return program

    def end(self):
        for program in self.programs:
            if program.process.poll() is None:
                program.process.send_signal(signal.SIGTERM)
        for program in self.programs:
            try:
                program.process.wait(5)
            except subprocess.TimeoutExpired:
                program.process.kill()
