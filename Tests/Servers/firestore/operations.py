"""The operations of the API."""

import base64
import re

from google.protobuf import json_format

from firestore.messages import (
    ApiError, BatchGetDocumentsRequest, BatchGetDocumentsResponse, CommitRequest, ListDocumentsResponse,
    RunAggregationQueryRequest, RunAggregationQueryResponse, RunQueryRequest, RunQueryResponse, invalid,
    parse_request, set_time, unsupported)
from firestore.paths import relative_name
from firestore.queries import Plan
from firestore.tokens import unbase64

MAX_WRITES = 500
MAX_PAGE = 300
DEFAULT_PAGE = 100


def full_parent(call):
    root = f"{call.database}/documents"
    return f"{root}/{call.path}" if call.path else root


def run_query(service, call):
    request = parse_request(call.data, RunQueryRequest(), "parent", full_parent(call))
    if not request.HasField("structured_query"):
        raise invalid("structuredQuery is missing.")
    plan = Plan(call.database, call.path, request.structured_query)
    found, stamp = plan.run(call.store)
    response = RunQueryResponse()
    set_time(response.read_time, stamp)
    rest = json_format.MessageToDict(response)
    answers = [{"document": version.as_json(call.database, plan.mask), **rest} for version in found]
    return answers or [rest], len(found)


def run_aggregation_query(service, call):
    request = parse_request(call.data, RunAggregationQueryRequest(), "parent", full_parent(call))
    query = request.structured_aggregation_query
    if not request.HasField("structured_aggregation_query") or not query.HasField("structured_query"):
        raise invalid("structuredAggregationQuery.structuredQuery is missing.")
    if not 1 <= len(query.aggregations) <= 5:
        raise invalid("An aggregation query needs 1 to 5 aggregations.")
    found, stamp = Plan(call.database, call.path, query.structured_query).run(call.store)
    response = RunAggregationQueryResponse()
    set_time(response.read_time, stamp)
    for index, item in enumerate(query.aggregations, 1):
        alias = item.alias or f"field_{index}"
        response.result.aggregate_fields[alias].integer_value = count(item, len(found))
    return [json_format.MessageToDict(response)], 0


def count(item, total):
    if item.WhichOneof("operator") != "count":
        raise unsupported("An aggregation other than count")
    if not item.count.HasField("up_to"):
        return total
    if item.count.up_to.value <= 0:
        raise invalid("upTo must be positive.")
    return min(total, item.count.up_to.value)


def batch_get(service, call):
    """Answers have no order that is promised: here it is the reverse of what was asked."""
    request = parse_request(call.data, BatchGetDocumentsRequest(), "database", call.database)
    if request.HasField("mask"):
        raise unsupported("mask")
    paths = list(dict.fromkeys(relative_name(call.database, name) for name in request.documents))
    versions, stamp = call.store.read(paths)
    answers = []
    for path, version in reversed(list(zip(paths, versions))):
        response = BatchGetDocumentsResponse()
        set_time(response.read_time, stamp)
        if not version:
            response.missing = f"{call.database}/documents/{path}"
        answer = json_format.MessageToDict(response)
        if version:
            answer["found"] = version.as_json(call.database, None)
        answers.append(answer)
    return answers, sum(1 for version in versions if version)


def commit(service, call):
    request = parse_request(call.data, CommitRequest(), "database", call.database)
    if len(request.writes) > MAX_WRITES:
        raise invalid(f"maximum {MAX_WRITES} writes allowed per request")
    response = service.commit(call.store, call.database, request.writes, service.delay)
    return json_format.MessageToDict(response), len(request.writes)


STANDARD_PARAMETERS = {"alt", "$alt", "prettyPrint", "$prettyPrint", "key", "quotaUser", "fields"}


def check_parameters(call, allowed):
    for name in call.parameters:
        if name not in allowed | STANDARD_PARAMETERS:
            raise invalid(f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.')


def page_size(call):
    text = call.parameters.get("pageSize", ["0"])[-1]
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise invalid("pageSize must be a number that is not negative.")
    return min(int(text) or DEFAULT_PAGE, MAX_PAGE)


def page_start(call):
    """The id that the page token stands for: the last one of the page before."""
    token = call.parameters.get("pageToken", [""])[-1]
    try:
        return unbase64(token)
    except ValueError:
        raise invalid("page_token is not valid.") from None


def list_documents(service, call):
    check_parameters(call, {"pageSize", "pageToken"})
    size, start = page_size(call), page_start(call)
    everything, _ = call.store.read_collection(call.path)
    found = [version for version in everything if version.name_key[1][-1] > start]
    found.sort(key=lambda version: version.name_key)
    page, response = found[:size], ListDocumentsResponse()
    if len(found) > size:
        response.next_page_token = base64.urlsafe_b64encode(page[-1].name_key[1][-1]).decode()
    answer = json_format.MessageToDict(response)
    if page:
        answer["documents"] = [version.as_json(call.database, None) for version in page]
    return answer, len(page)


def get(service, call):
    check_parameters(call, set())
    found = call.store.read([call.path])[0][0]
    if not found:
        raise ApiError(404, "NOT_FOUND", f'Document "{call.database}/documents/{call.path}" not found.')
    return found.as_json(call.database, None), 1


def patch(service, call):
    """Replaces a document, or with a mask some of its fields."""
    check_parameters(call, {"updateMask.fieldPaths"})
    write = CommitRequest().writes.add()
    parse_request(call.data, write.update, "name", f"{call.database}/documents/{call.path}")
    if "updateMask.fieldPaths" in call.parameters:
        write.update_mask.field_paths.extend(call.parameters["updateMask.fieldPaths"])
    service.commit(call.store, call.database, [write], service.delay)
    return get(service, Read(call))


def delete(service, call):
    check_parameters(call, set())
    write = CommitRequest().writes.add()
    write.delete = f"{call.database}/documents/{call.path}"
    service.commit(call.store, call.database, [write], service.delay)
    return {}, 1


class Read:
    """The same address without parameters."""

    def __init__(self, call):
        self.database, self.path, self.store, self.parameters = call.database, call.path, call.store, {}


OPERATIONS = {
    "get": get,
    "patch": patch,
    "delete": delete,
    "runQuery": run_query,
    "runAggregationQuery": run_aggregation_query,
    "batchGet": batch_get,
    "commit": commit,
    "list": list_documents,
}
