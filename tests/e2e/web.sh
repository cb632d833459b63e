#!/usr/bin/env bash
# `warg web`: pages, their files, documents of games, logs that are brought; and what is refused: other hosts,
# other pages, paths that lead out, views of games that may still be played.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
data=$WARG_SOURCE/tests/data

# ---- what is served ----

expect 6 'games to look at' "$WARG" run -g 3 -n 5 -a 'bot:sample*4' \
    -a "name=slow,cmd=sleep 60{port}" --startup-limit 200ms -s 7 -o cup
expect 0 'a session' "$WARG" maw --players 5 --rounds 2 --seed 7 --quiet --out session
mkdir logs
cp "$data/nlp-logs/jsai2026_truck5_game1.log" "$data/aiwolf-logs/contests/gat2018_5p_0015.log.gz" logs/
head -n 30 "$data/nlp-logs/jsai2026_truck5_game1.log" >logs/running.log
cp logs/running.log logs/.hidden.log
mkfifo logs/fifo.log
ln -s ../secret.log logs/link.log
cp logs/running.log secret.log
launch said.txt noted.txt "$WARG" web --port 0 --operator-file op.key cup session logs
await 'the address' said.txt '^pages: http://127.0.0.1:[0-9]+/web/$' || finish
address=$(sed -n 's,^pages: http://\(.*\)/web/$,\1,p' said.txt)
[[ $(stat -c %a op.key) == 600 ]] || fail 'others may read the secret'
grep -q "$(cat op.key)" said.txt noted.txt && fail 'the secret is in a file of output'

# get PATH CURL_OPTION...: its status in $status, the head in head.txt, the body in body.txt.
get()
{
    local path=$1
    shift
    : >body.txt
    status=$(curl -s -o body.txt -D head.txt -w '%{http_code}' --path-as-is "$@" "http://$address$path")
}
has_header()
{
    tr -d '\r' <head.txt | grep -qixF "$1" || fail "$2: no header '$1': $(tr -d '\r' <head.txt)"
}
is()
{
    [[ $status == "$1" ]] || fail "$2: $status, expected $1: $(head -c 300 body.txt)"
}
says()
{
    grep -qF -- "$1" body.txt || fail "$2: no '$1' in $(head -c 300 body.txt)"
}
json()
{
    python3 -c 'import json, sys; value = json.load(open("body.txt")); print(eval(sys.argv[1]))' "$1"
}

# ---- pages ----

get /
is 302 'the root'
has_header 'Location: /web/' 'the root'
for page in '' open search wall seat operator login g/cup.000 s/session r/ABCDEF; do
    get "/web/$page"
    is 200 "page '$page'"
    has_header 'Content-Type: text/html; charset=utf-8' "page '$page'"
    has_header 'Cache-Control: no-cache' "page '$page'"
    has_header 'X-Content-Type-Options: nosniff' "page '$page'"
    has_header 'Cross-Origin-Opener-Policy: same-origin' "page '$page'"
    has_header 'Cross-Origin-Resource-Policy: same-origin' "page '$page'"
    has_header 'Referrer-Policy: no-referrer' "page '$page'"
    has_header "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'none'" "page '$page'"
    grep -qi '^access-control' head.txt && fail "page '$page' may be read by other pages"
done
get /web/ -H 'Accept-Language: ja,en;q=0.5'
says '<html lang="ja">' 'a page in Japanese'
etag=$(sed -n 's/^ETag: \(".*"\)\r$/\1/p' head.txt)
get /web/ -H 'Accept-Language: ja,en;q=0.5' -H "If-None-Match: $etag"
is 304 'a page that the browser has'
[[ -s body.txt ]] && fail 'a 304 has a body'
get /web/nothing/here
is 404 'no page'
says 'href="/web/"' 'the way home'
get /web/g/no.such.game
is 404 'the page of no game'

# ---- files of pages ----

get /web/
script=$(grep -o '/web/assets/app\.[0-9a-f]*\.js' body.txt)
get "$script"
is 200 'the script'
has_header 'Content-Type: text/javascript; charset=utf-8' 'the script'
has_header 'Cache-Control: public, max-age=31536000, immutable' 'the script'
cmp -s body.txt "$WARG_SOURCE/web/dist/app.js" || fail 'the script is not that of the tree'
get "$script" -H 'Accept-Encoding: gzip'
has_header 'Content-Encoding: gzip' 'the script, packed'
gzip -dc <body.txt | cmp -s - "$WARG_SOURCE/web/dist/app.js" || fail 'the packed script is another'
get "$script" -I
is 200 'the head of the script'
[[ $(sed -n 's/^Content-Length: \([0-9]*\)\r$/\1/p' head.txt) == $(stat -c %s "$WARG_SOURCE/web/dist/app.js") ]] ||
    fail 'the length of the script'
