#!/usr/bin/env bash
# warg standings and warg report of several folders, and of folders of logs without a journal.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
skip_under_tsan 'what is printed is a matter of one thread'
data=$WARG_TEST_DATA

# tallies PLACE...: agent, games and wins, by name.
tallies()
{
    "$WARG" standings --format csv "$@" 2>/dev/null | tail -n +2 | cut -d, -f1-3 | sort
}

# same WHAT WANTED FOUND
same()
{
    [[ $2 == "$3" ]] || fail "$1: expected
$2
found
$3"
}

for seed in 1 2; do
    "$WARG" run -q -n 5 -g 8 -s "$seed" -o "set$seed" -a 'bot:sample*2' -a 'bot:random*3' \
        >/dev/null || fail "run $seed"
done

# ---- a game counts once ----

expect 0 'one folder' "$WARG" standings set1
alone=$out
ln -s set1 link
cp -r set1 copy
for again in set1 ./set1/ link copy set1/results.db set1/journal.jsonl set1/logs; do
    expect 0 "with $again" "$WARG" standings set1 "$again"
    same "the same games as $again" "$alone" "$out"
    expect 0 "$again first" "$WARG" standings "$again" set1
    same "the same games as $again, which comes first" "$alone" "$out"
done
expect 0 'a journal alone' "$WARG" standings set1/journal.jsonl
same 'a journal by its own name' "$alone" "$out"
same 'the logs tell what the journal tells' "$(tallies set1)" "$(tallies set1/logs)"

# ---- several folders ----

expect 0 'two folders' "$WARG" standings set1 set2
[[ $out == "stage final: 16 games, 2 agents"* ]] || fail "two folders: $out"
sums=$(cat <(tallies set1) <(tallies set2) |
    awk -F, '{ g[$1] += $2; w[$1] += $3 } END { for (a in g) print a "," g[a] "," w[a] }' | sort)
same 'two folders add up' "$sums" "$(tallies set1 set2)"
same 'in any order' "$(tallies set1 set2)" "$(tallies set2 set1)"
same 'journal and logs add up' "$sums" "$(tallies set1 set2/logs)"
expect 0 'ratings of both' "$WARG" standings --ratings --format json set1 set2
[[ $out == '{"games":16,'* ]] || fail "ratings: $out"
expect 0 'faults of both' "$WARG" standings --faults set1 set2

cp -r "$data/journal" cup
expect 0 'a contest twice' "$WARG" standings cup cup/journal.jsonl
expect 0 'a contest' "$WARG" standings cup
same 'stages stay apart' 'stage final: 8 games, 5 agents
stage preliminary: 12 games, 5 agents' "$(grep '^stage' <<<"$out")"
mkdir second && sed 's/2026-08-01/2026-08-02/' cup/journal.jsonl >unsealed.jsonl
python3 - unsealed.jsonl second/journal.jsonl <<'END' || fail 'a second contest'
import sys, zlib
with open(sys.argv[2], "wb") as out:
    for line in open(sys.argv[1], "rb"):
        body = line[:line.rindex(b',"crc":')]
        out.write(body + b',"crc":"%08x"}\n' % zlib.crc32(body))
END
expect 0 'two contests' "$WARG" standings cup second
same 'stages of one name are one' 'stage final: 16 games, 5 agents
stage preliminary: 24 games, 5 agents' "$(grep '^stage' <<<"$out")"
expect 0 'one stage of both' "$WARG" standings --stage final cup second
[[ $out == 'stage final: 16 games'* ]] || fail "one stage of both: $out"
mkdir old && cp -r "$data/journal-old/." old
for journal in $(find old -name journal.jsonl); do
    expect 0 "the old $journal" "$WARG" standings "$(dirname "$journal")" set1
done

expect 3 'a folder that is not there' "$WARG" standings set1 none
[[ $err == *"'none'"* ]] || fail "the error names no folder: $err"
mkdir empty
expect 2 'an empty folder' "$WARG" standings set1 empty
[[ $err == *"'empty' holds neither"* ]] || fail "the error names no folder: $err"

# ---- folders of logs ----

expect 0 'protocol logs of all years' "$WARG" standings "$data/aiwolf-logs"
[[ $out == '99 games, 78 agents'* ]] || fail "protocol logs: $(head -n 1 <<<"$out")"
expect 0 'natural-language logs of all years' "$WARG" standings "$data/nlp-logs"
[[ $out == '33 games, 51 agents'* ]] || fail "natural-language logs: $(head -n 1 <<<"$out")"

