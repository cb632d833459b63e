"""Reads all that a server of the natural-language division gives to anybody while a game runs, and
looks for roles and for the team's name: nlp_spy.py HOST:PORT TEAM OPERATOR_TOKEN"""
import http.client
import json
import sys
import threading
import time

address, team, token = sys.argv[1:4]
ROLES = ["SEER", "WEREWOLF", "POSSESSED", "VILLAGER", "BODYGUARD", "MEDIUM"]
NIGHT = ["囁き", "占い", "護衛", "襲撃投票"]
LISTS_ROLES = ["/api/v1/ruleset", "/api/v1/progress", "/metrics"]  # of the rules, of finished games


def get(path, operator=False):
    link = http.client.HTTPConnection(address, timeout=60)
    link.request("GET", path, headers={"Authorization": "Bearer " + token} if operator else {})
    answer = link.getresponse()
    body = answer.read().decode()
    head = "\n".join(f"{name}: {value}" for name, value in answer.getheaders())
    link.close()
    return answer.status, head, body


def running(operator):
    return json.loads(get("/api/v1/games", operator)[2])["games"]


def search(path, text):
    words = [team] if path in LISTS_ROLES else [team] + ROLES + NIGHT
    for word in words:
        if word in text:
            sys.exit(f"{path} tells {word}: {text[:2000]}")


def read_events(path, into):
    link = http.client.HTTPConnection(address, timeout=60)
    link.request("GET", path)
    into.append(link.getresponse().read().decode())


for _ in range(2000):
    games = running(True)
    if games:
        break
    time.sleep(0.05)
game = games[0]
if team not in json.dumps(game) or "SEER" not in json.dumps(game):
    sys.exit("an operator is told neither roles nor teams: " + json.dumps(game))
one, stem = "/api/v1/games/" + game["id"], game["filename"]
streams = [[], []]
readers = [threading.Thread(target=read_events, args=(one + end, into))
           for end, into in zip(["/events", "/events?masked=1"], streams)]
for reader in readers:
    reader.start()
paths = LISTS_ROLES + ["/api/v1/healthz", "/api/v1/readyz", "/api/v1/games", "/api/v1/games?state=all",
                       "/api/v1/waiting", "/api/v1/teams", "/api/v1/teams/" + team, one, one + "/log",
                       one + "/json", "/tts/" + game["id"] + "/playlist.m3u8"]
for folder in ["/realtime/", "/realtime/masked/", "/masked/realtime/"]:
    paths += [folder + name for name in ["games.json", stem + ".jsonl", game["id"] + ".jsonl"]]
rounds = looked = packets = 0
while running(False):
    for path in paths:
        status, head, body = get(path)
        if not running(False):
            break  # it ended meanwhile: all may know all
        search(path, (head + body).replace(path, ""))
        looked += 1
        packets = max(packets, body.count('"bubble_idx"'))
    rounds += 1
for reader in readers:
    reader.join()
for stream in streams:
    search("/events", stream[0].split("終了")[0])
    if stream[0].count("event: broadcast") < 5:
        sys.exit("the masked stream is empty: " + stream[0])
if rounds < 1 or packets < 5:
    sys.exit(f"too little was seen: {rounds} rounds, {packets} utterances")
status, _, log = get(one + "/log")
if status != 200 or "SEER" not in log:
    sys.exit("the log of a finished game is not shown")
print(f"{looked} answers in {rounds} rounds")
