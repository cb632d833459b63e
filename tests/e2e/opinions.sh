#!/usr/bin/env bash
# What models think beside the game (--opinions): kept in minds/, in no log and no packet, given again
# by --answers-from, and scored as by hand from minds and logs, as is the swing of votes. That games are the same with and
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

# Whose words move the others, of all three kinds: counted once more from minds, logs and the record alone.
sed 's/self_match: [a-z]*/self_match: true/' "$WARG_SOURCE/config/nlp/default_5.yml" >village.yml
SECRET_KEY=x launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 2 --fill-after 100ms \
    --fill-with demo --opinions line --record-minds log/minds
await 'a server' serve.err 'listening on' || exit 1
port=$(grep -m 1 -oE 'listening on [^ ]*' serve.err | grep -oE '[0-9]+' | tail -n 1)
expect 0 'a bot' timeout 100 "$WARG" bot nlp -u "ws://127.0.0.1:$port/ws" --team pat -n 1 -g 2
wait "$server"
server=
expect 0 'a session' timeout 100 "$WARG" maw -n 6 --seed 3 --rounds 1 --day-s 3 --night-s 1 --llm demo \
    --opinions line --quiet --out evening
for place in cup log evening; do
    expect 0 "swing of $place" "$WARG" log minds "$place" --swing --json
    cp out.txt "swing-$place.json"
    expect 0 "swing of $place as a table" "$WARG" log minds "$place" --swing
    [[ $place == evening || $out == agent*role*pairs*swung* ]] || fail "swing of $place: $out"
done
python3 - <<'P' || fail "the swing is not that of the opinions: $(cat swing-*.json)"
import collections, glob, json, os

def count(into, lines, opinions, roles, agents):
    """lines: who said them; opinions: (listener, target, lines it had heard), in their order"""
    for listener in set(each[0] for each in opinions):
        if roles[listener] == 'WEREWOLF':
            continue
        own = [each for each in opinions if each[0] == listener]
        for (_, before, first), (_, after, last) in zip(own, own[1:]):
            between = set(lines[first:last]) - {listener}
            if len(between) != 1:
                continue
            speaker, = between
            row = into[agents[speaker], roles[speaker]]
            was, is_now = roles[before] == 'WEREWOLF', roles[after] == 'WEREWOLF'
            row['pairs'] += 1
            row['swung'] += before != after
            row['to_wolf'] += not was and is_now
            row['from_wolf'] += was and not is_now
            row['to_speaker'] += before != after == speaker

def log_of(path):
    """who said its lines; roles and agents by name, which the log has in its last column, or not at all"""
    lines, roles, agents, names = [], {}, {}, {}
    for entry in open(path):
        day, what, *rest = entry.rstrip('\n').split(',', 6)
        if day == '0' and what == 'status':
            name = names[rest[0]] = rest[4] if len(rest) > 4 else 'Agent[%02d]' % int(rest[0])
            roles[name], agents[name] = rest[1], rest[3]
        elif what == 'talk' and rest[3].split(',')[0] not in ('Skip', 'Over', 'ForceSkip'):
            lines.append(names[rest[2]])
    return lines, roles, agents

def opinions_of(path, number):
    minds = [json.loads(line) for line in open(path)]
    return [(mind['name'], mind['target'], mind['lines_said']) for mind in minds
            if mind.get('task') == 'opinion' and 'sure' in mind and mind['round'] == number]

def table():
    kinds = ('pairs', 'swung', 'to_wolf', 'from_wolf', 'to_speaker')
    return collections.defaultdict(lambda: dict.fromkeys(kinds, 0))

def compare(place, wanted):
    told = {(row['agent'], row['role']): row for row in json.load(open('swing-%s.json' % place))}
    assert set(told) == set(wanted), (place, sorted(told), sorted(wanted))
    for key, row in wanted.items():
        assert all(told[key][each] == row[each] for each in row), (place, key, told[key], row)
        assert abs(told[key]['swing'] - row['swung'] / row['pairs']) < 0.001, told[key]

cup = table()
for path in glob.glob('cup/minds/*/*.jsonl'):
    of_set = int(os.path.basename(path).split('-')[1])
    for number in (1, 2):
        lines, roles, agents = log_of('cup/logs/%03d.log' % (2 * of_set + number - 1))
        count(cup, lines, opinions_of(path, number), roles, agents)
compare('cup', cup)
assert cup

log, played = table(), collections.Counter()
games = [json.loads(line) for line in open('log/game/journal.jsonl')]
for game in (game for game in games if game['record'] == 'game'):
    lines, roles, agents = log_of('log/game/' + game['log'])
    for agent in agents.values():
        played[agent] += 1
        mind = 'log/minds/%s.jsonl' % agent
        if os.path.exists(mind):
            count(log, lines, opinions_of(mind, played[agent]), roles, agents)
compare('log', log)
assert log

evening, roles = table(), {}
for line in open('evening/session.jsonl'):
    event = json.loads(line)
    what = event.get('event')
    if what == 'start_game':
        roles = {player['name']: player['role'].upper() for player in event['players']}
        lines, opinions = [], []
    elif what == 'line' and event['room'] == 'Village' and event.get('name') in roles:
        lines.append(event['name'])
    elif what == 'opinion' and 'sure' in event['decision'] and roles:
        told = event['decision']
        opinions.append((event['name'], told['target'], told['lines_said']))
        if roles[event['name']] != 'WEREWOLF': # it has heard what was said in the village, and nothing else
            assert told['lines_said'] <= len(lines), event
    elif what == 'end_game':
        count(evening, lines, opinions, roles, dict.fromkeys(roles, 'model:demo'))
        roles = {}
