#!/usr/bin/env bash
# A whole contest on a site, from `init` to the audit of its bundle, in simulated time; the server is killed now and then.
# Teams come with agents in Python, Java and C, and with bad ones: one is refused by the check, one crashes in a testing
# round. An appeal makes a game void.
# docs/spec/contest-operations.md O1, O3, O24, O27.
#
# WARG_LONG=1: 16 teams at tables of 5 and 15.
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
[[ ${WARG_LONG:-} ]] && teams=16 players='{players: 5}, {players: 15}'

cat >cup.yml <<END
contest: cup
title: {en: Cup, ja: 杯}
dates: {zone: Asia/Tokyo, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-25,
        preliminary_stops: 2027-08-04 24:00, revision_closes: 2027-08-18 24:00, final_stops: 2027-09-01,
        appeals_close: 2027-09-08, retention_ends: 2029-01-01}
lot_window: 24h
check: {games: 1, name: refuse}
runtimes: {java: {lib: ../lib}}
limits: {time_limit: 1s, startup: 60s}
testing: {at: ["03:00"], parts: [{players: 5, sets_each: 1}], fill: sample}
cell: {level: strict, memory: 1GiB, threads: 64}
stages:
  - {name: preliminary, parts: [$players], games_per_set: 2, min_games: 4, advance: 6, tie: lot}
  - {name: final, parts: [{players: 5}], games_per_set: 2, min_games: 4, require: [source, description]}
conduct: {strikes: 3, confirm: true}
publish: {logs: own, live: standings, sources: all}
END

mkdir -p lib
if command -v javac >/dev/null && [[ -x /usr/bin/java ]]; then
    mkdir -p java/{platform,own}
    javac -d java/platform "$agents/ClientStarter.java" && (cd java/platform && jar cf ../../lib/platform.jar .)
    javac -d java/own "$agents/CheckedAgent.java" && (cd java/own && jar cf ../../player.jar .)
else
    echo 'skipped: Java, no javac here'
fi

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
    until_true 200 in_state "$1" || { fail "not $1: $("$WARG" contest status cup) $(tail -n 5 serve.err)"; finish; }
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

# ---- who comes, and with what ----

# cast.py: the people of this contest.
cat >cast.py <<'END'
import gzip, io, json, os, sys, zipfile
sys.path.insert(0, sys.argv[1])
from site_people import Refused, Site
site = Site(int(sys.argv[2]), "http://127.0.0.1")
TEAMS = ["team_" + chr(ord("a") + i) for i in range(int(sys.argv[3]))]
PLAIN, JAVA, NATIVE, CRASHES, MISNAMED, OTHER = TEAMS[:6]
SIGN = "REQUEST ANY (AND (VOTE Agent[03]) (VOTE Agent[04]))"
python = open(sys.argv[1] + "/checked_agent.py").read().replace("REQUEST ANY (VOTE Agent[03])", SIGN)

def person(name, new=False):
    i = TEAMS.index(name)
    who = site.person("198.51.100.%d" % (i + 1))
    who.name = name
    login, phrase = "captain-" + name[-1], "a phrase of captain %d" % i
    if new:
        who.make(login, phrase, mail="c%d@example.org" % i, language="ja" if i % 2 else "en")
    else:
        who.enter(login, phrase)
    return who

def organiser():
    return site.person("192.0.2.200").enter("org", "the organiser's phrase")

def packed(path, data, mode=0o644):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = mode << 16
        out.writestr(entry, data)
    return file.getvalue()

def agent(name, do="good"):
    """The agent in Python, which does so as soon as another one of them talks at its table: in no check."""
    text = python.replace('"--do": "good"', '"--do": "%s"' % do).replace('"--with": "0"', '"--with": "9"')
    return packed(name + "/agent.py", text.replace('"--when": ""', '"--when": "%s"' % SIGN) + "\n# " + name + "\n")

def team_of(who):
    return who.get("contests/cup/teams/" + who.name)

def hand_in(who, file, language="python", entry="agent.py"):
    version = who.post("contests/cup/teams/%s/versions" % who.name, {"language": language, "entry": entry})
    who.put_file("contests/cup/versions/%s/file" % version["id"], file)
    return version["id"]

