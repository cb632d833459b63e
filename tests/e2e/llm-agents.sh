#!/usr/bin/env bash
# Language models in both AIWolf divisions: `warg bot --llm`, --agent llm:SPEC, --fill-with. With the
# demo model, and with a server that nobody is behind: every game is played to its end in time, and
# is told where decisions came from. A model that answers is in tests/thinker/test_model_agent.c.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

no_faults()
{
    ! grep -q . "$1/faults.jsonl" || fail "$1: faults: $(head -n 3 "$1/faults.jsonl")"
    expect 0 "$1: logs are legal" "$WARG" log check "$1/logs"
}

# Port 9 (discard) is nobody's.
dead=http://127.0.0.1:9/v1,model=none

# ---- the protocol division ----

expect 0 'demo' timeout 200 "$WARG" run --startup-limit 60s -n 5 -g 3 -a 'llm:demo' -a 'bot:sample*4' -o demo
has 'demo' 'demo'
no_faults demo
grep -qE '^0 of [0-9]+ decisions .*; [0-9]+ the demo model' demo/agents/demo/*.txt ||
    fail "demo: $(cat demo/agents/demo/*.txt)"

# Words of the shell, and what looks like a place to fill in, reach the persona as they are.
expect 6 'dead' timeout 200 "$WARG" run --startup-limit 60s -n 5 -g 2 -o dead --time-limit 2s \
    -a "llm:$dead,name=cold*2,persona=it's \$(touch trap) {host}; a \"baker\"" -a 'bot:sample*3'
# Nothing was a model's own: it is not ranked, and the server's error is shown, now and later.
has 'model decisions: 0 of' 'dead'
has "its server's error: " 'dead'
[[ $err != *'is to get'* ]] || fail "dead: variables that nobody asked for are spoken of: $err"
grep -qE '^ +- +cold .* 0\.0 %$' out.txt || fail "dead: cold has no rank, and its share stands there: $out"
no_faults dead
[[ ! -e trap ]] || fail 'dead: the persona was run by a shell'
grep -qE '^0 of [1-9][0-9]* decisions .*; [0-9]+ a rule' dead/agents/cold/*.txt ||
    fail "dead: $(cat dead/agents/cold/*.txt)"

expect 6 'standings of dead' "$WARG" standings dead
grep -qE '^ +- +cold .* 0\.0 %$' out.txt || fail "standings of dead: $out"
has 'no decision was its model' 'standings of dead'
has 'cold: model none at http://127.0.0.1:9/v1/chat/completions' 'standings of dead'
has 'the last error of the server of cold: ' 'standings of dead'
expect 6 'standings of dead in Japanese' "$WARG" standings dead --lang ja
has 'cold: モデル none、サーバー http://127.0.0.1:9/v1/chat/completions' 'standings of dead in Japanese'
has 'cold のサーバーの最後のエラー: ' 'standings of dead in Japanese'
expect 6 'dead as CSV' "$WARG" standings dead --format csv
python3 - <<'END' || fail "dead as CSV: $out"
import csv
rows = {r["agent"]: r for r in csv.DictReader(open("out.txt"))}
assert int(rows["cold"]["decisions"]) > 0 and rows["cold"]["own_decisions"] == "0"
# Nothing was the model's own in any set, so none counts for who sat with it either.
assert rows["cold"]["rank"] == rows["sample"]["rank"] == "" and rows["sample"]["games"] == "0"
assert rows["sample"]["decisions"] == "0"
assert rows["cold"]["model"] == "none" and rows["sample"]["model"] == ""
assert rows["cold"]["server"] == "http://127.0.0.1:9/v1/chat/completions"
END
expect 6 'dead as JSON' "$WARG" standings dead --format json
has '"model":"none","server":"http://127.0.0.1:9/v1/chat/completions"' 'dead as JSON'
grep -q 'decisions of cold were its model.s own' dead/report.html || fail 'dead: nothing in the report'
grep -q 'cold is the model none at http://127.0.0.1:9/v1/chat/completions' dead/report.html ||
    fail 'dead: which model it was is not in the report'
expect 6 'dead, resumed at its end' timeout 200 "$WARG" run --startup-limit 60s -n 5 -g 2 -o dead --time-limit 2s --resume \
    -a "llm:$dead,name=cold*2,persona=it's \$(touch trap) {host}; a \"baker\"" -a 'bot:sample*3'
has 'cold: model none at http://127.0.0.1:9/v1/chat/completions' 'dead, resumed at its end'
expect 0 'standings of demo' "$WARG" standings demo
grep -qE '^ +[1-3] +demo .* 100\.0 %$' out.txt || fail "demo decides itself: $out"

# A server that decides a few times and is gone then: the share is shown and warned of, in both languages.
launch port.txt server.txt python3 "$agents/model_server.py" 6
await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
expect 5 'half' timeout 200 "$WARG" run --startup-limit 60s -n 5 -g 3 -o half --time-limit 5s -a 'bot:sample*4' \
    -a "llm:http://127.0.0.1:$(cat port.txt)/v1,model=m,name=weak"
[[ $err != *'is to get'* ]] || fail "half: variables are asked for that nobody has named: $err"
has 'the model has left' 'half'
kill $server
server=
grep -qE '^ +[12] +weak ' out.txt || fail "half: who decided sometimes is ranked: $out"
expect 5 'standings of half' "$WARG" standings half
grep -qE '^weak: only [1-6] of [0-9]+ decisions were its model' out.txt || fail "standings of half: $out"
expect 5 'half in Japanese' "$WARG" standings --lang ja half
grep -qE '^weak: モデル自身の判断は [0-9]+ のうち [1-6] のみ' out.txt || fail "half in Japanese: $out"
grep -qE '^weak のサーバーの最後のエラー: .*the model has left' out.txt || fail "half in Japanese: $out"
expect 5 'half as JSON' "$WARG" standings --format json half
has '"status":"decisions-not-own"' 'half as JSON'
expect 5 'a report of half' "$WARG" report half
grep -q 'decisions of weak were its model.s own' half/report.html || fail 'half: nothing in the report'

# 100 ms, as the regulations say, are no time for a model; that is said before the first game.
expect 6 'hurried' timeout 200 "$WARG" run --startup-limit 60s -n 5 -g 2 -a "llm:$dead,name=fast" -o hurried
has 'no time for a language model' 'hurried'
no_faults hurried
grep -q 'because the time limit leaves none' hurried/agents/fast/*.txt ||
    fail "hurried: $(cat hurried/agents/fast/*.txt)"

# Models at a served table, with bots and agents that come by themselves.
serve table --players 5 --games 2 --once --agent 'llm:demo*2,name=zoe bot:sample' --out table
expect 0 'bot aiwolf' timeout 60 "$WARG" bot aiwolf -p "$port" --llm demo -c 2 --name ann
has '0 of ' 'bot aiwolf'
has 'decisions were the model' 'bot aiwolf'
wait "$server" || fail "table: the server: $(cat table.err)"
no_faults table

# ---- the natural-language division ----

# village CONFIGURATION SELF_MATCH EDIT OPTION...: a server of one game; its port is in $port.
village()
{
    sed "s/self_match: [a-z]*/self_match: $2/; $3" "$WARG_SOURCE/config/nlp/$1.yml" >village.yml
    rm -rf log
    SECRET_KEY=secret launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 1 "${@:4}"
    await 'a server' serve.err 'listening on' || exit 1
    port=$(grep -m 1 -oE 'listening on [^ ]*' serve.err | grep -oE '[0-9]+' | tail -n 1)
    url=ws://127.0.0.1:$port/ws
}

