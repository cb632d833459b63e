#!/usr/bin/env bash
# Lots and beacons: programs are fixed before anybody can know the key of a stage; who opens a lot too
# early, changes a program or a lot, or goes on with another value, is refused.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

mkdir ann
cat >agent.sh <<END
exec "$WARG" bot aiwolf --host "\$1" --port "\$2" --name "\$3" --seed 1
END
cp agent.sh ann/agent.sh

lot_of()
{
    "$WARG" contest lot "$1" >"lot.$1" || fail "no lot for $1"
    lot[$1]=$(sed -n 's/^lot: *\([0-9a-f]*\).*/\1/p' "lot.$1")
    entry[$1]=$(sed -n 's/^entry: *//p' "lot.$1")
}
declare -A lot entry
lot_of ann
lot_of bob
expect 0 'the entry of a lot' "$WARG" contest lot ann "${lot[ann]}"
[[ $out == "entry: ${entry[ann]}" ]] || fail "the entry of a lot: $out"
expect 2 'half a lot' "$WARG" contest lot ann 00
expect 2 'no name' "$WARG" contest lot

# write_cup LOT-OF-ANN LOT-OF-BOB MORE
write_cup()
{
    cat >cup.yml <<END
contest: cup
limits: {time_limit: 30s, startup: 60s}
agents:
  - {name: ann, folder: ann, command: "sh agent.sh {host} {port} {name}"}
  - {bot: sample, name: bob, copies: 2}
  - {bot: random, name: cat, copies: 2}
stages:
  - name: final
    players: 5
    games_per_set: 4
    sets: 2
    lots: {ann: {entry: ${entry[ann]}$1}, bob: {entry: ${entry[bob]}$2}}
    beacon: {what: "numbers of a lottery, a day after"$3}
END
}
opened_ann=", lot: ${lot[ann]}"
opened_bob=", lot: ${lot[bob]}"

# ---- too early, by another, of nobody ----

write_cup "$opened_ann" '' ''
expect 2 'a lot before the programs are fixed' "$WARG" run cup.yml -o early
[[ $err == *"opened already"* ]] || fail "too early: $err"
write_cup ", lot: ${lot[bob]}" '' ''
expect 2 'a lot of another entry' "$WARG" run cup.yml -o cup
[[ $err == *"not the one that was entered"* ]] || fail "another lot: $err"
write_cup '' '' ''
sed 's/bob: {entry/eve: {entry/' cup.yml >eve.yml
expect 2 'a lot of nobody' "$WARG" run eve.yml -o eve
[[ $err == *"no agent has that name"* ]] || fail "a lot of nobody: $err"
sed 's/folder: ann, //; s#sh agent#sh ann/agent#' cup.yml >open.yml
expect 2 'a program that is not fixed' "$WARG" run open.yml -o open
[[ $err == *"needs a folder of its own"* ]] || fail "a program without a folder: $err"
expect 2 'lots without a folder' "$WARG" run cup.yml
sed 's/^contest/seed: 3\ncontest/' cup.yml >seed.yml
expect 2 'lots and a seed' "$WARG" run seed.yml -o seed

# ---- fixed, waiting ----

expect 7 'fixed' "$WARG" run cup.yml -o cup
[[ $err == *'waits for the lots of ann, bob; and for a value of its beacon: numbers'* ]] || fail "waiting: $err"
(($(grep -c '"record":"freeze"' cup/journal.jsonl) == 1)) || fail "not fixed: $(cat cup/journal.jsonl)"
grep -q '"record":"game"' cup/journal.jsonl && fail 'a game before the lots'
expect 7 'still waiting' "$WARG" run cup.yml -o cup --resume
(($(grep -c '"record":"freeze"' cup/journal.jsonl) == 1)) || fail 'fixed twice'
write_cup "$opened_ann" '' ', value: "07 11"'
expect 7 'one lot is missing' "$WARG" run cup.yml -o cup --resume
[[ $err == *'waits for the lots of bob.'* ]] || fail "waiting for bob: $err"
echo '# better' >>ann/agent.sh
expect 2 'a program that was changed' "$WARG" run cup.yml -o cup --resume
[[ $err == *"another than when those of stage final were fixed"* ]] || fail "a changed program: $err"
cp agent.sh ann/agent.sh
write_cup '' '' ''
sed "s/${entry[bob]}/${entry[ann]}/" cup.yml >other.yml
expect 2 'another entry' "$WARG" run other.yml -o cup --resume
[[ $err == *'another contest'* ]] || fail "another entry: $err"

# ---- opened, played ----

cp -r cup zeros
write_cup "$opened_ann" "$opened_bob" ', value: "07 11"'
expect 0 'played' "$WARG" run cup.yml -o cup --resume -q
cp -r cup again
head -n -3 cup/journal.jsonl >again/journal.jsonl
write_cup "$opened_ann" "$opened_bob" ', value: "07 12"'
expect 2 'another value of the beacon' "$WARG" run cup.yml -o again --resume -q
[[ $err == *'other lots, or another value of its beacon'* ]] || fail "another beacon: $err"
write_cup '' '' ''
expect 0 'the journal knows them' "$WARG" run cup.yml -o again --resume -q
diff -r cup/logs again/logs >/dev/null || fail 'a resumed contest with lots plays other games'
write_cup "$opened_ann" "$opened_bob" ', value: "07 11"'
key=$(sed -n 's/.*"record":"key".*"key":"\([0-9a-f]*\)".*/\1/p' cup/journal.jsonl)
expect 0 'played again by its key and lots' "$WARG" run cup.yml -o replay --replay "$key" -q
diff -r cup/logs replay/logs >/dev/null || fail '--replay KEY with lots plays other games'

# An unopened lot counts as zeros, and is named so.
write_cup "$opened_ann" '' ', value: "07 11"'
sed -i 's/    beacon/    lots_closed: true\n    beacon/' cup.yml
expect 0 'bob never opened' "$WARG" run cup.yml -o zeros --resume -q
grep -q '"bob":null' zeros/journal.jsonl || fail 'who did not open is not named'
diff -r cup/logs zeros/logs >/dev/null && fail 'a lot of zeros plays the same games'

python3 - cup zeros <<'END' || fail 'the order of what was told, or what lots were entered by'
import hashlib, json, sys
sha = lambda *parts: hashlib.sha256(b"\0".join(parts)).digest()
for folder in sys.argv[1:]:
    lines = [json.loads(line) for line in open(folder + "/journal.jsonl")]
    plan = lines[0]["plan"]
    stage = plan["stages"][0]
    (freeze,) = [l for l in lines if l["record"] == "freeze"]
    (told,) = [l for l in lines if l["record"] == "lots"]
    (secret,) = [bytes.fromhex(l["key"]) for l in lines if l["record"] == "key"]
    assert lines.index(freeze) < lines.index(told) < min(i for i, l in enumerate(lines) if l["record"] == "game")
    assert sha(b"warg-commit-v1", b"cup", b"final", secret).hex() == plan["commitment"]
    for name, lot in told["lots"].items():
        assert lot is None or sha(b"warg-lot-v1", name.encode(), bytes.fromhex(lot)).hex() == stage["lots"][name]
END

finish
