#!/usr/bin/env bash
# The natural-language division against peers that mean no good, operators that make mistakes and
# disks that fail: the server lives, its terminal is safe, and no match is lost or counted twice.
source "$(dirname "$0")/common.bash"
config=$WARG_SOURCE/config/nlp

# host NAME CONFIG OPTION...: starts a server; its port is in $port, its process in $server.
host()
{
    local name=$1 file=$2
    shift 2
    launch "$name.out" "$name.err" "$WARG" serve nlp -c "$file" --port 0 "$@"
    await "$name" "$name.err" 'listening on' || exit 1
    port=$(grep -oE '127\.0\.0\.1:[0-9]+' "$name.err" | head -n 1 | cut -d : -f 2)
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
    "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws" --quiet "$@"
}

# quiet_terminal FILE...: nothing in them that a terminal would obey.
quiet_terminal()
{
    local file
    for file; do
        if LC_ALL=C grep -aqP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$file"; then
            fail "$file: control characters"
        fi
    done
}

# ---- peers, while games are played ----

host peers "$config/default_en_5.yml"
bots --team kano -n 5 --games 200 >bots.txt 2>&1 &
crowd=$!
python3 "$agents/nlp_hostile.py" "$port" >peers.txt || fail "peers: $(cat peers.txt)"
kill "$crowd" 2>/dev/null
wait "$crowd" 2>/dev/null
bots --team other -n 5 >bots.txt 2>&1 || fail "no game after that: $(cat bots.txt)"
kill -TERM "$server"
ended peers 0
quiet_terminal peers.err
rm -rf log

# ---- a token whose head speaks to the terminal ----

sed '/authentication:/,/enable:/s/enable: false/enable: true/' "$config/default_en_5.yml" >auth.yml
SECRET_KEY=a-secret-of-the-organisers host token auth.yml
token=$(python3 -c 'import base64, json
head = json.dumps({"alg": "\x1b[2J\x9b\nforged line"}).encode()
print(base64.urlsafe_b64encode(head).decode().rstrip("=") + ".e30.AAAA")')
expect 3 'a token that is none' bots --team kano -n 1 --token "$token"
await token token.err 'refused.*algorithm'
kill -TERM "$server"
ended token 0
quiet_terminal token.err
if grep -q '^forged' token.err; then fail 'a line of the log is forged'; fi
rm -rf log

# ---- a schedule that can't be written for a while: decided matches are in it at the end ----

sed 's/self_match: true/self_match: false/; s/is_optimize: false/is_optimize: true/
     s/team_count: .*/team_count: 5/; s/game_count: .*/game_count: 2000/' \
    "$config/default_en_5.yml" >main.yml
host disk main.yml
crowd=()
for team in ann ben cho dai eve; do
    # Not by the function: its process would be killed, and the bot stay for ever.
    "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws" --quiet --team "$team" -n 1 --reconnect \
        --retry 50ms >"$team.txt" 2>&1 &
    crowd+=($!)
done
await disk disk.err 'game-over'
until mkdir log/match_optimizer.json.tmp 2>/dev/null; do :; done # where the next one is written
await disk disk.err 'history-failed'
played=$(cat log/game/*.log | grep -cE '^[0-9]+,result,')
sleep 0.5
(($(cat log/game/*.log | grep -cE '^[0-9]+,result,') == played)) ||
    fail 'games are played that no schedule remembers'
rmdir log/match_optimizer.json.tmp

# meanwhile nobody else touches it
expect 3 'a second server' "$WARG" serve nlp -c main.yml --port 0
[[ $err == *'another server'* ]] || fail "a second server: $err"
expect 3 '-r while it is played' "$WARG" serve nlp -r -s main.yml -d main.yml
kill -TERM "$server"
ended disk 0
kill "${crowd[@]}" 2>/dev/null
wait "${crowd[@]}" 2>/dev/null
done=$(python3 -c 'import json; print(len(json.load(open("log/match_optimizer.json"))["ended_matches"]))')
results=$(cat log/game/*.log | grep -cE '^[0-9]+,result,')
((done == results)) || fail "$done matches ended, $results logs with a result"
[[ ! -e log/match_optimizer.json.lock ]] || fail 'the lock is left'

# ---- the schedule of another game is neither played nor written over ----

sed 's/self_match: true/self_match: false/; s/is_optimize: false/is_optimize: true/
     s/team_count: .*/team_count: 9/' "$config/default_en_9.yml" >nine.yml
cp log/match_optimizer.json before.json
expect 2 'a schedule for 5 players' "$WARG" serve nlp -c nine.yml --port 0
[[ $err == *seats* ]] || fail "a schedule for 5 players: $err"
cmp -s before.json log/match_optimizer.json || fail 'the schedule of 5 players is changed'

# ---- logs that speak to the terminal ----

printf '0,status,1,SEER,ALIVE,\033[31mx,\302\2332J\n0,talk,0,0,1,\033]0;x\007,1\n\033[2J\n' >bad.log
for verb in check show stats; do
    "$WARG" log "$verb" bad.log >"$verb.out" 2>"$verb.err"
    quiet_terminal "$verb.out" "$verb.err"
done

finish
