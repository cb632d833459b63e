#!/usr/bin/env bash
# A contest with programs, lots, a beacon, two stages and faults is published, and checked by warg and by a
# second program; then it is changed in more than thirty ways, most of them by somebody who can recompute
# checksums, digests and the manifest. Each is found, by the step and at the file that it belongs to; what
# can't be found without a line that was published before is played too, and has to pass unnoticed:
# docs/fairness.md says so.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# A program built for a sanitizer plays fewer games, and each third change below: what it is to find is no other.
slow= games=60 crash=700
is_sanitized && slow=1 games=20 crash=250

mkdir ann bea
cat >ann/agent.sh <<END
exec "$WARG" bot aiwolf --host "\$1" --port "\$2" --name "\$3" --seed 1
END
echo 'exec python3 agent.py "$@"' >bea/agent.sh
cat >bea/agent.py <<END
import socket, sys
agent, asked = socket.create_connection((sys.argv[1], int(sys.argv[2]))).makefile("rw"), 0
for line in agent:
    asked += 1
    if asked > $crash:  # in every set: it crashes
        break
    if '"NAME"' in line:
        answer = sys.argv[3]
    elif '"ROLE"' in line:
        answer = "SEER"
    elif '"TALK"' in line or '"WHISPER"' in line:
        answer = "ESTIMATE Agent[01] WEREWOLF" if asked % 3 else "this is no sentence"
    elif any('"%s"' % word in line for word in ("VOTE", "DIVINE", "GUARD", "ATTACK")):
        answer = '{"agentIdx":1}'
    else:
        continue
    print(answer, file=agent, flush=True)
END
lot=$("$WARG" contest lot ann | sed -n 's/^lot: *\([0-9a-f]*\).*/\1/p')
entry=$("$WARG" contest lot ann "$lot" | sed 's/entry: *//')

write_cup()
{
    cat >cup.yml <<END
contest: cup
limits: {time_limit: 30s, startup: 60s}
agents:
  - {name: ann, folder: ann, command: "sh agent.sh {host} {port} {name}"}
  - {name: bea, folder: bea, command: "sh agent.sh {host} {port} {name}"}
  - {bot: sample, name: cat}
  - {bot: sample, name: dan}
  - {bot: random, name: eve}
  - {bot: random, name: fay}
stages:
  - name: first
    players: 5
    games_per_set: $games
    sets: 3
    advance: 5
    lots: {ann: {entry: $entry$1}}
    beacon: {what: "a lottery"$2}
  - {name: last, players: 5, games_per_set: 10, sets: 2}
END
}
write_cup '' ''
ledger=example.org/warg/cup
"$WARG" run cup.yml -o cup -q --ledger "$ledger" >/dev/null 2>&1
cp cup/checkpoint kept # by mail, before the lots were opened
write_cup ", lot: $lot" ', value: "07 11"'
"$WARG" run cup.yml -o cup -q --resume --ledger "$ledger" >run.out 2>&1
expect 0 'the kept checkpoint' "$WARG" ledger cup --checkpoint kept
expect 2 'a ledger of another origin' "$WARG" run cup.yml -o cup -q --resume --ledger example.org/other
expect 2 'a ledger without a folder' "$WARG" run -n 5 -g 1 --ledger "$ledger"
[[ -s cup/faults.jsonl ]] || fail 'nobody failed: nothing shows that faults are checked'
expect 2 'a contest under way' "$WARG" bundle cup --out cup
[[ $err == *'there already'* ]] || fail "a folder that is there: $err"

# ---- as it is ----

