"""People at telephones: take seats in a room over HTTP and the feed's WebSocket, and play.

    phones.py HOST:PORT CODE COUNT [GAMES]

Each answers what it is asked, loses its connection at times, comes back, sends answers again, to
questions that are over, and by a second socket. Words that nobody else uses are whispered, and all
that comes before a game's end is kept: behind it, who heard what its seat may not know is found by
them, and by the anchors of what was told to others. Prints a line of JSON for each when the room's last
game is over, and fails when something came that it must not get. Standard library only.
"""
import asyncio
import base64
import http.client
import json
import os
import random
import sys
import time

HOST, PORT = sys.argv[1].rsplit(":", 1)
CODE = sys.argv[2]
GAMES = int(sys.argv[4]) if len(sys.argv) > 4 else 1
ORIGIN = f"http://{HOST}:{PORT}"


def request(method, path, body=None, cookie="", token="", origin=ORIGIN):
    """Status, headers and JSON of an answer."""
    connection = http.client.HTTPConnection(HOST, int(PORT), timeout=60)
    headers = {"Origin": origin} if method == "POST" and origin else {}
    if method == "POST":
        headers["Content-Type"] = "application/json"
    if cookie:
        headers["Cookie"] = cookie
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    try:
        return answer.status, answer.headers, json.loads(text)
    except ValueError:
        return answer.status, answer.headers, text


class Socket:
    """A WebSocket of RFC 6455, as much of it as the feed needs."""

    async def open(self, cookie=""):
        self.reader, self.writer = await asyncio.open_connection(HOST, int(PORT))
        key = base64.b64encode(os.urandom(16)).decode()
        head = (f"GET /web/api/feed HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nOrigin: {ORIGIN}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n")
        self.writer.write((head + (f"Cookie: {cookie}\r\n" if cookie else "") + "\r\n").encode())
        answer = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise OSError(answer.split(b"\r\n")[0].decode())
        return self

    def send(self, message):
        body = json.dumps(message).encode()
        mask = os.urandom(4)
        size = bytes([0x80 | len(body)]) if len(body) < 126 else bytes([0x80 | 126]) + len(body).to_bytes(2, "big")
        self.writer.write(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(body)))

    async def receive(self):
        """The next message; None: it is closed."""
        while True:
            try:
                first, second = await self.reader.readexactly(2)
                size = second & 127
                if size == 126:
                    size = int.from_bytes(await self.reader.readexactly(2), "big")
                elif size == 127:
                    size = int.from_bytes(await self.reader.readexactly(8), "big")
                body = await self.reader.readexactly(size)
            except (OSError, asyncio.IncompleteReadError):
                return None
            if first & 15 == 1:
                self.raw = body.decode()
                return json.loads(body)
            if first & 15 == 8:
                self.closed = int.from_bytes(body[:2], "big") if len(body) > 1 else 1005
                return None

    def cut(self):
        self.writer.transport.abort()