mkdir logs mixed
cp "$data/nlp-wire/05p-plain-01.game.log.gz" "$data/nlp-wire/05p-plain-01.log.json.gz" \
    "$data/nlp-wire/05p-plain-02.log.json.gz" logs/
same 'a game log and its JSON log are one game' 'kano,10' "$(tallies logs | cut -d, -f1-2)"
cp -r logs set1/logs/001.log mixed/
gzip -dc "$data/maw/record-before-keys.jsonl.gz" >mixed/session.jsonl
echo '{"standings":[]}' >mixed/leaderboard.json
expect 0 'all kinds of logs' "$WARG" standings mixed
[[ $out == '4 games, 6 agents'* ]] || fail "all kinds of logs: $out"
same 'a player of MAW' '1 Elena 1 1 100.0' "$(awk '$1 == 1 && $2 == "Elena" { print $1, $2, $3, $4, $5 }' <<<"$out")"
expect 0 'logs beside a journal' "$WARG" standings set2 mixed
[[ $out == *'12 games, 6 agents'* ]] || fail "logs beside a journal: $out"

cp -r mixed mixed2
same 'a copied record of MAW tells of no other rounds' 'Elena,1,1' "$(tallies mixed mixed2 | grep Elena)"

printf '0,status,1,SEER,ALIVE,ann\n0,status,2,VILLAGER,ALIVE,bob\n0,status,3,WEREWOLF,ALIVE,cat\n1,vote,x\n' >mixed/broken.log
printf '{"agents":[],' >mixed/cut.json
expect 1 'a log that is broken' "$WARG" standings mixed
[[ $out == '4 games, 6 agents'* && $err == *'left out: mixed/broken.log: line 4: '* &&
    $err == *'left out: mixed/cut.json: '* ]] || fail "a log that is broken: $err"
mkdir nothing && cp mixed/broken.log nothing
expect 3 'no log that counts' "$WARG" standings nothing
[[ $err == *"'nothing' holds no log that can be counted"* ]] || fail "no log that counts: $err"
printf '0,status,1,SEER,ALIVE,\n0,status,2,VILLAGER,ALIVE,\n0,status,3,WEREWOLF,ALIVE,\n0,result,2,0,VILLAGER\n' >nothing/broken.log
expect 3 'a log without names' "$WARG" standings nothing
[[ $err == *'does not say who had seat 1'* ]] || fail "a log without names: $err"

# In simulated time sessions end at the same moments; each is a game all the same.
for seed in {1..60}; do
    "$WARG" maw --players 5 --rounds 1 --bot random --seed "$seed" --out "round$seed" -q >/dev/null 2>&1 ||
        fail "a session with seed $seed"
done
expect 0 'sixty sessions' "$WARG" standings round*
[[ $out == '60 games, '* ]] || fail "sixty sessions: $(head -n 1 <<<"$out")"

# Two sessions that were called alike are two; a copy of one, and its record alone, add nothing.
for k in 1 2; do
    "$WARG" maw --players 5 --rounds 2 --bot random --seed $k --id cup --out "cup$k" -q >/dev/null 2>&1
done
mkdir cup-record && cp cup1/session.jsonl cup-record && cp -r cup2 cup-copy
expect 0 'sessions of one name' "$WARG" standings cup1 cup2 cup-record cup-copy
[[ $out == '4 games, '* ]] || fail "sessions of one name: $(head -n 1 <<<"$out")"
same 'each for itself' 2 "$("$WARG" standings --sessions cup1 cup2 cup-record cup-copy | grep -c '^session cup ')"
sed 's/"id":"cup"/"id":""/' cup1/session.jsonl >cup-record/session.jsonl
mkdir cup-none && sed 's/"id":"cup"/"id":""/' cup2/session.jsonl >cup-none/session.jsonl
expect 0 'sessions without a name' "$WARG" standings cup-record cup-none
[[ $out == '4 games, '* ]] || fail "sessions without a name: $(head -n 1 <<<"$out")"

# A server keeps game logs and JSON logs in two folders, whose order says nothing; what stands behind
# a dot belongs to the name.
mkdir -p split/game split/json dots
cp "$data/nlp-wire/05p-plain-01.game.log.gz" split/game/
cp "$data/nlp-wire/05p-plain-01.log.json.gz" split/json/
for folders in 'split/game split/json' 'split/json split/game' split; do
    # shellcheck disable=SC2086
    same "$folders" 'kano,5' "$(tallies $folders | cut -d, -f1-2)"
    # shellcheck disable=SC2086
    same "a list of $folders" 1 "$("$WARG" log list --json $folders | wc -l)"
