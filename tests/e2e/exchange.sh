#!/usr/bin/env bash
# Exchange records: kept with their logs, played again with the key, changed ones found with file and
# line; `warg log exchange` shows them, with the packets once the key is known.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

good="exec '$WARG' bot aiwolf -h {host} -p {port} -n {name} --seed 1"
bad="exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do exit"

# ---- a contest of two stages and two sizes of tables, an agent that fails ----

cat >cup.yml <<END
contest: cup
rules: aiwolf-2021
limits: {time_limit: 30s, startup: 60s}
agents:
  - {name: ann, command: "$good"}
  - {name: bob, command: "$bad"}
  - {name: cy, bot: sample}
  - {name: di, bot: sample}
  - {name: ed, bot: sample}
  - {name: fay, bot: random}
  - {name: gus, bot: random, role: WEREWOLF}
stages:
  - {name: first, players: [5, 6], games_per_set: 3, sets: 4, advance: 6}
  - {name: final, players: 5, games_per_set: 4, sets: 2}
END
timeout 200 "$WARG" run cup.yml -q --out cup >run.txt 2>&1
games=$(grep -c '"record":"game"' cup/journal.jsonl)
records=$(grep -c '"exchange_sha256"' cup/journal.jsonl)
((games == 32)) || fail "32 games are played: $(cat run.txt)"
((records == $(find cup/exchange -name '*.jsonl.gz' | wc -l))) || fail 'a file for each record'
# Sets of built-in bots alone are played on threads only where a stage has no program.
((records == games)) || fail "each game has a record, but $records of $games do"
[[ $(find cup/exchange -type f ! -perm 600) == '' ]] || fail 'records are for their owner'
python3 - <<'PYTHON' || fail 'digests are those of the files'
import gzip, hashlib, json
for line in open("cup/journal.jsonl"):
    game = json.loads(line)
    if game.get("record") == "game":
        log = open("cup/" + game["log"], "rb").read()
        name = "cup/" + game["log"].replace("logs/", "exchange/").replace(".log", ".jsonl.gz")
        packed = open(name, "rb").read()
        assert packed[4:8] == b"\0\0\0\0", "the same bytes every time: no time in the header"
        assert hashlib.sha256(log).hexdigest() == game["log_sha256"]
        assert hashlib.sha256(gzip.decompress(packed)).hexdigest() == game["exchange_sha256"]
        assert str(game["log_sha256"]) not in gzip.decompress(packed).decode()
PYTHON
expect 0 'every record gives its log' "$WARG" log check cup
grep -qx "$games exchange records: $games give their logs, 0 not" <<<"$out" || fail "all give their logs: $out"

# ---- what was changed is found ----

# change FILE SED: in place, packed or not.
change()
{
    if [[ $1 == *.gz ]]; then
        zcat "$1" | sed "$2" | gzip -n >changed.gz && mv changed.gz "$1"
    else
        sed -i "$2" "$1"
    fi
}

# found WHAT FILE SED PATTERN: in a copy of the folder in which a file was changed.
found()
{
    rm -rf copy && cp -r cup copy
    change "copy/$2" "$3"
    expect 1 "$1" "$WARG" log check -q copy
    grep -qE "^copy/$4" <<<"$out" || fail "$1: no '$4' in: $out"
    grep -q "^$games exchange records: $((games - 1)) give their logs, 1 not\$" <<<"$out" || fail "$1: $out"
}
vote=$(grep -n -m1 ',vote,' cup/logs/0/001.log | cut -d: -f1)
found 'a vote in a log' logs/0/001.log "${vote}s/vote,\(.*\),.*/vote,\1,\1/" "logs/0/001.log: line $vote: "
found 'an ask that is gone' exchange/1/002.jsonl.gz '3d' 'exchange/1/002.jsonl.gz: line 3: .*stands here, but by key'
found 'an answer' exchange/0/003.jsonl.gz '0,/"r":"\(Skip\|Over\)"/s//"r":"AGREE TALK day1 ID:0"/' '(logs/0/003.log|exchange/0/003.jsonl.gz): line [0-9]+'
found 'a name' exchange/0/004.jsonl.gz '1s/"agents":\["/"agents":["x/' 'exchange/0/004.jsonl.gz: line 1: other agents than in the journal'
timed=$(cd cup && zgrep -l '"t":' exchange/*/*.gz | head -n 1)
found 'a time' "$timed" 's/"t":[0-9.]*,/"t":99999.00,/' "$timed: its SHA-256 is another"
found 'rules' exchange/0/005.jsonl.gz '1s/"rules":"./"rules":"x/' 'exchange/0/005.jsonl.gz: line 1: its rules are others'
found 'another game' exchange/0/006.jsonl.gz '1s/"game":6/"game":7/' 'exchange/0/006.jsonl.gz: line 1: the record is of another game'
found 'a number, and so another key' exchange/1/001.jsonl.gz '1s/"number":1/"number":2/' '(logs/1/001.log|exchange/1/001.jsonl.gz): line [0-9]+'
found 'an end' exchange/0/007.jsonl.gz '$d' 'exchange/0/007.jsonl.gz: line [0-9]+: .*before its last line'

# ---- while the key is secret ----

rm -rf copy && cp -r cup copy
python3 - <<'PYTHON'
lines = [line for line in open("copy/journal.jsonl") if '"record":"key"' not in line and '"record":"end"' not in line]
open("copy/journal.jsonl", "w").writelines(lines)
PYTHON
rm -rf copy/secret
expect 0 'without the key' "$WARG" log check copy
grep -q "$games exchange records: 0 give their logs, 0 not, $games not checked, because their key is not published" \
    <<<"$out" || fail "without the key: $out"
expect 0 'shown without the key' "$WARG" log exchange copy/1/0 --json
grep -q '"packet"' <<<"$out" && fail 'packets follow from the key'
grep -q 'the key of this game is not known here' <<<"$err" || fail "without the key: $err"
! grep -qi 'seed' <<<"$(zcat cup/exchange/*/*.gz | grep -o '"[a-z_]*seed"' | grep -v told_seed)" || fail 'a seed'

