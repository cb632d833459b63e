#!/usr/bin/env bash
# A tournament of language models by one file and one command: four models of different skill, one of
# which answers nothing. Ranks follow skill, the silent one is told of and not ranked, tokens and costs
# are the server's own count to the token, and after kill -9 nothing is asked twice.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

launch port.txt server.txt python3 "$agents/model_players.py"
await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
url=http://127.0.0.1:$(cat port.txt)

# counted: what the server has counted by now, as JSON.
counted()
{
    python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())' "$url/"
}

# tournament PAIRING GAMES SETS: the file.
tournament()
{
    cat <<END
contest: models
rules: aiwolf-2021
seed: 7
agents:
  - llm: {url: "$url/v1", model: random}
  - llm: {url: "$url/v1", model: rule, temperature: 0}
  - llm: {url: "$url/v1", model: good, max_tokens: 400, persona: "calm, a baker"}
  - name: silent
    llm: {url: "$url/v1", model: dead}
limits: {time_limit: 1m, startup: 1m}
on_fault: substitute
tables: 4
stages:
  - name: final
    players: 5
    pairing: $1
    games_per_set: $2
    sets: $3
END
}
cat >prices.yml <<'END'
currency: USD
models:
  random: {in: 0.10, out: 0.40}
  rule: {in: 0.15, cached: 0.075, out: 0.60}
  good: {in: 2.50, cached: 0.5, out: 10}
END

tournament all-pairs 10 12 >cup.yml
expect 6 'the tournament' timeout 1200 "$WARG" run cup.yml --out cup -q
has 'model dead at' 'the tournament'
has 'the model is not loaded' 'the tournament'
has "not ranked: silent: no decision was its model's own" 'the tournament'
has 'of stage final is not counted: no decision of silent was its model' 'the tournament'
counted >counts.json
! grep -q . cup/faults.jsonl || fail "faults: $(head -n 3 cup/faults.jsonl)"

expect 6 'standings' "$WARG" standings cup --format csv
cp out.txt standings.csv
expect 0 'models' "$WARG" standings cup --by model --prices prices.yml --format csv
cp out.txt models.csv
expect 0 'models as a table' "$WARG" standings cup --by model --prices prices.yml
has 'costs in USD' 'models as a table'
python3 - <<'END' || fail "ranks, tokens, costs: $(cat standings.csv models.csv counts.json)"
import csv, json
from fractions import Fraction
ranks = {row["agent"]: row["rank"] for row in csv.DictReader(open("standings.csv"))}
# Who plays by a plan that fits its role is first. The other two change places with the seats of so few sets.
assert ranks["good"] == "1" and ranks["silent"] == "" and {ranks["random"], ranks["rule"]} == {"2", "3"}, ranks
counts = json.load(open("counts.json"))
prices = {"random": ("0.10", "0.10", "0.40"), "rule": ("0.15", "0.075", "0.60"), "good": ("2.50", "0.5", "10")}
rows = {row["model"]: row for row in csv.DictReader(open("models.csv"))}
assert set(rows) == {"random", "rule", "good", "dead"}, rows
for model, row in rows.items():
    for what in ("prompt_tokens", "cached_tokens", "reasoning_tokens", "answer_tokens"):
        assert int(row[what]) == counts[model].get(what, 0), (model, what, row[what], counts[model])
    assert int(row["requests"]) == counts[model]["requests"], (model, row, counts[model])
    if model == "dead":
        assert row["own_decisions"] == "0" and int(row["by_rule"]) == int(row["decisions"]) > 0
        assert row["cost"] == "" and row["cost_per_win"] == "", row
        continue
    assert row["own_decisions"] == row["decisions"] and float(row["own_share"]) == 1, row
    fresh, cached, out = (Fraction(price) / 10**6 for price in prices[model])
    cost = ((counts[model]["prompt_tokens"] - counts[model]["cached_tokens"]) * fresh
            + counts[model]["cached_tokens"] * cached + counts[model]["answer_tokens"] * out)
    assert Fraction(row["cost"]) == cost, (model, row["cost"], cost)
    assert abs(Fraction(row["cost_per_win"]) - cost / int(row["wins"])) < Fraction(1, 10**9), row
    assert float(row["village_low"]) < float(row["village_rate"]) <= float(row["village_high"]), row
END

# Many short sets tell all of them apart: what a model sits on, three seats or two, is drawn for each set.
tournament all-pairs 2 60 | sed '/- name: silent/,+1d' >ranks.yml
expect 0 'three models' timeout 1200 "$WARG" run ranks.yml --out ranks -q
expect 0 'their ranks' "$WARG" standings ranks --format csv
[[ $(tail -n +2 <<<"$out" | cut -d, -f1 | tr '\n' ' ') == 'good rule random ' ]] || fail "ranks: $out"

# The same costs wherever they are told; none without prices.
expect 6 'standings with prices' "$WARG" standings cup --prices prices.yml --format csv
cp out.txt priced.csv
expect 6 'standings with prices' "$WARG" standings cup --prices prices.yml --format json
cp out.txt priced.json
expect 6 'report' "$WARG" report cup --output plain.html
! grep -q 'Cost per win' plain.html || fail 'report: costs without prices'
expect 6 'report with prices' "$WARG" report cup --prices prices.yml --output priced.html
launch web.txt web.err "$WARG" web --port 0 --prices prices.yml cup
await 'pages' web.txt 'pages: http' || exit 1
base=$(sed -n 's,^pages: \(http://[^/]*\)/web/.*,\1,p' web.txt)
python3 - "$base" <<'END' || fail 'costs elsewhere'
import csv, json, re, sys, urllib.request
def get(path):
    return urllib.request.urlopen(sys.argv[1] + path).read().decode()
