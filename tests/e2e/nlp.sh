#!/usr/bin/env bash
# The natural-language division, whole: games of 5, 9 and 13, in turns and at any time; tokens; the
# API and the live data; a schedule that is drained, killed and continued; bots for missing agents.
source "$(dirname "$0")/common.bash"
config=$WARG_SOURCE/config/nlp

# host NAME CONFIG OPTION...: starts a server; its address is in $address, its process in $server.
host()
{
    local name=$1 file=$2
    shift 2
    launch "$name.out" "$name.err" "${program:-$WARG}" serve nlp -c "$file" --port 0 "$@"
    await "$name" "$name.err" 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$name.err" | head -n 1)
    operator=$(sed -n "s/.*operator's token: \([0-9a-f]*\).*/\1/p" "$name.err")
}

# get PATH: the body; its status in $status.
get()
{
    python3 "$agents/http_get.py" "http://$address$1" "${@:2}"
}

# ended NAME STATUS: the server has ended with this status.
ended()
{
    wait "$server"
    local got=$?
    server=
    ((got == $2)) || fail "$1: exit status $got, expected $2: $(tail -n 5 "$1.err")"
}

bots()
{
    "$WARG" bot nlp --url "ws://$address/ws" --quiet "$@"
}

# ---- games of every size and both tracks; logs that hold ----

