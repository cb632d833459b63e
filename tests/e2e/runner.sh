#!/usr/bin/env bash
# The runner of a contest site by itself: kill -9 at many moments, and the contest is as one that nobody
# disturbed; SIGTERM gives a job back; a job that dies, or can't be done, costs itself alone. O4, O20.
# WARG_RUNNER_KILLS=N kills it N times; `./dev soak runner` 50.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }
kills=${WARG_RUNNER_KILLS:-8}
RANDOM=${WARG_RUNNER_SEED:-11}
# What is started in a cell may be another user's.
chmod 755 .

# digest_of FILE: of a tree that has nothing else.
digest_of()
{
    python3 - "$1" <<'END'
import hashlib, sys
data = open(sys.argv[1], "rb").read()
print(hashlib.sha256(b"agent.py\0" + b"0444\0" + str(len(data)).encode() + b"\0" + hashlib.sha256(data).hexdigest().encode() + b"\n").hexdigest())
END
}

# make_site NAME: a contest of six programs whose answers follow from what they are sent.
make_site()
{
    local site=$1 tree=$1/data/trees/tree digest
    mkdir -p "$site"/data/{contests/cup,secrets/cup,spool/new,trees}
    chmod 700 "$site/data"
    printf 'data: data\nlisten: 127.0.0.1:0\npublic_url: http://127.0.0.1:8088\n' >"$site/server.yml"
    cat >"$site/data/contests/cup/contest.yml" <<END
contest: cup
title: {en: Cup, ja: Cup}
division: protocol
cell: {level: strict, memory: 256MiB, threads: 16}
stages:
  - {name: first, parts: [{players: 5}], games_per_set: 2, min_games: $((kills * 5 / 2)), advance: 5, tie: lot}
  - {name: final, parts: [{players: 5}], games_per_set: 2, min_games: 4}
END
    for stage in first final testing; do printf '%032d' 7 >"$site/data/secrets/cup/$stage"; done
    mkdir "$tree"
    cp "$agents/steady_agent.py" "$tree/agent.py"
    chmod 444 "$tree/agent.py"
    digest=$(digest_of "$tree/agent.py")
    mv "$tree" "$site/data/trees/$digest"
    tree_digest=$digest
    # A revision: another program under the same name in the final.
    mkdir "$tree"
    { cat "$agents/steady_agent.py"; echo '# revised'; } >"$tree/agent.py"
    chmod 444 "$tree/agent.py"
    revised=$(digest_of "$tree/agent.py")
    mv "$tree" "$site/data/trees/$revised"
}

# put_job SITE ID STAGE NUMBER [TREE]
put_job()
{
    python3 - "$1/data/spool/new" "$2" "$3" "$4" "${5:-$tree_digest}" <<'END'
import json, os, sys
folder, job, stage, number, tree = sys.argv[1:]
agents = [{"team": "team-" + c, "language": "python", "entry": "agent.py", "tree": tree} for c in "abcdef"]
text = json.dumps({"job": job, "kind": "play", "contest": "cup", "stage": stage, "number": int(number), "folder": "play",
                   "base": ".", "stop_at": 0, "lots": [], "agents": agents,
                   "terms": {"cell": {"level": "strict", "memory": 268435456}}})
with open(folder + "/tmp", "w") as file:
    file.write(text)
os.rename(folder + "/tmp", folder + "/" + job + ".json")
END
}

is_done() { [[ -e $1/data/spool/done/$2/result.json ]]; }
wait_done()
{
    until_true 200 is_done "$1" "$2" || { fail "$1: job $2 is not done: $(cat "$1"/data/spool/run/*/log)"; finish; }
}

# What is left of a contest's programs.
left_over() { pgrep -f "agent.py -h 127.0.0.1 -p .* -n team-" >/dev/null; }
nothing_left() { ! left_over; }

