"""Names of documents, and paths of fields within them."""

import re

from firestore.messages import invalid

MAX_NAME_BYTES = 1500
RESERVED = re.compile(r"__.*__", re.DOTALL)
SIMPLE_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
NAME = ("__name__",)


def utf8(text):
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise invalid("A name is not valid UTF-8.") from None


def check_id(name, what):
    """The rules for collection and document ids."""
    if not name:
        raise invalid(f"{what} is empty.")
    if "/" in name:
        raise invalid(f'{what} "{name}" contains a slash.')
    if name in (".", ".."):
        raise invalid(f'{what} "{name}" must not be "." or "..".')
    if RESERVED.fullmatch(name):
        raise invalid(f'{what} "{name}" is invalid because it is reserved.')
    if len(utf8(name)) > MAX_NAME_BYTES:
        raise invalid(f"{what} is longer than {MAX_NAME_BYTES} bytes.")


def check_segments(segments):
    for index, segment in enumerate(segments):
        check_id(segment, "Document id" if index % 2 else "Collection id")


def check_field_name(name):
    if not name:
        raise invalid("Field name is empty.")
    if RESERVED.fullmatch(name):
        raise invalid(f'Field name "{name}" is reserved.')
    if len(utf8(name)) > MAX_NAME_BYTES:
        raise invalid(f"Field name is longer than {MAX_NAME_BYTES} bytes.")


def relative_name(database, full):
    """The path of a document below the database, checked: 'tasks/1'."""
    prefix = f"{database}/documents/"
    if not full.startswith(prefix):
        raise invalid(f'Document name "{full}" is not in the database "{database}".')
    return check_document_path(full[len(prefix):])


def check_document_path(path):
    segments = path.split("/")
    if len(segments) % 2:
        raise invalid(f'Document path "{path}" names a collection.')
    check_segments(segments)
    return path


def name_key(path):
    return (6, tuple(utf8(segment) for segment in path.split("/")))


def read_quoted(text, at):
    """One backquoted segment that begins at text[at]; its name and its end."""
    name, at = [], at + 1
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            name.append(text[at + 1])
            at += 2
        elif text[at] == "`":
            return "".join(name), at + 1
        else:
            name.append(text[at])
            at += 1
    raise invalid(f'Invalid property path "{text}": a backquote is not closed.')


def parse_path(text):
    """A field path as a tuple of names: a.`b c`.d"""
    names, at = [], 0
    while True:
        if text[at:at + 1] == "`":
            name, at = read_quoted(text, at)
        else:
            match = SIMPLE_NAME.match(text, at)
            name, at = (match.group(), match.end()) if match else ("", at)
        if not name:
            raise invalid(f'Invalid property path "{text}".')
        names.append(name)
        if at == len(text):
            return tuple(names)
        if text[at] != ".":
            raise invalid(f'Invalid property path "{text}". Unquoted property names must match '
                          f"regex ([a-zA-Z_][a-zA-Z_0-9]*).")
        at += 1


def parse_written_path(text):
    path = parse_path(text)
    for name in path:
        check_field_name(name)
    return path


def quote_name(name):
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def find_value(fields, path):
    """The value at a field path, or None."""
    for name in path[:-1]:
        if name not in fields or fields[name].WhichOneof("value_type") != "map_value":
            return None
        fields = fields[name].map_value.fields
    return fields[path[-1]] if path[-1] in fields else None


def make_value(fields, path):
    """The value at a field path, with the maps above it made where needed."""
    for name in path[:-1]:
        value = fields[name]
        if value.WhichOneof("value_type") != "map_value":
            value.map_value.SetInParent()
        fields = value.map_value.fields
    return fields[path[-1]]


def remove_value(fields, path):
    for name in path[:-1]:
        if name not in fields or fields[name].WhichOneof("value_type") != "map_value":
            return
        fields = fields[name].map_value.fields
    if path[-1] in fields:
        del fields[path[-1]]


def copy_paths(source, target, paths):
    """Copy the values at paths; a path that is absent in the source is removed."""
    for path in paths:
        value = find_value(source, path)
        if value is None:
            remove_value(target, path)
        else:
            make_value(target, path).CopyFrom(value)
