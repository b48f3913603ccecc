"""notify send against a push service: one scenario a run, which ends with an error where something is not as it must be.

usage: push.py NOTIFY SCENARIO
"""

import collections
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from push_sender import Sender, check, expect, notification, token
from push_service import KEY_ID, TOPIC, Answer, Service
from push_week import Simulation

NOTIFY = sys.argv[1]
START = datetime.datetime(2026, 3, 23, tzinfo=datetime.timezone.utc)
# How much more memory many pushes may take than few.
FLAT = 1.25


# MARK: Scenarios


def contract(sender):
    """Every answer that Apple documents, and what becomes of the push and the device."""
    now = int(time.time() * 1000)
    answers = {
        1: [Answer()],
        2: [Answer(400, "BadDeviceToken")],
        3: [Answer(400, "DeviceTokenNotForTopic")],
        4: [Answer(410, "Unregistered", timestamp=now + 3_600_000)],
        5: [Answer(410, "Unregistered", timestamp=1_000)],
        6: [Answer(413, "PayloadTooLarge")],
        7: [Answer(429, "TooManyRequests"), Answer()],
        8: [Answer(500, "InternalServerError"), Answer(500, "InternalServerError"), Answer()],
        9: [Answer(503, "ServiceUnavailable", headers=[("retry-after", "1")]), Answer()],
    }
    wanted = {
        1: ("sent", 200, None), 2: ("pruned", 400, "BadDeviceToken"), 3: ("failed", 400, "DeviceTokenNotForTopic"),
        4: ("pruned", 410, "Unregistered"), 5: ("failed", 410, "Unregistered"), 6: ("failed", 413, "PayloadTooLarge"),
        7: ("sent", 200, None), 8: ("sent", 200, None), 9: ("sent", 200, None)}
    for number in answers:
        sender.device("ann", token(number))
    left = {token(number): list(steps) for number, steps in answers.items()}
    times = collections.defaultdict(list)

    def behave(push):
        times[push.device].append(time.monotonic())
        return left[push.device].pop(0)

    sender.service.behave = behave
    sender.add(notification(1))
    results, prunes, summary = sender.send(status=65)
    handles = {line["device"]: line for line in results}
    check(len(handles) == 9, "not one result a device")
    final = {line["device"]: (line["outcome"], line["status"], line.get("reason")) for line in results}
    expect(sorted(final.values(), key=str), sorted(wanted.values(), key=str), "results")
    expect(sorted(prune["token"] for prune in prunes), [token(2), token(4)], "prune lines")
    expect({prune["memberID"] for prune in prunes}, {"ann"}, "members of prune lines")
    expect(len(sender.lines("devices", "list")), 7, "devices that are left")
    expect({device for device, steps in left.items() if steps}, set(), "answers that were not asked for")
    expect(summary, {"sent": 4, "failed": 3, "pruned": 2, "retried": 4, "expired": 0, "merged": 0, "waiting": 0}, "counts")
    check(times[token(9)][1] - times[token(9)][0] >= 1, "Retry-After was not waited for")
    for device, steps in times.items():
        ids = {push.id for push in sender.service.pushes if push.device == device}
        expect(len(ids), 1, f"ids of {len(steps)} attempts")
    expect(sender.service.connections, 1, "connections")
    expect(sender.send()[0], [], "what another run sends")
    # The push was sent to some devices; those that did not get it can get it after all.
    expect(len(sender.lines("outbox", "list", "--state", "failed")), 1, "pushes that failed on some devices")
    sender.service.behave = lambda push: Answer()
    expect(sender.lines("outbox", "retry"), [{"retried": 1}], "retry")
    expect(sender.send()[2]["sent"], 3, "sent to the devices that had not got it")


