#!/usr/bin/env bash
# kill -9 at 20 moments of a contest with outside agents, then the same command with --resume: no
# game is lost, none is counted twice, and the result is that of a contest nobody has disturbed.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# Two sets of 30 games at two tables; the agents' play depends on the game alone.
cat >cup.yml <<END
contest: cup
rules:
  ruleset: aiwolf-2021
  contest: {games_per_set: 30}
seed: 9
agents:
  - {name: alice, command: "exec $WARG bot aiwolf --host {host} --port {port} --name {name} --seed 1 --wait 5s", copies: 1}
  - {name: bob, command: "exec $WARG bot aiwolf --host {host} --port {port} --name {name} --bot random --seed 2 --wait 5s"}
  - {bot: sample, name: carol, copies: 4}
stages:
  - {name: first, players: 5, sets: 4, games_per_set: 30}
  - {name: second, players: 5, sets: 2, games_per_set: 30}
limits: {time_limit: 30s, startup: 60s} # a busy machine makes nobody late
tables: 2
END

run()
{
    "$WARG" run cup.yml --format csv -q "$@"
}

results()
{
    "$WARG" standings "$1" --rebuild --stage first --format csv
    "$WARG" standings "$1" --stage second --format csv
}

time_ms()
{
    date +%s%3N
}

# The agents that warg has started and that are there still.
orphans()
{
    local pid
    for pid in $(pgrep -f 'bot aiwolf --host'); do
        [[ $(readlink "/proc/$pid/cwd") == "$work" ]] && echo "$pid"
    done
}

no_orphans()
{
    [[ -z $(orphans) ]]
}

# They end with the server, even when it is killed: their connection is gone. One that had none yet
# calls for five seconds, and the next server may be given its port for another agent.
await_orphans()
{
    until_true "$patience" no_orphans || fail "agents are left: $(orphans)"
}

start=$(time_ms)
if ! run --out whole >whole.csv 2>whole.err; then
    fail "undisturbed: $(cat whole.err)"
    finish
fi
took=$(($(time_ms) - start))
results whole >whole.txt
[[ $(grep -c '"record":"game"' whole/journal.jsonl) == 180 ]] || fail 'the contest has 180 games'

# The moments come from a fixed seed, spread over the time that the contest takes.
RANDOM=20
kills=0
while ((kills < 20)); do
    moment=$((RANDOM % (took / 3 + 1) + 1))
    resume=()
    [[ -e killed/journal.jsonl ]] && resume=(--resume)
    "$WARG" run cup.yml --format csv -q --out killed "${resume[@]}" >killed.csv 2>killed.err &
    pid=$!
    sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    if kill -9 $pid 2>/dev/null; then
        wait $pid 2>/dev/null
        kills=$((kills + 1))
        ((kills % 5 == 0)) && await_orphans
        # shellcheck disable=SC2046 # numbers
        kill -9 $(orphans) 2>/dev/null
    else
        wait $pid || fail "resume behind kill number $kills: $(cat killed.err)"
        # It was played to its end: begin anew, so that there are 20 kills in mid-contest.
        results killed | diff whole.txt - >/dev/null || fail "results differ after kill number $kills"
        rm -rf killed
    fi
done
resume=()
[[ -e killed ]] && resume=(--resume) # the last kill may have come before its folder was made
run --out killed "${resume[@]}" >killed.csv 2>killed.err || fail "the last resume: $(cat killed.err)"
results killed >killed.txt
diff whole.txt killed.txt ||
    fail "results differ from those of an undisturbed contest; $(cat {whole,killed}/faults.jsonl)"
[[ $(grep -c '"record":"game"' killed/journal.jsonl) == 180 ]] || fail 'a game is lost, or there twice'
diff -r whole/logs killed/logs >/dev/null || fail 'the logs differ'
: >killed/logs/999.log.gz.tmp # of a game that was being written down, and is not played again
run --out killed --resume >again.csv 2>again.err || fail "resume behind the end: $(cat again.err)"
[[ ! -e killed/logs/999.log.gz.tmp ]] || fail 'a log that was begun is left'
run --out killed >again.csv 2>again.err && fail 'a folder that holds a contest is taken without --resume'
grep -q -- --resume again.err || fail "the message names --resume: $(cat again.err)"
run --out killed --resume --seed 8 >again.csv 2>again.err && fail 'another seed is another contest'

await_orphans
finish
