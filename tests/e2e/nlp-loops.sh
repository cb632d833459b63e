#!/usr/bin/env bash
# --loops: games on several threads are the same games, whole, evenly shared, and end as they do on one,
# also by signals. What they cost is measured by `dev bench nlp-loops`.
source "$(dirname "$0")/common.bash"
config=$WARG_SOURCE/config/nlp/default_en_5.yml
anytime=$WARG_SOURCE/config/nlp/freeform_en_5.yml # a game of which lasts

# host NAME OPTION...: starts a server in the folder NAME, and stays there.
host()
{
    mkdir "$1" && cd "$1" || exit 1
    launch out err "$WARG" serve nlp -c "${rules:-$config}" --port 0 "${@:2}"
    await "$1" err 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' err | head -n 1)
}

# ended NAME STATUS: the server has ended with this status; leaves the folder.
ended()
{
    wait "$server"
    local got=$?
    server=
    ((got == $2)) || fail "$1: exit status $got, expected $2: $(tail -n 5 err)"
    cd .. || exit 1
}

bots()
{
    "$WARG" bot nlp --url "ws://$address/ws" --quiet "$@" >bots.txt 2>&1
}

# What was played, without ids and times: who was what, and what was said and done.
played()
{
    cat "$1"/log/game/*.log | sed 's/,[0-9]\{10\}$//' | sort
}

# ---- one game at a time: the same games on one, two and three loops ----

for loops in 1 2 3; do
    host "same$loops" --games 3 --seed 7 --loops "$loops"
    bots --team kano -n 5 --games 3 --seed 1 || fail "$loops loops: bots: $(tail -n 3 bots.txt)"
    ended "same$loops" 0
    (($(ls "same$loops"/log/game/*.log | wc -l) == 3)) || fail "$loops loops: expected three game logs"
    expect 0 "$loops loops: logs" "$WARG" log check "same$loops"/log/game/*.log
    for file in "same$loops"/log/json/*.json; do
        python3 -c 'import json,sys; d=json.load(open(sys.argv[1]))
assert d["win_side"] in ("VILLAGER","WEREWOLF"), d["win_side"]' "$file" || fail "$loops loops: $file"
    done
done

# Who comes first is the system's business; if it was the same, so is all that was played.
came()
{
    grep -o 'waiting name=[a-z0-9]*' "$1/err"
}
for loops in 2 3; do
    [[ $(came same1) != "$(came "same$loops")" ]] || [[ $(played same1) == "$(played "same$loops")" ]] ||
        fail "$loops loops: other games than on one"
done

# ---- many at once, evenly ----

host many --games 60 --loops 2
bots --team kano -n 50 --games 6 --seed 2 || fail "many: bots: $(tail -n 3 bots.txt)"
ended many 0
(($(ls many/log/game/*.log | wc -l) >= 60)) || fail 'many: logs are missing'
expect 0 'many: logs' "$WARG" log check many/log/game/*.log
(($(grep -c ' loop=[12] ' many/err) == 2)) || fail "many: nothing is said of the loops: $(tail -n 3 many/err)"
read -r first second < <(sed -n 's/.* loop=[12] games=\([0-9]*\) .*/\1/p' many/err | tr '\n' ' ')
# On a busy machine one of them may be kept waiting for a while.
((2 * (first > second ? first - second : second - first) <= first + second)) ||
    fail "many: $first games on one loop, $second on the other"
[[ $(grep -c ' errored\| away ' many/err) == 0 ]] || fail "many: somebody was lost: $(grep ' away ' many/err | head -n 3)"

# ---- the first signal lets games be played to their end, the second ends them ----

for signal in TERM INT; do
    rules=$anytime host "drain$signal" --loops 2
    bots --team kano -n 10 --think 50ms --seed 3 &
    bot=$!
    await 'two games' err 'number=2'
    kill -"$signal" "$server"
    ended "drain$signal" 0
    wait "$bot"
    (($(grep -c 'game-over .*winner=[VW]' "drain$signal/err") >= 2)) ||
        fail "drain: $(tail -n 4 "drain$signal/err")"
    expect 0 'drain: logs' "$WARG" log check "drain$signal"/log/game/*.log
done
rules=$anytime host abort --loops 2
bots --team kano -n 10 --think 2s --seed 3 &
bot=$!
await 'two games' err 'number=2'
kill -TERM "$server"
await 'draining' err 'draining'
kill -TERM "$server"
wait "$server"
status=$?
server=
((status != 0)) || fail "abort: exit status $status"
(($(grep -c 'game-over .*aborted' err) == 2)) || fail "abort: $(tail -n 4 err)"
wait "$bot"
cd .. || exit 1

# ---- somebody who is gone is missed there, too ----

rules=$anytime host away --games 1 --loops 2
bots --team kano -n 4 --think 200ms --seed 4 &
bot=$!
"$WARG" bot nlp --url "ws://$address/ws" --quiet --team kano -n 1 --think 200ms >last.txt 2>&1 &
last=$!
await 'the game' err 'game-begun'
kill -9 "$last"
wait "$last" 2>/dev/null
await 'the loss' err ' *away '
ended away 0
wait "$bot"
grep -q 'game-over .*\(away\|errored\)=' away/err || fail "away: $(tail -n 3 away/err)"

expect 2 'no loops' "$WARG" serve nlp -c "$config" --port 0 --loops 0
expect 2 'too many loops' "$WARG" serve nlp -c "$config" --port 0 --loops 65
finish