# village_ends WHAT [STATUS]
village_ends()
{
    wait "$server"
    (($? == ${2:-0})) || fail "$1: the server: $(cat serve.err)"
    expect 0 "$1: logs are legal" "$WARG" log check log
    [[ $out == *' 0 not legal'* || $out == *': ok'* ]] || fail "$1: no log: $out"
}

anytime='s/# duration: 10m.*/duration: 2s/'
for config in default_5 default_en_9; do
    village "$config" true ''
    expect 0 "turns, $config" timeout 100 "$WARG" bot nlp -u "$url" -n "${config##*_}" --llm demo
    has ' 0 connections failed' "turns, $config"
    has "decisions were the model's own" "turns, $config"
    village_ends "turns, $config"
done
village default_en_5 true "$anytime"
expect 0 'anytime' timeout 100 "$WARG" bot nlp -u "$url" -n 5 --llm demo --think 400ms
has '0 connections failed' 'anytime'
village_ends 'anytime'

village default_5 true ''
expect 5 'dead, turns' timeout 100 "$WARG" bot nlp -u "$url" -n 5 --llm "$dead" --time-limit 2s
has "0 of " 'dead, turns'
has "a rule's" 'dead, turns'
village_ends 'dead, turns'
village default_5 true "$anytime"
expect 5 'dead, anytime' timeout 100 "$WARG" bot nlp -u "$url" -n 5 --llm "$dead" \
    --time-limit 2s --think 400ms
