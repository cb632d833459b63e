#!/usr/bin/env bash
# Games are played while the server of a contest site is killed again and again: all of them are in its
# store at the end, none is lost, none is there twice, and what they add up to is what the journal says. O6.
# WARG_IMPORT_GAMES=N, WARG_IMPORT_KILLS=N.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=site.bash
source "$here/site.bash"

skip_under_tsan
games=${WARG_IMPORT_GAMES:-1000} kills=${WARG_IMPORT_KILLS:-5}

bot_site "$games"
site_serve
bot_contest
bot_runner
bot_play
for ((i = 0; i < kills; i++)); do
    sleep "0.$((RANDOM % 9 + 1))"
    kill -9 "$server"
    { wait "$server"; } 2>/dev/null
    site_serve
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
bot_end
finish
