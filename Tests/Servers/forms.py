"""Requests whose end two programs could see in different places: a name for each, and its bytes."""

INNER = b"GET /smuggled HTTP/1.1\r\nHost: sync.example\r\n\r\n"
# A body in chunks whose end is before the request that is hidden behind it.
NO_CHUNK = b"0\r\n\r\n"
SIZE = str(len(INNER)).encode()
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def forms(key):
    """All of them; `key` makes the outer request one that the server would take."""
    bearer = b"Authorization: Bearer " + key.encode() + b"\r\n"
    host = b"Host: sync.example\r\n"

    def post(fields, body=INNER, line=b"POST /changes HTTP/1.1\r\n"):
        return line + host + bearer + fields + b"\r\n" + body

    made = {name: post(fields) for name, fields in LENGTHS.items()}
    made |= {name: post(fields, NO_CHUNK + INNER) for name, fields in CODINGS.items()}
    made |= {name: post(CHUNKED, body) for name, body in CHUNKS.items()}
    made |= {name: post(b"Content-Length: 0\r\n", line=line) for name, line in LINES.items()}
    made["bare line feeds"] = post(b"Content-Length: 0\r\n").replace(b"\r\n", b"\n")
    made["a bare carriage return"] = post(b"X: a\rContent-Length: " + SIZE + b"\r\nContent-Length: 0\r\n")
    made["two hosts"] = post(b"Host: other\r\nContent-Length: 0\r\n")
    made["no host"] = b"POST /changes HTTP/1.1\r\nContent-Length: 0\r\n\r\n" + INNER
    made["a field before the first"] = post(b"Content-Length: 0\r\n").replace(host, b" Content-Length: 46\r\n" + host)
    made["GET with a body"] = post(b"Content-Length: " + SIZE + b"\r\n", line=b"GET /changes HTTP/1.1\r\n")
    made["GET in chunks"] = post(CHUNKED, NO_CHUNK + INNER, b"GET /changes HTTP/1.1\r\n")
    made["HEAD with a body"] = post(b"Content-Length: " + SIZE + b"\r\n", line=b"HEAD /changes HTTP/1.1\r\n")
    made["HTTP/1.0 in chunks"] = post(CHUNKED, NO_CHUNK + INNER, b"POST /changes HTTP/1.0\r\n")
    made["HTTP/1.0 that stays"] = post(
        b"Connection: keep-alive\r\nContent-Length: 0\r\n", line=b"POST /changes HTTP/1.0\r\n")
    made["pipelined"] = post(b"Content-Length: 0\r\n")
    made["pipelined behind a fault"] = post(b"X Y: 1\r\nContent-Length: 0\r\n")
    made["a body that is cut off"] = post(b"Content-Length: 4096\r\n")
    return made


# Behind each of these comes INNER: as a body for one reader, as a request for another.
LENGTHS = {
    "two lengths": b"Content-Length: 0\r\nContent-Length: " + SIZE + b"\r\n",
    "two lengths, the other way round": b"Content-Length: " + SIZE + b"\r\nContent-Length: 0\r\n",
    "two equal lengths": b"Content-Length: 0\r\nContent-Length: 0\r\n",
    "a list of lengths": b"Content-Length: 0, " + SIZE + b"\r\n",
    "a list of equal lengths": b"Content-Length: 0, 0\r\n",
    "a plus sign": b"Content-Length: +0\r\n",
    "a minus sign": b"Content-Length: -0\r\n",
    "a negative length": b"Content-Length: -1\r\n",
    "a length in hex": b"Content-Length: 0x2e\r\n",
    "a blank in a length": b"Content-Length: 0 " + SIZE + b"\r\n",
    "blanks around a length": b"Content-Length: \t 0 \t\r\n",
    "a vertical tab before a length": b"Content-Length: \x0b0\r\n",
    "zeros before a length": b"Content-Length: 000000000000000000000\r\n",
    "a length above 64 bits": b"Content-Length: 18446744073709551616\r\n",
    "no length": b"Content-Length:\r\n",
    "a blank before the colon": b"Content-Length : " + SIZE + b"\r\n",
    "a tab before the colon": b"Content-Length\t: " + SIZE + b"\r\n",
    "a zero byte in a length": b"Content-Length: 0\x00" + SIZE + b"\r\n",
    "a zero byte in a name": b"Content-\x00Length: " + SIZE + b"\r\n",
    "a folded length": b"Content-Length:\r\n " + SIZE + b"\r\n",
    "a length in a folded field": b"X: a\r\n Content-Length: " + SIZE + b"\r\nContent-Length: 0\r\n",
    "an underscore": b"Content_Length: " + SIZE + b"\r\n",
    "a length behind a bare line feed": b"X: a\nContent-Length: " + SIZE + b"\r\nContent-Length: 0\r\n",
    "a length that the connection takes away": b"Connection: Content-Length\r\nContent-Length: " + SIZE + b"\r\n",
    "an empty name": b": a\r\nContent-Length: 0\r\n",
    "a line without a colon": b"Content-Length\r\nContent-Length: 0\r\n",
    "another protocol": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 0\r\n",
    "a body that is to be asked for": b"Expect: 100-continue\r\nContent-Length: 0\r\n",
}

