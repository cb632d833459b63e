#!/usr/bin/env bash
# What models have answered is kept, and a game is played again with it: no server is there any more, and the
# record is the same byte for byte. What is damaged, or of another game, is told with file and line.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# model_up SLOWEST_MS: a server of many moods; its address is in $url.
model_up()
{
    launch port.txt model.txt python3 "$agents/fickle_model.py" "$1"
    await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
    url="http://127.0.0.1:$(cat port.txt)/v1"
}

# model_down: it is gone, and what it was asked is in asked.txt.
model_down()
{
    kill "$server"
    wait "$server" 2>/dev/null
    server=
    [[ -s asked.txt ]] || fail 'the models were asked nothing'
    rm -f asked.txt
}

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# ---- MAW ----

model_up 150
printf 'currency: EUR\nmodels:\n  m8: {in: 0.30, cached: 0.03, out: 1.20}\n' >prices.yml
session=(maw -n 6 --rounds 2 --day-s 2 --night-s 1 --quiet --llm "$url,model=m8*4" --llm-prices prices.yml)
timeout 100 "$WARG" "${session[@]}" --record-prompts --out evening >evening.txt 2>evening.err
status=$?
((status == 0 || status == 5)) || fail "a session: exit status $status: $(cat evening.err)"
# Another one is broken off and gone on with.
model=$server
launch broken.txt broken.err "$WARG" "${session[@]}" --out broken
await 'the first phase' broken/session.jsonl '"event":"phase_end"'
kill -9 "$server"
wait "$server" 2>/dev/null
server=$model
timeout 200 "$WARG" maw --resume broken --quiet >resumed.txt 2>&1
[[ $? == [05] ]] || fail "going on: $(cat resumed.txt)"
model_down
for file in evening/answers/*.jsonl; do
    [[ $(stat -c %a "$file") == 600 ]] || fail "$file: others may read it"
done

# The leaderboard has what each model took, and what that cost, exact to the token.
python3 - <<'END' || fail "costs: $(cat evening/leaderboard.json)"
import collections, json
from fractions import Fraction
taken = collections.defaultdict(collections.Counter)
for event in map(json.loads, open("evening/session.jsonl")):
    tokens = event.get("decision", {}).get("tokens", {})
    taken[event.get("jid", "")].update({key: tokens.get(key, 0) for key in ("prompt", "cached", "answer")})
models = 0
for player in json.load(open("evening/leaderboard.json"))["players"]:
    if player["kind"] != "model":
        assert "cost" not in player and "prompt_tokens" not in player, player
        continue
    models += 1
    of = taken[player["jid"]]
    assert of["prompt"] > 0 and player["currency"] == "EUR", player
    for key in ("prompt", "cached", "answer"):
        assert player[key + "_tokens"] == of[key], (player, of)
    cost = ((of["prompt"] - of["cached"]) * Fraction("0.30") + of["cached"] * Fraction("0.03")
            + of["answer"] * Fraction("1.20")) / 10**6
    assert Fraction(player["cost"]) == cost, (player, cost)
    assert ("cost_per_win" in player) == (player["rounds_won"] > 0), player
assert models == 4
END

expect "$status" 'a session again' timeout 100 "$WARG" "${session[@]}" --record-prompts --out again \
    --answers-from evening
cmp evening/session.jsonl again/session.jsonl || fail 'the record of the session is another one'
diff -r -x answers -x command.json -x journal.jsonl evening again || fail 'not all of the session is the same'
# A request that the end of a round cut off is counted in its seat's requests where it was sent, and nowhere else.
without_requests()
{
    sed 's/"requests":[0-9]*,//g; s/,"crc":"[0-9a-f]*"//' "$1/journal.jsonl"
}
diff <(without_requests evening) <(without_requests again) || fail 'the journal of the session is another one'
[[ ! -e again/answers ]] || fail 'answers are kept of answers'

# Up to where one was broken off it is the same, and that is said.
expect 2 'one that was gone on with' timeout 100 "$WARG" "${session[@]}" --out broken-again --answers-from broken
has 'broken off here and gone on with (--resume)' 'one that was gone on with'
head -n "$(($(grep -n -m 1 '"event":"resumed"' broken/session.jsonl | cut -d: -f1) - 1))" broken/session.jsonl >up-to-there
(($(wc -l <up-to-there) > 20)) && cmp -n "$(stat -c %s up-to-there)" up-to-there broken-again/session.jsonl ||
    fail 'up to there the record is another one'

# Another session, fewer of them, and files that are damaged.
expect 2 'other rules' timeout 100 "$WARG" maw -n 6 --rounds 2 --day-s 3 --night-s 1 --quiet \
    --llm "$url,model=m8*4" --answers-from evening
has 'not the same' 'other rules'
grep -qE 'evening/answers/[a-z0-9]+\.jsonl:[0-9]+: ' err.txt || fail "other rules: no file and line: $err"

cp -r evening less
seat=$(cd evening/answers && wc -l p*.jsonl | sort -n | tail -n 2 | awk 'NR == 1 {print $2}')
sed -i '$d' "less/answers/$seat"
expect 2 'one answer less' timeout 100 "$WARG" "${session[@]}" --answers-from less
has "less/answers/$seat" 'one answer less'
printf '{"question":1' >"less/answers/$seat"
expect 3 'a damaged answer' timeout 100 "$WARG" "${session[@]}" --answers-from less
has "less/answers/$seat:1: no kept answer: the line is cut off" 'a damaged answer'
sed -i '3s/.*/{"t_us":true}/' less/answers/clock.jsonl
expect 3 'a damaged clock' timeout 100 "$WARG" "${session[@]}" --answers-from less
has 'less/answers/clock.jsonl:3: ' 'a damaged clock'
rm -r less/answers
expect 3 'no answers' timeout 100 "$WARG" "${session[@]}" --answers-from less
has 'with answers/clock.jsonl in it' 'no answers'
expect 2 'a person' timeout 100 "$WARG" "${session[@]}" --answers-from evening --me Ann
has 'leave out --me' 'a person'

