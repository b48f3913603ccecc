"""A connection that stops in the middle: valve.py PORT TARGET COUNT.

Passes on what comes to PORT to the port TARGET of this host, and what that answers. Once COUNT bytes of answers have
passed, nothing passes any more, either way; it says `shut`, and holds both connections open.
"""

import select
import signal
import socket
import sys


def main():
    port, target, left = map(int, sys.argv[1:])
    door = socket.create_server(("", port))
    print("ready", flush=True)
    caller, _ = door.accept()
    server = socket.create_connection(("127.0.0.1", target))
    while left:
        for source in select.select([caller, server], [], [])[0]:
            data = source.recv(left if source is server else 65536)
            if not data:
                return
            (caller if source is server else server).sendall(data)
            left -= len(data) if source is server else 0
    print("shut", flush=True)
    signal.pause()


main()
