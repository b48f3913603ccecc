"""Values of records, as the stories make and compare them."""

import datetime
import json
import re
import time

MARK = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


class Raw:
    """A number in a spelling of its own."""

    def __init__(self, text):
        self.text = text

    @property
    def value(self):
        return json.loads(self.text)


def enc(v):
    if isinstance(v, Raw):
        return v.text
    if isinstance(v, dict):
        return "{" + ",".join(json.dumps(k) + ":" + enc(x) for k, x in v.items()) + "}"
    if isinstance(v, list):
        return "[" + ",".join(map(enc, v)) + "]"
    return json.dumps(v)


def plainv(v):
    if isinstance(v, Raw):
        return v.value
    if isinstance(v, dict):
        return {k: plainv(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plainv(x) for x in v]
    return v


def typed(v):
    if isinstance(v, Raw):
        v = v.value
    if v is None:
        return {"nullValue": None}
    if isinstance(v, bool):
        return {"booleanValue": v}
    if isinstance(v, int):
        return {"integerValue": str(v)}
    if isinstance(v, float):
        return {"doubleValue": v}
    if isinstance(v, str):
        return {"stringValue": v}
    if isinstance(v, list):
        return {"arrayValue": {"values": [typed(x) for x in v]}}
    if len(v) == 1 and next(iter(v)).startswith("$"):
        name, x = next(iter(v.items()))
        return {name[1:]: x}
    return {"mapValue": {"fields": {k: typed(x) for k, x in v.items()}}}


def untyped(v):
    """What a record has for a value that an app wrote."""
    v = plainv(v)
    if isinstance(v, dict):
        if len(v) == 1 and next(iter(v)).startswith("$"):
            return next(iter(v.values()))
        return {k: untyped(x) for k, x in v.items()}
    if isinstance(v, list):
        return [untyped(x) for x in v]
    return v


def norm(v, dates):
    """A form in which equal values are equal, and true is not 1."""
    if isinstance(v, bool):
        return ("b", v)
    if isinstance(v, (int, float)):
        return ("n", v)
    if isinstance(v, dict):
        return ("o", tuple(sorted((k, norm(x, dates)) for k, x in v.items())))
    if isinstance(v, list):
        return ("a", tuple(norm(x, dates) for x in v))
    if dates and isinstance(v, str) and MARK.fullmatch(v):
        return ("t", micros(v))
    return ("s", v) if isinstance(v, str) else ("0",)


def micros(text):
    base, _, frac = text[:-1].partition(".")
    t = datetime.datetime.strptime(base, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return int(t.timestamp()) * 1_000_000 + int((frac + "000000")[:6])


def stamp(ms):
    s, r = divmod(int(ms), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(s)) + f".{r:03d}Z"


STRINGS = [
    "Milk",
    "",
    " ",
    "Käse & <b>",
    "e\u0301",
    "\u00e9",
    "日本語",
    "😀👩\u200d👧",
    "a\u2028b",
    'q"\\/\n\t',
    "null",
    "1.0",
    "true",
    "2026-01-01",
    "\u0000",
    "\uffff",
    "\u0085",
    "𝄞",
]
DATES = [
    "2026-11-01T08:00:00Z",
    "2026-11-01T08:00:00.000Z",
    "2026-11-01T08:00:00.120Z",
    "2026-11-01T09:00:00+01:00",
    "2026-02-28T23:59:59.999999Z",
]
INTS = [0, 1, -1, 42, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]
DOUBLES = [
    0.5,
    1.0,
    -0.0,
    0.1,
    1.5e300,
    5e-324,
    1e22,
    123456789.125,
    1.7976931348623157e308,
    Raw("1.50"),
    Raw("1E3"),
    Raw("25e-2"),
    Raw("100.0"),
    Raw("0.30000000000000004"),
    Raw("1e-7"),
]
NAMES = [
    "a.b",
    "sp ace",
    "`q`",
    "ü",
    "0",
    'qu"ote',
    "*",
    "a/b",
    "~",
    "\\",
    "line",
    "name",
    "é",
    "e\u0301",
    "_",
    "a-b",
]


def scalar(r, numbers=True):
    kind = r.choice("sidnbt" if numbers else "sbnt")
    if kind == "s":
        return r.choice(STRINGS)
    if kind == "i":
        return r.choice(INTS)
    if kind == "d":
        return r.choice(DOUBLES)
    if kind == "n":
        return None
    if kind == "b":
        return r.random() < 0.5
    return r.choice(DATES)


def anyvalue(r, depth=0, in_array=False, numbers=True):
    x = r.random()
    if depth < 3 and x < 0.25:
        return {r.choice(NAMES): anyvalue(r, depth + 1, False, numbers) for _ in range(r.randrange(4))}
    if depth < 3 and x < 0.45 and not in_array:
        return [anyvalue(r, depth + 1, True, numbers) for _ in range(r.randrange(4))]
    return scalar(r, numbers)


def fields(r, flags):
    f = {"title": r.choice(STRINGS)}
    for name, make in [
        ("n", lambda: r.choice(INTS)),
        ("d", lambda: r.choice(DOUBLES)),
        ("flag", lambda: r.random() < 0.5),
        ("note", lambda: r.choice([None, "x"])),
        ("due", lambda: r.choice(DATES)),
        ("tags", lambda: [r.choice(STRINGS) for _ in range(r.randrange(4))]),
        ("nest", lambda: {"k": None, "in": {r.choice(NAMES): r.choice(STRINGS)}}),
        ("list", lambda: [{"x": r.random() < 0.5, "l": ["a", None]} for _ in range(r.randrange(3))]),
    ]:
        if r.random() < 0.35:
            f[name] = make()
    if r.random() < 0.3:
        f[r.choice(NAMES)] = r.choice(STRINGS)
    if r.random() < 0.1:
        f["é"], f["e\u0301"] = "nfc", "nfd"
    if "clash" in flags and r.random() < 0.6:
        f["any"] = anyvalue(r)
    return f


EXOTIC = [
    {"$geoPointValue": {"latitude": 1.5, "longitude": 2.5}},
    {"$bytesValue": "TQ=="},
    {"$referenceValue": "projects/my-app/databases/(default)/documents/tasks/1"},
    {"$timestampValue": "2026-11-01T08:00:00.123456Z"},
    {"$doubleValue": "NaN"},
]
OVER = [
    {"latitude": 200.5, "longitude": 1},
    {"latitude": 3, "longitude": 4},
    "TR==",
    "Milk",
    "projects/x",
    "NaN",
    "-Infinity",
    "2026-11-01T08:00:00.123456789Z",
    3,
    None,
]