def kinds(sender):
    """Headers and bodies of each kind, and limits that are checked before anything is sent."""
    sender.device("ann", token(1))
    sender.add(*[notification(n, kind=kind) for n, kind in enumerate(["assigned", "completed", "skipped", "reminder", "pull"])])
    sender.send()
    by_kind = collections.Counter(push.headers["apns-push-type"] for push in sender.service.pushes)
    expect(by_kind, {"alert": 4, "background": 1}, "push types")
    expect({push.status for push in sender.service.pushes}, {200}, "answers")
    push = next(push for push in sender.service.pushes if push.headers["apns-collapse-id"] == "c3")
    body = json.loads(push.body)
    expect((body["aps"]["alert"]["title"], body["occurrenceID"]), ("Dishes", "o3"), "body")
    for number, members in (10, {"body": "x" * 4200}), (11, {"collapseID": "x" * 65}):
        line = json.dumps(notification(number, **members))
        done = sender.run("outbox", "add", "--errors", "json", text=line, status=65)
        expect(json.loads(done.stderr.splitlines()[0])["error"]["code"], "payloadTooLarge", "the code")
    before = len(sender.service.pushes)
    sender.add(notification(12))
    lines = sender.lines("send", "--dry-run", "--topic", TOPIC)
    expect(len(sender.service.pushes), before, "a dry run sends")
    sender.send()
    sent = sender.service.pushes[-1]
    shown = {name: value for name, value in lines[0]["headers"].items() if name not in (":path", "authorization")}
    expect({name: sent.headers[name] for name in shown}, shown, "the headers of a dry run")
    expect(sent.body.decode(), lines[0]["body"], "the body of a dry run")


def refusal(sender):
    """A key that the service does not want ends the run with the first push; the others wait."""
    for number in range(5):
        sender.add(notification(number))
    sender.device("ann", token(1))
    sender.service.behave = lambda push: Answer(403, "InvalidProviderToken")
    results, _, summary = sender.send(status=77)
    expect([line["outcome"] for line in results], ["failed"], "results")
    expect(summary["waiting"], 4, "pushes that wait")
    sender.service.behave = lambda push: Answer()
    expect(sender.lines("outbox", "retry"), [{"retried": 1}], "retry")
    expect(sender.send()[2]["sent"], 5, "sent once the key is right")


def astray(sender):
    """A service that knows none of the devices, as at a wrong address: none is forgotten, and the pushes wait."""
    for number in range(1, 31):
        sender.device("ann", token(number))
    sender.add(notification(1))
    right, sender.service.behave = sender.service.behave, lambda push: Answer(400, "BadDeviceToken")
    done = sender.run(*sender.words("--errors", "json"), status=77)
    error = json.loads(done.stderr)["error"]
    check(error["code"] == "pushRefused" and "--endpoint" in error["hint"], f"the error is {error}")
    check('"prune"' not in done.stdout, "a prune line")
    expect(len(sender.lines("devices", "list")), 30, "devices that are left")
    sender.service.behave = right
    expect(sender.send()[2]["sent"], 30, "sent to the right service")


def handover(sender):
    """Devices that are given away and removed while a run sends: what is left for them is not sent there."""
    sender.device("ann", token(1))
    sender.device("ann", token(2))
    count, devices = 50, collections.Counter()

    def behave(push):
        devices[push.device] += 1
        if sum(devices.values()) == 1:
            sender.device("ben", token(1))
            sender.run("devices", "remove", "--tokens", "-", text=json.dumps({"token": token(2)}))
        return Answer()

    sender.service.behave = behave
    sender.add(*[notification(number) for number in range(count)])
    results, prunes, summary = sender.send()
    expect(sum(devices.values()), 1, "pushes that were sent")
    expect((summary["sent"], summary["pruned"], prunes), (1, 2 * count - 1, []), "counts and prune lines")
    expect({line.get("reason") for line in results if line["outcome"] == "pruned"}, {"removed"}, "reasons")
    expect([line["memberID"] for line in sender.lines("devices", "list")], ["ben"], "devices that are left")
    expect(summary["waiting"], count - 1, "pushes that wait for a device")
    sender.device("ann", token(3))
    expect(sender.send()[2]["sent"], count - 1, "sent to the next device")


