#!/usr/bin/env bash
# A component of XMPP as a door of `warg serve`, beside a server of the natural-language division and a
# table of the protocol division: one process, one thread, a game on each at the same time. Signals;
# started agents; what goes wrong. The XMPP server is prosody.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=doors.bash
source "$WARG_SOURCE/tests/e2e/doors.bash"

sed -e "s#\./log#./log#" -e '/^ *speak_anytime/d' "$WARG_SOURCE/config/nlp/default_en_5.yml" >a.yml

port_of()
{
    grep -oE "$1" err | grep -oE '[0-9]+$' | head -n 1
}

# ---- a session of bots, in real time, that signals drain and end ----

doors maw --players 6 --day-s 2 --night-s 1 --rounds 50 --out drained --id one --http 0 \
    --operator-file token --realtime files
await 'a round' drained/session.jsonl '"event":"start_game"'
kill -TERM "$server"
url=$(grep -oE 'http://[^ ;]*' err)
watch "$url/000000/events"
await 'the full stream' full 'event: broadcast'
curl -s "$url" >list
ended 0 'a drained session'
wait "$public" "$full"
grep -q '"id":"000000"' list || fail "the list: $(cat list)"
grep -qE '"role"|talker' list public && fail "secrets: $(cat list public)"
grep -q '囁き' public && fail "the night's room: $(cat public)"
grep -q '"role":"VILLAGER"' full && grep -q 'bot:talker' full || fail "the full stream: $(cat full)"
grep -q '終了' public && grep -q 'トーク' public || fail "the public stream: $(cat public)"
said=$(sed -n 's/.*"event":"line","room":"Village".*"name":"[^"]*","text":"\(.*\)"}$/\1/p' drained/session.jsonl | tail -n 1)
grep -qF "\"message\":\"$said\"" public || fail "a line of the village, '$said', is not told: $(tail -n 3 public)"
(($(ls files/masked/000000-*.jsonl | wc -l) == 1)) || fail "realtime files: $(ls -R files)"
grep -q '"act":"drain"' drained/session.jsonl || fail 'the record does not say that it was drained'
(($(grep -c '"event":"end_game"' drained/session.jsonl) == 1)) || fail 'the round was not played to its end'
(($(grep -c '"event":"start_game"' drained/session.jsonl) == 1)) || fail 'a further round was begun'
grep -q '^\[maw.localhost\]' out && grep -q 'seed: ' err || fail "the end: $(cat out err)"
"$WARG" log check drained >check.out 2>&1 || fail "the record of a drained session: $(cat check.out)"

doors maw --players 6 --day-s 60 --rounds 50 --out ended
await 'a round' ended/session.jsonl '"event":"start_game"'
kill -TERM "$server"
await 'drained' ended/session.jsonl '"act":"drain"'
kill -TERM "$server"
ended 130 'a session that a second signal ends'
grep -q 'ended early; the record is complete' err || fail "ended: $(cat err)"

# ---- what goes wrong ----

expect 2 'a folder with a session' "$WARG" serve maw --players 6 --out drained
[[ $err == *'holds a session already'* ]] || fail "a folder with a session: $err"
expect 2 'one folder twice' "$WARG" serve maw --out x -- maw --out x
[[ $err == *'two lines have --out x'* ]] || fail "one folder twice: $err"
export WARG_XMPP_SECRET=mawsecret
expect 2 'one component twice' "$WARG" serve maw --xmpp localhost -- maw --xmpp localhost
[[ $err == *'two lines are the component maw.localhost'* ]] || fail "one component twice: $err"
expect 2 'a token for an agent' "$WARG" serve maw --http 0 --operator-file token --agent 'cmd=x {port}'
[[ $err == *'could read the file of --operator-file'* ]] || fail "a token for an agent: $err"
expect 2 'a token for a player' "$WARG" maw --http 0 --me Ann
[[ $err == *'--http and --me exclude each other'* ]] || fail "a token for a player: $err"
expect 2 'a terminal' "$WARG" serve maw --me Ann
[[ $err == *"'--me'"* ]] || fail "a terminal: $err"

