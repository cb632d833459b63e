#!/usr/bin/env bash
# `warg run`: the same seed gives the same games on any number of threads and with any compiler,
# results are what the logs say, mistakes are explained, and Ctrl-C loses nothing.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

digest()
{
    (cd "$1" && find . -type f | LC_ALL=C sort | xargs sha256sum) | sha256sum | cut -c 1-16
}

golden=$here/../golden

# ---- the same games everywhere ----

while read -r rules players want; do
    for jobs in 1 2; do
        expect 0 "$rules" "$WARG" run --rules "$rules" --players "$players" --games 40 --seed 11 \
            --agent "bot:random*$players" --jobs "$jobs" --log-dir "$rules-$jobs" --format csv
        grep -v games_per_s out.txt >"$rules-$jobs.csv"
        got=$(digest "$rules-$jobs")
        [[ $got == "$want" ]] || fail "$rules with $jobs threads: logs have digest $got, not $want"
    done
    expect 0 "$rules: its logs are legal by its rules" "$WARG" log check --rules "$rules" "$rules-1"
    cmp -s "$rules-1.csv" "$rules-2.csv" || fail "$rules: results depend on the number of threads"
done <"$golden/run-digests.txt"

expect 0 'one thread' "$WARG" run -n 15 -g 30 -s 5 -j 1 -l one --gzip -q
expect 0 'two threads' "$WARG" run -n 15 -g 30 -s 5 -j 2 -l two --gzip -q
diff -r one two >/dev/null || fail 'compressed logs of sample bots depend on the number of threads'
[[ $(find one -name '*.log.gz' | wc -l) == 30 ]] || fail 'one log per game'
expect 0 'logs are legal' "$WARG" log check one
expect 0 'stats of logs' "$WARG" log stats one --format csv
grep -v games_per_s out.txt >stats.csv
expect 0 'results of the games' "$WARG" run -n 15 -g 30 -s 5 --format csv -q
grep -v games_per_s out.txt | diff - stats.csv || fail 'log stats differ from the results of run'

# ---- seeds ----

# Keys and commitments: keys.sh.
expect 0 'seed' "$WARG" run -n 5 -g 10 --seed 77 -l seeded
[[ $err == *'seed 77 is for trials'* ]] || fail "a seed that can be guessed is not called so: $err"
expect 0 'replay' "$WARG" run -n 5 -g 10 --replay 77 -l replay -q
diff -r replay seeded >/dev/null || fail '--replay gives other games than --seed'

# ---- the JSON result ----

expect 0 'json' "$WARG" run -a 'bot:sample*4 bot:random,name=bob' --roles bob=SEER -g 50 -s 3 \
    --format json -q
python3 - out.txt <<'END' || fail 'json lacks something'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["games"] == 50 and r["games_per_s"] > 0 and 2 <= r["mean_days"] <= 4
assert 0 <= r["villager_win_rate"] <= 1
agents = {a["name"]: a for a in r["agents"]}
assert set(agents) == {"sample", "bob"}
bob = agents["bob"]
assert bob["games"] == 50 and bob["roles"] == {"SEER": bob["roles"]["SEER"]}
assert bob["roles"]["SEER"]["games"] == 50 and bob["roles"]["SEER"]["wins"] == bob["wins"]
assert bob["low"] <= bob["win_rate"] == bob["wins"] / 50 <= bob["high"]
assert agents["sample"]["games"] == 200
assert sum(x["games"] for x in agents["sample"]["roles"].values()) == 200
END
[[ -z $err ]] || fail "json run prints on stderr: $err"

# ---- rules as a file ----

for name in $("$WARG" rules list --format csv | tail -n +2 | cut -d , -f 1); do
    "$WARG" rules show "$name" >"$name.yml" || fail "rules show $name"
    "$WARG" rules show "$name.yml" | cmp -s - "$name.yml" || fail "$name.yml reads back otherwise"
    expect 0 "run by $name.yml" "$WARG" run --rules "$name.yml" -g 5 -s 1 -l "file-$name" -q
    expect 0 "run by $name" "$WARG" run --rules "$name" -g 5 -s 1 -l "name-$name" -q
    diff -r "file-$name" "name-$name" >/dev/null || fail "$name.yml plays other games than $name"
