#!/usr/bin/env bash
# Live tables in the browser: who comes late has all of it, who is cut off goes on where it was, a
# server that is killed and resumed is found again, the roles are an operator's until the end, and a
# delay holds back list, clock and end. A tap on all that is sent to others looks for what they may not
# know, in games of all divisions.
source "$(dirname "$0")/common.bash"
page=$agents/web_page.py
config=$WARG_SOURCE/config/nlp

# serve NAME ARGUMENT...: starts it; sets $port, $web and $secret.
serve()
{
    local name=$1
    shift
    launch "$name.out" "$name.err" "$WARG" "$@"
    await "$name" "$name.err" 'pages: ' || exit 1
    web=$(grep -oE 'pages: http://[^ ;]*' "$name.err" | head -n 1 | cut -d' ' -f2)
    secret=$(grep -oE 'login#k=[0-9a-f]+' "$name.err" | head -n 1 | cut -d= -f2)
    port=$(grep -oE 'listening on (ws://)?127\.0\.0\.1:[0-9]+' "$name.err" | grep -oE '[0-9]+$' | head -n 1)
}

# stop: ends the server.
stop()
{
    kill "$server"
    wait "$server"
    server=
}

# slow PORT NAME [SECONDS]: an agent that takes its time to speak.
slow()
{
    python3 - "$1" "$2" "${3:-0.05}" >"$2.agent" 2>&1 <<'PYTHON' &
import socket, sys, time
agent = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rw")
for line in agent:
    if '"NAME"' in line:
        answer = sys.argv[2]
    elif '"TALK"' in line or '"WHISPER"' in line:
        time.sleep(float(sys.argv[3]))
        answer = "Over"
    elif any('"%s"' % word in line for word in ("VOTE", "DIVINE", "GUARD", "ATTACK")):
        time.sleep(float(sys.argv[3]) / 2)
        answer = '{"agentIdx":1}'
    else:
        continue
    print(answer, file=agent, flush=True)
PYTHON
}

# whole WHAT FILE [PATTERN]: a page ended with the document.
whole()
{
    [[ $(cat "$2") == whole* ]] || fail "$1: $(cat "$2")"
    [[ -z ${3:-} || $(cat "$2") == *$3* ]] || fail "$1: no $3: $(cat "$2")"
}

# live: the game that runs, once one does.
live()
{
    until_true "$patience" home_has '"live":[{'
    grep -oE '"live":\[\{"id":"[^"]*' home.txt | cut -d'"' -f6
}

# home_has WORDS [CURL-OPTION...]: the list of games, which is in home.txt.
home_has()
{
    curl -s -o home.txt "${@:2}" "${web}api/home"
    [[ $(<home.txt) == *"$1"* ]]
}

# as_log FILE LOG: what a page of the operator kept of a game is what its log says.
as_log()
{
    "$WARG" log doc --view all "$2" | python3 -c '
import json, sys
for event in json.load(sys.stdin)["events"]:
    event.pop("t_ms", None)
    print(json.dumps(event, sort_keys=True, ensure_ascii=False))' >log.events
    cmp -s "$1" log.events || fail "not as $2: $(diff "$1" log.events | head -n 4)"
}

status()
{
    curl -s -o /dev/null -w '%{http_code}' "$@"
}

# ---- the protocol division: late, cut, rights, a stream ----

serve cup serve aiwolf --port 0 --players 5 --games 2 --agent 'bot:sample*4' --web 0 --out cup
slow "$port" zzslow 0.4
python3 "$page" "$web" --tap zzslow,sample,zzwhisper >early.txt 2>&1 &
early=$!
python3 "$page" "$web" --late 12 >late.txt 2>&1 &
late=$!
python3 "$page" "$web" --cut 3 --tap zzslow >cut.txt 2>&1 &
cut=$!
python3 "$page" "$web" --view all --secret "$secret" --save operator.events >operator.txt 2>&1 &
operator=$!
game=$(live)
curl -sN "${web}api/games/$game/feed" >stream.txt &
stream=$!
[[ $(status "${web}api/games/$game/doc?view=all") == 403 ]] || fail 'all of a running game is not refused'
[[ $(status "${web}api/games/$game/doc?view=seat:1") == 403 ]] || fail "a seat's view is not refused"
[[ $(status "${web}api/games/$game/feed?view=all") == 403 ]] || fail 'the stream of all is not refused'
[[ $(status -H "Authorization: Bearer $secret" "${web}api/games/$game/doc?view=all") == 200 ]] ||
    fail 'the operator is refused'
