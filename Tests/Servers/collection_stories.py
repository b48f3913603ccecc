"""Seeded stories of devices and an app that meet in a Firestore collection.

usage: collection_stories.py seeds | collection_stories.py [--seed N] [--count N] [--sweep] [--no-minimize] [--only FLAGS]

A story is some thirty random steps with faults, kills and restores between them. In the end all stores and the collection
are the same, and every edit is there or has lost against a later one. A story that fails is made shorter.
"""

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from checks import HANGING, LONG
from firestore import mirror
from firestore.running import Double as Database
from stories.making import make
from stories.values import enc, micros, norm, plainv, stamp, typed, untyped


class Failure(Exception):
    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def keyname(i):
    """The id of the document that peersync makes for an id."""
    if isinstance(i, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,128}", i):
        return i
    return "k." + base64.urlsafe_b64encode(
        json.dumps({"id": i}, ensure_ascii=False, separators=(",", ":")).encode()
    ).decode().rstrip("=")


def idname(name):
    """The id, as JSON, of the record in a document."""
    if name.startswith("k."):
        try:
            t = name[2:]
            return json.dumps(json.loads(base64.urlsafe_b64decode(t + "=" * (-len(t) % 4)))["id"])
        except Exception:
            pass
    return json.dumps(name)


class Double:
    def __init__(self, folder):
        self.database = Database(folder).__enter__()
        self.port = self.database.port

    def control(self, **members):
        return self.database.control(**members)

    def now(self):
        return int(self.control()["now"] * 1000)

    def stop(self):
        self.database.__exit__()


