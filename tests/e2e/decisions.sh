#!/usr/bin/env bash
# Every decision of a model is kept with all that belongs to it, in MAW and in both AIWolf divisions: the
# answer as it came, reasoning, why it ended, tokens, time, tries, what came of it, and why it was changed or
# held back (docs/spec/models.md 2). The terminal shows it.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# A server whose answers are known: each stands in served.jsonl as it was sent. Of six one is no decision,
# one has no answer, one quotes its instructions.
cat >server.py <<'END'
import http.server, json, random, re, threading
moods = random.Random(3)
lock = threading.Lock()


class Model(http.server.BaseHTTPRequestHandler):
    number = 0

    def log_message(self, *args):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with lock:
            Model.number += 1
            number, mood = Model.number, moods.randrange(6)
        last = asked["messages"][-1]["content"]
        mended = "can't be used" in last or "使えない" in last
        alive = re.search(r"Alive: (.*)\.", last)
        names = [name for name in alive.group(1).split(", ") if "(you)" not in name] if alive else []
        allowed = names if "You may choose" in last and (number % 3 or "Do one thing" not in last) else []
        said = {"thought": "thought %d" % number, "action": "vote" if allowed else "speak",
                "message": "I have nothing to add, number %d." % number, "reason": "reason %d" % number}
        if "ESTIMATE" in asked["messages"][0]["content"]: # the protocol language
            said["message"] = "ESTIMATE Agent[0%d] VILLAGER" % (1 + number % 5)
        if allowed:
            said["target"] = allowed[number % len(allowed)]
        if mood == 2 and not mended:
            text = '{"action": "dance", "number": %d}' % number
        elif mood == 3 and not mended:
            self.reply(400, {"error": {"message": "trouble %d" % number}})
            return
        else:
            if mood == 4:
                said["reason"] = re.sub(r"\s+", " ", asked["messages"][0]["content"])[:300]
            text = json.dumps(said, ensure_ascii=False)
        with lock, open("served.jsonl", "a") as out:
            print(json.dumps({"text": text, "reasoning": "because of %d" % number}), file=out)
        self.reply(200, {"model": "m8-2026", "choices": [{"finish_reason": "stop", "message": {
            "role": "assistant", "content": text, "reasoning_content": "because of %d" % number}}],
            "usage": {"prompt_tokens": 2000, "completion_tokens": 30,
                      "prompt_tokens_details": {"cached_tokens": 1500},
                      "completion_tokens_details": {"reasoning_tokens": 11}}})

    def reply(self, status, answer):
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
END
launch port.txt model.err python3 server.py
models=$server
await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
url=http://127.0.0.1:$(cat port.txt)/v1

timeout 200 "$WARG" maw -n 5 --rounds 2 --day-s 3 --night-s 2 --quiet --id evening --record-prompts \
    --llm "$url,model=m8,ask=300ms-900ms*5" --out evening >maw.txt 2>maw.err
[[ $? == [05] ]] || fail "MAW: $(cat maw.err)"
timeout 200 "$WARG" run -n 5 -g 3 --time-limit 20s -a "llm:$url,model=m8*5,name=wise" --quiet --record-prompts \
    --out cup >cup.txt 2>cup.err
[[ $? == [05] ]] || fail "a set: $(cat cup.err)"
sed 's/self_match: [a-z]*/self_match: true/' "$WARG_SOURCE/config/nlp/default_en_5.yml" >village.yml
SECRET_KEY=x launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 2 --fill-after 100ms \
    --fill-with "llm:$url,model=m8" --record-minds guests --record-prompts
await 'a server' serve.err 'listening on' || exit 1
port=$(grep -m 1 -oE 'listening on [^ ]*' serve.err | grep -oE '[0-9]+' | tail -n 1)
expect 0 'a bot' timeout 200 "$WARG" bot nlp -u "ws://127.0.0.1:$port/ws" --team pat -n 1 -g 2
wait "$server"
server=$models

python3 - <<'PY' || fail 'what is kept of decisions'
import glob, json
served = [json.loads(line) for line in open("served.jsonl")]
answers = {each["text"]: each["reasoning"] for each in served}


def of_maw():
    for line in open("evening/session.jsonl"):
        event = json.loads(line)
        if event["event"] == "decision":
            yield event["decision"]


def of_files(pattern):
    for file in glob.glob(pattern):
        for line in open(file):
            told = json.loads(line)
            if told.get("type") == "decision":
                yield told


