"""Takes the seat of another agent: connects to its port and stays where it is asked for its name.
thief.py LOOT PORT_FILE SECONDS: the file holds the port, as soon as the other one has started; from then on it tries
for so long, and twice at least."""
import os
import socket
import sys
import time

loot, port_file, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
while not os.path.exists(port_file) or not os.path.getsize(port_file):
    time.sleep(0.01)
with open(port_file, encoding="ascii") as given:
    port = int(given.read())
until, tries = time.time() + seconds, 0
while time.time() < until or tries < 2:
    tries += 1
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as seat:
            seat.settimeout(1)
            if seat.recv(4096):
                with open(loot, "w", encoding="ascii") as taken:
                    taken.write("the seat at port %d\n" % port)
    except OSError:
        pass
    time.sleep(0.05)
