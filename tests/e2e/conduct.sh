#!/usr/bin/env bash
# Rules of conduct: what an agent did is counted, strikes add up, elimination is proposed and ruled, or done
# at once; who is eliminated is not ranked and plays no later stage; a contest waits for rulings between its
# stages; an audit finds a ruling that nothing stands behind.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cat >crasher.py <<'END'
import socket, sys
agent, asked = socket.create_connection((sys.argv[1], int(sys.argv[2]))).makefile("rw"), 0
for line in agent:
    asked += 1
    if asked > 300:
        break
    if '"NAME"' in line:
        answer = sys.argv[3]
    elif '"ROLE"' in line:
        answer = "SEER"
    elif '"TALK"' in line or '"WHISPER"' in line:
        answer = "Over" if asked % 50 else "this is no sentence"
    elif any('"%s"' % word in line for word in ("VOTE", "DIVINE", "GUARD", "ATTACK")):
        answer = '{"agentIdx":1}'
    else:
        continue
    print(answer, file=agent, flush=True)
END

# write_cup CONDUCT
write_cup()
{
    cat >cup.yml <<END
contest: cup
limits: {time_limit: 30s, startup: 60s}
agents:
  - {name: ann, command: "$WARG bot aiwolf --host {host} --port {port} --name {name} --seed 1"}
  - {name: bea, command: "python3 $PWD/crasher.py {host} {port} {name}"}
  - {bot: sample, name: cat, copies: 2}
  - {bot: random, name: dan, copies: 2}
conduct: {$1}
stages:
  - {name: first, players: 5, games_per_set: 20, sets: 6}
  - {name: last, players: 5, games_per_set: 10, sets: 2}
END
}

# ---- proposed, ruled, carried out ----

write_cup 'crash: eliminate, sentence: {after: 1000, action: strike}'
expect 7 'a proposal' "$WARG" run cup.yml -o cup -q
expect 7 'still a proposal' "$WARG" run cup.yml -o cup --resume
[[ $err == *'bea: crash '*'elimination is proposed; warg contest rule cup 0 '* ]] || fail "proposed: $err"
grep -q '"stage":1' cup/journal.jsonl && fail 'the next stage began before the ruling'
expect 0 'findings' "$WARG" contest findings cup
[[ $out == *'0  first '*'bea '*'crash'*'proposed: eliminate'* && $(wc -l <<<"$out") == 1 ]] || fail "findings: $out"
expect 0 'findings as JSON' "$WARG" contest findings cup --json
python3 -c 'import json,sys; (f,) = json.load(sys.stdin); assert f["agent"] == "bea" and f["ruled"] is None and f["count"] > 0' <<<"$out" ||
    fail "findings as JSON: $out"
cp -r cup dismissed
expect 2 'no reason' "$WARG" contest rule cup 0 eliminate
[[ $err == *'--reason'* ]] || fail "no reason: $err"
expect 2 'no finding' "$WARG" contest rule cup 1 eliminate --reason x
expect 2 'no decision' "$WARG" contest rule cup 0 shoot --reason x
expect 0 'ruled' "$WARG" contest rule cup 0 eliminate --reason 'it ended in each set'
expect 6 'gone on with' "$WARG" run cup.yml -o cup --resume -q
grep '"record":"set","stage":1' cup/journal.jsonl | grep -q bea && fail 'who was eliminated plays on'
expect 6 'standings' "$WARG" standings cup --stage first
[[ $out == *'not ranked: bea: eliminated by a ruling'* ]] || fail "standings: $out"
expect 6 'standings in Japanese' "$WARG" standings cup --stage first --lang ja
[[ $out == *'裁定により失格'* ]] || fail "standings in Japanese: $out"
expect 0 'audit' "$WARG" audit cup -q
[[ $out == *'1 ruling, about what the games show'* ]] || fail "audit: $out"

# ---- dismissed: as if nothing had been ----

