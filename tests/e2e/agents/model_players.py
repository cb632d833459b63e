#!/usr/bin/env python3
"""A server of models that play the protocol division, each as well as its name says.

Prints its port. The model of a request decides:

    random  says nothing, names anybody
    rule    the seer tells of a werewolf it has found, the village votes for it or with the majority
    good    the seer tells all results, the village votes by them; werewolves vote with the village and
            go for the seer
    flaky   as random, but every second answer is no decision
    dead    HTTP 500: the model is not loaded
    shy     as random, but HTTP 404 on the first two seats, and so for whole sets

Every answer tells its tokens. GET / has all that was counted by then: requests and tokens of each model.
"""
import collections
import hashlib
import http.server
import json
import re
import threading

NAME = r"Agent\[\d+\]"
counts = collections.defaultdict(collections.Counter)
lock = threading.Lock()


def enums(schema, key):
    """The values that a property of a schema may have, wherever it stands."""
    if isinstance(schema, list):
        return [value for each in schema for value in enums(each, key)]
    if not isinstance(schema, dict):
        return []
    own = schema.get(key)
    found = list(own["enum"]) if isinstance(own, dict) and "enum" in own else []
    return found + [value for each in schema.values() for value in enums(each, key)]


class Scene:
    """What a request says of the game."""

    def __init__(self, asked):
        text = "\n".join(m["content"] for m in asked["messages"] if isinstance(m["content"], str))
        schema = asked.get("response_format", {})
        self.text = text
        self.me = re.search(r"You are (%s)" % NAME, text).group(1)
        self.role = re.search(r"Your role: (\w+)", text).group(1).lower()
        self.by_day = "executed today" in text[-1500:]
        self.talks = "speak" in enums(schema, "action")
        allowed = [name for name in enums(schema, "target") if re.fullmatch(NAME, name)]
        alive = re.findall(r"^Alive: (.*)$", text, re.M)
        living = re.findall(NAME, alive[-1]) if alive else []
        self.others = sorted(set(allowed or living) - {self.me})
        self.known = dict(re.findall(r"Your divination: (%s) is (?:a |an )?(\w+)" % NAME, text))
        lines = re.findall(r"^(%s): (.*)$" % NAME, text, re.M)
        self.said = [(who, what) for who, what in lines]
        self.wolf_side = self.role in ("werewolf", "possessed")

    def any(self, names):
        # Of what it knows, not of the order in which it was told: the same contest is played the same again.
        facts = [self.me, self.role, *self.others, *(what for _, what in self.said)]
        seed = hashlib.sha256("\n".join(facts).encode()).digest()
        return names[int.from_bytes(seed[:4], "big") % len(names)] if names else ""

    def wanted(self):
        """Whom most of the others want executed, of those that may be named."""
        votes = collections.Counter()
        last = {who: name for who, what in self.said for name in re.findall(r"VOTE (%s)" % NAME, what)}
        for name in last.values():
            votes[name] += name in self.others
        return max(sorted(votes), key=lambda name: votes[name]) if +votes else ""

    def told(self, species):
        """Of whom a seer has said so publicly, or this one knows."""
        found = [name for _, what in self.said for name in re.findall(r"DIVINED (%s) %s" % (NAME, species), what)]
        own = [name for name, is_what in self.known.items() if is_what.upper() == species]
        return [name for name in own + found if name in self.others]

    def seers(self):
        return [who for who, what in self.said if "DIVINED" in what and who in self.others]


def rule(scene):
    wolves = [] if scene.wolf_side else scene.told("WEREWOLF")
    return (wolves or [scene.wanted()])[0] or (scene.others or [""])[0]


def good(scene):
    if scene.wolf_side and scene.by_day:
        return scene.wanted() or (scene.others or [""])[0]
    if scene.wolf_side:
        victims = scene.seers() or scene.told("HUMAN")
        return (victims + scene.others[:1] + [""])[0]
    wolves = scene.told("WEREWOLF")
    cleared = set(scene.told("HUMAN")) | set(scene.seers())
    doubtful = [name for name in scene.others if name not in cleared]
    unknown = [name for name in doubtful if name not in scene.known]
    return (wolves + ([scene.wanted()] if scene.wanted() in doubtful else []) + unknown + scene.others + [""])[0]


def decide(model, scene):
    if model == "random":
        target, message = scene.any(scene.others), ""
    else:
        target = good(scene) if model == "good" else rule(scene)
        message = "VOTE " + target if target else ""
        found = [(name, what) for name, what in scene.known.items() if model == "good" or what == "werewolf"]
        if scene.role == "seer" and found:
            name, what = found[-1]
            message = "DIVINED %s %s" % (name, "WEREWOLF" if what == "werewolf" else "HUMAN")
    spoken = any(who == scene.me for who, _ in scene.said[-12:])
    if scene.talks:
        if not message or spoken:
            return {"action": "listen"}
        return {"action": "speak", "message": message}
    return {"action": "vote", "target": target, "reason": model}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, status, said):
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with lock:
            self.answer(200, counts)

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = json.loads(text)
        model = asked["model"]
        if model == "dead":
            with lock:
                counts[model]["requests"] += 1
            return self.answer(500, {"error": {"message": "the model is not loaded"}})
        scene = Scene(asked)
        if model == "shy" and scene.me in ("Agent[01]", "Agent[02]"):
            return self.answer(404, {"error": {"message": "no model for this seat"}})
        said = json.dumps(decide("random" if model in ("flaky", "shy") else model, scene))
        if model == "flaky" and scene.any([True, False]):
            said = "I would rather not say."
        prompt, reasoning = len(text) // 4, len(model)
        used = {"requests": 1, "prompt_tokens": prompt, "cached_tokens": prompt // 3,
                "reasoning_tokens": reasoning, "answer_tokens": len(said) // 4 + reasoning}
        with lock:
            counts[model].update(used)
        return self.answer(200, {
            "choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": used["answer_tokens"],
                      "prompt_tokens_details": {"cached_tokens": used["cached_tokens"]},
                      "completion_tokens_details": {"reasoning_tokens": reasoning}}})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
print(server.server_port, flush=True)
server.serve_forever()