def reset(sender):
    """Streams that the service resets, also with HTTP_1_1_REQUIRED, for which libcurl would ask once more by itself: each
    push is sent again by notify alone, which counts it, and nobody comes with HTTP/1.1."""
    seen = collections.Counter()

    def behave(push):
        seen[push.id] += 1
        return Answer(action=[("reset", 13), ("reset", 7), ("reset", 2), None][min(seen[push.id] - 1, 3)])

    sender.device("ann", token(1))
    sender.add(*[notification(number) for number in range(5)])
    sender.service.behave = behave
    results, _, summary = sender.send("--timeout", "30s")
    expect((summary["sent"], summary["retried"]), (5, 15), "counts")
    expect(sender.service.faults, [], "faults in what was sent")
    expect(set(seen.values()), {4}, "times that each push was sent")
    expect({line["attempts"] for line in results if line["outcome"] == "sent"}, {4}, "attempts")


def tokens(sender):
    """One token for runs of 50 minutes, then another; what the service calls expired is made anew only when it is old."""
    sender.device("ann", token(1))
    used = []
    offset = 0
    sender.service.clock = lambda: time.time() + offset
    sender.service.behave = lambda push: used.append(push.headers["authorization"]) or Answer()
    for number, minutes in enumerate([0, 10, 49, 51, 60, 99, 102]):
        offset = minutes * 60
        moment = datetime.datetime.fromtimestamp(time.time() + offset, datetime.timezone.utc)
        sender.add(notification(number))
        sender.send("--now", moment.isoformat())
    expect([used.index(value) for value in used], [0, 0, 0, 3, 3, 3, 6], "which token each run used")
    kept = sender.home / f"push-token-{KEY_ID}.json"
    expect(kept.stat().st_mode & 0o777, 0o600, "the mode of the file with the token")
    # Expired in the eyes of the service: made anew after 20 minutes, not before.
    steps = [Answer(403, "ExpiredProviderToken"), Answer()]
    sender.service.behave = lambda push: used.append(push.headers["authorization"]) or steps.pop(0)
    sender.add(notification(20))
    sender.send("--now", moment.isoformat(), status=77)
    steps = [Answer(403, "ExpiredProviderToken"), Answer()]
    sender.run("outbox", "retry")
    offset += 25 * 60
    moment += datetime.timedelta(minutes=25)
    sender.send("--now", moment.isoformat())
    check(used[-1] != used[-2], "the token was not made anew")


def trouble(sender, behave, count=300, runs=3):
    """Sends under `behave`, which may cut connections; everything arrives, and what came twice had no answer that could be
    read. Gives how often each push was taken, by the service's account."""
    sender.device("ann", token(1))
    sender.add(*[notification(number) for number in range(count)])
    sender.service.behave = behave
    results, summary = [], None
    for _ in range(runs):
        done = sender.run(*sender.words(), status=None)
        check(done.returncode in (0, 75), f"status {done.returncode}: {done.stderr}")
        *lines, last = [json.loads(line) for line in done.stdout.splitlines()]
        results, summary = results + lines, last["summary"]
        if done.returncode == 0:
            break
    expect(summary["waiting"], 0, "pushes that wait")
    expect(sender.service.faults, [], "faults in what was sent")
    attempts = {line["apnsID"]: line["attempts"] for line in results if line["outcome"] == "sent"}
    expect(len(attempts), sum(line["outcome"] == "sent" for line in results), "pushes that are told to be sent")
    by_id = collections.defaultdict(list)
    for push in sender.service.pushes:
        by_id[push.id].append(push)
    expect(by_id.keys(), attempts.keys(), "ids that arrived")
    for number, pushes in by_id.items():
        expect(pushes[-1].status, 200, "the last answer")
        # Nothing comes twice but after a cut, with which an answer may be lost that the service has written.
        connections = [push.connection for push in pushes]
        expect(len(set(connections)), len(connections), "times that a push was sent over one connection")
        check(sender.service.cuts.issuperset(connections[:-1]), "sent again though its connection was not cut")
        # The outbox knows of each time: nobody below it sends anything again.
        check(len(pushes) <= attempts[number], f"taken {len(pushes)} times, of {attempts[number]} attempts")
    return collections.Counter(len(pushes) for pushes in by_id.values())


