#!/usr/bin/env bash
# `warg run --sprt --challenger`: a test plays until it is decided, comes to the same on any number
# of threads and when it was cut anywhere, and says what can't be tested.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# ---- decided, on any number of threads ----

# contest FILE CHALLENGER OTHERS: bob and four others, in short sets so that there are many.
contest()
{
    cat >"$1" <<END
agents:
  - {bot: $2, name: bob}
  - {bot: $3, copies: 4}
seed: 1
stages:
  - {name: final, players: 5, games_per_set: 10, sets: 1000}
END
}
contest good.yml sample random
contest bad.yml random sample
contest same.yml random random
good=(good.yml --challenger bob --sprt elo0=-100,elo1=0)
bad=(bad.yml --challenger bob --sprt elo0=0,elo1=50)
same=(same.yml --challenger bob --sprt elo0=0,elo1=40)
equal=(-a 'bot:random,name=bob bot:random*4' --challenger bob --sprt elo0=0,elo1=10 -n 5 -s 1)
options=(-a 'bot:random,name=bob bot:sample*4' --challenger bob --sprt elo0=0,elo1=20 -n 5 -s 1)

threads='1 2'
is_sanitized && threads=2 # that both play the same is a matter of figures
for jobs in $threads; do
    expect 0 "H1, $jobs threads" "$WARG" run "${good[@]}" -j $jobs -f csv -l "good-$jobs"
    grep -v games_per_s out.txt >"good-$jobs.csv"
    [[ $err == *$'\nSPRT: H1 accepted after '*' games: bob is less than 100 points worse than the others'* ]] ||
        fail "the result beside CSV: $err"
    expect 1 "H0, $jobs threads" "$WARG" run "${bad[@]}" -j $jobs -f csv -l "bad-$jobs" -q
    grep -v games_per_s out.txt >"bad-$jobs.csv"
    [[ -z $err ]] || fail "quiet CSV prints on stderr: $err"
done
for name in good bad; do
    is_sanitized && break
    cmp -s $name-1.csv $name-2.csv || fail "$name: the result depends on the number of threads"
    diff -r $name-1 $name-2 >/dev/null || fail "$name: the games depend on the number of threads"
done

expect 1 'the line under the table' "$WARG" run "${options[@]}" -q
line=$(grep '^SPRT' out.txt)
[[ $line == 'SPRT: H0 accepted after '*' games: bob is less than 20 points better than the others (elo0=0, elo1=20, LLR -'*' of -2.94)' ]] ||
    fail "the line under the table: $line"
[[ $(tail -n 1 out.txt) =~ ^'      '[-+][0-9]+' points (95 %: '[-+][0-9]+' to '[-+][0-9]+'); likelihood of superiority '[0-9.]+' %'$ ]] ||
    fail "points with their interval: $(tail -n 1 out.txt)"
expect 1 'json' "$WARG" run "${options[@]}" -q -f json
python3 - out.txt <<'END' || fail 'json lacks something'
import json, sys
result = json.load(open(sys.argv[1]))
sprt = result["sprt"]
assert sprt["challenger"] == "bob" and sprt["result"] == "H0"
assert (sprt["elo0"], sprt["elo1"], sprt["alpha"], sprt["beta"]) == (0, 20, 0.05, 0.05)
assert sprt["llr"] <= sprt["lower"] == -2.9444 and sprt["upper"] == 2.9444
assert sprt["games"] == 100 * sprt["sets"] and 4 <= sprt["sets"] < 30 and sprt["spread"] >= 1
assert sprt["games"] <= result["games"] < sprt["games"] + 500, result["games"]
assert sprt["elo_low"] < sprt["elo"] < sprt["elo_high"] < 20 and sprt["superiority"] < 0.5
END
expect 0 'no test, no line' "$WARG" run -n 5 -g 10 -s 1 -q
[[ $out != *SPRT* ]] || fail 'a run without a test talks of one'

expect 1 'points that the games leave open' "$WARG" run -n 5 --games-per-set 1 -g 4 -s 1 -q \
    -a 'bot:random,name=bob bot:random*4' --challenger bob --sprt elo0=0
