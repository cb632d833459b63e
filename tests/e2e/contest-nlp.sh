#!/usr/bin/env bash
# A natural-language contest on a site, in simulated dates with real servers and agents: six teams, three of them with
# agents A and B, enter three tracks (5 and 9 players in turns, 5 at any time), play themselves, are qualified or not; the
# main matches of each window, one team away; judges by API, on paper, the built-in model and one behind HTTP that is busy,
# late and wrong once each; scores, the bundle.
# docs/spec/contest-operations.md O29, O33.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=site.bash
source "$here/site.bash"

skip_under_tsan
mkdir tmp
export TMPDIR=$work/tmp

launch port.txt model.txt python3 "$agents/judge_model.py"
model_process=$server
trap 'kill $model_process 2>/dev/null; remove_work' EXIT
await 'a model' port.txt '[0-9]' || finish
model="http://127.0.0.1:$(<port.txt)/v1,model=judge-1,timeout=2s"

cat >cup.yml <<END
contest: cup
division: nlp
title: {en: Cup, ja: 杯}
dates: {zone: UTC, opens: 2027-04-01 09:00, submission_closes: 2027-07-01 00:00, preliminary: 2027-07-02 00:00,
        judging_closes: 2027-08-01 00:00, appeals_close: 2027-09-08 00:00}
lot_window: 1h
tracks:
  - {name: turn5, config: $WARG_SOURCE/config/nlp/default_en_5.yml, self_matches: 1, matches_per_team: [5, 5]}
  - {name: any5, config: any5.yml, self_matches: 1, self_per_hour: 1, matches_per_team: [2, 4]}
  - {name: turn9, config: $WARG_SOURCE/config/nlp/default_en_9.yml, self_matches: 1, matches_per_team: 1}
windows:
  - {track: turn5, from: 2027-07-03 10:00, to: 2027-07-03 12:00}
  - {track: any5, from: 2027-07-04 10:00, to: 2027-07-04 12:00}
  - {track: turn9, from: 2027-07-05 10:00, to: 2027-07-05 12:00}
evaluation: {criteria: [A, C], sheets: 3, raters: 1, scale: rank, llm: {models: [demo, "$model"], repeats: 2}}
END

at 2027-03-01T00:00:00
export WARG_SITE_CLOCK=$work/clock

