#!/usr/bin/env bash
# Contest pages of `warg web`: every page in every form, filters against SQL of their own, faults at
# their moments, a contest that goes on, one that can't be read; how long pages take.
# WARG_WEB_GAMES=100000 in the environment makes the large folder that large.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

games=${WARG_WEB_GAMES:-5000}
is_sanitized && games=${WARG_WEB_GAMES:-1000}

# ---- folders ----

cat >cup.yml <<END
contest: cup <b>&
rules: aiwolf-2021
seed: 14
agents:
  - {bot: sample, name: alice}
  - {bot: talker, name: bob}
  - {bot: random, name: "人狼知能"}
  - {bot: sample, name: "<script>alert('x')</script>"}
  - {bot: sample, name: "a/b?c=d&e#f"}
  - name: foreign
    command: "exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at TALK --do foreign"
  - name: early
    command: "exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do early --after 2"
  - name: closer
    command: "exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at DIVINE --do close"
stages:
  - {name: first, players: 5, pairing: random, sets: 12, games_per_set: 5, advance: 6}
  - {name: final, players: 5, pairing: random, sets: 4, games_per_set: 5}
END
mkdir all
timeout 200 "$WARG" run -q cup.yml --startup-limit 30s -o all/cup >cup.out 2>cup.err || fail "cup: $(cat cup.err)"
many=()
for ((i = 1; i <= 40; i++)); do many+=(-a "bot:random,name=$(printf 'a-long-name-of-a-team-%02d' "$i")"); done
"$WARG" run -q -r aiwolf-2021 -n 5 --sets "$((games / 50))" --games-per-set 50 --pairing random -s 3 "${many[@]}" -o all/large >large.out 2>large.err ||
    fail "large: $(cat large.err)"
mkdir all/broken
head -c 3000 all/cup/journal.jsonl | sed 's/"crc":"./"crc":"g/' >all/broken/journal.jsonl
echo >>all/broken/journal.jsonl

# serve_pages OPTION...: its address is in $base, its process in $server.
serve_pages()
{
    launch web.out web.err "$WARG" web --port 0 "$@"
    await 'warg web' web.out 'pages: http' || exit 1
    base=$(sed -n 's,^pages: \(http://[^/]*\)/web/.*,\1,p' web.out)
}

# get STATUS PATH [OPTION...]: the body is in body.txt, headers in head.txt.
get()
{
    local status=$1 path=$2 got
    shift 2
    got=$(curl -sS -m 60 -o body.txt -D head.txt -w '%{http_code}' "$@" "$base$path")
    [[ $got == "$status" ]] || fail "$path: $got in place of $status: $(head -c 300 body.txt)"
}

serve_pages all

# ---- home ----

get 200 /web/api/home
[[ $(<body.txt) == *'"id":"cup"'*'"played":80,"complete":true,"planned":80'* ]] || fail "home: $(head -c 600 body.txt)"

# ---- every page ----

# The page without the one script that it asks for.
without_script()
{
    sed 's,^<script src="/web/assets/contest\.[0-9a-f]*\.js"></script>$,,' body.txt
}

checks_page()
{
    local path=$1
    get 200 "$path"
    (($(stat -c %s body.txt) < 300000)) || fail "$path: $(stat -c %s body.txt) bytes"
    grep -qi '^content-security-policy: .*default-src' head.txt || fail "$path: no policy"
    without_script | grep -q '<script\| style=' && fail "$path: script or style in the page"
    if command -v xmllint >/dev/null; then
        xmllint --noout body.txt 2>xml.err || fail "$path: $(head -n 3 xml.err)"
    fi
}

