#!/usr/bin/env bash
# Operators act on servers that run, by the API: asked twice, with the operator's token only, in the
# journal before it takes effect; and who is none can neither act nor see what was done.
source "$(dirname "$0")/common.bash"
token='a token of an operator, 40 characters long'
printf '%s\n' "$token" >key && chmod 600 key
crowd=()
trap 'kill $server "${crowd[@]}" 2>/dev/null; rm -rf "$work"' EXIT

# call STATUS WHAT METHOD PATH CURL-OPTION...: the answer's body stands in $got.
call()
{
    local status=$1 what=$2 method=$3 path=$4 said
    shift 4
    said=$(curl -s -o body.txt -w '%{http_code}' -X "$method" "$@" "http://$address$path")
    got=$(tr -d '\0' <body.txt)
    [[ $said == "$status" ]] || fail "$what: $said, expected $status: ${got:0:300}"
}

# ask STATUS WHAT JSON CURL-OPTION...: as the operator.
ask()
{
    local status=$1 what=$2 body=$3
    shift 3
    call "$status" "$what" POST /api/v1/operator/acts -H "Authorization: Bearer $token" \
        -H 'Content-Type: application/json' --data "$body" "$@"
}

# member NAME: a member of the answer; JSON when it is no text.
member()
{
    python3 -c 'import json, sys
try: json.loads(sys.argv[1])
except ValueError: sys.exit("no JSON: " + sys.argv[1])
value = json.loads(sys.argv[1])
for name in sys.argv[2].split("."): value = value[name]
print(value if isinstance(value, str) else json.dumps(value))' "$got" "$1"
}

# with_confirm JSON TOKEN
with_confirm()
{
    printf '%s,"confirm":"%s"}' "${1%\}}" "$2"
}

# act WHAT JSON: asked twice, and done.
act()
{
    local confirm would
    ask 409 "$1, first" "$2"
    [[ $(member error.code) == confirm ]] || fail "$1: it is not asked twice: $got"
    confirm=$(member confirm) would=$(member would)
    ask 200 "$1, second" "$(with_confirm "$2" "$confirm")"
    [[ $(member done) == "$would" ]] || fail "$1: '$would' became '$got'"
}

# until_asked WHAT JSON: until what it asks for can be done, as once an agent has come back.
until_asked()
{
    until_true "$patience" can_be_done "$2" || fail "$1: $(cat body.txt)"
}

can_be_done()
{
    curl -s -o body.txt -X POST -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
        --data "$1" "http://$address/api/v1/operator/acts"
    grep -q '"code":"confirm"' body.txt
}

# await_path WHAT PATH PATTERN: until it says so to the operator.
await_path()
{
    until_true "$patience" path_says "$2" "$3" || fail "$1: $2 never says $3: $(cat body.txt)"
}

path_says()
{
    curl -s -o body.txt -H "Authorization: Bearer $token" "http://$address$1"
    grep -qE -- "$2" body.txt
}

# ---- who may ----

# nobody_else WHAT: who is no operator gets nothing.
nobody_else()
{
    local path hold='{"act":"hold"}' json='Content-Type: application/json'
    local mine="Authorization: Bearer $token"
    for path in /api/v1/operator/acts '/api/v1/operator/logs?team=ann'; do
        call 401 "$1, no token: $path" GET "$path"
        [[ $(member error.code) == token ]] || fail "$1: $got"
        call 403 "$1, a wrong token: $path" GET "$path" -H 'Authorization: Bearer wrong'
        call 401 "$1, the token in a query: $path" GET "${path%%\?*}?token=${token// /%20}"
    done
    call 401 "$1, an act without a token" POST /api/v1/operator/acts -H "$json" --data "$hold"
    call 403 "$1, a wrong token" POST /api/v1/operator/acts -H "$json" --data "$hold" \
        -H "Authorization: Bearer ${token}x"
    call 415 "$1, a form" POST /api/v1/operator/acts -H "$mine" --data "$hold"
    call 415 "$1, plain text" POST /api/v1/operator/acts -H "$mine" --data "$hold" \
        -H 'Content-Type: text/plain'
    call 403 "$1, a page of elsewhere" POST /api/v1/operator/acts -H "$mine" -H "$json" \
        -H 'Origin: http://192.0.2.7' --data "$hold"
    [[ $(member error.code) == origin ]] || fail "$1: $got"
    ask 409 "$1, a page of this server" "$hold" -H "Origin: http://$address"
    call 421 "$1, a name of elsewhere" POST /api/v1/operator/acts -H "$mine" -H "$json" \
        -H 'Host: evil.example.org' --data "$hold"
    call 405 "$1, another method" PUT /api/v1/operator/acts -H "$mine" --data "$hold"
    ask 400 "$1, no JSON" hold
    ask 400 "$1, an unknown act" '{"act":"dance"}'
    ask 400 "$1, an unknown member" '{"act":"hold","force":true}'
    ask 400 "$1, a list" '["hold"]'
    ask 413 "$1, a large body" "{\"act\":\"hold\",\"why\":\"$(printf '%5000d' 1)\"}"
}

