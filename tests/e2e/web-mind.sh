#!/usr/bin/env bash
# The monitor of models (docs/spec/web.md 8, W14): thoughts, prompts, tokens and costs of a session with a
# model's server; nothing of it for others while the session goes on, or where its table says so.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

python3 "$agents/model_server.py" 1000 >port.txt 2>model.txt &
model=$!
await 'a model'"'"'s server' port.txt '^[0-9]+$' || exit 1
expect 0 'a session' timeout 100 "$WARG" maw -n 5 --id evening --seed 1 --day-s 3 --night-s 1 --quiet \
    --llm "http://127.0.0.1:$(cat port.txt)/v1,model=m8" --record-prompts --out evening
kill "$model"

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

launch web.out web.err "$WARG" web --port 0 --operator-file key --prices prices.yml evening running kept
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
ask evening.9 404
ask nobody 404
finish
