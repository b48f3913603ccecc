"""A story from a seed: devices, an app, and the steps that they take."""

import copy
import random

from stories.values import EXOTIC, OVER, fields

RULES = ("1", "2", "3", "4")
ODD = ("ü", "a b", 5)


def make(seed, sweep=None, only=None):
    r = random.Random(seed)
    flags = set()
    for name, p in [
        ("soft", 0.5),
        ("sweep", 0.65),
        ("clash", 0.25),
        ("late", 0.25),
        ("storerestore", 0.35),
        ("collrestore", 0.2),
        ("faults", 0.5),
        ("kill", 0.5),
        ("odd", 0.2),
        ("exotic", 0.12),
        ("lines", 0.3),
        ("both", 0.4),
        ("three", 0.4),
    ]:
        if r.random() < p:
            flags.add(name)
    if sweep:
        flags.add("sweep")
    if "sweep" in flags:
        if r.random() < 0.75:
            flags.add("app")
        if "app" in flags and r.random() < 0.5:
            flags.add("harddel")
    else:
        flags.discard("exotic")
    if only is not None:
        flags = set(only)
    style = r.choice(["none", "none", "server", "string"])
    devs = 3 if "three" in flags else 2
    ids = list(RULES[: r.choice([2, 3, 4])]) + (r.sample(ODD, 2) if "odd" in flags else [])
    steps, n, faults = [], r.randint(20, 40), 0
    choices = [("put", 24), ("del", 7), ("run", 26)]
    if "kill" in flags:
        choices.append(("kill", 8))
    if "faults" in flags:
        choices.append(("fault", 7))
    if "app" in flags:
        choices += [("aput", 6), ("amerge", 5), ("race", 4)]
    if "app" in flags and "soft" in flags:
        choices += [("asoft", 2), ("aback", 2)]
    if "harddel" in flags:
        choices.append(("ahard", 4))
    if "late" in flags:
        choices += [("delay", 3), ("advance", 3)]
    if "storerestore" in flags:
        choices += [("backup", 4), ("restore", 3)]
    if "collrestore" in flags:
        choices += [("snap", 3), ("back", 2)]
    if "both" in flags:
        choices.append(("both", 6))

    def f():
        x = fields(r, flags)
        if "exotic" in flags and r.random() < 0.5:
            x["ex"] = copy.deepcopy(r.choice(OVER))
        return x

    def af():
        x = fields(r, flags)
        x.pop("updatedAt", None)
        if "exotic" in flags and r.random() < 0.6:
            x["ex"] = copy.deepcopy(r.choice(EXOTIC))
        return x

    while len(steps) < n:
        kind = r.choices([c for c, _ in choices], [w for _, w in choices])[0]
        d, i = r.randrange(devs), r.choice(ids)
        if kind == "put":
            steps.append(("put", d, i, f(), r.random() < 0.75, "lines" in flags and r.random() < 0.4))
        elif kind == "del":
            steps.append(("del", d, i))
        elif kind == "run":
            steps.append(("run", d))
        elif kind == "kill":
            steps.append(("kill", d, r.choice([2, 4, 6, 8, 10, 12, 15, 18, 21, 25, 30])))
        elif kind == "fault":
            if faults >= 3:
                continue
            faults += 1
            rule = r.choice(
                [
                    {"path": "commit", "status": 503, "retryAfter": 1, "times": 1},
                    {
                        "path": "*",
                        "status": 429,
                        "code": "RESOURCE_EXHAUSTED",
                        "retryAfter": 1,
                        "times": r.choice([1, 2]),
                    },
                    {
                        "path": r.choice(["runQuery", "batchGet", "runAggregationQuery", "commit", "get"]),
                        "status": 0,
                        "times": 1,
                    },
                    {"path": "commit", "status": 0, "after": True, "times": 1},
                    {"path": "commit", "status": 503, "after": True, "retryAfter": 1, "times": 1},
                    {"path": "*", "status": 0, "times": 1, "skip": r.randrange(1, 6)},
                    {"path": "commit", "status": 409, "code": "ABORTED", "times": 1},
                    {"path": "commit", "status": 500, "code": "INTERNAL", "times": 1},
                ]
            )
            steps.append(("fault", d, rule))
        elif kind in ("aput", "amerge"):
            steps.append((kind, i, af()))
        elif kind == "race":
            steps.append(("race", d, i, af()))
        elif kind in ("asoft", "aback", "ahard"):
            steps.append((kind, i))
        elif kind == "delay":
            steps.append(("delay", r.choice([0, 3, 3])))
        elif kind == "advance":
            steps.append(("advance", r.choice([1, 4])))
        elif kind in ("backup", "restore"):
            steps.append((kind, d))
        elif kind == "both":
            steps.append(("both", d, (d + 1) % devs))
        else:
            steps.append((kind,))
    return {"seed": seed, "flags": sorted(flags), "style": style, "devs": devs, "steps": steps}
