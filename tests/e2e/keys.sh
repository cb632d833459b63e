#!/usr/bin/env bash
# Keys: a contest without --seed can't be computed from what anybody but its owner reads; the key is
# committed to before and published after; who has it, or the folder, plays the same games, all or one;
# journals of builds that had no keys are played on and again as they were.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
old=$WARG_TEST_DATA/journal-old

digest()
{
    (cd "$1" && find . -type f | LC_ALL=C sort | xargs sha256sum) | sha256sum | cut -c 1-16
}

# Without somebody slow thousands of games would be played until this script has looked.
mkdir told
slow="exec python3 '$agents/logging_agent.py' {host} {port} {name} '$work/told' slow=1"

# ---- while it is played ----

"$WARG" run -n 15 -g 100000000 -o secret-run -q --time-limit 30s --startup-limit 60s -a 'bot:random*14' -a "name=slow,cmd=$slow" >out.txt 2>err.txt &
pid=$!
await_games 20 secret-run
key=$(cat secret-run/secret/key)
[[ $key =~ ^[0-9a-f]{64}$ ]] || fail "no key in secret/key: $key"
[[ $(stat -c %a secret-run/secret secret-run/secret/key | tr '\n' ' ') == '700 600 ' ]] ||
    fail "the key lies open: $(stat -c '%a %n' secret-run/secret secret-run/secret/key)"
tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q "$key" && fail 'the key is in the command line'
kill -INT "$pid"
wait "$pid"
(($? == 130)) || fail "interrupted: $(cat err.txt)"
grep -rl --exclude-dir=secret "$key" . && fail 'the key of a contest under way stands where others read'
grep -q '"seed"' secret-run/journal.jsonl && fail 'a drawn contest has a seed in its journal'
grep -q '"record":"key"' secret-run/journal.jsonl && fail 'the key of a contest under way is published'
if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
    chmod 755 . secret-run
    setpriv --reuid 65534 --regid 65534 --clear-groups cat secret-run/secret/key >/dev/null 2>&1 &&
        fail 'another user reads the key'
else
    echo 'keys: another user reading the key is not tried: this needs root and setpriv'
fi
rm -rf secret-run

# ---- committed to, played, published ----

expect 0 'a committed contest' "$WARG" run -n 5 -g 40 -o committed --commit-seed -a 'bot:sample*3 bot:random*2'
commitment=$(grep -oxE '[0-9a-f]{64}' <<<"$out")
key=$(grep -oE '^key: [0-9a-f]{64}' <<<"$out" | cut -d ' ' -f 2)
python3 - "$key" "$commitment" committed/journal.jsonl <<'END' || fail 'the commitment is not that of the key'
import hashlib, hmac, json, struct, sys
key, commitment = bytes.fromhex(sys.argv[1]), sys.argv[2]
stage = b"final"
assert hashlib.sha256(b"warg-commit-v1\0run\0" + stage + b"\0" + key).hexdigest() == commitment
lines = [json.loads(line) for line in open(sys.argv[3])]
assert lines[0]["plan"]["commitment"] == commitment and "seed" not in lines[0]["plan"]
published = [line for line in lines if line["record"] == "key"]
assert [line["key"] for line in published] == [sys.argv[1]] and lines.index(published[0]) == len(lines) - 2
END
for guide in guide.md guide.ja.md; do
    check=$(grep -F "printf 'warg-commit-v1" "$WARG_SOURCE/docs/$guide")
    [[ $(bash -c "${check//KEY/$key}") == "$commitment  -" ]] || fail "the check that $guide names: $check"
done
grep -q "$key" committed/report.html || fail 'the report of a contest that is over has no key'
grep -q "$commitment" committed/report.html || fail 'the report has no commitment'

same=(-n 5 -g 40 -a 'bot:sample*3 bot:random*2' -q)
expect 0 'by its key' "$WARG" run "${same[@]}" --replay "$key" -l by-key
expect 0 'by its folder' "$WARG" run "${same[@]}" --replay committed -l by-folder
diff -r committed/logs by-key >/dev/null || fail '--replay KEY plays other games'
diff -r committed/logs by-folder >/dev/null || fail '--replay DIR plays other games'
expect 0 'one game' "$WARG" run "${same[@]}" --replay "$key" --game 17 -l one
[[ $(ls one) == 017.log ]] || fail "--game 17 played $(ls one)"
cmp -s one/017.log committed/logs/017.log || fail '--game 17 is another game'
expect 0 'another contest' "$WARG" run "${same[@]}" -l other
diff -r committed/logs other >/dev/null && fail 'two drawn contests are the same'
expect 2 'other options' "$WARG" run -n 5 -g 41 -a 'bot:random*5' --replay committed -q
[[ $err == *'another contest'* ]] || fail "--replay of a folder with other options: $err"