# ---- a set of the protocol division ----

rm -f port.txt
model_up 60
export MODEL_KEY=sk-nobody-may-see-this OTHER_KEY=sk-in-a-header
keys=key-env=MODEL_KEY,header-env=X-Other:OTHER_KEY
contest=(run -n 5 -g 3 --time-limit 5s --startup-limit 60s -a "llm:$url,model=m8,$keys*2,name=wise" -a 'bot:sample*3' --quiet)
timeout 100 "$WARG" "${contest[@]}" --out cup --record-prompts >cup.txt 2>cup.err
status=$?
((status == 0 || status == 5)) || fail "a set: exit status $status: $(cat cup.err)"
model_down
python3 - <<'PY' || fail 'what is kept of the models'
import glob, json, os, stat
files = sorted(glob.glob("cup/minds/wise/*.jsonl"))
assert len(files) == 2, files
for file in files:
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600, file
    lines = [json.loads(line) for line in open(file)]
    assert lines[0]["type"] == "seat" and lines[0]["model"] == "m8", lines[0]
    decisions = [each for each in lines if each.get("type") == "decision"]
    assert {each["round"] for each in decisions} == {1, 2, 3}, file
    answers = [each for each in lines if "question" in each]
    assert decisions and len(answers) >= len(decisions), file
    # requests as they were sent, equal beginnings by reference
    prompts = [each for each in lines if each.get("type") == "prompt"]
    assert [each["prompt"] for each in prompts] == list(range(len(prompts))), file
    asked = [each["prompt"] for each in decisions if "prompt" in each]
    assert asked and max(asked) < len(prompts) and any("as" in each for each in prompts), file
    whole = {}
    for each in prompts:
        start = whole[each["as"]][:each["same"]] if "as" in each else []
        whole[each["prompt"]] = start + each["messages"]
        assert whole[each["prompt"]][0]["role"] == "system" and whole[each["prompt"]][-1]["role"] == "user", each
PY
leaks=$(grep -rlF -e "$MODEL_KEY" -e "$OTHER_KEY" cup cup.txt cup.err)
[[ ! $leaks ]] || fail "a key is told: $leaks"
for secret in "${url/\/\//\/\/me:sk-in-the-url@}" "$url?key=sk-in-the-url" "$url,header=X-Key:sk-in-the-url"; do
    expect 2 'a secret in the arguments' "$WARG" run -n 5 -a "llm:$secret,model=m8" -a 'bot:sample*4' --out secret
    [[ $out$err != *sk-in-the-url* && ! -e secret ]] || fail "a key is told: $out$err"
done


expect "$status" 'a set again' timeout 100 "$WARG" "${contest[@]}" --answers-from cup --log-dir again-logs
diff -r cup/logs again-logs || fail 'the logs of the set are others'
diff <(grep -v games/s cup.txt) <(grep -v games/s out.txt) || fail 'what is printed of the set is another'
[[ -z $(find again-logs -name '*.jsonl') ]] || fail 'answers are kept of answers'
# Somebody else has warg elsewhere, and of the folder no more than the journal and what the models answered.
mkdir elsewhere published
cp "$WARG" "$(dirname "$WARG")/warg-cell" elsewhere
cp -r cup/journal.jsonl cup/minds published
expect "$status" 'a set at somebody else'"'"'s' timeout 100 elsewhere/warg "${contest[@]}" --answers-from published --log-dir their-logs
diff -r cup/logs their-logs || fail 'the logs of the set are others elsewhere'

# One that does not fit ends the program, which tells where it was.
cp -r cup torn
file=$(find torn/minds/wise -name '*.jsonl' | sort | head -n 1)
sed -i '0,/"task":"vote","outcome"/s//"task":"guard","outcome"/' "$file"
timeout 100 "$WARG" "${contest[@]}" --answers-from torn --log-dir torn-logs >torn.txt 2>torn.err
grep -qE 'jsonl:[0-9]+: the answer to question [0-9]+ \(guard\), but question [0-9]+ \(vote\)' torn.err ||
    fail "a torn set: $(cat torn.err)"
expect 2 'answers into --out' "$WARG" "${contest[@]}" --answers-from cup --out other
has 'leave --out out' 'answers into --out'
expect 2 'answers of no model' "$WARG" bot aiwolf --answers-from cup
has 'go with --llm' 'answers of no model'
[[ ! -e asked.txt ]] || fail 'a request was sent'
finish
