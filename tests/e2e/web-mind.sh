#!/usr/bin/env bash
# The monitor of models (docs/spec/web.md 8, W14): thoughts, prompts, tokens and costs of a session with a
# model's server; nothing of it for others while the session goes on, or where its table says so.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

python3 "$agents/model_server.py" 10000 >port.txt 2>model.txt &
model=$!
await 'a model'"'"'s server' port.txt '^[0-9]+$' || exit 1
expect 0 'a session' timeout 100 "$WARG" maw -n 5 --id evening --seed 1 --day-s 3 --night-s 1 --quiet \
    --llm "http://127.0.0.1:$(cat port.txt)/v1,model=m8" --record-prompts --out evening
# Sets of the protocol division, one complete and one that goes on; a game in natural language.
url=http://127.0.0.1:$(cat port.txt)/v1
timeout 100 "$WARG" run -n 5 -g 3 --time-limit 20s -a "llm:$url,model=m8*2,name=wise" -a 'bot:sample*3' \
    --quiet --record-prompts --out cup >cup.txt 2>&1
[[ $? == [05] ]] || fail "a set: $(cat cup.txt)"
sed 's/self_match: [a-z]*/self_match: true/' "$WARG_SOURCE/config/nlp/default_5.yml" >village.yml
SECRET_KEY=x launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 2 --fill-after 100ms \
    --fill-with "llm:$url,model=m8" --record-minds log/minds --record-prompts
await 'a server' serve.err 'listening on' || exit 1
port=$(grep -m 1 -oE 'listening on [^ ]*' serve.err | grep -oE '[0-9]+' | tail -n 1)
expect 0 'a bot' timeout 100 "$WARG" bot nlp -u "ws://127.0.0.1:$port/ws" --team pat -n 1 -g 2
wait "$server"
server=
kill "$model"
cp -r cup going
python3 - <<'PY' # its journal is not at its end
lines = open("going/journal.jsonl").read().splitlines(keepends=True)
last = max(n for n, line in enumerate(lines) if '"record":"game"' in line)
open("going/journal.jsonl", "w").writelines(lines[:last + 1])
PY

# The same as it was while it was played, and at a table that keeps its minds.
mkdir running kept
cp -r evening/prompts running
cp -r evening/prompts kept
sed '/"event":"session_end"/,$d' evening/session.jsonl >running/session.jsonl
sed '1s/"options":{/"options":{"minds":"operator",/' evening/session.jsonl >kept/session.jsonl
cat >prices.yml <<'END'
currency: EUR
models:
  m8: {in: 1, out: 10}
END

launch web.out web.err "$WARG" web --port 0 --operator-file key --prices prices.yml evening running kept cup going \
    log
await 'warg web' web.out 'pages: http' || exit 1
base=$(sed -n 's,^pages: \(http://[^/]*\)/web/.*,\1,p' web.out)

# ask ID STATUS [HEADER...]: the answer is in answer.json.
ask()
{
    local id=$1 status=$2 got header words=()
    shift 2
    for header; do words+=(-H "$header"); done
    got=$(curl -sS -m 20 -o answer.json -w '%{http_code}' "${words[@]}" "$base/web/api/games/$id/mind")
    [[ $got == "$status" ]] || fail "mind of $id: $got, expected $status: $(head -c 300 answer.json)"
}

ask evening.1 200
python3 - evening/session.jsonl <<'END' || fail 'the document says what the record says'
import json, sys
mind = json.load(open("answer.json"))
assert (mind["format"], mind["version"], mind["currency"]) == ("warg-mind", 1, "EUR"), mind
told = [json.loads(line) for line in open(sys.argv[1])]
decisions = [event["decision"] for event in told if event["event"] == "decision"]
assert len(mind["decisions"]) == len(decisions) > 3, len(decisions)
for seat in mind["seats"]:
    own = [each for each in decisions if each["name"] == seat["name"]]
    assert seat["model"] == "m8" and seat["decisions"] == len(own), seat
    tokens = [sum(each["tokens"][key] for each in own) for key in ("prompt", "answer")]
    assert [seat["prompt_tokens"], seat["answer_tokens"]] == tokens, (seat, tokens)
    assert abs(seat["cost"] - (tokens[0] * 1 + tokens[1] * 10) / 1e6) < 1e-6, seat