# confirms_once WHAT
confirms_once()
{
    local confirm hold='{"act":"hold","why":"lunch"}'
    ask 409 "$1, first" "$hold"
    confirm=$(member confirm)
    ask 409 "$1, a confirm of another act" "$(with_confirm '{"act":"hold","why":"tea"}' "$confirm")"
    [[ $(member error.code) == confirm-unknown ]] || fail "$1: $got"
    ask 409 "$1, behind that it is gone" "$(with_confirm "$hold" "$confirm")"
    ask 409 "$1, a made-up confirm" "$(with_confirm "$hold" 00000000000000000000000000000000)"
    call 200 "$1, nothing was done" GET /api/v1/operator/acts -H "Authorization: Bearer $token"
    [[ $(member acts) == '[]' ]] || fail "$1: something was done: $got"
    ask 409 "$1, again" "$hold"
    confirm=$(member confirm)
    ask 200 "$1, done" "$(with_confirm "$hold" "$confirm")"
    ask 409 "$1, a replay" "$(with_confirm "$hold" "$confirm")"
    [[ $(member error.code) == confirm-unknown ]] || fail "$1: a replay: $got"
    act "$1, go on" '{"act":"go-on"}'
}

# too_many WHAT: wrong tokens of one address; the right one is taken all the same.
too_many()
{
    local i
    for ((i = 0; i < 12; i++)); do
        curl -s -o body.txt -H "Authorization: Bearer guess$i" "http://$address/api/v1/operator/acts"
    done
    call 429 "$1, guesses" GET /api/v1/operator/acts -H 'Authorization: Bearer guess'
    call 200 "$1, the right token" GET /api/v1/operator/acts -H "Authorization: Bearer $token"
}

# on_pages WHAT FILE: the port of --web has the same.
on_pages()
{
    local own=$address
    address=$(grep -oE 'pages: http://127\.0\.0\.1:[0-9]+' "$2" | grep -oE '127.*' | head -n 1)
    call 401 "$1, pages, no token" GET /api/v1/operator/acts
    call 200 "$1, pages" GET /api/v1/operator/acts -H "Authorization: Bearer $token"
    call 403 "$1, a page of the other port" POST /api/v1/operator/acts -H "Authorization: Bearer $token" \
        -H 'Content-Type: application/json' -H "Origin: http://$own" --data '{"act":"hold"}'
    ask 409 "$1, its own page" '{"act":"hold"}' -H "Origin: http://$address"
    address=$own
}

# ---- natural language ----

sed 's/self_match: true/self_match: false/; s/is_optimize: false/is_optimize: true/
     s/team_count: .*/team_count: 6/; s/game_count: .*/game_count: 6/; s/duration: 10m/duration: 1s/' \
    "$WARG_SOURCE/config/nlp/freeform_en_5.yml" >cup.yml

# freeze PID...: these agents answer nothing until thaw PID...
freeze()
{
    kill -STOP "$@"
}

thaw()
{
    kill -CONT "$@"
}

