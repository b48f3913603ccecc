"""Reads a collection with Google's own client: mirror.py PORT PROJECT COLLECTION

Prints a JSON line for each document, in the order of their names.
"""

import base64
import json
import math
import sys

from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports.rest import FirestoreRestTransport
from google.cloud.firestore_v1.types import Document


class OwnerCredentials(AnonymousCredentials):
    """The token that the double always accepts."""

    def before_request(self, request, method, url, headers):
        headers["Authorization"] = "Bearer owner"


def connect(port):
    transport = FirestoreRestTransport(
        host=f"127.0.0.1:{port}", credentials=OwnerCredentials(), url_scheme="http")
    return FirestoreClient(transport=transport)


def number(value):
    """JSON has no NaN and no infinities: they are strings, as in the REST interface."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def plain(value):
    """A typed value as JSON."""
    kind = value.WhichOneof("value_type")
    if kind == "null_value":
        return None
    if kind == "map_value":
        return plain_fields(value.map_value.fields)
    if kind == "array_value":
        return [plain(item) for item in value.array_value.values]
    if kind == "timestamp_value":
        return value.timestamp_value.ToJsonString()
    if kind == "bytes_value":
        return base64.b64encode(value.bytes_value).decode()
    if kind == "double_value":
        return number(value.double_value)
    if kind == "geo_point_value":
        return {"latitude": value.geo_point_value.latitude, "longitude": value.geo_point_value.longitude}
    return getattr(value, kind)


def plain_fields(fields):
    return {name: plain(fields[name]) for name in sorted(fields)}


def main():
    port, project, collection = sys.argv[1:]
    parent = f"projects/{project}/databases/(default)/documents"
    client = connect(port)
    request = {"parent": parent, "collection_id": collection, "page_size": 300}
    lines = []
    for document in client.list_documents(request=request):
        raw = Document.pb(document)
        lines.append({"name": raw.name[len(f"{parent}/{collection}/"):], "fields": plain_fields(raw.fields)})
    for line in sorted(lines, key=lambda line: line["name"].encode("utf-8")):
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
