#!/usr/bin/env bash
# A whole contest on a site, from `init` to the audit of its bundle, in simulated time; the server is killed now and then.
# Teams come with agents in Python, Java and C, and with bad ones: one is refused by the check, one crashes in a testing
# round, one writes a file where it counts and gets a strike. An appeal makes a game void.
# docs/spec/contest-operations.md O1, O3, O14, O24, O26, O27, O28.
#
# WARG_LONG=1, as `./dev soak contest` runs it: 16 teams at tables of 5 and 15; one comes through a browser; there is an agent of
# each bad kind, in checks and in the preliminary.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=site.bash
source "$here/site.bash"
# shellcheck source=postgres.bash
source "$here/postgres.bash"

skip_under_tsan
need_cells
mkdir tmp
export TMPDIR=$work/tmp
chmod 755 . tmp

# A table has all of a stage's teams: a round is one set. (A bot sits for a finalist that is out.)
teams=6 advance=5 parts='{players: 6}' testing='{players: 6, sets_each: 1}' final='{players: 5}' tie=lot
per_set=6 least=6 enough=6 stops='' limits='memory: 1GiB' state_wait=200 listen=0 url=http://127.0.0.1
conduct='write: strike'
is_sanitized && per_set=3 least=3 enough=3 # every state all the same
if [[ ${WARG_LONG:-} ]]; then
    teams=16 advance=8 parts='{players: 5}, {players: 15}' tie=extra
    testing='{players: 5, sets_each: 1}, {players: 15, sets_each: 1}'
    per_set=2 least=4 enough=64 stops='preliminary_stops: 2027-08-04 24:00,' limits='memory: 256MiB' state_wait=3000
    conduct='write: strike, network: eliminate, process: strike, thread: note, memory: strike, output: note, crash: strike'
    # Browsers have to know where they are.
    listen=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    url=http://127.0.0.1:$listen
fi

cat >cup.yml <<END
contest: cup
title: {en: Cup, ja: 杯}
dates: {zone: Asia/Tokyo, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-25,
        $stops revision_closes: 2027-08-18 24:00, final_stops: 2027-09-01, appeals_close: 2027-09-08, retention_ends: 2029-01-01}
lot_window: 24h
check: {games: 1, name: refuse}
runtimes: {java: {lib: ../lib}}
limits: {time_limit: 1s, startup: 60s}
testing: {at: ["03:00"], parts: [$testing], fill: sample}
cell: {level: strict, $limits, threads: 64}
stages:
  - {name: preliminary, parts: [$parts], games_per_set: $per_set, min_games: $least, advance: $advance, tie: $tie}
  - {name: final, parts: [$final], games_per_set: $per_set, min_games: $least, require: [source, description]}
conduct: {strikes: 3, confirm: true, $conduct}
publish: {logs: own, live: standings, sources: all}
END

mkdir -p lib
if command -v javac >/dev/null && [[ -x /usr/bin/java ]]; then
    mkdir java
    javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -d java "$agents"/{ClientStarter,CheckedAgent}.java &&
        (cd java && jar cf ../lib/platform.jar org && jar cf ../player.jar CheckedAgent*.class)
else
    echo 'skipped: Java, no javac here'
fi

at 2027-03-01T00:00:00
export WARG_SITE_CLOCK=$work/clock

if [[ ${WARG_SITE_STORE:-} == postgresql ]]; then # as contest-postgres.sh wants it
    postgres_begin
    mkdir site
    (umask 077 && echo "$postgres" >site/store)
    printf 'public_url: http://127.0.0.1\nlisten: 127.0.0.1:0\ntrust_proxy: []\nstore: postgresql\nstore_file: store\n' >site/server.yml
fi
site_init "s,^listen:.*,listen: 127.0.0.1:$listen,; s,^public_url:.*,public_url: $url,
        s,^trust_proxy:.*,trust_proxy: [127.0.0.1],"
