#!/usr/bin/env bash
# `warg export`: one file for a game, which asks nobody for anything and holds what its view has; a folder for a
# contest.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
data=$WARG_SOURCE/tests/data

expect 0 'games' "$WARG" run -g 5 -n 5 -a 'bot:sample*5' -s 7 -o cup
log=$(ls cup/logs/000.log*)

# page FILE EXPRESSION: of the exported file: `html`, `docs`, and its policy's digests `digests`.
page()
{
    python3 - "$1" "$2" <<'PY'
import base64, hashlib, html.parser, json, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.inside, self.docs, self.scripts, self.styles, self.policy, self.asked = None, [], [], [], '', []
    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        self.inside = (tag, have.get('type'))
        if have.get('http-equiv') == 'Content-Security-Policy':
            self.policy = have['content']
        self.asked += [have[name] for name in ('src', 'href', 'action', 'data', 'srcset') if name in have]
    def handle_endtag(self, tag):
        self.inside = None
    def handle_data(self, data):
        if self.inside and self.inside[0] == 'script':
            (self.docs if self.inside[1] == 'application/json' else self.scripts).append(data)
        elif self.inside and self.inside[0] == 'style':
            self.styles.append(data)
reader = Reader()
reader.feed(text)
docs = [json.loads(doc) for doc in reader.docs]
def digest(part):
    return "'sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() + "'"
rules = dict(rule.strip().split(' ', 1) for rule in reader.policy.split(';') if ' ' in rule.strip())
right = ([digest(part) for part in reader.scripts] == rules['script-src'].split() and
         [digest(part) for part in reader.styles] == rules['style-src'].split())
print(eval(sys.argv[2]))
PY
}

# ---- one file ----

expect 0 'a file' "$WARG" export "$log"
[[ $out == 000.html && -s 000.html ]] || fail "the file's name: $out"
[[ $(page 000.html 'right, len(docs), docs[0]["view"]["kind"], reader.asked') == "(True, 1, 'all', [])" ]] ||
    fail "the file: $(page 000.html 'right, len(docs), reader.asked, rules')"
[[ $(page 000.html 'rules["default-src"], "connect-src" in rules, all("role" in seat for seat in docs[0]["seats"])') == "(\"'none'\", False, True)" ]] ||
    fail 'the policy of the file'
expect 0 'the same file' "$WARG" export "$log" -o again.html
cmp -s 000.html again.html || fail 'the same game gives other bytes'
expect 0 'in Japanese' "$WARG" export "$log" --lang ja -o ja.html
[[ $(page ja.html 'right, "<html lang=\"ja\"" in text') == '(True, True)' ]] || fail 'the file in Japanese'

# ---- what everybody knows, and no more ----

