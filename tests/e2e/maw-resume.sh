#!/usr/bin/env bash
# warg maw --resume: what the command line says of a session that was killed, and an AIWolf agent in one.
# Kills over XMPP servers are in tests/person/test_maw_resume.c.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# rounds DIR: how often each round has ended, in the record and in the journal.
rounds()
{
    grep -o '"round":[0-9]*,"phase_no":[0-9]*,"event":"end_game"' "$1/session.jsonl" | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' '
    grep '"record":"game"' "$1/journal.jsonl" | grep -o '"game":[0-9]*' | sort | uniq -c | tr -s ' \n' ' '
}

# ---- simulated time: cut where a kill may cut ----

expect 0 'a session' "$WARG" maw --rounds 4 --seed 7 --id same --out whole
want=$(rounds whole)
[[ $(grep -o ' 1 ' <<<"$want" | wc -l) == 8 ]] || fail "rounds of a whole session: $want"
bytes=$(stat -c %s whole/session.jsonl)
for at in $((bytes / 3)) $((bytes / 2)) $((bytes * 9 / 10)); do
    rm -rf cut
    cp -r whole cut
    truncate -s "$at" cut/session.jsonl
    games=$(grep -c '"event":"end_game"' cut/session.jsonl)
    sed -i "$((games + 1)),\$d" cut/journal.jsonl # the last of them was not on disk yet
    expect 0 'going on' "$WARG" maw --resume cut
    [[ $(rounds cut) == "$want" ]] || fail "cut at $at: $(rounds cut); expected $want"
    [[ $err == *'the last line of session.jsonl was not whole, and is cut off'* ]] || fail "a cut line: $err"
    [[ $err == *'going on: of 4 rounds'* && $out == *'rank'* ]] || fail "what is told at $at: $out $err"
    expect 0 'its record' "$WARG" log check cut
done
points=$(sed 's/.*"points"://' cut/leaderboard.json)
grep '"event":"resumed"' cut/session.jsonl >resumed
grep -qE '"role"|"seed"' resumed && fail "secrets: $(cat resumed)"
"$WARG" log show cut | grep -q 'The game master was gone: the session is gone on with' || fail 'log show'

expect 0 'one that is over' "$WARG" maw --resume cut --json
[[ $out == *'"rank":1'* && $(sed 's/.*"points"://' cut/leaderboard.json) == "$points" ]] || fail "over: $out"
[[ $(rounds cut) == "$want" ]] || fail "over, gone on with: $(rounds cut)"
mv cut moved
truncate -s $((bytes / 2)) moved/session.jsonl
expect 0 'a folder that was moved' "$WARG" maw --resume moved --quiet
[[ -e moved/leaderboard.json && ! -e cut ]] || fail 'a moved session writes where it is'

# Nothing of it was on disk: it begins.
rm -rf cut
cp -r whole cut
truncate -s 30 cut/session.jsonl
: >cut/journal.jsonl
expect 0 'one that had not begun' "$WARG" maw --resume cut
[[ $(rounds cut) == "$want" ]] || fail "begun anew: $(rounds cut)"

# ---- what goes wrong ----

expect 2 'no session' "$WARG" maw --resume nowhere
[[ $err == *'expected the --out folder of a session'* ]] || fail "no session: $err"
expect 2 'other rounds' "$WARG" maw --resume whole --rounds 9
[[ $err == *'--resume and --rounds exclude each other'* ]] || fail "other rounds: $err"
expect 2 'other rules' "$WARG" serve maw rules.yml --resume whole
[[ $err == *"--resume and 'rules.yml' exclude each other"* ]] || fail "other rules: $err"
expect 2 'a wait for nothing' "$WARG" maw --wait 1m
[[ $err == *'--wait without --resume'* ]] || fail "a wait for nothing: $err"
expect 2 'the folder again' "$WARG" maw --out whole
[[ $err == *'go on with it: --resume whole'* ]] || fail "the folder again: $err"
cp -r whole other
sed -i '0,/"event":"vote"/s//"event":"vase"/' other/session.jsonl
cp other/session.jsonl before
expect 3 'another record' "$WARG" maw --resume other
[[ $err == *'session.jsonl, line '*"can't be gone on with"* ]] || fail "another record: $err"
cmp -s other/session.jsonl before || fail 'a record that does not replay was changed'

# ---- an agent of the protocol division ----

launch out1 err1 "$WARG" maw --players 5 --day-s 3 --night-s 2 --rounds 2 --time-limit 20s --startup-limit 60s --out agents \
    --agent "name=ann,copies=2,cmd=$WARG bot aiwolf --host {host} --port {port} --name {name}"
await 'a vote of the first day' agents/session.jsonl '"event":"phase_end"'
kill -9 "$server"
wait "$server" 2>/dev/null
expect 0 'agents come back' "$WARG" maw --resume agents
grep -q 'Agent ann' out.txt || fail "the agents: $(cat out.txt err.txt)"
grep -q '"event":"fault"' agents/session.jsonl && fail "faults: $(grep fault agents/session.jsonl)"
expect 0 'the record of agents' "$WARG" log check agents
(($(grep -c '"event":"end_game"' agents/session.jsonl) == 2)) || fail 'rounds with agents'
finish
