"""Google's messages, the errors that are answered in Google's form, and JSON as messages."""

import importlib.util
import json
import sys
import time
from types import ModuleType

# The package itself imports the client and gRPC, which takes half a second at each start: an empty one leads to its modules too.
package = importlib.util.find_spec("google.cloud.firestore_v1")
sys.modules.setdefault(package.name, ModuleType(package.name)).__path__ = package.submodule_search_locations

from google.cloud.firestore_v1 import types
from google.protobuf import json_format

RunQueryRequest = types.RunQueryRequest.pb()
RunQueryResponse = types.RunQueryResponse.pb()
RunAggregationQueryRequest = types.RunAggregationQueryRequest.pb()
RunAggregationQueryResponse = types.RunAggregationQueryResponse.pb()
BatchGetDocumentsRequest = types.BatchGetDocumentsRequest.pb()
BatchGetDocumentsResponse = types.BatchGetDocumentsResponse.pb()
CommitRequest = types.CommitRequest.pb()
CommitResponse = types.CommitResponse.pb()
ListDocumentsResponse = types.ListDocumentsResponse.pb()
Document = types.Document.pb()
Value = types.Value.pb()
Write = types.Write.pb()
Query = types.StructuredQuery.pb()


class ApiError(Exception):
    """An error that is answered in Google's form."""

    def __init__(self, status, code, message, headers=None):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers = headers or {}

    def body(self):
        return {"error": {"code": self.status, "message": self.message, "status": self.code}}


def invalid(message):
    return ApiError(400, "INVALID_ARGUMENT", message)


def unsupported(what):
    return ApiError(501, "UNIMPLEMENTED", f"{what} is not supported by this double.")


class Clock:
    """Real time plus the seconds it was advanced by, in microseconds."""

    def __init__(self):
        self.offset = 0

    def now(self):
        return time.time_ns() // 1000 + self.offset

    def advance(self, seconds):
        self.offset += int(seconds * 1_000_000)


def set_time(stamp, micros):
    stamp.seconds, rest = divmod(micros, 1_000_000)
    stamp.nanos = rest * 1000


def micros_of(stamp):
    if stamp.nanos % 1000:
        raise invalid("timestamp must be microsecond aligned")
    return stamp.seconds * 1_000_000 + stamp.nanos // 1000


def no_duplicates(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member occurs twice")
    return members


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def load_json(data):
    try:
        made = json.loads(data.decode("utf-8"), object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise invalid(f"Invalid JSON payload received. {error}") from None
    if not isinstance(made, dict):
        raise invalid("Invalid JSON payload received. The root must be an object.")
    return made


def parse_message(members, message):
    try:
        return json_format.ParseDict(members, message, ignore_unknown_fields=False)
    except Exception as error:  # what a protobuf refuses, it refuses in several ways
        raise invalid(f"Invalid JSON payload received. {error}") from None


def is_set(message, name):
    return any(field.name == name for field, _ in message.ListFields())


def parse_request(data, message, member, value):
    """The body as a message; the member that the address gives is filled in."""
    members = load_json(data)
    if members.setdefault(member, value) != value:
        raise invalid(f"{member} differs from the address.")
    parse_message(members, message)
    for name in ("transaction", "new_transaction", "read_time", "explain_options"):
        if name in message.DESCRIPTOR.fields_by_name and is_set(message, name):
            raise unsupported(name)
    return message
