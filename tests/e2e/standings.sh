#!/usr/bin/env bash
# warg standings: of a folder with a journal, of its results.db, and of what is neither.
set -u
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
failed=0

expect() { # what, wanted, found
    if [ "$2" != "$3" ]; then
        printf '%s: expected\n%s\nfound\n%s\n' "$1" "$2" "$3"
        failed=1
    fi
}

cp -r "$WARG_TEST_DATA/journal" "$work/contest"

out=$("$WARG" standings "$work/contest")
expect "status" 0 $?
expect "the last stage leads" "stage final: 8 games, 5 agents" "$(head -n 1 <<<"$out")"
expect "the one before it stands for itself" "stage preliminary: 12 games, 5 agents" \
    "$(grep '^stage' <<<"$out" | tail -n +2)"
expect "games of two stages are not added together" 0 "$(grep -c '20 games' <<<"$out")"
expect "results.db is made" 1 "$([ -s "$work/contest/results.db" ] && echo 1)"
expect "nothing else is left" "journal.jsonl results.db" "$(cd "$work/contest" && echo *)"
expect "the database says the same" "$out" "$("$WARG" standings "$work/contest/results.db")"

out=$("$WARG" standings --stage preliminary --lang ja "$work/contest")
expect "status in Japanese" 0 $?
expect "in Japanese no English is left but names" "" \
    "$(sed -E 's/alice|bob|dave|eve|sample|preliminary|Weighted|M[ai]cro//g' <<<"$out" | grep '[A-Za-z]')"
out=$("$WARG" standings --stage final --format csv "$work/contest" | head -n 2 | cut -d, -f1-3)
expect "a stage by name" $'agent,games,wins\ndave,8,7' "$out"
expect "a stage by number" "$out" \
    "$("$WARG" standings -s 1 -f csv "$work/contest" | head -n 2 | cut -d, -f1-3)"

# alice in the final, counted by hand: villager 0 of 3, seer 0 of 1, possessed 1 of 1, werewolf 1 of 3; of
# 40 seats 16 are villagers', 8 each of the others.
expect "three win rates" "alice 25.0 % 33.3 % 26.7 %" \
    "$(echo $("$WARG" standings -s final "$work/contest" | sed -n '/three win rates/,$p' | grep -m1 alice))"
expect "with the contest's names" 1 "$("$WARG" standings -s final "$work/contest" |
    grep -c 'overall (Macro)  mean over roles (Micro)  weighted by roles (Weighted Micro)')"
"$WARG" standings -s final -f json "$work/contest" >"$work/final.json"
"$WARG" standings -s final -f csv "$work/contest" >"$work/final.csv"
python3 - "$work" <<'END' || failed=1
import csv, json, sys
by_name = {row["agent"]: row for row in csv.DictReader(open(sys.argv[1] + "/final.csv"))}
final = json.load(open(sys.argv[1] + "/final.json"))
seats = {}
for agent in final["agents"]:
    for role, tally in agent["roles"].items():
        seats[role] = seats.get(role, 0) + tally["games"]
for agent in final["agents"]:
    rates = {role: tally["wins"] / tally["games"] for role, tally in agent["roles"].items()}
    weights = sum(seats[role] for role in rates)
    for key, wanted in (("overall_macro", agent["wins"] / agent["games"]),
                        ("role_mean_micro", sum(rates.values()) / len(rates)),
                        ("weighted_micro", sum(seats[r] * rates[r] for r in rates) / weights)):
        assert abs(agent[key] - wanted) < 1e-6 and abs(float(by_name[agent["name"]][key]) - wanted) < 1e-6
END
expect "JSON" '{"games":8,' "$("$WARG" standings -f json "$work/contest" | head -c 11)"
expect "CSV is of the last stage, too" "final" \
    "$("$WARG" standings -f csv "$work/contest" | tail -n +2 | sed 's/.*,//' | sort -u)"

out=$("$WARG" standings --stage final --faults "$work/contest" | grep dave)
expect "faults" "dave 8 2 1 0 0 0 0 0 0.22 5.89 12.10 12.10" "$(echo $out)"
out=$("$WARG" standings --faults -f csv "$work/contest" | head -n 1)
expect "columns of faults" \
    "agent,games,failed_games,timeouts,disconnects,malformed,early,violations,excesses,min_ms,median_ms,p99_ms,max_ms" \
    "$out"

out=$("$WARG" standings --ratings -f csv "$work/contest")
expect "columns of ratings" \
    "agent,games,wins,win_rate,low,high,strength,strength_low,strength_high" "$(head -n 1 <<<"$out")"
expect "an agent's strength" "bob,8,3,0.375000,0.136844,0.694258,-37,-252,178" \
    "$(grep bob <<<"$out")"
expect "strongest first" "$(tail -n +2 <<<"$out" | cut -d, -f7 | sort -rn)" \
    "$(tail -n +2 <<<"$out" | cut -d, -f7)"