# ---- an agent that is started, and is gone with the session ----

doors maw --players 3 --day-s 1 --night-s 1 --time-limit 20s --startup-limit 60s --out agents \
    --agent "name=ann,cmd=$WARG bot aiwolf --host {host} --port {port} --name {name}"
ended 0 'a session with an agent'
grep -q ' agent:ann' out || fail "the agent's seat: $(cat out err)"

# ---- three divisions at the same time ----

if [[ ! -x /usr/bin/prosody ]]; then
    echo "$script_name: prosody is not installed: no component was tried"
    finish
fi
mkdir -p prosody/data prosody/certs
read -r client component < <(python3 -c '
import socket
both = [socket.socket(), socket.socket()]
for one in both:
    one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in both])')
sed -e "s/15222/$client/; s/15347/$component/; s/\"tls\"; //; /^  ssl = /d" \
    "$WARG_SOURCE/tests/data/maw/prosody.cfg.lua" >prosody/prosody.cfg.lua
MAW_XMPP_DIR=$work/prosody prosody -F --config prosody/prosody.cfg.lua >prosody/output.txt 2>&1 &
prosody=$!
trap 'kill $server $prosody 2>/dev/null; rm -rf "$work"' EXIT
await prosody prosody/prosody.log "service 'c2s' on \["
until_true "$patience" test -e prosody/prosody.pid

printf 'players: 4\nday_s: 4\nnight_s: 1\n' >table.yml
doors nlp a.yml --port 0 --games 1 -- aiwolf --port 0 --time-limit 60s --players 5 --games 1 \
    --agent 'bot:sample*4' --once --out sets \
    -- maw table.yml --xmpp localhost --port "$component" --bots 3 --out session --id three
await 'the component' err 'connected to the XMPP server'
slow_agent "$(port_of 'listening on 127\.0\.0\.1:[0-9]+')"
await 'the set' err 'set 0 begins'
GUEST_PASSWORD=secret "$WARG" join --xmpp guest@localhost --gm gm@maw.localhost --host 127.0.0.1 \
    --port "$client" --tls off --register --password-env GUEST_PASSWORD --bot random --quiet \
    >guest.out 2>&1 &
guest=$!
await 'the round' session/session.jsonl '"event":"start_game"'
"$WARG" bot nlp --url "ws://127.0.0.1:$(port_of 'ws://127\.0\.0\.1:[0-9]+')/ws" --quiet --team kano -n 5 \
    --seed 1 >bots 2>&1 || fail "a game beside: $(tail -n 3 bots)"
few_threads 4 'three journals'
grep -q '"event":"end_game"' session/session.jsonl && fail 'the session was over before the game beside it'
echo >gate
wait "$guest" || fail "the guest: $(cat guest.out)"
ended 0 'three divisions'
grep -q 'complete: 1 games decided' err || fail "the natural-language division: $(cat err)"
grep -q '^set 0: 1 game,' out || fail "the protocol division: $(cat out)"
grep -qE '  guest +[0-9]+ .*guest' out || fail "the session: $(cat out)"
"$WARG" standings session >standings.out 2>&1 || fail "the session's journal: $(cat standings.out)"

# The server will not have it: the other doors don't end.
doors aiwolf --port 0 --players 5 --once --agent 'bot:sample*4' \
    -- maw --xmpp localhost --port "$component" --component other.localhost --players 6
await 'refused' err 'a table takes'
"$WARG" bot aiwolf --port "$(grep -oE '127\.0\.0\.1:[0-9]+' err | grep -oE '[0-9]+$')" --name ann >bots 2>&1
ended 3 'a component that is refused'
grep -q 'maw at other.localhost: the XMPP server refuses other.localhost' err || fail "refused: $(cat err)"

finish