def goaway(sender):
    """The service ends two connections in an orderly way while hundreds of pushes are on their way: those that it has not
    looked at go over the next one, and no push is taken twice."""
    seen = collections.Counter()

    def behave(push):
        seen[push.connection] += 1
        return Answer(action="goaway" if push.connection < 3 and seen[push.connection] == 60 else None, after=0.01)

    expect(trouble(sender, behave), {1: 300}, "times that pushes were taken")
    check(sender.service.connections >= 3, "there were no new connections")


def cut(sender):
    """The connection breaks in the middle, several times."""
    seen, last = collections.Counter(), {1: 5, 2: 60, 3: 61}

    def behave(push):
        seen[push.connection] += 1
        is_last = seen[push.connection] == last.get(push.connection)
        return Answer(action="cut") if is_last else Answer(after=random.random() / 50)

    trouble(sender, behave)
    check(sender.service.connections >= 4, "there were no new connections")


def slow(sender):
    """Answers that take long are waited for: nothing is sent again meanwhile."""
    taken = trouble(sender, lambda push: Answer(after=random.uniform(0.1, 1.5)), runs=1)
    expect(taken, {1: 300}, "times that pushes were taken")


def down(sender):
    """Nobody listens: nothing is lost, and the next run goes on."""
    sender.device("ann", token(1))
    sender.add(notification(1))
    results, _, summary = sender.send("--timeout", "1s", status=75, endpoint="https://localhost:9")
    check(all(line["outcome"] == "retry" for line in results) and summary["waiting"] == 1, "not retried")
    expect(sender.send()[2]["sent"], 1, "sent")
    # Somebody else answers: not a word to them.
    other = Service(pathlib.Path(tempfile.mkdtemp(dir=sender.folder)))
    sender.add(notification(2))
    sender.send(status=77, endpoint=other.endpoint)
    expect(other.pushes, [], "pushes to the wrong service")


def secrets(sender):
    """Neither key nor tokens are in arguments, output or the outbox's messages; a key that others can read is refused."""
    sender.device("ann", token(77))
    seen = []

    def behave(push):
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                seen.append(entry.read_bytes())
            except OSError:
                pass
        return Answer(503, "ServiceUnavailable") if len(seen) < 10_000 and push.device == token(77) else Answer()

    sender.service.behave = behave
    sender.add(notification(1))
    done = sender.run(*sender.words("--timeout", "1s", "--errors", "json"), status=75)
    listed = sender.run("outbox", "list").stdout + sender.run("devices", "list").stdout
    # The push that failed is tried again by then.
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    preview = sender.run("send", "--dry-run", "--topic", TOPIC, "--now", soon.isoformat()).stdout
    check('"headers"' in preview, "the preview has a push")
    authorization = sender.service.pushes[0].headers["authorization"].removeprefix("bearer ")
    body = b"".join(sender.service.key_text.splitlines()[1:-1])[:40].decode()
    for secret in authorization, authorization.split(".")[2], token(77), body:
        for place, text in ("output", done.stdout), ("errors", done.stderr), ("lists", listed), ("preview", preview):
            check(secret not in text, f"a secret in {place}")
        check(not any(secret.encode() in line for line in seen), "a secret in the arguments of a process")
    sender.service.key_file.chmod(0o644)
    done = sender.run(*sender.words("--errors", "json"), status=77)
    expect(json.loads(done.stderr)["error"]["code"], "looseSecretFile", "the code for an open key")
    sender.service.key_file.chmod(0o600)