link=${out##*/invite/}
[[ $link =~ ^[0-9a-f]{64}$ ]] || fail "init prints no link: $out"
cat >sendmail <<END
#!/bin/sh
n=\$(date +%s%N)
cat >'$work/mails/'\$n.\$\$
END
chmod 755 sendmail
mkdir mails
echo "mail: {command: $work/sendmail, from: contest@example.org}" >>site/server.yml
expect 0 'doctor' "$WARG" contest doctor site
site_serve

cat >admin.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from site_people import Site, Refused
site = Site(int(sys.argv[2]), sys.argv[4])
admin = site.person("192.0.2.200")
admin.make("org", "the organiser's phrase", invite=sys.argv[3], mail="org@example.org")
assert admin.get("account")["admin"], "the link makes no admin"
try:
    site.person("192.0.2.201").make("thief", "another long phrase", invite=sys.argv[3])
    raise SystemExit("the link works twice")
except Refused:
    pass
END
python3 admin.py "$agents" "$port" "$link" "$url" || { fail 'the first admin'; finish; }

expect 0 'new' "$WARG" contest new cup.yml
expect 2 'new, again' "$WARG" contest new cup.yml
expect 0 'status' "$WARG" contest status cup
[[ $out == *'DRAFT'*'next: opens in 31 d'* ]] || fail "status: $out"

# again: the server is killed, and another one goes on (O3).
again()
{
    kill -9 "$server"
    wait "$server" 2>/dev/null
    site_serve
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
site = Site(int(sys.argv[2]), sys.argv[5])
TEAMS = ["team_" + chr(ord("a") + i) for i in range(int(sys.argv[3]))]
PLAIN, JAVA, NATIVE, CRASHES, MISNAMED, WRITES = TEAMS[:6]
LONG = len(TEAMS) > 6
BROWSER = TEAMS[-1] if LONG else None
# Which bad agents come first, what these are given, and the step of the check that fails.
BAD = {MISNAMED: ("name", 0, "name")}
if LONG:
    BAD.update(zip(TEAMS[6:15], [
        ("connect", 9, "conduct"), ("fork", 0, "conduct"), ("threads", 80, "dialogue"), ("flood", 3000, "resources"),
        ("memory", 400, "dialogue"), ("early", 0, "dialogue"), ("sentence", 0, "dialogue"), ("slow", 0, "time"),
        ("dies", 0, "start")]))
    BAD.update({NATIVE: ("noconnect", 0, "start"), WRITES: ("write", 0, "conduct")})
# Who breaks a rule when it counts, how, which one, and what its finding is then.
RULES = {WRITES: ("write", 0, "write", "STRIKE")}
if LONG:
    RULES = {WRITES: ("write", 0, "write", "PROPOSED"), TEAMS[6]: ("connect", 9, "network", "PROPOSED"),
             TEAMS[7]: ("fork", 0, "process", "PROPOSED"), TEAMS[8]: ("threads", 9, "thread", "NOTED"),
             TEAMS[9]: ("flood", 3000, "output", "NOTED"), TEAMS[10]: ("memory", 400, "memory", "PROPOSED")}
SIGN = "REQUEST ANY (AND (VOTE Agent[03]) (VOTE Agent[04]))"
python = open(sys.argv[1] + "/checked_agent.py").read()

def person(name, new=False):
    """Who has a login keeps it, for 14 days of the contest's."""
    i = TEAMS.index(name)
    who = site.person("198.51.100.%d" % (i + 1))
    who.name = name
    login, phrase = "captain-" + name[-1], "a phrase of captain %d" % i
    try:
        if new:
            who.make(login, phrase, mail="c%d@example.org" % i, language="ja" if i % 2 else "en")
        else:
            who.cookie, who.csrf = json.load(open(name + ".login"))
            who.get("account")
    except (OSError, Refused):
        assert not new
        who.enter(login, phrase)
    json.dump([who.cookie, who.csrf], open(name + ".login", "w"))
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

def agent(name, do="good", value=0, when=SIGN):
    """The agent in Python, which does so as soon as PLAIN's has talked at its table: in no check."""
    text = python.replace("random.choice(TALK)", '"%s" if spoken %% 2 else "Over"' % SIGN) if name == PLAIN else python
    text = text.replace('"--do": "good"', '"--do": "%s"' % do).replace('"--with": "0"', '"--with": "%d"' % value)
    text = text.replace("time.sleep(0.3)", "time.sleep(2.5)")  # the limit is a second
    return packed(name + "/agent.py", text.replace('"--when": ""', '"--when": "%s"' % when) + "\n# " + name + "\n")

def quick(name):
    """An agent in C, where there is one: those in Python take long to start. All of them differ."""
    if not os.path.exists("native"):
        return agent(name), "python", "agent.py"
    return packed("native", open("native", "rb").read() + name.encode(), 0o755), "native", "native"

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
    now = site.until("the check of " + who.name, look, 3000 if LONG else 300)
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
act() { python3 "$1.py" "$agents" "$port" "$teams" "$advance" "$url" || { fail "$1: $(tail serve.err; "$WARG" contest status cup)"; finish; }; }

if [[ ${WARG_LIBRARY:-} ]] && command -v gcc >/dev/null && [[ -e $WARG_LIBRARY/libwarg.a ]]; then
    gcc -O1 -I"$WARG_SOURCE/include" "$WARG_SOURCE/examples/agent.c" "$WARG_LIBRARY/libwarg.a" -ljansson -lm -o native
else
    echo 'skipped: C, no library without a sanitizer'
fi

cat >people.py <<'END'
from cast import *
organiser().post("contests/cup/roles", {"role": "organiser", "login": "org"})
def first(name):
    if name in BAD:
        return (agent(name, *BAD[name][:2], when=""),)
    if name == JAVA and os.path.exists("player.jar"):
        return open("player.jar", "rb").read(), "java", "CheckedAgent"
    if name in (PLAIN, CRASHES):
        return (agent(name, "night" if name == CRASHES else "good"),)
    return quick(name)

versions = {}
for name in TEAMS:
    if name == BROWSER and os.path.exists("registered"):
        continue
    who = person(name, new=True)
    who.post("contests/cup/teams", {"name": name})
    versions[name] = who, hand_in(who, *first(name))
# The check says which step a bad one fails. The next version is good.
for name, (do, value, step) in BAD.items():
    who, version = versions[name]
    checked(who, version, "REFUSED")
    report = who.get("contests/cup/versions/%s/report" % version)
    assert step in [s["step"] for s in report["steps"] if s["verdict"] == "fail"], (do, report)
    versions[name] = who, hand_in(who, *quick(name))
for who, version in versions.values():
    checked(who, version)
END
if [[ ${WARG_LONG:-} ]]; then
    cat >packing.py <<'END'
from cast import *
open("browser.zip", "wb").write(agent(BROWSER))
END
    act packing
    last=team_$(printf '%b' "\\x$(printf %x $((96 + teams)))")
    node "$here/../../web/test/register_team.mjs" "$url" cup "captain-${last#team_}" "a phrase of captain $((teams - 1))" \
        browser@example.org "$last" browser.zip agent.py >browser.txt 2>&1
    case $? in
        0) : >registered ;;
        77) echo "skipped: a browser, $(<browser.txt)" ;;
        *) fail "the browser: $(<browser.txt)" && finish ;;
    esac