# ---- interrupted, and gone on with ----

mkdir resumed
cp -r committed/secret resumed/
head -n 21 committed/journal.jsonl >resumed/journal.jsonl
touch resumed/faults.jsonl
cp -r resumed lost
cp -r resumed strange
expect 0 'resumed' "$WARG" run "${same[@]}" -o resumed --resume
for log in resumed/logs/*; do
    cmp -s "$log" "committed/logs/${log##*/}" || fail "$log of the resumed contest is another"
done
grep -q "\"key\":\"$key\"" resumed/journal.jsonl || fail 'the resumed contest does not publish its key'
rm -r lost/secret
expect 3 'no key' "$WARG" run "${same[@]}" -o lost --resume
[[ $err == *'secret/key'* ]] || fail "a lost key: $err"
tr '0-9a-f' '1-9a-f0' <committed/secret/key >strange/secret/key
expect 2 'another key' "$WARG" run "${same[@]}" -o strange --resume
[[ $err == *'committed to'* ]] || fail "another key: $err"
cmp -s strange/journal.jsonl <(head -n 21 committed/journal.jsonl) || fail 'a refused key changed the journal'

# ---- each stage has a secret of its own, published when it is over ----

cat >cup.yml <<END
contest: cup
limits: {time_limit: 30s, startup: 60s}
agents: [{bot: sample, name: ann, copies: 2}, {bot: random, name: bob, copies: 2}, {name: slow, command: "$slow"}]
stages:
  - {name: first, players: 5, games_per_set: 10, sets: 4}
  - {name: last, players: 5, games_per_set: 10, sets: 400000}