rows = {row["model"]: row for row in csv.DictReader(open("models.csv"))}
agents = {row["agent"]: row for row in csv.DictReader(open("priced.csv"))}
told = json.load(open("priced.json"))
assert told["currency"] == "USD" and "cost" not in json.dumps(list(csv.DictReader(open("standings.csv"))))
in_json = {agent["name"]: agent for agent in told["agents"]}
page = open("priced.html").read()
lists = json.loads(get("/web/api/home"))
ident = (lists.get("items") or lists.get("contests"))[0]["id"]
shown = json.loads(get(f"/web/api/contests/{ident}/standings"))
assert shown["currency"] == "USD", shown
models = {row["model"]: row for row in shown["models"]}
html = get(f"/web/c/{ident}/standings")
for name, model in (("random", "random"), ("rule", "rule"), ("good", "good"), ("silent", "dead")):
    for key in ("cost", "cost_per_win"):
        exact = rows[model][key]
        assert agents[name][key] == exact, (name, key, agents[name])
        assert in_json[name].get(key, "") == exact, (name, key, in_json[name])
        assert (models[model][key] or "") == exact, (model, key, models[model])
        if exact:
            assert f'<td class="n">{exact}</td>' in page and exact in html, (model, key, exact)
    assert int(models[model]["requests"]) == int(rows[model]["requests"]), models[model]
END

# A server with rooms shows them, too.
kill "$server"
wait "$server"
launch rooms.txt rooms.err "$WARG" web --port 0 --room 'players=5 people=1' --prices prices.yml cup
await 'a room' rooms.txt '/web/r/' || exit 1
room=$(grep -m 1 -oE 'http://[^/ ]*' rooms.txt)
curl -s "$room/web/c/cup/standings" | grep -q 'Costs in USD' || fail 'a server with rooms: no costs'

# ---- what another one will take ----

expect 0 'forecast' "$WARG" run cup.yml --dry-run --like cup --prices prices.yml
has '120 games, not played' 'forecast'
python3 - <<'END' || fail "forecast: $out"
import csv, re
rows = {row["model"]: row for row in csv.DictReader(open("models.csv"))}
lines = {line.split()[0]: line for line in open("out.txt") if line.strip()}
for model in ("random", "rule", "good"):
    _, seats, *numbers = lines[model].replace("(", "").replace(")", "").replace("- ", "").split()
    numbers = [float(each) for each in numbers]
    row = rows[model]
    # Sets with the silent one were played and are paid for, but they do not count: a third of each other's.
    assert float(seats) == 150 and int(row["games"]) == 100, lines[model]
    for i, what in enumerate(("requests", "prompt_tokens", "cached_tokens", "answer_tokens", "cost")):
        mean, low, high = numbers[3 * i: 3 * i + 3]
        # The same contest again: what it took is what is foreseen, within the range.
        assert low < mean < high and abs(mean - float(row[what])) <= 0.02 * float(row[what]) + 1, (model, what, mean)
        assert high < 2 * mean, (model, what, mean, high)
END
expect 0 'forecast without games' "$WARG" run cup.yml --dry-run
has 'stand-in models' 'forecast without games'
has 'Without --prices FILE no costs' 'forecast without games'
[[ ! -e cup.yml.out ]] || fail 'a dry run writes something'

# ---- killed, and gone on with ----

# requests [NAME]: what records of games say was asked, one game or note a line: "game N" or "note N".
requests()
{
    python3 - "$1" <<'END'
import json, re, sys
games = rest = 0
for line in open(sys.argv[1]):
    event = json.loads(line)
    games += sum(seat.get("requests", 0) for seat in event.get("seats", []) if seat.get("agent") != "silent")
    note = event.get("text", "")
    found = re.search(r"of (\S+): model decisions: .* figures: requests (\d+)", note)
    if found and found.group(1) != "silent":
        rest += int(found.group(2))
print(games, rest)
END
}

# asked: requests that the server has answered.
asked()
{
    counted | python3 -c 'import json, sys; print(sum(c["requests"] for m, c in json.load(sys.stdin).items() if m != "dead"))'
}

tournament rotate 30 1 | sed '/^tables/d; /name: silent/,+1d; s/players: 5/players: 5/' >long.yml
sed -i '/^limits/i\  - {bot: sample, copies: 2}' long.yml
zero=$(asked)
"$WARG" run long.yml --out long -q >long.out 2>long.err &
run=$!
await_games 4 long
kill -9 $run 2>/dev/null
wait $run 2>/dev/null
# Its players end with it; then the count stands still.
until_true "$patience" no_agents 'bot aiwolf' || fail "left: $(own_agents 'bot aiwolf')"
count_stands()
{
    local before=$at_kill
    sleep 0.5
    at_kill=$(asked)
    ((before == at_kill))
}
at_kill=-1
until_true "$patience" count_stands
grep -c '"record":"game"' long/journal.jsonl >killed.txt
(($(cat killed.txt) < 30)) || fail "the contest was over before it was killed"
read -r told rest < <(requests long/journal.jsonl)
((told > 0 && rest == 0 && at_kill - zero >= told)) || fail "killed: $told told, $rest rest, $((at_kill - zero)) asked"
expect 0 'resumed' timeout 1200 "$WARG" run long.yml --out long -q --resume
(($(grep -c '"record":"game"' long/journal.jsonl) == 30)) || fail "resumed: $(grep -c '"record":"game"' long/journal.jsonl) games"
read -r all rest < <(requests long/journal.jsonl)
end=$(asked)
# Every request after the kill is one of a game that was not finished then.
((end - at_kill == all + rest - told)) ||
    fail "resumed: $((end - at_kill)) asked, for games that took $((all + rest - told))"
finish