fi
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
# Some break a rule from now on, when it counts: no check finds that.
versions = [(crashes, hand_in(crashes, *quick(CRASHES)))]
for name, (do, value, _, _) in RULES.items():
    who = person(name)
    versions.append((who, hand_in(who, agent(name, do, value))))
for who, version in versions:
    checked(who, version)
END
act tested

expect 0 'team list' "$WARG" contest team cup list
(($(grep -c ' IN ' <<<"$out") == teams)) || fail "team list: $out"
at 2027-07-21T15:00:00
sleep 0.1
again
state FROZEN

games() { "$WARG" contest status cup --json | sed 's/.*"games":\([0-9]*\).*/\1/'; }
more() { (($(games) >= before + enough)); }
played()
{
    until_true "$state_wait" more || { fail "no games: $("$WARG" contest status cup)"; tail serve.err; finish; }
}

# The preliminary ends at its number of games, or goes on until a date.
at 2027-07-24T15:00:00
if [[ $stops ]]; then
    state PRELIMINARY
    before=0
    played
    again
else
    state REVISION
    # What operators see: the runner has told of the cells of its jobs.
    cells() { curl -s --unix-socket site/data/admin.sock http://127.0.0.1/metrics | grep -q '^warg_cells_started_total [1-9]'; }
    until_true "$state_wait" cells || fail 'no cell is counted'
fi

# Who broke a rule in it is found, answers, and is ruled on: strikes, that stay. Nobody sees what is another team's.
cat >ruled.py <<'END'
from cast import *
plain, org = person(PLAIN), organiser()
for name, (_, _, rule, state) in RULES.items():
    who = person(name)

    def found():
        return [f for f in team_of(who)["findings"] if f["rule"] == rule and f["state"] in (state, "RULED")]
    one = site.until("a finding of " + rule, found, 3000 if LONG else 300)[0]
    assert one["state"] == state and one["evidence"], one
    assert rule != "write" or "memo.txt" in one["text"], one
    kinds = [notice["kind"] for notice in team_of(who)["notices"]]
    assert ("strike" in kinds or "finding" in kinds) and (name != WRITES or "strike" in kinds), kinds
    if state == "NOTED":  # nothing follows from it
        continue
    place = "contests/cup/findings/%s/answer" % one["id"]
    assert refused(plain.post, place, {"text": "x"}) in (403, 404)
    who.post(place, {"text": "It was left in by mistake."})
    decision = "eliminate" if rule == "network" else "warn"
    ruling = {"finding": one["id"], "decision": decision, "reason": "Of " + rule}
    assert refused(who.post, "contests/cup/rulings", ruling) == 403
    org.post("contests/cup/rulings", ruling)
    now = found()[0]
    assert now["state"] == "RULED" and now["decision"] == decision, now
    said = [(e["type"], e["action" if e["type"] == "finding" else "decision"]) for e in ledger(org)
            if e["type"] in ("finding", "ruling") and e.get("team") == name and e["rule"] == rule]
    assert said[-2:] == [("finding", "answer"), ("ruling", decision)], said
    assert rule == "network" or ("finding", "strike") in said, said

game = plain.get("contests/cup/games?stage=preliminary&team=" + PLAIN)["items"][0]["id"]
assert plain.get("contests/cup/games/%s/log" % game)
with zipfile.ZipFile(io.BytesIO(plain.get("contests/cup/teams/%s/logs.zip" % PLAIN))) as logs:
    assert logs.namelist()
    for name in logs.namelist():
        data = logs.read(name)
        assert PLAIN in (gzip.decompress(data) if name.endswith(".gz") else data).decode(), name
assert refused(plain.get, "contests/cup/teams/%s/logs.zip" % WRITES) in (403, 404)
END
act ruled
if [[ $stops ]]; then
    at 2027-08-04T15:00:00
    # What is more than that, as crashes of who took all memory, is ruled on before it goes on.
    cat >waiting.py <<'END'
from cast import *
org = organiser()

def ruled():
    for finding in org.get("contests/cup/findings")["items"]:
        if finding["state"] in ("PROPOSED", "ANSWERED"):
            org.post("contests/cup/rulings", {"finding": finding["id"], "decision": "warn", "reason": "Once."})
    return org.get("contests/cup")["state"] == "REVISION"
site.until("the end of the preliminary", ruled, 3000)
END
    act waiting
fi
state REVISION

# Finalists; all but one hand in what is asked for, one of these another version, too.
cat >finalists.py <<'END'
from cast import *
finalists = [who for who in map(person, TEAMS) if any(n["kind"] == "finalist" for n in team_of(who)["notices"])]
names = [who.name for who in finalists]
assert len(names) == int(sys.argv[4]) and not [n for n in names if n in RULES and RULES[n][2] == "network"], names
for i, who in enumerate(finalists[1:]):
    who.put_file("contests/cup/teams/%s/documents/source?media=application/zip&licence=MIT" % who.name, b"PK source of %d" % i)
    who.put_file("contests/cup/teams/%s/documents/description?media=text/markdown" % who.name, b"# How it plays")
print(names[0])
checked(who, hand_in(who, packed(who.name + "/agent.py", python + "\n# revised\n")))
END
act finalists >lacking
lacking=$(<lacking)

# Reminders 7 days, 1 day, 1 hour before; then it is out (O28).
cat >reminded.py <<'END'
from cast import *
name = open("lacking").read().strip()

def told(kind):
    return [notice["kind"] for notice in team_of(who)["notices"]].count(kind)
who = person(name)
before = told("deadline")
for count, date in enumerate(["2027-08-12T00:00:00", "2027-08-17T16:00:00", "2027-08-18T14:30:00"], 1):
    open("clock.new", "w").write(date + ".000Z")
    os.rename("clock.new", "clock")
    who = person(name)
    site.until("reminder %d" % count, lambda: told("deadline") == before + count)
open("clock.new", "w").write("2027-08-18T15:00:00.000Z")
os.rename("clock.new", "clock")
who = person(name)
site.until("the final without it", lambda: told("out") == 1)
assert told("deadline") == before + 3 and told("finalist") == 1, team_of(who)["notices"]
END
act reminded
state FINAL
expect 0 'team list' "$WARG" contest team cup list
grep -qE "^$lacking +OUT" <<<"$out" || fail "$lacking lacks its source and is not out: $out"
# Rounds go on until the date.
before=$(games) enough=$((2 * per_set))
played
# ... and the one that is under way then comes too late, as the audit has to see although one of its players is a bot.
under_way()
{
    local game
    game=$(tail -n 1 site/data/contests/cup/play/journal.jsonl |
        sed -n 's/^{"record":"game","stage":1,"set":[0-9]*,"game":\([0-9]*\).*/\1/p')
    [[ $game ]] && ((game % per_set < per_set / 2))
}
until_true "$state_wait" under_way || { fail 'no game is under way'; finish; }
at 2027-09-01T00:00:00
sleep 0.1
again
state APPEALS

# All that was played is told, and what came too late is void, before somebody looks at the table.
cat >counted.py <<'END'
import json
games, void = {}, set()
for line in map(json.loads, open("site/data/contests/cup/play/journal.jsonl")):
    if line["record"] == "game":
        games[line["stage"], "game", line["game"]] = (line["stage"], "set", line["set"])
    elif line["record"] == "act":
        void |= {(line["stage"], what, line[what]) for what in ("set", "game") if what in line}
print(len([game for game, of in games.items() if not {game, of} & void]))
END
settled() { [[ $(games) == $(python3 counted.py) ]]; }
until_true "$state_wait" settled || { fail "not all games are told: $(games), not $(python3 counted.py)"; finish; }

# An appeal is granted: the game counts for nobody, and the ranking follows.
cat >appealed.py <<'END'
from cast import *
org, anybody = organiser(), site.person("203.0.113.9")

def table():
    return {row["team"]: row["games"] for row in org.get("contests/cup/standings?stage=final")["rows"]}
game = [g for g in org.get("contests/cup/games?stage=final")["items"] if not g["void"]][0]
players = [seat["team"] for seat in org.get("contests/cup/games/" + game["id"])["seats"]]
before, who = table(), person([name for name in players if name != open("lacking").read().strip()][0])
words = {"about": "game", "object": game["id"], "text": "The power failed."}
appeal = who.post("contests/cup/teams/%s/appeals" % who.name, words)["id"]

def gathered():
    return [a for a in org.get("contests/cup/appeals")["items"] if a["id"] == appeal and "evidence" in a]
evidence = site.until("what the server has", gathered)[0]["evidence"]
assert evidence["log_sha256"], evidence
assert refused(who.post, "contests/cup/rulings", {"appeal": appeal, "decision": "grant", "reason": "x"}) == 403
absent = [name for name in TEAMS if name not in players][0]
assert refused(person(absent).get, "contests/cup/games/%s/log" % game["id"]) in (403, 404)
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
until_true "$state_wait" fetch || { fail "the bundle: $(tail -n 3 fetch.err)"; finish; }
mkdir bundle && tar -xzf bundle.tar.gz -C bundle

# A year later nothing is left of what agents printed; what an audit needs is as it was.
not_printed() { ! find site/data/contests/cup/{play,testing/*}/agents -ignore_readdir_race -type f 2>/dev/null | grep -q .; }
kept() {
    (cd site/data/contests/cup &&
        find bundle bundle.tar.gz {play,testing/*}/{journal.jsonl,logs} play/exchange -type f -exec sha256sum {} + | sort)
}
not_printed && fail 'no agent printed anything'
kept >kept.before
at 2028-09-07T00:00:01
until_true "$state_wait" not_printed || fail 'what agents printed was not removed after a year'
kept | diff kept.before - || fail 'more was removed than what agents printed'
kill "$server" && wait "$server"
expect 0 'audit' "$WARG" audit bundle/* --key "$(<key)" --checkpoint checkpoint
[[ $out == *'everything follows from the commitment'* ]] || fail "audit: $out"
grep -qE '^conduct +([2-9]|[1-9][0-9]+) rulings, about what the games show' <<<"$out" || fail "audit: $out"
grep -qE '^site +[0-9]+ entries, ' <<<"$out" || fail "audit: $out"
grep -q '"text":"open for writing memo.txt"' bundle/cup/findings.jsonl || fail 'no strike in the bundle'
# A strike that nobody has seen, or a ruling that is gone, is found.
sed 's/"rule":"write"/"rule":"output"/' bundle/cup/findings.jsonl >other && cp -r bundle other-bundle && mv other other-bundle/cup/findings.jsonl
expect 1 'audit of another finding' "$WARG" audit other-bundle/cup --key "$(<key)"
expect 0 'audit with the last checkpoint' "$WARG" audit bundle/* --key "$(<key)" --checkpoint end
# A stage that stopped by a date that nobody had announced.
python3 - bundle/*/journal.jsonl <<'END'
import sys, zlib
def again(line):
    if '"record":"stop"' not in line or '"stage":1' not in line:
        return line
    body = line[:line.rindex(',"crc"')].replace('"date":"2027-08-31T15', '"date":"2027-08-31T14')
    return f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}'
lines = open(sys.argv[1]).read().split("\n")
open(sys.argv[1], "w").write("\n".join(map(again, lines)))
END
expect 1 'another date' "$WARG" audit bundle/*
grep '^site ' <<<"$out" | grep -qF 'stage final stopped by another date than was announced' || fail "another date: $out"
finish
