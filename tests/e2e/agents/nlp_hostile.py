#!/usr/bin/env python3
"""Peers that mean no good to a server of the natural-language division.

nlp_hostile.py PORT: requests, handshakes, frames and names that are wrong in some way; what the
server does with each is compared. Prints what was not expected; 0 when nothing was.
"""
import os
import socket
import struct
import sys

PORT = int(sys.argv[1])
failed = False


def fail(what, got):
    global failed
    failed = True
    print(f"{what}: {got!r}")


def connect():
    peer = socket.create_connection(("127.0.0.1", PORT), timeout=60)
    return peer


def ask(data):
    """What comes back until the server ends the connection."""
    with connect() as peer:
        got = b""
        try:
            peer.sendall(data)
            while len(got) < 1 << 20:
                part = peer.recv(65536)
                if not part:
                    break
                got += part
        except OSError:
            pass
        return got


def status(data):
    return ask(data)[9:12].decode("latin1")


def request(line, *headers):
    return "\r\n".join((line, "Host: localhost", "Connection: close", *headers, "", "")).encode("latin1")


REQUESTS = [
    ("bytes of no meaning", b"\0\1\2\3" * 700, "400"),
    ("TLS where none is", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500, "400"),
    ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"),
    ("a line without end", b"GET /" + b"a" * 100000, "431"),
    ("headers without end", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000, "431"),
    ("two lengths", request("GET / HTTP/1.1", "Content-Length: 3", "Content-Length: 4"), "400"),
    ("a length and chunks",
     request("GET / HTTP/1.1", "Content-Length: 3", "Transfer-Encoding: chunked"), "400"),
    ("a negative length", request("POST / HTTP/1.1", "Content-Length: -5"), "400"),
    ("a huge body", request("POST / HTTP/1.1", "Content-Length: 1000000000"), "413"),
    ("no WebSocket", request("GET /ws HTTP/1.1"), "400"),
    ("nothing there", request("GET /nowhere HTTP/1.1"), "404"),
    ("a method too many", request("DELETE /metrics HTTP/1.1"), "405"),
]
for path in ("/realtime/../../etc/passwd", "/realtime/%2e%2e%2fx.jsonl", "/realtime/..%2fx.jsonl",
             "/realtime/%00.jsonl", "/realtime/.x.jsonl", "/realtime//etc/x.jsonl",
             "/tts/%2e%2e/x.ts", "/tts/../x.ts", "/api/v1/games/..%2f..%2fx/log",
             "/api/v1/games//log", "/api/v1/games/" + "A" * 5000 + "/log", "/api/v1/teams/%",
             "/api/v1/games/%ff%fe/events"):
    REQUESTS.append((path[:40], request(f"GET {path} HTTP/1.1"), "4"))

HANDSHAKE = ("GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n").encode()


def frame(data, op=1, fin=1, mask=0x80, rsv=0, length=None):
    n = len(data) if length is None else length
    head = bytes([fin << 7 | rsv << 4 | op])
    if n < 126:
        head += bytes([mask | n])
    elif n < 65536:
        head += bytes([mask | 126]) + struct.pack(">H", n)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", n)
    return head + (b"\0\0\0\0" if mask else b"") + data


def close_code(data):
    """The code of the close frame that answers; 0 when none comes."""
    got = ask(HANDSHAKE + data)
    head, _, rest = got.partition(b"\r\n\r\n")
    if b"permessage-deflate" in head:
        fail("compression", head)
    while len(rest) >= 2:
        op, n, at = rest[0] & 15, rest[1] & 127, 2
        if n == 126:
            n, at = struct.unpack(">H", rest[2:4])[0], 4
        if op == 8:
            return struct.unpack(">H", rest[at:at + 2])[0] if n >= 2 else 1005
        rest = rest[at + n:]
    return 0


FRAMES = [
    ("no mask", frame(b"x", mask=0), 1002),
    ("reserved bits", frame(b"x", rsv=4), 1002),
    ("an unknown opcode", frame(b"x", op=3), 1002),
    ("a continuation of nothing", frame(b"x", op=0), 1002),
    ("a text inside another", frame(b"x", fin=0) + frame(b"x"), 1002),
    ("a ping in pieces", frame(b"x", op=9, fin=0), 1002),
    ("a long ping", frame(b"x" * 126, op=9), 1002),
    ("a length of 63 bits and one more", frame(b"x", length=(1 << 63) + 1), 1002),
    ("a giant", frame(b"x", length=1 << 62), 1009),
    ("half a close code", frame(b"\x03", op=8), 1002),
    ("close code 1005", frame(b"\x03\xed", op=8), 1002),
    ("a close without code", frame(b"", op=8), 1005),
    ("a close", frame(b"\x03\xe8bye", op=8), 1000),
    ("a name in pieces, a ping between, and a close",
     frame(b"ha", fin=0) + frame(b"p", op=9) + frame(b"", op=0, fin=0) + frame(b"1", op=0) +
     frame(b"\x03\xe8", op=8), 1000),
]
for name in (b"", b"\0", b"a\nb", b"a\r\nb", b"\x1b[2J", b"\xc2\x9b2J", b"x" * 129, b"x" * 10240,
             b" " * 500000):
    code = 1009 if len(name) > 4096 else 4003  # a longer message is not kept before a name
    FRAMES.append((f"the name {name[:8]!r}", frame(name), code))
for name in (b"%s%n", b"../../x", b"a,b,c1", b"12345", b"\xff\xfe", "狼".encode() * 40):
    FRAMES.append((f"the name {name[:8]!r}", frame(name) + frame(b"\x03\xe8", op=8), 1000))

for what, data, expected in REQUESTS:
    got = status(data)
    if not got.startswith(expected):
        fail(what, got)
for what, data, expected in FRAMES:
    got = close_code(data)
    if got != expected:
        fail(what, got)

# many at once: nothing said, half a head, resets, pings that nobody reads the answers of
crowd = []
for i in range(300):
    peer = connect()
    if i % 3 == 1:
        peer.sendall(b"GET /ws HTTP/1.1\r\nX: ")
    if i % 3 == 2:
        peer.sendall(HANDSHAKE)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    crowd.append(peer)
for peer in crowd[2:30:3]:
    peer.settimeout(0.1)
    try:
        for _ in range(50):
            peer.sendall(frame(b"x" * 125, op=9) * 1000)
    except OSError:
        pass
if status(request("GET /api/v1/healthz HTTP/1.1")) != "200":
    fail("health", "not 200 in the crowd")
for peer in crowd:
    peer.close()
os._exit(failed)