END
"$WARG" run cup.yml -o two -q --commit-seed >two.out 2>two.err &
pid=$!
await 'the key of the first stage' two/journal.jsonl '"record":"key","part":0,"key"'
kill -INT "$pid"
wait "$pid"
(($(grep -cxE '[0-9a-f]{64}' two.out) == 2)) || fail "two stages, commitments: $(cat two.out)"
last=$(cat two/secret/key-1)
python3 - "$last" two/journal.jsonl two.out <<'END' || fail 'the keys of two stages'
import hashlib, json, sys
lines = [json.loads(line) for line in open(sys.argv[2])]
commit = lambda stage, key: hashlib.sha256(b"warg-commit-v1\0cup\0" + stage + b"\0" + bytes.fromhex(key)).hexdigest()
first = [line["key"] for line in lines if line["record"] == "key"]
assert len(first) == 1 and first[0] != sys.argv[1], first
commitments = lines[0]["plan"]["commitments"]
assert commitments == [commit(b"first", first[0]), commit(b"last", sys.argv[1])]
assert all(c in open(sys.argv[3]).read() for c in commitments)
assert sys.argv[1] not in open(sys.argv[2]).read()
END
sed -i 's/400000/3/' cup.yml
expect 0 'two stages' "$WARG" run cup.yml -o three -q --commit-seed
keys=$(grep -oE -- '--replay [0-9a-f,]*' <<<"$out" | cut -d ' ' -f 2)
expect 0 'two stages, by their keys' "$WARG" run cup.yml -l three-again -q --replay "$keys"
diff -r three/logs three-again >/dev/null || fail '--replay KEY,KEY plays other games'
expect 0 'two stages, by their folder' "$WARG" run cup.yml -l three-folder -q --replay three
diff -r three/logs three-folder >/dev/null || fail '--replay DIR with two stages plays other games'
for key in ${keys//,/ }; do
    grep -q "$key" three/report.html || fail 'the report has not all keys'
done
expect 2 'one key too many' "$WARG" run cup.yml -q --replay "$keys,$key"
[[ $err == *'one for each stage'* ]] || fail "three keys: $err"

# ---- numbers ----

expect 2 'a commitment to a number' "$WARG" run -n 5 -g 1 --seed 3 --commit-seed
[[ $err == *guessed* ]] || fail "--commit-seed --seed: $err"
for known in 42 "$key" committed; do
    expect 2 "a commitment to what is known: $known" "$WARG" run -n 5 -g 1 --replay "$known" --commit-seed
    [[ $err == *'leave one of them out'* ]] || fail "--commit-seed --replay $known: $err"
done
expect 2 'a game of nothing' "$WARG" run -n 5 -g 5 --game 1
expect 2 'a game that is not there' "$WARG" run -n 5 -g 5 --seed 1 --game 5 -q
expect 2 'a stage that is not there' "$WARG" run -n 5 -g 5 --seed 1 --game 1 --stage cup
expect 2 'neither seed nor folder' "$WARG" run -n 5 -g 5 --replay nowhere
expect 0 'a number' "$WARG" run -n 5 -g 5 --seed 3 -l new -q
expect 0 'the same number of an old build' "$WARG" run -n 5 -g 5 --replay old:3 -l older -q
diff -r new older >/dev/null && fail 'old:3 is not another derivation'

# ---- journals of builds without keys ----

cp -r "$old" cup
expect 0 'an old journal' "$WARG" run "$old/cup.yml" --replay cup -l replayed -q
seed=$(grep -m 1 -oE '"seed":"[0-9]+"' cup/journal.jsonl | tr -dc 0-9)
expect 0 'an old seed' "$WARG" run "$old/cup.yml" --replay "old:$seed" -l reseeded -q
diff -r replayed reseeded >/dev/null || fail 'old:SEED plays other games than the journal that has it'
[[ $(digest replayed) == "$(cat "$old/logs.digest")" ]] || fail 'an old journal is played otherwise'
expect 0 'a game of its second stage' "$WARG" run "$old/cup.yml" --replay cup --stage last --game 5 -l last -q
cmp -s last/1/*5.log replayed/1/*5.log || fail '--stage last --game 5 is another game'
expect 2 'without a folder nobody knows who advanced' "$WARG" run "$old/cup.yml" --replay "old:$seed" --stage 1 --game 5 -q

# Two of its games in the second stage are played, the others are left.
mkdir going-on
grep -n '"record":"game","stage":1' cup/journal.jsonl | sed -n '2s/:.*//p' >line.txt
head -n "$(cat line.txt)" cup/journal.jsonl >going-on/journal.jsonl
touch going-on/faults.jsonl
expect 0 'an old journal goes on' "$WARG" run "$old/cup.yml" -o going-on --resume -q
[[ -n $(ls going-on/logs/1) ]] || fail 'nothing was left to play'
for log in going-on/logs/1/*; do
    cmp -s "$log" "replayed/1/${log##*/}" || fail "$log of the old journal is another"
done
expect 0 'report of an old journal' "$WARG" report going-on

# ---- a server publishes what is complete, and goes on with another key ----

served()
{
    "$WARG" bot aiwolf --port "$port" --count 1 --seed 1 --wait 20s >/dev/null 2>&1 &
    wait $!
    wait "$server"
}
serve first --players 5 --games 4 --once --agent 'bot:random*4' --out hall
served
serve again --players 5 --games 4 --sets 2 --agent 'bot:random*4' --out hall --resume
served
python3 - hall/journal.jsonl <<'END' || fail 'the keys of a server are not in its journal'
import hashlib, json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
commit = lambda key: hashlib.sha256(b"warg-commit-v1\0run\0final\0" + bytes.fromhex(key)).hexdigest()
keys = [line for line in lines if line["record"] == "key"]
assert [sorted(k) for k in keys] == [["crc", "key", "part", "record"], ["commitment", "crc", "part", "record"],
                                     ["crc", "key", "part", "record"]], keys
assert [k["part"] for k in keys] == [0, 1, 1]
assert commit(keys[0]["key"]) == lines[0]["plan"]["commitment"]
assert commit(keys[2]["key"]) == keys[1]["commitment"] and keys[0]["key"] != keys[2]["key"]
games = [line["game"] for line in lines if line["record"] == "game"]
assert games == list(range(8)), games
END
grep -q 'is for trials' first.err && fail 'a server without a seed speaks of a seed'
serve seeded --players 5 --games 1 --once --agent 'bot:random*4' --seed 5
grep -q 'seed 5 is for trials' seeded.err || fail "a server with a seed does not say that it can be guessed"

finish
