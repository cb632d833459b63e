#!/usr/bin/env python3
"""Peers that harm a server of the protocol division as well as they can, while a table plays.

    hostile_peers.py STDERR PID CONNECTIONS     two sets of good agents, undisturbed
    hostile_peers.py STDERR PID CONNECTIONS -a  the same with everything that follows beside the
                                                first of them
    hostile_peers.py STDERR PID CONNECTIONS -s  one set of good agents with some that are seated
                                                and break off, each at another request
STDERR is the file with what the server says, PID its process, CONNECTIONS the most it takes.
Ends with an error when something does not hold. Standard library only.
"""
import os
import random
import socket
import struct
import sys
import threading
import time

import crowd

GOOD = ["anna", "bert", "cora", "dirk", "emma"]
REQUESTS = (b"INITIALIZE DAILY_INITIALIZE TALK WHISPER VOTE DIVINE GUARD ATTACK DAILY_FINISH"
            b" FINISH").split()
ASKED = b'"request":"NAME"'


class Server:
    def __init__(self, stderr, pid, most):
        self.port = crowd.port_of(stderr)
        self.pid = pid
        self.most = most

    def connect(self):
        sock = socket.create_connection(("127.0.0.1", self.port))
        sock.settimeout(30)
        return sock

    def status(self, key):
        with open("/proc/%d/status" % self.pid, encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(key))

    def files(self):
        return len(os.listdir("/proc/%d/fd" % self.pid))

    def settle(self, files):
        """Waits until the server has seen that those connections are gone."""
        for _ in range(1500):
            if self.files() <= files:
                return
            time.sleep(0.02)
        raise AssertionError("%d files are open, %d were" % (self.files(), files))


def is_closed(sock):
    """Reads to the end of the connection; an error when the server leaves it open."""
    try:
        while sock.recv(65536):
            pass
    except ConnectionError:
        pass
    sock.close()


def send_anyway(sock, data):
    """Sends until the server has had enough."""
    try:
        sock.sendall(data)
    except ConnectionError:
        pass


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


# ---- what they do; each leaves no connection behind ----


def silent_beyond_the_limit(server):
    """Who says nothing costs a connection; more than allowed are closed at once."""
    socks = [server.connect() for _ in range(server.most + 50)]
    asked = [sock for sock in socks if ASKED in sock.recv(1000)]
    assert len(asked) == server.most - len(GOOD), "%d were let in" % len(asked)
    for sock in socks:
        sock.close()


def silent_too_long(server):
    """Nobody else comes: the server has to look at its clock by itself."""
    for sock in [server.connect() for _ in range(50)]:
        is_closed(sock)


def half_a_name(server):
    socks = [server.connect() for _ in range(50)]
    for sock in socks:
        sock.sendall(b"half a na")
    for sock in socks:
        is_closed(sock)


def long_lines(server):
    for sock in [server.connect() for _ in range(4)]:
        send_anyway(sock, b"x" * 10_000_000)
        send_anyway(sock, b"\n")
        is_closed(sock)
    socks = [server.connect() for _ in range(50)]
    for sock in socks:
        send_anyway(sock, b"y" * 100_000 + b"\n")
    for sock in socks:
        is_closed(sock)


def binary(server):
    """A name without sense is still a name; a second line was not asked for."""
    noise = random.Random(1)
    for _ in range(100):
        sock = server.connect()
        send_anyway(sock, noise.randbytes(500) + b"\n" + noise.randbytes(500) + b"\n")
        is_closed(sock)


def floods(server):
    for i in range(1500):
        sock = server.connect()
        if i % 3 == 0:
            reset(sock)
        elif i % 3 == 1:
            send_anyway(sock, b"here I am\n")
            reset(sock)
        else:
            sock.close()


def odd_names(server):
    """They are taken in and wait for the next table."""
    names = ["\x1b[2J\x07\r\t", "a,b,c,,", "", " ", "\0", "Agent[01]", "anna", '"}\\', "../../x",
             "%s%n", "\u202e\u2028\u4e00", "z" * 60_000, "," * 60_000, "\x01" * 60_000]
    socks = [server.connect() for _ in range(200)]
    for i, sock in enumerate(socks):
        sock.sendall(names[i % len(names)].encode() + b"\n")
    time.sleep(0.1)
    for i, sock in enumerate(socks):
        if i % 2:
            reset(sock)
        else:
            sock.close()


