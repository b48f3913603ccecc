"""Unclear requests through a proxy: the server sees only what the proxy has sent. smuggling.py PROXY."""

import collections
import itertools
import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

from checks import Failed, check, main, until
from forms import INNER, forms
from household import Server, change, request

PORT = 8080

# One connection to the server, which all requests share.
NGINX = """\
daemon off; master_process off; user root; pid {0}/pid; error_log {0}/errors;
events {{ worker_connections 256; }}
http {{
  log_format sent escape=json '{{"method":"$request_method","path":"$request_uri","asked":"$upstream_addr","status":"$status"}}';
  access_log {0}/sent sent;
  client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/f;
  uwsgi_temp_path {0}/u; scgi_temp_path {0}/s; client_body_timeout 1s; client_header_timeout 1s;
  upstream household {{ server 127.0.0.1:8477; keepalive 1; }}
  server {{
    listen 127.0.0.1:8080;
    proxy_ignore_client_abort on;
    location / {{
      proxy_pass http://household;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_request_buffering off;
    }}
  }}
}}
"""

HAPROXY = """\
global
  log stdout format raw local0
defaults
  mode http
  log global
  log-format '{"method":"%HM","path":"%HU","asked":"%s","status":"%ST"}'
  timeout connect 5s
  timeout client 1s
  timeout server 60s
  timeout http-request 1s
  http-reuse always
frontend front
  bind 127.0.0.1:8080
  default_backend household
backend household
  server household 127.0.0.1:8477 pool-max-conn 1
"""


class Proxy:
    """A proxy in front of the server, and what it says that it has sent on."""

    def __init__(self, name, folder):
        self.folder = folder / name
        self.folder.mkdir()
        settings = self.folder / "settings"
        settings.write_text(NGINX.format(self.folder) if name == "nginx" else HAPROXY)
        self.sent = self.folder / "sent"
        command = ["nginx", "-c", settings] if name == "nginx" else ["haproxy", "-db", "-f", settings]
        with open(self.sent, "wb") as sent, open(self.folder / "errors", "wb") as errors:
            self.process = subprocess.Popen(list(map(str, command)), stdout=sent, stderr=errors)

    def log(self):
        """Method and path of each request that the server was asked for."""
        lines = [json.loads(line) for line in self.sent.read_text(errors="replace").splitlines() if line[:1] == "{"]
        return [(line["method"], unquote(line["path"])) for line in lines if line["asked"] not in ("", "-", "<NOSRV>")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def seen(server):
    return [(line["method"], line["path"]) for line in server.log() if line["path"] != "/health"]


def unsent(server, proxy):
    """What the server saw and the proxy did not send."""
    return collections.Counter(seen(server)) - collections.Counter(proxy.log())


def honest(key, lines):
    """An honest request through the proxy; whether it gets the answer to what it has asked."""
    head = f"GET /changes HTTP/1.1\r\nHost: sync.example\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
    answer = request(PORT, head)
    return answer.startswith(b"HTTP/1.1 200 ") and answer.count(b"HTTP/1.1 ") == 1 and lines in answer


def through(name, folder):
    with Server(folder / "server", households=("home", "other")) as server, Proxy(name, folder) as proxy:
        # A key may ask so many times a second; the household has some.
        keys = itertools.cycle([server.key()[0] for _ in range(4)])
        stranger = [server.key(household="other")[0] for _ in range(2)]
        body = change("1", title="Water the plants")
        check(server.ask(next(keys), "POST", body=body)[0] == 200, "the household has a record")
        lines = body.encode()
        until(lambda: request_or_none() is not None, f"{name} answers")
        check(honest(next(keys), lines), "a request through the proxy is answered")
        told, direct = {}, [("POST", "/changes")]
        all_forms = list(zip(forms(stranger[0]).items(), itertools.cycle(stranger)))
        for (form, data), key in all_forms:
            data = data.replace(stranger[0].encode(), key.encode())
            # Several at once: the connections to the server go from hand to hand.
            with ThreadPoolExecutor(4) as pool:
                answers = [pool.submit(request, PORT, data, True) for _ in range(2)]
                fine = [pool.submit(honest, next(keys), lines) for _ in range(2)]
                if not all(one.result() for one in fine) or not honest(next(keys), lines):
                    raise Failed(f"{form}: an honest request has got another answer")
                said = {one.result()[9:12].decode(errors="replace") or "nothing" for one in answers}
            told[form] = " ".join(sorted(said))
        print(json.dumps(told))
        strange = settled(lambda: unsent(server, proxy) - collections.Counter(direct))
        check(not strange, f"{len(all_forms)} forms, and the server saw nothing that {name} had not sent: {dict(strange)}")
        request(server.port, INNER.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        check(("GET", "/smuggled") in unsent(server, proxy), "what comes past the proxy would be seen")
        check(server.stop() == 0, "the server ends well")


def settled(strange):
    """What is still strange after a while: a proxy writes its log when a request is over."""
    deadline = time.monotonic() + 10
    while (found := strange()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def request_or_none():
    try:
        return request(PORT, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    except OSError:
        return None


def nginx(folder):
    through("nginx", folder)


def haproxy(folder):
    through("haproxy", folder)


main(nginx, haproxy)
