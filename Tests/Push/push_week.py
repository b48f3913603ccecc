"""Days of `due | outbox add; send` every five minutes, as cron would run them, with kills and answers that come too late.

Nothing here depends on how fast the machine is. The service learns by which door, and so from which run, a push came,
however late it gets to look at it. What is late or comes again has to be explained by what its run has told, or by a kill.
"""

import collections
import datetime
import json
import os
import random
import signal
import subprocess
import time

from push_sender import check, expect, token
from push_service import Answer

STEP = datetime.timedelta(minutes=5)
ZONES = {"ann": "Europe/Paris", "ben": "America/New_York"}
# Clocks in Paris are put forward on the last Sunday of March.
SUMMER = datetime.datetime(2026, 3, 29, 1, tzinfo=datetime.timezone.utc)
OFFSETS = {"ann": lambda moment: 2 if moment >= SUMMER else 1, "ben": lambda moment: -4}
# In seconds: how long a run waits for an answer, and how long the service takes for some of them.
PATIENCE, TOO_LONG = 2, 3
# A door is closed after so many runs: who has not been let in by then has not been heard.
DOORS = 20
# So many runs without kills may come after the last day, for what its kills have left.
EXTRA = 24


class Run:
    """One of the runs: whether one of its commands was killed, and what `send` has told."""

    def __init__(self, number, moment):
        self.number, self.moment = number, moment
        self.was_killed, self.send_was_killed, self.has_left = False, False, False
        # Lines by apns-id and outcome.
        self.told = collections.Counter()

    def take(self, lines):
        """Only two things may become of a push: it was sent, or there was no answer."""
        for line in lines:
            if "summary" not in line:
                outcome = line.get("outcome")
                check(outcome == "sent" or outcome == "retry" and "status" not in line, f"told: {line}")
                self.told[line["apnsID"], outcome] += 1


