"""The API over HTTP."""

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote

from firestore.controls import control, write_as_other
from firestore.messages import ApiError, invalid, load_json, unsupported
from firestore.operations import OPERATIONS
from firestore.paths import check_segments
from firestore.tokens import GrantError, exchange

MAX_REQUEST = 10 * 1024 * 1024
STREAMING = {"runQuery", "runAggregationQuery", "batchGet"}


class Call:
    """One request to the API: the operation, and what the address says."""

    def __init__(self, method, target):
        raw, _, query = target.partition("?")
        self.parameters = parse_qs(query, keep_blank_values=True)
        self.operation = None
        if method == "POST":
            raw, _, self.operation = raw.rpartition(":")
        parts = self.split(raw)
        if parts[:2] != ["v1", "projects"] or parts[3:4] != ["databases"] or parts[5:6] != ["documents"]:
            raise ApiError(404, "NOT_FOUND", "There is nothing at this address.")
        self.database = f"projects/{parts[2]}/databases/{parts[4]}"
        below = parts[6:]
        check_segments(below)
        self.path = "/".join(below)
        if method == "GET":
            self.operation = "list" if len(below) % 2 else "get"
        elif method in ("PATCH", "DELETE") and below and len(below) % 2 == 0:
            self.operation = method.lower()
        elif method != "POST" or not self.takes_parent(below):
            raise unsupported("This method at this address")
        self.data, self.store = b"", None

    @staticmethod
    def split(raw):
        try:
            return [unquote(part, errors="strict") for part in raw.strip("/").split("/")]
        except UnicodeDecodeError:
            raise invalid("The address is not valid UTF-8.") from None

    def takes_parent(self, below):
        if self.operation in ("runQuery", "runAggregationQuery"):
            return len(below) % 2 == 0
        return self.operation in ("commit", "batchGet") and not below


class DropConnection(Exception):
    """The connection is closed without an answer."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave together

    def log_message(self, *arguments):
        pass

    def do_any(self):
        self.documents = 0
        self.operation = None
        try:
            answer = self.answer(self.read_body())
            self.reply(200, answer)
        except ApiError as error:
            self.reply_error(error)
        except GrantError as error:
            self.reply(400, {"error": "invalid_grant", "error_description": str(error)})
        except DropConnection:
            self.server.log(self.command, self.path, 0, self.documents)
            self.close_connection = True
        except ConnectionError:
            self.close_connection = True
        except Exception as error:  # a fault of the double, to be seen by the test
            print(f"double: {type(error).__name__}: {error}", file=sys.stderr)
            self.reply_error(ApiError(500, "INTERNAL", f"double: {type(error).__name__}: {error}"))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_any

    # Reading

    def read_body(self):
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise unsupported("A body without Content-Length")
        if int(length) > MAX_REQUEST:
            self.drain(int(length))
            raise invalid(f"Request payload size exceeds the limit: {MAX_REQUEST} bytes.")
        return self.rfile.read(int(length))

    def drain(self, length):
        while length > 0:
            part = self.rfile.read(min(length, 1 << 20))
            if not part:
                return
            length -= len(part)

    # Answering

    def answer(self, data):
        address = self.path.partition("?")[0]
        if self.command == "GET" and address == "/":
            return {}
        if self.command == "POST" and address == "/control":
            return control(self.service, load_json(data))
        if self.command == "POST" and address == "/token":
            return self.carry_out("token", lambda: (self.exchange(data), 0))
        call = Call(self.command, self.path)
        self.operation = call.operation
        if not self.service.authorized(self.headers.get("Authorization")):
            raise ApiError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials. "
                           "Expected OAuth 2 access token, login cookie or other valid authentication "
                           "credential.", {"WWW-Authenticate": 'Bearer realm="https://accounts.google.com/"'})
        call.data, call.store = data, self.service.store(call.database)
        return self.carry_out(call.operation, lambda: self.operate(call))

    def exchange(self, data):
        return exchange(self.service, parse_qs(data.decode("ascii", "replace")))

    def operate(self, call):
        rule = self.service.take_rule(self.service.before_rules, call.operation)
        if rule:
            write_as_other(self.service, rule, call.store)
        return OPERATIONS[call.operation](self.service, call)

    def carry_out(self, operation, act):
        """Does what was asked, unless a rule says that it fails; or does it, and loses the answer."""
        rule = self.service.take_rule(self.service.fail_rules, operation)
        if rule and not rule.get("after"):
            raise self.failure(rule)
        answer, self.documents = act()
        if rule:
            raise self.failure(rule)
        return answer

    @staticmethod
    def failure(rule):
        status = rule.get("status", 503)
        if status == 0:
            return DropConnection()
        headers = {"Retry-After": str(rule["retryAfter"])} if "retryAfter" in rule else {}
        return ApiError(status, rule.get("code", "UNAVAILABLE"),
                        rule.get("message", "The service is currently unavailable."), headers)

    def reply_error(self, error):
        body = error.body()
        if self.service.array_errors and self.operation in STREAMING:
            body = [body]
        self.reply(error.status, body, error.headers)

    def reply(self, status, body, headers=None):
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        self.server.log(self.command, self.path, status, self.documents)
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    @property
    def service(self):
        return self.server.service


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, service, log_path, port):
        super().__init__(("127.0.0.1", port), Handler)
        self.service = service
        self.log_lock = threading.Lock()
        self.log_file = open(log_path, "a", encoding="utf-8")

    def handle_error(self, request, client_address):
        """Clients may go away."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, socket.timeout)):
            super().handle_error(request, client_address)

    def log(self, method, path, status, documents):
        line = {"method": method, "path": path, "status": status, "documents": documents}
        with self.log_lock:
            self.log_file.write(json.dumps(line) + "\n")
            self.log_file.flush()