[[ $(tail -n 1 out.txt) == '      its points: these games leave them open' ]] || fail "open points: $(tail -n 1 out.txt)"
expect 1 'open points in JSON' "$WARG" run -n 5 --games-per-set 1 -g 4 -s 1 -q -f json \
    -a 'bot:random,name=bob bot:random*4' --challenger bob --sprt elo0=0
[[ $out == *'"elo":null,"elo_low":null,"elo_high":null,"superiority":null'* ]] || fail "open points in JSON: $out"

# What substitutes play says nothing of the challenger: it has no rank, and the line under the result says why.
expect 6 'a challenger that never comes' timeout 60 "$WARG" run -n 5 --games-per-set 10 --sets 40 -s 1 -q \
    -a 'bot:sample*4' -a 'name=bob,cmd=exit 1' --challenger bob --sprt elo0=-200,elo1=0
[[ $out =~ 'a substitute played on for it in '([0-9]+)' of '([0-9]+)' games' && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] ||
    fail "a challenger that never comes: $out"

# ---- undecided at the limit ----

expect 1 'undecided' "$WARG" run "${equal[@]}" -g 3000 -q
line=$(grep '^SPRT' out.txt)
[[ $line == 'SPRT: undecided after 3,000 games: it is not clear whether bob is better than the others (elo0=0, elo1=10, LLR '*' of -2.94 to 2.94)' ]] ||
    fail "undecided: $line"
[[ $out == '3,000 games'* ]] || fail "the limit is kept: $(head -n 1 out.txt)"

# ---- resumed ----

expect 1 'kept' "$WARG" run "${same[@]}" -o whole -q
whole=$(grep '^SPRT' out.txt)
[[ $whole == 'SPRT: H0'* ]] || fail "two equal agents: $whole"
lines=$(wc -l <whole/journal.jsonl)
expect 1 'resumed when decided' "$WARG" run "${same[@]}" -o whole -q --resume
[[ $(grep '^SPRT' out.txt) == "$whole" ]] || fail "a decided test resumes as another: $(grep '^SPRT' out.txt)"
[[ $(wc -l <whole/journal.jsonl) == "$lines" ]] || fail 'a decided test goes on'
for at in 1 123 555 $((lines - 2)); do # in the first chunk, in the middle, before the last game
    mkdir "cut-$at"
    head -n "$at" whole/journal.jsonl >"cut-$at/journal.jsonl"
    expect 1 "resumed behind line $at" "$WARG" run "${same[@]}" -o "cut-$at" -q --resume -j 2
    [[ $(grep '^SPRT' out.txt) == "$whole" ]] || fail "cut at $at: $(grep '^SPRT' out.txt)"
    [[ $(wc -l <"cut-$at/journal.jsonl") == "$lines" ]] || fail "cut at $at: other games are played"
done
# Another test of the same games: narrower bounds, so it goes on.
expect 1 'resumed with another test' "$WARG" run same.yml --challenger bob \
    --sprt elo0=0,elo1=40,alpha=0.001,beta=0.001 -o cut-1 -q --resume
(($(wc -l <cut-1/journal.jsonl) > lines)) || fail 'a narrower test does not go on'

# ---- outside agents, table by table ----

# The first two sets are played at once; the others wait until the test was interrupted, however fast
# the machine is.
cat >outside.sh <<END
echo started >>'$work/starts'
[ "\$(wc -l <'$work/starts')" -le 2 ] || while [ ! -e '$work/go' ]; do sleep 0.05; done
exec python3 '$agents/bad_agent.py' -h "\$1" -p "\$2" -n outside --at NEVER
END
cat >contest.yml <<END
agents:
  - {name: outside, command: "exec sh '$work/outside.sh' {host} {port}"}
  - {bot: sample, copies: 4}
seed: 1
limits: {time_limit: 30s, startup: 60s}
stages:
  - {name: final, players: 5, games_per_set: 2, sets: 100}
END
outside=(contest.yml --sprt elo0=0,elo1=600 --challenger outside --tables 2 -o hall -q)
"$WARG" run "${outside[@]}" >cut.txt 2>err.txt &
pid=$!
await_games 2 hall # the first set
kill -INT "$pid"
wait "$pid"
(($? == 130)) || fail "an interrupted test with outside agents: $(cat err.txt)"
grep -q '^SPRT: undecided' cut.txt || fail "an interrupted test says so: $(grep '^SPRT' cut.txt)"
: >go
expect 1 'outside agents' timeout 200 "$WARG" run "${outside[@]}" --resume
[[ $(grep '^SPRT' out.txt) == 'SPRT: H0 accepted after '*': outside is less than 600 points better'* ]] ||
    fail "outside agents: $(grep '^SPRT' out.txt)"
games=$(grep -c '"record":"game"' hall/journal.jsonl)
((games >= 8 && games < 100)) || fail "outside agents: $games games of 200 are played"

# ---- asked of finished folders ----

# The same test comes to the same end behind the contest, and on a part of it by more folders.
expect 0 'a contest that is kept' "$WARG" run "${good[@]}" --out kept -q -f json
kept_end=$(sed 's/.*"sprt":{\([^}]*\)}.*/\1/' out.txt)
expect 0 'asked afterwards' "$WARG" standings kept --challenger bob --sprt elo0=-100,elo1=0 -f json
[[ $(sed 's/.*"sprt":{\([^}]*\)}.*/\1/' out.txt) == "$kept_end" ]] ||
    fail "afterwards the test ends otherwise: $out, was $kept_end"
for part in 1 2; do
    expect 0 "part $part" "$WARG" run -a 'bot:random,name=bob bot:sample*4' -n 5 --games-per-set 1 -g 300 \
        -s $part --out "part-$part" -q
done
expect 1 'several folders' "$WARG" standings part-1 part-2 --challenger bob --sprt elo0=0,elo1=100
[[ $out == *'SPRT: H0 accepted after '* ]] || fail "several folders: $out"
expect 1 'Japanese' "$WARG" standings --lang ja part-1 --challenger bob --sprt elo0=0,elo1=100
[[ $out == *'SPRT: '*' ゲームで'* ]] || fail "Japanese: $out"
expect 1 'CSV' "$WARG" standings part-1 part-2 --challenger bob --sprt elo0=0,elo1=100 -f csv
[[ $out != *SPRT* && $err == *'SPRT: H0 accepted'* ]] || fail "CSV: $out $err"
# Rounds of MAW sessions, and logs without a journal, are games as others are.
expect 0 'a session' "$WARG" maw --players 6 --rounds 6 --seed 1 --out session --quiet
name=$("$WARG" standings -f csv session | sed -n '2s/,.*//p')
for folder in session kept/logs; do
    who=bob
    [[ $folder == session ]] && who=$name
    [[ -d $folder ]] || continue
    "$WARG" standings $folder --challenger "$who" --sprt elo0=0 >out.txt 2>err.txt
    grep -q '^SPRT: ' out.txt || fail "$folder: $(cat out.txt err.txt)"
done

# ---- mistakes ----

expect 2 'a challenger that never played' "$WARG" standings part-1 --challenger bbo --sprt elo0=0
[[ $err == *"no agent of these games is called 'bbo'; did you mean 'bob'?"* ]] || fail "never played: $err"
expect 2 'a test without a challenger' "$WARG" standings part-1 --sprt elo0=0
expect 2 'two tables' "$WARG" standings part-1 --by kind --faults


mistake()
{
    local words=$1
    shift
    expect 2 "$words" "$WARG" run "$@" -q
    [[ $err == *"$words"* ]] || fail "expected '$words', found: $err"
}

mistake '--sprt needs --challenger' -n 5 --sprt elo0=0
mistake '--challenger needs --sprt' -n 5 --challenger sample
mistake "no agent is called 'bbo'; did you mean 'bob'?" "${options[@]}" --challenger bbo
mistake "the challenger 'bob' is always SEER" "${options[@]}" --roles bob=SEER
mistake "every agent is called 'sample'" -n 5 --challenger sample --sprt elo0=0
mistake "did you mean 'elo0'?" "${options[@]}" --sprt elo2=0
mistake 'it needs 400 or more' "${options[@]}" -g 300
mistake "alpha is a number over 0 and under 0.5" "${options[@]}" --sprt alpha=2
cat >two.yml <<END
agents:
  - {bot: sample, name: bob}
  - {bot: random, copies: 4}
stages:
  - {name: first, players: 5, sets: 40}
  - {name: final, players: 5, sets: 40}
END
mistake 'one stage, and the contest has 2' two.yml --challenger bob --sprt elo0=0

finish
