#!/usr/bin/env python3
"""A model's server that decides a few times and then has no model any more: model_server.py COUNT [SECONDS].

It thinks for so long each time. Prints its port. Every player says Over, or names the first that it may name.
"""
import http.server
import json
import re
import sys
import time

left = int(sys.argv[1])
pause = float(sys.argv[2]) if len(sys.argv) > 2 else 0


class Model(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        global left
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        time.sleep(pause)
        left -= 1
        if left >= 0:
            names = re.findall(r"Agent\[\d+\]", asked)
            said = {"action": "speak", "message": "Over", "target": names[0] if names else ""}
            status, answer = 200, {"choices": [{"message": {"role": "assistant",
                                                            "content": json.dumps(said)}}],
                                   "usage": {"prompt_tokens": 9, "completion_tokens": 9}}
        else:
            status, answer = 500, {"error": {"message": "the model has left"}}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
