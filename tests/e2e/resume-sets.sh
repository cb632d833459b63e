#!/usr/bin/env bash
# kill -9 in the middle of a contest, then --resume: for sets whose games are all on disk no program is
# started again, and each of the others starts it once.
source "$(dirname "$0")/common.bash"

sets=40
cat >agent.sh <<END
#!/bin/sh
echo started >>"$work/starts"
# The first set is forfeited: it has no game left either, although it has fewer.
[ -e "$work/failed-once" ] || { : >"$work/failed-once"; exit 4; }
# The tenth waits until the contest was killed.
[ "\$(wc -l <"$work/starts")" -ne 10 ] || while [ ! -e "$work/go" ]; do sleep 0.05; done
exec "$WARG" bot aiwolf --host "\$1" --port "\$2" --name out --seed 1 --wait 5s
END
chmod +x agent.sh
cat >cup.yml <<END
contest: cup
rules: {ruleset: aiwolf-2021}
seed: 4
on_fault: forfeit-set
agents:
  - {name: out, command: "exec $work/agent.sh {host} {port}", copies: 1}
  - {bot: random, name: carol, copies: 4}
stages:
  - {name: only, players: 5, sets: $sets, games_per_set: 2}
limits: {time_limit: 30s, startup: 60s}
END

# Sets with all, and with one, of their games in the journal.
whole_sets()
{
    python3 -c 'import json
games = {}
for line in open("cup/journal.jsonl", errors="replace"):
    try: record = json.loads(line)
    except ValueError: continue # torn
    if "game" in record and "set" in record and "winner" in record:
        games[record["set"]] = games.get(record["set"], 0) + 1
print(sum(1 for count in games.values() if count >= 2))'
}
starts()
{
    wc -l <starts
}

: >starts
launch first.out first.err "$WARG" run cup.yml -q --out cup
some_are_whole()
{
    [[ -e cup/journal.jsonl ]] && (($(whole_sets) >= 4))
}
until_true "$patience" some_are_whole || fail "not begun: $(cat first.err)"
kill -9 "$server"
wait "$server" 2>/dev/null
server=
until_true "$patience" no_agents agent.sh || fail "left: $(own_agents agent.sh)"
: >go
whole=$(whole_sets)
((whole >= 4 && whole < sets)) || fail "killed with $whole of $sets sets whole"
before=$(starts)
expect 0 'resumed' "$WARG" run cup.yml -q --out cup --resume
started=$(($(starts) - before))
((started == sets - 1 - whole)) ||
    fail "$started programs were started for the $((sets - 1 - whole)) sets that were not over"
(($(whole_sets) == sets - 1)) || fail "$(whole_sets) of $sets sets are whole in the end"
expect 0 'resumed when all is played' "$WARG" run cup.yml -q --out cup --resume
(($(starts) - before == started)) || fail 'programs were started although all was played'

finish
