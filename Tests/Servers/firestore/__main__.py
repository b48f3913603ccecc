"""A test double of the REST API of Firestore, version 1: python -m firestore --port-file FILE

Google's own protobufs parse what is asked and make what is answered. Members that they do not know are refused, and
what nobody here asks for is answered with 501. Documents are in memory; --state keeps them in a file too. What tests
can do to it is in controls.py.
"""

import sys

if not __package__:  # started as a folder
    sys.path[0] = sys.path[0].rstrip("/").rpartition("/")[0] or "."

import argparse
import os

from firestore.service import Service
from firestore.serving import Server


def write_port(path, port):
    temporary = path + ".new"
    with open(temporary, "w", encoding="ascii") as file:
        file.write(f"{port}\n")
    os.replace(temporary, path)


def parse_options():
    parser = argparse.ArgumentParser(description="A test double of the Firestore REST API.")
    parser.add_argument("--port-file", required=True, help="the file to write the port into; the log is beside it")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; the default is any that is free")
    parser.add_argument("--visible-after", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--state", metavar="FILE", help="keep the documents in this file")
    parser.add_argument("--token", action="append", default=[], help="a token to accept")
    parser.add_argument("--service-account", metavar="PUBLICKEY.pem", help="the key that /token verifies with")
    parser.add_argument("--array-errors", action="store_true",
                        help="answer errors of runQuery, runAggregationQuery and batchGet within an array")
    return parser.parse_args()


def main():
    options = parse_options()
    server = Server(Service(options), f"{options.port_file}.log", options.port)
    write_port(options.port_file, server.server_address[1])
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
