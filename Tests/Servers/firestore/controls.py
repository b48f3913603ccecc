"""What tests can do to the double, at /control."""

from google.protobuf import json_format

from firestore.messages import Write, invalid, parse_message
from firestore.paths import check_document_path, quote_name

WRITERS = ("put", "merge", "delete")


def as_list(value):
    return value if isinstance(value, list) else [value]


def other_write(kind, item, database):
    """A write of another writer as a message; `item` is a path or an object with one."""
    item = {"path": item} if isinstance(item, str) else item
    name = f"{database}/documents/{check_document_path(item['path'])}"
    if kind == "delete":
        return Write(delete=name)
    made = {"update": {"name": name, "fields": item.get("fields", {})}}
    if kind == "merge":
        made["updateMask"] = {"fieldPaths": [quote_name(field) for field in item.get("fields", {})]}
    if "serverTime" in item:
        made["updateTransforms"] = [{"fieldPath": path, "setToServerValue": "REQUEST_TIME"}
                                    for path in as_list(item["serverTime"])]
    return parse_message(made, Write())


def write_as_other(service, members, store=None):
    """Carries out the put, merge and delete members, each as a commit of its own."""
    name = members.get("database")
    store = store or (service.store(name) if name else service.first)
    database = store.name or "projects/none/databases/none"
    results = []
    for kind in WRITERS:
        for item in as_list(members[kind]) if kind in members else []:
            delay = item.get("visibleAfter") if isinstance(item, dict) else None
            delay = service.delay if delay is None else delay
            response = service.commit(store, database, [other_write(kind, item, database)], delay)
            results.append(json_format.MessageToDict(response))
    return results


def make_rule(item):
    if not isinstance(item, dict):
        raise invalid("A rule must be an object.")
    rule = {"times": 1, "skip": 0, **item}
    if "path" in rule:
        rule["path"] = rule["path"].rpartition(":")[2]  # ":commit" means commit
    return rule


def clear(service):
    for store in service.all_stores():
        with store.lock:
            store.collections = {}
    service.rewrite()


def copy_collections(collections):
    return {name: {key: list(versions) for key, versions in documents.items()}
            for name, documents in collections.items()}


def take_snapshot(service, name):
    copies = []
    for store in service.all_stores():
        with store.lock:
            copies.append((store, copy_collections(store.collections)))
    service.snapshots[name] = copies


def restore(service, name):
    """Back to a snapshot; a database that came later is emptied. Time does not go back."""
    if name not in service.snapshots:
        raise invalid(f'There is no snapshot "{name}".')
    copies = dict(service.snapshots[name])
    for store in service.all_stores():
        with store.lock:
            store.collections = copy_collections(copies.get(store, {}))
    service.rewrite()


def set_delay(service, seconds):
    service.delay = float(seconds)


def advance(service, seconds):
    service.clock.advance(seconds)
    service.rewrite()


def expire_tokens(service, value):
    if value != "expire":
        raise invalid('token must be "expire".')
    service.handed_out.clear()


CONTROLS = {
    "clear": lambda service, value: clear(service) if value else None,
    "restore": restore,
    "clock": advance,
    "delay": set_delay,
    "token": expire_tokens,
    "fail": lambda service, value: service.fail_rules.extend(make_rule(item) for item in as_list(value)),
    "before": lambda service, value: service.before_rules.extend(make_rule(item) for item in as_list(value)),
    "clearRules": lambda service, value: (service.fail_rules.clear(), service.before_rules.clear()),
}


def control(service, members):
    """What a test sets. A request may have several members, which are done in the order of CONTROLS.

    fail        rules {path, status, code, message, times, skip, retryAfter, after}; path is commit, runQuery,
                runAggregationQuery, batchGet, list, token, or * for all; status 0 closes the connection; with after
                it is done, and the answer lost
    before      rules {path, times, skip, put, merge, delete}: what another writer does right before
    clearRules  no rules any more
    token       "expire"
    delay       after so many seconds later commits are visible
    clock       seconds to go on by
    clear, snapshot, restore
    put, merge  {path, fields, serverTime: [field paths], visibleAfter}, or a list of them
    delete      a path, or {path, visibleAfter}, or a list of them
    database    the one that these write to, if it is not the first that was addressed
    """
    for name in members:
        if name not in CONTROLS and name not in WRITERS + ("database", "snapshot"):
            raise invalid(f'Unknown control "{name}".')
    with service.lock:
        for name, act in CONTROLS.items():
            if name in members:
                act(service, members[name])
        results = write_as_other(service, members)
        if "snapshot" in members:
            take_snapshot(service, members["snapshot"])
        return {"results": results, "now": service.clock.now() / 1_000_000,
                "rules": len(service.fail_rules) + len(service.before_rules)}