expect 0 'dismissed' "$WARG" contest rule dismissed 0 dismiss --reason 'our machine ran out of memory'
expect 0 'gone on with' "$WARG" run cup.yml -o dismissed --resume -q
expect 0 'findings, dismissed' "$WARG" contest findings dismissed
[[ $out == *dismiss* ]] || fail "dismissed: $out"
"$WARG" standings dismissed --stage first --format csv >csv.out
grep -qE '^1?[0-9]*,?bea|bea' csv.out || fail 'bea is not in the standings'
"$WARG" standings dismissed --stage first | grep -q 'eliminated' && fail 'who was acquitted is eliminated'

# ---- at once; strikes ----

write_cup 'confirm: false, strikes: 2, crash: strike, sentence: strike'
expect 6 'without confirmation' "$WARG" run cup.yml -o at-once -q
grep -q '"record":"ruling","stage":0,"agent":"bea"' at-once/journal.jsonl || fail "not ruled: $(tail -n 3 at-once/journal.jsonl)"
grep '"record":"set","stage":1' at-once/journal.jsonl | grep -q bea && fail 'who was eliminated at once plays on'
write_cup 'confirm: false, strikes: 100000, crash: strike'
expect 0 'too few strikes' "$WARG" run cup.yml -o few -q
grep -q '"record":"ruling"' few/journal.jsonl && fail 'ruled behind too few strikes'

# ---- a name that is not its own, which needs no strict cell to be found ----

write_cup 'name: eliminate'
sed -i 's/crasher.py {host} {port} {name}/crasher.py {host} {port} somebody/' cup.yml
expect 7 'another name' "$WARG" run cup.yml -o named -q
[[ $(grep -c 'agent bea said another name than its own: somebody (name)' <<<"$err") == 1 ]] || fail "told once: $err"
expect 0 'findings of names' "$WARG" contest findings named
# In one of the six sets it does not sit: which one is drawn.
[[ $out == *bea*name*'proposed: eliminate'*'findings.jsonl:1  '*'set '[01]', game '*', day 0: somebody'* ]] || fail "names: $out"
grep -q '"record":"cell","level":"\(light\|none\)"' named/journal.jsonl || fail 'no line of the cell'
expect 0 'audit of names' "$WARG" audit few -q
sed -i '/^conduct:/d' cup.yml
expect 0 'nobody asks' "$WARG" run cup.yml -o unasked -q
[[ -e unasked/findings.jsonl ]] && fail 'found without rules of conduct'
write_cup 'network: suspend'
expect 2 'suspended' "$WARG" run cup.yml -o mistaken
[[ $err == *"only testing stages suspend an agent"* ]] || fail "suspended: $err"

# ---- somebody rules on nothing ----

cp -r cup forged
python3 - forged/journal.jsonl <<'END'
import sys, zlib
lines = open(sys.argv[1]).read().replace('"agent":"bea","rule":"crash","decision"', '"agent":"ann","rule":"crash","decision"').split("\n")
def again(line):
    body = line[:line.rindex(',"crc"')]
    return f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}'
open(sys.argv[1], "w").write("\n".join(again(line) if line else line for line in lines))
END
expect 1 'a ruling on nothing' "$WARG" audit forged -q
[[ $out == *'a ruling on ann, '*'of which the games show nothing'* ]] || fail "forged: $out"

# ---- mistakes ----

write_cup 'crash: hang'
expect 2 'no action' "$WARG" run cup.yml -o mistaken
[[ $err == *"strike"* ]] || fail "no action: $err"
write_cup 'crush: note'
expect 2 'no rule' "$WARG" run cup.yml -o mistaken
[[ $err == *"crash"* ]] || fail "no rule: $err"
expect 0 'no rules at all' "$WARG" run -n 5 -g 5 -o plain -q
expect 2 'nothing to rule on' "$WARG" contest findings plain
[[ $err == *'no rules of conduct'* ]] || fail "no rules: $err"

finish