prompts = {each["seat"]: each["lines"] for each in mind["prompts"]}
for each in mind["decisions"]:
    assert each["raw"] and each["prompt_tokens"] > 0, each
    assert prompts[each["seat"]][each["prompt"]]["prompt"] == each["prompt"], each
END

cp answer.json round.json
ask evening 200 # by the session's own name
cmp -s answer.json round.json || fail 'the monitor of a session shows another round'

for id in running.1 kept.1 running; do
    ask "$id" 403
    grep -q '"raw"\|"prompt"' answer.json && fail "$id: something of its minds is told"
    ask "$id" 403 'Authorization: Bearer 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
    ask "$id" 200 "Authorization: Bearer $(cat key)"
done

# ---- both AIWolf divisions: a file for each seat, or agent ----

curl -sS "$base/web/api/games" >games.json
ids()
{
    python3 - "$@" <<'PY'
import json, sys
for game in json.load(open("games.json"))["games"]:
    if game["division"] == sys.argv[1] and game.get("contest") == sys.argv[2]:
        print(game["id"])
PY
}
# mind_of ID FILE...: what the page says of a game, against the files from which it has it
mind_of()
{
    python3 - "$@" <<'PY'
import glob, json, sys
division, number, patterns = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
mind, doc = json.load(open("answer.json")), json.load(open("doc.json"))
assert doc["contest"]["minds"] is True, doc["contest"]
names = {seat["name"]: seat["seat"] for seat in doc["seats"]}
agents = {seat.get("agent") for seat in doc["seats"]}
kept = []
for file in (file for pattern in patterns for file in glob.glob(pattern)):
    if division == "nlp" and file.split("/")[-1][:-6] not in agents:
        continue
    for line in open(file):
        told = json.loads(line)
        if told.get("type") == "decision" and told["round"] == number and told["name"] in names:
            kept.append((names[told["name"]], told["task"], told.get("message"), told.get("answer")))
shown = [(each["seat"], each["task"], each.get("message"), each.get("raw")) for each in mind["decisions"]]
assert sorted(map(str, kept)) == sorted(map(str, shown)) and len(kept) > 3, (len(kept), len(shown))
assert all(seat["model"] == "m8" for seat in mind["seats"]), mind["seats"]
events = {event["a"]: event for event in doc["events"]}
told = [each for each in mind["decisions"] if "a" in each]
assert told, mind["decisions"][:3]
for each in told:
    assert events[each["a"]]["seat"] == each["seat"], each
prompts = {each["seat"]: {line["prompt"]: line for line in each["lines"]} for each in mind["prompts"]}
for each in mind["decisions"]:
    line = prompts[each["seat"]][each["prompt"]]
    while "as" in line:
        line = prompts[each["seat"]][line["as"]]
    assert line["messages"][0]["role"] == "system", line
assert not any("question" in line for seat in prompts.values() for line in seat.values())
PY
}
count=0
for id in $(ids protocol cup); do
    ask "$id" 200
    curl -sS "$base/web/api/games/$id/doc?view=all" >doc.json
    mind_of protocol $((${id: -1} + 1)) 'cup/minds/wise/*.jsonl' || fail "minds of $id"
    count=$((count + 1))
done
((count == 3)) || fail "$count games of a set have minds: $(cat games.json)"
ids protocol going >going.txt
id=$(head -n 1 going.txt)
ask "$id" 403
grep -q '"raw"\|"prompt"' answer.json && fail "$id: something of its minds is told"
ask "$id" 200 "Authorization: Bearer $(cat key)"
ask "$id" 403 # what was made for an operator is not kept for others
count=0
for id in $(ids nlp game); do
    ask "$id" 200
    curl -sS "$base/web/api/games/$id/doc?view=all" >doc.json
    mind_of nlp 1 'log/minds/pat*.jsonl' || fail "minds of $id"
    count=$((count + 1))
done
((count == 2)) || fail "$count games in natural language have minds: $(cat games.json)"

ask evening.9 404
ask nobody 404
finish
