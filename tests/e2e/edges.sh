#!/usr/bin/env bash
# Failures at the edges of a set: before its first game, while roles are asked for, behind its last
# game, at a hang-up, at a disk that is full, and agents that bear a bot's name.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cat >five.yml <<END
ruleset: aiwolf-2021
contest: {games_per_set: 2, time_limit_ms: 20000, role_request: true}
END

# bad AT WHAT: the words of --agent for one that fails so.
bad()
{
    echo "name=bad,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at $1 --do $2"
}

run()
{
    timeout 200 "$WARG" run -q -n 5 -s 1 --rules five.yml --startup-limit 20s --format csv "$@"
}

# The same with an agent that plays no game of its own, which the status must say.
run_without_one()
{
    run "$@"
    (($? == 6))
}

games_of()
{
    grep -c '"record":"game"' "$1/journal.jsonl"
}

# ---- before the first game of a set ----

for policy in substitute forfeit-set abort-game; do
    out=start-$policy
    start=(-g 4 -o $out --on-fault $policy -a 'bot:sample*4' -a 'name=bad,cmd=exit 4')
    run_without_one "${start[@]}" >out.txt 2>err.txt || fail "start, $policy: $(cat err.txt)"
    games=4
    [[ $policy == forfeit-set ]] && games=2 # the first of each set, aborted
    [[ $(games_of $out) == "$games" ]] || fail "start, $policy: not $games games"
    for game in 0 2; do
        grep -q "\"game\":$game,\"agent\":\"bad\"" $out/faults.jsonl ||
            fail "start, $policy: no fault with game $game: $(cat $out/faults.jsonl)"
    done
    [[ $(grep -c '"disconnect":1' $out/journal.jsonl) == 2 ]] ||
        fail "start, $policy: the first game of each set counts the fault"
    run_without_one "${start[@]}" --resume >out.txt 2>err.txt || fail "start, $policy, resumed: $(cat err.txt)"
    [[ $(games_of $out) == "$games" ]] || fail "start, $policy: resume plays again"
done
[[ $(grep -c '"reason":"aborted"' start-forfeit-set/journal.jsonl) == 2 ]] ||
    fail 'a forfeited set has one aborted game'

# ---- while roles are asked for ----

for policy in forfeit-set abort-game; do
    run_without_one -g 2 -o role-$policy --on-fault $policy -a 'bot:sample*4' -a "$(bad ROLE kill)" \
        >out.txt 2>err.txt || fail "ROLE, $policy: $(cat err.txt)"
    grep -q '"reason":"aborted"' role-$policy/journal.jsonl || fail "ROLE, $policy: not aborted"
done

# ---- behind the last game ----

run -g 1 -o finish -a 'bot:sample*4' -a "$(bad FINISH exit)" >out.txt 2>err.txt ||
    fail "FINISH: $(cat err.txt)"
grep -q 'failed' err.txt && fail "who leaves behind the last game has not failed: $(cat err.txt)"

# ---- stages: all-pairs needs two agents, however many seats there are ----

cat >stages.yml <<END
rules: {ruleset: aiwolf-2021, contest: {games_per_set: 2}}
agents:
  - {bot: sample, name: a}
  - {bot: sample, name: b}
  - {bot: sample, name: c}
  - {bot: random, name: d}
  - {bot: random, name: e}
stages:
  - {name: all, players: 5, sets: 2, advance: 2}
  - {name: duel, players: 5, sets: 2, pairing: all-pairs}
END
timeout 60 "$WARG" run -q stages.yml -s 1 --format csv >out.txt 2>err.txt || fail "duel: $(cat err.txt)"

# ---- a hang-up ends it as Ctrl-C does, and what was started is stopped ----

env --default-signal=HUP "$WARG" run -q -n 5 -g 1000 -s 1 -o hup -a 'bot:sample*4' -a "$(bad NAME hang)" \
    --startup-limit 1h >out.txt 2>err.txt &
pid=$!
has_begun()
{
    [[ -n $(ls hup/agents/bad 2>/dev/null) ]]
}
until_true "$patience" has_begun || fail "hang-up: not begun: $(cat err.txt)"
kill -HUP $pid
wait $pid
status=$?
((status == 130)) || fail "hang-up: exit status $status; $(cat err.txt)"
until_true "$patience" no_agents bad_agent.py || fail "hang-up: left: $(own_agents bad_agent.py)"

# ---- folders that are no new ones ----

: >file
run -g 1 -o file >out.txt 2>err.txt && fail 'a file is taken for a folder'
grep -q 'Not a directory' err.txt || fail "a file as folder: $(cat err.txt)"
mkdir -p old/logs
echo mine >old/logs/000.log
run -g 1 -o old >out.txt 2>err.txt && fail 'logs of other games are overwritten'
grep -q 'holds logs' err.txt || fail "old logs: $(cat err.txt)"
[[ $(cat old/logs/000.log) == mine ]] || fail 'a log of other games was overwritten'

# ---- a disk that is full: only what is on it is told ----

(ulimit -f 40 && trap '' XFSZ && run -g 2000 -o full) >out.txt 2>err.txt &&
    fail 'a full disk is no error'
grep -q 'File too large' err.txt || fail "full disk: $(cat err.txt)"
[[ ! -s out.txt ]] || fail "games that are not on disk are told: $(cat out.txt)"

# ---- serve --resume: an agent that bears a bot's name is no bot ----

# Plays until more than $1 games are on disk.
serve()
{
    local more=$1 port
    shift
    : >served.err # here: the port of an earlier one is not taken for this one's
    launch served.txt served.err "$WARG" serve aiwolf --rules five.yml --port 0 -n 5 -g 20000 --once -s 3 --out served \
        -a 'bot:sample*3' --startup-limit 20s "$@"
    await 'serve' served.err 'listening on'
    port=$(grep -o '127.0.0.1:[0-9]*' served.err | cut -d: -f2)
    "$WARG" bot aiwolf -p "$port" -n sample >/dev/null 2>&1 &
    "$WARG" bot aiwolf -p "$port" -n other >/dev/null 2>&1 &
    await_games $((more + 1)) served
}

# Every whole line of a game has two seats of agents.
two_agents()
{
    ! grep '"record":"game"' served/journal.jsonl | grep '"crc":"[0-9a-f]*"}$' |
        grep -qv '"outside":true.*"outside":true'
}

serve 0
kill -9 $server
wait $server 2>/dev/null
games=$(games_of served)
two_agents || fail 'serve: not two agents in every game'
serve "$games" --resume
kill $server
wait $server
grep -q 'back:\( other sample\| sample other\)$' served.err ||
    fail "serve: who is expected: $(cat served.err)"
(($(games_of served) > games)) || fail "serve --resume: no game was played: $(cat served.err)"
two_agents || fail 'serve --resume: not two agents in every game'
finish