class Story:
    def __init__(self, story, log=None):
        self.s, self.flags, self.style = story, set(story["flags"]), story["style"]
        self.soft, self.log = "soft" in self.flags, log if log is not None else []
        self.folder = tempfile.mkdtemp(prefix="story.")
        self.d = Double(self.folder)
        self.env = {**os.environ, "FIRESTORE_EMULATOR_HOST": f"127.0.0.1:{self.d.port}"}
        self.n, self.step, self.offset, self.delay = 0, 0, 0, 0
        self.writes, self.amb, self.dates, self.used = {}, {}, False, set()
        self.backups, self.lastms = {}, 0
        for i in range(story["devs"]):
            self.adddevice(i)

    def say(self, text):
        self.log.append(text)

    def home(self, i):
        return os.path.join(self.folder, f"d{i}")

    def adddevice(self, i):
        os.mkdir(self.home(i), 0o700)
        args = ["remote", "add", "firestore://my-app/tasks", "--entity-name", "Task"]
        if self.soft:
            args += ["--deleted-field", "isDeleted"]
        if "sweep" in self.flags:
            args += ["--sweep", "0s"]
        p = self.call(i, "peersync", *args)
        if p.returncode:
            raise RuntimeError(p.stderr)

    def call(self, i, *args, data=None):
        return subprocess.run(
            args,
            input=data,
            capture_output=True,
            text=True,
            timeout=HANGING,
            env={**self.env, "PEERSYNC_HOME": self.home(i)},
        )

    def since(self, i):
        p = self.call(i, "synclog", "since")
        if p.returncode == 66:
            return {}
        if p.returncode:
            raise Failure("since", f"d{i}: {p.returncode} {p.stderr}")
        made = {}
        for line in p.stdout.split("\n")[:-1]:
            x = json.loads(line)
            if "identity" in x:
                made[json.dumps(x["identity"]["id"])] = x
        return made

    # -- the model: writes by id (as JSON text), each [lo, hi, dead, content or None, tag, device, step, pushed, seen by]
    def wrote(self, key, lo, hi, dead, content, tag, dev):
        self.writes.setdefault(key, []).append(
            dict(
                lo=lo,
                hi=hi,
                dead=dead,
                content=content,
                tag=tag,
                dev=dev,
                step=self.step,
                pushed=dev is None,
                seen=set(),
            )
        )

    def doubt(self, key):
        self.amb[key] = self.d.now() + 2

    def ran(self, i):
        """A run of a device that ended with 0."""
        for ws in self.writes.values():
            for w in ws:
                if w["dev"] == i:
                    w["pushed"] = True
                if w["pushed"] and not self.late():
                    w["seen"].add(i)

    def late(self):
        return self.delay or self.pending > self.d.now()

    pending = 0

    def localwrite(self, i, key, line, dead, content, tag, chosen):
        before = self.since(i).get(key) if chosen else None
        p = self.call(i, "synclog", "put", "--entity-name", "Task", data=line + "\n")
        if p.returncode or '"stored":1' not in p.stdout:
            raise Failure("put", f"{line}: {p.returncode} {p.stdout} {p.stderr}")
        x = self.since(i)[key]
        clock = micros(x.get("modifiedAt") or x["deletedAt"]) // 1000
        if chosen:
            old = micros(before.get("modifiedAt") or before["deletedAt"]) // 1000 + 1 if before else 0
            if clock != max(chosen, old):
                raise Failure("clock", f"{line}: {x} after {before}")
        if chosen and clock != chosen and content and "updatedAt" in content:
            content = {**content, "updatedAt": x["fields"]["updatedAt"]}  # synclog sets it when the clock is raised
        self.wrote(key, clock, clock, dead, content, tag, i)

    def newms(self):
        self.lastms = max(self.lastms + 1, int(time.time() * 1000))
        return self.lastms

    def tag(self):
        self.n += 1
        return self.n

    def appfields(self, f, tag):
        f = {**f, "v": tag}
        if "$timestampValue" in json.dumps(typed(f)) or "timestampValue" in json.dumps(typed(f)):
            self.dates = True
        if self.style == "string":
            f["updatedAt"] = stamp(self.d.now())
        return f

    def earliest(self, f, committed):
        """The clock that an app has put into a document, which may be some time before it was written."""
        return min(micros(f["updatedAt"]) // 1000, committed) if self.style == "string" else committed

    def appitem(self, i, f):
        item = {"path": "tasks/" + self.appname(i), "fields": {k: typed(x) for k, x in f.items()}}
        if self.style == "server":
            item["serverTime"] = "updatedAt"
            self.dates = True
        return item

    def appname(self, i):
        return keyname(i)

    def committed(self, result):
        if self.delay:
            self.pending = self.d.now() + self.delay * 1000
        return micros(result["results"][0]["commitTime"]) // 1000

    # -- steps
    def run(self, i, final=False):
        try:
            p = self.call(i, "peersync", "run")
        except subprocess.TimeoutExpired:
            raise Failure("hang", f"run of d{i}")
        if self.delay:
            self.pending = self.d.now() + self.delay * 1000
        last = (p.stdout.split("\n")[:-1] or [""])[-1]
        self.say(f"    d{i}: {p.returncode} {short(last)} {p.stderr.strip()[:300]}")
        if TOLERATE and re.search(TOLERATE, p.stderr):
            self.tolerated = getattr(self, "tolerated", 0) + 1
            if self.tolerated < 60 and final:
                return self.run(i, final)
            return p.returncode, {}, p.stderr
        if p.returncode in (70, 71, 76, 1, 64, 66, 69, 73, 74, 78) or p.returncode < 0 or p.returncode > 100:
            raise Failure(f"status{p.returncode}", f"d{i}: {p.stderr}")
        if p.returncode == 0:
            self.ran(i)
        return p.returncode, json.loads(last) if last else {}, p.stderr

    def do(self, step):
        kind = step[0]
        if kind == "put":
            _, i, id, f, dated, asline = step
            key, tag = json.dumps(id), self.tag()
            f = {**f, "v": tag}
            ms = self.newms()
            if asline:
                x = {"entityName": "Task", "identity": {"id": id}, "modifiedAt": stamp(ms), "author": "ann"}
                line = enc({**x, "fields": f})
                content = plainv(f)
                dated = True
            else:
                f = {"id": id, **f}
                if dated:
                    f["updatedAt"] = stamp(ms)
                line, content = enc(f), plainv(f)
            self.say(f"    {line}")
            self.localwrite(i, key, line, False, content, tag, ms if dated else None)
        elif kind == "del":
            _, i, id = step
            ms = self.newms()
            line = enc({"entityName": "Task", "identity": {"id": id}, "deletedAt": stamp(ms)})
            self.localwrite(i, json.dumps(id), line, True, None, None, ms)
        elif kind == "run":
            self.run(step[1])
        elif kind == "both":
            ps = [
                subprocess.Popen(
                    ["peersync", "run"],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    env={**self.env, "PEERSYNC_HOME": self.home(i)},
                )
                for i in step[1:]
            ]
            done = []
            for i, p in zip(step[1:], ps):
                out, err = p.communicate(timeout=HANGING)
                self.say(f"    d{i}: {p.returncode} {short(out.splitlines()[-1] if out else '')} {err.strip()[:200]}")
                done.append(p.returncode)
            if self.delay:
                self.pending = self.d.now() + self.delay * 1000
            for i, rc in zip(step[1:], done):
                if rc == 0:  # what it wrote is pushed; what it has seen is not certain
                    for ws in self.writes.values():
                        for w in ws:
                            if w["dev"] == i:
                                w["pushed"] = True
        elif kind == "kill":
            _, i, ms = step
            p = subprocess.Popen(
                ["peersync", "run"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**self.env, "PEERSYNC_HOME": self.home(i)},
            )
            try:
                p.wait(ms / 1000)
            except subprocess.TimeoutExpired:
                p.kill()
            p.communicate()
            self.say(f"    d{i}: {p.returncode}")
            time.sleep(0.03)
            if self.delay:
                self.pending = self.d.now() + self.delay * 1000
            if p.returncode == 0:
                self.ran(i)
        elif kind == "fault":
            _, i, rule = step
            self.d.control(fail=dict(rule))
            self.run(i)
            self.d.control(clearRules=True)
        elif kind == "race":
            _, i, id, f = step
            tag = self.tag()
            f = self.appfields(f, tag)
            lo = self.d.now()
            item = {**self.appitem(id, f), "visibleAfter": 0}
            self.d.control(before={"path": "commit", "put": item})
            rc, _, _ = self.run(i)
            fired = self.d.control()["rules"] == 0
            hi = self.d.now()
            self.d.control(clearRules=True)
            self.say(f"    fired: {fired}")
            if fired:
                self.wrote(json.dumps(id), lo, hi, False, {**untyped(f)}, tag, None)
        elif kind in ("aput", "amerge"):
            _, id, f = step
            tag = self.tag()
            f = self.appfields(f, tag)
            if kind == "amerge" and self.soft:
                f["isDeleted"] = False
            s = self.committed(self.d.control(**{"put" if kind == "aput" else "merge": self.appitem(id, f)}))
            self.wrote(
                json.dumps(id),
                self.earliest(f, s),
                s,
                False,
                untyped(f) if kind == "aput" else None,
                tag,
                None,
            )
        elif kind in ("asoft", "aback"):
            f = self.appfields({"isDeleted": kind == "asoft"}, self.tag())
            s = self.committed(self.d.control(merge=self.appitem(step[1], f)))
            self.wrote(
                json.dumps(step[1]),
                self.earliest(f, s) - 1,
                s,
                kind == "asoft",
                None,
                None if kind == "asoft" else f["v"],
                None,
            )
        elif kind == "ahard":
            key = json.dumps(step[1])
            ws = self.certain(key)
            sure = ws and not self.amb.get(key) and len(ws["seen"]) == self.s["devs"] and not self.late()
            self.d.control(delete="tasks/" + self.appname(step[1]))
            if self.delay:
                self.pending = self.d.now() + self.delay * 1000
            self.say(f"    certain: {bool(sure)}")
            if sure and not ws["dead"]:
                self.wrote(key, ws["hi"], ws["hi"] + 1, True, None, "hard", None)
            elif not sure:
                self.doubt(key)
        elif kind == "delay":
            self.d.control(delay=step[1])
            self.delay = step[1]
        elif kind == "advance":
            if self.offset + step[1] < 60:
                self.d.control(clock=step[1])
                self.offset += step[1]
        elif kind == "backup":
            i = step[1]
            b = self.home(i) + ".backup"
            shutil.rmtree(b, ignore_errors=True)
            subprocess.run(["cp", "-a", self.home(i), b], check=True)
            self.backups[i] = self.step
        elif kind == "restore":
            i = step[1]
            if i not in self.backups:
                self.say("    (no backup)")
                return
            shutil.rmtree(self.home(i))
            subprocess.run(["cp", "-a", self.home(i) + ".backup", self.home(i)], check=True)
            for key, ws in self.writes.items():
                later = [w for w in ws if w["step"] > self.backups[i]]
                if any(w["dev"] == i and not w["pushed"] for w in later):
                    self.doubt(key)
                # without a field for them nothing but the stores remembers deletions
                if not self.soft and any(w["dead"] for w in ws):
                    self.doubt(key)
                if any(w["tag"] == "hard" for w in ws):
                    self.doubt(key)
        elif kind == "snap":
            self.d.control(snapshot="s")
            self.snap = True
        elif kind == "back":
            if not getattr(self, "snap", False):
                self.say("    (no snapshot)")
                return
            self.d.control(restore="s")
            for key in self.writes:
                self.doubt(key)
            for ws in self.writes.values():
                for w in ws:
                    w["seen"] = set()

    def certain(self, key):
        """The write that must have survived, or None."""
        best = None
        ws = self.writes.get(key, [])
        top = sorted(ws, key=lambda w: (w["hi"], w["dead"]))
        if not top:
            return None
        best = top[-1]
        if best["lo"] <= self.amb.get(key, -1):
            return None
        for w in top[:-1]:
            if w["hi"] < best["lo"]:
                continue
            if w["lo"] == w["hi"] == best["lo"] == best["hi"] and best["dead"]:
                continue
            if w["dead"] and best["dead"]:
                continue
            if w["dev"] is None and best["dev"] is None and w["step"] < best["step"] and best["tag"] != "hard":
                continue
            if best["tag"] == "hard" and w["hi"] <= best["lo"]:
                continue
            return None
        return best

    # -- the end
    def finish(self):
        self.d.control(clearRules=True, delay=0, clock=20)
        self.delay = 0
        late = []
        for round in range(4):
            for i in range(self.s["devs"]):
                rc, _, err = self.run(i, True)
                if rc:
                    late.append((round, i, rc, err))
        if late:
            raise Failure(
                f"final{late[-1][2]}", f"{len(late)} of the last runs did not end with 0; the last: {late[-1]}"
            )
        self.check()
        for i in range(self.s["devs"]):
            rc, summary, err = self.run(i)
            if rc or summary["changesSent"] or summary["changesReceived"]:
                raise Failure("restless", f"d{i}: {rc} {summary} {err}")
        self.check("2")

    def dump(self, i):
        p = self.call(i, "synclog", "dump")
        if p.returncode:
            raise Failure("dump", p.stderr)
        since, made = self.since(i), {}
        for line in p.stdout.split("\n")[:-1]:
            x = json.loads(line)
            isline = "identity" in x and "entityName" in x
            key = json.dumps(x["identity"]["id"] if isline else x["id"])
            if key in made:
                raise Failure("dump-twice", line)
            f = x["fields"] if isline else x
            made[key] = dict(
                fields=self.content(f),
                form=isline,
                extra={k: v for k, v in x.items() if k not in ("fields", "modifiedAt")} if isline else {},
                clock=micros(since[key]["modifiedAt"]) if since[key].get("modifiedAt") else None,
            )
        return made

    def content(self, f):
        return {k: x for k, x in f.items() if not (k == "isDeleted" and x is False and self.soft)}

    def check(self, which=""):
        n = lambda v: norm(v, self.dates)
        dumps = [self.dump(i) for i in range(self.s["devs"])]
        first = dumps[0]
        for i, other in enumerate(dumps[1:], 1):
            if set(first) != set(other):
                raise Failure("a-ids", f"d0 {sorted(first)} d{i} {sorted(other)}")
            for key in first:
                a, b = first[key], other[key]
                if n(a["fields"]) != n(b["fields"]):
                    raise Failure("a-content", f"{key}: d0 {a} d{i} {b}")
            for key in first:
                a, b = first[key], other[key]
                if a["clock"] != b["clock"]:
                    raise Failure("a-clock", f"{key}: d0 {a} d{i} {b}")
                if n(a["extra"]) != n(b["extra"]):
                    raise Failure("a-extra", f"{key}: d0 {a} d{i} {b}")
        client = mirror.connect(self.d.port)
        parent = "projects/my-app/databases/(default)/documents"
        docs, twice = {}, {}
        for doc in client.list_documents(request={"parent": parent, "collection_id": "tasks", "page_size": 300}):
            raw = mirror.Document.pb(doc)
            f = mirror.plain_fields(raw.fields)
            f.pop("peersync", None)
            if self.soft and f.get("isDeleted") is True:
                continue
            key = idname(raw.name[len(parent) + 7 :])
            if key in docs:
                twice[key] = raw.name
            docs[key] = self.content(f)
        if twice:
            raise Failure("b-twice", str(twice))
        if set(docs) != set(first):
            raise Failure("b-ids", f"collection {sorted(docs)} d0 {sorted(first)}")
        for key in docs:
            if n(docs[key]) != n(first[key]["fields"]):
                raise Failure("b-content", f"{key}: collection {docs[key]} d0 {first[key]}")
        for key in set(first) - set(self.writes):
            raise Failure("c-strange", key)
        for key in self.writes:
            w = self.certain(key)
            if not w:
                continue
            have = first.get(key)
            if w["dead"]:
                if have:
                    raise Failure("c-back", f"{key} was deleted by {w}, there is {have}")
                continue
            if not have:
                raise Failure("c-lost", f"{key} should be {w}, is deleted")
            if have["fields"].get("v") != w["tag"]:
                raise Failure("c-older", f"{key} should be {w}, is {have}")
            if w["content"] is not None:
                want, got = dict(w["content"]), dict(have["fields"])
                if w["dev"] is None:
                    want.pop("updatedAt", 0), got.pop("updatedAt", 0)
                if n(self.content(want)) != n(got):
                    raise Failure("c-content", f"{key} should be {want}, is {got}")

    def play(self):
        try:
            for self.step, step in enumerate(self.s["steps"]):
                self.say(f"{self.step} {show(step)}")
                self.do(step)
            self.step += 1
            self.say("the end")
            self.finish()
        finally:
            self.d.stop()
            if not KEEP:
                shutil.rmtree(self.folder)


KEEP, TOLERATE = False, None


def short(summary):
    try:
        s = json.loads(summary)
        return f"received {s['changesReceived']} sent {s['changesSent']}"
    except Exception:
        return summary[:200]


def show(step):
    return step[0] + " " + " ".join(enc(x) if not isinstance(x, str) else x for x in step[1:])


def once(story, log=None):
    try:
        Story(story, log).play()
    except Failure as f:
        return f
    return None


def minimize(story, kind, seconds):
    """The shortest story found that fails alike."""
    end = time.time() + seconds
    steps, size = list(story["steps"]), max(1, len(story["steps"]) // 2)

    def fails(steps, tries=2):
        for _ in range(tries):
            if time.time() > end:
                return False
            f = once({**story, "steps": steps})
            if f and f.kind.rstrip("2") == kind.rstrip("2"):
                return True
        return False

    while time.time() < end:
        at, got = 0, False
        while at < len(steps):
            fewer = steps[:at] + steps[at + size :]
            if fails(fewer):
                steps, got = fewer, True
            else:
                at += size
        if size == 1 and not got:
            break
        if size > 1:
            size = max(1, size // 2)
    # simpler fields
    for at, step in enumerate(steps):
        for k, x in enumerate(step):
            if isinstance(x, dict) and step[0] in ("put", "aput", "amerge", "race"):
                for name in list(x):
                    fewer = {n: v for n, v in steps[at][k].items() if n != name}
                    t = steps[:at] + [steps[at][:k] + (fewer,) + steps[at][k + 1 :]] + steps[at + 1 :]
                    if fails(t, 1):
                        steps = t
    return {**story, "steps": steps}


def main():
    global KEEP, TOLERATE
    o = argparse.ArgumentParser()
    o.add_argument("scenario", nargs="?", help="seeds: those that are always tried")
    o.add_argument("--seed", type=int, default=1)
    o.add_argument("--count", type=int, default=1)
    o.add_argument("--sweep", action="store_true")
    o.add_argument("--no-minimize", action="store_true")
    o.add_argument("--minimize-seconds", type=float, default=40)
    o.add_argument("--keep", action="store_true")
    o.add_argument("--log", action="store_true")
    o.add_argument("--only", help="flags, with commas")
    o.add_argument("--tolerate", help="a pattern of messages of runs that are known faults")
    a = o.parse_args()
    if a.scenario:
        a.count = 100 if LONG else 3
    KEEP, TOLERATE = a.keep, a.tolerate
    bad, kinds = 0, {}
    for seed in range(a.seed, a.seed + a.count):
        story, log = make(seed, a.sweep, a.only.split(",") if a.only is not None else None), []
        began = time.time()
        f = once(story, log)
        print(
            f"seed {seed} {'FAILED ' + f.kind if f else 'ok'} {time.time() - began:.1f}s {','.join(story['flags'])} {story['style']}",
            flush=True,
        )
        if a.log:
            print("\n".join(log))
        if not f:
            continue
        bad += 1
        kinds.setdefault(f.kind, []).append(seed)
        print(f"  {str(f)[:1500]}", flush=True)
        if not a.log:
            print("\n".join("  | " + x[:400] for x in log))
        if not a.no_minimize and len(kinds[f.kind]) <= 2:
            small, log = minimize(story, f.kind, a.minimize_seconds), []
            g = once(small, log)
            print(f"  minimized ({len(small['steps'])} steps): {str(g)[:1200]}")
            print("\n".join("  > " + x[:500] for x in log), flush=True)
    print(f"{a.count} stories, {bad} failed: {kinds}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
