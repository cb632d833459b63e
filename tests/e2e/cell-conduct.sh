#!/usr/bin/env bash
# From what a strict cell's witness sees to what people read: an agent that forks, writes and connects is
# found, in findings.jsonl, the journal's counts, tables, the report, rulings, the ledger and the bundle; it
# is eliminated where the rules of the contest say so; an audit finds a finding that was changed, added or
# left out. What a machine lacks is left out by name.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

for level in namespaces filter; do
    "$WARG" cell probe --require $level >probe.txt 2>&1 && levels+=("$level")
done
if [[ ! ${levels[*]:-} ]]; then
    echo "$script_name: this machine has no strict cells: nothing is tried"
    finish
fi

mkdir ann bob
chmod a+rx . # by root without namespaces a cell's user is another one
cat >ann/agent.py <<'END_OF_AGENT'
import os, socket, sys

def tries():
    for deed in (os.fork, lambda: open("memo.txt", "w"), lambda: socket.create_connection(("192.0.2.1", 53), 1)):
        try:
            if deed() == 0:
                os._exit(0)
        except OSError:
            pass

greedy = len(sys.argv) > 4 and sys.argv[4] == "greedy"
agent, asked = socket.create_connection((sys.argv[1], int(sys.argv[2]))).makefile("rw"), 0
for line in agent:
    asked += 1
    if greedy and asked % 40 == 5:
        tries()
    if '"NAME"' in line:
        answer = sys.argv[3]
    elif '"ROLE"' in line:
        answer = "SEER"
    elif '"TALK"' in line or '"WHISPER"' in line:
        answer = "Over"
    elif any('"%s"' % word in line for word in ("VOTE", "DIVINE", "GUARD", "ATTACK")):
        answer = '{"agentIdx":1}'
    else:
        continue
    print(answer, file=agent, flush=True)
if greedy:
    try:
        open("learnt.txt", "a")
    except OSError:
        pass
END_OF_AGENT
cp ann/agent.py bob

# write_cup LEVEL CONDUCT
write_cup()
{
    cat >cup.yml <<END_OF_CUP
contest: cup
cell: $1
limits: {time_limit: 30s, startup: 60s}
agents:
  - {name: ann, folder: ann, command: "exec python3 -B agent.py {host} {port} {name}"}
  - {name: bob, folder: bob, command: "exec python3 -B agent.py {host} {port} {name} greedy"}
  - {bot: sample, name: cat, copies: 2}
  - {bot: random, name: dan, copies: 2}
conduct: {$2}
stages:
  - {name: first, players: 5, games_per_set: 10, sets: 3}
  - {name: last, players: 5, games_per_set: 10, sets: 1}
END_OF_CUP
}

# What the file lists is what the journal counts, and nobody but bob is named.
agree()
{
    python3 - "$1" <<'END_OF_CHECK' || fail "$1: the file and the journal differ"
import collections, json, sys
lines = [json.loads(l) for l in open(sys.argv[1] + "/findings.jsonl")]
assert lines and all(l["agent"] == "bob" for l in lines), lines
assert {l["rule"] for l in lines} >= {"process", "write", "network"}, lines
listed = collections.Counter()
for l in lines:
    if "game" in l:
        listed[l["stage"], l["game"], l["seat"], l["rule"]] += l.get("count", 1)
assert any("game" not in l and "learnt.txt" in l["text"] for l in lines), "nothing behind the last game"
counted = collections.Counter()
for g in map(json.loads, open(sys.argv[1] + "/journal.jsonl")):
    if g["record"] == "game":
        for seat, s in enumerate(g["seats"], 1):
            for rule, n in s.get("findings", {}).items():
                counted[g["stage"], g["game"], seat, rule] += n
assert listed == counted, (listed, counted)
assert all(set(l) <= {"at", "stage", "set", "game", "day", "agent", "seat", "rule", "text", "count"} for l in lines)
END_OF_CHECK
}

# ---- proposed, with evidence, and ruled ----

for level in "${levels[@]}"; do
    write_cup "$level" 'network: eliminate, write: strike, process: note'
    expect 7 "$level: a proposal" "$WARG" run cup.yml -o "$level"
    [[ $(grep -c 'agent bob tried what is forbidden: connect 192.0.2.1:53 (network)' <<<"$err") == 1 ]] ||
        fail "$level: told once: $err"
    grep -qE 'set [0-9]+, game [0-9]+: agent bob tried' <<<"$err" || fail "$level: where: $err"
    [[ $err == *'bob: network '*'elimination is proposed; warg contest rule'* ]] || fail "$level: proposed: $err"
    grep -q "{\"record\":\"cell\",\"level\":\"$level\",\"layers\":\"memory " "$level/journal.jsonl" || fail "$level: no line of the cell"
    agree "$level"
    expect 0 "$level: findings" "$WARG" contest findings "$level"
    line=$(grep -n '"rule":"network"' "$level/findings.jsonl" | head -n 1 | cut -d: -f1)
    [[ $out == *'0  first '*bob*network*'proposed: eliminate'*"findings.jsonl:$line  "*': connect 192.0.2.1:53'* ]] || fail "$level: evidence: $out"
    [[ $out != *ann* && $out != *' process '* ]] || fail "$level: what is only noted: $out"
    expect 0 "$level: as JSON" "$WARG" contest findings "$level" --json
    python3 -c 'import json,sys; f = json.load(sys.stdin); assert f[0]["evidence"][0] == {**f[0]["evidence"][0], "file": "findings.jsonl", "line": int(sys.argv[1])} and len(f[0]["evidence"]) == 3' "$line" <<<"$out" ||
        fail "$level: as JSON: $out"
    expect 0 "$level: ruled" "$WARG" contest rule "$level" 0 eliminate --reason 'it has nothing to ask there'
    expect 6 "$level: gone on with" "$WARG" run cup.yml -o "$level" --resume -q
    grep '"record":"set","stage":1' "$level/journal.jsonl" | grep -q bob && fail "$level: who was eliminated plays on"
    [[ $(grep -c '"record":"cell"' "$level/journal.jsonl") == 2 ]] || fail "$level: what programs run in is told each time"
    expect 0 "$level: faults" "$WARG" standings --faults --stage first "$level"
    [[ $out == *found_network*found_write*found_process* && $out != *found_memory* ]] || fail "$level: faults: $out"
    expect 0 "$level: as CSV" "$WARG" standings --faults --stage first --format csv "$level"
    [[ $out == *,found_network,found_write,found_process,found_thread,found_memory,found_output,found_name* ]] || fail "$level: CSV: $out"
    expect 0 "$level: in Japanese" "$WARG" standings --faults --stage first --lang ja "$level"
    [[ $out == *ネットワーク*ファイル書込* ]] || fail "$level: in Japanese: $out"
    grep -q '<code>connect 192.0.2.1:53</code>' "$level/report.html" || fail "$level: the report has no evidence"
    grep -q "<dd>$level (memory " "$level/report.html" || fail "$level: the report has no cell"
    expect 0 "$level: audit" "$WARG" audit "$level" -q
    grep -qE '^findings  [1-9][0-9]* findings, listed as counted' <<<"$out" || fail "$level: audit: $out"