def checked(who, version, state="ACTIVE"):
    """Until the check is over: that is what it has to be."""
    def look():
        now = who.get("contests/cup/versions/" + version)
        return now if now["state"] in ("REFUSED", "ACTIVE") else None
    now = site.until("the check of " + who.name, look)
    assert now["state"] == state, (who.name, now, who.get("contests/cup/versions/%s/report" % version))

def refused(call, *words):
    try:
        call(*words)
    except Refused as no:
        return no.status
    raise AssertionError("not refused: %s" % (words,))

def ledger(who):
    return [json.loads(line) for line in who.get("contests/cup/ledger").decode().splitlines()]
END
# act NAME: what these people do now is in NAME.py.
act() { python3 "$1.py" "$agents" "$port" "$teams" || { fail "$1: $(tail serve.err; "$WARG" contest status cup)"; finish; }; }

if [[ ${WARG_LIBRARY:-} ]] && command -v gcc >/dev/null && [[ -e $WARG_LIBRARY/libwarg.a ]]; then
    gcc -O1 -I"$WARG_SOURCE/include" "$WARG_SOURCE/examples/agent.c" "$WARG_LIBRARY/libwarg.a" -ljansson -lm -o native
else
    echo 'skipped: C, no library without a sanitizer'
fi

cat >people.py <<'END'
from cast import *
versions = {}
for name in TEAMS:
    who = person(name, new=True)
    who.post("contests/cup/teams", {"name": name})
    if name == JAVA and os.path.exists("player.jar"):
        version = hand_in(who, open("player.jar", "rb").read(), "java", "CheckedAgent")
    elif name == NATIVE and os.path.exists("native"):
        version = hand_in(who, packed("native", open("native", "rb").read(), 0o755), "native", "native")
    elif name == MISNAMED:
        version = hand_in(who, packed("agent.py", python.replace('"--do": "good"', '"--do": "name"')))
    else:
        version = hand_in(who, agent(name, "night" if name == CRASHES else "good"))
    versions[name] = who, version
# Another name than the team's: the check says so. The next version is good.
who, version = versions[MISNAMED]
checked(who, version, "REFUSED")
report = who.get("contests/cup/versions/%s/report" % version)
assert [step["verdict"] for step in report["steps"] if step["step"] == "name"] == ["fail"], report
versions[MISNAMED] = who, hand_in(who, agent(MISNAMED))
for who, version in versions.values():
    checked(who, version)
END
act people

# A testing round, at its time: who crashes in it is suspended, with the game's log, until there is a better version.
at 2027-04-01T19:00:00
cat >tested.py <<'END'
from cast import *
crashes = person(CRASHES)
bad = site.until("the suspension", lambda: [v for v in team_of(crashes)["versions"] if v["state"] == "SUSPENDED"])[0]
assert "testing round 1: " in bad["why"] and "logs/" in bad["why"], bad
assert any(notice["kind"] == "version-suspended" for notice in team_of(crashes)["notices"])
for name in TEAMS:
    states = [v["state"] for v in team_of(person(name))["versions"]]
    assert ("SUSPENDED" in states) == (name == CRASHES), (name, states)
checked(crashes, hand_in(crashes, agent(CRASHES)))
END
act tested

expect 0 'team list' "$WARG" contest team cup list
(($(grep -c ' IN ' <<<"$out") == teams)) || fail "team list: $out"
at 2027-07-21T15:00:00
sleep 0.7
again
state FROZEN

# The preliminary: rounds behind min_games until the date, then six are finalists.
games() { "$WARG" contest status cup --json | sed 's/.*"games":\([0-9]*\).*/\1/'; }
at 2027-07-24T15:00:00
state PRELIMINARY
enough() { (($(games) >= 4)); }
until_true 200 enough || { fail "no games: $("$WARG" contest status cup)"; tail serve.err; finish; }

# Nobody sees logs of games of others.
cat >logs.py <<'END'
from cast import *
plain, other = person(PLAIN), person(OTHER)
own = plain.get("contests/cup/games?stage=preliminary&team=" + PLAIN)["items"]
assert plain.get("contests/cup/games/%s/log" % own[0]["id"])
mine = {game["id"] for game in own}
others = [g["id"] for g in other.get("contests/cup/games?stage=preliminary&team=" + OTHER)["items"] if g["id"] not in mine]
for game in others[:1]:
    assert refused(plain.get, "contests/cup/games/%s/log" % game) in (403, 404)
