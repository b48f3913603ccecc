"""Writes: what they ask for before, and which version of a document they make."""

from google.protobuf import json_format

from firestore.messages import ApiError, Document, Value, invalid, micros_of, set_time, unsupported
from firestore.paths import NAME, copy_paths, find_value, make_value, name_key, parse_written_path, relative_name
from firestore.values import check_document, value_key


class Version:
    """A state of a document.

    `fields` is a Document message with fields alone, or None where it was deleted. Times are in microseconds.
    """

    __slots__ = ("path", "name_key", "fields", "create", "update", "visible", "keys", "json")

    def __init__(self, path, fields, create, update, visible):
        self.path, self.fields = path, fields
        self.create, self.update, self.visible = create, update, visible
        self.name_key = name_key(path)
        self.keys = {NAME: self.name_key}
        self.json = None

    def key(self, path):
        """The sort key of the field at path, or None where it is absent."""
        if path not in self.keys:
            value = find_value(self.fields.fields, path)
            self.keys[path] = None if value is None else value_key(value)
        return self.keys[path]

    def fill(self, document, database, mask):
        document.name = f"{database}/documents/{self.path}"
        set_time(document.create_time, self.create)
        set_time(document.update_time, self.update)
        if mask is None:
            document.MergeFrom(self.fields)
        else:
            copy_paths(self.fields.fields, document.fields, [path for path in mask if path != NAME])

    def as_json(self, database, mask):
        """The document in REST form; the whole document is kept once made."""
        if mask is None and self.json and self.json["name"].startswith(f"{database}/documents/"):
            return self.json
        document = Document()
        self.fill(document, database, mask)
        made = json_format.MessageToDict(document)
        if mask is None:
            self.json = made
        return made


def seen(versions, now):
    """The version that a read at this moment sees, or None."""
    for version in reversed(versions):
        if version.visible <= now:
            return version if version.fields is not None else None
    return None


def same(one, other):
    return one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)


def check_precondition(write, old, name):
    condition = write.current_document
    kind = condition.WhichOneof("condition_type")
    if kind == "exists" and condition.exists and not old:
        raise ApiError(404, "NOT_FOUND", f"No document to update: {name}")
    if kind == "exists" and not condition.exists and old:
        raise ApiError(409, "ALREADY_EXISTS", f"Document already exists: {name}")
    if kind == "update_time":
        wanted, stored = micros_of(condition.update_time), old.update if old else 0
        if wanted != stored:
            raise ApiError(400, "FAILED_PRECONDITION", f"the stored version ({stored}) does not "
                           f"match the required base version ({wanted})")


def updated_fields(write, old):
    """The fields after the update, before its transforms."""
    fields = Document()
    if not write.HasField("update_mask"):
        copy_all(write.update, fields)
        return fields
    if old:
        fields.CopyFrom(old.fields)
    paths = [parse_written_path(text) for text in write.update_mask.field_paths]
    copy_paths(write.update.fields, fields.fields, paths)
    return fields


def copy_all(source, target):
    for name in source.fields:
        target.fields[name].CopyFrom(source.fields[name])


def transform(write, fields, stamp, result):
    """Set the request time, cut to milliseconds, where a transform wants it."""
    for item in write.update_transforms:
        if item.WhichOneof("transform_type") != "set_to_server_value":
            raise unsupported("A transform other than setToServerValue")
        if item.set_to_server_value != 1:
            raise invalid("setToServerValue must be REQUEST_TIME.")
        value = Value()
        set_time(value.timestamp_value, stamp - stamp % 1000)
        make_value(fields.fields, parse_written_path(item.field_path)).CopyFrom(value)
        result.transform_results.add().CopyFrom(value)


def written_path(database, write):
    kind = write.WhichOneof("operation")
    if kind not in ("update", "delete"):
        raise unsupported("A write other than update and delete")
    return relative_name(database, write.update.name if kind == "update" else write.delete)


def next_version(database, path, write, old, stamp, visible, result):
    """The version that a write makes after `old`, or None if it changes nothing."""
    old = old if old and old.fields is not None else None
    check_precondition(write, old, f"{database}/documents/{path}")
    if write.WhichOneof("operation") == "delete":
        if write.update_transforms or write.HasField("update_mask"):
            raise invalid("A delete cannot have a mask or transforms.")
        return Version(path, None, 0, stamp, visible) if old else None
    fields = updated_fields(write, old)
    transform(write, fields, stamp, result)
    check_document(path, fields)
    if old and same(old.fields, fields):
        set_time(result.update_time, old.update)
        return None
    set_time(result.update_time, stamp)
    return Version(path, fields, old.create if old else stamp, stamp, visible)
