#!/usr/bin/env bash
# Measures of play: a journal tells those that its logs tell, in all divisions; checked against a count
# of the logs of its own.
source "$(dirname "$0")/common.bash"

cat >count.py <<'P'
"""Counts logs of both AIWolf divisions in another way, and compares with a table."""
import csv, glob, gzip, sys
from collections import Counter
table, folder = sys.argv[1:]
count, of = Counter(), Counter()
games = 0
for path in sorted(glob.glob(folder + "/*.log*")):
    raw = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    lines = [l.rstrip("\n").split(",", 4) for l in raw]
    if lines[-1][1] != "result" or lines[-1][4] == "NONE":
        continue
    games += 1
    role = {int(l[2]): l[3] for l in lines if l[:2] == ["0", "status"]}
    village = {s for s, r in role.items() if r not in ("WEREWOLF", "POSSESSED", "FOX")}
    wolves = {s for s, r in role.items() if r == "WEREWOLF"}
    key = {s for s, r in role.items() if r in ("SEER", "MEDIUM", "BODYGUARD")}
    dead, first = set(), True
    for day in range(int(lines[-1][0])):
        today = [l for l in lines if l[0] == str(day)]
        ballots = {int(l[2]): int(l[3]) for l in today if l[1] == "vote"}
        out = [int(l[2]) for l in today if l[1] == "execute"]
        for voter, target in ballots.items():
            if voter in village:
                of["village_votes"] += 1
                count["village_votes"] += target in wolves
                if out and out[0] in wolves:
                    of["hits"] += 1
                    count["hits"] += target == out[0]
            if voter in wolves and wolves - dead - {voter}:
                of["wolves_votes"] += 1
                count["wolves_votes"] += target in wolves and target != voter
        for seat in out:
            alive = len(village - dead)
            of["executions"] += alive
            count["executions"] += alive * (seat in wolves)
            if first:
                of["first_executions"] += alive
                count["first_executions"] += alive * (seat in wolves)
            first = False
            dead.add(seat)
        dead |= {int(l[2]) for l in today if l[1] == "attack" and l[3] == "true"}
        dead |= {int(l[2]) for l in lines if l[0] == str(day + 1) and l[1] == "status" and l[4].startswith("DEAD")}
    for seats, name in ((set(role), "survival"), (key, "key_survival")):
        of[name] += len(seats)
        count[name] += len(seats - dead)
rows = [r for r in csv.DictReader(open(table)) if r["role"] == "all"]
got, all_of = Counter(), Counter()
for r in rows:
    got[r["measure"]] += int(r["count"])
    all_of[r["measure"]] += int(r["of"])
assert games > 0
for name in ("village_votes", "hits", "wolves_votes", "executions", "first_executions", "survival", "key_survival"):
    assert (got[name], all_of[name]) == (count[name], of[name]), (name, got[name], all_of[name], count[name], of[name])
    assert of[name] > 0, name
print(games, "games counted")
P

# alike FOLDER LOGS: the journal's measures are those of the logs, and those of a count of its own.
alike()
{
    expect 0 "measures of $1" "$WARG" standings --measures -f csv "$1"
    cp out.txt "${1//\//_}.csv"
    expect 0 "measures of $2" "$WARG" standings --measures -f csv "$2"
    cmp -s out.txt "${1//\//_}.csv" || fail "$1: the journal tells $(diff out.txt "${1//\//_}.csv")"
}

# The protocol division: revotes, claims, bots of two kinds.
expect 0 'games with logs' "$WARG" run -q -r aiwolf-2021 -n 15 -g 60 -a 'bot:sample*10' -a 'bot:random*5' -o cup
alike cup cup/logs
python3 count.py cup.csv cup/logs || fail 'another count of the protocol division'
grep -q '^sample,SEER,true_claims,[1-9]' cup.csv || fail "seers do not come out: $(cat cup.csv)"
grep -q '^sample,WEREWOLF,false_claims,[1-9]' cup.csv || fail "wolves do not lie: $(cat cup.csv)"
grep -q '^random,SEER,true_claims,0,' cup.csv || fail "random bots claim: $(cat cup.csv)"

# One game: a log by its own name.
log=$(find cup/logs -type f | sort | head -n 1)
expect 0 'one log' "$WARG" standings --measures --by agent -f csv "$log"
[[ $(grep -c ',all,survival,' <<<"$out") == 2 ]] || fail "one game: $out"

# As tables, in both languages, by kind; with another table it is refused.
expect 0 'a table' "$WARG" standings --measures cup
[[ $out == *"village's votes for wolves"*'survival of key roles'* ]] || fail "the table: $out"
expect 0 'a table in Japanese' "$WARG" standings --measures --lang ja --by kind cup
[[ $out == *'村人側の人狼への投票'*'bot'* ]] || fail "the table: $out"
expect 0 'JSON' "$WARG" standings --measures -f json cup
python3 -c 'import json, sys
for row in json.load(open("out.txt")):
    assert 0 <= row["low"] <= row["rate"] + 1e-6 and row["rate"] <= row["high"] + 1e-6 and row["count"] <= row["of"], row
' || fail 'JSON'
expect 2 'two tables' "$WARG" standings --measures --faults cup

# The natural-language division.
expect 0 'games of teams' "$WARG" run -q -r nlp-turn -n 5 -g 20 -a 'bot:sample*3' -a 'bot:random*2' -o words
alike words words/logs

# MAW: its journal, and the record alone.
expect 0 'rounds' "$WARG" maw --players 9 --rounds 6 --seed 3 --out evening --quiet
mkdir alone && cp evening/session.jsonl alone/
alike evening alone
python3 - <<'P' || fail 'the leaderboard tells of another play'
import csv, json
rows = {(r[0], r[2]): (int(r[3]), int(r[4])) for r in csv.reader(open("evening.csv")) if r[1] == "all"}
board = json.load(open("evening/leaderboard.json"))["players"]
told = {(p["name"], name): (m["count"], m["of"]) for p in board for name, m in p["measures"].items()}
assert told == rows and rows, (told, rows)
P
grep -q ',all,survival,' evening.csv || fail "MAW: $(cat evening.csv)"

# A journal of before has none, and says so.
sed 's/,"play":\[[0-9,]*\]//g' cup/journal.jsonl >old.jsonl
python3 - <<'P'
import os, zlib
os.mkdir("old")
with open("old.jsonl", encoding="utf-8") as lines, open("old/journal.jsonl", "w", encoding="utf-8") as out:
    for line in lines:
        body = line[:line.rindex(',"crc":"')]
        out.write('%s,"crc":"%08x"}\n' % (body, zlib.crc32(body.encode())))
P
expect 0 'a journal of before' "$WARG" standings --measures old
[[ $out == *'no game has measures'* ]] || fail "an old journal: $out"
expect 0 'its standings' "$WARG" standings old

# A game that still is played has none: its log is no game yet, and its journal has no line.
mkdir running && gzip -dcf "$(ls cup/logs/* | head -n 1)" | head -n 60 >running/1.log
expect 3 'a game that is not over' "$WARG" standings --measures running
[[ $out != *survival* ]] || fail "a running game is measured: $out"

finish