port=0
host()
{
    launch "$1.out" "$1.err" "$WARG" serve nlp -c cup.yml --port "$port" --operator-file key "${@:2}"
    await "$1" "$1.err" 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$1.err" | head -n 1)
    port=${address##*:}
}

come()
{
    "$WARG" bot nlp --url "ws://$address/ws" --quiet --team "$1" -n 1 --reconnect --retry 20ms \
        --think 200ms >"$1.txt" 2>&1 &
    crowd+=($!)
}

host nlp --web 0
nobody_else nlp
on_pages nlp nlp.err
confirms_once nlp
act 'hold' '{"act":"hold","by":"Ann Example","why":"a test"}'
for team in ann ben cho dai eve; do
    come "$team"
done
come fay
await_path 'six wait' /api/v1/progress '"waiting":6'
[[ $(curl -s "http://$address/api/v1/progress") == *'"held":true'* ]] || fail 'a hold is not seen'
ask 404 'an unknown team' '{"act":"leave-out","team":"nobody"}'
ask 404 'an unknown game' '{"act":"void","game":"01NONE"}'
ask 409 'sets are of the other division' '{"act":"void","set":1}'
act 'leave out' '{"act":"leave-out","team":"fay"}'
freeze "${crowd[@]}" # no game ends meanwhile
act 'go on' '{"act":"go-on"}'
await 'a game without fay' nlp.err 'game-begun' || exit 1
# at the end of what can be played the hold keeps the server
act 'hold again' '{"act":"hold"}'
thaw "${crowd[@]}"
await 'a game without fay' nlp.err 'game-over' || exit 1
! grep 'game-begun' nlp.err | grep -q fay || fail 'fay plays, who is left out'
await_path 'all are over' /api/v1/progress '"running":0'
game=$(curl -s -H "Authorization: Bearer $token" "http://$address/api/v1/games?state=finished" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["games"][0]["id"])')
before=$(python3 -c 'import json; print(len(json.load(open("log/match_optimizer.json"))["ended_matches"]))')
act 'void' "{\"act\":\"void\",\"game\":\"$game\",\"why\":\"the network was away\"}"
ask 409 'void twice' "{\"act\":\"void\",\"game\":\"$game\"}"
after=$(python3 -c 'import json; print(len(json.load(open("log/match_optimizer.json"))["ended_matches"]))')
((after == before - 1)) || fail "a void match has ended still: $before, then $after"
[[ $(compgen -G 'log/*/*.log.void') || $(compgen -G 'log/*.log.void') ]] ||
    fail "the log of a void game counts: $(find log)"

# logs of games that are over
# logs WHAT QUERY: the names in the archive, in $names.
logs()
{
    local said
    said=$(curl -s -o logs.tar.gz -D head.txt -w '%{http_code} %{content_type}' \
        -H "Authorization: Bearer $token" "http://$address/api/v1/operator/logs?$2")
    [[ $said == '200 application/gzip' ]] || fail "$1: $said: $(head -c 300 logs.tar.gz)"
    names=$(tar tzf logs.tar.gz | sort | tr '\n' ' ')
}
logs 'of a team' 'team=ann'
[[ $names =~ ^[0-9]+_ann_ben_cho_dai_eve\.json\.void\ [0-9]+_ann_ben_cho_dai_eve\.log\.void\ $ ]] ||
    fail "the logs of a team: $names"
grep -qi 'content-disposition: attachment' head.txt || fail "logs are shown: $(cat head.txt)"
of_team=$names
logs 'of a day' "day=$(date -u +%Y-%m-%d)"
[[ $names == "$of_team" ]] || fail "the logs of a day: $names"
mine="Authorization: Bearer $token"
call 404 'a day without games' GET '/api/v1/operator/logs?day=2001-01-01' -H "$mine"
call 404 'a team without games' GET '/api/v1/operator/logs?team=fay' -H "$mine"
call 400 'no day' GET '/api/v1/operator/logs?day=yesterday' -H "$mine"
call 400 'nothing asked for' GET /api/v1/operator/logs -H "$mine"

too_many nlp

# killed and started again: the same is held, left out, void
kill -9 "$server"
wait "$server" 2>/dev/null
host again --loops 2
call 200 'acts of before' GET /api/v1/operator/acts -H "Authorization: Bearer $token"
[[ $(member held) == true && $(member left_out) == '["fay"]' ]] || fail "after a restart: $got"
[[ $got == *'"by":"Ann Example","why":"a test"'* ]] || fail "who and why: $got"
await_path 'five are back' /api/v1/progress '"waiting":5'
await 'fay is back' again.err ' name=fay1 '
call 401 'the public does not see who waits' GET /api/v1/operator/acts

act 'let in' '{"act":"let-in","team":"fay"}'
freeze "${crowd[@]}" # the game hangs
act 'go on' '{"act":"go-on"}'
await 'a game with fay' again.err 'game-begun.*fay' || exit 1
call 404 'logs of a running game' GET '/api/v1/operator/logs?team=fay' -H "$mine"
act 'disconnect' '{"act":"disconnect","agent":"fay1","why":"it hangs"}'
stuck=$(grep -oE 'game-begun game=[0-9A-Z]+.*fay' again.err | grep -oE 'game=[0-9A-Z]+' | head -n 1)
act 'end' "{\"act\":\"end\",\"game\":\"${stuck#game=}\"}"
await 'it is ended' again.err "game-over ${stuck} .*aborted" || exit 1
ask 404 'end twice' "{\"act\":\"end\",\"game\":\"${stuck#game=}\"}"
thaw "${crowd[@]}"
wait "$server" || fail "the server: $(tail -n 5 again.err)"
server=
kill "${crowd[@]}" 2>/dev/null
wait "${crowd[@]}" 2>/dev/null

# what the journal says: whoever counts, counts what was decided and is not void
decided=$(python3 - "$(find log -name journal.jsonl)" <<'PYTHON'
import json, sys
games, void, acts = {}, set(), []
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    if record["record"] == "game":
        games[record["game"]] = record
    elif record["record"] == "act":
        acts.append(record["act"])
        if record["act"] == "void":
            void.add(record["game"])
            assert record["game"] in games and games[record["game"]]["id"] == record["id"]
print(sum(not game.get("void") and number not in void for number, game in games.items()))
print(" ".join(acts))
PYTHON
)
[[ $decided == $'6\nhold go-on hold leave-out go-on hold void let-in go-on disconnect end' ]] ||
    fail "the journal: $decided"
folder=$(dirname "$(find log -name journal.jsonl)")
expect 0 'standings' "$WARG" standings "$folder" --format json
[[ $out == *'"games":6,'* ]] || fail "standings count others: ${out:0:300}"
expect 0 'a report' "$WARG" report "$folder"
expect 0 'logs' "$WARG" log check "$folder"
expect 0 'a list' "$WARG" log list "$folder" --json
[[ $(grep -c '"void":true' <<<"$out") == "$(grep -c '"void":true\|"act":"void"' "$folder/journal.jsonl")" ]] ||
    fail "the list of void games: $out"
expect 0 'a list' "$WARG" log list "$folder"
[[ $out == *' void '* ]] || fail "the list marks no void game: $out"

# a RECEIVER's token and warg.open are for looking
rm -rf log
sed 's/^    enable: false  /    enable: true  /' cup.yml >closed.yml
export SECRET_KEY='a key of at least 32 characters, long'
launch closed.out closed.err "$WARG" serve nlp -c closed.yml --port 0 --operator-file key
await closed closed.err 'listening on' || exit 1
address=$(grep -oE '127\.0\.0\.1:[0-9]+' closed.err | head -n 1)
receiver=$("$WARG" token receiver)
call 200 'a RECEIVER looks' GET /api/v1/waiting -H "Authorization: Bearer $receiver"
call 403 'a RECEIVER acts' POST /api/v1/operator/acts -H "Authorization: Bearer $receiver" \
    -H 'Content-Type: application/json' --data '{"act":"hold"}'
call 200 'the operator' GET /api/v1/operator/acts -H "Authorization: Bearer $token"
kill "$server"
wait "$server" 2>/dev/null
unset SECRET_KEY
sed 's/^  open: false/  open: true/; s/^warg:/warg:/' cup.yml >open.yml
launch open.out open.err "$WARG" serve nlp -c open.yml --port 0
await open open.err 'listening on' || exit 1
address=$(grep -oE '127\.0\.0\.1:[0-9]+' open.err | head -n 1)
call 200 'everybody looks' GET /api/v1/waiting
call 401 'nobody acts' POST /api/v1/operator/acts -H 'Content-Type: application/json' --data '{"act":"hold"}'
call 403 'nobody acts with an empty token' POST /api/v1/operator/acts -H 'Authorization: Bearer ' \
    -H 'Content-Type: application/json' --data '{"act":"hold"}'
kill "$server"
wait "$server" 2>/dev/null
server=

# ---- the protocol division ----

# table NAME OPTION...
table()
{
    local name=$1
    shift
    launch "$name.out" "$name.err" "$WARG" serve aiwolf --port 0 --http 0 --operator-file key --out set --players 5 --games 30 --sets 2 \
        --agent 'bot:sample*3' --startup-limit 60s --time-limit 20s "$@"
    await "$name" "$name.err" 'can be watched at' || exit 1
    port=$(grep -oE 'listening on [^;]*' "$name.err" | grep -oE '[0-9]+$')
    address=$(grep -oE '127\.0\.0\.1:[0-9]+/api' "$name.err" | head -n 1)
    address=${address%/api}
}

sit()
{
    "$WARG" bot aiwolf --port "$port" --name "$1" --repeat --wait 10s >"$1.txt" 2>&1 &
    crowd+=($!)
}

# sit_once NAME: it does not come again behind the set.
sit_once()
{
    "$WARG" bot aiwolf --port "$port" --name "$1" >"$1.txt" 2>&1 &
    crowd+=($!)
}

# games: so many are in the journal.
games()
{
    grep -c '"record":"game"' set/journal.jsonl
}

crowd=()
table first --web 0
nobody_else aiwolf
on_pages aiwolf first.err
confirms_once aiwolf
act 'hold' '{"act":"hold"}'
sit ann
sit bo
await_path 'both wait' /api/v1/operator/acts '"waiting":\["(ann","bo|bo","ann)"\]'
ask 404 'sets to come' '{"act":"end","set":0}'
ask 409 'games are of the other division' '{"act":"void","game":"01M8"}'
ask 409 'an agent of the house' '{"act":"leave-out","team":"sample"}'
act 'leave out' '{"act":"leave-out","team":"bo"}'
act 'go on' '{"act":"go-on"}'
sleep 0.3
! grep -q 'set 0 begins' first.err || fail 'a set begins with one who is left out'
freeze "${crowd[0]}"
sit cy
await 'a set of ann and cy' first.err 'set 0 begins:' || exit 1
act 'hold in a set' '{"act":"hold"}'
call 200 'what there is' GET /api/v1/operator/acts -H "Authorization: Bearer $token"
[[ $got == *'"sets":[{"set":0,"agents":['* && $got == *'"waiting":["bo"]'* ]] || fail "what there is: $got"
thaw "${crowd[0]}"
await 'the game goes on to its end' set/journal.jsonl '"record":"game"' || exit 1
sleep 0.3
before=$(games)
((before == 1)) || fail "games begin while it is held: $before"
ask 409 'not over' '{"act":"void","set":0}'
act 'end' '{"act":"end","set":0,"why":"the wrong program"}'
until_asked 'ann is back behind the set' '{"act":"disconnect","agent":"ann"}'
act 'disconnect' '{"act":"disconnect","agent":"ann"}'
kill -9 "$server"
wait "$server" 2>/dev/null
[[ $(games) == "$before" ]] || fail 'games were played behind the end'
kill "${crowd[@]}" 2>/dev/null

table second --resume
call 200 'acts of before' GET /api/v1/operator/acts -H "Authorization: Bearer $token"
[[ $(member held) == true && $(member left_out) == '["bo"]' ]] || fail "after a restart: $got"
! grep -q 'goes on behind' second.err || fail "a set that was ended is waited for: $(cat second.err)"
sit_once dai
sit_once eve
act 'let in' '{"act":"let-in","team":"bo"}'
act 'go on' '{"act":"go-on"}'
# nobody is there for another set
await 'a set' second.out 'eve' || exit 1
act 'void' '{"act":"void","set":1,"why":"a test"}'
ask 409 'void twice' '{"act":"void","set":1}'
too_many aiwolf
logs 'of a day' "day=$(date -u +%Y-%m-%d)"
[[ $names =~ logs/0+\.log ]] || fail "the logs of a day: ${names:0:200}"
sit ann
sit bo
wait "$server" || fail "the server: $(tail -n 5 second.err)"
server=
kill "${crowd[@]}" 2>/dev/null
wait "${crowd[@]}" 2>/dev/null
expect 0 'standings of sets' "$WARG" standings set --format json
[[ $out == *'"games":60,'* ]] || fail "void sets count: ${out:0:300}"
expect 0 'a list of sets' "$WARG" log list set --json
(($(grep -c '"void":true' <<<"$out") == 31)) || fail "void sets in the list: $(grep -c '"void":true' <<<"$out")"
expect 0 'audit' "$WARG" audit set
[[ $out == *'games     91 games, played again'* && $out == *'nothing contradicts'* ]] || fail "the audit: $out"

finish