for kind, decisions in {"maw": list(of_maw()), "protocol": list(of_files("cup/minds/wise/*.jsonl")),
                        "nlp": list(of_files("guests/*.jsonl"))}.items():
    where = (kind, len(decisions))
    assert len(decisions) > 15, where
    seen = {"sources": set()}
    for each in decisions:
        seen["sources"].add(each["source"])
        if "answer" in each:
            # as it came, with the thoughts that came with it
            assert answers[each["answer"]] == each["reasoning"], (where, each)
            assert each["finish"] == "stop" and each["latency_ms"] >= 0 and each["tries"] >= 1, each
            assert each["tokens"]["prompt"] % 2000 == 0 and each["tokens"]["prompt"] > 0, each
            assert each["tokens"]["cached"] % 1500 == 0 and each["tokens"]["cached"] > 0, each
            assert each["tokens"]["reasoning"] % 11 == 0 and each["tokens"]["reasoning"] > 0, each
            assert each["tokens"]["answer"] % 30 == 0 and each["tokens"]["answer"] > 0, each
            assert "prompt" in each, each
        if each["source"] == "model":
            assert each["outcome"] == "answered" and each["action"] in ("speak", "vote", "listen"), each
        if each["source"] == "repaired":
            seen["repaired"] = True
            assert each["first"]["answer"] in answers and each["first"]["wrong"], each
            assert each["first"]["reasoning"] == answers[each["first"]["answer"]], each
            assert each["requests"] >= 2 and each["tries"] >= 2 and each["tokens"]["prompt"] >= 4000, each
        if each["source"] == "fallback":
            seen["why"] = seen.get("why") or "trouble" in each["why"]
        if "suppressed" in each:
            seen["suppressed"] = True
            assert each["suppressed"] in ("leak", "repeat") and each["line"], each
    assert {"model", "repaired", "fallback"} <= seen["sources"], (where, seen)
    assert seen.get("repaired") and seen.get("why") and seen.get("suppressed"), (where, seen)
PY

# ---- a budget: behind it rules decide, and that is said ----

SECRET_KEY=x launch budget.out budget.err "$WARG" serve nlp -c village.yml --port 0 --games 1 --fill-after 100ms \
    --fill-with "llm:$url,model=m8" --llm-budget 9000t --record-minds poor
await 'a server' budget.err 'listening on' || exit 1
port=$(grep -m 1 -oE 'listening on [^ ]*' budget.err | grep -oE '[0-9]+' | tail -n 1)
timeout 200 "$WARG" bot nlp -u "ws://127.0.0.1:$port/ws" --team pat -n 1 --llm "$url,model=m8" --llm-budget 2500t \
    >bot.out 2>bot.err
[[ $? == [05] ]] || fail "a bot with a budget: $(cat bot.err)"
wait "$server"
server=$models
for told in bot budget; do
    grep -q 'budget is SPENT (' "$told.err" || fail "$told: nothing of the budget in: $(cat "$told.err")"
done
grep -rq 'the budget is spent' poor || fail 'no decision tells of the budget'
for line in 'bot nlp --llm-budget 5t' 'bot aiwolf --llm-budget 5t' 'serve nlp -c village.yml --llm-budget 5t' \
    "bot nlp --llm $url,model=m --llm-budget 1.00"; do
    # shellcheck disable=SC2086 # words
    expect 2 "$line" "$WARG" $line
done

# ---- in the terminal ----

for place in evening cup guests; do
    expect 0 "decisions of $place" "$WARG" log minds "$place"
    shown=$(grep -cE '^  [0-9]+\.[0-9]+  ' <<<"$out")
    kept=$(grep -rhE '^\{[^{]*"(type|event)":"decision"' --include='*.jsonl' "$place" | wc -l)
    ((shown == kept && kept > 15)) || fail "$place: $shown decisions are shown, $kept are kept"
    for text in 'by rule  ' 'repaired  ' 'held back (leak): ' 'why: ' ', tokens ' ' cached) + ' ' thought)'; do
        [[ $out == *"$text"* ]] || fail "$place: no '$text' is shown"
    done
    [[ $out != *'      answer: '* ]] || fail "$place: answers are shown unasked"
    expect 0 "all of $place" "$WARG" log minds "$place" --all --game 1
    [[ $out == *'      answer: {'* && $out == *'      reasoning: because of '* ]] || fail "$place: no answers: $out"
    expect 0 "$place as JSON" "$WARG" log minds "$place" --json
    ((kept == $(python3 -c 'import json, sys; print(sum(1 for each in sys.stdin if json.loads(each)))' <<<"$out"))) ||
        fail "$place: other decisions as JSON"
done
name=$(python3 -c 'import json, sys
print(next(event["name"] for event in map(json.loads, sys.stdin) if event["event"] == "decision"))' <evening/session.jsonl)
expect 0 'one player' "$WARG" log minds evening --name "$name"
[[ -n $name && $(grep -E '^  [0-9]+\.' <<<"$out" | grep -vc "  $name  ") == 0 ]] || fail "only $name: $out"
printf '{"type":"decision","round":1,"name":"\\u001b[2J","task":"talk","action":"speak","message":"\\u001b]0;x"}\n' >evil.jsonl
expect 0 'a decision of somebody else' "$WARG" log minds evil.jsonl
[[ $out != *$'\e'* ]] || fail 'a terminal is told what to do'
expect 2 'no file' "$WARG" log minds
finish
