#!/usr/bin/env bash
# A disk that fills up while a stage is played: games stop, status and doctor say why, an upload is refused; when there is room again
# all goes on by itself, and no game is lost or counted twice. docs/spec/contest-operations.md 16.2, O43.
# In a mount namespace of its own, where that can be had.
if [[ ! ${WARG_OWN_MOUNTS:-} ]]; then
    unshare -m true 2>/dev/null || { echo 'skipped: this machine lets nobody mount a file system'; exit 77; }
    WARG_OWN_MOUNTS=1 exec unshare -m bash "$0" "$@"
fi
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=site.bash
source "$here/site.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }
mkdir site tmp
export TMPDIR=$work/tmp
chmod 755 . tmp
trap 'kill $server 2>/dev/null; wait; umount -l "$work/site"; rm -rf "$work"' EXIT
mount -t tmpfs -o size=160m,mode=0755 warg site || { echo 'skipped: no tmpfs here'; exit 77; }

cat >cup.yml <<END
contest: cup
title: {en: Cup, ja: 杯}
lot_window: 1s
check: {games: 1}
cell: {level: strict, memory: 256MiB, threads: 16}
stages:
  - {name: preliminary, parts: [{players: 5}], games_per_set: 2, min_games: 40, advance: 5, tie: lot}
  - {name: final, parts: [{players: 5}], games_per_set: 2, min_games: 2}
END
site_init 's,^disk_reserve:.*,disk_reserve: 30MiB,; s,^trust_proxy:.*,trust_proxy: [127.0.0.1],'
site_serve

status() { "$WARG" contest status cup; }
number() { "$WARG" contest status cup --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
games_over() { (($(number games) > $1)); }
is_low() { [[ $(number disk_low) == "$1" ]]; }
nothing_runs() { ! pgrep -f "agent.py -h 127.0.0.1 -p .* -n disk_" >/dev/null; }

expect 0 'new' "$WARG" contest new cup.yml
expect 0 'open' "$WARG" contest open cup
state OPEN

# ---- an upload that is under way ----
cat >upload.py <<'END'
import os, socket, sys
sys.path.insert(0, sys.argv[1])
from site_people import Site
data, port = sys.argv[2], int(sys.argv[3])
ann = Site(port, "http://127.0.0.1").person("198.51.100.1")
ann.make("ann", "a long pass phrase")
ann.post("contests/cup/teams", {"name": "late"})
version = ann.post("contests/cup/teams/late/versions", {"language": "python", "entry": "agent.py"})["id"]
os.makedirs(data + "/incoming", exist_ok=True)
peer = socket.create_connection(("127.0.0.1", port), timeout=100)
peer.sendall(("PUT /api/v1/contests/cup/versions/%s/file HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.1\r\nOrigin: http://127.0.0.1\r\n"
              "Cookie: %s\r\nX-Warg-Token: %s\r\nContent-Type: application/octet-stream\r\nContent-Length: 20000000\r\n\r\n"
              % (version, ann.cookie, ann.csrf)).encode() + bytes(1000))
while not os.listdir(data + "/incoming"): # it is under way
    pass
with open(data + "/fill", "wb") as fill:
    disk = os.statvfs(data)
    fill.write(bytes(disk.f_bavail * disk.f_frsize - (25 << 20)))
try:
    peer.sendall(bytes(8 << 20))
except OSError:
    pass # it was answered meanwhile
answer = peer.recv(1000)
assert answer.startswith(b"HTTP/1.1 507 "), answer
while os.listdir(data + "/incoming"):
    pass
END
python3 upload.py "$agents" site/data "$(sed -n 's/.* port //p' serve.txt)" || fail 'an upload while the disk fills up'
rm site/data/fill
until_true 100 is_low False || { fail "it is still low: $(status)"; finish; }

# ---- a stage that is under way ----
# Five teams whose versions have passed: how they come is told elsewhere.
cat >teams.py <<'END'
import hashlib, os, shutil, sqlite3, sys
data, agent = sys.argv[1:]
code = open(agent, "rb").read()
tree = hashlib.sha256(b"agent.py\0" + b"0444\0" + str(len(code)).encode() + b"\0" + hashlib.sha256(code).hexdigest().encode() + b"\n").hexdigest()
os.makedirs(data + "/trees/" + tree, 0o755)
shutil.copy(agent, data + "/trees/" + tree + "/agent.py")
os.chmod(data + "/trees/" + tree + "/agent.py", 0o444)
db = sqlite3.connect(data + "/site.db", timeout=60)
cup = db.execute("SELECT id FROM contest").fetchone()[0]
for name in "abcde":
    team = db.execute("INSERT INTO team(contest, name, state, created) VALUES(?, ?, 'IN', 1)", (cup, "disk_" + name)).lastrowid
    db.execute("INSERT INTO version(team, number, language, entry, tree, state, at) VALUES(?, 1, 'python', 'agent.py', ?, 'ACTIVE', 1)", (team, tree))
db.commit()
END
python3 teams.py site/data "$agents/steady_agent.py" || { fail 'the teams'; finish; }
expect 0 'freeze' "$WARG" contest freeze cup
state FROZEN
expect 0 'start' "$WARG" contest start cup
state PRELIMINARY
until_true 200 games_over 3 || { fail "no games: $(status) $(cat serve.err)"; finish; }

# ---- full ----
cat /dev/zero >site/data/fill 2>/dev/null
until_true 100 is_low True || { fail "it is not low: $(status)"; finish; }
cat /dev/zero >>site/data/fill 2>/dev/null # what the ballast gave back, too
until_true 100 nothing_runs || { fail "games go on: $(status) $(ps ax | grep agent.py)"; finish; }
[[ $(status) == *'free: TOO LITTLE, nothing is played until 60 MiB are'* ]] || fail "status: $(status)"
"$WARG" contest doctor site >doctor.txt && fail 'doctor finds nothing'
grep -q '^BAD  disk .*contests stand still until twice as many are free' doctor.txt || fail "doctor: $(cat doctor.txt)"
kept=$(grep -c "\"record\":\"game\"" site/data/contests/cup/play/journal.jsonl)
((kept > 3)) || fail "the journal has $kept games"

# ---- a little room is not enough; then there is room ----
truncate -s -25M site/data/fill
until_true 100 is_low True || fail "it goes on with 25 MiB: $(status)"
until_true 100 nothing_runs || fail "games go on with 25 MiB: $(status)"
rm site/data/fill
until_true 100 is_low False || { fail "it is still low: $(status) $(tail -n 5 serve.err)"; finish; }
# A slow machine may have played them all before the disk was full.
((kept == 40)) || until_true 200 games_over "$kept" || { fail "it does not go on: $(status) $(tail -n 5 serve.err)"; finish; }
state REVISION
(($(number games) == 40)) || fail "games: $(status)"
python3 - site/data <<'END' || fail 'store and journal'
import sqlite3, sys
data = sys.argv[1]
db = sqlite3.connect(data + "/site.db")
rows = sorted(db.execute("SELECT game.game, game.log_digest FROM game JOIN run ON run.id = game.run"))
assert len(rows) == 40 and [r[0] for r in rows] == list(range(40)), rows
failed = db.execute("SELECT result FROM job WHERE state = 'FAILED'").fetchall()
assert not [r for r in failed if "No space" in r[0] or "died" in r[0]], failed # a cell may fail by the machine's fault
faults = db.execute("SELECT sum(failed), sum(faults) FROM seat").fetchone()
assert faults == (0, 0), faults
END
expect 0 'audit' "$WARG" audit site/data/contests/cup/play
kill "$server"
finish
