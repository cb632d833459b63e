#!/usr/bin/env bash
# Agents of the AIWolf protocol division at a MAW table: programs that know nothing of MAW play whole
# rounds, and whatever one of them does it hurts only itself.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# has TEXT WHAT
has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

bee="exec '$WARG' bot aiwolf -h {host} -p {port} -n {name}"
printf 'ruleset: maw\nmax_days: 4\nscores_s: 1\n' >quick.yml
table=("$WARG" maw --rules quick.yml --seed 5 --startup-limit 60s)
# Machines that run tests are busy: an answer may take long, though phases are short.
short=(--day-s 3 --night-s 2)
patient=(--time-limit 20s)

# ---- whole rounds ----

# Most of the time is waiting: beside what follows.
six_agents()
{
    timeout 200 "${table[@]}" "${short[@]}" "${patient[@]}" --rounds 2 --out six \
        --agent "name=bee,copies=5,cmd=$bee" --agent "$bee --bot random" >six.txt 2>six.err ||
        fail "six agents: exit status $?"
    [[ $(own_words six.err) == '' ]] || fail "six agents: $(cat six.err)"
    grep -q 'agent:agent6' six.txt || fail "a command without cmd=: $(cat six.txt)"
    [[ $(grep -c '^Agent .*: asked' six.txt) == 6 ]] || fail "six lines of figures: $(cat six.txt)"
    "$WARG" log check --quiet six/session.jsonl || fail 'six agents: the record'
    [[ $(find six/agents -type f | wc -l) == 6 ]] || fail 'what six agents print is kept'
    python3 - six <<'END' || fail 'the record of six agents'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1] + "/session.jsonl")]
kinds = [e["kind"] for e in events if e["event"] == "seat"]
assert sorted(kinds) == ["agent:agent6"] + ["agent:bee"] * 5, kinds
names = {e["name"] for e in events if e["event"] == "seat"}
lines = [e for e in events if e["event"] == "line" and e.get("name")]
assert lines, "nobody speaks"
assert not [e for e in lines if "Agent[" in e["text"]], "names, not numbers"
assert not [e for e in lines if e["text"] in ("Skip", "Over")]
assert [e for e in lines if any(name in e["text"] for name in names)], "nobody is spoken of"
assert [e for e in events if e["event"] == "vote"]
assert len([e for e in events if e["event"] == "end_game"]) == 2
assert not [e for e in events if e["event"] == "fault"]
END
}
six_agents &

# A person at a terminal sees one of them as any other player.
a_person()
{
    echo 'Hello all' | timeout 200 "${table[@]}" "${short[@]}" "${patient[@]}" --me Ann --plain \
        --agent "copies=5,cmd=$bee" >person.txt 2>person.err || fail "a person: $(cat person.err)"
    grep -q 'Ann: Hello all' person.txt || fail "what a person says: $(cat person.txt)"
    [[ $(grep -c '^Agent agent1 ' person.txt) == 5 ]] || fail "a person: $(cat person.txt)"
    sed '/^rank/,$d' person.txt | grep -q 'agent1' && fail 'a person is told who is an agent'
}
a_person &

# ---- agents that misbehave ----

