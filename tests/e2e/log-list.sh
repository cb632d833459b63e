#!/usr/bin/env bash
# `warg log list`: the games of a folder of results, by agent, role, result and faults; `warg log show`
# says where a substitute played.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

bad="exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do exit"
timeout 200 "$WARG" run -q -n 5 -g 6 -s 1 -o cup --time-limit 30s --startup-limit 60s -a 'bot:sample*3' -a "name=alice,cmd=$bad" \
    -a "name=bob,cmd=exec '$WARG' bot aiwolf -h {host} -p {port} -n {name} --seed 1" >run.txt 2>&1
games=$(grep -c '"record":"game"' cup/journal.jsonl)
((games == 6)) || fail "six games are played: $(cat run.txt)"

expect 0 'all games' "$WARG" log list cup
(($(wc -l <<<"$out") == 7)) || fail "a row a game: $out"
grep -qE '^ +0 +0 +0 .*alice: disconnect 1, substitute +cup/logs/000.log$' <<<"$out" || fail "the first game: $out"
grep -qE '^ +0 +0 +5 .*alice: substitute +cup/logs/005.log$' <<<"$out" || fail "the last game: $out"
while read -r log; do
    [[ -s $log ]] || fail "the path of a log: '$log'"
done < <(awk 'NR > 1 {print $NF}' <<<"$out")

# What the list says of one agent is what the journal says.
of_bob()
{
    python3 - "$@" <<'PYTHON'
import json, sys
won, role = sys.argv[1] == "won", sys.argv[2] if len(sys.argv) > 2 else None
side = {"WEREWOLF": "WEREWOLF", "POSSESSED": "WEREWOLF"}
for line in open("cup/journal.jsonl"):
    game = json.loads(line)
    if game.get("record") != "game":
        continue
    for seat in game["seats"]:
        if seat["agent"] == "bob" and (side.get(seat["role"], "VILLAGER") == game["winner"]) == won:
            if role in (None, seat["role"]):
                print("cup/" + game["log"])
PYTHON
}
for result in won lost; do
    expect 0 "bob --$result" "$WARG" log list cup --agent bob --$result --json
    [[ $(grep -o '"log":"[^"]*"' <<<"$out" | cut -d '"' -f 4) == "$(of_bob $result)" ]] || fail "bob --$result: $out"
done
[[ $(of_bob won) && $(of_bob lost) ]] || fail 'bob has won and lost in these games'
role=$(grep -o '"agent":"bob","role":"[A-Z]*"' <("$WARG" log list cup --agent bob --lost --json) | head -n 1 | cut -d '"' -f 8)
expect 0 'one role' "$WARG" log list cup --agent bob --lost --role "$role"
[[ $(awk 'NR > 1 {print $NF}' <<<"$out") == "$(of_bob lost "$role")" ]] || fail "bob, lost as $role: $out"
expect 0 'a role that nobody has' "$WARG" log list cup --agent bob --role FOX
[[ $out == 'no such game; games in the folder: 6' ]] || fail "a role that nobody has: $out"
expect 0 'faults of one agent' "$WARG" log list cup --agent bob --faults
[[ $out == 'no such game; games in the folder: 6' ]] || fail "bob has no faults: $out"
expect 0 'faults' "$WARG" log list cup --faults --language ja
[[ $out == 'ステージ'*'勝者'*'違反'*'alice: 切断 1, 代役'* ]] || fail "in Japanese: $out"
! grep -qE 'substitute|villagers|werewolves|winner' <<<"$out" || fail "English in the Japanese table: $out"

expect 2 'an unknown agent' "$WARG" log list cup --agent bbo
[[ $err == *"no agent is called 'bbo'"*"mean 'bob'"* ]] || fail "an unknown agent: $err"
expect 2 'a role of nobody' "$WARG" log list cup --role SEER
expect 2 'won and lost' "$WARG" log list cup --agent bob --won --lost
mkdir empty
expect 2 'a folder without a journal' "$WARG" log list empty
[[ $err == *'holds no journal.jsonl'* ]] || fail "a folder without a journal: $err"

# ---- substitutes in one game ----

expect 0 'a game with a failure' "$WARG" log show cup/logs/000.log
[[ $out == *alice*'a substitute plays from here on: day 1, VOTE (disconnect)'* ]] || fail "the failure: $out"
expect 0 'a game behind it' "$WARG" log show cup/logs/003.log
[[ $(grep -c 'a substitute plays$' <<<"$out") == 1 ]] || fail "the game behind it: $out"
expect 0 'in Japanese' "$WARG" log show --language ja cup/logs/000.log
[[ $out == *alice*'ここから代役: 1日目 VOTE (切断)'* ]] || fail "in Japanese: $out"
bob=$(grep -oE '^ *[0-9]+ bob' <("$WARG" log show cup/logs/000.log) | awk 'NR == 1 {print $1}')
expect 0 'as another seat saw it' "$WARG" log show --seat "$bob" cup/logs/000.log
[[ $out != *substitute* ]] || fail "a player is not told of substitutes: $out"
cp cup/logs/000.log alone.log
expect 0 'a log alone' "$WARG" log show alone.log
[[ $out != *substitute* ]] || fail 'a log alone knows of no substitute'
cd cup/logs && expect 0 'from inside' "$WARG" log show 000.log
[[ $out == *'from here on: day 1'* ]] || fail "from inside the folder: $out"
cd "$work" || exit 1
finish