compare('evening', evening)
P

# A round made by hand. Dee hears Ann, Bo, Bo behind its own line, Ann and Cy, Cy; lines of the system and of the
# hideout are none of these, and Bo, a wolf, counts the latter: what it would vote is left out.
mkdir hand
{
    head -n 1 evening/session.jsonl
    cat <<'END'
{"t_ms":1,"event":"seat","jid":"p01@maw.localhost","name":"Ann","kind":"model","model":"m8"}
{"t_ms":1,"event":"seat","jid":"p02@maw.localhost","name":"Bo","kind":"model","model":"m9"}
{"seq":1,"t_ms":2,"round":1,"phase_no":0,"event":"start_game","players":[{"seat":1,"jid":"p01@maw.localhost","name":"Ann","role":"Villager"},{"seat":2,"jid":"p02@maw.localhost","name":"Bo","role":"Werewolf"},{"seat":3,"jid":"p03@maw.localhost","name":"Cy","role":"Villager"},{"seat":4,"jid":"p04@maw.localhost","name":"Dee","role":"Villager"}]}
{"t_ms":10,"event":"opinion","name":"Dee","decision":{"task":"opinion","target":"Bo","sure":60,"lines_said":0}}
{"t_ms":10,"event":"opinion","name":"Bo","decision":{"task":"opinion","target":"Dee","sure":0,"lines_said":0}}
{"seq":2,"t_ms":20,"round":1,"phase_no":1,"event":"line","room":"Village","index":0,"name":"Ann","text":"It is not Bo."}
{"seq":3,"t_ms":21,"round":1,"phase_no":1,"event":"line","room":"Village","index":1,"text":"Cy votes for Dee."}
{"t_ms":30,"event":"opinion","name":"Dee","decision":{"task":"opinion","target":"Ann","sure":60,"lines_said":1}}
{"t_ms":30,"event":"opinion","name":"Bo","decision":{"task":"opinion","target":"Ann","sure":0,"lines_said":1}}
{"seq":4,"t_ms":40,"round":1,"phase_no":1,"event":"line","room":"Village","index":2,"name":"Bo","text":"It is Cy."}
{"t_ms":50,"event":"opinion","name":"Dee","decision":{"task":"opinion","target":"Cy","sure":60,"lines_said":2}}
{"seq":5,"t_ms":60,"round":1,"phase_no":2,"event":"line","room":"Hideout","index":0,"name":"Bo","text":"Alone."}
{"seq":6,"t_ms":70,"round":1,"phase_no":3,"event":"line","room":"Village","index":3,"name":"Dee","text":"Why?"}
{"seq":7,"t_ms":71,"round":1,"phase_no":3,"event":"line","room":"Village","index":4,"name":"Bo","text":"So."}
{"t_ms":80,"event":"opinion","name":"Dee","decision":{"task":"opinion","target":"Bo","sure":60,"lines_said":4}}
{"seq":8,"t_ms":90,"round":1,"phase_no":3,"event":"line","room":"Village","index":5,"name":"Ann","text":"Me."}
{"seq":9,"t_ms":91,"round":1,"phase_no":3,"event":"line","room":"Village","index":6,"name":"Cy","text":"No."}
{"t_ms":95,"event":"opinion","name":"Dee","decision":{"task":"opinion","target":"Ann","sure":60,"lines_said":6}}
{"seq":10,"t_ms":96,"round":1,"phase_no":3,"event":"line","room":"Village","index":7,"name":"Cy","text":"Yes."}
{"t_ms":97,"event":"opinion","name":"Dee","decision":{"task":"opinion","target":"Ann","sure":60,"lines_said":7}}
{"seq":11,"t_ms":99,"round":1,"phase_no":3,"event":"end_game","winner":"VILLAGER","reason":"win","days":2,"players":[{"name":"Ann","role":"Villager","end":"alive","points":2,"total":2},{"name":"Bo","role":"Werewolf","end":"executed","points":0,"total":0},{"name":"Cy","role":"Villager","end":"alive","points":2,"total":2},{"name":"Dee","role":"Villager","end":"alive","points":2,"total":2}]}
END
} >hand/session.jsonl
expect 0 'a round by hand' "$WARG" log minds hand --swing
diff - out.txt <<'END' || fail 'a round by hand has another swing'
agent  role      pairs  swung  swing  to_wolf  from_wolf  to_speaker
Cy     VILLAGER      1      0  0.000        0          0           0
m8     VILLAGER      1      1  1.000        0          1           1
m9     WEREWOLF      2      2  1.000        1          0           1
END

# Of a game that is played nothing is told.
mkdir running
sed '/"event":"end_game"/,$d' hand/session.jsonl >running/session.jsonl
expect 0 'a running session' "$WARG" log minds running --swing --json
[[ $out == '[]' && $err == *'no two opinions'* ]] || fail "a running session: $out $err"
expect 2 'swing of one player' "$WARG" log minds cup --swing --name one

expect 2 'no model' "$WARG" run -r aiwolf-2021 -n 5 -g 1 -a 'bot:sample*5' --opinions day
[[ $err == *'no agent is a language model'* ]] || fail "no model: $err"
expect 2 'a word' "$WARG" bot aiwolf --llm demo,opinions=often
[[ $err == *"'opinions' is off, day or line"* ]] || fail "a word: $err"
expect 2 'MAW has an option' "$WARG" maw --players 6 --llm demo,opinions=line*6
[[ $err == *'--opinions asks all models'* ]] || fail "MAW: $err"

finish
