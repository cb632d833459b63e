"""What nobody may do to a room: HOST:PORT CODE OPERATOR-SECRET. Each line is a thing that went wrong."""
import asyncio
import json
import sys

import phones
from phones import CODE, Socket, request

SECRET = sys.argv[3]
wrong = []


def expect(what, got, *wanted):
    if got not in wanted:
        wrong.append(f"{what}: {got}, expected {wanted}")


def room(act, body=None, cookie="", token="", **more):
    return request("POST", f"/web/api/rooms/{CODE}/{act}", body if body is not None else {}, cookie, token, **more)


def join(name, cookie=""):
    status, headers, answer = room("join", {"name": name}, cookie)
    given = headers.get("Set-Cookie", "")
    return status, given.split(";")[0] or cookie, answer


async def until(socket, kind, seconds=60):
    while True:
        message = await asyncio.wait_for(socket.receive(), seconds)
        if message is None:
            return None
        if message["type"] == kind:
            return message


async def main():
    # Whoever has no right, has none: guests, strangers, wrong secrets.
    status, ann, _ = join("Ann")
    expect("join", status, 200)
    for act in ("start", "hold", "next", "kick", "close"):
        expect(f"{act} by a guest", room(act, {"id": 1}, ann)[0], 403)
        expect(f"{act} with a wrong secret", room(act, {"id": 1}, "", "wrong")[0], 401, 403)
    expect("a room by a guest", request("POST", "/web/api/rooms", {"division": "nlp"}, ann)[0], 401, 403)
    # Pages of others do nothing here.
    expect("join from elsewhere", room("join", {"name": "x"}, origin="http://attacker.example")[0], 403)
    expect("join without an origin", room("join", {"name": "x"}, origin="")[0], 403)
    # Options that can't be, names that can't be, bodies that are none.
    for options in ({"players": 99}, {"division": "chess"}, {"fill": "llm:http://192.0.2.1,model=x"}, {"fill": "bot:none"}, {"file": "/etc/passwd"}, [1], {"title": "x" * 5000}):
        expect(f"options {str(options)[:40]}", request("POST", "/web/api/rooms", options, "", SECRET)[0], 400)
    expect("a name of nothing", room("join", {"name": "\u200b\u202e"})[0], 400)
    expect("a name twice", join("Ann")[0], 400)
    expect("a name that is no text", room("join", {"name": 7})[0], 200)  # as without one
    # A cookie that nobody gave is none, and another's can't be guessed from anything that is told.
    name = ann.split("=")[0]
    status, planted, answer = join("Eve", f"{name}={'0' * 32}")
    expect("a planted cookie stays", planted == f"{name}={'0' * 32}", False)
    told = json.dumps([request("GET", f"/web/api/rooms/{CODE}")[2], request("GET", "/web/api/home")[2], request("GET", f"/web/api/rooms/{CODE}", token=SECRET)[2]])
    expect("a cookie is told", ann.split("=")[1] in told or planted.split("=")[1] in told, False)
    # The seats: Ann, a nameless one, Eve. All are there, and the game begins.
    first, second, stranger = await Socket().open(ann), await Socket().open(ann), await Socket().open()
    for socket in (first, second, stranger):
        socket.send({"type": "watch", "room": CODE})
    expect("start", room("start", {}, "", SECRET)[0], 200)
    ask, also = await until(first, "ask"), await until(second, "ask")
    expect("both sockets are asked the same", ask["ask"] == also["ask"], True)
    game, seat = ask["game"], request("GET", "/web/api/seat", cookie=ann)[2]["you"]["seat"]
    # A stranger, and another guest, get neither the view nor a word in.
    for cookie, socket in (("", stranger), (planted, await Socket().open(planted))):
        for view in (f"seat:{seat}", "all"):
            expect(f"doc {view} for {cookie[:4]}", request("GET", f"/web/api/games/{game}/doc?view={view}", cookie=cookie)[0], 403)
            socket.send({"type": "watch", "game": game, "view": view})
            answer = await until(socket, "error")
            expect(f"feed {view}", answer and answer["code"], "forbidden")
        socket.send({"type": "answer", "game": game, "ask": ask["ask"], "kind": ask["kind"], "target": (ask.get("targets") or [0])[0], "text": "I am the wolf"})
        answer = await until(socket, "refused")
        expect("an answer for another's seat", answer["code"], "no-seat", "stale", "bad-kind")
    # Two sockets, two answers: one counts.
    message = {"type": "answer", "game": game, "ask": ask["ask"], "kind": ask["kind"], "target": (ask.get("targets") or [0])[0], "text": "Hello."}
    first.send({**message, "key": "1"})
    second.send({**message, "key": "2"})
    taken = await until(second, "taken")
    refused = await until(second if taken["key"] == "1" else first, "refused")
    expect("the other answer", refused["code"], "stale")
    # The right one is always let in; too many wrong words are not.
    public = request("GET", f"/web/api/games/{game}/doc?view=public")[2]
    text = json.dumps(public)
    for word in ("bot", "person", "Ann", "Eve", '"role"', "agent"):
        expect(f"'{word}' in the public document", f'"{word}"' in text or (word[0] == '"' and word in text), False)
    # Kicked, in the middle of the game: no view, no seat, no way back.
    seats = request("GET", f"/web/api/rooms/{CODE}", token=SECRET)[2]["seats"]
    ann_id = next(guest["id"] for guest in seats if guest["name"] == "Ann")
    expect("kick", room("kick", {"id": ann_id}, "", SECRET)[0], 200)
    while await asyncio.wait_for(first.receive(), 60) is not None:
        pass
    expect("close code", getattr(first, "closed", None), 1008)
    expect("join of a kicked one", join("Ann", ann)[0], 403)
    expect("view of a kicked one", request("GET", f"/web/api/games/{game}/doc?view=seat:{seat}", cookie=ann)[0], 403)
    # Floods.
    stranger = await Socket().open()
    for _ in range(30):
        stranger.send({"type": "here"})
    expect("a flood of frames", (await until(stranger, "error"))["code"], "rate")
    expect("and its end", await until(stranger, "never"), None)
    codes = [request("GET", f"/web/api/rooms/AAAA{i:02d}".replace("0", "Z").replace("1", "Y"))[0] for i in range(90)]
    expect("codes that are none", set(codes) == {404, 429}, True)
    expect("then not even the right one", request("GET", f"/web/api/rooms/{CODE}")[0], 429)
    expect("but who has a seat", request("GET", f"/web/api/rooms/{CODE}", cookie=planted)[0], 200)
    statuses = [room("join", {})[0] for _ in range(140)]
    expect("a flood of joins", 429 in statuses, True)
    expect("operators are let in", request("GET", f"/web/api/rooms/{CODE}", token=SECRET)[0], 200)
    expect("close", room("close", {}, "", SECRET)[0], 200)
    await asyncio.sleep(1)
    expect("what is closed", request("GET", f"/web/api/rooms/{CODE}", token=SECRET)[0], 404)


asyncio.run(main())
print("\n".join(wrong))
sys.exit(bool(wrong))