def kills(sender):
    """Killed at each call that writes: an outbox has all of what was added or nothing, and nothing is lost or sent twice
    but what was on its way."""
    lines = "".join(json.dumps(notification(number)) + "\n" for number in range(3))
    told = sender.folder / "told"
    program = ["--to", "command", "--", "sh", "-c", f'echo "$NOTIFY_ID" >> {told}']
    moments = 0
    for call in "pwrite64", "fdatasync", "ftruncate", "unlink":
        for when in range(1, 200, int(os.environ.get("PUSH_STEP", "4"))):
            for path in sender.home.glob("notify.db*"):
                path.unlink()
            told.unlink(missing_ok=True)
            was_killed = traced(sender, call, when, ["outbox", "add"], lines)
            # Killed while it was made, there is no outbox yet.
            listed = sender.run("outbox", "list", status=None).stdout.splitlines()
            check(len(listed) in (0, 3), f"{call} {when}: {len(listed)} pushes after a kill")
            counts = sender.lines("outbox", "add", text=lines)[0]
            expect(counts["added"] + len(listed), 3, f"{call} {when}: added")
            was_killed += traced(sender, call, when, ["send", *program], "")
            sender.run("send", *program)
            seen = collections.Counter(told.read_text(encoding="utf-8").split())
            expect(len(seen), 3, f"{call} {when}: pushes that were told")
            check(sum(seen.values()) <= 4, f"{call} {when}: told {sum(seen.values())} times after one kill")
            states = [line["state"] for line in sender.lines("outbox", "list")]
            expect(states, ["sent"] * 3, f"{call} {when}: states")
            moments += was_killed
            if not was_killed:
                break
    check(moments > 10, f"killed only {moments} times")
    print(f"killed {moments} times")


def traced(sender, call, when, words, text):
    """Runs a command that is killed at the n-th such call on the outbox; 1 where there was one."""
    place = str(sender.home / "notify.db")
    paths = [word for name in (place, place + "-wal", place + "-shm") for word in ("-P", name)]
    done = subprocess.run(
        ["strace", "-f", "-o", str(sender.folder / "trace"), *paths, "-e", f"trace={call}", "-e",
         f"inject={call}:signal=KILL:when={when}", NOTIFY, *words],
        input=text, capture_output=True, text=True, env=sender.environment, check=False)
    return int(done.returncode != 0)


def late(sender):
    """--timeout ends a run's beginnings only: an answer that comes after it is waited for. What has none within
    --answer-timeout goes again with the same apns-id, by this run or the next; each time is told, and counted in the outbox."""
    sender.device("ann", token(1))
    # In seconds, of the first answer for each push; the next ones come at once.
    delays = {"c1": 4, "c2": 4, "c3": 4}
    taken = collections.defaultdict(list)

    def behave(push):
        collapse = push.headers["apns-collapse-id"]
        taken[collapse].append(push.id)
        return Answer(after=delays.pop(collapse, 0))

    def send(number, *words):
        """What runs tell until one has begun something, which on a busy machine need not be the first."""
        sender.add(notification(number))
        while True:
            done = sender.run(*sender.words(*words), status=None)
            *lines, last = [json.loads(line) for line in done.stdout.splitlines()]
            expect(done.returncode, 75 if last["summary"]["waiting"] else 0, "status")
            if lines:
                return lines, last["summary"]

    def judge(lines, outcomes):
        expect([(line["outcome"], line.get("status")) for line in lines], outcomes, "results")
        expect([line["attempts"] for line in lines], list(range(1, len(lines) + 1)), "attempts")
        expect(len({line["apnsID"] for line in lines}), 1, "ids")

    sender.service.behave = behave
    lines, _ = send(1, "--timeout", "1s")
    judge(lines, [("sent", 200)])
    expect(len(taken["c1"]), 1, "times that a push was taken")
    lines, _ = send(2, "--answer-timeout", "2s")
    judge(lines, [("retry", None)] * (len(lines) - 1) + [("sent", 200)])
    check(2 <= len(taken["c2"]) <= len(lines) and set(taken["c2"]) == {lines[0]["apnsID"]}, "not sent again under its id")
    lines, summary = send(3, "--timeout", "1s", "--answer-timeout", "2s")
    judge(lines, [("retry", None)])
    expect(summary["waiting"], 1, "pushes that wait")
    listed = sender.lines("outbox", "list", "--state", "sending")[0]["deliveries"][0]
    check(listed["attempts"] == 1 and listed["reason"] and "status" not in listed, f"the outbox says {listed}")
    judge(lines + sender.send()[0], [("retry", None), ("sent", 200)])