# ---- shown ----

expect 0 'a table' "$WARG" log exchange cup/0/1
grep -qE '^game 1, set 0, aiwolf-2021$' <<<"$out" || fail "a table: $out"
grep -qE '^ask +seat +agent +request +ms +waited +answer$' <<<"$out" || fail "a table: $out"
expect 0 'by its log' "$WARG" log exchange cup/logs/0/001.log --language ja
grep -q '^番号' <<<"$out" || fail "in Japanese: $out"
read -r shown seat < <(python3 - <<'PYTHON'
import glob, gzip, json
for name in sorted(glob.glob("cup/exchange/*/*.gz")):
    agents = json.loads(gzip.open(name).readline())["agents"]
    if "ann" in agents:
        print(name, agents.index("ann") + 1)
        break
PYTHON
)
expect 0 'one seat' "$WARG" log exchange "$shown" --seat "$seat"
grep -qE '^TALK, ask [0-9]+: [0-9.]+ ms$' <<<"$out" || fail "one seat: $out"
grep -qE '^  > \{"gameInfo":' <<<"$out" || fail "the packets: $out"
expect 0 'JSON' "$WARG" log exchange "$shown" --seat "$seat" --json
python3 -c 'import json, sys
for line in sys.stdin:
    one = json.loads(line)
    assert one["packet"]["request"] == one["request"] and one["ms"] > 0, line' <<<"$out" || fail 'JSON'
grep -h '"l":"disconnect"' <(zcat cup/exchange/*/*.gz) >/dev/null || fail 'a disconnect is a lapse'
expect 2 'no such game' "$WARG" log exchange cup/0/99
expect 2 'no such seat' "$WARG" log exchange cup/0/0 --seat 9
expect 2 'nothing there' "$WARG" log exchange nowhere/7

# ---- left out; agents that come by themselves ----

expect 0 'without records' timeout 60 "$WARG" run -q -n 5 -g 2 --no-exchange --time-limit 30s --startup-limit 60s -o none -a 'bot:sample*4' -a "name=ann,cmd=$good"
[[ ! -e none/exchange ]] || fail '--no-exchange'
grep -q '_sha256"' none/journal.jsonl && fail '--no-exchange: no digests'
expect 0 'of bots alone' timeout 60 "$WARG" run -q -n 5 -g 2 -o bots -a 'bot:sample*5'
[[ ! -e bots/exchange ]] || fail 'built-in bots have no record: their games follow from the key'

launch served.txt served.txt timeout 200 "$WARG" serve aiwolf --time-limit 30s -p 0 -n 5 -g 3 --once -o served -a 'bot:sample*4'
await listening served.txt 'listening on [^ ]*:[0-9]+' || finish
port=$(grep -oE 'listening on [^ ]*:[0-9]+' served.txt | grep -oE '[0-9]+$')
timeout 200 "$WARG" bot aiwolf -h 127.0.0.1 -p "$port" -n guest >guest.txt 2>&1
wait "$server"
server=
expect 0 'a served set' "$WARG" log check -q served
grep -qx '3 exchange records: 3 give their logs, 0 not' <<<"$out" || fail "a served set: $out"
finish