expect 0 'the folder' "$WARG" audit cup -q
[[ $out == *'everything follows from the commitment'* ]] || fail "the folder: $out"
expect 0 'bundle' "$WARG" bundle cup
expect 0 'bundle again' "$WARG" bundle cup --out again
diff -r cup-bundle again >/dev/null || fail 'two bundles of one folder differ'
mkdir packed more && mv again more/cup-bundle && tar -xzf cup-bundle.tar.gz -C packed
diff -r cup-bundle packed/cup-bundle >/dev/null || fail 'the archive holds something else'
cp cup-bundle.tar.gz first.tar.gz && mv cup-bundle cup-before
expect 0 'bundle once more' "$WARG" bundle cup
cmp -s cup-bundle.tar.gz first.tar.gz || fail 'two archives of one folder differ'
expect 0 'in Japanese' "$WARG" audit cup-bundle --lang ja -q
[[ $out == *'すべてがコミットメントから従います'* ]] || fail "in Japanese: $out"
expect 0 'some games' "$WARG" audit cup-bundle --games 20 -q
[[ $out == *'nothing contradicts what was looked at'* ]] || fail "some games: $out"
expect 0 'the second program' python3 "$WARG_SOURCE/examples/audit.py" cup-bundle
[[ $out == *'as the games say'* ]] || fail "the second program: $out"
(($(wc -l <"$WARG_SOURCE/examples/audit.py") <= 340)) || fail 'the second program is longer than 340 lines'
grep -rqE "agent\.sh|$PWD|127\.0\.0\.1|$HOME/" cup-bundle && fail 'the bundle tells commands, paths or addresses'
[[ -e cup-bundle/secret || -e cup-bundle/agents || -e cup-bundle/results.db ]] && fail 'the bundle has too much'
unshare -rn true 2>/dev/null && expect 0 'without network' unshare -rn "$WARG" audit cup-bundle -q

# ---- changed ----

export LEDGER_SECRET=$PWD/cup/secret/ledger
command -v openssl >/dev/null || { echo "$script_name: openssl is not installed: nobody recomputes the ledger"; finish; }

cat >change.py <<'END'
import base64, gzip, hashlib, json, os, re, subprocess, sys, zlib

FOLDER, WHAT = sys.argv[1], sys.argv[2]
JOURNAL = os.path.join(FOLDER, "journal.jsonl")

def crc(body):
    return f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}'

def read():
    return [json.loads(l) for l in open(JOURNAL, encoding="utf-8")]

def write(lines):
    with open(JOURNAL, "w", encoding="utf-8") as out:
        for line in lines:
            line = {k: v for k, v in line.items() if k != "crc"}
            out.write(crc(json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1]) + "\n")

def text(path):
    path = os.path.join(FOLDER, path)
    return (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="").read()

def put(path, what):
    path = os.path.join(FOLDER, path)
    if path.endswith(".gz"):
        with open(path, "wb") as out, gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as packed:
            packed.write(what.encode())
    else:
        open(path, "w", encoding="utf-8", newline="").write(what)

def manifest():
    files = []
    for at, _, names in os.walk(FOLDER):
        for name in names:
            path = os.path.join(at, name)
            if name != "manifest.json":
                data = open(path, "rb").read()
                files.append((os.path.relpath(path, FOLDER), len(data), hashlib.sha256(data).hexdigest()))
    with open(os.path.join(FOLDER, "manifest.json"), "w") as out:
        out.write('{"bundle":1,"contest":"cup","files":[')
        rows = [f'\n{{"path":"{p}","bytes":{b},"sha256":"{s}"}}' for p, b, s in sorted(files, key=lambda f: f[0].encode())]
        out.write(",".join(rows) + "]}\n")

def digests(lines):
    for game in lines:
        if game["record"] == "game" and "log_sha256" in game:
            game["log_sha256"] = hashlib.sha256(text(game["log"]).encode()).hexdigest()
            if "exchange_sha256" in game:
                game["exchange_sha256"] = hashlib.sha256(text(exchange(game)).encode()).hexdigest()

def exchange(game):
    return game["log"].replace("logs/", "exchange/").replace(".log", ".jsonl") + ".gz"

# The organiser makes the ledger anew with its own key, which openssl has.
def follow():
    public = [l for l in open(JOURNAL, encoding="utf-8").read().split("\n") if l]
    entries = text("ledger.jsonl").split("\n")
    first = json.loads(entries[0])
    out = []
    for n, line in enumerate(public):
        entry = {"at": first["at"], "line": hashlib.sha256(line.encode()).hexdigest(), "n": n, "type": json.loads(line)["record"]}
        if n == 0:
            entry["key"] = first["key"]
        out.append(json.dumps(entry, sort_keys=True, ensure_ascii=False, separators=(",", ":")))
    put("ledger.jsonl", "\n".join(out) + "\n")
    leaves = [hashlib.sha256(b"\0" + e.encode()).digest() for e in out]
    def root(part):
        if len(part) == 1:
            return part[0]
        k = 1 << (len(part) - 1).bit_length() - 1
        return hashlib.sha256(b"\1" + root(part[:k]) + root(part[k:])).digest()
    note = text("checkpoint").split("\n")
    body = f"{note[0]}\n{len(out)}\n{base64.b64encode(root(leaves)).decode()}\n"
    secret = bytes.fromhex(open(os.environ["LEDGER_SECRET"]).read().strip())
    open("key.der", "wb").write(bytes.fromhex("302e020100300506032b657004220420") + secret)
    open("body", "w").write(body)
    subprocess.run("openssl pkeyutl -sign -inkey key.der -keyform DER -rawin -in body -out sig", shell=True, check=True)
    old = base64.b64decode(note[4].split(" ")[2])
    signed = base64.b64encode(old[:4] + open("sig", "rb").read()).decode()
    put("checkpoint", f"{body}\n\u2014 {note[0]} {signed}\n")

