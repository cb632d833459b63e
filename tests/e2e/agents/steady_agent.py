#!/usr/bin/env python3
"""An agent of the protocol division whose answers follow from what it was sent in the game, and from
nothing else: started anew in the middle of a set it plays the next game as it would have.

    steady_agent.py -h HOST -p PORT -n NAME
"""
import json
import socket
import sys


def main():
    given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    name = given.get("-n", "steady")
    peer = socket.create_connection((given["-h"], int(given["-p"])))
    lines = peer.makefile("r", encoding="utf-8", newline="\n")
    info, talked = {}, 0
    for line in lines:
        packet = json.loads(line)
        request = packet["request"]
        if packet.get("gameInfo"):
            info = packet["gameInfo"]
        me, day = info.get("agent", 0), info.get("day", 0)
        alive = sorted(int(k) for k, v in info.get("statusMap", {}).items() if v == "ALIVE" and int(k) != me)
        answer = None
        if request == "NAME":
            answer = name
        elif request == "ROLE":
            answer = "none"
        elif request in ("TALK", "WHISPER"):
            talked += 1
            answer = ("ESTIMATE Agent[%02d] WEREWOLF" % alive[(me + day) % len(alive)]) if talked == 1 and alive else "Over"
        elif request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
            answer = json.dumps({"agentIdx": alive[(3 * me + 5 * day) % len(alive)]}) if alive else "-1"
        elif request in ("INITIALIZE", "DAILY_INITIALIZE"):
            talked = 0
        if answer is not None:
            peer.sendall((answer + "\n").encode())


main()
