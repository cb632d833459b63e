#!/usr/bin/env bash
# Games are played while the server of a contest site is killed again and again: all of them are in its
# store at the end, none is lost, none is there twice, and what they add up to is what the journal says. O6.
# WARG_IMPORT_GAMES=N, WARG_IMPORT_KILLS=N.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
games=${WARG_IMPORT_GAMES:-1000} kills=${WARG_IMPORT_KILLS:-5}

at() { echo "$1.000Z" >clock.new && mv clock.new clock; }
at 2027-03-01T00:00:00
expect 0 'init' "$WARG" contest init site
sed -i 's,^listen:.*,listen: 127.0.0.1:0,; s,^public_url:.*,public_url: http://127.0.0.1,; s,^runner:.*,runner: outside,' \
    site/server.yml
grep -q '^runner: outside' site/server.yml || echo 'runner: outside' >>site/server.yml
cat >cup.yml <<END
contest: cup
title: {en: Cup, ja: Cup}
division: protocol
dates: {zone: UTC, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-25,
        appeals_close: 2027-09-08, retention_ends: 2029-01-01}
lot_window: 1h
stages:
  - {name: final, parts: [{players: 5}], games_per_set: 10, min_games: $((games * 5 / 6))}
END
export WARG_SITE=$work/site

serve()
{
    launch serve.txt serve.err "$WARG" contest serve site --clock clock
    await serve serve.txt 'listening' || finish
}
in_state() { "$WARG" contest status cup --json 2>/dev/null | grep -q "\"state\":\"$1\""; }
state()
{
    until_true 200 in_state "$1" || { fail "not $1: $("$WARG" contest status cup) $(tail -n 5 serve.err)"; finish; }
}

serve
expect 0 'new' "$WARG" contest new cup.yml
at 2027-04-01T10:00:00
state OPEN
kill -9 "$server"
wait "$server" 2>/dev/null
# Teams for whom a bot plays, which no door of the site makes: versions without files.
python3 - site/data/site.db <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for i in range(6):
    db.execute("INSERT INTO team(contest, name, state, created) SELECT id, ?, 'IN', 1 FROM contest", ("team-" + "abcdef"[i],))
    db.execute("INSERT INTO version(team, number, language, entry, tree, state, at)"
               " SELECT MAX(id), 1, 'python', 'x.py', '', 'ACTIVE', 1 FROM team")
db.commit()
END
serve
"$WARG" contest runner site --clock clock >runner.txt 2>runner.err &
runner=$!
trap 'kill $server $runner 2>/dev/null; rm -rf "$work"' EXIT
at 2027-07-22T01:00:00
state FROZEN
at 2027-07-25T01:00:00
for ((i = 0; i < kills; i++)); do
    sleep "0.$((RANDOM % 9 + 1))"
    kill -9 "$server"
    { wait "$server"; } 2>/dev/null
    serve
done
state APPEALS
python3 - site/data/site.db site/data/contests/cup/play/journal.jsonl <<'END' || fail 'the store is not what the journal says'
import collections, json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
count, wins, journal = collections.Counter(), collections.Counter(), set()
sides = {"VILLAGER": {"VILLAGER", "SEER", "MEDIUM", "BODYGUARD"}, "WEREWOLF": {"WEREWOLF", "POSSESSED"}}
for line in open(sys.argv[2]):
    entry = json.loads(line)
    if entry["record"] != "game":
        continue
    journal.add((entry["set"], entry["game"], entry["winner"]))
    for seat in entry["seats"]:
        count[seat["agent"]] += 1
        wins[seat["agent"]] += seat["role"] in sides.get(entry["winner"], ())
store = set(db.execute("SELECT set_number, game, winner FROM game"))
assert store == journal, "%d games in the store, %d in the journal" % (len(store), len(journal))
assert len(list(db.execute("SELECT 1 FROM seat"))) == 5 * len(journal)
for name, games, won in db.execute("SELECT t.name, SUM(s.games), SUM(s.wins) FROM score s JOIN team t ON t.id = s.team GROUP BY t.id"):
    assert (games, won) == (count[name], wins[name]), (name, games, won, count[name], wins[name])
assert len(count) == 6
open_jobs = list(db.execute("SELECT id, state FROM job WHERE state NOT IN ('DONE', 'STOPPED')"))
assert not open_jobs, open_jobs
END
kill "$runner"
wait "$runner" || fail "runner: exit status $?: $(tail -n 3 runner.err)"
kill "$server"
wait "$server" || fail "serve: exit status $?: $(tail -n 3 serve.err)"
finish