[[ $(status "${web}g/$game/log") == 403 || $(status "${web}g/$game/log") == 404 ]] ||
    fail 'the log of a running game is there'
python3 "$page" "$web" --view all --game "$game" >stranger.txt 2>&1 && fail 'a stranger sees all'
[[ $(cat stranger.txt) == 403* ]] || fail "a stranger: $(cat stranger.txt)"
wait "$early" "$late" "$cut" "$operator" "$stream"
whole 'an early page' early.txt 'again=0 cuts=0'
whole 'a late page' late.txt 'again=0 cuts=0'
whole 'a page that was cut' cut.txt 'again=0 cuts=1'
whole "the operator's page" operator.txt
as_log operator.events "cup/logs/${game#cup.}.log"
[[ $(cat late.txt) == *joined=1[2-9]* || $(cat late.txt) == *joined=[2-9][0-9]* ]] ||
    fail "late is early: $(cat late.txt)"
[[ $(head -n 1 stream.txt) == 'retry: 2000' && $(tail -n 3 stream.txt) == *'"type":"reveal"'* ]] ||
    fail "a stream: $(head -c 300 stream.txt)"
[[ $(grep -c '^id: [0-9a-f]\{8\}\.[0-9]*$' stream.txt) -ge 3 ]] || fail 'a stream without ids'
[[ $(status "${web}api/games/$game/feed") == 204 ]] || fail 'the stream of a finished game'
# who sat where stays hidden: the next game has the same seats
[[ $(curl -s "${web}api/games/$game/doc?view=all") != *zzslow* ]] || fail 'the seats of a set are told'
stop

# ---- killed and resumed ----