def lines_unasked(server):
    for count in (2, 1000, 100_000):
        sock = server.connect()
        send_anyway(sock, b"line\n" * count)
        is_closed(sock)
    for _ in range(50):  # named first, and then it talks on
        sock = server.connect()
        assert ASKED in sock.recv(1000)
        sock.sendall(b"chatty\n")
        time.sleep(0.001)
        sock.sendall(b"Over\n")
        is_closed(sock)


def many_that_close_slowly(server):
    """Thrown out with much unread they hold a file each until they close: that must not be
    everybody else's."""
    socks = []
    for _ in range(2 * server.most):
        sock = server.connect()
        sock.setblocking(False)
        try:
            sock.send(b"line\n" * 60_000)
        except OSError:
            pass
        socks.append(sock)
    time.sleep(0.5)
    assert server.files() < 200 - 16, "%d files are open" % server.files()
    time.sleep(0.5)
    for sock in socks:
        sock.close()


def resets(server):
    for state in range(4):
        for _ in range(50):
            sock = server.connect()
            if state > 0:
                assert ASKED in sock.recv(1000)
            if state > 1:
                send_anyway(sock, b"half" if state == 2 else b"whole\n")
            reset(sock)


def slow_readers(server):
    """Named, they wait with a tiny window and never read."""
    socks = []
    for _ in range(50):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        sock.connect(("127.0.0.1", server.port))
        sock.sendall(b"slow\n")
        socks.append(sock)
    time.sleep(0.1)
    for sock in socks:
        sock.close()


ATTACKS = [silent_beyond_the_limit, half_a_name, long_lines, binary, floods, odd_names,
           lines_unasked, many_that_close_slowly, resets, slow_readers, silent_too_long]
MOST_ROUNDS = 6
FLAT_KIB = 1024

# ---- while a table plays ----


def attack(server, playing, ended):
    """Each kind twice, and again while memory grows: how much is held at once hangs on the machine's
    pace, and the most that was ever held stays. What leaks grows with each round."""
    playing.wait(60)
    files = server.files()
    start = server.status("VmRSS")
    after = []
    while len(after) < 2 or (len(after) < MOST_ROUNDS and after[-1] - after[-2] > FLAT_KIB):
        for harm in ATTACKS:
            begin = time.monotonic()
            try:
                harm(server)
                server.settle(files)
            except Exception as e:
                ended.append("%s: %r" % (harm.__name__, e))
            if "-v" in sys.argv:
                print("%-26s %6d KiB  %.2f s" % (harm.__name__, server.status("VmRSS"),
                                                time.monotonic() - begin))
        after.append(server.status("VmRSS"))
    ended.append("")
    print("hostile: %d KiB before, %s KiB after each round, %d KiB at most"
          % (start, after, server.status("VmHWM")))
    if "--memory" in sys.argv:
        assert_flat(server, start, after, ended)


def assert_flat(server, start, after, ended):
    if after[-1] - after[-2] > FLAT_KIB:
        ended.insert(0, "memory grows: %s KiB" % after)
    # Every connection may hold a line that is not complete, and some bytes of its own.
    if server.status("VmHWM") - start > server.most * (64 + 16):
        ended.insert(0, "%d KiB at most" % server.status("VmHWM"))


def two_sets(server, hostile):
    playing = threading.Event()
    ended = []

    def before(agent, request):
        """The table plays on as long as there are attacks, and no set ends before."""
        if request == b"INITIALIZE":
            playing.set()
        if not hostile or "" in ended or agent.name != GOOD[0]:
            return
        time.sleep(0.004)
        while agent.games == GAMES - 1 and "" not in ended:
            time.sleep(0.01)

    enemy = threading.Thread(target=attack, args=(server, playing, ended))
    first = crowd.seat(server.port, GOOD, before=before)
    if hostile:
        enemy.start()
    crowd.run(first)
    if hostile:
        enemy.join()
    second = crowd.seat(server.port, GOOD)
    crowd.run(second)
    assert all(agent.games == GAMES for agent in first + second), "a set was not played to its end"
    assert not hostile or ended == [""], ended


GAMES = int(os.environ.get("GAMES", "100"))


def break_off(agent, request):
    if request == agent.name.encode():
        agent.reset()


def seated(server):
    """Ten who break off, each at another request, five who play."""
    names = [request.decode() for request in REQUESTS]
    agents = crowd.seat(server.port, names, before=break_off) + crowd.seat(server.port, GOOD)
    crowd.run(agents)
    assert all(agent.games == GAMES for agent in agents[len(names):])
    assert all(agent.closed for agent in agents[: len(names)])


def main():
    server = Server(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    if "-s" in sys.argv:
        seated(server)
    else:
        two_sets(server, "-a" in sys.argv)


main()