# Behind each of these comes the end of a body in chunks, then INNER.
CODINGS = {
    "both lengths": b"Content-Length: 5\r\n" + CHUNKED,
    "both lengths, the other way round": CHUNKED + b"Content-Length: 51\r\n",
    "a coding with a blank before the colon": b"Transfer-Encoding : chunked\r\nContent-Length: 51\r\n",
    "an unknown coding": b"Transfer-Encoding: xchunked\r\nContent-Length: 51\r\n",
    "a coding with a vertical tab": b"Transfer-Encoding: \x0bchunked\r\nContent-Length: 51\r\n",
    "a coding in quotes": b'Transfer-Encoding: "chunked"\r\nContent-Length: 51\r\n',
    "a coding in capitals": b"Transfer-Encoding: CHUNKED\r\n",
    "two codings": CHUNKED + b"Transfer-Encoding: identity\r\n",
    "two codings, the other way round": b"Transfer-Encoding: identity\r\n" + CHUNKED,
    "a list of codings": b"Transfer-Encoding: identity, chunked\r\n",
    "a list of codings, the other way round": b"Transfer-Encoding: chunked, identity\r\n",
    "no coding": b"Transfer-Encoding:\r\nContent-Length: 51\r\n",
    "a folded coding": b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 51\r\n",
    "a coding with an underscore": b"Transfer_Encoding: chunked\r\nContent-Length: 51\r\n",
    "a coding behind a bare line feed": b"X: a\nTransfer-Encoding: chunked\r\nContent-Length: 51\r\n",
    "a coding that the connection takes away": b"Connection: Transfer-Encoding\r\n" + CHUNKED + b"Content-Length: 51\r\n",
    "a coding with a zero byte": b"Transfer-Encoding: chunked\x00\r\nContent-Length: 51\r\n",
    "a coding that is not ASCII": b"Transfer-Encoding: chunke\xc4\x8f\r\nContent-Length: 51\r\n",
}

CHUNKS = {
    "an extension": b"0;a=b\r\n\r\n" + INNER,
    "an extension with a line feed": b"2;\nxx\r\n2e\r\n0\r\n\r\n" + INNER,
    "an extension with a carriage return": b"2;\rxx\r\n2e\r\n0\r\n\r\n" + INNER,
    "a long extension": b"0;" + b"a" * 9000 + b"\r\n\r\n" + INNER,
    "a size with a sign": b"+0\r\n\r\n" + INNER,
    "a size with 0x": b"0x0\r\n\r\n" + INNER,
    "a size with an underscore": b"0_2e\r\n" + INNER + b"\r\n0\r\n\r\n",
    "a size with blanks": b" 0 \r\n\r\n" + INNER,
    "a size above 64 bits": b"10000000000000000\r\n" + INNER + NO_CHUNK,
    "a size behind zeros": b"0" * 40 + b"\r\n\r\n" + INNER,
    "no size": b"\r\n\r\n" + INNER,
    "a chunk that ends with a line feed": b"1\r\n\n\n0\r\n\r\n" + INNER,
    "a chunk without an end": b"1\r\n\n0\r\n\r\n" + INNER,
    "a last chunk with line feeds": b"0\n\n" + INNER,
    "a length behind the chunks": b"0\r\nContent-Length: 46\r\n\r\n" + INNER,
    "a coding behind the chunks": b"0\r\nTransfer-Encoding: chunked\r\n\r\n" + INNER,
}

LINES = {
    "a whole URL": b"POST http://sync.example/changes HTTP/1.1\r\n",
    "the URL of another server": b"POST http://127.0.0.1:8477/smuggled HTTP/1.1\r\n",
    "two versions": b"POST /changes HTTP/1.1 HTTP/1.1\r\n",
    "two blanks": b"POST  /changes  HTTP/1.1\r\n",
    "a tab in the request line": b"POST\t/changes\tHTTP/1.1\r\n",
    "a blank in the path": b"POST /changes /smuggled HTTP/1.1\r\n",
    "a zero byte in the path": b"POST /changes\x00 HTTP/1.1\r\n",
    "another version": b"POST /changes HTTP/1.2\r\n",
    "no version": b"POST /changes\r\n",
    "a method in small letters": b"post /changes HTTP/1.1\r\n",
    "a method with a line feed": b"\nPOST /changes HTTP/1.1\r\n",
    "an encoded line end": b"POST /changes%0d%0aContent-Length:%2046 HTTP/1.1\r\n",
    "an asterisk": b"OPTIONS * HTTP/1.1\r\n",
    "a tunnel": b"CONNECT 127.0.0.1:8477 HTTP/1.1\r\n",
}