serve killed serve aiwolf --port 0 --players 5 --games 2 --agent 'bot:sample*4' --web 0 --out resumed
address=${web#http://} address=${address%/web/}
python3 "$page" "$web" --told kept.told >kept.txt 2>&1 &
kept=$!
slow "$port" ann 5
game=$(live)
await 'a page' kept.told watches
{
    kill -KILL "$server"
    wait "$server"
} 2>/dev/null
serve resumed serve aiwolf --port "$port" --players 5 --games 2 --agent 'bot:sample*4' --web "$address" \
    --out resumed --resume
slow "$port" ann 0.03
wait "$kept"
whole 'a page whose server was killed' kept.txt
[[ $(cat kept.txt) != *'cuts=0'* && $(cat kept.txt) != *'again=0'* ]] ||
    fail "it did not notice: $(cat kept.txt)"
stop

# ---- a delay ----

serve delayed serve aiwolf --port 0 --players 5 --games 1 --agent 'bot:sample*4' --web 0 --delay 3s --out late
before=$(date +%s%N)
slow "$port" ann 0.01
until_true "$patience" home_has '"live":[{' -H "Authorization: Bearer $secret"
game=$(grep -oE '"live":\[\{"id":"[^"]*' home.txt | cut -d'"' -f6)
began=$(date +%s%N)
list=$(curl -s "${web}api/home") doc=$(status "${web}api/games/$game/doc")
if (($(date +%s%N) - before < 3000000000)); then # else this machine stood still for as long as it is held back
    [[ $list == *'"live":[]'* ]] || fail 'the list is not held back'
    [[ $doc == 404 ]] || fail 'the game is not held back'
fi
python3 "$page" "$web" >delayed.txt 2>&1 &
delayed=$!
# its log is on disk soon, and shown to nobody until then
for ((i = 0; i < 20; i++)); do
    curl -s "${web}api/home" >home.txt
    [[ $(cat home.txt) != *'"status":"finished"'* || $(cat home.txt) == *'"over":true'* ]] ||
        fail "the log is not held back: $(cat home.txt)"
    sleep 0.1
done
wait "$delayed"
whole 'a delayed page' delayed.txt
(($(date +%s%N) - began > 2900000000)) || fail 'the end is not held back'
stop

# ---- names that are shown; the tap hears them ----

serve shown serve aiwolf --port 0 --players 5 --games 1 --agent 'bot:sample*4' --web 0 --names shown
[[ $(cat shown.err) == *EVERYBODY* ]] || fail 'names are shown in silence'
slow "$port" zzslow 0.4
python3 "$page" "$web" --tap zzslow >shown.txt 2>&1
[[ $(cat shown.txt) == 'tap: zzslow in'* ]] || fail "the tap is deaf: $(cat shown.txt)"
stop

# ---- natural language: its own port too, several loops, whispers ----

sed 's/^  port: .*/  port: 0/; s/delay: 5s/delay: 0s/; s/duration: 10m/duration: 2s/' \
    "$config/freeform_en_5.yml" >free.yml
sed 's/^  port: .*/  port: 0/' "$config/default_en_5.yml" >turns.yml
for kind in free turns; do
    for loops in 1 2; do
        mkdir "$kind$loops.d"
        cd "$kind$loops.d" || exit 1
        serve nlp serve nlp -c ../$kind.yml --port 0 --games 1 --stay --web 0 --loops $loops
        secret=$(grep -oE "operator's token: [0-9a-f]+" nlp.err | head -n 1 | cut -d' ' -f3)
        python3 "$page" "$web" --tap teamname,warg-bot,zzwhisper --told seen.told >seen.txt 2>&1 &
        seen=$!
        python3 "$page" "http://127.0.0.1:$port/web/" --view all --secret "$secret" --save own.events --told own.told \
            >own.txt 2>&1 &
        own=$!
        await 'a page' seen.told looks
        await "the operator's page" own.told looks
        if [[ $kind == free ]]; then
            "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws" --quiet --team teamname -n 5 --think 300ms >bots.txt 2>&1 &
        else
            python3 "$agents/nlp_slow.py" "$port" teamname 0.02 >bots.txt 2>&1 &
        fi
        wait "$seen" "$own"
        whole "a page of $kind with $loops loops" seen.txt
        whole "the operator's page of $kind on the own port" own.txt
        as_log own.events log/game/*.log
        [[ $(status "http://127.0.0.1:$port/") == 30[12] ]] || fail 'no way to the pages'
        [[ $(status "http://127.0.0.1:$port/api/v1/healthz") == 200 ]] || fail 'the old routes'
        stop
        cd ..
    done
done

# ---- MAW, and a contest ----

serve maw maw --players 6 --rounds 1 --day-s 3 --night-s 2 --bots 6 --real-time --web 0 --out maw --quiet
python3 "$page" "$web" --tap bot:talker >maw.txt 2>&1 &
seen=$!
wait "$seen"
[[ $(cat maw.txt) == whole* || $(cat maw.txt) == 'no document in the end'* ]] || fail "MAW: $(cat maw.txt)"
kill "$server" 2>/dev/null
wait "$server"
server=

# more games than can be over before the page is asked for; they are cut short
launch run.out run.err "$WARG" run --players 5 --games 100000 --agent 'bot:sample*4' --agent "name=prog,cmd=$WARG bot aiwolf --host {host} --port {port} --name {name}" \
    --web 0 --out run --quiet
await run run.err 'pages: ' || exit 1
web=$(grep -oE 'pages: http://[^ ;]*' run.err | head -n 1 | cut -d' ' -f2)
until_true "$patience" home_has '"live":[{'
[[ $(cat home.txt) == *'"live":[{"id":"run.0'* && $(cat home.txt) != *prog* ]] || fail "run: $(cat home.txt)"
kill -INT "$server"
wait "$server"
status=$?
server=
((status == 130)) || fail "run: exit status $status: $(tail -n 3 run.err)"

expect 2 'a delay of nothing' "$WARG" serve aiwolf --delay 10s
[[ $err == *'--delay goes with --web'* ]] || fail "a delay of nothing: $err"
expect 2 'no port' "$WARG" serve aiwolf --web here
[[ $err == *'--web: expected a port'* ]] || fail "no port: $err"

finish
