"""Takes the seat of another agent: connects to its port and stays where it is asked for its name.
thief.py LOOT PORT_FILE SECONDS: the file holds the port, as soon as the other one has started."""
import os
import socket
import sys
import time

loot, port_file, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
until = time.time() + seconds
while not os.path.exists(port_file) or not os.path.getsize(port_file):
    time.sleep(0.01)
with open(port_file, encoding="ascii") as given:
    port = int(given.read())
while time.time() < until:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as seat:
            seat.settimeout(1)
            if seat.recv(4096):
                with open(loot, "w", encoding="ascii") as taken:
                    taken.write("the seat at port %d\n" % port)
    except OSError:
        pass
    time.sleep(0.05)