lines = read()
games = [l for l in lines if l["record"] == "game"]
played = next(g for g in games if any(s.get("outside") and not s.get("failed") for s in g["seats"]))
failed = next(g for g in games if any(s.get("failed") and "disconnect" not in s for s in g["seats"]))
bots = [g for g in games if not any(s.get("outside") for s in g["seats"])]
first = lines[0]["plan"]["stages"][0]
key = [l for l in lines if l["record"] == "key"]
honest = False  # checksums, digests and the manifest are recomputed

def log_lines(game):
    return text(game["log"]).split("\n")

if WHAT == "log-byte":
    put(played["log"], text(played["log"]).replace("vote", "note", 1)); honest = True
elif WHAT == "log-byte-manifest":
    put(played["log"], text(played["log"]).replace("Over", "Skip", 1)); manifest(); honest = True
elif WHAT == "log-said":
    put(played["log"], text(played["log"]).replace("Over", "Skip", 1))
elif WHAT == "log-line-gone":
    all_lines = log_lines(played); del all_lines[8]; put(played["log"], "\n".join(all_lines))
elif WHAT == "log-vote":
    put(played["log"], re.sub(r"(\d+),vote,(\d+),(\d+)", lambda m: f"{m[1]},vote,{m[2]},{int(m[3]) % 5 + 1}", text(played["log"]), count=1))
elif WHAT == "log-winner":
    log = text(played["log"]); old, new = ("VILLAGER", "WEREWOLF") if log.rstrip().endswith("VILLAGER") else ("WEREWOLF", "VILLAGER")
    put(played["log"], log[:log.rindex(old)] + new + log[log.rindex(old) + len(old):]); played["winner"] = new
elif WHAT == "log-other-game":
    other = next(g for g in games if g["stage"] == played["stage"] and g["set"] == played["set"] and g is not played)
    put(played["log"], text(other["log"])); put(exchange(played), text(exchange(other)))
elif WHAT == "exchange-answer":
    put(exchange(played), text(exchange(played)).replace('"r":"Over"', '"r":"Skip"', 1))
elif WHAT == "exchange-time":
    put(exchange(played), re.sub(r'"t":\d+\.', '"t":x.', text(exchange(played)), count=1))
elif WHAT == "exchange-lapse":
    put(exchange(failed), re.sub(r'"l":"(disconnect|timeout|out)"', '"r":"Over"', text(exchange(failed)), count=1))
elif WHAT == "exchange-gone":
    os.remove(os.path.join(FOLDER, exchange(played)))
    played.pop("exchange_sha256"); played.pop("log_sha256")
elif WHAT == "winner":
    played["winner"] = "VILLAGER" if played["winner"] == "WEREWOLF" else "WEREWOLF"
elif WHAT == "reason":
    played["reason"] = "max_day"
elif WHAT == "last-day":
    played["last_day"] += 1
elif WHAT == "play":
    seat = next(s for s in played["seats"] if s["play"][0] > s["play"][1]); seat["play"][1] += 1
elif WHAT == "roles":
    a, b = next((a, b) for a in played["seats"] for b in played["seats"] if a["role"] != b["role"]); a["role"], b["role"] = b["role"], a["role"]
elif WHAT == "agents-of-a-game":
    a, b = played["seats"][:2]; a["agent"], b["agent"] = b["agent"], a["agent"]
elif WHAT == "agents-of-a-set":
    a = next(l for l in lines if l["record"] == "set")["agents"]; a[0], a[1] = a[1], a[0]
elif WHAT == "a-set-of-another":
    swap = {"ann": "dan", "dan": "ann"}
    for l in lines:
        if l["record"] == "set" and l["stage"] == 0 and l["set"] == 1: l["agents"] = [swap.get(a, a) for a in l["agents"]]
        if l["record"] == "game" and l["stage"] == 0 and l["set"] == 1:
            for s in l["seats"]: s["agent"] = swap.get(s["agent"], s["agent"])
