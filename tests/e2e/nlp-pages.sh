#!/usr/bin/env bash
# `serve nlp` has the pages on its own port, with --web and without: a way there, the old routes as they
# were, and who may not read those may not read these. What --delay holds back its counts hold back
# too, and wrong secrets count on all doors together.
source "$(dirname "$0")/common.bash"
token='a token of an operator, 40 characters long'
printf '%s\n' "$token" >key && chmod 600 key
mine="Authorization: Bearer $token"

# host NAME ARGUMENT...: a server; sets $address.
host()
{
    launch "$1.out" "$1.err" "$WARG" serve nlp -c "$1.yml" --port 0 --stay --operator-file key "${@:2}"
    await "$1" "$1.err" 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$1.err" | head -n 1)
}

stop()
{
    kill "$server"
    wait "$server"
    server=
}

# says WHAT STATUS PATH [CURL-OPTION...]: the answer's body stands in $got.
says()
{
    local what=$1 status=$2 path=$3 said
    shift 3
    said=$(curl -s -o body.txt -w '%{http_code}' "$@" "http://$address$path")
    got=$(tr -d '\0' <body.txt)
    [[ $said == "$status" ]] || fail "$what, $path: $said, expected $status: ${got:0:300}"
}

# play: a game is over.
play()
{
    "$WARG" bot nlp --url "ws://$address/ws" --quiet --team zzteam -n 5 >bots.txt 2>&1 || fail "bots: $(<bots.txt)"
}

# guess COUNT: wrong secrets over the feed, each on a socket of its own; prints the codes of the answers.
guess()
{
    python3 - "$address" "$1" <<'PYTHON'
import json, os, socket, sys
host, port = sys.argv[1].split(":")
for number in range(int(sys.argv[2])):
    line = socket.create_connection((host, int(port)))
    line.settimeout(60)
    line.sendall((f"GET /web/api/feed HTTP/1.1\r\nHost: {sys.argv[1]}\r\nOrigin: http://{sys.argv[1]}\r\nUpgrade: websocket\r\n"
                  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
    file = line.makefile("rb")
    while file.readline().strip():
        pass
    text = json.dumps({"type": "login", "secret": f"guess {number}"}).encode()
    line.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)
    size = (file.read(2) or b"\0\0")[1]
    if size == 126:
        size = int.from_bytes(file.read(2), "big")
    print(json.loads(file.read(size)).get("code"))
PYTHON
}

# ---- pages of a port that everybody may read ----

sed 's/^  port: .*/  port: 0/' "$WARG_SOURCE/config/nlp/default_en_5.yml" >open.yml
host open --games 1
await 'where its pages are' open.err 'pages: /web/ of port'
says 'the way there' 302 /
says 'a page' 200 /web/
says 'no name of this server' 421 /web/ -H 'Host: evil.example'
says 'a page of another site' 403 /web/api/login -X POST -H 'Origin: http://evil.example' -H 'Content-Type: application/json' -d '{}'
says 'the old routes' 200 /api/v1/healthz
says 'what was nowhere' 404 /nowhere
[[ $got == '{"error":"nothing is here; agents connect to /ws"}' ]] || fail "nowhere: $got"
says 'before the game' 200 /web/api/home
sleep 3 # a look at the folder is due
play
says 'the game' 200 /web/api/home
[[ $got == *'"played":1'*'"games":[{"id":"01'* ]] || fail "home is that of before the game: $got"
id=$(grep -oE '"id":"01[A-Z0-9]+"' body.txt | head -n 1 | cut -d'"' -f4)
says 'all of it' 200 "/web/api/games/$id/doc?view=all"
[[ $got == *'"role":"SEER"'* ]] || fail 'a game that is over is not told'
says 'acts, a stranger' 401 /api/v1/operator/acts
says 'a room, a stranger' 403 /web/api/rooms -X POST -H "Origin: http://$address" -H 'Content-Type: application/json' -d '{}'
says 'counts' 200 /metrics
# wrong secrets of one address count on all doors of the pages together
[[ $(guess 21 | sort | uniq -c | tr -s ' \n' ' ') == ' 20 login 1 tries ' ]] || fail 'the feed takes guesses without end'
says 'a guess more' 429 /web/api/home -H 'Authorization: Bearer another guess'
says 'the right secret' 200 /web/api/home -H "$mine"
stop
host open --games 1
says 'the stream of a game of before' 204 "/web/api/games/$id/feed"
says 'the stream of no game' 404 /web/api/games/nothing/feed
stop

# ---- tokens: no more without one than before ----

sed '/authentication:/{n;s/false/true/}' open.yml >tokens.yml
export SECRET_KEY='a secret of the tests'
host tokens --games 1
says 'a page' 200 /web/login
for path in /web/api/home /web/api/games /web/c/game /web/api/contests/game /api/v1/contests/game '/web/api/search?q=a' \
    /web/g/x/log /web/g/x/log.json /web/g/x/doc /web/api/games/x/doc /web/api/games/x/mind; do
    says 'a stranger' 401 "$path"
    says 'a guess' 401 "$path" -H 'Authorization: Bearer guess'
done
says 'no list' 200 /web/api/home -H "$mine"
receiver=$("$WARG" token receiver 2>token.err | tail -n 1)
says 'a RECEIVER' 200 /web/api/home -H "Authorization: Bearer $receiver"
stop
unset SECRET_KEY

# ---- a delay without a port of its own: the old routes and their counts are held back, too ----

cp open.yml late.yml
host late --games 1 --delay 1h
play
for path in /api/v1/games /api/v1/progress /metrics "/realtime/games.json"; do
    says 'a delay' 403 "$path"
    says 'the operator' 200 "$path" -H "$mine"
done
says 'ready' 503 /api/v1/readyz
[[ $got == *complete* ]] && fail "the end is told: $got"
says 'home' 200 /web/api/home
[[ $got == *'"live":[]'*'"games":[]'* ]] || fail "a game is told of: $got"
stop
finish