has "0 of " 'dead, anytime'
village_ends 'dead, anytime'

# Guests take empty seats, of one team or of a team of their own each, with tokens.
for self in true false; do
    village default_en_5 "$self" '/authentication:/,+1s/enable: false/enable: true/' \
        --fill-after 200ms --fill-with llm:demo
    token=$("$WARG" token player --team pat --key secret)
    expect 0 "guests, $self" timeout 100 "$WARG" bot nlp -u "$url" --team pat --token "$token"
    has 'pat1: 1 game' "guests, $self"
    village_ends "guests, $self"
    grep -qE 'guests: 0 of [0-9]+ decisions .* the demo model' serve.err ||
        fail "guests, $self: $(cat serve.err)"
done

# The same where the server seats the models.
village default_5 true '' --fill-after 100ms --fill-with "$dead"
expect 0 'one bot among guests' timeout 100 "$WARG" bot nlp -u "$url" --team pat -n 1
village_ends 'dead guests' 5
grep -qE 'guests: 0 of [1-9][0-9]* decisions .* a rule' serve.err || fail "dead guests: $(cat serve.err)"
# The journal says of each guest that it was a model, which one, and that no decision was its own.
python3 - log/game/journal.jsonl "$(grep -oE 'guests: 0 of [0-9]+' serve.err | grep -oE '[0-9]+$')" <<'P' ||
import json, sys
seats = [json.loads(line) for line in open(sys.argv[1])][-1]["seats"]
guests = [seat for seat in seats if seat["kind"] == "model"]
assert len(guests) == 4 and all(guest["model"] == "none" for guest in guests), seats
assert sum(guest.get("decisions", 0) for guest in guests) == int(sys.argv[2])
assert all(guest.get("own", 0) == 0 for guest in guests)
P
    fail "dead guests: the journal: $(cat log/game/journal.jsonl)"
expect 6 'dead guests: standings' "$WARG" standings log/game
serve tables --players 5 --games 1 --once --time-limit 2s -a 'bot:sample*3' -a "llm:$dead,name=cold"
expect 0 'one bot beside a dead model' timeout 100 "$WARG" bot aiwolf --port "$port"
wait $server
status=$?
server=
((status == 6)) || fail "serve aiwolf with a dead model: exit status $status: $(cat tables.err)"
grep -qE '^ +- +cold .* 0\.0 %$' tables.out || fail "serve aiwolf with a dead model: $(cat tables.out)"

# ---- what it is told wrongly ----

expect 2 'no URL' "$WARG" bot aiwolf --llm telepathy
has 'expected demo or a URL' 'no URL'
expect 2 'no model' "$WARG" bot nlp --llm http://127.0.0.1:9/v1
has 'say which model' 'no model'
expect 2 'bot and model' "$WARG" bot aiwolf --llm demo --bot sample
expect 2 'kind and model' "$WARG" bot nlp --llm demo --kind talker
expect 2 'language of a bot' "$WARG" bot nlp --language ja
expect 2 'an unknown part' "$WARG" run -a 'llm:demo,colour=red'
has 'unknown part' 'an unknown part'
expect 2 'copies' "$WARG" run -a 'llm:demo*many'
expect 2 'guests' "$WARG" serve nlp -c "$WARG_SOURCE/config/nlp/default_5.yml" --fill-with nobody
has 'expected demo or a URL' 'guests'
finish