for game in default_en_5:5 default_9:9 default_13:13 freeform_en_5:5; do
    name=${game%:*} players=${game#*:}
    mkdir "$name" && cd "$name" || exit 1
    host "$name" "$config/$name.yml" --games 2 --seed 7
    bots --team kano -n "$players" --games 2 --think 20ms --seed 1 >bots.txt 2>&1 ||
        fail "$name: bots: $(tail -n 3 bots.txt)"
    ended "$name" 0
    grep -q 'complete' "$name.out" "$name.err" || fail "$name: says nothing of the end"
    (($(ls log/game/*.log | wc -l) == 2)) || fail "$name: expected two game logs"
    expect 0 "$name: logs" "$WARG" log check log/game/*.log
    for file in log/json/*.json; do
        python3 -c 'import json,sys; d=json.load(open(sys.argv[1]))
assert d["win_side"] in ("VILLAGER","WEREWOLF"), d["win_side"]
assert [a["idx"] for a in d["agents"]] == list(range(1,len(d["agents"])+1))' "$file" ||
            fail "$name: $file"
    done
    grep -c . log/realtime/*.jsonl >/dev/null || fail "$name: no realtime file"
    for file in log/realtime/*.jsonl; do
        python3 -c 'import json,sys
for line in open(sys.argv[1]): json.loads(line)' "$file" || fail "$name: $file"
    done
    cd .. || exit 1
done

# ---- tokens ----

mkdir tokens && cd tokens || exit 1
sed 's/enable: false # /&/; /authentication:/,/enable:/s/enable: false/enable: true/' \
    "$config/default_en_5.yml" >auth.yml
export SECRET_KEY=a-secret-of-the-organisers
host auth auth.yml --games 1
token=$("$WARG" token player --team kano)
receiver=$("$WARG" token receiver)
expect 3 'a wrong token' bots --team kano -n 1 --token "${token}x"
[[ $(cat auth.err auth.out) == *'code=1008'* ]] || fail "no 1008 in the log: $(cat auth.err)"
expect 3 "another team's token" bots --team other -n 1 --token "$token"
[[ $(get /api/v1/games --status) == 401 ]] || fail 'games without a token are shown'
[[ $(get "/api/v1/games?token=$receiver" --status) == 200 ]] || fail 'a receiver is refused'
[[ $(get /realtime/games.json --status) == 401 ]] || fail '/realtime without a token is shown'
[[ $(get /api/v1/healthz --status) == 200 ]] || fail 'healthz wants a token'
bots --team kano -n 5 --token "$token" >bots.txt 2>&1 || fail "bots with a token: $(cat bots.txt)"
ended auth 0
unset SECRET_KEY
cd .. || exit 1

# ---- a schedule: drained, killed, continued; nothing twice ----

mkdir schedule && cd schedule || exit 1
games=150
is_sanitized && games=40
sed 's/self_match: true/self_match: false/; s/is_optimize: false/is_optimize: true/
     s/team_count: .*/team_count: 5/; s/game_count: .*/game_count: '$games'/' \
    "$config/default_en_5.yml" >main.yml
teams=(ann ben cho dai eve)
start_teams()
{
    local team
    crowd=()
    for team in "${teams[@]}"; do
        "$WARG" bot nlp --url "ws://$address/ws" --quiet --team "$team" -n 1 --reconnect \
            --retry 100ms >"$team.txt" 2>&1 &
        crowd+=($!)
    done
}
stop_teams()
{
    kill "${crowd[@]}" 2>/dev/null
    wait "${crowd[@]}" 2>/dev/null
}
ended_matches()
{
    python3 -c 'import json; d=json.load(open("log/match_optimizer.json"))
print(len(d["ended_matches"]), len(d["ended_matches"])+len(d["scheduled_matches"]))'
}
# Killed while it puts a file in its place: the schedule is one, and so is each log.
WARG_DISK_FAULT='rename 40 once 0' program=$WARG_FAULTS host first main.yml
start_teams
wait "$server" 2>/dev/null
server=
stop_teams
read -r killed_at all <<<"$(ended_matches)"
((killed_at >= 5 && killed_at < all)) || fail "killed at $killed_at of $all"
((all == games)) || fail "after kill -9 the schedule has $all matches"
host second main.yml
[[ $(get "/api/v1/waiting?token=$operator") == *waiting* ]] ||
    fail "no waiting room: $(get "/api/v1/waiting?token=$operator")"
start_teams
ended second 0
stop_teams
grep -q 'tournament complete' second.out second.err || fail 'the end is not told'
read -r done all <<<"$(ended_matches)"
((done == games && all == games)) || fail "ended $done of $all, $killed_at of them before kill -9"
# each decided game has one log with a result; those that kill -9 broke off have none
results=$(grep -lE '^[0-9]+,result,' log/game/*.log | wc -l)
((results >= games && results <= games + 1)) || fail "$results logs with a result for $games matches"
expect 0 'analysis' "$WARG" serve nlp -c main.yml -a
[[ $out == *ann* ]] || fail "-a does not know the teams: $out"
cd .. || exit 1

# ---- SIGTERM drains: games are played to their end; the API says so ----

mkdir drain && cd drain || exit 1
sed 's/duration: 10m/duration: 5s/' "$config/freeform_en_5.yml" >free.yml
host drain free.yml
bots --team kano -n 5 --think 1s >bots.txt 2>&1 &
await drain drain.err 'game-begun'
game_runs()
{
    [[ $(get /api/v1/games) == *'"id"'* ]]
}
until_true "$patience" game_runs || fail "no running game: $(get /api/v1/games)"
[[ $(get /metrics) == *warg_nlp_* ]] || fail 'no metrics'
kill -TERM "$server"
await drain drain.err 'drain'
[[ $(get /api/v1/readyz --status) == 503 ]] || fail 'readyz does not say that it drains'
ended drain 0
grep -qE '^[0-9]+,result,.*(VILLAGER|WEREWOLF)$' log/game/*.log || fail 'the game was not finished'
wait
cd .. || exit 1

# ---- bots for missing agents; two configurations at once ----

mkdir fill && cd fill || exit 1
mkdir a b
(cd a && sed 's#\./log#a/log#' "$config/default_en_5.yml" >../a.yml)
(cd b && sed 's#\./log#b/log#' "$config/default_en_5.yml" | sed 's/port: 8080/port: 0/' >../b.yml)
sed -i 's/port: 8080/port: 0/' a.yml
launch two.out two.err "$WARG" serve nlp -c a.yml -c b.yml --fill-after 200ms --games 1
await two two.err 'listening on.*b\.yml'
for file in a b; do
    address=$(grep -E "listening.*$file\.yml" two.err | grep -oE '127\.0\.0\.1:[0-9]+')
    bots --team lone -n 1 >"$file.txt" 2>&1 || fail "$file: $(cat "$file.txt")"
done
ended two 0
grep -q 'warg-bot' a/log/game/*.log || fail 'no bots sit at the table'
cd .. || exit 1

# ---- configurations: good ones, and what is wrong with others ----

for file in "$config"/*.yml; do
    expect 0 "$file" "$WARG" serve nlp -c "$file" --check
done
printf 'game:\n  agent_count: five\n' >bad.yml
expect 3 'a wrong type' "$WARG" serve nlp -c bad.yml --check
[[ $err == *'bad.yml'*'agent_count'*'line 2'* ]] || fail "no place in: $err"
expect 3 'no file' "$WARG" serve nlp -c none.yml --check

finish
