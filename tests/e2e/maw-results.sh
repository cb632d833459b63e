#!/usr/bin/env bash
# What a MAW session keeps of its rounds: a journal in its folder, and from it standings, ratings,
# faults, a report, checked against its record by a count of its own.
source "$(dirname "$0")/common.bash"

cat >count.py <<'P'
"""Counts a session's record, and compares with leaderboard, journal and the table of standings."""
import csv, json, subprocess, sys
warg, folder = sys.argv[1:]
want, rounds, kinds = {}, [], {}
for line in open(folder + "/session.jsonl"):
    event = json.loads(line)
    if event["event"] == "seat":
        kinds[event["name"]] = event["kind"]
    if event["event"] != "end_game":
        continue
    rounds.append(event)
    for player in event["players"]:
        one = want.setdefault(player["name"], [0, 0, 0])
        won = event["winner"] == ("WEREWOLF" if player["role"].lower() == "werewolf" else "VILLAGER")
        one[0] += 1
        one[1] += won
        one[2] += player["points"]
assert rounds
games = [json.loads(line) for line in open(folder + "/journal.jsonl")]
assert games[0]["plan"]["division"] == "maw"
games = [game for game in games if game["record"] == "game"]
assert len(games) == len(rounds), (len(games), len(rounds))
for number, (game, event) in enumerate(zip(games, rounds)):
    assert game["game"] == number and game["division"] == "maw" and game["log"] == "session.jsonl"
    assert (game["winner"], game["reason"], game["last_day"]) == (
        event["winner"], event["reason"], event["days"]), (game, event)
    for seat, player in zip(game["seats"], event["players"], strict=True):
        assert seat["agent"] == player["name"] and seat.get("points", 0) == player["points"]
        kind = kinds[seat["agent"]].split(":")[0]
        assert seat["kind"] == kind, (seat, kind)
        assert seat.get("failed", False) == (player["end"] == "left")
out = subprocess.run([warg, "standings", "--format", "csv", folder], capture_output=True, text=True)
got = {}
for row in csv.DictReader(out.stdout.splitlines()):
    if row.get("role", "") in ("", "all", None) or row["agent"] not in got:
        got[row["agent"]] = [int(row["games"]), int(row["wins"]), int(row.get("points") or 0)]
assert {name: one[:2] for name, one in got.items()} == {n: o[:2] for n, o in want.items()}, (got, want)
board = json.load(open(folder + "/leaderboard.json"))["players"]
assert {p["name"]: (p["rounds_won"], p["points"]) for p in board} == {
    n: (o[1], o[2]) for n, o in want.items()}, (board, want)
P

# 3 to 18 players, several rounds.
for players in 3 6 11 18; do
    expect 0 "$players players" "$WARG" maw --players "$players" --rounds 4 --seed "$players" \
        --out "bots$players" --quiet
    python3 count.py "$WARG" "bots$players" || fail "$players players: the tables are not the record's"
    for words in 'standings --ratings' 'standings --faults' 'standings --lang ja' 'log list' report; do
        # shellcheck disable=SC2086
        expect 0 "$players players: $words" "$WARG" $words "bots$players"
    done
done

# Models, whose decisions are a rule's while no server answers: none of them is its own.
timeout 100 "$WARG" maw -n 4 --llm 3 --llm-url http://127.0.0.1:1/v1 --llm-model small --day-s 2 \
    --night-s 1 --seed 1 --out models --quiet >models.out 2>models.err
python3 count.py "$WARG" models || fail 'models: the tables are not the record'
python3 - models <<'P' || fail 'models: what they decided is not in the journal'
import json, sys
figures = [json.loads(l) for l in open(sys.argv[1] + "/session.jsonl") if '"event":"figures"' in l]
game = [json.loads(l) for l in open(sys.argv[1] + "/journal.jsonl") if '"record":"game"' in l][0]
seats = [seat for seat in game["seats"] if seat["kind"] == "model"]
assert len(seats) == 3 and all(seat["model"] == "small" for seat in seats), seats
decided = sum(seat.get("decisions", 0) for seat in seats)
# What is decided behind the round's end is of no round.
assert 0 < decided <= sum(f["fallbacks"] + f["by_model"] for f in figures), (decided, figures)
assert sum(seat.get("own", 0) for seat in seats) == 0
P
expect 6 'models that decided nothing are not ranked' "$WARG" standings models