for path in app.js app.00000000.js export.html ../dist/app.js ..%2f..%2fetc/passwd INPUTS ''; do
    get "/web/assets/$path"
    [[ $status == 40[04] ]] || fail "assets/$path: $status"
done

# ---- lists ----

get /web/api/home
is 200 home
[[ $(json 'value["contests"][0]["id"], value["contests"][0]["played"]') == "('cup', 3)" ]] || fail "contests: $(json 'value["contests"]')"
[[ $(json 'value["sessions"][0]["id"], value["sessions"][0]["rounds"]') == "('session', 2)" ]] || fail "sessions: $(json 'value["sessions"]')"
[[ $(json 'sorted(game["id"] for game in value["games"])') == "['cup.000', 'cup.001', 'cup.002', 'gat2018_5p_0015', 'jsai2026_truck5_game1', 'running', 'session.1', 'session.2']" ]] ||
    fail "games: $(json 'sorted(game["id"] for game in value["games"])')"
[[ $(json 'sorted(set(game["status"] for game in value["games"]))') == "['finished', 'truncated']" ]] || fail 'states of games'
[[ $(json 'any("winner" in game for game in value["games"])') == False ]] || fail 'home tells who won'
[[ $(json 'value["open"], value["operator"]') == '(True, False)' ]] || fail 'what may be done here'
get '/web/api/games?results=1&limit=3'
[[ $(json 'len(value["games"])') == 3 ]] || fail 'three games'
next=$(json 'value["next"]')
get "/web/api/games?results=1&limit=100&after=$next"
[[ $(json 'len(value["games"])') == 5 ]] || fail "games behind the first three: $(json 'len(value["games"])')"
get '/web/api/games?results=1&contest=cup'
[[ $(json 'all(game["winner"] in ("VILLAGER", "WEREWOLF") for game in value["games"]), len(value["games"])') == '(True, 3)' ]] ||
    fail "winners: $(cat body.txt)"
get '/web/api/games?team=slow&fault=1'
[[ $(json 'len(value["games"])') -ge 1 ]] || fail 'games of a team with faults'
get '/web/api/games?winner=VILLAGER'
is 400 'winners that are not to be told'
get /web/api/sessions/session
[[ $(json '[r["game"] for r in value["rounds"]], len(value["seats"])') == "(['session.1', 'session.2'], 5)" ]] || fail "a session: $(cat body.txt)"
get /web/api/sessions/none
is 404 'no session'

# ---- documents ----

for game in cup.000 gat2018_5p_0015 jsai2026_truck5_game1 session.2; do
    for view in public all seat:1 seat:5; do
        get "/web/api/games/$game/doc?view=$view"
        is 200 "$game, $view"
        [[ $(json 'value["format"], value["id"]') == "('warg-game', '$game')" ]] || fail "$game, $view: $(head -c 200 body.txt)"
    done
done
get '/web/api/games/cup.000/doc?view=all'
has_header 'Content-Type: application/json' 'a document'
has_header 'Cache-Control: no-cache' 'a document'
[[ $(json 'value["contest"]') == "{'id': 'cup', 'stage': 0, 'set': 0, 'game': 0}" ]] || fail 'the contest of a document'
[[ $(json 'any(e["kind"] == "fault" and e["fault"]["kind"] in ("timeout", "disconnect") for e in value["events"])') == True ]] ||
    fail 'faults of a document'
cp body.txt whole.txt
etag=$(sed -n 's/^ETag: \(".*"\)\r$/\1/p' head.txt)
get '/web/api/games/cup.000/doc?view=all' -H "If-None-Match: $etag"
is 304 'a document that is known'
get '/web/api/games/cup.000/doc?view=all' -H 'Accept-Encoding: gzip'
has_header 'Content-Encoding: gzip' 'a packed document'
gzip -dc <body.txt | cmp -s - whole.txt || fail 'the packed document is another'
"$WARG" log doc --view all cup/logs/000.log >doc.txt 2>/dev/null ||
    "$WARG" log doc --view all cup/logs/000.log.gz >doc.txt
