#!/usr/bin/env bash
# A whole contest on a site, from `init` to the audit of its bundle, in simulated time, without a hand's turn;
# the server is killed now and then.
# docs/spec/contest-operations.md O1, O3.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=postgres.bash
source "$here/postgres.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }
mkdir tmp
export TMPDIR=$work/tmp
chmod 755 . tmp

teams=7 players='{players: 5}'
[[ ${WARG_LONG:-} ]] && teams=15 players='{players: 5}, {players: 15}'

cat >cup.yml <<END
contest: cup
title: {en: Cup, ja: 杯}
dates: {zone: Asia/Tokyo, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-25,
        preliminary_stops: 2027-08-04 24:00, revision_closes: 2027-08-18 24:00, final_stops: 2027-09-01,
        appeals_close: 2027-09-08, retention_ends: 2029-01-01}
lot_window: 24h
check: {games: 1, name: refuse}
testing: {at: ["03:00"], parts: [{players: 5, sets_each: 1}], fill: sample}
cell: {level: strict, memory: 512MiB, threads: 64}
stages:
  - {name: preliminary, parts: [$players], games_per_set: 2, min_games: 4, advance: 6, tie: lot}
  - {name: final, parts: [{players: 5}], games_per_set: 2, min_games: 4, require: [source, description]}
conduct: {strikes: 3, confirm: true}
publish: {logs: own, live: standings, sources: all}
END

# at DATE: that is the date now; in UTC.
at() { echo "$1.000Z" >clock.new && mv clock.new clock; }
at 2027-03-01T00:00:00
export WARG_SITE_CLOCK=$work/clock

if [[ ${WARG_SITE_STORE:-} == postgresql ]]; then # as contest-postgres.sh wants it
    postgres_begin
    mkdir site
    (umask 077 && echo "$postgres" >site/store)
    printf 'public_url: http://127.0.0.1\nlisten: 127.0.0.1:0\ntrust_proxy: []\nstore: postgresql\nstore_file: store\n' >site/server.yml