site_init 's,^trust_proxy:.*,trust_proxy: [127.0.0.1],'
link=${out##*/invite/}
cp "$WARG_SOURCE/config/nlp/freeform_en_5.yml" site/any5.yml
# The site's port and those behind it, which tracks have: a server that begins again is where it was.
base=$(python3 - <<'END'
import random, socket
while True:
    base = random.randrange(20000, 32000)
    held = [socket.socket() for _ in range(4)]
    try:
        for i, one in enumerate(held):
            one.bind(("127.0.0.1", base + i))
        print(base)
        break
    except OSError:
        continue
    finally:
        for one in held:
            one.close()
END
)
sed -i "s,^listen:.*,listen: 127.0.0.1:$base," site/server.yml
site_serve
site_process=$server
crowd=()
trap 'kill $site_process $model_process "${crowd[@]}" 2>/dev/null; remove_work' EXIT

# The ledger says it, too, and costs less to ask again and again.
in_state() { grep -qs "\"to\":\"$1\"" site/data/contests/cup/ledger.jsonl; }

cat >people.py <<'END'
import json, os, sys
sys.path.insert(0, sys.argv[1])
from site_people import Refused, Site
step, port = sys.argv[2], int(sys.argv[3])
site = Site(port, "http://127.0.0.1")
tracks = {"turn5": ["ann", "bo-A", "cy-A", "cy-B", "di", "ed-A"],
          "any5": ["ann", "bo-A", "cy-A", "cy-B", "di", "ed-A"],
          "turn9": ["ann", "bo-A", "bo-B", "cy-A", "cy-B", "di", "ed-A", "ed-B", "fay"]}
names = tracks["turn9"]

# Captains stay logged in from one step to the next; who gets a role is logged out.
def login(name, address):
    return site.person(address).enter(name, "a phrase of " + name)

def make(login, address, **more):
    who = site.person(address)
    who.make(login, "a phrase of " + login, **more)
    with open("login-" + login, "w") as out:
        json.dump([address, who.cookie, who.csrf], out)
    return who

def enter(login):
    with open("login-" + login) as held:
        address, cookie, csrf = json.load(held)
    who = site.person(address)
    who.cookie, who.csrf = cookie, csrf
    return who

def captain(name):
    return enter("captain%d" % names.index(name))

if step == "admin":
    make("org", "192.0.2.200", invite=sys.argv[4])
elif step == "teams":
    org = login("org", "192.0.2.200")
    for i, name in enumerate(names):
        who = make("captain%d" % i, "198.51.100.%d" % (i + 1))
        who.post("contests/cup/teams", {"name": name})
        for track in [track for track in tracks if name in tracks[track]]:
            who.put("contests/cup/teams/%s/tracks/%s" % (name, track), {"entered": True})
            token = who.post("contests/cup/teams/%s/token" % name, {"track": track})
            with open("token-%s-%s" % (name, track), "w") as out:
                out.write(token["token"])
    for i in range(2):
        make("judge%d" % i, "203.0.113.%d" % (i + 1))
        org.post("contests/cup/roles", {"login": "judge%d" % i, "role": "judge"})
elif step == "qualified":
    track, url = sys.argv[4:6]
    for name in sys.argv[6:]:
        who = captain(name)
        def done():
            rows = who.get("contests/cup/teams/" + name)["tracks"]
            own = [row for row in rows if row["track"] == track][0]
            return own["qualified"] >= own["needed"] and own["url"] == url
        site.until(name + " to be qualified", done)
elif step == "eager":  # who plays without end is told why it may not
    who = captain("ann")
    def refused():
        rows = who.get("contests/cup/teams/ann")["tracks"]
        return [row for row in rows if row["track"] == "any5" and row.get("closed", {}).get("code") == 1013]
    row = site.until("ann to be refused", refused)[0]
    assert "has played its 1 self matches of this hour; come again in " in row["closed"]["why"], row
elif step == "failing":  # di's agent stalls: it and the organisers are told, of a match and of the quarantine
    who = login("captain%d" % names.index("di"), "198.51.100.99")  # those of April are over
    def told():
        texts = [n["text"] for n in who.get("contests/cup/teams/di")["notices"] if n["kind"] == "failing"]
        return any("di gave no answer in time in match" in t for t in texts) and any("come behind" in t for t in texts)
    site.until("di to be told", told, 100)
elif step == "away":
    captain("ed-A").put("contests/cup/teams/ed-A/tracks/turn5",
                   {"away": {"from": "2027-07-03T10:00:00.000Z", "to": "2027-07-03T11:00:00.000Z"}})
elif step == "judge":
    rated = 0
    for i in range(int(sys.argv[4])):
        who = login("judge%d" % i, "203.0.113.%d" % (i + 1))
        def listed():
            return who.get("contests/cup/sheets")["items"]
        for item in site.until("sheets", listed):
            sheet = who.get("contests/cup/sheets/" + item["id"])
            text = json.dumps(sheet)
            if item["criterion"] == "A":
                for secret in names[2:4] + ["VILLAGER", "WEREWOLF", "Seer", "captain"]:
                    assert secret not in json.dumps([sheet["names"], sheet["facts"]] + [l for l in sheet["lines"] if l["kind"] != "talk"]), secret
            ranks = {name: {"rank": n + 1} for n, name in enumerate(sheet["names"])}
            who.put("contests/cup/sheets/" + item["id"], {"ranks": ranks})
            who.post("contests/cup/sheets/%s/submit" % item["id"])
            rated += 1
    print(rated)
elif step == "void":  # a game that sheets were drawn of, behind that
    org = login("org", "192.0.2.200")
    game = [g for g in org.get("contests/cup/games?stage=any5")["items"] if not g["void"]][0]
    players = [seat["team"] for seat in org.get("contests/cup/games/" + game["id"])["seats"]]
    place = names.index(players[0])  # months are over since it logged in
    who = login("captain%d" % place, "198.51.100.%d" % (place + 1))
    words = {"about": "game", "object": game["id"], "text": "The line failed."}
    appeal = who.post("contests/cup/teams/%s/appeals" % players[0], words)["id"]
    org.post("contests/cup/roles", {"role": "organiser", "login": "org"})
    login("org", "192.0.2.200").post("contests/cup/rulings", {"appeal": appeal, "decision": "grant", "reason": "It did."})
    def told():
        lines = [json.loads(line) for line in org.get("contests/cup/ledger").decode().splitlines()]
        return [e for e in lines if e["type"] == "act" and e["track"] == "any5"]
    acts = site.until("the void game", told)
    assert len(acts) == 1 and acts[0]["reason"] == "It did." and acts[0]["by"] == "organiser", acts
END
people() { python3 people.py "$agents" "$1" "$port" "${@:2}"; }

# bots TRACK COUNT TEAM...: agents of these teams, until they are ended, or have played $most games.
declare -A door=([turn5]=$((base + 1)) [any5]=$((base + 2)) [turn9]=$((base + 3)))
most= faults=()
bots()
{
    local track=$1 count=$2 name
    for name in "${@:3}"; do
        "$WARG" bot nlp --url "ws://127.0.0.1:${door[$track]}/ws" --team "$name" -n "$count" \
            --token "$(<"token-$name-$track")" --reconnect --retry 1s --think 20ms --quiet ${most:+--games "$most"} \
            "${faults[@]}" >/dev/null 2>"bots-$name.err" &
        crowd+=($!)
    done
}
no_bots()
{
    kill "${crowd[@]}" 2>/dev/null
    wait "${crowd[@]}" 2>/dev/null
    crowd=()
}

people admin "$link" || { fail 'the first admin'; finish; }
expect 0 'new' "$WARG" contest new cup.yml
at 2027-04-01T10:00:00
state OPEN
people teams || { fail 'teams'; tail -n 5 serve.err; finish; }

# check TRACK PLAYERS TEAM...: the connection check. Agents that play one game leave none under way, for which the
# server would wait when the check is over.
check()
{
    most=1
    bots "$1" "$2" "${@:3}"
    people qualified "$1" "ws://127.0.0.1:${door[$1]}/ws" "${@:3}" ||
        { fail "qualifying for $1"; tail -n 5 serve.err "site/data/contests/cup/tracks/$1/check/server.log"; finish; }
    no_bots
    most=
}
turn5=(ann bo-A cy-A cy-B di ed-A) any5=(ann bo-A cy-A cy-B di) turn9=(ann bo-A bo-B cy-A cy-B di ed-A ed-B fay)
check turn5 5 "${turn5[@]}"
check any5 5 "${any5[@]}" # ed-A does not come
bots any5 5 ann
people eager || fail 'an eager team'
no_bots
check turn9 9 "${turn9[@]}"
people away || fail 'away'

at 2027-07-01T01:00:00
state FROZEN
at 2027-07-02T01:00:00
state FINAL

# play TRACK GAMES: until so many main matches are decided.
games()
{
    local count
    count=$(grep -c '"record":"game".*"winner":"[VW]' "site/data/contests/cup/tracks/$1/main/logs/journal.jsonl" 2>/dev/null)
    echo "${count:-0}"
}
has_played() { (($(games "$1") >= $2)); }
play()
{
    until_true 200 has_played "$@" ||
        { fail "$1: $(games "$1") matches, not $2; $(tail -n 5 "site/data/contests/cup/tracks/$1/main/server.log")"; finish; }
}

# The first window: ed-A is away for its first hour, so that a match without it is played, and no other.
at 2027-07-03T10:00:00
bots turn5 1 "${turn5[@]}"
play turn5 1
grep '"record":"game"' site/data/contests/cup/tracks/turn5/main/logs/journal.jsonl | grep -q '"team":"ed-A"' &&
    fail 'ed-A has played though it was away'
at 2027-07-03T11:00:00
until_true 100 grep -qx '\[\]' site/data/contests/cup/tracks/turn5/away.json || fail 'ed-A is not back'
play turn5 6
no_bots

# An agent that does not answer is noticed, and quarantined.
sed -i '/^team_health:/,/enable:/s/false/true/; s/min_games: .*/min_games: 1/; s/request_error: 1/request_error: 9/
        s/duration: 10m/duration: 2s/; s/action: 60s/action: 3s/; s/response: 120s/response: 3s/; s/acceptable: 5s/acceptable: 1s/' site/any5.yml
at 2027-07-04T10:00:00
bots any5 1 ann bo-A cy-A cy-B
faults=(--fault silent --fault-rate 100)
bots any5 1 di
faults=()
play any5 2
people failing || fail 'nobody is told of an agent that does not answer'
no_bots

at 2027-07-05T10:00:00
bots turn9 1 "${turn9[@]}"
play turn9 1
no_bots
at 2027-07-05T12:00:01
state JUDGING

# What is amended, or ruled void, behind the draw changes nothing of what was drawn.
drawn() { (($(grep -c '"type":"sheets"' site/data/contests/cup/ledger.jsonl) == 3)); }
until_true 200 drawn || { fail "no sheets: $(tail -n 5 serve.err)"; finish; }
people void || { fail 'a void game'; tail -n 5 serve.err; finish; }
sed 's/sheets: 3, raters: 1,/sheets: 5, raters: 2,/; s/criteria: \[A, C\]/criteria: [A, C, D]/' cup.yml >amended.yml
expect 0 'amend' "$WARG" contest amend cup amended.yml --reason 'more sheets, too late'

# One judge by API, one on paper; the built-in model by a job.
rated=$(people judge 1) || { fail "judging: $rated"; tail -n 5 serve.err; finish; }
((rated >= 6)) || fail "only $rated sheets for a judge"
expect 0 'sheets' "$WARG" contest sheets cup
[[ $out == *judge1* && $out == *demo* ]] || fail "sheets: $out"
"$WARG" contest sheets cup --csv >sheets.csv || fail 'sheets --csv'
grep -q judge1 sheets.csv && fail 'sheets --csv tells who judges'
python3 - <<'END'
import csv
rows = list(csv.DictReader(open("sheets.csv")))
for row in rows:
    row["rank"] = row["place"]
with open("filled.csv", "w", newline="") as out:
    table = csv.DictWriter(out, rows[0].keys())
    table.writeheader()
    table.writerows(rows)
END
expect 0 'sheets --read' "$WARG" contest sheets cup --read filled.csv
[[ $out == *'handed in'* && $out != 0* ]] || fail "sheets --read: $out"
state APPEALS
scores=site/data/contests/cup/judging
grep -q "\"scores\":\"$(sha256sum <$scores/scores.json | cut -d ' ' -f 1)\"" site/data/contests/cup/ledger.jsonl ||
    fail 'the ledger has other scores'
for file in scores.json sheets.jsonl ratings.jsonl answers.jsonl quantities.csv rates-turn5.csv rates-turn5-together.csv; do
    [[ -s $scores/$file ]] || fail "judging/$file is missing"
done
grep -q '^cy,' $scores/rates-turn5-together.csv || fail "A and B are not together: $(cat $scores/rates-turn5-together.csv)"
grep -q '^Team,POSSESSED,SEER,VILLAGER,WEREWOLF,' $scores/rates-turn5.csv || fail 'columns of the win rates'
python3 - "$scores/scores.json" <<'END' || fail 'scores.json'
import json, sys
scores = json.load(open(sys.argv[1]))["tracks"]
turn = scores["turn5"]
assert set(turn["criteria"]) == {"A", "C"}, turn["criteria"].keys()
assert {row["team"] for row in turn["rates"]} == {"ann", "bo-A", "cy-A", "cy-B", "di", "ed-A"}
assert all(row["games"] == 5 for row in turn["rates"]), turn["rates"]
assert {row["team"] for row in turn["together"]} == {"ann", "bo", "cy", "di", "ed"}
assert len(scores["turn9"]["rates"]) == 9 and all(row["games"] == 1 for row in scores["turn9"]["rates"])
assert {row["team"] for row in scores["turn9"]["together"]} == {"ann", "bo", "cy", "di", "ed", "fay"}
assert turn["criteria"]["A"]["models"][0]["model"] == "demo"
assert turn["criteria"]["A"]["people"], "no scores of people"
assert all(row["team"] != "ed-A" for row in scores["any5"]["rates"])
END

# The model behind HTTP: what was no answer was asked again and is none, the wrong one was repaired, no sheet is empty.
grep -q '^busy' judged.txt && grep -q '^late' judged.txt || fail "the model: $(head judged.txt)"
python3 - "$model" $scores <<'END' || { fail 'the model behind HTTP'; tail -n 3 serve.err judged.txt; }
import json, sys
model, folder = sys.argv[1:]
def lines(name):
    with open(folder + "/" + name) as file:
        return [json.loads(line) for line in file]
sheets = {s["sheet"]: s for s in lines("sheets.jsonl") if s["judge"] == model}
answers = [a for a in lines("answers.jsonl") if a["model"] == model]
bad = [a for a in answers if not a["good"]]
assert len(bad) == 1 and bad[0]["why"].endswith("have the same rank, 1"), bad
mended = [a for a in answers if a["sheet"] == bad[0]["sheet"] and a["good"]]
assert [a["ask"] for a in mended] == [1], mended
assert sorted(a["sheet"] for a in answers if a["good"]) == sorted(sheets), "each sheet once"
assert all(s["state"] == "DONE" for s in sheets.values()) and len(sheets) >= 16, sheets
assert all(a["served"] == "judge-1" and a["tokens"] == [500, 50] for a in answers if a["good"]), answers
ranks = [r for r in lines("ratings.jsonl") if r["sheet"] in sheets]
assert len(ranks) == sum(len(s["order"]) for s in sheets.values()) and all(r["score"] == 3 for r in ranks)
own = json.load(open(folder + "/scores.json"))["tracks"]["turn5"]["criteria"]["A"]["models"][1]
assert own["model"] == model and own["repeat_w"] == 1 and own["teams"], own
END
expect 0 'scores' "$WARG" contest scores cup
[[ $out == *cy-A* && $out == *'A and B together'* ]] || fail "scores: $out"
expect 0 'scores --csv' "$WARG" contest scores cup --csv --track turn5
cmp -s <(printf '%s\n' "$out") $scores/rates-turn5.csv || fail "scores --csv: $out"
expect 0 'judge' "$WARG" contest judge cup
[[ $out == *demo*turn5* ]] || fail "judge: $out"

at 2027-09-09T00:00:00
state PUBLISHED

# What was published can be judged by anybody: its audit says so, and finds what was changed.
bundle=site/data/contests/cup/bundle
until_true 200 eval '[[ -s $bundle/manifest.json ]] && grep -q "\"type\":\"end\"" $bundle/ledger.jsonl' ||
    { fail "no bundle: $(tail -n 5 serve.err)"; finish; }
expect 0 'audit' "$WARG" audit "$bundle"
[[ $out == *'judging '*'as the key draws them; scores as they were rated'* ]] || fail "audit: $out"

# changed WHAT FILE SED FOUND: a copy of the bundle with one change, and what the step says of it.
changed()
{
    sed -i -E "$3" "copy/$2"
    cmp -s "copy/$2" "$bundle/$2" && fail "$1: nothing was changed"
    expect 1 "$1" "$WARG" audit copy
    grep "^${5:-judging} " <<<"$out" | grep -qF "$4" || fail "$1: $(grep "^${5:-judging} " <<<"$out")"
    cp "$bundle/$2" "copy/$2"
}
cp -r "$bundle" copy && chmod -R u+w copy
changed 'another game' judging/sheets.jsonl '1s/"log":"[^"]*"/"log":"x.log"/' 'sheets.jsonl:1: another game was picked'
changed 'another judge' judging/sheets.jsonl '1s/"judge":"J1"/"judge":"J2"/' 'sheets.jsonl:1: another judge has it'
changed 'another criterion' judging/sheets.jsonl '2s/"criterion":"C"/"criterion":"A"/' 'sheets.jsonl:2: another sheet stands here'
changed 'a calibration game that counts' judging/sheets.jsonl '1s/"calibration":true/"calibration":false/' \
    'sheets.jsonl:1: another sheet stands here'
changed 'another order of seats' judging/sheets.jsonl '3s/"order":\[([0-9]),([0-9])/"order":[\2,\1/' \
    'sheets.jsonl:3: it shows the seats in another order'
changed 'a sheet less' judging/sheets.jsonl '$d' 'more sheets follow from the key'
changed 'a sheet more' judging/sheets.jsonl '$p' 'a sheet that does not follow from the key'
changed 'a sheet that was not handed in' judging/sheets.jsonl '1s/"DONE"/"EMPTY"/' \
    'ratings.jsonl:1: a rating of a sheet that was not handed in'
changed 'a rank twice' judging/ratings.jsonl '2s/"rank":[0-9]/"rank":1/; 1s/"rank":[0-9]/"rank":1/' \
    'ratings.jsonl:2: a rank is given twice'
changed 'a rank that is none' judging/ratings.jsonl '3s/"rank":[0-9]/"rank":6/' 'ratings.jsonl:3: a rank or score that can'
changed 'a rating less' judging/ratings.jsonl 2d 'ratings.jsonl:2: its seats are not each rated once'
changed 'the last rating less' judging/ratings.jsonl '$d' 'it was handed in, and seats of it have no rating'
changed 'a reason' judging/ratings.jsonl '1s/"reason":"/"reason":"x/' 'ratings.jsonl is not the file whose digest'
changed 'scores' judging/scores.json 's/"score":[0-9.]+/"score":0.123456/' 'scores.json:1: the ratings and games give other'
changed 'alpha' judging/scores.json 's/"alpha":\{"people":[^,]*/"alpha":{"people":0.999/' 'scores.json:1: the ratings and games give other'
changed 'win rates' judging/rates-turn5.csv '2s/,[0-9]+/,99/' 'rates-turn5.csv: the track'
held=$(cd "$bundle" && echo amended/*.yml)
changed 'criteria' "$held" 's/criteria: \[A, C\]/criteria: [A, D]/' 'is the file that held'
changed 'how many games' "$held" 's/sheets: 3/sheets: 2/' 'is the file that held'
changed 'the file that holds' contest.yml 's/criteria: \[A, C, D\]/criteria: [A, C, E]/' 'is the file that held' site
changed 'a game that is not void' tracks/any5/main/logs/journal.jsonl '/"record":"act"/d' 'game' site
rm copy/judging/ratings.jsonl
expect 1 'no ratings' "$WARG" audit copy
[[ $out == *'judging/ratings.jsonl: it is needed'* ]] || fail "no ratings: $out"
finish