# broken NAME AT WHAT KIND [OPTION...]: one bad agent among bots and a good one; KIND none: it is
# not failed by it.
broken()
{
    local name=$1 at=$2 what=$3 kind=$4 status wanted
    shift 4
    timeout 200 "${table[@]}" "${short[@]}" --out "$name" --agent "name=good,cmd=$bee" \
        --agent "name=bad,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at $at --do $what" \
        "$@" >"$name.txt" 2>"$name.err"
    status=$?
    if [[ $at == NAME ]]; then wanted=6; else wanted=0; fi # it has never played
    ((status == wanted)) || fail "$name: exit status $status: $(cat "$name.err")"
    grep '^Agent good ' "$name.txt" | grep -qv failed || fail "$name: the good one: $(cat "$name.txt")"
    if [[ $kind == none ]]; then
        grep -q '^Agent bad .*failed' "$name.txt" && fail "$name: failed: $(cat "$name.txt")"
    else
        grep -q "^Agent bad .*failed: $kind at $at.*a rule decided" "$name.txt" ||
            fail "$name: $(cat "$name.txt" "$name.err")"
        grep -q "^warg maw: agent bad failed: $kind" "$name.err" || fail "$name: not told at once"
        # Before it has a seat nothing of it stands in the record.
        [[ $at == NAME ]] || grep -q "\"event\":\"fault\".*\"fault\":\"$kind\"" "$name/session.jsonl" ||
            fail "$name: not in the record"
        [[ $at == NAME ]] || grep -q "\"kind\":\"agent\".*\"$kind\":1" "$name/journal.jsonl" ||
            fail "$name: not in the journal: $(cat "$name/journal.jsonl")"
    fi
    "$WARG" log check --quiet "$name/session.jsonl" || fail "$name: its record"
}

broken crash TALK exit disconnect "${patient[@]}" &
# Two rounds: who is executed before its first vote is asked for one in the other.
broken close VOTE close disconnect "${patient[@]}" --rounds 2 &
broken hang VOTE hang timeout --time-limit 3s --rounds 2 &
broken early TALK early early "${patient[@]}" &
broken garbage VOTE garbage none "${patient[@]}" &
broken noname NAME exit disconnect "${patient[@]}" &
wait
grep -q 'its process ended, exit status 3' crash.err || fail "how it ended: $(cat crash.err)"

# ---- killed in mid-round ----

"${table[@]}" --day-s 8 --night-s 2 "${patient[@]}" --out killed --agent "name=bee,copies=2,cmd=$bee" \
    >killed.txt 2>killed.err &
game=$!
# By then each of them was asked something: who never was has not played, which is another matter.
await 'a vote' killed/session.jsonl '"event":"vote"'
kill -9 "$(own_agents '^[^ ]+ bot aiwolf' | head -n 1)" || fail 'nobody to kill'
wait "$game" || fail "killed: exit status $?: $(cat killed.err)"
grep -q 'killed by signal 9' killed.err || fail "killed: $(cat killed.err)"
grep -q '^Agent bee .*failed: disconnect' killed.txt || fail "killed: $(cat killed.txt)"
[[ $(grep -c '^Agent bee' killed.txt) == 2 ]] || fail "both are told of: $(cat killed.txt)"
[[ $(grep -c '; failed' killed.txt) == 1 ]] || fail "the other one plays on: $(cat killed.txt)"

# ---- an end before the end ----

"${table[@]}" "${short[@]}" --rounds 50 --agent "copies=2,cmd=$bee" >ended.txt 2>ended.err &
game=$!
await 'the first day' ended.txt 'Day 1'
kill -INT "$game"
wait "$game"
(($? == 130)) || fail "interrupted: $(cat ended.err)"
grep -q 'rank' ended.txt || fail "what was played counts: $(cat ended.txt)"
[[ -z $(own_agents '^[^ ]+ bot aiwolf') ]] || fail "agents were left behind: $(own_agents '^[^ ]+ bot aiwolf')"

# While they are still coming.
"$WARG" maw --agent 'cmd=echo here >came; exec sleep 1000 # {port}' >early.txt 2>early.err &
game=$!
await 'the start' came here
kill -INT "$game"
wait "$game"
(($? == 130)) || fail "interrupted while they come: $(cat early.err)"

# ---- what can't be ----

expect 2 'a built-in bot' "$WARG" maw --agent bot:sample
has 'warg bot aiwolf' 'a built-in bot'
expect 2 'more than seats' "$WARG" maw --players 3 --agent "copies=4,cmd=$bee"
has '4 players for 3 seats' 'more than seats'
expect 2 'no command' "$WARG" maw --agent 'cmd='
has 'no command' 'no command'
expect 2 'a word' "$WARG" maw --agent 'python3 agent.py'
has 'cmd=COMMAND' 'a word'

finish
