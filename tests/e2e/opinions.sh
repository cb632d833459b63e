#!/usr/bin/env bash
# What models think beside the game (--opinions): kept in minds/, in no log and no packet, given again
# by --answers-from, and scored as by hand from minds and logs. That games are the same with and
# without is in tests/thinker/test_model_game.c and tests/maw/test_opinions.c.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cat >cup.yml <<'END'
contest: cup
rules: aiwolf-2021
opinions: line
agents:
  - {name: one, llm: demo}
  - {name: two, llm: demo}
  - {name: three, llm: demo}
  - {bot: sample}
  - {bot: sample}
stages:
  - {players: 5, games_per_set: 2, sets: 2}
END
expect 0 'a contest' "$WARG" run cup.yml --time-limit 5s --out cup -q
grep -q '"task":"opinion"' cup/minds/one/*.jsonl || fail 'no opinion is kept'
grep -rlE 'opinion|"sure"' cup/logs cup/exchange cup/faults.jsonl && fail 'an opinion stands where agents get it'

# By hand: of seats that were no wolves (p - o)^2, from what was said and who was what.
expect 0 'standings' "$WARG" standings cup --by team --format json
cp out.txt teams.json
expect 0 'standings as CSV' "$WARG" standings cup --by team --format csv
cp out.txt teams.csv
python3 - <<'P' || fail "the scores are not those of the opinions: $(cat teams.csv)"
import csv, glob, json, os
by = {}
for path in glob.glob('cup/minds/*/*.jsonl'):
    team, place = path.split('/')[2], os.path.basename(path)[:-6]
    of_set = int(place.split('-')[1])
    for line in open(path):
        mind = json.loads(line)
        if mind.get('task') != 'opinion' or 'sure' not in mind:
            continue
        log = 'cup/logs/%03d.log' % (2 * of_set + mind['round'] - 1)
        roles = {}
        for entry in open(log):
            day, what, *rest = entry.strip().split(',')
            if day == '0' and what == 'status':
                roles['Agent[%02d]' % int(rest[0])] = rest[1]
        if roles[mind['name']] == 'WEREWOLF':
            continue
        by.setdefault(team, []).append((mind['sure'], roles[mind['target']] == 'WEREWOLF'))
rows = {row['team']: row for row in json.load(open('teams.json'))}
sheet = {row['team']: row for row in csv.DictReader(open('teams.csv'))}
assert sum(map(len, by.values())) > 10, by
for team in ('one', 'two', 'three'):
    said = by.get(team, [])
    row = rows[team]
    assert row['opinions'] == len(said) == int(sheet[team]['opinions']), (team, row, said)
    assert row['opinions_on_wolves'] == sum(wolf for _, wolf in said)
    if said:
        brier = sum((sure / 100 - wolf) ** 2 for sure, wolf in said) / len(said)
        assert abs(row['brier'] - brier) < 1e-6 and abs(float(sheet[team]['brier']) - brier) < 1e-6
    for band in row['calibration'] or []:
        mine = [wolf for sure, wolf in said if band['from'] <= sure <= band['to']]
        assert (band['opinions'], band['wolves']) == (len(mine), sum(mine)), band
assert 'calibration' not in sheet['one']
P
expect 0 'the report' "$WARG" report cup --out report.html

# Once more from what was kept: the same logs, byte for byte.
expect 0 'again' "$WARG" run cup.yml --time-limit 5s --answers-from cup --log-dir again -q
diff -r cup/logs again >/dev/null || fail 'the games are others with the answers of before'

# In the terminal: whom, and how sure, of a set and of a session; none where none was given.
printf '{"event":"opinion","name":"Bo","decision":{"round":1,"phase_no":2,"name":"Bo","task":"opinion","source":%s}}\n' \
    '"demo","action":"vote","target":"Cy","reason":"54","sure":54' '"fallback","action":"listen","why":"cut off"' >session.jsonl
expect 0 'of a session' "$WARG" log minds session.jsonl
[[ $out == *$'  1.2  Bo  opinion: Cy, 54 % sure  demo\n  1.2  Bo  opinion: none\n      why: cut off' ]] || fail "of a session: $out"
expect 0 'of a set' "$WARG" log minds cup
grep -qE '  opinion: Agent\[[0-9]+\], [0-9]+ % sure  ' <<<"$out" || fail "of a set: $out"

expect 2 'no model' "$WARG" run -r aiwolf-2021 -n 5 -g 1 -a 'bot:sample*5' --opinions day
[[ $err == *'no agent is a language model'* ]] || fail "no model: $err"
expect 2 'a word' "$WARG" bot aiwolf --llm demo,opinions=often
[[ $err == *"'opinions' is off, day or line"* ]] || fail "a word: $err"
expect 2 'MAW has an option' "$WARG" maw --players 6 --llm demo,opinions=line*6
[[ $err == *'--opinions asks all models'* ]] || fail "MAW: $err"

finish