class Simulation:
    def __init__(self, sender, start, days, count):
        self.sender, self.start, self.planned = sender, start, int(days * 24 * 12)
        self.random = random.Random(int(os.environ.get("PUSH_SEED", "11")))
        self.timeout = os.environ.get("PUSH_TIMEOUT", "5s")
        self.state = sender.folder / "home.jsonl"
        self.runs, self.usual = [], {}
        # By occurrence: the number of the run and the apns-id, each time that the service has taken it.
        self.arrivals = collections.defaultdict(list)
        self.wanted = self.household(count)
        for index, member in enumerate(ZONES):
            sender.device(member, token(index + 1))
        sender.service.clock = lambda: self.runs[-1].moment.timestamp()
        sender.service.behave = self.behave

    def behave(self, push):
        occurrence = json.loads(push.body)["occurrenceID"]
        self.arrivals[occurrence].append((push.door, push.id))
        is_late = int(occurrence[1:]) % 6 == 0 and len(self.arrivals[occurrence]) == 1
        return Answer(after=TOO_LONG if is_late else 0.02)

    def household(self, count):
        """Writes a household with so many turns; gives for each who is to be reminded of it, and from when on."""
        records, wanted = [], {}
        for member, zone in ZONES.items():
            records.append({"entity": "Member", "id": member, "displayName": member, "timeZone": zone,
                            "createdAt": "2026-01-01T00:00:00Z"})
        records.append({"entity": "Template", "id": "t", "title": "Dishes", "cadenceValue": 1, "leadTimeHours": 6,
                        "startDate": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z"})
        # The latest is due when its night is over, or still in the time that is simulated.
        for number in range(count):
            member = self.random.choice(list(ZONES))
            due = self.start + datetime.timedelta(minutes=self.random.randrange(7 * 60, self.planned * 5 - 60))
            begin = loud(due - datetime.timedelta(hours=6), OFFSETS[member])
            if begin >= self.start + STEP * (self.planned - 4):
                continue
            records.append({"entity": "Occurrence", "id": f"o{number}", "templateID": "t", "dueDate": stamp(due),
                            "statusRaw": "pending", "assignedMemberID": member, "updatedAt": "2026-01-01T00:00:00Z"})
            wanted[f"o{number}"] = (member, begin)
        self.state.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return wanted

    # MARK: Running

    def run(self):
        while len(self.runs) < self.planned or set(self.arrivals) != set(self.wanted):
            check(len(self.runs) < self.planned + EXTRA, "not all is sent, long after the last day")
            self.step(len(self.runs))
        killed = sum(run.was_killed for run in self.runs)
        check(killed > 3 * self.planned // 288, f"only {killed} kills")
        for occurrence, (member, moment) in self.wanted.items():
            self.judge_time(occurrence, moment, OFFSETS[member])
            self.judge_number(occurrence)
        self.judge_outbox()
        self.tell(killed)

    def step(self, number):
        run = Run(number, self.start + STEP * number)
        self.runs.append(run)
        now, folder = stamp(run.moment), self.sender.service
        # Most kills are to come where there is something to lose.
        is_hot = any(run.moment - STEP < moment <= run.moment for _, moment in self.wanted.values())
        due = self.sender.run("due", "--state", str(self.state), "--now", now, "--quiet-hours", "22:00-07:00")
        run.was_killed = self.killable(["outbox", "add"], due.stdout, is_hot) is None
        endpoint = folder.open_door(number)
        words = self.sender.words(
            "--now", now, "--timeout", self.timeout, "--answer-timeout", f"{PATIENCE}s", "--errors", "json",
            endpoint=endpoint)
        done = self.killable(words, "", is_hot, run.take)
        run.send_was_killed = done is None
        run.was_killed |= done is None
        run.has_left = done not in (None, "")
        check(done in (None, "", "pushesWaiting"), f"send ended with {done}")
        if number >= DOORS:
            folder.close_door(number - DOORS)

    def killable(self, words, text, is_hot, take=lambda lines: None):
        """Runs a command, and now and then kills it at any moment of the time that it takes. `take` gets its lines, that in
        which it was killed not. Gives the code of its error, "" without one; None where it was killed."""
        given = self.sender.folder / "given"
        given.write_text(text, encoding="utf-8")
        is_last = len(self.runs) > self.planned
        to_be_killed = not is_last and self.random.random() < (0.5 if is_hot else 0.1)
        start = time.monotonic()
        with given.open("rb") as source:
            process = subprocess.Popen(
                [self.sender.tool, *words], env=self.sender.environment, stdin=source, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
        if to_be_killed:
            time.sleep(self.random.random() * self.usual.get((words[0], is_hot), 0.03))
            process.send_signal(signal.SIGKILL)
        output, errors = process.communicate()
        took = time.monotonic() - start
        take([json.loads(line) for line in output.splitlines(keepends=True) if line.endswith("\n")])
        if process.returncode == -signal.SIGKILL:
            return None
        # What waited for an answer in vain says nothing of how long the others take.
        if not to_be_killed and took < PATIENCE:
            self.usual[words[0], is_hot] = took
        return "" if process.returncode == 0 else json.loads(errors)["error"]["code"]

    # MARK: Judging

    def judge_time(self, occurrence, moment, offset):
        """It came in the first run from its moment on that was neither killed nor told that pushes were left."""
        numbers = sorted(number for number, _ in self.arrivals[occurrence])
        first = self.runs[numbers[0]]
        check(moment <= first.moment, f"{occurrence} came before its time, {moment}")
        for number in numbers:
            came = self.runs[number].moment
            check(loud(came, offset) == came, f"{occurrence} came at night, {came}")
        for run in self.runs[:first.number]:
            if run.moment >= moment and loud(run.moment, offset) == run.moment:
                check(run.was_killed or run.has_left, f"{occurrence} came at {first.moment}, not at {run.moment}")

    def judge_number(self, occurrence):
        """Each time that the service took it is told by its run, at most one of them as sent; a kill hides one."""
        arrived = self.arrivals[occurrence]
        expect(len({push_id for _, push_id in arrived}), 1, f"apns-ids of {occurrence}")
        times = collections.Counter(number for number, _ in arrived)
        for number, taken in times.items():
            run, push_id = self.runs[number], arrived[0][1]
            sent, unanswered = run.told[push_id, "sent"], run.told[push_id, "retry"]
            what = f"{occurrence}, taken {taken} times from the run of {run.moment}, which told sent {sent} times and no answer"
            check(sent <= 1 and taken <= sent + unanswered + run.send_was_killed, f"{what} {unanswered} times")
            check(sent == 0 or number == max(times), f"{occurrence} was sent again after {run.moment}")
            check(sent == 1 or number != max(times) or run.send_was_killed, f"{occurrence} was never told as sent")

    def judge_outbox(self):
        """The outbox calls all of it sent, and knows of each attempt that a run has told."""
        told = collections.Counter()
        for run in self.runs:
            for (push_id, _), count in run.told.items():
                told[push_id] += count
        ids = {occurrence: arrived[0][1] for occurrence, arrived in self.arrivals.items()}
        for push in self.sender.lines("outbox", "list"):
            occurrence = push["notification"]["occurrenceID"]
            expect(push["state"], "sent", f"the state of {occurrence}")
            attempts = push["deliveries"][0]["attempts"]
            check(attempts >= told[ids[occurrence]], f"{attempts} attempts of {occurrence}, of which more were told")

    def tell(self, killed):
        again = [number for arrived in self.arrivals.values() for number in sorted(number for number, _ in arrived)[:-1]]
        after_kill = sum(self.runs[number].send_was_killed for number in again)
        held = sum(
            self.runs[min(arrived)[0]].moment - self.wanted[occurrence][1] >= STEP
            for occurrence, arrived in self.arrivals.items())
        print(
            f"{len(self.wanted)} reminders, {killed} runs killed, {sum(run.has_left for run in self.runs)} with something left;"
            f" sent again: {after_kill} after a kill, {len(again) - after_kill} without an answer; {held} in a later interval")


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def loud(moment, offset):
    """The first moment from `moment` on that is not between 22:00 and 07:00 local time, searched minute by minute."""
    while True:
        hour = (moment + datetime.timedelta(hours=offset(moment))).hour
        if 7 <= hour < 22:
            return moment
        moment += datetime.timedelta(minutes=1)
