#!/usr/bin/env bash
# One agent never ends a game: whatever it does at whatever request, every game is played to its
# end, logs are legal, the fault is in faults.jsonl with its kind, and nobody else has one.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# Machines that run tests are busy: half a minute to answer, also where some of it is only counted. Who is to
# answer nothing has a second.
cat >patient.yml <<END
ruleset: aiwolf-2021
contest: {time_limit_ms: 30000, time_limit_grace_ms: 0}
END
sed 's/30000/1000/' patient.yml >hasty.yml
sed 's/30000/100/; s/grace_ms: 0/grace_ms: 30000/' patient.yml >slow.yml
sed 's/grace_ms: 0/grace_ms: 0, role_request: true/' patient.yml >wishes.yml

# Most of the time is waiting: four at a time.
play()
{
    while (($(jobs -rp | wc -l) >= 4)); do wait -n; done
    play_one "$@" &
}

# play_one NAME AT WHAT KIND FATAL ROLE [OPTION...]: three games of fifteen with one bad agent, which
# must leave faults of this kind (or none at all: KIND none) at this request.
play_one()
{
    local name=$1 at=$2 what=$3 kind=$4 fatal=$5 role=$6
    shift 6
    timeout 200 "$WARG" run -q -n 15 -g 3 -s 1 --rules patient.yml --startup-limit 20s -o "$name" -a 'bot:sample*13' --roles "bad=$role" \
        -a "name=bad,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at $at --do $what" \
        "$@" --format json >"$name.json" 2>"$name.err" ||
        (($? == 6)) || # it has failed in its first game, so that it played none itself
        fail "$name: stderr: $(cat "$name.err")"
    python3 - "$name" "$at" "$kind" "$fatal" <<'END' || fail "$name: $(cat "$name/faults.jsonl")"
import json, sys
name, at, kind, fatal = sys.argv[1:]
result = json.load(open(name + ".json"))
assert result["games"] == 3, result["games"]
faults = [json.loads(line) for line in open(name + "/faults.jsonl")]
assert all(f["agent"] == "bad" for f in faults)
here = [f for f in faults if f["kind"] == kind]
if kind == "none":
    assert not faults
elif kind == "any":
    assert faults
else:
    assert here, "no fault of this kind"
    assert here[0]["fatal"] == (fatal == "fatal")
    # An agent that ends between two requests is noticed at the next one, or before it.
    unasked = at in ("INITIALIZE", "FINISH", "DAILY_FINISH") or name[:4] in ("twic", "last")
    assert unasked or here[0]["request"] == at, here[0]
    if fatal == "fatal":
        assert len([f for f in faults if f["fatal"]]) == 1
games = [json.loads(line) for line in open(name + "/journal.jsonl")]
games = [g for g in games if g["record"] == "game"]
assert len(games) == 3
failed = [any(s.get("failed") for s in g["seats"]) for g in games]
assert fatal == "either" or any(failed) == (fatal == "fatal"), failed
END
    "$WARG" log check --quiet "$name/logs" >"$name.check" 2>&1 || fail "$name: $(cat "$name.check")"
}

role_of()
{
    case $1 in
    WHISPER | ATTACK) echo WEREWOLF ;;
    DIVINE) echo SEER ;;
    GUARD) echo BODYGUARD ;;
    *) echo VILLAGER ;;
    esac
}

# ---- every request, every way to fail ----

requests='NAME TALK WHISPER VOTE DIVINE GUARD ATTACK' targets='VOTE DIVINE GUARD ATTACK'
is_sanitized && requests='NAME TALK VOTE' targets='VOTE ATTACK' # the others are read by the same lines
for at in $requests; do
    role=$(role_of $at)
    play "kill-$at" $at kill disconnect fatal "$role"
    play "close-$at" $at close disconnect fatal "$role"
    silent=(--rules hasty.yml)
    [[ $at == NAME ]] && silent=(--startup-limit 2s)
    play "hang-$at" $at hang timeout fatal "$role" "${silent[@]}"
    play "half-$at" $at half timeout fatal "$role" "${silent[@]}"
    play "long-$at" $at long malformed fatal "$role"
done
play exit-VOTE VOTE exit disconnect fatal VILLAGER
wait
grep -q 'exit status 3' exit-VOTE.err || fail "a crash is told with its exit status"
grep -q '^    bad agent: the cat is on the keyboard$' exit-VOTE.err || fail "a crash is told with its last lines, tabs as blanks"
grep -rq 'the cat is on the keyboard' exit-VOTE/agents/bad || fail "what an agent prints is kept"
grep -q 'SIGKILL\|signal 9' kill-VOTE.err || fail "a signal is told: $(cat kill-VOTE.err)"

