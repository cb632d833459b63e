"""Five agents of the natural-language division that take their time to speak, and whose whispers are
found again: nlp_slow.py PORT TEAM SECONDS"""
import json
import random
import sys
import threading
import time

from ws_line import Line

port, team, pause = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])


def play(number):
    line = Line("127.0.0.1", port, "/ws")
    alive = []
    try:
        while True:
            text = line.next()
            if not text:
                continue
            packet = json.loads(text)
            request = packet["request"]
            status = (packet.get("info") or {}).get("status_map") or {}
            alive = [name for name, word in status.items() if word == "ALIVE"] or alive
            if request == "NAME":
                line.say(f"{team}{number}")
            elif request == "TALK":
                time.sleep(pause)
                line.say("I have nothing to say")
            elif request == "WHISPER":
                line.say("zzwhisper")
            elif request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
                line.say(random.choice(alive))
    except OSError:
        pass


for number in range(1, 6):
    threading.Thread(target=play, args=(number,)).start()
