"""A page that follows a live table, as a browser's does: it fetches the document, watches behind it,
comes back where it was when the connection is lost, and fetches the document anew when it is told to.
In the end what it has is compared with the document of the server. Prints one line, for the script.

web_page.py BASE OPTION...
  --view VIEW     public (the usual), all, seat:N
  --secret S      the operator's
  --game ID       else the first one that runs
  --late N        joins when the game has N events
  --cut N         breaks off the connection behind N messages, and comes back after a second
  --tap WORDS     fails when one of these words (a,b,c) comes before the game's end, or a role does
  --save FILE     keeps the events, without times
  --told FILE     gets a line "looks" once it has looked for a game, and "watches" once it follows one
  --seconds N     at most; 200
"""
import argparse
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from ws_line import Line

parser = argparse.ArgumentParser()
parser.add_argument("base")
parser.add_argument("--view", default="public")
parser.add_argument("--secret")
parser.add_argument("--game")
parser.add_argument("--late", type=int, default=0)
parser.add_argument("--cut", type=int, default=0)
parser.add_argument("--tap")
parser.add_argument("--save")
parser.add_argument("--seconds", type=float, default=200)
parser.add_argument("--told")
given = parser.parse_args()
place = urllib.parse.urlsplit(given.base)
ends = time.monotonic() + given.seconds
agains = cuts = messages = looked = 0
over = False


def tap(text):
    """Nothing of this may be known yet."""
    global looked, over
    if given.tap is None or over:
        return
    before, end, _ = text.partition('"kind":"end"')
    over = bool(end)
    looked += len(before)
    for word in given.tap.split(","):
        if word in before:
            sys.exit(f"tap: {word} in {before[:3000]}")
    # what somebody claims of roles is no secret
    told = re.sub(r'"(says|plain|text)":(\[.*?\]|\{.*?\}|"(\\.|[^"\\])*")', "", before)
    for hidden in ['"role":', '"kind":"whisper"', '"kind":"divine"', '"kind":"guard"',
                   '"kind":"attack_vote"', '"kind":"identify"', '"to":', '"role_to":']:
        if hidden in told:
            sys.exit(f"tap: {hidden} in {told[:3000]}")


def note(word):
    if given.told:
        with open(given.told, "a") as file:
            print(word, file=file)


def get(path):
    """Status, body and headers; (0, ...) when nobody is there."""
    request = urllib.request.Request(given.base + "api/" + path)
    if given.secret:
        request.add_header("Authorization", "Bearer " + given.secret)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            body = answer.read().decode()
            return answer.status, body, answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers
    except OSError:
        return 0, "", {}


def find_game():
    noted = False
    while time.monotonic() < ends:
        status, body, _ = get("home")
        if status == 200:
            tap(body)
            if not noted:
                note("looks")
                noted = True
            live = [game for game in json.loads(body)["live"] if not game["over"]]
            if live:
                return live[0]["id"]
        time.sleep(0.02)
    sys.exit("no game is live")


game = given.game or find_game()
doc_path = f"games/{urllib.parse.quote(game)}/doc?view={given.view}"
events, phases, after = [], [], ""


def fetch():
    """Until the document is there, with as many events as wanted."""
    global events, phases, after
    while time.monotonic() < ends:
        status, body, headers = get(doc_path)
        if status == 200:
            doc = json.loads(body)
            if len(doc["events"]) >= given.late or doc["status"] != "running":
                tap(body)
                events, phases = doc["events"], doc["phases"]
                after = headers.get("X-Warg-Feed") or ""
                given.late = 0
                return
        elif status in (403, 400):
            sys.exit(f"{status} {body}")
        time.sleep(0.02)
    sys.exit(f"no document of {game}")


def connect():
    while time.monotonic() < ends:
        try:
            line = Line(place.hostname, place.port, "/web/api/feed")
            if given.secret:
                line.say(json.dumps({"type": "login", "secret": given.secret}))
            line.say(json.dumps({"type": "watch", "game": game, "view": given.view, "after": after}))
            return line
        except OSError:
            time.sleep(0.1)
    sys.exit("the server is gone")


def hear(line, text):
    """False at the end."""
    global agains, after
    message = json.loads(text)
    kind = message["type"]
    if kind == "events":
        tap(text)
        for event in message["events"]:
            if event["n"] != len(events):
                sys.exit(f"event {event['n']} behind {len(events)}")
            events.append(event)
        phases.extend(message.get("phases", []))
        after = message["id"]
    elif kind in ("again", "gone"):
        agains += 1
        time.sleep(0.1)
        fetch()
        line.say(json.dumps({"type": "watch", "game": game, "view": given.view, "after": after}))
    elif kind == "error":
        sys.exit(f"{message['code']}: {message['error']}")
    return kind != "reveal"


fetch()
joined = len(events)
line = connect()
while time.monotonic() < ends:
    try:
        text = line.next()
    except OSError:
        cuts += 1
        line = connect()
        continue
    if text:
        messages += 1
        if messages == 1:
            note("watches")
        if not hear(line, text):
            break
    if given.cut and messages >= given.cut:
        given.cut = 0
        cuts += 1
        line.socket.close()
        time.sleep(1)
        line = connect()
else:
    sys.exit(f"no end of {game}: {len(events)} events, {agains} again, {cuts} cuts")
status, body, _ = get(doc_path)
if status != 200:
    sys.exit(f"no document in the end: {status} {body}")
doc = json.loads(body)
if events != doc["events"] or phases != doc["phases"]:
    sys.exit(f"not the document: {len(events)} events of {len(doc['events'])}")
if given.tap is not None and looked < 1000:
    sys.exit(f"too little was looked at: {looked} bytes")
if given.save:
    with open(given.save, "w") as file:
        for event in events:
            event.pop("t_ms", None)
            print(json.dumps(event, sort_keys=True, ensure_ascii=False), file=file)
print(f"whole game={game} events={len(events)} joined={joined} again={agains} cuts={cuts}")
