#!/usr/bin/env bash
# Talk by bids in both divisions: models are asked how much they want to speak and speak by that, bots
# bid, agents that know nothing of bids are never sent one and count as 2 (docs/spec/models.md 1.8).
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=hold.bash
source "$here/hold.bash"

"$WARG" rules show aiwolf-2021 | python3 -c '
import re, sys
talk, rest = sys.stdin.read().split("\ntalk:", 1)
rest = re.sub(r"\n  order: turn\b", "\n  order: bids", re.sub(r"max_turns: \d+", "max_turns: 8", rest, 1), 1)
print(talk + "\ntalk:" + rest, end="")
' >bids.yml
grep -q '^  order: bids' bids.yml || fail "no bids in the rules: $(cat bids.yml)"

# A model's server: how much a seat wants is the last letter of its model's name. What was asked stands in
# asked.jsonl.
cat >server.py <<'END'
import http.server, json, re, threading
lock = threading.Lock()


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        last = asked["messages"][-1]["content"]
        bid = "Who wants it most" in last
        names = re.findall(r"Agent\[\d+\]", last)
        schema = asked.get("response_format", {}).get("json_schema", {}).get("schema", {})
        allowed = schema.get("properties", {}).get("target", {}).get("enum", [])
        choice = next((one for one in allowed if one), "")
        if bid:
            said = {"action": "vote", "target": asked["model"][-1], "reason": "secretreason"}
        elif "It is your turn to talk" in last:
            said = {"action": "speak", "message": "ESTIMATE %s WEREWOLF" % names[-1] if names else "I am here."}
        else:
            said = {"action": "vote", "target": choice, "reason": "x"}
        with lock, open("asked.jsonl", "a") as out:
            print(json.dumps({"model": asked["model"], "bid": bid, "last": last}), file=out)
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": json.dumps(said)}}],
                           "usage": {"prompt_tokens": 9, "completion_tokens": 9}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
END
launch port.txt server.err python3 server.py
models=$server
await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
url=http://127.0.0.1:$(cat port.txt)/v1

# A foreign agent of the protocol division, which notes the requests that it gets.
cat >foreign.py <<'END'
import json, socket, sys
stream = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rw")
out = open("requests.txt", "a")
for line in stream:
    request = json.loads(line)["request"]
    print(request, file=out, flush=True)
    answer = {"NAME": "foreign", "ROLE": "none", "TALK": "Skip", "WHISPER": "Skip"}.get(request)
    if request in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
        answer = '{"agentIdx":1}'
    if answer is not None:
        stream.write(answer + "\n")
        stream.flush()
END
mkdir -p f g
cp foreign.py f/
cp foreign.py g/

# ---- bots alone: a log that can be checked, and is played again ----

expect 0 'bots' "$WARG" run -q -r bids.yml -n 5 -g 20 -s 4 -a 'bot:sample*5' -o bots
expect 0 'their logs' "$WARG" log check -r bids.yml bots/logs
[[ $out == *'20 logs: 20 ok'* ]] || fail "logs of bids: $out"
expect 0 'their audit' "$WARG" audit -q bots

# ---- who wants it most speaks: a model that wants 4, one that wants 0, a foreigner, who counts as 2 ----

expect 0 'models' timeout 200 "$WARG" run -q -r bids.yml -n 5 -g 1 -s 1 --time-limit 30s --startup-limit 60s -o models -a 'bot:random*2' \
    -a "llm:$url,model=want4,filters=off,name=eager" -a "llm:$url,model=want0,name=shy" \
    -a "name=foreign,folder=f,cmd=python3 foreign.py {port}"