# Everything that was played, but for times.
course()
{
    python3 - "$1/data/contests/cup/play" "$1/data/spool/done" <<'END'
import glob, gzip, json, os, sys
folder, done = sys.argv[1:]
games = []
for line in open(folder + "/journal.jsonl"):
    entry = json.loads(line)
    if entry["record"] == "game":
        log = gzip.open(folder + "/" + entry["log"]).read()
        path = folder + "/" + entry["log"].replace("logs/", "exchange/").replace(".log.gz", ".jsonl.gz")
        asked = []
        for ask in gzip.open(path, "rt"):
            ask = json.loads(ask)
            ask.pop("t", None), ask.pop("w", None)
            asked.append(ask)
        games.append((entry["stage"], entry["game"], entry["winner"], log.decode(), json.dumps(asked)))
    elif entry["record"] in ("stop", "note", "freeze", "lots", "end"):
        for key in ("at", "crc"):
            entry.pop(key, None)
        if entry["record"] != "note" or entry["text"].startswith("cut "):
            games.append((-1, json.dumps(entry)))
assert len(set(g[:2] for g in games)) == len(games), "a game is there twice"
for game in sorted(games, key=str):
    print(*game)
for result in sorted(glob.glob(done + "/*/result.json")):
    print(open(result).read())
END
}

# ---- undisturbed ----

make_site calm
put_job calm J1 first 0
launch calm.txt calm.err "$WARG" contest runner calm
await runner calm.txt 'runner of' || finish
expect 2 'a second runner' "$WARG" contest runner calm
[[ $err == *'another runner'* ]] || fail "a second runner: $err"
wait_done calm J1
put_job calm J2 final 1 "$revised"
wait_done calm J2
grep -q '"level":"namespaces"\|"level":"filter"' calm/data/spool/runner.json || fail 'runner.json has no level'
kill "$server"
wait "$server" || fail "SIGTERM: exit status $?"
grep -q '"advanced":\["team-' calm/data/spool/done/J1/result.json || fail "nobody goes on: $(cat calm/data/spool/done/J1/result.json)"
expect 0 'audit' "$WARG" audit calm/data/contests/cup/play
for freeze in "0 $tree_digest" "1 $revised"; do
    (($(grep "\"record\":\"freeze\",\"stage\":${freeze% *}," calm/data/contests/cup/play/journal.jsonl | grep -c "${freeze#* }") == 1)) ||
        fail "the programs of stage ${freeze% *} are not in the journal"
done
course calm >calm.course || fail 'course'
(($(grep -c winner calm/data/contests/cup/play/journal.jsonl) >= 20)) || fail 'too few games'

# ---- killed ----

