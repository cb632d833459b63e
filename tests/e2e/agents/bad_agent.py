#!/usr/bin/env python3
"""An agent of the protocol division that behaves until the request REQUEST, and then does not.

    bad_agent.py -h HOST -p PORT -n NAME --at REQUEST --do WHAT [--after N] [--with FOLDER]

WHAT   exit     end with status 3 and a line on stderr
       kill     end by a signal
       hang     answer nothing
       close    close the connection in order
       garbage  answer bytes that mean nothing, and go on
       index    answer a target that is no agent, and go on
       foreign  say a sentence outside the language, and go on
       early    send the answer twice: the second answers no request
       twice    send the answer again 30 ms later
       long     answer a line of ten million bytes
       half     answer without a line end
       last     answer without a line end, and end this side of the connection
       cr       answer with a CR as line end, and go on
       binary   answer zero bytes and invalid UTF-8, and go on
       slow     answer after 150 ms, within limit + grace, and go on
       pair     answer once another agent was asked for the same which the folder of --with tells
       unread   stop reading
--after N: not before the Nth such request, from 0. Standard library only.
"""
import json
import os
import random
import signal
import socket
import sys
import time

TARGETS = ("VOTE", "DIVINE", "GUARD", "ATTACK")


def options(argv):
    given = {"--at": "", "--do": "", "--after": "0", "--with": "", "-h": "127.0.0.1", "-p": "10000", "-n": "bad"}
    for key, value in zip(argv[0::2], argv[1::2]):
        given[key] = value
    return given


def wait_for_another(folder):
    """Each leaves a file in the folder of what it was asked."""
    os.makedirs(folder, exist_ok=True)
    open(os.path.join(folder, str(os.getpid())), "w", encoding="ascii").close()
    while len(os.listdir(folder)) < 2:
        time.sleep(0.01)


def main():
    given = options(sys.argv[1:])
    at, what, after = given["--at"], given["--do"], int(given["--after"])
    random.seed(1)
    sock = socket.create_connection((given["-h"], int(given["-p"])))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines = sock.makefile("r", encoding="utf-8", newline="\n")
    alive = []
    for line in lines:
        packet = json.loads(line)
        request = packet["request"]
        info = packet["gameInfo"]
        if info:
            alive = [int(i) for i, s in info["statusMap"].items() if s == "ALIVE"]
        answer = None
        if request == "NAME":
            answer = given["-n"]
        elif request == "ROLE":
            answer = "none"
        elif request in ("TALK", "WHISPER"):
            answer = random.choice(["Skip", "Over", "VOTE Agent[01]", "ESTIMATE Agent[02] WEREWOLF"])
        elif request in TARGETS:
            answer = json.dumps({"agentIdx": random.choice(alive)}, separators=(",", ":"))
        bad = request == at and after <= 0
        if request == at:
            after -= 1
        out = None if answer is None else answer.encode() + b"\n"
        if bad:
            if what == "exit":
                print("bad agent:\tthe cat is on the keyboard", file=sys.stderr)
                sys.exit(3)
            elif what == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            elif what in ("hang", "unread"):
                time.sleep(60)
            elif what == "close":
                sock.shutdown(socket.SHUT_RDWR)
                time.sleep(60)
            elif what == "garbage":
                out = b"%$ no such thing\n"
            elif what == "index":
                out = b'{"agentIdx":99}\n'
            elif what == "foreign":
                out = b"I think it is you\n"
            elif what == "early":
                out = (out or b"early\n") * 2 if out else b"early\n"
            elif what == "long":
                out = b"x" * 10_000_000 + b"\n"
            elif what == "half":
                out = out[:-1]
            elif what == "last":
                sock.sendall(out[:-1])
                sock.shutdown(socket.SHUT_WR)
                time.sleep(60)
            elif what == "cr":
                out = out[:-1] + b"\r"
            elif what == "binary":
                out = b"\x00\xff\xfe\x80\n"
            elif what == "twice":
                sock.sendall(out)
                time.sleep(0.03)
            elif what == "slow":
                time.sleep(0.15)
            elif what == "pair":
                wait_for_another(os.path.join(given["--with"], str(-after)))
        if out:
            try:
                sock.sendall(out)
            except OSError:
                sys.exit(1)


main()
