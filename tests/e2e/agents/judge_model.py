#!/usr/bin/env python3
"""A model's server that judges: it ranks players in the order of their names.

Prints its port. Of the requests for an answer the first is refused as one too many (429), the third comes too late for
who asked, the fifth gives a rank twice. A line each in judged.txt: what was said, and whether a repair was asked for.
"""
import http.server
import json
import sys
import threading
import time

lock = threading.Lock()
log = open("judged.txt", "w", encoding="utf-8")


class Model(http.server.BaseHTTPRequestHandler):
    number = 0

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.reply(404, {"error": {"message": "there is no such path"}})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        form = asked.get("response_format", {}).get("json_schema")
        if not form:  # something about the model, not a game
            self.reply(404, {"error": {"message": "there is no such path"}})
            return
        with lock:
            Model.number += 1
            number = Model.number
            kind = {1: "busy", 3: "late", 5: "wrong"}.get(number, "good")
            print(kind, len(asked["messages"]), file=log, flush=True)
        names = sorted(form["schema"]["properties"]["ranking"]["items"]["properties"]["name"]["enum"])
        ranks = [{"name": name, "rank": 1 if kind == "wrong" else i + 1, "score": 3, "lines": [1], "reason": "by name"}
                 for i, name in enumerate(names)]
        if kind == "busy":
            self.reply(429, {"error": {"message": "one too many"}})
            return
        if kind == "late":
            time.sleep(3)
        message = {"role": "assistant", "content": json.dumps({"ranking": ranks})}
        self.reply(200, {"model": "judge-1", "choices": [{"message": message, "finish_reason": "stop"}],
                         "usage": {"prompt_tokens": 500, "completion_tokens": 50}})

    def reply(self, status, answer):
        body = json.dumps(answer).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            pass  # nobody waits any more


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
sys.stdout.close()
server.serve_forever()