elif WHAT == "game-gone":
    lines.remove(played)
elif WHAT == "last-games-gone":
    lines = [l for l in lines if l not in games[-5:]]
elif WHAT == "game-twice":
    lines.insert(lines.index(played), played)
elif WHAT == "game-more":
    more = json.loads(json.dumps(games[-1])); more["game"] += 1; lines.insert(lines.index(games[-1]) + 1, more)
elif WHAT == "set-number":
    played["set"] += 1
elif WHAT == "log-of-another":
    played["log"] = next(g for g in games if g["stage"] == played["stage"] and g is not played)["log"]
elif WHAT == "agent-is-bot":
    seat = next(s for s in played["seats"] if s.get("outside")); seat.pop("outside"); seat["kind"] = "bot"; seat.pop("times", None)
elif WHAT == "failed-hidden":
    for s in failed["seats"]: s.pop("failed", None)
elif WHAT == "fault-hidden":
    faulty = next(g for g in games if any("disconnect" in s for s in g["seats"]))
    for s in faulty["seats"]: s.pop("disconnect", None)
elif WHAT == "fault-line-gone":
    put("faults.jsonl", "\n".join(text("faults.jsonl").split("\n")[1:]))
elif WHAT == "fault-of-another":
    put("faults.jsonl", re.sub(r'"seat":(\d)', lambda m: f'"seat":{int(m[1]) % 5 + 1}', text("faults.jsonl"), count=1))
elif WHAT == "fault-more":
    put("faults.jsonl", text("faults.jsonl") + text("faults.jsonl").split("\n")[0] + "\n")
elif WHAT == "key":
    key[0]["key"] = "11" * 32
elif WHAT == "key-and-commitment":
    key[1]["key"] = "22" * 32
    lines[0]["plan"]["commitments"][1] = hashlib.sha256(b"warg-commit-v1\0cup\0last\0" + bytes.fromhex("22" * 32)).hexdigest()
elif WHAT == "commitments-swapped":
    lines[0]["plan"]["commitments"].reverse()
elif WHAT == "key-early":
    lines.remove(key[0]); lines.insert(next(i for i, l in enumerate(lines) if l["record"] == "game") + 3, key[0])
elif WHAT == "key-gone":
    lines.remove(key[1])
elif WHAT == "lot":
    next(l for l in lines if l["record"] == "lots")["lots"]["ann"] = "33" * 32
elif WHAT == "lot-unopened":
    next(l for l in lines if l["record"] == "lots")["lots"]["ann"] = None
elif WHAT == "beacon":
    next(l for l in lines if l["record"] == "lots")["beacon"] = "07 12"
elif WHAT == "freeze-gone":
    lines = [l for l in lines if l["record"] != "freeze"]
elif WHAT == "freeze-late":
    freeze = next(l for l in lines if l["record"] == "freeze"); lines.remove(freeze)
    lines.insert(next(i for i, l in enumerate(lines) if l["record"] == "lots") + 1, freeze)
elif WHAT == "ranking":
    rows = text("ranking.csv").split("\n"); rows[1], rows[2] = rows[2], rows[1]; put("ranking.csv", "\n".join(rows))
elif WHAT == "ranking-wins":
    put("ranking.csv", re.sub(r",(\d+),0,", lambda m: f",{int(m[1]) + 1},0,", text("ranking.csv"), count=1))
elif WHAT == "cut":
    note = next(l for l in lines if l["record"] == "note" and l["text"].startswith("cut behind"))
    on = note["text"][note["text"].index(": ") + 2:note["text"].index(" go on")].split(", ")
    out = next(a for a in "ann bea cat dan eve fay".split() if a not in on)
    note["text"] = note["text"].replace(on[-1], out, 1)
elif WHAT == "file-more":
    put("notes.txt", "hello"); honest = True
elif WHAT == "file-gone":
    os.remove(os.path.join(FOLDER, played["log"])); honest = True
elif WHAT == "torn":
    open(JOURNAL, "a").write('{"record":"no'); manifest(); honest = True
elif WHAT == "plan-no-json":
    put("journal.jsonl", text("journal.jsonl").replace('"stages":[', '"stages":{', 1)); manifest(); honest = True
elif WHAT == "rule":
    lines[0]["plan"]["rules"]["talk"]["max_turns"] = 3