for contest in cup large; do
    for page in '' /standings /roles /versus /schedule /faults /games '/team/alice' '/games?results=1' \
        '/standings?sort=-rate' '/games?team=alice&against=bob'; do
        [[ $contest == large && $page == */team/* ]] && page=/team/a-long-name-of-a-team-07
        for language in en ja; do
            [[ $page == *\?* ]] && mark='&' || mark='?'
            checks_page "/web/c/$contest$page${mark}lang=$language"
            grep -q "<html lang=\"$language\">" body.txt || fail "$contest$page: not in $language"
        done
        get 200 "/web/c/$contest$page${mark}format=csv"
        grep -qi '^content-type: text/csv' head.txt || fail "$contest$page: no CSV"
        get 200 "/web/api/contests/$contest$page"
        python3 -c 'import json,sys; assert isinstance(json.load(open("body.txt"))["items"], list)' ||
            fail "$contest$page: no JSON"
    done
done
get 200 "/web/c/cup/team?team=a%2Fb%3Fc%3Dd%26e%23f&stage=0"
grep -q '<h1>.*a/b?c=d&amp;e#f' body.txt || fail 'a name with a slash has a page'
get 200 /api/v1/contests/cup/standings
cp body.txt second.json
get 200 '/web/c/cup/standings?format=json'
cmp -s body.txt second.json || fail 'three addresses give the same JSON'
get 200 /web/c/cup -H 'Accept-Language: ja-JP, en;q=0.5'
grep -q '<html lang="ja">' body.txt || fail 'the language that the browser asks for'
get 200 '/web/c/cup/games?refresh=30'
grep -qi '^refresh: 30' head.txt || fail 'a hall screen loads again by itself'
style=$(grep -o '/web/assets/contest[^"]*css' body.txt)
get 200 "$style"
grep -qi '^content-type: text/css' head.txt || fail 'the style sheet is one'
grep -qi '^cache-control:.*immutable' head.txt || fail 'the style sheet is kept'
get 404 "/web/assets/contest.00000000.css"
get 404 /web/c/nothing
get 404 /web/c/cup/nothing
get 404 /web/c/cup/team/nobody
get 404 '/web/c/cup?stage=7'
get 503 /web/c/broken
grep -q "$work" body.txt && fail 'a path of this machine is told'

# ---- filters, faults ----

python3 - "$base" <<'END' || fail 'filters and faults, above'
import json, sqlite3, sys, urllib.parse, urllib.request

base = sys.argv[1]


def ask(path):
    return json.load(urllib.request.urlopen(base + path))


def found(query):
    games, start = [], 0
    while True:
        page = ask("/web/api/contests/cup/games?stage=0&from=%d&%s" % (start, urllib.parse.urlencode(query)))
        games += [game["game"] for game in page["items"]]
        start += 200
        if "next" not in page:
            assert len(games) == page["total"]
            return games


db = sqlite3.connect("file:all/cup/results.db?mode=ro", uri=True)
SEAT = "EXISTS (SELECT 1 FROM seat s WHERE s.game_id = g.id AND %s)"
cases = [
    ({}, "1"),
    ({"team": "alice"}, SEAT % "s.agent = 'alice'"),
    ({"team": "alice", "role": "SEER"}, SEAT % "s.agent = 'alice' AND s.role = 'SEER'"),
    ({"team": "<script>alert('x')</script>"}, SEAT % "s.agent = '<script>alert(''x'')</script>'"),
    ({"faults": "violation"}, SEAT % "s.violation > 0"),
    ({"faults": "failed"}, SEAT % "s.failed"),
    ({"set": "3"}, "set_number = 3"),
    ({"winner": "WEREWOLF", "results": "1"}, "winner = 'WEREWOLF'"),
    ({"days": "3-4", "results": "1"}, "last_day BETWEEN 3 AND 4"),
    ({"winner": "WEREWOLF", "days": "3-4"}, "1"),
]
for query, condition in cases:
    sql = "SELECT game FROM game g WHERE stage = 0 AND counts AND %s ORDER BY game DESC" % condition
    wanted = [row[0] for row in db.execute(sql)]
    assert wanted and found(query) == wanted, query

# Every fault leads to its moment, where the game's document has what happened.
documents, checked = {}, 0
for stage in 0, 1:
    start = 0
    while True:
        page = ask("/web/api/contests/cup/faults?stage=%d&from=%d" % (stage, start))
        for fault in page["items"]:
            game = fault["id"]
            if game not in documents:
                document = ask("/web/api/games/%s/doc?view=all" % urllib.parse.quote(game))
                documents[game] = {event["a"]: event for event in document["events"]}
            event = documents[game].get(fault["anchor"])
            assert event, (fault, sorted(documents[game]))
            assert event["kind"] == "fault" and event["seat"] == fault["seat"], (fault, event)
            assert event["fault"]["kind"] == fault["kind"], (fault, event)
            assert event["fault"].get("at", "") == (fault["request"] or ""), (fault, event)
            checked += 1
        start += 200
        if "next" not in page:
            break
assert checked > 50, checked
kinds = {row["agent"]: row for row in ask("/web/api/contests/cup/faults?stage=0")["agents"]}
assert kinds["foreign"]["violation"] > 0 and kinds["closer"]["failed"] > 0
END

# ---- time ----

# Each page behind the first one within a second of a processor; a sanitizer is given three.
most=100 # hundredths
is_sanitized && most=300
for page in '' /standings /roles /versus /schedule /faults /games '/games?results=1&sort=-days' \
    '/team/a-long-name-of-a-team-07'; do
    used=$(processor_time "$server")
    took=$(curl -sS -o body.txt -w '%{time_total}' "$base/web/c/large$page")
    used=$(($(processor_time "$server") - used))
    printf '%-60s %s s\n' "large$page, $games games" "$took" >>times.txt
    ((used < most)) || fail "large$page takes $used hundredths of a second"
done
[[ ${WARG_WEB_GAMES:-} ]] && cat times.txt
kill "$server"
wait "$server" 2>/dev/null

# ---- hidden names ----

serve_pages --names hidden all
for page in '' /standings /roles /versus /schedule /faults /games '/games?results=1'; do
    get 200 "/web/c/cup$page"
    without_script | grep -qE 'alice|foreign|closer|script' && fail "cup$page names who played"
done
get 404 /web/c/cup/team/alice
get 200 '/web/c/cup/team/Team%201'
kill "$server"
wait "$server" 2>/dev/null

# ---- a contest that goes on ----

mkdir grow
"$WARG" run -q -r aiwolf-2021 -n 5 --sets 30 --games-per-set 10 --pairing random -s 5 "${many[@]}" -o grow/cup >grow.out 2>grow.err ||
    fail "grow: $(cat grow.err)"
lines=$(wc -l <grow/cup/journal.jsonl)
cp grow/cup/journal.jsonl whole.jsonl
rm grow/cup/results.db
head -n $((lines / 2)) whole.jsonl >grow/cup/journal.jsonl
serve_pages grow
played()
{
    get 200 /web/api/contests/cup
    python3 -c 'import json; print(json.load(open("body.txt"))["contest"]["games"])'
}
before=$(played)
((before > 50 && before < 250)) || fail "half of it are $before games"
tail -n +$((lines / 2 + 1)) whole.jsonl >>grow/cup/journal.jsonl
all_played()
{
    [[ $(played) == 300 ]]
}
until_true "$patience" all_played || fail "a journal that has grown: $(played) games"

finish
