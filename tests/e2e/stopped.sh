#!/usr/bin/env bash
# Whose fault a late answer is, on a machine that has other things to do.
#
# What came in time is in time: a warg that stands still for longer than the limit, stopped here as a
# laptop or a busy machine may do it, finds the answers that came meanwhile and blames nobody.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# ---- as many tables as there is room for: at least one, and all sets are played ----

"$WARG" run -q -n 5 -g 1 --sets 4 -s 1 --time-limit 20s --startup-limit 60s -o auto --tables auto --format json \
    -a "name=agent,copies=5,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name}" \
    >run.json 2>run.err || fail "--tables auto: $(cat run.err)"
[[ $(grep -c '"record":"game"' auto/journal.jsonl) == $(grep -o '"games":[0-9]*' run.json | head -1 | cut -d : -f 2) ]] ||
    fail "--tables auto: $(cat run.json)"
"$WARG" run -n 5 -g 1 -a 'bot:sample*5' --tables auto >run.out 2>run.err || fail "--tables auto: $(cat run.err)"
[[ $(grep -cE '^(up to )?[0-9]+ tables? at a time \([0-9]+ processor' run.err) == 1 ]] ||
    fail "--tables auto says how many: $(cat run.err)"
"$WARG" run -q -n 5 -g 1 -a 'bot:sample*5' --tables many 2>run.err
(($? == 2)) || fail '--tables many is refused'
grep -q 'or auto' run.err || fail "--tables many: $(cat run.err)"

# ---- a warg that is stopped ----

cat >rules.yml <<END
ruleset: aiwolf-2021
contest: {time_limit_ms: 600, time_limit_grace_ms: 0}
END
"$WARG" run -q -n 5 -g 100000 -s 1 --rules rules.yml --startup-limit 60s -o out --format json \
    -a "name=agent,copies=5,cmd=exec '$WARG' bot aiwolf -h {host} -p {port} -n {name}" \
    >run.json 2>run.err &
warg=$! server=$!
await_games 3 out
# Fast agents, so that it is stopped at work and not only where it waits.
for _ in $(seq 20); do
    kill -STOP "$warg"
    sleep 0.8
    kill -CONT "$warg"
    sleep "0.0$((RANDOM % 10))"
done
before=$(grep -c '"record":"game"' out/journal.jsonl)
await_games $((before + 3)) out
kill -INT "$warg"
wait "$warg"
[[ ! -s out/faults.jsonl ]] || fail "nobody is at fault: $(wc -l <out/faults.jsonl) faults: $(head -3 out/faults.jsonl)"
! grep -q '"failed":true' out/journal.jsonl || fail 'no substitute played'
finish