make_site wild
put_job wild J1 first 0
put_job wild J2 final 1 "$revised" # it waits until the first has ended: it is the same folder
mv wild/data/spool/new/J2.json J2.json
# A job that is killed five times without getting on is given up, as on a machine where it is slow to start: each gets on in
# time here. `tries` says how often it was begun.
has_got_on() { ! grep -qsE '^([3-9]|[0-9]{2})' wild/data/spool/run/*/tries; }
last=J1
for ((i = 0; i < kills; i++)); do
    launch wild.txt wild.err "$WARG" contest runner wild --tables 2
    sleep "0.$((RANDOM % 9 + 1))"
    ((RANDOM % 2)) && sleep "0.$((RANDOM % 10))"
    until_true 100 has_got_on || fail "kill $i: the job does not get on"
    if ((i % 4 == 3)); then # a job alone: the runner goes on with it by itself
        pkill -9 -P "$server" -f 'contest --job' 2>/dev/null
        sleep "0.$((RANDOM % 10))"
    fi
    kill -9 "$server"
    wait "$server" 2>/dev/null
    until_true 20 nothing_left || fail "kill $i: programs are left: $(pgrep -af agent.py)"
    if is_done wild J1 && [[ -e J2.json ]]; then
        mv J2.json wild/data/spool/new/
        last=J2
    fi
done
launch wild.txt wild.err "$WARG" contest runner wild
await runner wild.txt 'runner of' || finish # it heeds SIGTERM by then, though both jobs may be done already
wait_done wild J1
[[ -e J2.json ]] && mv J2.json wild/data/spool/new/
wait_done wild J2
# SIGTERM: what is under way is given back, and nothing is left.
put_job wild J3 final 1 "$revised"
kill "$server"
wait "$server" || fail "SIGTERM: exit status $?"
rm -rf wild/data/spool/done/J3
nothing_left || fail 'programs are left behind SIGTERM'
course wild >wild.course || fail 'course of the one that was killed'
diff calm.course wild.course >course.diff || fail "another course after $kills kills (last under way: $last): $(head -c 600 course.diff)"
expect 0 'audit of the one that was killed' "$WARG" audit wild/data/contests/cup/play

# ---- a testing round: who is too few is filled up, who crashes is told of ----

make_site try
mkdir tree
cat >tree/agent.py <<'END'
#!/usr/bin/env python3
import socket, sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
peer = socket.create_connection((given["-h"], int(given["-p"])))
for line in peer.makefile("r"):
    if '"NAME"' in line:
        peer.sendall((given["-n"] + "\n").encode())
    elif '"ROLE"' in line:
        peer.sendall(b"none\n")
    elif '"TALK"' in line:
        sys.exit(3)
END
chmod 444 tree/agent.py
broken=$(digest_of tree/agent.py)
mv tree try/data/trees/"$broken"
python3 - try/data/spool/new "$tree_digest" "$broken" <<'END'
import json, sys
folder, good, bad = sys.argv[1:]
agents = [{"team": "team-" + c, "language": "python", "entry": "agent.py", "tree": bad if c == "d" else good} for c in "abcdefghi"]
json.dump({"job": "T1", "kind": "play", "contest": "cup", "stage": "testing", "round": 3, "folder": "testing/000003", "base": ".",
           "parts": [5, 15], "sets_each": 1, "agents": agents,
           "terms": {"cell": {"level": "strict", "memory": 268435456}}}, open(folder + "/T1.json", "w"))
END
launch try.txt try.err "$WARG" contest runner try
wait_done try T1
kill "$server"
wait "$server"
python3 - try/data/spool/done/T1/result.json try/data/contests/cup/testing/000003/journal.jsonl <<'END' || fail "testing: $(cat try/data/spool/done/T1/result.json)"
import json, sys
result = json.load(open(sys.argv[1]))
assert result["ok"] and result["over"], result
assert {t["team"] for t in result["trouble"]} == {"team-d"}, result["trouble"]
assert all(t["rule"] == "disconnect" and t["log"].endswith(".log.gz") for t in result["trouble"]), result["trouble"]
sizes, seats = set(), set()
for line in open(sys.argv[2]):
    entry = json.loads(line)
    if entry["record"] == "game":
        sizes.add(len(entry["seats"]))
        seats |= {(seat["agent"], len(entry["seats"])) for seat in entry["seats"]}
assert sizes == {5, 15}, sizes
names = {name for name, _ in seats}
assert {"team-" + c for c in "abcdefghi"} <= names and sum(n.startswith("sample") for n in names) == 6, names
assert all((("team-" + c), size) in seats for c in "abcdefghi" for size in (5, 15)), seats
END

# ---- what can't be done ----

make_site sad
put_job sad J1 first 0 "$(printf %064d 5)"
printf '{"job":"J2","kind":"dance"}' >sad/data/spool/new/J2.json
launch sad.txt sad.err "$WARG" contest runner sad
wait_done sad J1
wait_done sad J2
grep -q '"ok":false,"ours":true' sad/data/spool/done/J1/result.json || fail "a missing tree: $(cat sad/data/spool/done/J1/result.json)"
grep -q 'knows no job of that kind' sad/data/spool/done/J2/result.json || fail "a strange kind: $(cat sad/data/spool/done/J2/result.json)"
# Files that are not those of their digest are played by nobody.
chmod 755 sad/data/trees/"$tree_digest"
chmod 644 sad/data/trees/"$tree_digest"/agent.py
echo '# another one' >>sad/data/trees/"$tree_digest"/agent.py
put_job sad J3 first 0
wait_done sad J3
grep -q 'are not those of their digest' sad/data/spool/done/J3/result.json || fail "changed files: $(cat sad/data/spool/done/J3/result.json)"
kill "$server"
wait "$server"
finish
