#!/usr/bin/env python3
"""A model's server of many moods: fickle_model.py [SLOWEST_MS].

Prints its port. It speaks, votes, listens and thinks; sometimes its answer is no decision, comes late, or
not at all. What it says follows from how many requests it had, not from what they ask; each request adds
a line to the file asked.txt.
"""
import http.server
import json
import random
import re
import sys
import threading
import time

slowest = int(sys.argv[1]) / 1000 if len(sys.argv) > 1 else 0.02
moods = random.Random(7)
lock = threading.Lock()


def answer_of(asked, number):
    names = re.findall(r"Agent\[\d+\]", asked)
    targets = re.findall(r'"enum":\s*\[([^\]]*)\]', asked.replace('\\"', '"'))
    named = [word for each in targets for word in re.findall(r'"([^"]+)"', each)
             if word not in ("speak", "vote", "listen")]
    target = (named or names or [""])[moods.randrange(len(named or names or [""]))]
    kind = moods.randrange(10)
    if kind == 0:
        return "I would rather not say."
    said = {"action": ("speak", "vote", "listen")[moods.randrange(3)], "target": target,
            "message": f"Line {number}: I am not sure of {target}.", "reason": f"reason {number}",
            "thought": f"thought {number}"}
    if kind == 1:
        said["message"] = "Over"
    return json.dumps(said)


class Model(http.server.BaseHTTPRequestHandler):
    number = 0

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.reply(404, {"error": {"message": "there is no such path"}})

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with lock:
            Model.number += 1
            number = Model.number
            text = answer_of(asked, number)
            pause, trouble = moods.random() * slowest, moods.randrange(25)
            with open("asked.txt", "a", encoding="utf-8") as out:
                out.write(f"{number}\n")
        time.sleep(pause * (8 if trouble == 1 else 1))
        if trouble == 0:
            self.reply(500, {"error": {"message": f"mood {number}"}})
            return
        message = {"role": "assistant", "content": text}
        if number % 3 == 0:
            message["reasoning_content"] = f"Let me think about {number}."
        self.reply(200, {"model": "fickle-1", "choices": [{"message": message, "finish_reason": "stop"}],
                         "usage": {"prompt_tokens": 900 + number, "completion_tokens": 20 + number % 7}})

    def reply(self, status, answer):
        body = json.dumps(answer).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            pass  # nobody waits any more


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
