#!/usr/bin/env python3
"""An agent of the protocol division that computes a little for each answer.

    fair_agent.py -h HOST -p PORT -n NAME [--work MS] [--guilty sleep|burn --ms MS --game N]

With --guilty it sleeps for MS, or computes for MS in each of two processes, at the votes of game N (from 0).
"""
import json
import os
import socket
import sys
import time


def work(ms):
    until = time.thread_time() + ms / 1000
    found = 0
    while time.thread_time() < until:
        for i in range(200):
            found = (found * 31 + i) % 1000003
    return found


def burn(ms):
    child = os.fork()
    work(ms)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def main():
    given = {"--work": "5", "--guilty": "", "--ms": "250", "--game": "3"}
    for key, value in zip(sys.argv[1::2], sys.argv[2::2]):
        given[key] = value
    sock = socket.create_connection((given["-h"], int(given["-p"])))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    game = -1
    alive = [1]
    for line in sock.makefile("r", encoding="utf-8", newline="\n"):
        packet = json.loads(line)
        request = packet["request"]
        if packet["gameInfo"]:
            alive = [int(i) for i, s in packet["gameInfo"]["statusMap"].items() if s == "ALIVE"]
        if request == "NAME":
            answer = given["-n"]
        elif request == "ROLE":
            answer = "none"
        elif request in ("TALK", "WHISPER"):
            answer = "Over"
        elif request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
            answer = json.dumps({"agentIdx": alive[0]})
        else:
            game += request == "INITIALIZE"
            continue
        if game >= 0:
            work(int(given["--work"]))
        if request == "VOTE" and game == int(given["--game"]):
            if given["--guilty"] == "sleep":
                time.sleep(int(given["--ms"]) / 1000)
            elif given["--guilty"] == "burn":
                burn(int(given["--ms"]))
        sock.sendall(answer.encode() + b"\n")


main()
