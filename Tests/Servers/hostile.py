"""What a server is not to be sent, and what becomes of it: hostile.py SCENARIO."""

import json
import socket
import time

from checks import LONG, Failed, check, main, tool, until
from household import Device, Server, change, parsed, request, token

NESTING = "[" * 1_000_000


def code(body):
    return body.get("error", {}).get("code") if isinstance(body, dict) else None


def keys(folder):
    """Each key that is not one to write with: its status, what `peersync` makes of it, and nothing is stored."""
    with Server(folder / "server") as server:
        good, file = server.key("--device", "phone")
        device = Device(folder, "phone")
        device.add(f"http://127.0.0.1:{server.port}", "--key-file", file)
        device.put(1, "1")
        lines = change("stranger")
        (revoked, revoked_file), (expired, expired_file) = server.key(), server.key("--expires-in", "1s")
        reader, reader_file = server.key("--read-only")
        tool("syncserve", "key", "revoke", revoked.split(".")[2], "--store", server.place)
        head, mac = good.rsplit(".", 1)
        wrong = {
            "none": "", "no key": "x", "another MAC": f"{head}.{mac[:-1]}{'A' if mac[-1] != 'A' else 'B'}",
            "an empty MAC": f"{head}.", "another household": good.replace(".home.", ".other."),
            "a longer key": good + "A", "a long key": "ps1." + "a" * 4000, "a path": good.replace(".home.", ".../home."),
            "revoked": revoked,
        }
        until(lambda: server.ask(expired)[0] == 401, "a key expires")
        for name, key in (wrong | {"expired": expired}).items():
            for method in "GET", "POST":
                status, body = server.ask(key, method, body=lines if method == "POST" else None)
                if (status, code(body)) != (401, "untrustedPeer"):
                    raise Failed(f"{name}: {method}: {status} {body}")
        check(True, f"{len(wrong) + 1} keys open nothing")
        check(server.ask(reader)[0] == 200, "a key that reads reads")
        status, body = server.ask(reader, "POST", body=lines)
        check((status, code(body)) == (403, "refusedByPeer"), "and writes nothing")
        status, _ = server.ask("", fields=f"Authorization: Basic {good}\r\n")
        check(status == 401, "a key that is sent otherwise is none")
        status, _ = server.ask(good, fields=f"Authorization: Bearer {good}\r\n")
        check(status == 400, "and two are no key")
        check(server.dump() == "", "nothing was stored")
        for name, other in ("revoked", revoked_file), ("expired", expired_file), ("read-only", reader_file):
            text = file.read_text()
            file.write_text(other.read_text())
            done = device.run(status=None)
            file.write_text(text)
            if done.returncode != 77 or server.dump():
                raise Failed(f"peersync run with the key that is {name}: {done.returncode} {done.stderr}")
        check(True, "peersync ends with 77")
        check(device.run()["changesSent"] == 1 and server.dump() == device.dump(), "with a good key it goes on")