out=$("$WARG" standings --ratings --stage final "$work/contest")
expect "without a stage it is the last one's" "$out" "$("$WARG" standings --ratings "$work/contest")"
expect "pairs with their intervals" 1 \
    "$(grep -cE '^agent +against +meetings +wins +win_rate +low +high$' <<<"$out")"
expect "each pair once" 10 "$(sed -n '/against/,$p' <<<"$out" | tail -n +2 | wc -l)"
expect "its name heads it" "stage final" "$(head -n 1 <<<"$out")"
expect "faults without a stage" "stage final" "$("$WARG" standings --faults "$work/contest" | head -n 1)"
expect "ratings of a stage" "dave 8 7 0.875" "$(awk '$1 == "dave" { print $1, $2, $3, $4; exit }' <<<"$out")"
expect "what a side is worth" 1 "$(grep -c '1 POSSESSED, 1 SEER, 2 VILLAGER, 1 WEREWOLF  *8 ' <<<"$out")"
"$WARG" standings --ratings -f json "$work/contest" >"$work/ratings.json"
python3 - "$work/ratings.json" <<'END' || failed=1
import json, sys
r = json.load(open(sys.argv[1]))
assert r["games"] == 8 and r["left_out"] == 0 and r["resamplings"] == 200
assert len(r["agents"]) == 5 and len(r["villages"]) == 1
for agent in r["agents"]:
    assert agent["strength_low"] < agent["strength"] < agent["strength_high"]
for pair in r["pairs"]:
    assert 0 <= pair["low"] <= pair["win_rate"] <= pair["high"] <= 1
    assert pair["wins"] <= pair["meetings"] and pair["agent"] != pair["against"]
assert len({frozenset((p["agent"], p["against"])) for p in r["pairs"]}) == len(r["pairs"]) == 10
village = r["villages"][0]
assert village["roles"] == {"POSSESSED": 1, "SEER": 1, "VILLAGER": 2, "WEREWOLF": 1}
assert abs(village["village_rate"] + village["wolves_rate"] - 1) < 1e-6 and village["games"] == 8
END
"$WARG" standings --ratings --faults "$work/contest" 2>/dev/null
expect "status of two tables at once" 2 $?

# The journal grows: here it shrinks to its first games, which is another journal just as well.
head -n 6 "$WARG_TEST_DATA/journal/journal.jsonl" >"$work/contest/journal.jsonl"
expect "results follow the journal" "stage preliminary: 4 games, 5 agents" \
    "$("$WARG" standings "$work/contest" | head -n 1)"
sed -n 7p "$WARG_TEST_DATA/journal/journal.jsonl" | head -c 100 >>"$work/contest/journal.jsonl"
expect "a line that is being written" "stage preliminary: 4 games, 5 agents" \
    "$("$WARG" standings --rebuild "$work/contest" | head -n 1)"

# What can't be read is said with its place.
sed '3s/VILLAGER/WEREWOLF/' "$WARG_TEST_DATA/journal/journal.jsonl" >"$work/contest/journal.jsonl"
"$WARG" standings "$work/contest" >/dev/null 2>"$work/error"
expect "status of a damaged journal" 3 $?
expect "the damaged line" 1 "$(grep -c "journal.jsonl'.*(line 3)" "$work/error")"

# Also where results.db lies beside it that was made of the journal when it was whole, and though the
# damage changed neither its length nor its last line.
cp "$WARG_TEST_DATA/journal/journal.jsonl" "$work/contest/journal.jsonl"
"$WARG" standings "$work/contest" >/dev/null || failed=1
before=$(stat -c %Y.%i "$work/contest/results.db")
"$WARG" standings "$work/contest" >/dev/null || failed=1
expect "results of the same journal are not made anew" "$before" \
    "$(stat -c %Y.%i "$work/contest/results.db")"
sed '5s/WEREWOLF/werewolf/' "$WARG_TEST_DATA/journal/journal.jsonl" >"$work/contest/journal.jsonl"
for table in "" --faults --ratings; do
    out=$("$WARG" standings $table "$work/contest" 2>"$work/error")
    expect "status of a journal that was damaged later $table" 3 $?
    expect "no figures of it $table" "" "$out"
    expect "the line that was damaged $table" 1 \
        "$(grep -c "journal.jsonl'.*the line is damaged.*(line 5)" "$work/error")"
done
"$WARG" standings "$work/none" 2>/dev/null
expect "status of a folder that is not there" 3 $?
mkdir "$work/empty"
"$WARG" standings "$work/empty" 2>/dev/null
expect "status of a folder without a contest" 2 $?
"$WARG" standings --stage 7 "$work/contest/results.db" 2>"$work/error"
expect "status of a stage that is not there" 2 $?
expect "the stages that there are" 1 "$(grep -c '0 (preliminary)' "$work/error")"
"$WARG" standings --rebuild "$work/contest/results.db" 2>/dev/null
expect "status of --rebuild with a file" 2 $?
"$WARG" standings 2>/dev/null
expect "status without a folder" 2 $?
"$WARG" standings "$WARG" 2>/dev/null
expect "status of a file that is no database" 3 $?

exit $failed
