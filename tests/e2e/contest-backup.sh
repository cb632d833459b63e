#!/usr/bin/env bash
# A site is backed up in the middle of a stage, by a runner at work, and restored elsewhere: it goes on where the
# backup was made, no game is lost or there twice, and the audit passes. O42.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=site.bash
source "$here/site.bash"

skip_under_tsan
games=6000

bot_site "$games"

# games_of PLACE: how many its journal has.
games_of() { grep -s '"record":"game"' "$1/contests/cup/play/journal.jsonl" | wc -l; }
journal_has() { (($(games_of "$1") >= $2)); }
# sum_of FILE...: of what is in the files.
sum_of() { cat "$@" | sha256sum; }

site_serve
bot_runner
bot_contest
bot_play
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
site_serve there
bot_runner there
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
bot_end
finish