def night(sender):
    """A night of the simulated week: the one in which clocks in Paris are put forward."""
    Simulation(sender, START + datetime.timedelta(days=5, hours=20), 0.5, 12).run()


def week(sender):
    """A week of `due | outbox add; send` every five minutes, with kills and late answers."""
    Simulation(sender, START, 7, 60).run()


def flood(sender):
    """Many pushes over one connection: memory does not grow with their number. Writes one JSON object."""
    taken = []
    sender.service.keep = False
    sender.device("ann", token(1))
    for count in 2_000, int(os.environ.get("PUSH_COUNT", "100000")):
        sender.run("outbox", "add", text="".join(json.dumps(notification(f"{count}-{n}")) + "\n" for n in range(count)))
        start, peak, last = time.monotonic(), 0, ""
        process = subprocess.Popen(
            [NOTIFY, *sender.words("--timeout", "20m")], env=sender.environment, stdout=subprocess.PIPE, text=True)
        for number, last in enumerate(process.stdout):
            if number % 500 == 0:
                peak = max(peak, resident(process.pid))
        expect(process.wait(), 0, "status")
        expect(json.loads(last)["summary"]["sent"], count, "sent")
        taken.append({"count": count, "seconds": time.monotonic() - start, "peak": peak})
    check(taken[1]["peak"] < taken[0]["peak"] * FLAT, f"memory grows with the number of pushes: {taken}")
    print(json.dumps({"flat": FLAT, "taken": taken}))


def resident(process):
    """The peak of its resident memory so far, in bytes; not that of wait4, in which a child begins with its parent's."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return max((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:")), default=0)


def rate(sender):
    """How long notify and h2load take for the same pushes to the same service, in turn; one JSON object."""
    count, rounds = int(os.environ.get("PUSH_COUNT", "5000")), int(os.environ.get("PUSH_ROUNDS", "3"))
    sender.service.keep = False
    sender.device("ann", token(1))
    seen = {}
    sender.service.behave = lambda push: seen.update(push.headers) or Answer()
    body = sender.folder / "body"
    sender.add(notification("first"))
    body.write_text(sender.lines("send", "--dry-run", "--topic", TOPIC)[0]["body"], encoding="utf-8")
    sender.send()
    headers = [f"-H{name}: {value}" for name, value in seen.items() if not name.startswith(":")]
    sender.service.behave = lambda push: Answer()
    load = ["h2load", f"-n{count}", "-c1", "-m500", f"-d{body}", *headers, f"{sender.service.endpoint}/3/device/{token(1)}"]
    taken = {"notify": [], "h2load": []}
    for number in range(rounds + 1):
        sender.add(*[notification(f"{number}-{other}") for other in range(count)])
        start = time.monotonic()
        expect(sender.send("--timeout", "10m")[2]["sent"], count, "sent")
        middle = time.monotonic()
        said = subprocess.run(load, check=True, capture_output=True, text=True).stdout
        end = time.monotonic()
        check(f"{count} succeeded" in said and f"{count} 2xx" in said, said)
        # The first round warms up.
        if number:
            taken["notify"].append(middle - start)
            taken["h2load"].append(end - middle)
    print(json.dumps({"count": count, **taken}))


def main():
    with tempfile.TemporaryDirectory(prefix="push-") as folder:
        globals()[sys.argv[2]](Sender(NOTIFY, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
