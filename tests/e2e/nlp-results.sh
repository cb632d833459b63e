#!/usr/bin/env bash
# What a server of the natural-language division keeps of its games: a journal beside their logs, and
# from it standings, ratings, faults, a report, checked against the logs by a count of its own.
source "$(dirname "$0")/common.bash"
# shellcheck source=hold.bash
source "$here/hold.bash"

sed 's/self_match: true/self_match: false/' "$WARG_SOURCE/config/nlp/default_en_5.yml" >open.yml

# host NAME OPTION...: starts a server; its address is in $address, its process in $server.
host()
{
    local name=$1
    shift
    launch "$name.out" "$name.err" "$WARG" serve nlp -c open.yml --port 0 "$@"
    await "$name" "$name.err" 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$name.err" | head -n 1)
}

ended()
{
    wait "$server" || fail "$1: exit status $?: $(tail -n 5 "$1.err")"
    server=
}

# play NAME GAMES: three teams of one, and bots of the server on the other seats. No game begins before all three
# are there.
play()
{
    local crowd=() team game
    host "$1" --games "$2" --fill-after 1s --operator-file "$key"
    operate '{"act":"hold"}'
    for team in ann ben cho; do
        "$WARG" bot nlp --url "ws://$address/ws" --quiet --team "$team" -n 1 --games "$2" \
            >"$1.$team.txt" 2>&1 &
        crowd+=($!)
    done
    for ((game = 1; game <= $2; game++)); do
        go_on_with 3
        await "$1" "$1.err" "game-begun.* number=$game( |\$)"
        ((game == $2)) || operate '{"act":"hold"}'
    done
    ended "$1"
    kill "${crowd[@]}" 2>/dev/null
    wait "${crowd[@]}" 2>/dev/null
}

play first 2
[[ -s log/game/journal.jsonl ]] || fail 'there is no journal beside the logs'
play second 2 # another server goes on with it

cat >count.py <<'P'
"""Counts wins of teams from game logs alone, and compares with the journal and a table."""
import csv, glob, json, re, subprocess, sys
warg = sys.argv[1]
wolves = {"WEREWOLF", "POSSESSED"}
want = {}
games = 0
for path in glob.glob("log/game/*.log"):
    seats, winner = {}, None
    for line in open(path):
        f = line.rstrip("\n").split(",")
        if f[0] == "0" and f[1] == "status":
            seats[f[2]] = (f[3], re.sub(r"\d+$", "", f[5]))
        if f[1] == "result":
            winner = f[4]
    games += 1
    for role, team in seats.values():
        one = want.setdefault(team, [0, 0])
        one[0] += 1
        one[1] += winner == ("WEREWOLF" if role in wolves else "VILLAGER")
assert games == 4, games
rows = csv.DictReader(subprocess.run([warg, "standings", "--format", "csv", "log/game"],
                                     capture_output=True, text=True, check=False).stdout.splitlines())
got = {}
for row in rows:
    team = row.get("agent") or row.get("name")
    if row.get("role", "") in ("", "all", "ALL", None) or team not in got:
        got[team] = [int(row["games"]), int(row["wins"])]
assert got == want, (got, want)
lines = [json.loads(line) for line in open("log/game/journal.jsonl")]
assert lines[0]["version"] == 2 and lines[0]["plan"]["division"] == "nlp"
kept = [line for line in lines if line["record"] == "game"]
assert [line["game"] for line in kept] == [0, 1, 2, 3]
for line in kept:
    assert line["division"] == "nlp" and line["ruleset"] and line["began"] <= line["ended"]
    assert len(glob.glob("log/game/" + line["log"])) == 1
    for seat in line["seats"]:
        assert seat["team"] == re.sub(r"\d+$", "", seat["agent"]), seat
        assert seat["kind"] == ("bot" if seat["agent"].startswith("warg-bot") else "agent"), seat
        assert (seat["kind"] == "bot") == ("times" not in seat), seat
P
python3 count.py "$WARG" || fail 'the standings are not those of the logs'

# How the seats played, as the journal and as the logs alone tell it.
mkdir only-logs && cp log/game/*.log only-logs/
expect 0 'measures of the journal' "$WARG" standings --measures -f csv log/game
sort out.txt >told.csv
expect 0 'measures of the logs' "$WARG" standings --measures -f csv only-logs
sort out.txt >logged.csv
cmp -s told.csv logged.csv || fail "the journal tells of another play: $(diff told.csv logged.csv)"
grep -q ',all,survival,' told.csv || fail "no measures: $(cat told.csv)"

for words in 'standings --ratings' 'standings --faults' 'standings --lang ja' 'log list' 'report'; do
    # shellcheck disable=SC2086
    expect 0 "$words" "$WARG" $words log/game
done
expect 0 faults "$WARG" standings --faults --format csv log/game
[[ $out == *$'\n'ben,4,0,* && $out != *warg-bot* ]] || fail "faults: $out"
[[ -s log/game/report.html ]] || fail 'no report'

# An agent whose connection is lost is told of, and the game without it.
host lost --games 1 --fill-after 300ms
"$WARG" bot nlp --url "ws://$address/ws" --quiet --team dan -n 1 >dan.txt 2>&1 &
dan=$!
await lost lost.err 'waiting name=dan1' && kill -STOP "$dan"
"$WARG" bot nlp --url "ws://$address/ws" --quiet --team ben -n 1 >ben.txt 2>&1 &
await lost lost.err 'game-begun'
kill -9 "$dan"
ended lost
expect 0 'faults of the one that was lost' "$WARG" standings --faults --format csv log/game
grep -qE '^dan,1,[01],0,1,' <<<"$out" || fail "the disconnect is not counted: $out"
grep -q '"agent":"dan1".*"kind":"disconnect"' log/game/faults.jsonl ||
    fail "faults.jsonl does not say it: $(cat log/game/faults.jsonl)"

# Two servers can't write one journal, and a folder of another division is left alone.
host holder
expect 3 'a folder that is in use' "$WARG" serve nlp -c open.yml --port 0
[[ $err == *'another server'* ]] || fail "says nothing of the other server: $err"
kill "$server"
wait "$server"
server=

finish
