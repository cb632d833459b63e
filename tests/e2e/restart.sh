#!/usr/bin/env bash
# on_fault: restart: an agent that fails is out for the rest of its game, and its program is started
# anew for the next one; faults are counted as ever, and what it printed each time is kept.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cat >rules.yml <<END
ruleset: aiwolf-2021
contest: {time_limit_ms: 20000, time_limit_grace_ms: 0}
END

# play NAME GAMES AT WHAT AFTER [OPTION...]: a game set of five with one bad agent.
play()
{
    local name=$1 games=$2 at=$3 what=$4 after=$5
    shift 5
    timeout 120 "$WARG" run -q -n 5 -g "$games" -s 1 --rules rules.yml --startup-limit 20s -o "$name" \
        -a 'bot:sample*4' --on-fault restart --format json "$@" \
        -a "name=bad,cmd=exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at $at --do $what --after $after" \
        >"$name.json" 2>"$name.err"
}

# For each game whether a substitute played, in order: "ok failed ok".
course()
{
    python3 - "$1" <<'END'
import json, sys
games = [json.loads(line) for line in open(sys.argv[1] + "/journal.jsonl")]
games = sorted((g for g in games if g["record"] == "game"), key=lambda g: g["game"])
print(*("failed" if any(s.get("failed") for s in g["seats"]) else "ok" for g in games))
END
}

# ---- in every game ----

play every 4 VOTE exit 0
[[ $(course every) == 'failed failed failed failed' ]] || fail "every: $(course every); $(cat every.err)"
[[ $(grep -c '"request":"VOTE","kind":"disconnect","fatal":true' every/faults.jsonl) == 4 ]] ||
    fail "every: a fault a game: $(cat every/faults.jsonl)"
for game in 0 1 2 3; do
    grep -q "\"game\":$game,\"agent\":\"bad\"" every/faults.jsonl || fail "every: no fault in game $game"
done
[[ $(cat every/agents/bad/*.txt | grep -c 'the cat is on the keyboard') == 4 ]] ||
    fail 'every: what each start printed is kept'
[[ $(grep -c 'exit status 3' every.err) == 4 ]] || fail "every: how it ended is told each time: $(cat every.err)"

# ---- now and then: what is restarted plays on, and counts ----

play some 12 VOTE kill 3
[[ $(course some) == *failed*ok* ]] || fail "some: it plays again behind a fault: $(course some)"
[[ $(course some) == *ok*failed*ok*failed* ]] || fail "some: and fails again: $(course some)"
"$WARG" log check --quiet some/logs >check.txt 2>&1 || fail "some: $(cat check.txt)"
failed=$(course some | tr ' ' '\n' | grep -c failed)
[[ $(wc -l <some/faults.jsonl) == "$failed" ]] || fail "some: $failed games, and $(cat some/faults.jsonl)"
"$WARG" standings --faults --format csv some >faults.csv
grep -q "^bad,12,$failed,0,$failed," faults.csv || fail "some: $(cat faults.csv)"

# ---- with substitute in its place it is out ----

play out 12 VOTE kill 3 --on-fault substitute
[[ $(course out) == *failed* && $(course out) != *failed*ok* ]] || fail "substitute: $(course out)"

# ---- a program that never comes: tried again for each game ----

play never 3 NAME exit 0
[[ $(course never) == 'failed failed failed' ]] || fail "never: $(course never); $(cat never.err)"
[[ $(grep -c '"request":"NAME"' never/faults.jsonl) == 3 ]] || fail "never: $(cat never/faults.jsonl)"

play silent 2 NAME hang 0 --startup-limit 2s
[[ $(course silent) == 'failed failed' ]] || fail "silent: $(course silent); $(cat silent.err)"
[[ $(grep -c '"request":"NAME","kind":"timeout"' silent/faults.jsonl) == 2 ]] ||
    fail "silent: $(cat silent/faults.jsonl)"

# ---- a contest file says it too; a set that is taken up again starts it anew ----

cat >contest.yml <<END
seed: 1
agents:
  - {bot: sample, copies: 4}
  - {name: bad, command: "exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do kill --after 3"}
rules: {ruleset: aiwolf-2021, contest: {time_limit_ms: 20000, games_per_set: 12}}
stages: [{players: 5, sets: 1}]
limits: {startup: 20s}
on_fault: restart
END
"$WARG" run -q contest.yml -o whole >out.txt 2>err.txt
grep '"record":"game"' whole/journal.jsonl >games.txt
line=$(grep -n '"failed":true' whole/journal.jsonl | head -1 | cut -d : -f 1)
cp -a whole cut
head -n "$line" whole/journal.jsonl >cut/journal.jsonl
"$WARG" run -q contest.yml -o cut --resume >out.txt 2>err.txt
[[ $(grep -c '"record":"game"' cut/journal.jsonl) == 12 ]] || fail "resume: $(cat err.txt)"
[[ $(course cut) == *failed*ok* ]] || fail "resume: it plays again: $(course cut)"

finish
