#!/usr/bin/env python3
"""Many well-behaved agents of the protocol division in one process, for tests of the server.

    crowd.py STDERR COUNT [STYLE]   COUNT agents, until the server has closed every connection;
                                    STDERR is the file with what the server says on stderr

STYLE  random  says Over, names any other living agent (as bot:random)
       talker  says something nearly as often as the rules allow on the days 1 and 2

An agent's answers depend on its name and on what it was sent, on nothing else. Standard library
only.
"""
import json
import random
import resource
import select
import socket
import sys
import time

TARGETS = (b"VOTE", b"DIVINE", b"GUARD", b"ATTACK")
SAYINGS = (
    "ESTIMATE Agent[%02d] WEREWOLF",
    "VOTE Agent[%02d]",
    "REQUEST ANY (VOTE Agent[%02d])",
    "BECAUSE (DAY 1 (DIVINED Agent[01] HUMAN)) (ESTIMATE Agent[%02d] VILLAGER)",
    "AND (COMINGOUT Agent[%02d] SEER) (NOT (VOTE Agent[01])) (VOTE Agent[02])",
)


def connect(port):
    sock = socket.create_connection(("127.0.0.1", port))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def port_of(stderr):
    """The port of a server whose stderr goes to this file, when it listens."""
    for _ in range(3000):
        with open(stderr, encoding="utf-8") as said:
            first = said.read().partition("listening on 127.0.0.1:")[2].partition(";")
        if first[1]:
            return int(first[0])
        time.sleep(0.01)
    raise OSError("the server does not listen")


def allow_many_files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Agent:
    """One connection. `before` is called with (agent, request) before each answer, and for each
    packet that wants none; what it returns is sent in place of the answer, unless it is None."""

    def __init__(self, sock, name, style="random", before=None):
        self.sock = sock
        self.name = name
        self.style = style
        self.before = before
        self.chance = random.Random(name)
        self.input = b""
        self.me = 0
        self.day = 0
        self.others = []
        self.games = 0
        self.packets = 0
        self.closed = False

    def learn(self, line):
        info = json.loads(line)["gameInfo"]
        self.me = info["agent"]
        self.day = info["day"]
        self.others = [
            int(i) for i, s in info["statusMap"].items() if s == "ALIVE" and int(i) != self.me
        ]

    def say(self):
        if self.style == "random" or self.day > 2:
            return b"Over\n"
        if self.chance.random() < 0.15:
            return b"Skip\n"
        return (self.chance.choice(SAYINGS) % self.chance.randint(1, 15)).encode() + b"\n"

    def answer(self, request):
        if request in TARGETS:
            return b'{"agentIdx":%d}\n' % self.chance.choice(self.others or [self.me])
        if request in (b"TALK", b"WHISPER"):
            return self.say()
        if request == b"NAME":
            return self.name.encode() + b"\n"
        if request == b"ROLE":
            return b"none\n"
        if request == b"FINISH":
            self.games += 1
        return None

    def take(self, line):
        self.packets += 1
        at = line.index(b'"request":"') + 11
        request = line[at : line.index(b'"', at)]
        if not line.startswith(b'{"gameInfo":null'):
            self.learn(line)
        other = self.before(self, request) if self.before else None
        answer = self.answer(request) if other is None else other
        if answer and not self.closed:
            self.sock.sendall(answer)

    def read(self):
        """Reads what is there and answers it; False when the connection is over."""
        try:
            came = self.sock.recv(1 << 18)
        except OSError:
            came = b""
        if not came:
            return False
        lines = (self.input + came).split(b"\n")
        self.input = lines.pop()
        try:
            for line in lines:
                self.take(line)
        except OSError:
            return False
        return not self.closed

    def reset(self):
        """Breaks the connection off."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.sock.close()
        self.closed = True


def run(agents):
    """Until the server has closed all of them."""
    poll = select.epoll()
    by_fd = {agent.sock.fileno(): agent for agent in agents}
    for fd in by_fd:
        poll.register(fd, select.EPOLLIN)
    while by_fd:
        for fd, _ in poll.poll():
            agent = by_fd[fd]
            if agent.read():
                continue
            del by_fd[fd]
            if not agent.closed:  # else the kernel has forgotten it already
                poll.unregister(fd)
                agent.sock.close()


def seat(port, names, **options):
    """Agents that have told their names in this order."""
    agents = [Agent(connect(port), name, **options) for name in names]
    for agent in agents:
        agent.read()
    return agents


def main():
    port, count = port_of(sys.argv[1]), int(sys.argv[2])
    style = sys.argv[3] if len(sys.argv) > 3 else "random"
    allow_many_files()
    agents = [Agent(connect(port), "crowd%d" % i, style) for i in range(count)]
    run(agents)
    print(sum(agent.packets for agent in agents), "packets")


if __name__ == "__main__":
    main()