for name in "$log" "$data/nlp-logs/jsai2026_truck5_game1.log" "$data/aiwolf-logs/contests/gat2018_15p_0015.log.gz"; do
    [[ -e $name ]] || name=$(ls "$data"/aiwolf-logs/contests/*15p*.gz | head -n 1)
    expect 0 'a public file' "$WARG" export --view public --names hidden "$name" -o public.html
    # A word of a role may be in what somebody has said.
    [[ $(page public.html 'len(docs), docs[0]["view"]["kind"], [key for seat in docs[0]["seats"] for key in ("role", "role_to", "agent", "team") if key in seat]') == "(1, 'public', [])" ]] ||
        fail "$name: a public file tells more"
    [[ $(page public.html '[e["kind"] for e in docs[0]["events"] if e["kind"] in ("whisper", "divine", "identify", "guard", "attack_vote", "role", "reveal") or "to" in e]') == '[]' ]] ||
        fail "$name: a public file has what few knew"
done
cut -d , -f 6 "$data/nlp-logs/jsai2026_truck5_game1.log" | head -n 5 >names.txt
expect 0 'a public file' "$WARG" export --view public --names hidden "$data/nlp-logs/jsai2026_truck5_game1.log" -o public.html
while read -r name; do
    [[ $(page public.html "'$name' in json.dumps(docs)") == True ]] && [[ $name == *[0-9] ]] && fail "the agent $name is in a file without names"
done <names.txt
expect 0 'a seat' "$WARG" export --view seat:3 "$log" -o seat.html
[[ $(page seat.html '[seat["seat"] for seat in docs[0]["seats"] if "role" in seat]') == *3* ]] || fail 'the own role of a seat'
[[ $(page seat.html 'len([seat for seat in docs[0]["seats"] if "role" in seat]) < 3') == True ]] || fail 'a seat knows all'

# ---- texts of others ----

sed 's/初日/<\/script><script>alert(1)<\/script><!--/' "$data/nlp-logs/jsai2026_truck5_game1.log" >hostile.log
expect 0 'a hostile text' "$WARG" export hostile.log
[[ $(page hostile.html 'right, len(docs), len(reader.scripts), any("<script>alert(1)" in e.get("text", "") for e in docs[0]["events"])') == '(True, 1, 1, True)' ]] ||
    fail "a hostile text: $(page hostile.html 'right, len(docs), len(reader.scripts)')"
cp "$log" '<b>"x.log'
[[ $log == *.gz ]] && mv '<b>"x.log' '<b>"x.log.gz'
expect 0 'a hostile name' "$WARG" export '<b>'*
[[ $out == %3Cb%3E%22x.html ]] || fail "the file of a hostile name: $out"

# ---- a contest ----

expect 0 'a contest' "$WARG" export cup -o archive
[[ $out == 'archive/index.html: 5 games' ]] || fail "a contest: $out"
[[ $(ls archive/games) == $'000.html\n001.html\n002.html\n003.html\n004.html' ]] || fail "games: $(ls archive/games)"
for file in index.html index.ja.html games.html; do
    for link in $(grep -o 'href="[^#"][^"]*"' archive/$file | sed 's/href="//; s/"$//' | sort -u); do
        [[ $link == [a-z]*:* || $link == /* || ! -e archive/$link ]] && fail "$file leads to $link"
    done
done
[[ $(grep -o 'href="games/[^"]*"' archive/index.html | sort -u | wc -l) == 5 ]] || fail 'the report leads to its games'
grep -q "$work" -r archive && fail 'a folder of this machine is in the archive'
[[ $(page archive/games/003.html 'right, docs[0]["contest"]["game"]') == '(True, 3)' ]] || fail 'a game of the archive'
expect 0 'a contest without names' "$WARG" export cup --names hidden -o blind
for file in blind/games/*.html; do
    [[ $(page "$file" '[seat for seat in docs[0]["seats"] if "agent" in seat or "team" in seat]') == '[]' ]] || fail "names in $file"
done
grep -q sample blind/*.html && fail 'names in a list without names'
rm "$log"
expect 1 'a log that is gone' "$WARG" export cup -o less
[[ $err == *'left out: 000.log'* && $(ls less/games | wc -l) == 4 ]] || fail "a log that is gone: $err"
mkdir logs
cp "$data/nlp-logs/jsai2026_truck5_game1.log" logs
echo 'a,b,status,' >logs/broken.log
expect 1 'a folder of logs' "$WARG" export logs -o list
[[ $err == *'left out: broken.log'* ]] || fail "a broken log: $err"
grep -q 'href="games/jsai2026_truck5_game1.html"' list/index.html || fail 'the list of games'

# ---- a session ----

expect 0 'a session' "$WARG" maw --players 5 --rounds 2 --seed 7 --quiet --out evening
expect 0 'the file of a session' "$WARG" export evening
[[ $out == evening.html ]] || fail "the file of a session: $out"
[[ $(page evening.html 'right, [doc["id"] for doc in docs]') == "(True, ['evening.1', 'evening.2'])" ]] ||
    fail "rounds of a session: $(page evening.html '[doc["id"] for doc in docs]')"
expect 0 'the record of a session' "$WARG" export evening/session.jsonl --view public -o rounds.html
[[ $(page rounds.html 'len(docs), any("role" in seat for doc in docs for seat in doc["seats"])') == '(2, False)' ]] ||
    fail 'a public file of a session'
expect 0 'as it is shown' "$WARG" log show --html cup/logs/001.log*
[[ $out == 001.html && $(page 001.html 'right') == True ]] || fail "log show --html: $out"

# ---- mistakes ----

expect 2 'nothing to export' "$WARG" export
expect 2 'a view that is none' "$WARG" export --view some cup -o x
expect 2 'a folder to nowhere' "$WARG" export cup
expect 3 'what is not there' "$WARG" export missing.log
expect 3 'no log' "$WARG" export names.txt
[[ $err == *line* ]] || fail "no log: $err"
expect 2 'a seat that the game has not' "$WARG" export --view seat:9 cup/logs/001.log*
expect 3 'a place that is not there' "$WARG" export cup/logs/001.log* -o nowhere/x.html

finish