grep -q '"bid": true' asked.jsonl || fail 'no model was asked for a bid'
grep -q BID f/requests.txt && fail "a foreign agent was sent a bid: $(cat f/requests.txt)"
# until the first vote, behind which the one that wants 4 may be dead
sed '/^VOTE$/,$d' f/requests.txt | grep -q TALK && fail 'two speaks before four'
log=models/logs/$(ls models/logs)
eager=$(grep -m 1 '^0,status,.*,eager$' "$log" | cut -d, -f3)
speakers=$(grep '^1,talk,' "$log" | cut -d, -f5 | sort -u)
[[ $speakers == "$eager" ]] || fail "who speaks on day 1: $speakers, in place of $eager: $(grep talk "$log")"
(($(grep -c '^1,talk,' "$log") == 8)) || fail "a turn is one utterance: $(grep '^1,talk,' "$log")"
expect 0 'a log with models' "$WARG" log check -r bids.yml "$log"
expect 0 'an audit with models' "$WARG" audit -q models
[[ $out == *everything* || $out == *nothing\ contradicts* ]] || fail "the audit: $out"
grep -rq 'secretreason' models/logs && fail 'why somebody wants to speak is in a log'

# ---- without anybody who wants more the foreigner speaks ----

expect 0 'two' timeout 200 "$WARG" run -q -r bids.yml -n 5 -g 1 -s 1 --time-limit 30s --startup-limit 60s -o two -a 'bot:random*3' \
    -a "llm:$url,model=want1,name=mild" -a "name=foreign,folder=g,cmd=python3 foreign.py {port}"
grep -q BID g/requests.txt && fail "a foreign agent was sent a bid: $(cat g/requests.txt)"
grep -q TALK g/requests.txt || fail 'who counts as two speaks before one'

# ---- the natural-language division ----

sed 's/talk_by_bids: false/talk_by_bids: true/; s/self_match: true/self_match: false/; /authentication:/,+1s/enable: true/enable: false/' \
    "$WARG_SOURCE/config/nlp/default_en_5.yml" >village.yml
grep -q 'talk_by_bids: true' village.yml || fail 'no key for bids'
: >asked.jsonl
launch nlp.out nlp.err timeout 200 "$WARG" serve nlp -c village.yml --port 0 --games 1 --fill-with "$url,model=want3" --fill-after 300ms \
    --operator-file "$key"
await 'nlp' nlp.err 'listening on' || exit 1
address=$(grep -oE '127\.0\.0\.1:[0-9]+' nlp.err | head -n 1)
operate '{"act":"hold"}'
for team in kano mori; do
    timeout 200 "$WARG" bot nlp --url "ws://$address/ws" --quiet --team "$team" -n 1 >"$team.txt" 2>&1 &
done
go_on_with 2
wait "$server" || fail "nlp: $(tail -n 3 nlp.err)"
server=$models
grep -q '"bid": true' asked.jsonl || fail "no model was asked for a bid: $(tail -n 3 nlp.err)"
python3 - <<'END' || fail 'talk of the natural-language division'
import glob
lines = [line.rstrip("\n").split(",", 5) for name in glob.glob("log/game/*.log") for line in open(name)]
names = {part[2]: part[5] for part in lines if part[0] == "0" and part[1] == "status"}
talk = [part for part in lines if part[1] == "talk" and part[0] == "0"]
guests = {seat for seat, name in names.items() if "kano" in name or "mori" in name}
assert talk and len(guests) == 2, (lines[:6], talk)
# Three models want 3, two guests count as 2: no guest speaks while models may.
assert talk[0][4] not in guests and talk[1][4] not in guests and talk[2][4] not in guests, (guests, talk)
assert len({part[4] for part in talk[:3]}) == 3, talk  # ties: who spoke least
END
grep -rq 'secretreason' log && fail 'why somebody wants to speak is in a log'
sed 's/talk_by_bids: false/talk_by_bids: true/' "$WARG_SOURCE/config/nlp/freeform_en_5.yml" >free.yml
expect 2 'at any time' "$WARG" serve nlp -c free.yml --port 0
[[ $err == *'warg.talk_by_bids is for talk in turns'* ]] || fail "at any time: $err"

finish
