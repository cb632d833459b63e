#!/usr/bin/env bash
# A site is backed up in the middle of a stage, by a runner at work, and restored elsewhere: it goes on where the
# backup was made, no game is lost or there twice, and the audit passes. O42.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
games=6000

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

# begin SITE: its server and its runner.
begin()
{
    export WARG_SITE=$work/$1
    launch serve.txt serve.err "$WARG" contest serve "$1" --clock clock
    await serve serve.txt 'listening' || finish
    "$WARG" contest runner "$1" --clock clock >runner.txt 2>runner.err &
    runner=$!
    trap 'kill $server $runner 2>/dev/null; rm -rf "$work"' EXIT
}
end()
{
    kill "$runner"
    wait "$runner" || fail "runner: exit status $?: $(tail -n 3 runner.err)"
    kill "$server"
    wait "$server" || fail "serve: exit status $?: $(tail -n 3 serve.err)"
}
in_state() { "$WARG" contest status cup --json 2>/dev/null | grep -q "\"state\":\"$1\""; }
state()
{
    until_true 200 in_state "$1" || { fail "not $1: $("$WARG" contest status cup) $(tail -n 5 serve.err)"; finish; }
}
# games_of PLACE: how many its journal has.
games_of() { grep -s '"record":"game"' "$1/contests/cup/play/journal.jsonl" | wc -l; }
journal_has() { (($(games_of "$1") >= $2)); }
# sum_of FILE...: of what is in the files.
sum_of() { cat "$@" | sha256sum; }

begin site
expect 0 'new' "$WARG" contest new cup.yml
at 2027-04-01T10:00:00
state OPEN
# Teams for whom a bot plays, which no door of the site makes: versions without files.
python3 - site/data/site.db <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=60)
for i in range(6):
    db.execute("INSERT INTO team(contest, name, state, created) SELECT id, ?, 'IN', 1 FROM contest", ("team-" + "abcdef"[i],))
    db.execute("INSERT INTO version(team, number, language, entry, tree, state, at)"
               " SELECT MAX(id), 1, 'python', 'x.py', '', 'ACTIVE', 1 FROM team")
db.commit()
END
at 2027-07-22T01:00:00
state FROZEN
at 2027-07-25T01:00:00
until_true 200 journal_has site/data 20 || { fail 'no game is played'; finish; }
expect 0 'backup in the middle of a stage' "$WARG" contest backup backup
saved=$(games_of backup)
((saved >= 20 && saved < games)) || fail "$saved games are in the backup: it is none of the middle"
# It goes on behind that, and then is lost.
until_true 200 journal_has site/data $((saved + 10)) || fail 'no game behind the backup'
backup_is=$(sum_of backup/contests/cup/play/journal.jsonl backup/site.db)
kill -9 "$server" "$runner"
{ wait "$server" "$runner"; } 2>/dev/null
mkdir there
cp site/server.yml there/
rm -rf site
expect 0 'restore' "$WARG" contest restore backup --site there
begin there
state APPEALS
[[ $(sum_of backup/contests/cup/play/journal.jsonl backup/site.db) == "$backup_is" ]] || fail 'the backup has changed'
python3 - there/data backup/contests/cup/play/journal.jsonl <<'END' || fail 'the store is not what the journal says'
import json, sqlite3, sys
data = sys.argv[1]
db = sqlite3.connect(data + "/site.db")
def played(path):
    entries = [json.loads(line) for line in open(path)]
    return [(e["set"], e["game"], e["winner"]) for e in entries if e["record"] == "game"]
games = played(data + "/contests/cup/play/journal.jsonl")
assert len(set(games)) == len(games), "a game is there twice"
before = played(sys.argv[2])
assert before == games[:len(before)], "games of the backup are played once more"
store = sorted(db.execute("SELECT set_number, game, winner FROM game"))
assert store == sorted(games), "%d games in the store, %d in the journal" % (len(store), len(games))
assert len(list(db.execute("SELECT 1 FROM seat"))) == 5 * len(games)
least, = db.execute("SELECT min(n) FROM (SELECT sum(games) AS n FROM score GROUP BY team)").fetchone()
assert least >= 250, least
open_jobs = list(db.execute("SELECT id, state FROM job WHERE state NOT IN ('DONE', 'STOPPED')"))
assert not open_jobs, open_jobs
lines = [json.loads(line) for line in open(data + "/contests/cup/ledger.jsonl")]
told = [line["game"] for line in lines if line["type"] == "game"]
assert len(told) == len(games) and len(set(told)) == len(told), "%d games in the ledger" % len(told)
END
expect 0 'audit' "$WARG" audit there/data/contests/cup/play
end
finish