elif WHAT == "agents-of-the-plan":
    lines[0]["plan"]["agents"][3]["bot"] = "random"
elif WHAT == "ledger-entry":
    entries = text("ledger.jsonl").split("\n"); entries[5] = entries[5].replace('"line":"', '"line":"0', 1)[:]
    put("ledger.jsonl", re.sub(r'("line":"0[0-9a-f]{63})[0-9a-f]', r"\1", "\n".join(entries), count=1)); manifest(); honest = True
elif WHAT == "ledger-short":
    put("ledger.jsonl", "\n".join(text("ledger.jsonl").split("\n")[:40]) + "\n"); manifest(); honest = True
# What nobody can see in a bundle.
elif WHAT == "times":
    put(exchange(played), re.sub(r'"t":\d+\.', '"t":7.', text(exchange(played))))
elif WHAT == "answer-forged":
    for game in games:
        if not any(s["agent"] == "ann" for s in game["seats"]):
            continue
        record, log = text(exchange(game)).split("\n"), text(game["log"])
        seat = [s["agent"] for s in game["seats"]].index("ann") + 1
        said = [(n, l["r"]) for n, l in enumerate(json.loads(l) for l in record if l) if l.get("s") == seat and l["k"] == "TALK"
                and "l" not in l and l["r"] not in ("Over", "Skip") and "COMINGOUT" not in l["r"] and log.count("," + l["r"] + "\n") == 1]
        if said:
            break
    (at, was), new = said[0], "ESTIMATE Agent[0%d] VILLAGER" % (seat % 5 + 1)
    new = "Skip" if new == was else new
    record[at] = record[at].replace(json.dumps(was), json.dumps(new))
    put(exchange(game), "\n".join(record))
    put(game["log"], log.replace("," + was + "\n", "," + new + "\n"))
    day = next(l for l in log.split("\n") if l.endswith("," + was)).split(",")[0]
    print(f"{exchange(game)}:{at + 1}: set {game['set']}, game {game['game']}, day {day}, TALK: recorded '{new}', given '{was}'")
# ... and without a line that was published before.
elif WHAT == "fewer-sets":
    first["sets"] = 2
    gone = [g for g in games if g["stage"] == 0 and g["set"] == 2]
    lines = [l for l in lines if l not in gone and not (l["record"] == "set" and l["stage"] == 0 and l["set"] == 2)]
    sys.exit(3)
else:
    sys.exit(f"unknown change {WHAT}")
if not honest:
    digests(lines) if WHAT not in ("exchange-gone", "log-of-another", "game-gone") else None
    write(lines)
    follow() if "keep" not in sys.argv else None
    manifest()
END

# changed NAME STEP FILE [TEXT]: found by this step, at this file.
changed()
{
    turn=$((turn + 1))
    [[ $slow ]] && ((turn % 3)) && return
    rm -rf changed
    cp -r cup-bundle changed
    python3 change.py changed "$1" || fail "$1: not changed"
    expect 1 "$1" "$WARG" audit changed -q
    found=$(grep -m 1 "^$2 *CONTRADICTION" <<<"$out")
    [[ $found == "$2 "*"CONTRADICTION: $3"* ]] || fail "$1: found as '$found', expected $2 at $3; all: $out"
    [[ -z ${4:-} || $out == *"$4"* ]] || fail "$1: not said: $4 in $out"
    count=$((count + 1))
}
count=0 turn=0