class Phone:
    def __init__(self, number):
        self.number, self.random = number, random.Random(number)
        self.cookie, self.seat, self.game, self.view_of = "", 0, "", None
        self.count = dict(asks=0, taken=0, refused=0, stale=0, cuts=0, events=0, games=0)
        self.over, self.last, self.problems, self.room = False, None, [], {}
        self.before = None  # the last question, once it is over
        self.socket = None
        self.heard, self.sat, self.ended = {}, {}, set()  # by game

    def tap(self, text):
        """What came while the game was going on."""
        if not self.game or self.game in self.ended:
            return
        before, end, _ = text.partition('"kind":"end"')
        self.heard[self.game] = self.heard.get(self.game, "") + before + "\n"
        self.sat[self.game] = self.seat
        if end:
            self.ended.add(self.game)

    def check(self):
        """Nothing of what others were told was heard, and what this one was told was."""
        self.count.update(hidden=0, planted=0, own=0)
        for game, text in self.heard.items():
            seat = self.sat[game]
            status, _, doc = request("GET", f"/web/api/games/{game}/doc?view=all", cookie=self.cookie)
            if status != 200:
                self.problems.append(f"all of a game that is over: {status} {doc}")
                continue
            for event in doc["events"]:
                if event.get("text") == f"I am p{self.number}." and event["seat"] != seat:
                    self.problems.append(f"who sits at {seat} has spoken at {event['seat']}")
                if "to" not in event:
                    if event["kind"] == "end":
                        break
                    continue
                anchor, said = f'"a":"{event["a"]}"' in text, event.get("text", "")
                planted = said.startswith("zz") and said in text
                if seat in event["to"]:
                    self.count["own"] += anchor
                    continue
                self.count["hidden"] += 1
                self.count["planted"] += said.startswith("zz")
                if anchor or planted:
                    self.problems.append(f"seat {seat} heard {event}")

    def join(self):
        status, headers, room = request("POST", f"/web/api/rooms/{CODE}/join", {"name": f"p{self.number}"}, self.cookie)
        if status != 200:
            raise SystemExit(f"join: {status} {room}")
        given = headers.get("Set-Cookie")
        if given:
            self.cookie = given.split(";")[0]
            for word in ("HttpOnly", "SameSite=Strict", "Path=/web/"):
                if word not in given:
                    self.problems.append(f"the cookie has no {word}")
        self.room = room

    def answer(self, ask, again=False):
        if again and self.last:
            return self.last
        message = {"type": "answer", "game": ask.get("game"), "ask": ask["ask"], "kind": ask["kind"],
                   "key": f"{self.number}-{self.random.randrange(1 << 40):x}"}
        if ask.get("targets"):
            message["target"] = self.random.choice(ask["targets"])
        if ask["kind"] in ("talk", "whisper", "whisper_to"):
            words = ["Skip", "VOTE Agent[01]", "COMINGOUT Agent[02] SEER"] if protocol(self.room) else ["I am p%d." % self.number, "Why?", "Skip", "多分3だと思う"]
            message["text"] = self.random.choice(words)
        if ask["kind"] in ("whisper", "whisper_to") and not protocol(self.room):
            message["text"] = f"zz{self.random.randrange(1 << 40):x}"
        self.last = message
        return message

    async def act(self, ask):
        await asyncio.sleep(self.random.uniform(0.01, 0.15))
        chance = self.random.random()
        if self.before and chance < 0.3:
            self.send({**self.before, "key": "late"})  # of a question that is over
        if chance > 0.9:
            self.cut_at = time.monotonic()
            self.count["cuts"] += 1
            self.socket.cut()  # what is asked comes again
            return
        message = self.answer(ask)
        self.send(message)
        if chance > 0.6:
            self.send(message)  # was it heard?
        if not ask.get("standing"):
            self.before = message

    def send(self, message):
        try:
            self.socket.send(message)
        except OSError:
            pass

    def watch_seat(self, socket, game, seat):
        status, headers, doc = request("GET", f"/web/api/games/{game}/doc?view=seat:{seat}", cookie=self.cookie)
        if status != 200:
            self.problems.append(f"doc of its seat: {status} {doc}")
            return
        self.tap(json.dumps(doc, separators=(",", ":"), ensure_ascii=False))
        if (doc["view"]["kind"], doc["view"]["seat"]) != ("seat", seat):
            self.problems.append(f"view {doc['view']}")
        socket.send({"type": "watch", "game": game, "view": f"seat:{seat}", "after": headers.get("X-Warg-Feed", "")})
        self.must_not_see("another's seat", game, f"seat:{seat % doc_seats(doc) + 1}")
        self.must_not_see("all", game, "all")

    def must_not_see(self, what, game, view):
        status, _, doc = request("GET", f"/web/api/games/{game}/doc?view={view}", cookie=self.cookie)
        # On a slow machine the game has ended meanwhile, and then all is everybody's.
        if status not in (403, 404) and not (status == 200 and is_over(doc)):
            self.problems.append(f"{what} could be seen: {status}")

    def see_room(self, room):
        self.room = room
        you = room.get("you") or {}
        if room.get("state") == "over" and self.count["games"] < room["games"]:
            self.count["games"] = room["games"]
            if room["games"] >= GAMES:
                self.over = True
            else:
                self.join()
        if room.get("state") == "playing" and you.get("seat") and room.get("game"):
            self.seat, self.game = you["seat"], room["game"]

    async def listen(self, socket, tasks):
        socket.send({"type": "watch", "room": CODE})
        watched, highest = None, 0
        while not self.over:
            message = await socket.receive()
            if message is None:
                return
            kind = message["type"]
            self.tap(socket.raw)
            if kind == "room" and message.get("code") == CODE:
                self.see_room(message)
                if self.game and self.seat and watched != self.game:
                    watched = self.game
                    self.watch_seat(socket, self.game, self.seat)
            elif kind == "ask":
                self.count["asks"] += 1
                if message["ask"] < highest:
                    self.problems.append(f"ask {message['ask']} behind {highest}")
                highest = max(highest, message["ask"])
                tasks.append(asyncio.create_task(self.act(message)))
            elif kind == "taken":
                self.count["taken"] += 1
            elif kind == "refused":
                self.count["refused"] += 1
                self.count["stale"] += message["code"] == "stale"
            elif kind == "events":
                self.count["events"] += len(message["events"])
                for event in message["events"]:
                    if event["kind"] == "role" and event.get("seat") != self.seat and "to" in event and self.seat not in event["to"]:
                        self.problems.append(f"heard {event}")
            elif kind == "here?":
                socket.send({"type": "here"})
            elif kind == "error":
                self.problems.append(str(message))

    async def play(self):
        tasks = []
        self.join()
        while not self.over:
            try:
                self.socket = await Socket().open(self.cookie)
            except OSError as problem:
                self.problems.append(str(problem))
                return
            await self.listen(self.socket, tasks)
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()


def protocol(room):
    return room.get("division") == "protocol"


def doc_seats(doc):
    return len(doc["seats"])


def is_over(doc):
    return isinstance(doc, dict) and "winner" in doc


async def main():
    phones = [Phone(number) for number in range(int(sys.argv[3]))]
    try:
        await asyncio.wait_for(asyncio.gather(*(phone.play() for phone in phones)), 200)
    except asyncio.TimeoutError:
        for phone in phones:
            phone.problems.append(f"not over: {phone.room}")
    for phone in phones:
        phone.check()
        print(json.dumps(dict(phone=phone.number, seat=phone.seat, problems=phone.problems[:5], **phone.count)))
    sys.exit(any(phone.problems for phone in phones))


if __name__ == "__main__":
    asyncio.run(main())
