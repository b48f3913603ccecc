"""Which values a document can hold, how large they are, and in which order."""

from firestore.messages import invalid
from firestore.paths import check_document_path, check_field_name, name_key

MAX_DOCUMENT = 1048576
MAX_DEPTH = 20


def check_fields(fields, depth):
    for name in fields:
        check_field_name(name)
        check_value(fields[name], depth)


def check_value(value, depth):
    """Check a value to be stored, and cut its timestamps to microseconds."""
    kind = value.WhichOneof("value_type")
    if kind is None:
        raise invalid("A value has no type.")
    if kind in ("map_value", "array_value") and depth > MAX_DEPTH:
        raise invalid(f"A value is nested deeper than {MAX_DEPTH} levels.")
    if kind == "map_value":
        check_fields(value.map_value.fields, depth + 1)
    elif kind == "array_value":
        check_array(value.array_value.values, depth + 1)
    elif kind == "timestamp_value":
        value.timestamp_value.nanos -= value.timestamp_value.nanos % 1000
    elif kind == "geo_point_value":
        check_point(value.geo_point_value)
    elif kind == "reference_value":
        check_reference(value.reference_value)
    elif kind not in SCALAR_SIZES:
        raise invalid(f"A value of type {kind} cannot be stored.")


def check_array(values, depth):
    for value in values:
        if value.WhichOneof("value_type") == "array_value":
            raise invalid("Cannot convert an array value in an array value.")
        check_value(value, depth)


def check_point(point):
    if not (-90 <= point.latitude <= 90 and -180 <= point.longitude <= 180):
        raise invalid("A geographical point is out of range.")


def check_reference(name):
    parts = name.split("/", 5)
    if len(parts) != 6 or (parts[0], parts[2], parts[4]) != ("projects", "databases", "documents"):
        raise invalid(f'Reference "{name}" is not a document name.')
    check_document_path(parts[5])


# Google's documented storage sizes.
SCALAR_SIZES = {
    "null_value": lambda value: 1,
    "boolean_value": lambda value: 1,
    "integer_value": lambda value: 8,
    "double_value": lambda value: 8,
    "timestamp_value": lambda value: 8,
    "geo_point_value": lambda value: 16,
    "string_value": lambda value: text_size(value.string_value),
    "bytes_value": lambda value: len(value.bytes_value),
    "reference_value": lambda value: path_size(value.reference_value.split("/", 5)[5]),
}


def text_size(text):
    return len(text.encode("utf-8")) + 1


def path_size(path):
    return 16 + sum(text_size(segment) for segment in path.split("/"))


def value_size(value):
    kind = value.WhichOneof("value_type")
    if kind == "map_value":
        return fields_size(value.map_value.fields)
    if kind == "array_value":
        return sum(value_size(item) for item in value.array_value.values)
    return SCALAR_SIZES[kind](value)


def fields_size(fields):
    """The size of a document without its name, and of a map."""
    return 32 + sum(text_size(name) + value_size(fields[name]) for name in fields)


def check_document(path, document):
    check_fields(document.fields, 1)
    size = path_size(path) + fields_size(document.fields)
    if size > MAX_DOCUMENT:
        raise invalid(f"Document '{path}' cannot be written because its size ({size:,} bytes) "
                      f"exceeds the maximum allowed size of {MAX_DOCUMENT:,} bytes.")


def number_key(number):
    return (2, 1, number) if number == number else (2, 0, 0)  # NaN comes first


def map_key(fields):
    return tuple((name.encode("utf-8"), value_key(fields[name]))
                 for name in sorted(fields, key=lambda name: name.encode("utf-8")))


KEYS = {
    "null_value": lambda value: (0,),
    "boolean_value": lambda value: (1, value.boolean_value),
    "integer_value": lambda value: number_key(value.integer_value),
    "double_value": lambda value: number_key(value.double_value),
    "timestamp_value": lambda value: (3, value.timestamp_value.seconds, value.timestamp_value.nanos),
    "string_value": lambda value: (4, value.string_value.encode("utf-8")),
    "bytes_value": lambda value: (5, value.bytes_value),
    "reference_value": lambda value: name_key(value.reference_value),
    "geo_point_value": lambda value: (7, value.geo_point_value.latitude, value.geo_point_value.longitude),
    "array_value": lambda value: (8, tuple(value_key(item) for item in value.array_value.values)),
    "map_value": lambda value: (9, map_key(value.map_value.fields)),
}


def value_key(value):
    """A tuple that compares as Firestore orders values."""
    kind = value.WhichOneof("value_type")
    if kind not in KEYS:
        raise invalid("A value has no type that can be compared.")
    return KEYS[kind](value)
