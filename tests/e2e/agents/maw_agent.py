"""An XMPP account as a MAW agent needs it, and no more: stanzas as SPADE 3.3.3 writes and reads them
(docs/maw.md, "Envelope"). Standard library only; knows nothing of warg.
"""
import base64
import html
import json
import re
import select
import socket
import time


class Message:
    """What SPADE hands to a behaviour."""

    def __init__(self, sender, body, metadata, thread, kind="chat"):
        self.sender, self.body, self.metadata, self.thread = sender, body, metadata, thread
        self.kind = kind

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return {}


class Account:
    def __init__(self, port, name, resource="spade"):
        self.link = socket.create_connection(("127.0.0.1", port))
        self.heard = ""
        self.count = 0
        self.jid = name + "@localhost"
        self._stream()
        token = base64.b64encode(b"\0" + name.encode() + b"\0secret").decode()
        self._say("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>" + token + "</auth>")
        self._hear("<success")
        self._stream()
        self._say("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>"
                  + resource + "</resource></bind></iq>")
        self._hear("<jid>")
        self._say("<presence/>")

    def _say(self, text):
        self.link.sendall(text.encode())

    def _stream(self):
        self._say("<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client'"
                  " xmlns:stream='http://etherx.jabber.org/streams'>")
        self._hear("</stream:features>")

    def _more(self, until):
        left = until - time.monotonic()
        if left <= 0 or not select.select([self.link], [], [], left)[0]:
            return False
        more = self.link.recv(65536).decode()
        if not more:
            raise EOFError("the link ended: " + self.heard[-500:])
        self.heard += more
        return True

    def _hear(self, pattern, patience=120):
        until = time.monotonic() + patience
        while not (found := re.search(pattern, self.heard, re.S)):
            if not self._more(until):
                return None
        self.heard = self.heard[found.end():]
        return found

    def receive(self, patience=120):
        """The next message, or None."""
        found = self._hear("<message .*?</message>", patience)
        if not found:
            return None
        text = found.group(0)
        start = re.match("<message ([^>]*)>", text).group(1)
        attributes = dict((key, html.unescape(value)) for key, _, value in re.findall("([a-z:]+)=(['\"])(.*?)\\2", start))
        body = re.search("<body>(.*?)</body>", text, re.S)
        metadata = {}
        for field in re.findall("<field.*?</field>", text, re.S):
            key = re.search("var=['\"]([^'\"]*)", field)
            value = re.search("<value>(.*?)</value>", field, re.S)
            if key and value:
                metadata[key.group(1)] = html.unescape(value.group(1))
        thread = metadata.pop("_thread_node", None)
        return Message(attributes.get("from", ""), html.unescape(body.group(1)) if body else "", metadata, thread,
                       attributes.get("type", "normal"))

    def send(self, to, body, metadata=None, thread=None):
        self.count += 1
        body = body if isinstance(body, str) else json.dumps(body)
        fields = dict(metadata or {})
        if thread:
            fields["_thread_node"] = thread
        form = "".join(f"<field var='{html.escape(key)}' type='text-single'><value>{html.escape(value)}</value></field>"
                       for key, value in fields.items())
        if form:
            form = f"<x xmlns='jabber:x:data' type='form'>{form}<title>spade:x:metadata</title></x>"
        self._say(f"<message to='{to}' type='chat' id='n{self.count}'><body>{html.escape(body)}</body>{form}</message>")

    def reply(self, message, body, performative=None):
        """SPADE's make_reply: all metadata are those of what is answered, unless one is set anew."""
        metadata = dict(message.metadata)
        if performative:
            metadata["performative"] = performative
        self.send(message.sender, body, metadata, message.thread)