fi
expect 0 'init' "$WARG" contest init site
link=${out##*/invite/}
[[ $link =~ ^[0-9a-f]{64}$ ]] || fail "init prints no link: $out"
sed -i 's,^listen:.*,listen: 127.0.0.1:0,; s,^public_url:.*,public_url: http://127.0.0.1,
        s,^trust_proxy:.*,trust_proxy: [127.0.0.1],' site/server.yml
cat >sendmail <<END
#!/bin/sh
n=\$(date +%s%N)
cat >'$work/mails/'\$n.\$\$
END
chmod 755 sendmail
mkdir mails
echo "mail: {command: $work/sendmail, from: contest@example.org}" >>site/server.yml
expect 0 'doctor' "$WARG" contest doctor site
export WARG_SITE=$work/site

launch serve.txt serve.err "$WARG" contest serve site --clock clock
await serve serve.txt 'listening' || finish
port=$(sed -n 's/.* port //p' serve.txt)

cat >admin.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from site_people import Site, Refused
site = Site(int(sys.argv[2]), "http://127.0.0.1")
admin = site.person("192.0.2.200")
admin.make("org", "the organiser's phrase", invite=sys.argv[3], mail="org@example.org")
assert admin.get("account")["admin"], "the link makes no admin"
try:
    site.person("192.0.2.201").make("thief", "another long phrase", invite=sys.argv[3])
    raise SystemExit("the link works twice")
except Refused:
    pass
END
python3 admin.py "$agents" "$port" "$link" || { fail 'the first admin'; finish; }

expect 0 'new' "$WARG" contest new cup.yml
expect 2 'new, again' "$WARG" contest new cup.yml
expect 0 'status' "$WARG" contest status cup
[[ $out == *'DRAFT'*'next: opens in 31 d'* ]] || fail "status: $out"

# state WHAT: until the contest is in it.
in_state() { "$WARG" contest status cup --json 2>/dev/null | grep -q "\"state\":\"$1\""; }
state()
{
    until_true 400 in_state "$1" || { fail "not $1: $("$WARG" contest status cup) $(tail -n 5 serve.err)"; finish; }
}

# again: the server is killed, and another one goes on (O3).
again()
{
    kill -9 "$server"
    wait "$server" 2>/dev/null
    launch serve.txt serve.err "$WARG" contest serve site --clock clock
    await 'serve, again' serve.txt 'listening' || finish
    port=$(sed -n 's/.* port //p' serve.txt)
}

at 2027-04-01T00:00:00
again
state OPEN

# Teams register, and hand in.
cat >people.py <<'END'
import io, sys, zipfile
sys.path.insert(0, sys.argv[1])
from site_people import Site
port, teams, agent = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
site = Site(port, "http://127.0.0.1")

def packed(name, text):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as out:
        entry = zipfile.ZipInfo(name + "/agent.py", (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        out.writestr(entry, text)
    return data.getvalue()

source = open(agent).read()
people = {}
for i in range(teams):
    name = "team_" + chr(ord("a") + i)
    who = people[name] = site.person("198.51.100.%d" % (i + 1))
    who.make("captain-" + chr(ord("a") + i), "a phrase of captain %d" % i, mail="c%d@example.org" % i,
             language="ja" if i % 2 else "en")
    who.post("contests/cup/teams", {"name": name})
    version = who.post("contests/cup/teams/%s/versions" % name, {"language": "python", "entry": "agent.py"})
    who.put_file("contests/cup/versions/%s/file" % version["id"], packed(name, source + "\n# %d\n" % i))
    who.version = version["id"]
for name, who in people.items():
    def checked():
        now = who.get("contests/cup/versions/" + who.version)
        if now["state"] == "REFUSED":
            raise SystemExit("%s is refused: %s" % (name, now))
        return now["state"] in ("ACTIVE", "PASSED")
    site.until("the check of " + name, checked)
END
python3 people.py "$agents" "$port" "$teams" "$agents/checked_agent.py" || { fail people; tail serve.err; finish; }

at 2027-07-21T10:00:00
expect 0 'team list' "$WARG" contest team cup list
(($(grep -c ' IN ' <<<"$out") == teams)) || fail "team list: $out"
at 2027-07-21T15:00:00
sleep 0.7
again
state FROZEN

# The preliminary: rounds behind min_games until the date, then five are finalists.
games() { "$WARG" contest status cup --json | sed 's/.*"games":\([0-9]*\).*/\1/'; }
at 2027-07-24T15:00:00
state PRELIMINARY
enough() { (($(games) >= 4)); }
until_true 400 enough || { fail "no games: $("$WARG" contest status cup)"; tail serve.err; finish; }
at 2027-08-04T15:00:00
sleep 1.2
again
state REVISION

# Six are finalists; five of them hand in what is asked for, one of these another version, too.
cat >finalists.py <<'END'
import io, sys, zipfile
sys.path.insert(0, sys.argv[1])
from site_people import Site, Refused
port, teams, agent = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
site = Site(port, "http://127.0.0.1")
finalists = []
for i in range(teams):
    name, letter = "team_" + chr(ord("a") + i), chr(ord("a") + i)
    who = site.person("198.51.100.%d" % (i + 1)).enter("captain-" + letter, "a phrase of captain %d" % i)
    team = who.get("contests/cup/teams/" + name)
    if any(notice["kind"] == "finalist" for notice in team["notices"]):
        finalists.append((name, i, who))
assert len(finalists) == 6, finalists
for name, i, who in finalists[1:]:
    who.put_file("contests/cup/teams/%s/documents/source?media=application/zip&licence=MIT" % name, b"PK source of %d" % i)
    who.put_file("contests/cup/teams/%s/documents/description?media=text/markdown" % name, b"# How it plays")
print(finalists[0][0])
name, i, who = finalists[-1]
data = io.BytesIO()
with zipfile.ZipFile(data, "w") as out:
    out.writestr(zipfile.ZipInfo(name + "/agent.py", (1980, 1, 1, 0, 0, 0)), open(agent).read() + "\n# revised\n")
version = who.post("contests/cup/teams/%s/versions" % name, {"language": "python", "entry": "agent.py"})
who.put_file("contests/cup/versions/%s/file" % version["id"], data.getvalue())
site.until("the revision", lambda: who.get("contests/cup/versions/" + version["id"])["state"] == "ACTIVE")
END
lacking=$(python3 finalists.py "$agents" "$port" "$teams" "$agents/checked_agent.py") || { fail finalists; tail serve.err; finish; }

# Reminders 7 days, 1 day, 1 hour before; then it is out (O28).
for date in 2027-08-12T00:00:00 2027-08-17T16:00:00 2027-08-18T14:30:00; do
    at "$date"
    sleep 2.5
done
at 2027-08-18T15:00:00
state FINAL
expect 0 'team list' "$WARG" contest team cup list
grep -qE "^$lacking +OUT" <<<"$out" || fail "$lacking lacks its source and is not out: $out"
python3 - "$agents" "$port" "$lacking" <<'END' || fail 'reminders'
import sys
sys.path.insert(0, sys.argv[1])
from site_people import Site
letter = sys.argv[3][-1]
site = Site(int(sys.argv[2]), "http://127.0.0.1")
who = site.person("198.51.100.99").enter("captain-" + letter, "a phrase of captain %d" % (ord(letter) - ord("a")))
kinds = [notice["kind"] for notice in who.get("contests/cup/teams/" + sys.argv[3])["notices"]]
assert kinds.count("deadline") in (3, 4), kinds  # one may be of the submission
assert kinds.count("out") == 1 and kinds.count("finalist") == 1, kinds
END
more() { (($(games) >= before + 4)); }
before=$(games)
until_true 400 more || { fail "no games of the final: $("$WARG" contest status cup)"; tail serve.err; finish; }
at 2027-09-01T00:00:00
sleep 0.4
again
state APPEALS
python3 - "$agents" "$port" <<'END' || fail 'the checkpoint'
import sys
sys.path.insert(0, sys.argv[1])
from site_people import Site
anybody = Site(int(sys.argv[2]), "http://127.0.0.1").person("203.0.113.9")
open("checkpoint", "wb").write(anybody.get("contests/cup/checkpoint"))
END
at 2027-09-08T00:00:00
state PUBLISHED

# Anybody checks what is published, without the server; until the bundle has the end of the ledger it is not to be had.
cat >fetch.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from site_people import Site
site = Site(int(sys.argv[2]), "http://127.0.0.1")
anybody = site.person("203.0.113.9")
open("bundle.tar.gz", "wb").write(anybody.get("contests/cup/bundle"))
open("key", "wb").write(anybody.get("contests/cup/key"))
open("end", "wb").write(anybody.get("contests/cup/checkpoint"))
END
fetch() { python3 fetch.py "$agents" "$port" 2>fetch.err; }
until_true 200 fetch || { fail "the bundle: $(tail -n 3 fetch.err)"; finish; }
mkdir bundle && tar -xzf bundle.tar.gz -C bundle
kill "$server" && wait "$server"
expect 0 'audit' "$WARG" audit bundle/* --key "$(<key)" --checkpoint checkpoint
[[ $out == *'everything follows from the commitment'* ]] || fail "audit: $out"
expect 0 'audit with the last checkpoint' "$WARG" audit bundle/* --key "$(<key)" --checkpoint end
finish
