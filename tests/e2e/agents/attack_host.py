#!/usr/bin/env python3
"""What attack.c, attack.py and Attack.java try to reach on the host, for tests.

    attack_host.py FOLDER

Listens on a free port, TCP on 127.0.0.1 and ::1 and UDP on 127.0.0.1, on the abstract socket attack-host-PORT and
on FOLDER/host.socket; on another port, too, which is in FOLDER/game.port. Makes FOLDER/secret.txt, a folder
FOLDER/secrets with a file, and FOLDER/reached, where each connection and datagram that came leaves a line. Prints the
options that an attacker gets, on one line, and stays until it is killed. Standard library only.
"""
import os
import selectors
import socket
import sys

folder = os.path.abspath(sys.argv[1])


def listener(family, address, kind=socket.SOCK_STREAM):
    sock = socket.socket(family, kind)
    if family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    sock.bind(address)
    if kind == socket.SOCK_STREAM:
        sock.listen(128)
    sock.setblocking(False)
    return sock


def open_all():
    tcp = listener(socket.AF_INET, ("127.0.0.1", 0))
    port = tcp.getsockname()[1]
    found = {
        "tcp": tcp,
        "udp": listener(socket.AF_INET, ("127.0.0.1", port), socket.SOCK_DGRAM),
        "abstract": listener(socket.AF_UNIX, "\0attack-host-%d" % port),
        "file": listener(socket.AF_UNIX, folder + "/host.socket"),
    }
    try:
        found["tcp6"] = listener(socket.AF_INET6, ("::1", port))
    except OSError:
        pass  # a machine without IPv6
    return port, found


def main():
    port, found = open_all()
    found["game"] = listener(socket.AF_INET, ("127.0.0.1", 0))
    with open(folder + "/game.port", "w", encoding="ascii") as file:
        print(found["game"].getsockname()[1], file=file)
    os.chdir(folder)
    kept = []
    os.mkdir(folder + "/secrets")
    for name in ("/secret.txt", "/secrets/key"):
        with open(folder + name, "w", encoding="ascii") as file:
            file.write("secret\n")
    os.chmod(folder + "/host.socket", 0o777)
    print("--host-port %d --host-abstract attack-host-%d --host-socket %s/host.socket --host-pid %d"
          " --secret %s/secret.txt --secret %s/secrets"
          % (port, port, folder, os.getpid(), folder, folder), flush=True)
    selector = selectors.DefaultSelector()
    for name, sock in found.items():
        selector.register(sock, selectors.EVENT_READ, name)
    with open(folder + "/reached", "w", encoding="ascii") as reached:
        while True:
            for key, _ in selector.select():
                try:
                    if key.data == "udp":
                        key.fileobj.recvfrom(4096)
                    else:
                        kept.append(key.fileobj.accept()[0])
                        del kept[:-200]
                except OSError:
                    continue
                print(key.data, file=reached, flush=True)


main()
