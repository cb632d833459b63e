#!/usr/bin/env bash
# warg log: check, stats, show and doc on logs of real servers.
set -u
logs=$WARG_TEST_DATA/aiwolf-logs
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
failed=0

expect() { # what, wanted, found
    if [ "$2" != "$3" ]; then
        printf '%s: expected\n%s\nfound\n%s\n' "$1" "$2" "$3"
        failed=1
    fi
}

out=$("$WARG" log check "$logs/java-server/5p-game0001.log.gz")
expect "status of a legal log" 0 $?
expect "a legal log" "$logs/java-server/5p-game0001.log.gz: ok (aiwolf-2019, aiwolf-2021, aiwolf-server)" "$out"

out=$("$WARG" log check "$logs" --json | grep -c '"ok":true')
expect "legal logs by any rules we know" 98 "$out" # all but options-a, which has rules of its own

out=$("$WARG" log check --rules "$logs/../rules/options-a.yml" "$logs/wire/options-a-15p.log.gz")
expect "status by a rules file" 0 $?
expect "rules of a file" "$logs/wire/options-a-15p.log.gz: ok (options-a.yml)" "$out"

gzip -dc "$logs/java-server/5p-game0001.log.gz" | sed 's/^\(.*result.*\),[A-Z]*$/\1,OTHERS/' >"$work/bad.log"
gzip -dc "$logs/java-server/5p-game0001.log.gz" | head -n 40 >"$work/short.log"
out=$("$WARG" log check "$work")
expect "status of an illegal log" 1 $?
expect "summary" "2 logs: 0 ok, 1 truncated, 1 not legal" "$(tail -n 1 <<<"$out")"

"$WARG" log check "$work/none.log" 2>"$work/error"
expect "status of a missing file" 3 $?

out=$("$WARG" log stats --format csv "$logs/java-server" | head -n 1 | cut -d, -f1-4)
expect "head of the CSV" "agent,games,wins,win_rate" "$out"

out=$("$WARG" log show --seat 1 "$logs/contests/anac2020_15p_0025.log.gz" | grep -c WEREWOLF)
all=$("$WARG" log show "$logs/contests/anac2020_15p_0025.log.gz" | grep -c WEREWOLF)
expect "a seat sees less than everything" 1 $((out < all))
out=$("$WARG" log show --color always "$logs/java-server/5p-game0001.log.gz" | grep -c $'\033')
expect "colours when asked for" 1 $((out > 0))

# The natural-language division.
nlp=$WARG_TEST_DATA/nlp-logs
wire=$WARG_TEST_DATA/nlp-wire
out=$("$WARG" log check "$nlp" "$wire" | tail -n 1)
expect "logs of the natural-language division" "97 logs: 97 ok, 0 not legal" "$out"
out=$("$WARG" log check --json "$nlp/jsai2026_truck_freeform5_game6.log" | grep -o '"division":.*"')
expect "the division" '"division":"natural-language, speak-anytime"' "$out"
sed '/,execute,/s/execute,[0-9]*/execute,9/' "$nlp/jsai2026_truck9_game1.log" >"$work/changed.log"
"$WARG" log check "$work/changed.log" >"$work/error"
expect "status of a changed one" 1 $?
out=$("$WARG" log stats --format csv "$nlp" | grep '^CamelliaDragons,' | cut -d, -f1-3)
expect "figures by team" "CamelliaDragons,20,12" "$out"
out=$("$WARG" log show "$wire/next-05p-turn-01.log.json.gz" | grep -c 'エレナ')
expect "a JSON log is shown with names" 1 $((out > 5))

out=$("$WARG" log show --seat 3 "$wire/05p-plain-01.realtime.jsonl.gz" | grep -c 'エレナ')
expect "a viewer's packets are shown" 1 $((out > 5))

# Documents.
game=$logs/java-server/5p-game0001.log.gz
expect "a whole document" '{"format":"warg-game","version":1,"id":"5p-game0001",' "$("$WARG" log doc "$game" | head -c 53)"
expect "fewer see less" 1 $(($("$WARG" log doc --view public "$game" | wc -l) < $("$WARG" log doc --view seat:1 "$game" | wc -l)))
expect "the village is told of no divination" 0 "$("$WARG" log doc --view public "$game" | grep -c '"kind":"divine"')"
expect "nor of a role before the end" 0 "$("$WARG" log doc --view public "$game" | sed '/"kind":"end"/,$d' | grep -c '"seat":[0-9]*,"role"')"
expect "who was told" 1 $(($("$WARG" log doc "$game" | grep '"kind":"divine"' | grep -c '"to":\[') > 0))
cp "$nlp/jsai2026_truck5_game1.log" "$work/redhood1_maverick1.log"
expect "hidden names" 0 "$("$WARG" log doc --names hidden "$work/redhood1_maverick1.log" | grep -c 'redhood\|maverick')"
expect "a round of a session" '"session":{"id":"golden","round":2,' \
    "$("$WARG" log doc --round 2 "$WARG_TEST_DATA/maw/session-shown.jsonl" | grep -o '"session":{"id":"golden","round":[0-9],')"
"$WARG" log doc --round 3 "$WARG_TEST_DATA/maw/session-shown.jsonl" >"$work/none" 2>&1
expect "status of a round that is not there" 1 $(($? > 0))
"$WARG" log doc --view seat:6 "$game" >"$work/none" 2>&1
expect "status of a seat that is not there" 2 $?
"$WARG" log doc --view seat:06 "$game" >"$work/none" 2>&1
expect "status of no view" 2 $?

# One that can't be read hides none of the others; a pipe is no log; a log can't move the cursor.
mkdir "$work/mixed"
cp "$logs/java-server/5p-game0001.log.gz" "$work/mixed/a.log.gz"
ln -s nowhere "$work/mixed/b.log"
mkfifo "$work/mixed/c.log"
printf '0,status,1,SEER,ALIVE,\033[2Jx\302\233y\n0,\033[31mtalk,x\n' >"$work/mixed/d.log"
out=$(timeout 20 "$WARG" log check "$work/mixed" 2>/dev/null)
expect "status with one that can't be read" 3 $?
expect "logs that were looked at" 3 "$(grep -c "^$work/mixed" <<<"$out")"
expect "no escape sequences" 0 "$(grep -cP '\x1b|\xc2\x9b' <<<"$out")"

exit $failed