changed log-byte files manifest.json
changed file-more files manifest.json notes.txt
changed file-gone files manifest.json
changed log-byte-manifest games logs/0/ 'SHA-256'
changed torn journal journal.jsonl 'has no end'
changed plan-no-json journal journal.jsonl:1
changed ledger-entry ledger ledger.jsonl
changed ledger-short ledger ledger.jsonl
# From here on by somebody who recomputes checksums, digests, the manifest, and the ledger with its key.
changed log-said games logs/0/
changed log-line-gone games logs/0/
changed log-vote games logs/0/
changed log-winner games logs/0/
changed log-other-game games exchange/0/ 'another game'
changed exchange-answer games logs/0/
changed exchange-time games exchange/0/
changed exchange-lapse games exchange/ 'no fault of it is counted'
changed exchange-gone games journal.jsonl: 'no exchange record'
changed winner games journal.jsonl: 'the winner of game'
changed reason games exchange/0/ 'ends otherwise'
changed last-day games journal.jsonl: 'the days of game'
changed play games journal.jsonl: 'the measures of play of game'
changed roles games journal.jsonl: 'the roles of game'
changed agents-of-a-game games journal.jsonl: 'the key draws'
changed agents-of-a-set seats journal.jsonl: 'the key draws'
changed a-set-of-another seats journal.jsonl: 'the key draws'
changed game-gone journal journal.jsonl: 'is missing'
changed last-games-gone journal journal.jsonl: 'is missing'
changed game-twice journal journal.jsonl
changed game-more journal journal.jsonl: 'the plan does not have'
changed set-number journal journal.jsonl
changed log-of-another games ''
changed agent-is-bot games ''
changed failed-hidden games exchange/ 'does not say that it failed'
changed fault-hidden games ''
changed fault-line-gone faults faults.jsonl
changed fault-of-another faults ''
changed fault-more faults faults.jsonl 'goes on behind'
changed key chance journal.jsonl: 'committed to'
changed key-and-commitment seats journal.jsonl: 'the key draws'
changed commitments-swapped chance journal.jsonl: 'committed to'
changed key-early chance journal.jsonl: 'was published, and games were played with it'
changed key-gone chance journal.jsonl: 'was not published'
changed lot journal journal.jsonl
changed lot-unopened seats journal.jsonl: 'the key draws'
changed beacon seats journal.jsonl: 'the key draws'
changed freeze-gone chance journal.jsonl: 'no programs that were fixed'
changed freeze-late chance journal.jsonl: 'before its programs were fixed'
changed ranking ranking ranking.csv:2
changed ranking-wins ranking ranking.csv:
changed cut ranking journal.jsonl: 'go on'
changed rule games ''
((turn >= 30 && count >= turn / 3)) || fail "only $count changes"
echo "$script_name: $count changes found"

# Whoever does not hold the key can't make the ledger anew; who does can't fit it to a checkpoint that others keep.
rm -rf changed && cp -r cup-bundle changed
python3 change.py changed winner keep
expect 1 'a ledger that was left as it was' "$WARG" audit changed -q
grep -q '^ledger *CONTRADICTION: ledger.jsonl:.*another line than the journal has' <<<"$out" || fail "left: $out"
rm -rf changed && cp -r cup-bundle changed
python3 change.py changed agents-of-the-plan
expect 1 'another plan, behind a checkpoint that was kept' "$WARG" ledger changed --checkpoint kept
rm -rf changed && cp -r cup-bundle changed
expect 0 'the bundle, behind that checkpoint' "$WARG" ledger changed --checkpoint kept

# Who holds every key can say that an agent answered something else, and what follows from it: the steps hold,
# for the second program too. The program itself says that it did not.
unseen()
{
    rm -rf changed
    cp -r cup-bundle changed
    python3 change.py changed "$1" >told || fail "$1: not changed"
    expect 0 "$1 is seen by no step" "$WARG" audit changed -q
    [[ $out == *'everything follows from the commitment'* ]] || fail "$1: $out"
    expect 0 "$1 is not seen by the second program" python3 "$WARG_SOURCE/examples/audit.py" changed
}
unseen times
unseen answer-forged
mine="ann=exec $WARG bot aiwolf --host {host} --port {port} --name {name} --seed 1"
expect 1 'a forged answer, and its program' "$WARG" audit changed -q --rerun "$mine"
[[ $out == *$'\n'"rerun     ann: DIFFERENT: $(<told)"* ]] || fail "a forged answer: $(<told) in $out"
expect 0 'what was not forged, and its program' "$WARG" audit cup-bundle -q --rerun "$mine"
[[ $out == *'given again, all the same'* ]] || fail "not forged: $out"

# ---- sets that were forfeited, and contests that were gone on with ----

mkdir heard
expect 0 'a contest with forfeited sets' "$WARG" run -n 5 --games-per-set 20 --sets 2 --on-fault forfeit-set -q --commit-seed \
    --time-limit 30s --startup-limit 60s \
    -o forfeited -a 'bot:sample*4' -a "name=bea,cmd=exec python3 '$agents/logging_agent.py' {host} {port} {name} '$work/heard' die=40"
