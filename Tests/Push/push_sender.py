"""What every scenario needs: an outbox, a push service to send to, and words for what must hold."""

import datetime
import json
import os
import subprocess
import uuid

from push_service import KEY_ID, TEAM_ID, TOPIC, Service


class Sender:
    """An outbox and what is needed to send from it."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.service = Service(folder)
        self.home = folder / "home"
        self.home.mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "PEERSYNC_HOME": str(self.home), "TZ": "UTC", "NO_PROXY": "*",
            "SWIFT_BACKTRACE": "enable=no"}

    def run(self, *words, text="", status=0, **options):
        done = subprocess.run(
            [self.tool, *words], input=text, capture_output=True, text=True, env=self.environment, check=False, **options)
        if status is not None:
            expect(done.returncode, status, f"status of notify {' '.join(words)}: {done.stderr}{done.stdout[-2000:]}")
        return done

    def lines(self, *words, **options):
        return [json.loads(line) for line in self.run(*words, **options).stdout.splitlines()]

    def words(self, *more, endpoint=None):
        """Without --timeout and --answer-timeout such that only end what hangs."""
        patience = [word for name in ("--timeout", "--answer-timeout") if name not in more for word in (name, "10m")]
        return [
            "send", "--signing-key", str(self.service.key_file), "--key-id", KEY_ID, "--team-id", TEAM_ID, "--topic", TOPIC,
            "--endpoint", endpoint or self.service.endpoint, "--ca-file", str(self.service.certificate),
            "--backoff", "40ms", *patience, *more]

    def send(self, *more, status=0, endpoint=None):
        """The lines by device, and the counts."""
        lines = self.lines(*self.words(*more, endpoint=endpoint), status=status)
        results = [line for line in lines if "outcome" in line]
        return results, [line["prune"] for line in lines if "prune" in line], lines[-1]["summary"]

    def device(self, member, token):
        self.run("devices", "add", "--member", member, text=token)

    def add(self, *notifications):
        self.run("outbox", "add", text="".join(json.dumps(n) + "\n" for n in notifications))


def notification(number, recipient="ann", kind="reminder", **members):
    now = datetime.datetime.now(datetime.timezone.utc)
    line = {
        "id": str(uuid.uuid5(uuid.NAMESPACE_DNS, str(number))), "kind": kind, "recipient": recipient,
        "notBefore": "2026-01-01T00:00:00Z", "expires": (now + datetime.timedelta(days=1)).isoformat(),
        "collapseID": f"c{number}"}
    if kind != "pull":
        line |= {"title": "Dishes", "body": "Due", "occurrenceID": f"o{number}", "dueDate": "2026-01-12T17:00:00Z"}
    return line | members


def expect(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{what}: {found!r}, not {wanted!r}")


def check(holds, what):
    if not holds:
        raise SystemExit(what)


def token(number):
    return f"{number:064x}"
