#!/usr/bin/env python3
"""An agent of the protocol division that is well-behaved but for one thing, for `warg agent check`.

    checked_agent.py -h HOST -p PORT -n NAME [--do WHAT] [--with VALUE] [--when SENTENCE]

WHAT   good      nothing: it chooses among the living, says what the language has, ends with its connection
       noconnect connect to nobody
       dies      end before it connects, with a line on stderr
       name      say another name
       night     end when a night begins
       sentence  say what is no sentence
       target    vote for whom it sees dead, when there is one
       slow      take 300 ms for every 20th utterance
       fork      start another process and leave it running
       write     write a file into its folder
       connect   connect to port VALUE, too
       threads   start VALUE threads
       memory    fill VALUE MiB
       flood     print VALUE KiB to standard error
       error     print a stack trace for a mistake that it catches
       early     end behind its first game
With a SENTENCE it does night, write, connect and the like only once somebody else has said that,
and goes on where that is refused.
Standard library only.
"""
import contextlib
import json
import random
import socket
import subprocess
import sys
import threading
import time
import traceback

TALK = ("Skip", "Over", "ESTIMATE Agent[02] WEREWOLF", "REQUEST ANY (VOTE Agent[03])")
kept = []


def options(argv):
    given = {"--do": "good", "--with": "0", "--when": "", "-h": "127.0.0.1", "-p": "10000", "-n": "checked"}
    for key, value in zip(argv[0::2], argv[1::2]):
        given[key] = value
    return given


def break_rule(what, value):
    """What it does once, before its first game or when it hears what it waits for."""
    if what == "fork":
        kept.append(subprocess.Popen(["sleep", "60"]))
    elif what == "write":
        with open("memo.txt", "a", encoding="utf-8") as memo:
            memo.write("who I am\n")
    elif what == "connect":
        kept.append(socket.create_connection(("127.0.0.1", int(value))))
    elif what == "threads":
        for _ in range(int(value)):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    elif what == "memory":
        kept.append(bytearray(int(value) << 20))
    elif what == "flood":
        for _ in range(int(value)):
            print("x" * 1023, file=sys.stderr)
    elif what == "error":
        try:
            kept[0].close()
        except IndexError:
            traceback.print_exc()


def is_said(sentence, packet, info):
    return any(talk["text"] == sentence and talk["agent"] != info["agent"] for talk in packet.get("talkHistory") or ())


def targets(info, request):
    me = info["agent"]
    alive = [int(i) for i, s in info["statusMap"].items() if s == "ALIVE" and int(i) != me]
    if request == "ATTACK":
        alive = [i for i in alive if info["roleMap"].get(str(i)) != "WEREWOLF"]
    return alive


def main():
    given = options(sys.argv[1:])
    what, value, when, broken = given["--do"], given["--with"], given["--when"], False
    random.seed(1)
    if what == "noconnect":
        time.sleep(60)
    if what == "dies":
        print("checked agent: no model.npz here", file=sys.stderr)
        sys.exit(3)
    sock = socket.create_connection((given["-h"], int(given["-p"])))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    spoken = games = 0
    info = None
    for line in sock.makefile("r", encoding="utf-8", newline="\n"):
        packet = json.loads(line)
        request = packet["request"]
        info = packet["gameInfo"] or info
        answer = None
        if not broken and (is_said(when, packet, info) if when else request == "INITIALIZE"):
            broken = True
            with contextlib.suppress(OSError if when else ()):
                break_rule(what, value)
        if request == "NAME":
            answer = "somebody" if what == "name" else given["-n"]
        elif request == "ROLE":
            answer = "none"
        elif request == "DAILY_FINISH" and what == "night" and broken:
            sys.exit(1)
        elif request == "FINISH":
            games += 1
            if what == "early":
                sys.exit(0)
        elif request in ("TALK", "WHISPER"):
            spoken += 1
            if what == "slow" and spoken % 20 == 0:
                time.sleep(0.3)
            answer = "I think it is you" if what == "sentence" else random.choice(TALK)
        elif request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
            choice = targets(info, request)
            dead = [int(i) for i, s in info["statusMap"].items() if s == "DEAD"]
            if what == "target" and request == "VOTE" and dead:
                choice = dead
            answer = json.dumps({"agentIdx": random.choice(choice)}, separators=(",", ":"))
        if answer is not None:
            sock.sendall(answer.encode() + b"\n")


main()