(($(grep -c '"record":"game"' forfeited/journal.jsonl) < 40)) || fail 'no set was forfeited'
expect 0 'a bundle with forfeited sets' "$WARG" bundle forfeited
[[ $out == *'everything follows from the commitment'* ]] || fail "forfeited sets: $out"
expect 0 'forfeited sets, by the second program' python3 "$WARG_SOURCE/examples/audit.py" forfeited-bundle
rm -rf changed && cp -r forfeited changed
sed -i '/"record":"game"/{0,/"record":"game"/d}' changed/journal.jsonl
expect 1 'a game before the forfeit is missing' "$WARG" audit changed -q

# ---- trials: they end when they are decided ----

cat >edit.py <<'END'
import json, os, sys, zlib

FOLDER, WHAT = sys.argv[1], sys.argv[2]
path = os.path.join(FOLDER, "journal.jsonl")
lines = [json.loads(l) for l in open(path, encoding="utf-8")]
games = [l for l in lines if l["record"] == "game"]
trial = next((l for l in lines if l["record"] == "trial"), None)

if WHAT == "last-game-gone":
    lines.remove(games[-1])
elif WHAT == "look-gone":
    lines = [l for l in lines if l not in games[-trial["sets"] * 20:]]
elif WHAT == "other-test":
    trial["test"] = "elo0=0,elo1=20,alpha=0.05,beta=0.05"
elif WHAT == "no-trial":
    lines.remove(trial)
elif WHAT == "interrupted":
    lines = lines[:len(lines) // 2]
elif WHAT == "told-late":
    lines.remove(trial)
    lines.insert(300, trial)
elif WHAT == "under-way":
    lines.pop()
elif WHAT == "game-gone":
    lines.remove(games[1])
elif WHAT == "winner":
    games[0]["winner"] = "VILLAGER" if games[0]["winner"] == "WEREWOLF" else "WEREWOLF"
elif WHAT == "guest":
    games[0]["seats"][[s["agent"] for s in games[0]["seats"]].index("guest")]["agent"] = "other"
elif WHAT == "bot":
    rows = [l for l in lines if l["record"] == "set"][0]["agents"]
    a, b = rows.index("guest"), rows.index("sample")
    rows[a], rows[b] = rows[b], rows[a]
    for g in games:
        if g["set"] == 0:
            g["seats"][a]["agent"], g["seats"][b]["agent"] = g["seats"][b]["agent"], g["seats"][a]["agent"]
else:
    sys.exit(f"unknown change {WHAT}")
with open(path, "w", encoding="utf-8") as out:
    for line in lines:
        line.pop("crc", None)
        body = json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1]
        out.write(f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}\n')
END

# edited FROM CHANGE STATUS TEXT: what the audit of the changed folder says.
edited()
{
    rm -rf changed && cp -r "$1" changed
    python3 edit.py changed "$2" || fail "$1, $2: not changed"
    expect "$3" "$1, $2" "$WARG" audit changed -q
    grep -qE "$4" <<<"$out" || fail "$1, $2: '$4' is not said: $out"
}

"$WARG" run -a 'bot:random,name=bob bot:sample*4' -n 5 --games-per-set 20 --challenger bob -o tried -q --commit-seed \
    --sprt elo0=0,elo1=20,alpha=0.000001,beta=0.000001 >tried.out 2>&1 || grep -q '^SPRT: H0' tried.out || fail "a trial: $(<tried.out)"
[[ $(sed -n 2p tried/journal.jsonl) == '{"record":"trial","challenger":"bob","test":"elo0=0,elo1=20,alpha=0.000001,beta=0.000001","sets":20,'* ]] ||
    fail "the journal of a trial: $(sed -n 2p tried/journal.jsonl)"
expect 0 'a trial' "$WARG" audit tried -q
[[ $out == *'; a trial of bob: H0 after '*' games, and over'* && $out == *'everything follows from the commitment'* ]] || fail "a trial: $out"
expect 0 'a bundle of a trial' "$WARG" bundle tried
[[ $out == *'everything follows from the commitment'* ]] || fail "a bundle of a trial: $out"
expect 0 'a trial, by the second program' python3 "$WARG_SOURCE/examples/audit.py" tried-bundle
edited tried last-game-gone 1 '^journal *CONTRADICTION: journal.jsonl:[0-9]+: .*is missing: '
edited tried look-gone 1 '^journal *CONTRADICTION: journal.jsonl:[0-9]+: .*is missing: its trial is not decided'
edited tried other-test 1 '^journal *CONTRADICTION: journal.jsonl:[0-9]+: game [0-9]+, but its trial was decided, and over, before'
edited tried no-trial 1 '^journal *CONTRADICTION: journal.jsonl:[0-9]+: .*is missing$'
edited tried told-late 0 '; what is tested was told in line [0-9]+, behind games$'
[[ $out == *'nothing contradicts what was looked at'* ]] || fail "a test that was told late: $out"
edited tried interrupted 0 '^journal .*; a trial of bob: not over$'
expect 2 'gone on with as no trial' "$WARG" run -a 'bot:random,name=bob bot:sample*4' -n 5 --games-per-set 20 --sets 50000 -o changed -q --resume
[[ $err == *'holds a trial of bob'* ]] || fail "gone on with as no trial: $err"

