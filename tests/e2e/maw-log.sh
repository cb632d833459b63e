#!/usr/bin/env bash
# `warg log` on records of MAW sessions: check plays them again, show makes a transcript of all or of
# what one player could know, stats says why it leaves them out.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# has TEXT WHAT
has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# hasnt TEXT WHAT
hasnt()
{
    [[ $out$err != *"$1"* ]] || fail "$2: there is '$1' in: $out$err"
}

expect 0 'a session' "$WARG" maw --rounds 2 --seed 7 -q --out one
expect 0 'rules of its own' "$WARG" maw --rounds 3 --seed 9 -q --out three \
    --rules "$WARG_SOURCE/config/maw/maw-contest.yml"

# ---- check ----

for seed in 1 2 3; do
    expect 0 "session $seed" "$WARG" maw --seed "$seed" -n $((3 + seed)) --bot random -q \
        --out "bots/$seed"
done
expect 0 'records of bots' "$WARG" log check bots three one/session.jsonl
has 'three/session.jsonl: ok (maw)' 'records of bots'
has '5 logs: 5 ok, 0 not legal' 'records of bots'
expect 0 'as JSON' "$WARG" log check --json one
has '"ok":true,"rules":["maw"]' 'as JSON'
gzip -c one/session.jsonl >packed.jsonl
expect 0 'a packed one' "$WARG" log check packed.jsonl
cp "$WARG_SOURCE/tests/data/maw/record-before-keys.jsonl.gz" before.jsonl.gz
expect 0 'a record whose seed has 64 bits' "$WARG" log check before.jsonl.gz
expect 0 'a record whose seed has 64 bits' "$WARG" log show before.jsonl.gz
has '1 round, seed 7' 'a record whose seed has 64 bits'
gzip -dc before.jsonl.gz | sed '1s/"seed_of":"table"/"seed_of":"key"/' >derived.jsonl
expect 1 'another derivation' "$WARG" log check derived.jsonl

line=$(grep -n '"event":"end_game"' one/session.jsonl | head -n 1 | cut -d: -f1)
winner=$(sed -nE "${line}s/.*\"winner\":\"([A-Z]+)\".*/\1/p" one/session.jsonl)
[[ $winner == VILLAGER || $winner == WEREWOLF ]] || fail "a session: the first round is won by '$winner'"
sed "${line}s/\"winner\":\"[A-Z]*\"/\"winner\":\"NOBODY\"/" one/session.jsonl >changed.jsonl
expect 1 'a changed record' "$WARG" log check changed.jsonl
has "changed.jsonl: line $line: 'winner' is 'NOBODY'; played again it is '$winner'" 'a changed record'
sed "${line}d" one/session.jsonl >missing.jsonl
expect 1 'a missing line' "$WARG" log check missing.jsonl
has "missing.jsonl: line $line: 'event' is" 'a missing line'
head -c -20 one/session.jsonl >cut.jsonl
expect 1 'a record that is cut off' "$WARG" log check cut.jsonl
has "truncated: line $(wc -l <one/session.jsonl) is cut off" 'a record that is cut off'
head -n 100 one/session.jsonl >short.jsonl
expect 1 'a session that is not over' "$WARG" log check short.jsonl
has 'the session is not over' 'a session that is not over'

# ---- show ----

expect 0 'everything' "$WARG" log show one
has 'Round 2' 'everything'
has 'Night 1' 'everything'
has 'Noah (Werewolf)' 'everything'
has '[Hideout] ' 'everything'
has 'bot:talker' 'everything'
has '2 rounds, seed 7' 'everything'
sed '1s/"seed_of":"key"/"seed_of":"chair"/' one/session.jsonl >seed_of.jsonl
expect 1 'a seed of nothing' "$WARG" log check seed_of.jsonl
has "'seed_of'" 'a seed of nothing'
sed '1s/"seed":"7"/"seed":"8"/' one/session.jsonl >seed.jsonl
expect 1 'another seed' "$WARG" log check seed.jsonl
expect 0 'everything' "$WARG" log show one
printf 'ghosts_see: own\nreveal_village: none\n' >secret.yml
expect 0 'a session with secrets' "$WARG" maw --seed 7 -q --rules secret.yml --out secret
expect 0 'a villager' "$WARG" log show --seat Otto secret
has 'Otto (Villager)' 'a villager'
has 'is murdered.' 'a villager'
hasnt 'seed' 'a villager'
hasnt '[Hideout]' 'a villager'
hasnt '(Werewolf)' 'a villager'
hasnt 'bot:talker' 'a villager'
[[ $("$WARG" log show --seat Otto secret | sed '/ win\.$/,$d') != *Werewolf* ]] ||
    fail 'a villager knows a role before the end'
expect 0 'a wolf' "$WARG" log show --seat Bruno one/session.jsonl
has 'Noah (Werewolf), Otto, Bruno (Werewolf)' 'a wolf'
has '[Hideout] Bruno: ' 'a wolf'
expect 0 'in Japanese' "$WARG" log show --lang ja one
has '第1ラウンド' 'in Japanese'

# Nothing but names, the session's own and kinds of seats is in Latin letters, whoever reads it.
expect 0 'a session without talk' "$WARG" maw --seed 3 -n 6 --bot random -q --rules secret.yml --out mute
for seat in '' Elena; do
    expect 0 'all in Japanese' "$WARG" log show --language ja ${seat:+--seat "$seat"} mute
    has 'すべてのラウンドが終わりました。' 'all in Japanese'
    has '処刑' 'all in Japanese'
    latin=$(sed -E '2s/[0-9a-f]{8,}//; s/bot:random//' <<<"$out" | grep -oE '[A-Za-z]{2,}' |
        grep -vxFf <(jq -r 'select(.event == "joined").name' mute/session.jsonl))
    [[ -z $latin ]] || fail "English in Japanese: $latin"
done
expect 0 'colours' "$WARG" log show --color always one
has $'\033[1mRound 1' 'colours'
expect 2 'nobody of that name' "$WARG" log show --seat Brunno one
has "did you mean 'Bruno'?" 'nobody of that name'
expect 0 'one that is cut off' "$WARG" log show cut.jsonl
has 'the last, is cut off.' 'one that is cut off'
printf '%s\n' "$(head -n 1 one/session.jsonl)" 'nonsense' 'more' >bad.jsonl
expect 3 'no record' "$WARG" log show bad.jsonl
has 'bad.jsonl: not JSON: ' 'no record'
has '(line 2, ' 'no record'

# ---- stats ----

expect 2 'stats' "$WARG" log stats one
has 'the record of a MAW session: its points are in leaderboard.json' 'stats'

finish