def bodies(folder):
    """Bodies that are no changes, or too many."""
    with Server(folder / "server") as server:
        key, file = server.key()
        device = Device(folder, "phone")
        device.add(f"http://127.0.0.1:{server.port}", "--key-file", file)
        device.put(1, "here")
        post = f"POST /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n"
        # Longer than 64 MiB: refused by its length alone, and as it comes.
        status, body = parsed(request(server.port, f"{post}Content-Length: 100000000\r\n\r\n"))
        check((status, code(body)) == (413, "messageTooLarge"), "a body of 100 MB is refused before it is read")
        chunk = b"f4240\r\n" + b"{}\n" * 333_333 + b"\n\r\n"
        answer = request(server.port, f"{post}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * 100 + b"0\r\n\r\n")
        check(parsed(answer)[0] == 413, "and so it is without a length")
        held = server.memory()
        check(held < 256 << 20, f"of which no more was kept: {held >> 20} MiB")
        # A byte now and then: others are served meanwhile.
        with socket.create_connection(("127.0.0.1", server.port)) as slow:
            slow.sendall(f"{post}Content-Length: 4096\r\n\r\n".encode())
            begun = time.monotonic()
            for _ in range(90 if LONG else 2):
                try:
                    slow.sendall(b"{")
                except OSError:
                    break
                check(server.ask(key)[0] == 200, "a slow body holds up nobody")
                time.sleep(1 if LONG else 0.2)
            if LONG:
                check(50 < time.monotonic() - begun < 75, "a body that comes slowly is cut off after a minute")
        check(server.dump() == "", "nothing was stored")
        bad = [
            NESTING, "{" * 1_000_000, '{"identity":' * 100_000, "\u0000", "{", "[]", '"', "{}", '{"id":1,"id":2}',
            change("3").replace("2023", "9999").strip(),
        ]
        lines = [change("first").encode(), *(line.encode() + b"\n" for line in bad), b'{"a":"\xff\xfe"}\n',
                 change("4").encode().replace(b'"4"', b'"\xc3("'), b"\xef\xbb\xbf" + change("5").encode(), change("last").encode()]
        status, report = server.ask(key, "POST", body=b"".join(lines))
        named = [each["line"] for each in report.get("badLines", [])] if status == 200 else []
        check(status == 200 and report["taken"] == 2, f"bad lines do not keep good ones out: {status} {str(report)[:200]}")
        check(named == list(range(2, len(lines))), f"and each is named by its line: {named}")
        check(all(each["code"] for each in report["badLines"]), "with a code")
        status, report = server.ask(key, "POST", body=NESTING)
        check(status == 200 and report["badLines"][0]["line"] == 1, "a body that is nothing but brackets is a bad line")
        for name, body in ("a token", b'{"newTokenData":"%"}\n'), ("rules", b'{"rules":7}\n'), ("a resync", b'{"resync":[]}\n'):
            status, said = server.ask(key, "POST", body=change("half").encode() * (name == "a token") + body)
            if status != 422 or not said["error"].get("line"):
                raise Failed(f"{name} that is none: {status} {said}")
        check("half" not in server.dump(), "a body that is refused leaves nothing")
        device.run()
        check(server.dump() == device.dump() and "here" in server.dump(), "the next run mends")
        check(server.verify()["faults"] == 0, "and nothing is to be repaired")


def tokens(folder):
    """Tokens that lead nowhere: 410, and a way out."""
    with Server(folder / "server", households=("home", "other")) as server:
        (key, file), (other, _) = server.key(), server.key(household="other")
        devices = [Device(folder, name) for name in ("phone", "tablet")]
        for device in devices:
            device.add(f"http://127.0.0.1:{server.port}", "--key-file", file)
        devices[0].put(1, *map(str, range(20)))
        for device in devices:
            device.run()
        foreign = token(server.ask(other)[1])
        status, body = server.ask(key, query=f"?since={foreign}")
        check((status, code(body)) == (410, "tokenForeign"), "a token of another store is foreign")
        check("without 'since'" in body["error"]["hint"], "and a way out is told")
        for text in "%25", "AQ", "A" * 4000, "%00":
            status, body = server.ask(key, query=f"?since={text}")
            if status not in (400, 410):
                raise Failed(f"since={text[:9]}: {status} {body}")
        check(True, "what is no token is refused")
        begun = token(server.ask(key, query="?max-bytes=1")[1])
        gone = "".join(json.dumps({"entityName": "", "identity": {"id": str(each)}, "deletedAt": "2024-01-01T00:00:00Z"}) + "\n"
                       for each in range(3))
        devices[0].tool("synclog", "apply", "--from", "here", text=gone)
        for device in devices:
            device.run()
        tool("synclog", "compact", "--retire-after", "0d", "--store", server.store())
        status, body = server.ask(key, query=f"?since={begun}")
        check((status, code(body)) == (410, "tokenExpired"), f"one from before deletions that are forgotten has expired: {status} {body}")
        status, body = server.ask(key)
        check(status == 200 and body.count('"modifiedAt"') == 17, "without it all is told")
        devices[1].put(5, "new")
        for device in (*devices[::-1], devices[1]):
            device.run()
        live = [device.keys() for device in devices]
        check(live[0] == live[1] and "new" in live[0], "the next runs mend")


def readers(folder):
    """Answers that nobody reads, and bodies sent at once: they take so much memory, and no more."""
    with Server(folder / "server") as server:
        key = server.key()[0]
        check(server.ask(key, "POST", body="".join(change(f"{each}", filling="x" * 990_000) for each in range(5)))[0] == 200,
              "five records of a megabyte are stored")
        sockets = []
        try:
            for _ in range(150):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", server.port))
                connection.sendall(f"GET /changes?max-bytes=4194304 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
                sockets.append(connection)
            until(lambda: len(server.log()) >= 151, "all are answered")
            statuses = [line["status"] for line in server.log()][1:]
            check(set(statuses) == {200, 503}, f"{statuses.count(200)} get an answer of 4 MB, and the others are told to wait")
            held = server.memory()
            check(held < 512 << 20, f"{held >> 20} MiB are taken")
            check(server.ask("", path="/health")[0] == 200, "the server is up")
        finally:
            for connection in sockets:
                connection.close()
        until(lambda: server.ask(key, query="?max-bytes=4194304")[0] == 200, "there is room again")
        chunk = b"f4240\r\n" + b" " * 999_999 + b"\n\r\n"
        head = f"POST /changes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        sockets = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(8)]
        try:
            for connection in sockets:
                connection.sendall(head)
            for _ in range(60):
                for connection in sockets:
                    connection.sendall(chunk)
            for connection in sockets:
                connection.sendall(b"0\r\n\r\n")
            statuses = [connection.recv(12).decode().split()[1] for connection in sockets]
        finally:
            for connection in sockets:
                connection.close()
        # One key may have 128 MiB: no room for a third one, even if not all of it has arrived when another ends.
        check(sorted(set(statuses)) == ["200", "503"] and statuses.count("200") <= 2,
              f"of eight bodies of 60 MB at once, {statuses.count('200')} are taken")
        held = server.memory()
        check(held < 1024 << 20, f"{held >> 20} MiB are taken")
        check(server.stop() == 0, "it ends at a signal")


main(keys, bodies, tokens, readers)
