"""An agent that keeps every line it is sent, and answers by their bytes alone.

    logging_agent.py HOST PORT NAME FOLDER [state] [die=N] [other=N] [slow=MS]

state: by all lines that this process was sent, not by the last alone. die=N: ends without a word at
its N-th request. other=N: answers that one otherwise. slow=MS: takes so long for each.
"""
import os
import socket
import sys
import tempfile
import time
import zlib

host, port, name, folder = sys.argv[1:5]
ways = dict(way.partition("=")[::2] for way in sys.argv[5:])
die, other = int(ways.get("die", 0)), int(ways.get("other", 0))
handle, path = tempfile.mkstemp(suffix=".txt", dir=folder)
log = os.fdopen(handle, "w")
talk = ["Over", "Skip", "ESTIMATE Agent[01] WEREWOLF", "COMINGOUT ANY SEER", "VOTE Agent[03]"]
asked = seen = 0
connection = socket.create_connection((host, int(port)))
server = connection.makefile("w")  # one file for both drops what was read ahead when it is written to
for line in connection.makefile("r", newline="\n"):
    request = line.rpartition('"request":"')[2].partition('"')[0]
    seen = zlib.crc32(line.encode(), seen if "state" in ways else 0)
    wants = request in ("NAME", "ROLE", "TALK", "WHISPER", "VOTE", "DIVINE", "GUARD", "ATTACK")
    asked += wants
    if wants and asked == die:
        os._exit(3)
    log.write(line)
    log.flush()
    if not wants:
        continue
    time.sleep(int(ways.get("slow", 0)) / 1000)
    choice = seen + (asked == other)
    if request == "NAME":
        answer = name
    elif request == "ROLE":
        answer = "SEER"
    elif request in ("TALK", "WHISPER"):
        answer = talk[choice % len(talk)]
    else:
        answer = '{"agentIdx":%d}' % (choice % 5 + 1)
    print(answer, file=server, flush=True)
