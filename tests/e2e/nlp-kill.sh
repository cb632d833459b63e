#!/usr/bin/env bash
# kill -9 at many moments of a scheduled contest of the natural-language division: at its end logs,
# `log stats` and schedule agree, and what was broken off is void and played again.
#
#   WARG_KILLS=50  so many kills, in place of 6
source "$(dirname "$0")/common.bash"

kills=${WARG_KILLS:-6}
[[ $kills =~ ^[1-9][0-9]{0,3}$ ]] || {
    echo "nlp-kill: WARG_KILLS is a number of kills, not '$kills'"
    exit 1
}
games=$((kills * 12))
sed 's/self_match: true/self_match: false/; s/is_optimize: false/is_optimize: true/
     s/team_count: .*/team_count: 5/; s/game_count: .*/game_count: '$games'/' \
    "$WARG_SOURCE/config/nlp/default_en_5.yml" >cup.yml

# host NAME: starts a server on the port of the first; its process is in $server.
port=0
host()
{
    "$WARG" serve nlp -c cup.yml --port "$port" >>"$1.out" 2>>"$1.err" &
    server=$!
    await "$1" "$1.err" 'listening on' || exit 1
    port=$(grep -oE '127\.0\.0\.1:[0-9]+' "$1.err" | head -n 1 | grep -oE '[0-9]+$')
}

ended()
{
    python3 -c 'import json; print(len(json.load(open("log/match_optimizer.json"))["ended_matches"]))'
}

# Agents stay and come to each server that listens on this port.
host kill0
crowd=()
for team in ann ben cho dai eve; do
    "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws" --quiet --team "$team" -n 1 --reconnect \
        --retry 20ms >"$team.txt" 2>&1 &
    crowd+=($!)
done
trap 'kill $server "${crowd[@]}" 2>/dev/null; rm -rf "$work"' EXIT

for ((kill = 0; kill < kills; kill++)); do
    ((kill > 0)) && host "kill$kill"
    await "kill$kill" "kill$kill.err" 'game-begun|tournament complete' || exit 1
    grep -q 'tournament complete' "kill$kill.err" && break # a busy machine: its games were faster
    sleep "0.$(printf '%03d' $((kill * 37 % 250)))" # anywhere in a game, and between games
    kill -9 "$server"
    wait "$server" 2>/dev/null
    server=
done
before=$(ended)
((before < games)) || echo "nlp-kill: all games were over before the last kill"

host last
wait "$server"
status=$?
server=
kill "${crowd[@]}" 2>/dev/null
wait "${crowd[@]}" 2>/dev/null
((status == 0)) || fail "the last server: exit status $status: $(tail -n 5 last.err)"

# One log for each match, each decided, and no other file that a reader would take for a game.
logs=(log/game/*.log)
((${#logs[@]} == games)) || fail "${#logs[@]} game logs for $games matches"
json=(log/json/*.json)
((${#json[@]} == games)) || fail "${#json[@]} JSON logs for $games matches"
(($(ended) == games)) || fail "the schedule has $(ended) of $games matches"
expect 0 'log stats' "$WARG" log stats --format json log/game
[[ $out == *"\"games\":$games"* ]] || fail "log stats does not count $games games: $out"
# The journal, beside the logs, counts what the schedule counts, each match once.
expect 0 'standings' "$WARG" standings --format json log/game
[[ $out == *"\"games\":$games,"* ]] || fail "the journal does not count $games games: $out"
expect 0 'log check' "$WARG" log check log/game
expect 0 'the analysis' "$WARG" serve nlp -c cup.yml -a
[[ $out == *"$games matches: $games ended, 0 scheduled"* && $out == *"$games game logs."* ]] ||
    fail "-a: $out"

# Each kill in the middle of a game was told by the server after it.
void=$(cat kill*.err last.err | grep -c 'void game-files=')
counted=$(cat kill*.err last.err | grep -c 'recovered game-files=')
aside=$(ls log/game | grep -c '\.log\.void')
((aside <= void)) || fail "$aside logs set aside, $void games told of"
echo "nlp-kill: $kills kills, $games matches; void: $void, decided and not noted: $counted"

finish
