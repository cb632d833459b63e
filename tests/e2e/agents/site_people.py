"""A person, or a script, that asks the API of a contest site. Standard library only.

    site = Site(port, "http://127.0.0.1")          the public URL, which changes come from
    ann = site.person("192.0.2.1")                 who comes from that address, by the proxy we are
    ann.make("ann", "a long pass phrase")          an account, and a login
    ann.post("contests/cup/teams", {"name": "wits"})
"""
import http.client
import json
import re
import time


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__("%d %s" % (status, body))
        self.status, self.body = status, body


class Person:
    def __init__(self, site, address):
        self.site, self.address = site, address
        self.cookie = self.csrf = self.token = None

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=100)

    def ask(self, method, path, body=None, kind="application/json"):
        headers = {"X-Forwarded-For": self.address, "Origin": self.site.url}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if self.cookie:
            headers["Cookie"] = self.cookie
        if self.csrf:
            headers["X-Warg-Token"] = self.csrf
        if body is not None:
            headers["Content-Type"] = kind
            if kind == "application/json":
                body = json.dumps(body)
        conn = self.connect()
        conn.request(method, "/api/v1/" + path, body=body, headers=headers)
        answer = conn.getresponse()
        data = answer.read()
        for name, value in answer.getheaders():
            found = re.match(r"(__Host-warg=[0-9a-f]+)", value) if name.lower() == "set-cookie" else None
            if found:
                self.cookie = found.group(1)
        conn.close()
        if answer.status >= 400:
            raise Refused(answer.status, data.decode("utf-8", "replace"))
        try:
            return json.loads(data)
        except ValueError:
            return data

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None):
        return self.ask("POST", path, {} if body is None else body)

    def put(self, path, body):
        return self.ask("PUT", path, body)

    def put_file(self, path, data):
        return self.ask("PUT", path, data, "application/octet-stream")

    def make(self, login, password, **more):
        """An account, and a login."""
        self.csrf = self.post("account", dict(login=login, password=password, **more))["csrf"]

    def enter(self, login, password):
        """Logs in."""
        self.cookie = self.csrf = None
        self.csrf = self.post("login", {"login": login, "password": password})["csrf"]
        return self


class Site:
    def __init__(self, port, url):
        self.port, self.url = port, url

    def person(self, address):
        return Person(self, address)

    def until(self, what, look, seconds=300):
        """What look() gives, as soon as that is true."""
        end, pause = time.monotonic() + seconds, 0.05
        while True:
            found = look()
            if found:
                return found
            if time.monotonic() > end:
                raise SystemExit("waited in vain: " + what)
            time.sleep(pause)
            pause = min(0.6, pause * 1.2)  # 120 calls a minute of an address