# A line for each model, and for each kind of player: what the journal has of their seats.
"$WARG" standings --by model --format json models >by.json
"$WARG" standings --by kind --format csv models >by.csv
python3 - models <<'P' || fail 'the tables of models and kinds are not of the journal'
import csv, json, sys
game = [json.loads(l) for l in open(sys.argv[1] + "/journal.jsonl") if '"record":"game"' in l][0]
seats = [seat for seat in game["seats"] if seat["kind"] == "model"]
(model,) = json.load(open("by.json"))
assert (model["model"], model["games"]) == ("small", 3), model
assert model["points"] == sum(seat.get("points", 0) for seat in seats)
assert model["decisions"] == sum(seat.get("decisions", 0) for seat in seats)
assert model["own_share"] == 0
kinds = {row["kind"]: row for row in csv.DictReader(open("by.csv"))}
assert set(kinds) == {"model", "bot"} and kinds["model"]["games"] == "3", kinds
P
# Sessions, round by round, and who decided for whom.
expect 0 'sessions' "$WARG" standings --sessions --format json models bots6
cp out.txt sessions.json
python3 - bots6 models <<'P' || fail 'the table of sessions is not of the records'
import json, sys
told = {s["session"]: s for s in json.load(open("sessions.json"))}
assert len(told) == 2, told
for folder in sys.argv[1:]:
    events = [json.loads(l) for l in open(folder + "/session.jsonl")]
    session = told[events[0]["id"]]
    ends = [e for e in events if e["event"] == "end_game"]
    assert [(r["round"], r["winner"], r["last_day"]) for r in session["rounds"]] == [
        (n + 1, e["winner"], e["days"]) for n, e in enumerate(ends)], session
    kinds = {e["name"]: e["kind"].split(":")[0] for e in events if e["event"] == "seat"}
    points = {}
    for end in ends:
        for player in end["players"]:
            points[player["name"]] = points.get(player["name"], 0) + player["points"]
    assert {p["player"]: p["points"] for p in session["players"]} == points
    assert all(p["kind"] == kinds[p["player"]] for p in session["players"])
P
expect 0 'sessions as CSV' "$WARG" standings --sessions --format csv models
(($(wc -l <out.txt) == 5)) || fail "a line for each player: $out"
expect 0 'sessions in Japanese' "$WARG" standings --sessions --lang ja models
[[ $out == セッション* ]] || fail "sessions in Japanese: $out"
# The record alone says the same of rounds, points and who decided, but for a model's decisions.
mkdir alone && cp models/session.jsonl alone
"$WARG" standings --sessions models | sed 's/ *[-0-9.]*$//' >with.txt
"$WARG" standings --sessions alone 2>/dev/null | sed 's/ *[-0-9.]*$//' >without.txt
diff with.txt without.txt >diff.txt || fail "a record without its journal: $(cat diff.txt)"
"$WARG" standings models alone --format csv | cut -d, -f1-3 | sort >both.txt
"$WARG" standings models --format csv | cut -d, -f1-3 | sort | cmp -s - both.txt ||
    fail "a record counts beside its journal: $(cat both.txt)"
"$WARG" report models --output models.html
grep -q 'id="models"' models.html && grep -q 'id="sessions"' models.html ||
    fail 'the report lacks models or sessions'
"$WARG" report bots6 --lang ja --output bots.html
grep -q 'id="models"' bots.html && fail 'a report without a model has a section of models'
grep -q 'MAW のセッション' bots.html || fail 'the Japanese report lacks sessions'

expect 0 'no model' "$WARG" standings --by model bots6
[[ $out == 'no seat was a model'* ]] || fail "no model: $out"
expect 0 'in Japanese' "$WARG" standings --by model --lang ja models
[[ $out == モデル* ]] || fail "in Japanese: $out"

# A round that is broken off has no result.
launch stopped.out stopped.err "$WARG" maw -n 4 --llm 3 --llm-url demo --day-s 60 --night-s 60 --out stopped --quiet
await 'a round' stopped/session.jsonl '"event":"start_game"'
kill -INT "$server"
wait "$server"
server=
(($(wc -l <stopped/journal.jsonl) == 1)) || fail 'a round without an end is in the journal'

finish
