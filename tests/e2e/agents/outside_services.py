"""Stands in for the services that a natural-language server may use: a webhook, a model's endpoint, a
speech engine. Prints its port, then a line for each request. Arguments: what the model answers, "good"
or "bad"."""
import http.server
import io
import json
import sys
import threading
import wave

names = iter(f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(676))
lock = threading.Lock()


def silence():
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0" * 400)
    return file.getvalue()


class Service(http.server.BaseHTTPRequestHandler):
    def answer(self, body, kind="application/json", status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with lock:
            print(self.path.split("?")[0], body[:200].decode(errors="replace"), flush=True)
        if self.path.startswith("/hook"):
            self.answer(b"ok", "text/plain")
        elif self.path.startswith("/audio_query"):
            self.answer(b'{"speedScale":1}')
        elif self.path.startswith("/synthesis"):
            self.answer(silence(), "audio/wav")
        elif sys.argv[1] == "bad":
            self.answer(b'{"error":"no such model"}', status=404)
        else:
            with lock:
                name = next(names)
            text = json.dumps({"name": name, "age": "30", "gender": "any", "personality": "calm"})
            self.answer(json.dumps({"choices": [{"message": {"content": text}}]}).encode())

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print("port", server.server_port, flush=True)
server.serve_forever()