with zipfile.ZipFile(io.BytesIO(plain.get("contests/cup/teams/%s/logs.zip" % PLAIN))) as logs:
    for name in logs.namelist():
        data = logs.read(name)
        assert PLAIN in (gzip.decompress(data) if name.endswith(".gz") else data).decode(), name
assert refused(plain.get, "contests/cup/teams/%s/logs.zip" % OTHER) in (403, 404)
END
act logs
at 2027-08-04T15:00:00
sleep 1.2
again
state REVISION

# Six are finalists; five of them hand in what is asked for, one of these another version, too.
cat >finalists.py <<'END'
from cast import *
finalists = [who for who in map(person, TEAMS) if any(n["kind"] == "finalist" for n in team_of(who)["notices"])]
names = [who.name for who in finalists]
assert len(names) == 6, names
for i, who in enumerate(finalists[1:]):
    who.put_file("contests/cup/teams/%s/documents/source?media=application/zip&licence=MIT" % who.name, b"PK source of %d" % i)
    who.put_file("contests/cup/teams/%s/documents/description?media=text/markdown" % who.name, b"# How it plays")
print(names[0])
checked(who, hand_in(who, packed(who.name + "/agent.py", python + "\n# revised\n")))
END
act finalists >lacking
lacking=$(<lacking)

# Reminders 7 days, 1 day, 1 hour before; then it is out (O28).
for date in 2027-08-12T00:00:00 2027-08-17T16:00:00 2027-08-18T14:30:00; do
    at "$date"
    sleep 2.5
done
at 2027-08-18T15:00:00
state FINAL
expect 0 'team list' "$WARG" contest team cup list
grep -qE "^$lacking +OUT" <<<"$out" || fail "$lacking lacks its source and is not out: $out"
cat >reminded.py <<'END'
from cast import *
kinds = [notice["kind"] for notice in team_of(person(open("lacking").read().strip()))["notices"]]
assert kinds.count("deadline") in (3, 4), kinds  # one may be of the submission
assert kinds.count("out") == 1 and kinds.count("finalist") == 1, kinds
END
act reminded
more() { (($(games) >= before + 4)); }
before=$(games)
until_true 200 more || { fail "no games of the final: $("$WARG" contest status cup)"; tail serve.err; finish; }
at 2027-09-01T00:00:00
sleep 0.4
again
state APPEALS

# An appeal is granted: the game counts for nobody, and the ranking follows.
cat >appealed.py <<'END'
from cast import *
organiser().post("contests/cup/roles", {"role": "organiser", "login": "org"})
org, anybody = organiser(), site.person("203.0.113.9")  # whose rights change logs in anew

def table():
    return {row["team"]: row["games"] for row in org.get("contests/cup/standings?stage=final")["rows"]}
game = [g for g in org.get("contests/cup/games?stage=final")["items"] if not g["void"]][0]
players = [seat["team"] for seat in org.get("contests/cup/games/" + game["id"])["seats"]]
before, who = table(), person(players[0])
words = {"about": "game", "object": game["id"], "text": "The power failed."}
appeal = who.post("contests/cup/teams/%s/appeals" % who.name, words)["id"]

def gathered():
    return [a for a in org.get("contests/cup/appeals")["items"] if a["id"] == appeal and "evidence" in a]
evidence = site.until("what the server has", gathered)[0]["evidence"]
assert evidence["log_sha256"], evidence
assert refused(who.post, "contests/cup/rulings", {"appeal": appeal, "decision": "grant", "reason": "x"}) == 403
org.post("contests/cup/rulings", {"appeal": appeal, "decision": "grant", "reason": "It did."})
wanted = {team: games - players.count(team) for team, games in before.items()}
site.until("the ranking without the game", lambda: table() == wanted)
assert org.get("contests/cup/games/" + game["id"])["void"], game
void = [entry for entry in ledger(org) if entry["type"] == "ruling" and entry.get("decision") == "void"]
assert len(void) == 1 and void[0]["reason"] == "It did.", void
assert [entry.get("decision") for entry in ledger(org) if entry["type"] == "appeal"] == [None, "grant"], ledger(org)
open("checkpoint", "wb").write(anybody.get("contests/cup/checkpoint"))
END
act appealed
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
