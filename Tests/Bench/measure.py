"""Runs commands and says what they took: in turn, so that a machine that slows down slows both sides."""

import os
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass

# ru_maxrss is in KiB on Linux, in bytes on macOS.
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024

# How often the memory of a process is read.
SAMPLE_SECONDS = 0.002


class Failure(Exception):
    """A command did not end with 0."""


@dataclass(frozen=True)
class Run:
    """Seconds of a command, with those of its children."""

    wall: float
    user: float = 0.0


@dataclass(frozen=True)
class Memory:
    """The peaks of a process in bytes: all of its resident memory, and what of it is no file's."""

    resident: int
    anonymous: int


def spawn(command, errors):
    """Starts a command with an empty input and its output thrown away; posix_spawn costs least."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
    ]
    return os.posix_spawnp(command[0], command, os.environ, file_actions=actions)


def check(command, status, errors):
    if status != 0:
        errors.seek(0)
        said = errors.read(2000).decode(errors="replace")
        raise Failure(f"{' '.join(command)}: status {os.waitstatus_to_exitcode(status)}\n{said}")


def run(command):
    """Times one run of a command."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        _, status, usage = os.wait4(spawn(command, errors), 0)
        wall = time.perf_counter() - start
        check(command, status, errors)
    return Run(wall, usage.ru_utime)


def starts(command, times):
    """Times one of so many starts of a command that has nothing to do."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        for _ in range(times):
            _, status = os.waitpid(spawn(command, errors), 0)
            check(command, status, errors)
        return Run((time.perf_counter() - start) / times)


def in_turn(measurements, rounds):
    """Takes measurements A B C A B C, after one of each to warm up; gives the list of each."""
    for measurement in measurements:
        measurement()
    taken = [[measurement() for measurement in measurements] for _ in range(rounds)]
    return [list(one) for one in zip(*taken)]


def commands_in_turn(commands, rounds):
    return in_turn([lambda command=command: run(command) for command in commands], rounds)


def median(runs, of="wall"):
    return statistics.median(getattr(one, of) for one in runs)


def median_ratio(ours, theirs, of="wall"):
    """The median of the ratios of the rounds, which is steadier than the ratio of the medians."""
    return statistics.median(
        getattr(a, of) / max(getattr(b, of), 1e-6) for a, b in zip(ours, theirs))


def can_see_memory():
    return os.path.exists("/proc/self/status")


def status_of(process, names):
    """Values of /proc/PID/status in bytes; 0 where the process has just ended."""
    values = dict.fromkeys(names, 0)
    try:
        with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name in values:
                    values[name] = int(value.split()[0]) * 1024
    except ProcessLookupError:
        pass
    return [values[name] for name in names]


def memory_of(command):
    """Runs a command and watches its memory; not to be timed, since watching takes time too.

    The kernel's own peak counts where it can be told from that of this process, which a child starts with.
    """
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    resident = anonymous = ended = 0
    with tempfile.TemporaryFile() as errors:
        process = spawn(command, errors)
        while not ended:
            highest, current = status_of(process, ["VmHWM", "RssAnon"])
            resident, anonymous = max(resident, highest), max(anonymous, current)
            time.sleep(SAMPLE_SECONDS)
            ended, status, usage = os.wait4(process, os.WNOHANG)
        check(command, status, errors)
    if usage.ru_maxrss > own:
        resident = usage.ru_maxrss * MAXRSS_UNIT
    return Memory(resident, anonymous)
