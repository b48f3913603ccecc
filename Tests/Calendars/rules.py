"""Random rules of recurrence, from years before the window: notify and dateutil have to agree on each occurrence."""

import json
import random
import subprocess
import sys
from datetime import datetime, timedelta, timezone

from dateutil import tz
from dateutil.rrule import rrulestr

SEED = 7
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
PARIS = tz.gettz("Europe/Paris")

# A reminder that may be shown all year: its notDuring has every busy time of the year.
STATE = """\
{"entity":"Member","id":"ann","timeZone":"Europe/Paris","updatedAt":"2026-01-01T00:00:00Z"}
{"entity":"Template","id":"t","title":"Dishes","cadenceUnitRaw":"weeks","cadenceValue":1,"leadTimeHours":8760,\
"startDate":"2026-01-05T18:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}
{"entity":"Occurrence","id":"o","templateID":"t","dueDate":"2026-12-30T17:00:00Z","statusRaw":"pending",\
"assignedMemberID":"ann","updatedAt":"2026-01-01T00:00:00Z"}
"""

PARTS = {
    "HOURLY": lambda r: "",
    "DAILY": lambda r: r.choice(["", "", ";BYMONTH=1,6", ";BYDAY=SA,SU", ";BYHOUR=7,12"]),
    "WEEKLY": lambda r: r.choice(["", ";BYDAY=" + ",".join(sorted(set(r.choices(DAYS, k=2)), key=DAYS.index))])
    + r.choice(["", ";WKST=SU"]),
    "MONTHLY": lambda r: r.choice(
        [
            "",
            f";BYDAY={r.choice([1, 2, 3, -1, -2])}{r.choice(DAYS)}",
            f";BYMONTHDAY={r.choice([1, 15, 31, -1, -3])}",
            f";BYDAY=MO,TU,WE,TH,FR;BYSETPOS={r.choice([1, 2, -1])}",
        ]
    ),
    "YEARLY": lambda r: r.choice(
        [
            "",
            f";BYMONTH={r.randint(1, 12)}",
            f";BYDAY={r.choice([1, -1])}{r.choice(DAYS)};BYMONTH=3",
            f";BYYEARDAY={r.choice([1, 100, -1])}",
            f";BYWEEKNO={r.randint(1, 52)};BYDAY=MO",
        ]
    ),
}


def rule(r):
    frequency = r.choice(list(PARTS))
    interval = r.randint(4 if frequency == "HOURLY" else 1, 7)
    end = r.choice(["", "", f";COUNT={r.choice([3, 30, 400, 3000])}"])
    if not end and r.random() < 0.3:
        end = f";UNTIL=2026{r.randint(1, 12):02}{r.randint(1, 28):02}T120000Z"
    return f"FREQ={frequency};INTERVAL={interval}{PARTS[frequency](r)}{end}"


def found(notify, start, text):
    calendar = (
        f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Europe/Paris:{start:%Y%m%dT%H%M%S}\nDURATION:PT1M\n"
        f"RRULE:{text}\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    with open("state.jsonl", "w") as file:
        file.write(STATE)
    run = subprocess.run(
        [notify, "due", "--now", f"{NOW:%Y-%m-%dT%H:%M:%SZ}", "--state", "state.jsonl"]
        + ["--busy", "-", "--busy-member", "ann"],
        input=calendar, capture_output=True, text=True, check=True,
    )
    reminder = json.loads(run.stdout.splitlines()[-1])
    times = [datetime.fromisoformat(busy["start"].replace("Z", "+00:00")) for busy in reminder.get("notDuring", [])]
    return times, datetime.fromisoformat(reminder["expires"].replace("Z", "+00:00"))


def expected(start, text, end):
    times = rrulestr(text, dtstart=start).between(NOW - timedelta(days=1), end + timedelta(days=1), inc=True)
    moments = {tz.resolve_imaginary(time).astimezone(timezone.utc) for time in times + [start]}
    return sorted(moment for moment in moments if NOW < moment < end)


def main():
    r = random.Random(SEED)
    count, occurrences = int(sys.argv[2]), 0
    for _ in range(count):
        start = datetime(
            r.choice([2015, 2019, 2023, 2024, 2025, 2026]), r.randint(1, 12), r.randint(1, 28), r.randint(1, 22), 30,
            tzinfo=PARIS,
        )
        text = rule(r)
        times, end = found(sys.argv[1], start, text)
        wanted = expected(start, text, end)
        occurrences += len(wanted)
        if times != wanted:
            other = sorted(set(times) ^ set(wanted))[:4]
            sys.exit(f"seed {SEED}: {start:%Y-%m-%d %H:%M} {text}: {[str(time) for time in other]}")
    assert occurrences > 30 * count, occurrences
    print(f"{occurrences} occurrences are the same")


main()