# ---- at packets that have no answer ----

play init-kill INITIALIZE kill disconnect fatal VILLAGER
play finish-kill FINISH kill disconnect fatal VILLAGER
# What is sent then may come before the next request goes out, or behind it: then it can't be told
# from an answer, and only its content is odd.
play init-early INITIALIZE early any either VILLAGER
play night-early DAILY_FINISH early any either VILLAGER

# ---- answers one line early ----

for at in NAME TALK VOTE; do
    play "early-$at" $at early early fatal VILLAGER
done
# A second answer while the vote waits for somebody else.
play twice-VOTE VOTE twice early fatal VILLAGER --rules slow.yml \
    -a "name=slow,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do slow" --rules slow.yml

# ---- odd answers are played as no target or Skip, and the agent plays on ----

for at in $targets; do
    play "garbage-$at" $at garbage malformed counted "$(role_of $at)"
    play "binary-$at" $at binary malformed counted "$(role_of $at)"
    play "index-$at" $at index none counted "$(role_of $at)"
done
# Lines end as Java's do: the answer is taken, and that no other one can follow is told at the next.
play cr-TALK TALK cr none counted VILLAGER
play cr-VOTE VOTE cr none counted VILLAGER
play last-TALK TALK last disconnect fatal VILLAGER
play foreign-TALK TALK foreign violation counted VILLAGER
play binary-TALK TALK binary violation counted VILLAGER
play foreign-WHISPER WHISPER foreign violation counted WEREWOLF
play slow-VOTE VOTE slow none counted VILLAGER --rules slow.yml
wait
grep -q '"excesses":' slow-VOTE/journal.jsonl || fail 'answers over the limit are counted'

wait

# ---- asks that do not depend on each other go out side by side ----

# Each waits with its vote until another one was asked for the same.
mkdir asked
timeout 200 "$WARG" run -q -n 15 -g 1 -s 1 -o beside --time-limit 30s --startup-limit 60s \
    -a "name=pair,copies=15,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do pair --with '$work/asked'" \
    >beside.txt 2>beside.err || fail "fifteen who wait for each other: $(cat beside.err)"
votes=$(grep -c ',vote,' beside/logs/000.log)
((votes >= 30)) || fail "fifteen who wait for each other: $votes votes"
[[ ! -s beside/faults.jsonl ]] || fail "they were asked one after another: $(head -n 3 beside/faults.jsonl)"

# ---- role requests, as the old server's defaults have them ----

play role-kill ROLE kill disconnect fatal VILLAGER --rules wishes.yml
play role-garbage ROLE garbage none counted VILLAGER --rules wishes.yml
wait

# ---- the other policies ----

for policy in forfeit-set abort-game; do
    timeout 200 "$WARG" run -q -n 5 -g 4 -s 1 -o $policy --time-limit 30s --startup-limit 60s -a 'bot:sample*4' --on-fault $policy \
        -a "name=bad,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do kill --after 1" \
        --format json >$policy.json 2>$policy.err || (($? == 6)) || fail "$policy: $(cat $policy.err)"
done
[[ $(grep -c '"record":"game"' forfeit-set/journal.jsonl) -lt 4 ]] || fail 'forfeit-set ends the set'
grep -q '"reason":"aborted"' forfeit-set/journal.jsonl || fail 'forfeit-set aborts the game'
[[ $(grep -c '"record":"game"' abort-game/journal.jsonl) == 4 ]] || fail 'abort-game goes on'
[[ $(grep -c '"reason":"aborted"' abort-game/journal.jsonl) == 1 ]] || fail 'abort-game aborts one'

# ---- agents that can't be started ----

timeout 60 "$WARG" run -q -n 5 -g 2 -s 1 -o nothing -a 'bot:sample*4' \
    -a 'name=bad,cmd=exec /no/such/program {port}' >nothing.txt 2>nothing.err
(($? == 6)) || fail "a program that is not there ends the set: $(cat nothing.err)"
grep -q 'exit status 127' nothing.err || fail "a program that is not there: $(cat nothing.err)"

# ---- everything that was started is stopped ----

until_true "$patience" no_agents 'bad_agent.py.*-h 127.0.0.1' ||
    fail "left: $(own_agents 'bad_agent.py.*-h 127.0.0.1')"
finish