done
printf 'ruleset: aiwolf-2021\nvote:\n  ronuds: 1\n' >typo.yml
expect 2 'typo in a file' "$WARG" run --rules typo.yml
[[ $err == *"'ronuds'"*"'rounds'"*'line 3'* ]] || fail "typo: $err"

# ---- mistakes ----

expect 2 'unknown ruleset' "$WARG" run --rules aiwolf-2022
[[ $err == *aiwolf-2021* ]] || fail "unknown ruleset: $err"
expect 2 'unknown bot' "$WARG" run --agent bot:smaple
[[ $err == *bot:sample* ]] || fail "unknown bot: $err"
expect 2 'no such table' "$WARG" run --rules nlp-turn --players 6
[[ $err == *'5 9 13'* ]] || fail "no such table: $err"
expect 2 'too many agents' "$WARG" run --players 5 --agent 'bot:random*6'
expect 2 'too many seers' "$WARG" run -a 'bot:random,name=a*2 bot:sample*3' --roles a=SEER
expect 2 'unknown role' "$WARG" run -n 5 --roles sample=CLOWN
expect 2 'unknown name' "$WARG" run -n 5 --roles smaple=SEER
expect 2 'no games' "$WARG" run --games 0
expect 2 'two seeds' "$WARG" run --seed 1 --replay 2
touch file
expect 3 'a file where a folder should be' "$WARG" run -n 5 -g 2 --log-dir file/logs -q
expect 3 'logs that can not be written' "$WARG" run -n 5 -g 2 --log-dir /proc -q

expect 2 'a folder with logs' "$WARG" run -n 5 -g 2 --log-dir one -q
expect 2 'a name that would move the cursor' "$WARG" run -n 5 -a $'bot:sample,name=x\xc2\x9b31m'

# A file that may not grow: the games until then are told, nothing is half written, 3 is returned.
(ulimit -f 8 && exec "$WARG" run -n 15 -g 20 -s 1 -j 1 -l limited) >out.txt 2>err.txt
(($? == 3)) || fail 'a log that can not be written ends with status 3'
[[ -z $(find limited -name '*.tmp') ]] || fail 'half a log is left'

# A link in place of a temporary file is not written through.
echo precious >victim
mkdir linked && ln -s ../victim linked/000.log.tmp
expect 0 'a link in the way' "$WARG" run -n 5 -g 1 -s 1 -l linked -q
[[ $(cat victim) == precious && ! -L linked/000.log ]] || fail 'a link was written through'

# Rules that never end a game, and rules whose last deaths come at dawn: their logs are legal.
printf 'vote: {rounds: 0}\nattack: {rounds: 0}\n' >endless.yml
printf 'vote: {effect: morning}\nend: {check: death}\n' >morning.yml
printf 'night_phases: []\nend: {max_day: 3}\n' >talk.yml
for rules in endless morning talk; do
    expect 0 "$rules.yml" "$WARG" run --rules $rules.yml -n 5 -a 'bot:random*5' -g 2 -s 1 -q -l $rules
    expect 0 "logs of $rules.yml" "$WARG" log check --rules $rules.yml $rules
done
[[ $(tail -n 1 morning/000.log | cut -d , -f 1) -lt 10 ]] || fail 'morning.yml does not end'

# ---- Ctrl-C ----

"$WARG" run -n 15 -g 100000000 -s 1 -l interrupted -q >out.txt 2>err.txt &
pid=$!
some_logs_are_there()
{
    compgen -G 'interrupted/*3.log' >/dev/null
}
until_true "$patience" some_logs_are_there || fail "no logs: $(cat err.txt)"
kill -INT "$pid"
wait "$pid"
(($? == 130)) || fail 'an interrupted run ends with status 130'
games=$(grep -oE '^[0-9,]+ games' out.txt | tr -d ', games')
logs=$(find interrupted -name '*.log' | wc -l)
[[ $games == "$logs" ]] || fail "interrupted: $games games counted, $logs logs written"
[[ -z $(find interrupted -name '*.tmp') ]] || fail 'interrupted: half a log is left'
rm -rf interrupted

finish