# ---- a server: who came decides who sits where ----

# served OPTIONS...: two agents come to a server that ends behind its sets.
served()
{
    launch served.txt served.txt timeout 200 "$WARG" serve aiwolf -p 0 -n 5 -g 3 -a 'bot:sample*3' --time-limit 20s --startup-limit 60s "$@"
    await listening served.txt 'listening on [^ ]*:[0-9]+' || finish
    port=$(grep -oE 'listening on [^ ]*:[0-9]+' served.txt | grep -oE '[0-9]+$')
    timeout 200 "$WARG" bot aiwolf -h 127.0.0.1 -p "$port" -n guest >guest.txt 2>&1 &
    timeout 200 "$WARG" bot aiwolf -h 127.0.0.1 -p "$port" -n friend >friend.txt 2>&1
    wait "$server"
    server=
}
served -o served --once
served -o served --sets 2 --resume # with a key of its own
expect 0 'a server' "$WARG" audit served -q
for line in 'seats     - served: who came decides who sits where' 'chance    2 keys, as committed to before' \
    'games     6 games, played again: logs and results are those' 'ranking   3 agents, ranked as the games say' \
    'audit: nothing contradicts what was looked at'; do
    grep -qx "$line" <<<"$out" || fail "a server: not said: $line: $out"
done
expect 0 'a bundle of a server' "$WARG" bundle served
expect 0 'a server, by the second program' python3 "$WARG_SOURCE/examples/audit.py" served-bundle
edited served game-gone 1 '^journal *CONTRADICTION: journal.jsonl:[0-9]+: .*game 1 is missing'
edited served winner 1 '^games *CONTRADICTION: journal.jsonl:[0-9]+: the winner of game 0'
edited served guest 1 '^seats *CONTRADICTION: journal.jsonl:[0-9]+: seat [0-9]: set 0 began with guest'
edited served bot 1 '^games *CONTRADICTION: journal.jsonl:[0-9]+: seat [0-9]: the key draws sample'
edited served under-way 0 '^games *3 games, .*; 3 have a key that is not published yet'
expect 2 'a bundle of a server that is under way' "$WARG" bundle changed
[[ $err == *'the key of the server'* ]] || fail "a server under way: $err"
served -o bare --once --no-exchange
expect 0 'a server without records' "$WARG" audit bare -q
[[ $out == *'3 have no exchange record'* ]] || fail "a server without records: $out"

# ---- nothing to look at, and not over ----

expect 3 'no folder' "$WARG" audit nowhere -q
expect 2 'no name' "$WARG" audit
mkdir half
# line_of RECORD: where the first record of a kind stands.
line_of()
{
    grep -n -m 1 "^{\"record\":\"$1\"" cup/journal.jsonl | cut -d : -f 1
}
# Before the first game and behind it; between two stages, where the key of one is there.
for lines in 1 $(($(line_of game) - 1)) "$(line_of key)" $(($(line_of key) + 1)) $(($(line_of key) + 2)) "$(line_of game)"; do
    head -n "$lines" cup/journal.jsonl >half/journal.jsonl
    expect 0 "under way, $lines lines" "$WARG" audit half -q
    [[ $out == *'a key is not published yet'* ]] || fail "under way, $lines lines: $out"
done
expect 2 'a bundle of what is under way' "$WARG" bundle half
[[ $err == *'is not over'* && ! -e half-bundle && ! -e half-bundle.tmp ]] || fail "not over: $err; $(ls)"
expect 0 'a chosen seed' "$WARG" run -n 5 -g 10 --seed 3 -o seeded -q
expect 0 'a chosen seed, audited' "$WARG" audit seeded -q
[[ $out == *'a seed that somebody chose'* && $out == *'nothing contradicts what was looked at'* ]] || fail "a seed: $out"

finish