done
zcat "$data/nlp-wire/05p-plain-01.game.log.gz" >dots/first.a.log
zcat "$data/nlp-wire/05p-plain-01.log.json.gz" >dots/first.b.json
same 'two games whose names begin alike' 'kano,10' "$(tallies dots | cut -d, -f1-2)"

# The record of a session whose player has a name that is too long: no line is named that is none.
python3 - cup1 <<'P'
import sys
text = open("cup1/session.jsonl").read()
open("cup-none/session.jsonl", "w").write(text.replace('"name":"Tara"', '"name":"' + 70 * "T" + '"'))
P
expect 3 'a name that is too long' "$WARG" standings cup-none
[[ $err =~ cup-none/session.jsonl:\ line\ [0-9][0-9]+:\ the\ name\ of\ seat ]] ||
    fail "a name that is too long: $err"

# A journal whose log is a link to the log of another folder hides nothing.
cp -r set1 hides && rm -f hides/results.db && mkdir -p hidden &&
    cp "$data/nlp-wire/05p-plain-02.game.log.gz" hidden/
log=$(ls hides/logs | head -n 1)
ln -sf "$work/hidden/05p-plain-02.game.log.gz" "hides/logs/$log"
expect 0 'a link in a folder of a journal' "$WARG" standings -f csv hides hidden
grep -q '^kano,5,' <<<"$out" || fail "a link in a folder of a journal hides a game: $out"

# Journals that somebody made up are named.
python3 - <<'P'
import json, os, zlib
def seal(record):
    body = json.dumps(record, separators=(",", ":"), ensure_ascii=False)[:-1]
    return '%s,"crc":"%08x"}\n' % (body, zlib.crc32(body.encode()))
def write(folder, plan, games):
    os.mkdir(folder)
    with open(folder + "/journal.jsonl", "w") as out:
        out.write(seal({"record": "plan", "version": 2, "plan": plan}))
        for stage, number in games:
            out.write(seal({"record": "game", "stage": stage, "set": number, "game": number,
                "division": "aiwolf", "ruleset": "aiwolf-2021", "began": "2026-01-01T00:00:00.000Z",
                "ended": "2026-01-01T00:00:00.000Z", "winner": "VILLAGER", "reason": "win", "last_day": 2,
                "revote_days": 0, "execution_days": 2, "attacks": 1, "attack_kills": 1,
                "seats": [{"agent": "x%d" % k, "role": r} for k, r in enumerate(("SEER", "VILLAGER", "WEREWOLF"))],
                "faults_bytes": 0}))
write("huge", {}, [(0, 2**63 - 1)])
write("alike", {"stages": [{"name": "cup"}, {"name": "cup"}]}, [(0, 0), (1, 0)])
P
expect 3 'a number without room behind it' "$WARG" standings huge set1
[[ $err == *"'huge' has a game or set with the number 9223372036854775807"* ]] || fail "huge: $err"
expect 0 'two stages of one name' "$WARG" standings --stage 0 alike set2
expect 0 'and the other one' "$WARG" standings -f csv --stage 1 alike set2
grep -q '^x0,1,1,' <<<"$out" || fail "two stages of one name: $out"

# ---- lists ----

expect 0 'a list of two folders' "$WARG" log list --json set1 set2 link set1/results.db set2/journal.jsonl
same 'their games' 16 "$(wc -l <<<"$out")"
same 'with their logs' 16 "$(grep -o '"log":"[^"]*"' <<<"$out" | cut -d '"' -f 4 | xargs ls | sort -u | wc -l)"
expect 1 'a list of logs' "$WARG" log list --json mixed
same 'their games' 4 "$(wc -l <<<"$out")"
expect 1 'games of a team' "$WARG" log list --json --agent kano mixed
same 'its games' 2 "$(wc -l <<<"$out")"

# ---- reports ----

expect 2 'a report of two without a name' "$WARG" report set1 set2
[[ $err == *--output* ]] || fail "a report of two without a name: $err"
expect 0 'a report of two' "$WARG" report set1 set2 --output both.html
grep -q '<dt>Games</dt><dd>16</dd>' both.html || fail 'a report of two has not all games'
expect 1 'a report of logs' "$WARG" report mixed
grep -q '>Weighted by roles (Weighted Micro)<' mixed/report.html || fail 'a report of logs'
grep -q 'href="logs/05p-plain-01.game.log.gz"' mixed/report.html || fail 'logs are not linked'
finish
