#!/usr/bin/env bash
# Several doors in one process and thread: servers of the natural-language division, tables of the
# protocol division, each with its port and folder; signals, errors that name the door.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=doors.bash
source "$WARG_SOURCE/tests/e2e/doors.bash"
for name in a b; do
    sed -e "s#\./log#./log-$name#" -e '/^ *speak_anytime/d' \
        "$WARG_SOURCE/config/nlp/default_en_5.yml" >$name.yml
done

# The ports that are listened on, in the order in which they were told.
ports()
{
    grep -oE 'listening on (ws://)?127\.0\.0\.1:[0-9]+' err | grep -oE '[0-9]+$'
}

# ---- two configurations and two tables, one thread ----

doors nlp a.yml --port 0 --games 1 -- nlp -c b.yml --port 0 --games 1 \
    -- aiwolf --port 0 --time-limit 20s --players 5 --games 2 --agent 'bot:sample*4' --once --out one \
    -- aiwolf --port 0 --time-limit 20s --players 5 --games 1 --agent 'bot:sample*3' --once --out two
four_ports()
{
    (($(ports | wc -l) == 4))
}
until_true "$patience" four_ports
mapfile -t port < <(ports)
((${#port[@]} == 4)) || fail "four doors: $(cat err)"
few_threads 5 'four journals'
"$WARG" bot nlp --url "ws://127.0.0.1:${port[0]}/ws" --quiet --team kano -n 5 --seed 1 >bots-a 2>&1 ||
    fail "first configuration: $(tail -n 3 bots-a)"
"$WARG" bot aiwolf --port "${port[2]}" --name ann --seed 1 >bots-one 2>&1 || fail "$(cat bots-one)"
"$WARG" bot nlp --url "ws://127.0.0.1:${port[1]}/ws" --quiet --team kano -n 5 --seed 1 >bots-b 2>&1 ||
    fail "second configuration: $(tail -n 3 bots-b)"
"$WARG" bot aiwolf --port "${port[3]}" --name bo --count 2 --seed 1 >bots-two 2>&1 ||
    fail "$(cat bots-two)"
ended 0 'all is played'
(($(ls log-a/game/*.log | wc -l) == 1 && $(ls log-b/game/*.log | wc -l) == 1)) || fail "game logs"
(($(ls one/logs | wc -l) == 2 && $(ls two/logs | wc -l) == 1)) || fail "logs of tables"
grep -q "^\[${port[2]}\] set 0" out && grep -q "^\[${port[3]}\] set 0" out || fail "sets: $(cat out)"
grep -q "\[${port[0]}\] complete: 1 games decided" err || fail "first server's end: $(cat err)"

# ---- signals ----

doors nlp a.yml --port 0 -- aiwolf --port 0 --players 5
await 'both' err 'a table takes'
kill -TERM "$server"
ended 0 'a drained server and a table'
grep -q 'drained: 0 games played' err || fail "drained: $(cat err)"

# A set that is cut is not what a drained server comes to.
doors nlp a.yml --port 0 -- aiwolf --port 0 --time-limit 60s --players 5 --agent 'bot:sample*4'
await 'both' err 'a table takes'
(exec 3<>"/dev/tcp/127.0.0.1/$(ports | tail -n 1)" && read -r _ <&3 && echo slow >&3 &&
    while read -r _ <&3; do :; done) &
slow=$!
await 'a set' err 'set 0 begins'
kill -TERM "$server"
ended 130 'a set that was cut beside a server'
wait "$slow"
grep -q 'drained: 0 games played' err || fail "drained beside a set: $(cat err)"

doors aiwolf --port 0 --players 5 -- aiwolf --port 0 --players 5
await 'both tables' err 'a table takes'
kill -INT "$server"
ended 130 'two tables'

doors nlp a.yml --port 0 --stay --games 1 -- aiwolf --port 0 --players 5 --once --agent 'bot:sample*4'
await 'both' err 'a table takes'
mapfile -t port < <(ports)
"$WARG" bot aiwolf --port "${port[1]}" --name ann --seed 1 >bots 2>&1 || fail "$(cat bots)"
"$WARG" bot nlp --url "ws://127.0.0.1:${port[0]}/ws" --quiet --team kano -n 5 --seed 1 >bots 2>&1 ||
    fail "a table has ended, the other goes on: $(tail -n 3 bots)"
await 'stays' err 'complete: 1 games'
kill -0 "$server" || fail "--stay: it is gone"
kill -HUP "$server"
ended 0 '--stay'

# ---- a game of the protocol division is watched while it is played ----

doors aiwolf --port 0 --time-limit 20s --players 5 --games 2 --agent 'bot:sample*4' --once --http 0 \
    --operator-file token --realtime files
await watched err 'games can be watched'
mapfile -t port < <(ports)
url=$(grep -oE 'http://[^ ;]*' err)
slow_agent "${port[0]}"
await 'begins' err 'set 0 begins'
watch "$url/000000/events"
await 'the public stream' public 'event: broadcast'
await 'the full stream' full 'event: broadcast'
curl -s "$url" >list
grep -q '"id":"000000"' list || fail "the list: $(cat list)"
grep -qE '"role"|ann' list public && fail "secrets: $(cat list public)"
[[ $(curl -s -o /dev/null -w '%{http_code}' "$url?token=guess") == 401 ]] || fail 'a wrong token'
echo >gate
wait "$public" "$full"
ended 0 'a watched set'
(($(grep -c '^data: ' public) > 5)) || fail "the public stream: $(cat public)"
grep -qE '"role"|"ann"|囁き|占い|護衛|襲撃投票' public && fail "secrets: $(cat public)"
# The same as files that a viewer polls.
masked=$(ls files/masked/000000-*.jsonl)
(($(ls files/*.jsonl | wc -l) == 2 && $(ls files/masked/*.jsonl | wc -l) == 2)) || fail "realtime files: $(ls -R files)"
grep -q '"role":"SEER"' "files/${masked##*/}" || fail 'the full file has no roles'
grep -qE '"role"|"ann"|囁き|占い|護衛|襲撃投票' "$masked" && fail "secrets: $(cat "$masked")"
diff <(grep '^data: ' public | sed 's/^data: //' | tail -n 3) <(tail -n 3 "$masked") >lines.txt ||
    fail "the masked file is not what the public stream was told: $(cat lines.txt)"
grep -q '"role":"SEER"' full && grep -q '"team":"ann"' full || fail "the full stream: $(cat full)"

# ---- an agent that is started here sees no door's folder ----

rm -rf log-a
doors nlp a.yml --port 0 -- aiwolf --port 0 --players 5 --games 1 --once --out alone --time-limit 20s --startup-limit 60s --agent 'bot:sample*3' \
    --agent "name=eve,cmd=ls -A $work/log-a/game $work/other $work/alone >$work/seen 2>&1; exec $WARG bot aiwolf --host {host} --port {port} --name {name}" \
    -- aiwolf --port 0 --players 5 --out other
await 'all' err 'a table takes 5'
"$WARG" bot aiwolf --port "$(ports | sed -n 2p)" --name ann >bots 2>&1 || fail "beside an agent: $(cat bots)"
await 'the set' out 'set 0: 1 game'
if ! grep -q 'this machine gives no namespaces' err; then
    grep -qE "jsonl|secret|^logs|^agents" seen && fail "an agent sees what other doors keep: $(cat seen)"
    grep -q 'other:' seen || fail "what the agent sees: $(cat seen err)"
fi
[[ -e other/journal.jsonl && -e log-a/game/journal.jsonl ]] || fail "nothing to be seen: $(ls other log-a/*)"
kill -TERM "$server"
wait "$server"
server=

# ---- mistakes ----

expect 2 'a token for nobody' "$WARG" serve aiwolf --operator-file token
expect 2 'a delay of nothing' "$WARG" serve aiwolf --http-delay 10s
[[ $err == *'--http-delay goes with --http or --realtime'* ]] || fail "a delay of nothing: $err"
expect 2 'no name' "$WARG" serve aiwolf --http 0 --http-name http://x/
[[ $err == *'--http-name: '* ]] || fail "no name: $err"
expect 2 'no port' "$WARG" serve aiwolf --http here
[[ $err == *"--http: expected a port"* ]] || fail "no port: $err"

expect 2 'a line of another kind' "$WARG" serve nlp a.yml -- cards
[[ $err == *"unexpected 'cards'"* ]] || fail "another kind: $err"
expect 2 'nothing behind --' "$WARG" serve aiwolf --
[[ $err == *"is missing behind '--'"* ]] || fail "nothing behind --: $err"
expect 2 'one port twice' "$WARG" serve nlp a.yml -- nlp b.yml
[[ $err == *"'a.yml' and 'b.yml' have the same port"* ]] || fail "one port twice: $err"
expect 2 'one folder twice' "$WARG" serve aiwolf --port 0 --out x -- aiwolf --port 0 --out x
[[ $err == *'two lines have --out x'* ]] || fail "one folder twice: $err"
expect 2 'half open' "$WARG" serve nlp a.yml -- aiwolf --open-results
[[ $err == *'--open-results: give it to each'* ]] || fail "half open: $err"

# A port in use: who it is, and no folder that would be refused later.
serve taken --players 5
# shellcheck disable=SC2154 # from serve
expect 3 'a port in use' "$WARG" serve aiwolf --port 0 --out x -- aiwolf --port "$port" --out y
[[ $err == *"aiwolf at 127.0.0.1:$port: "* ]] || fail "a port in use: $err"
[[ ! -e x && ! -e y ]] || fail "a port in use leaves a folder"
rm -rf log-a
expect 3 'a port in use' "$WARG" serve nlp a.yml --port "$port"
[[ ! -e log-a ]] || fail "a port in use leaves a folder: $(ls -R log-a)"
kill "$server"
server=

finish
