"""A WebSocket client of a few lines, for the scripts of this folder."""
import base64
import os
import socket
import struct


class Line:
    """A WebSocket: texts out, texts in. Raises OSError when it is over."""

    def __init__(self, name, port, path):
        self.socket = socket.create_connection((name, port), timeout=60)
        host = f"{name}:{port}"
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(head.decode())
        self.socket.settimeout(0.2)  # of `next`

    def more(self):
        got = self.socket.recv(65536)
        if not got:
            raise OSError("closed")
        self.bytes += got

    def say(self, text):
        text = text.encode()
        head = bytes([0x81, 0x80 | len(text)]) if len(text) < 126 else struct.pack(
            ">BBH", 0x81, 0xFE, len(text))
        self.socket.sendall(head + bytes(4) + text)

    def frame(self):
        """The next text, or None when none is there yet."""
        size, at = (self.bytes[1] & 127, 2) if len(self.bytes) > 1 else (0, 2)
        if size == 126 and len(self.bytes) >= 4:
            size, at = struct.unpack(">H", self.bytes[2:4])[0], 4
        elif size == 127 and len(self.bytes) >= 10:
            size, at = struct.unpack(">Q", self.bytes[2:10])[0], 10
        elif size > 125:
            return None
        if len(self.bytes) < max(at + size, 2):
            return None
        kind, text = self.bytes[0] & 15, self.bytes[at:at + size]
        self.bytes = self.bytes[at + size:]
        if kind == 8:
            raise OSError("closed: " + repr(text))
        return text.decode() if kind == 1 else ""

    def next(self):
        while True:
            text = self.frame()
            if text is not None:
                return text
            try:
                self.more()
            except TimeoutError:
                return None