done

# ---- --cell is above the file; built-in bots need none ----

write_cup none 'network: note'
expect 0 '--cell' "$WARG" run cup.yml -o above --cell "${levels[0]}" -q
agree above
expect 0 'bots alone' "$WARG" run -n 5 -g 5 --cell strict -o bots -q
grep -q '"record":"cell"' bots/journal.jsonl && fail 'bots have a cell'
[[ -e bots/findings.jsonl ]] && fail 'bots have findings'
sed -i 's/folder: bob, //' cup.yml
expect 2 'no folder' "$WARG" run cup.yml -o bare --cell strict
[[ $err == *'agent bob: in a strict cell it sees nothing but its own folder; say which with folder=DIR'* ]] || fail "no folder: $err"

# ---- at once; a ledger; published ----

write_cup "${levels[0]}" 'confirm: false, strikes: 3, network: strike, name: strike'
expect 6 'at once' "$WARG" run cup.yml -o cup -q --ledger example.org/cup
grep -q '"record":"ruling","stage":0,"agent":"bob","rule":"network"' cup/journal.jsonl || fail 'not ruled at once'
for type in cell findings ruling; do
    grep -q "\"type\":\"$type\"" cup/ledger.jsonl || fail "the ledger has no $type"
done
expect 0 'bundle' "$WARG" bundle cup
cmp -s cup/findings.jsonl cup-bundle/findings.jsonl || fail 'the bundle has other findings'
grep -rqE "$PWD|127\.0\.0\.1" cup-bundle && fail 'the bundle tells paths or addresses'
expect 0 'the second program' python3 "$WARG_SOURCE/examples/audit.py" cup-bundle

# ---- changed ----

cat >change.py <<'END_OF_CHANGE'
import json, sys, zlib
folder, what = sys.argv[1], sys.argv[2]
path, journal = folder + "/findings.jsonl", folder + "/journal.jsonl"
lines = open(path).read().split("\n")
def again(record):
    body = json.dumps({k: v for k, v in record.items() if k != "crc"}, ensure_ascii=False, separators=(",", ":"))[:-1]
    return f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}'
records = [json.loads(l) for l in open(journal)]
game = next(r for r in records if r["record"] == "game" and any("findings" in s for s in r["seats"]))
seat = next(s for s in game["seats"] if "findings" in s)
if what == "text":
    lines[2] = lines[2][:-3] + "?" + lines[2][-2:]
elif what == "rule":
    lines[1] = lines[1].replace('"rule":"write"', '"rule":"network"').replace('"rule":"process"', '"rule":"network"')
elif what == "seat":
    lines[0] = lines[0].replace('"seat":', '"seat":1')
elif what == "agent":
    lines[0] = lines[0].replace('"agent":"bob"', '"agent":"ann"')
elif what == "game":
    lines[0] = lines[0].replace('"game":', '"game":9')
elif what == "gone":
    del lines[0]
elif what == "more":
    lines.insert(0, lines[0])
elif what == "behind":
    lines.insert(len(lines) - 1, lines[0])
elif what == "nonsense":
    lines[3] = "{}"
elif what == "all-gone":
    lines = [""]
elif what == "count-less":
    rule = next(iter(seat["findings"])); del seat["findings"][rule]
elif what == "count-more":
    rule = next(iter(seat["findings"])); seat["findings"][rule] += 1
open(path, "w").write("\n".join(lines))
if what.startswith("count"):
    open(journal, "w").write("\n".join(again(r) for r in records) + "\n")
END_OF_CHANGE

# changed NAME FILE: found by the step of findings, at this file and a line.
changed()
{
    rm -rf changed
    cp -r "${levels[0]}" changed
    python3 change.py changed "$1" || fail "$1: not changed"
    cmp -s changed/findings.jsonl "${levels[0]}/findings.jsonl" && cmp -s changed/journal.jsonl "${levels[0]}/journal.jsonl" &&
        fail "$1: nothing was changed"
    expect 1 "$1" "$WARG" audit changed -q
    grep -qE "^findings  CONTRADICTION: $2:[0-9]+: " <<<"$out" || fail "$1: $out"
}
for what in text rule seat agent game gone more behind nonsense all-gone; do
    changed $what findings.jsonl
done
changed count-less journal.jsonl
changed count-more journal.jsonl

finish
