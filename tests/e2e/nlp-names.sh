#!/usr/bin/env bash
# Agents of others that call themselves as models are called who play in another game: their own game, which
# is over, is told as that of others, and its page shows nothing of what the models of the running one think.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

python3 "$agents/model_server.py" 10000 3 >port.txt 2>model.txt &
model=$!
trap 'kill $server $model 2>/dev/null; rm -rf "$work"' EXIT
await 'a model'"'"'s server' port.txt '^[0-9]+$' || exit 1
# All games have the same names.
sed -e 's/self_match: [a-z]*/self_match: false/' -e '/^custom_profile/,/enable/s/enable: true/enable: false/' \
    "$WARG_SOURCE/config/nlp/default_en_5.yml" >village.yml
launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --fill-after 8s \
    --fill-with "llm:http://127.0.0.1:$(cat port.txt)/v1,model=m8" --record-minds log/game/minds --record-prompts \
    --web 0
await 'a server' serve.err 'listening on' || exit 1
await 'its pages' serve.err 'pages: http' || exit 1
port=$(grep -m 1 -oE 'listening on [^ ]*' serve.err | grep -oE '[0-9]+' | tail -n 1)
base=$(sed -n 's,.*pages: \(http://[^/]*\)/web/.*,\1,p' serve.err)

# play TEAM: one bot, one game, beside the script.
play()
{
    timeout 300 "$WARG" bot nlp -u "ws://127.0.0.1:$port/ws" --team "$1" -n 1 --quiet >>bots.txt 2>&1 &
}
play victim
await 'a game with models' serve.err 'game-begun .*number=1 ' || exit 1
decided()
{
    grep -qs '"type":"decision"' log/game/minds/model-*.jsonl
}
until_true "$patience" decided || fail 'no model decides'
for team in model-a model-b model-c model-d other; do
    play "$team"
done
await 'a game of others' serve.err 'game-over .*number=2 ' || exit 1
grep -q 'game-over .*number=1 ' serve.err && fail 'the game of models is over too early for this test'
grep -q '"kind":"agent"' log/game/journal.jsonl || fail 'a game of others is not in the journal'
grep -q '"kind":"model"' log/game/journal.jsonl && fail "agents of others are told as models: $(cat log/game/journal.jsonl)"
id=$(grep -oE 'game-over game=[0-9A-Z]+' serve.err | cut -d= -f2)
shown()
{
    curl -sS -m 20 "$base/web/api/games/$id/mind" >mind.json && grep -q '"decisions"\|"no-minds"' mind.json
}
until_true "$patience" shown || fail "no page of the game: $(cat mind.json)"
grep -q '"raw"\|"prompt"' mind.json && fail "a running game's models are told: $(head -c 600 mind.json)"
finish