[[ $(python3 -c 'import json
a, b = json.load(open("whole.txt")), json.load(open("doc.txt"))
print([e["a"] for e in a["events"] if e["kind"] != "fault"] == [e["a"] for e in b["events"] if e["kind"] != "fault"])') == True ]] ||
    fail 'the document is not that of log doc'
get '/web/api/games/cup.000/doc?view=seat:6'
[[ $status == 4* || $(json 'len(value["seats"])') == 5 ]] || fail 'a seat that is not there'
for view in seat:0 seat:99 everything seat: '"><script>'; do
    get '/web/api/games/cup.000/doc' -G --data-urlencode "view=$view"
    is 400 "the view '$view'"
done
get /web/api/games/none/doc
is 404 'no game'
says '"code":"no-game"' 'no game'
get '/web/g/cup.000/doc?view=public'
has_header "Content-Disposition: attachment; filename=\"cup.000.warg-game.json\"; filename*=UTF-8''cup.000.warg-game.json" 'a document to keep'

# ---- logs ----

log=$(ls cup/logs/000.log*)
get /web/g/cup.000/log
is 200 'a log'
cmp -s body.txt "$log" || fail 'the log is another'
grep -qi '^content-disposition: attachment; filename="000.log' head.txt || fail 'a log is shown'
get /web/g/cup.000/log.json
is 404 'no JSON log'

# ---- games that may still be played ----

get /web/api/games/running/doc
is 200 'the public view of a log without an end'
[[ $(json 'any("role" in seat for seat in value["seats"]), any("agent" in seat for seat in value["seats"])') == '(False, False)' ]] ||
    fail 'roles, or who plays, of a log without an end'
has_header 'Cache-Control: no-store' 'a log without an end'
for path in api/games/running/doc?view=all api/games/running/doc?view=seat:1 g/running/doc?view=all g/running/log; do
    get "/web/$path"
    is 403 "$path"
    says '"code":"not-over"' "$path"
    get "/web/$path" -H "Authorization: Bearer $(cat op.key)"
    is 200 "$path for operators"
    get "/web/$path" -H 'Authorization: Bearer guess'
    is 403 "$path with a wrong secret"
done
cat "$data/nlp-logs/jsai2026_truck5_game1.log" >logs/running.log
get '/web/api/games/running/doc?view=all'
is 200 'the same log with its end'

# ---- games that come ----

cp "$data/nlp-logs/jsai2026_truck5_game2.log" logs/new.log
is_found()
{
    get '/web/api/games/new/doc?view=all'
    [[ $status == 200 ]]
}
until_true "$patience" is_found || is 200 'a game that came'
rm logs/new.log
get '/web/api/games/new/doc?view=all'
is 404 'a game that went'

# ---- what is brought ----

bring()
{
    local file=$1
    shift
    get "/web/api/open?name=../some/what.log" --data-binary @"$file" -H 'Content-Type: application/octet-stream' \
        -H "Origin: http://$address" "$@"
}
bring logs/jsai2026_truck5_game1.log
is 200 'a log that is brought'
has_header 'Cache-Control: no-store' 'a log that is brought'
[[ $(json 'len(value["documents"]), value["documents"][0]["source"]["name"], value["documents"][0]["view"]') == "(1, 'what.log', {'kind': 'all'})" ]] ||
    fail "a log that is brought: $(head -c 300 body.txt)"
bring logs/gat2018_5p_0015.log.gz
is 200 'a packed log that is brought'
bring session/session.jsonl
is 200 'a session that is brought'
[[ $(json 'len(value["documents"])') == 2 ]] || fail 'rounds of a session that is brought'
head -c 20000 /dev/urandom >noise
bring noise
is 422 'noise'
(printf '\x1f\x8b'; cat noise) >noise.gz
bring noise.gz
is 422 'packed noise'
: >empty
bring empty
is 422 'nothing'
head -c 100000000 /dev/zero | gzip -c >bomb.gz
bring bomb.gz
is 413 'a little that becomes much'
head -c 17000000 /dev/zero >large
bring large -H 'Expect:'
[[ $status == 413 || $status == 000 ]] || fail "17 MB: $status"
bring logs/jsai2026_truck5_game1.log -H 'X-Forwarded-For: 192.0.2.1'
is 403 'a log that a proxy brings'
bring logs/jsai2026_truck5_game1.log -H 'X-Forwarded-For: 192.0.2.1' -H "Authorization: Bearer $(cat op.key)"
is 200 'a log that an operator brings'
get /web/api/games | grep -q what && fail 'what was brought is kept'

# ---- sentences ----

lang()
{
    get /web/api/lang --data-binary "$1" -H 'Content-Type: application/json' -H "Origin: http://$address"
}
lang '{"texts":["COMINGOUT Agent[03] SEER","VOTE","  Skip"]}'
is 200 'sentences'
[[ $(json '[t["valid"] for t in value["texts"]], value["texts"][0]["canonical"]') == "([True, False, "*"'COMINGOUT Agent[03] SEER')" ]] ||
    fail "sentences: $(cat body.txt)"
[[ $(json 'len(value["texts"][0]["plain"]["ja"]) > 3, "error" in value["texts"][1]') == '(True, True)' ]] || fail "plain words: $(cat body.txt)"
for body in '' '{}' '[]' '{"texts":"a"}' '{"texts":[1]}' '{"texts":["a"' "{\"texts\":[$(printf '"a",%.0s' {1..20})\"a\"]}"; do
    lang "$body"
    is 400 "the body '$body'"
done

# ---- who may ask ----

get /web/ -H 'Host: evil.example'
is 421 'another host'
says --public-host 'another host'
get /web/api/home -H 'Host: evil.example:80'
is 421 'data for another host'
for host in localhost 127.0.0.1 "[::1]" "localhost:1" "$(hostname)"; do
    get /web/ -H "Host: $host"
    is 200 "the host $host"
done
grep -q 'evil.example.*--public-host' noted.txt || fail "nobody was told of another host: $(cat noted.txt)"
post='{"texts":["Skip"]}'
get /web/api/lang --data "$post" -H 'Content-Type: application/json'
is 403 'no origin'
get /web/api/lang --data "$post" -H 'Content-Type: application/json' -H 'Origin: http://evil.example'
is 403 'another origin'
get /web/api/lang --data "$post" -H 'Content-Type: application/json' -H 'Origin: null'
is 403 'an origin that is none'
get /web/api/lang --data "$post" -H 'Content-Type: text/plain' -H "Origin: http://$address"
is 415 'a body that any page may send'
get /web/api/lang --data "$post" -H 'Content-Type: application/octet-stream' -H "Origin: http://$address"
is 415 'bytes that are no log'
get /web/api/lang
is 405 'a body that was forgotten'
get /web/api/home -X POST -H "Origin: http://$address" -H 'Content-Type: application/json'
is 405 'a list that is posted'
get /web/api/home -H 'Origin: http://evil.example'
is 200 'another page asks'
grep -qi '^access-control' head.txt && fail 'another page may read'
get /web/api/login -X POST -H "Origin: http://$address" -H 'Content-Type: application/json' -H "Authorization: Bearer $(cat op.key)"
is 200 'the secret'
get /web/api/login -X POST -H "Origin: http://$address" -H 'Content-Type: application/json' -H 'Authorization: Bearer guess'
is 401 'a guess'
for ((i = 0; i < 25; i++)); do
    get /web/api/home -H "Authorization: Bearer guess$i"
done
is 429 'many guesses'
get /web/api/home -H 'Authorization: Bearer guess'
is 200 'a token of something else, sent again and again'
get /web/api/home -H "Authorization: Bearer $(cat op.key)"
is 200 'the secret behind many guesses'
get /web/api/home
is 200 'no secret behind many guesses'

# ---- paths that lead out ----

for path in ../secret.log ..%2fsecret.log %2e%2e/secret.log link fifo .hidden secret cup/journal.jsonl \
    ../cup/journal.jsonl cup.journal session/session.jsonl 'cup.000%00' cup.000/../../op.key op.key \
    "$(printf 'A%.0s' {1..5000})" '%' '%zz' '%ff%fe' '~' '*' 'cup.000;x' '\..\op.key'; do
    for form in "g/$path/log" "api/games/$path/doc" "g/$path/doc"; do
        get "/web/$form"
        [[ $status == 400 || $status == 404 || $status == 414 || $status == 431 ]] || fail "$form: $status"
        grep -qE 'status,|"record"' body.txt && fail "$form: $(head -c 100 body.txt)"
        grep -q "$work" body.txt && fail "$form names a folder"
    done
done
kill -0 "$server" || fail 'the server is gone'

# ---- its end, and what it is started with ----

kill -INT "$server"
wait "$server" || fail "its end: $?"
server=
expect 2 'no path' "$WARG" web
expect 3 'a path that is not there' "$WARG" web missing
[[ $err == *missing* ]] || fail "a path that is not there: $err"
expect 2 'a name with a port' "$WARG" web --public-host a:1 cup
expect 2 'an origin that is none' "$WARG" web --embed example.org cup
expect 3 'files that are not there' "$WARG" web --assets nowhere cup
chmod 644 op.key
expect 2 'a secret that others may read' "$WARG" web --operator-file op.key cup

"$WARG" web --port 0 --public-host tables.example.org --names hidden --embed https://hall.example.org cup logs >later.txt &
server=$!
await 'the address' later.txt '^pages: ' || finish
address=$(sed -n 's,^pages: http://\(.*\)/web/$,\1,p' later.txt)
get /web/ -H 'Host: tables.example.org'
is 200 'the name of a proxy'
grep -q "frame-ancestors https://hall.example.org" head.txt || fail 'a frame'
bring logs/jsai2026_truck5_game1.log
is 403 'a log that is brought to a public server'
get '/web/api/games/cup.000/doc?view=all'
[[ $(json 'any("agent" in seat for seat in value["seats"]), all("role" in seat for seat in value["seats"])') == '(False, True)' ]] ||
    fail 'names that are hidden'
get /web/api/games
grep -q slow body.txt && fail 'names that are hidden, in a list'
get /web/g/cup.000/log
is 403 'a log that has names'
get '/web/api/games?team=slow'
is 403 'games of a hidden team'

finish
