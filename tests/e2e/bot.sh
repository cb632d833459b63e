#!/usr/bin/env bash
# `warg bot aiwolf`: our bots as agents on TCP play whole sets with `warg serve aiwolf`, the same
# play for the same seed, and end with the right status when the server does what it should not.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# served STATUS WHAT: waits for the server.
served()
{
    wait "$server"
    local got=$?
    ((got == $1)) || fail "$2: the server's exit status is $got, expected $1: $(cat ./*.err)"
}

# ---- a set of fifteen ----

set=8 long=40 cut_at=20
is_sanitized && set=3 long=12 cut_at=10

for run in first again; do
    serve "$run" --players 15 --games $set --once --out "$run" --seed 3
    expect 0 "$run: fifteen bots" "$WARG" bot aiwolf -h 127.0.0.1 -p "$port" -n sam -c 15 -s 1
    served 0 "$run"
    [[ $(grep -c "^sam[0-9]*: $set games, " out.txt) == 15 ]] || fail "$run: every bot plays: $out"
    expect 0 "$run: logs are legal" "$WARG" log check "$run/logs"
    [[ $(find "$run/logs" -name '*.log' | wc -l) == "$set" ]] || fail "$run: one log per game"
    ! grep -q . "$run/faults.jsonl" || fail "$run: faults: $(head -n 3 "$run/faults.jsonl")"
done
# Seats are drawn among names as they came in, so games are compared only when they agree there.
names()
{
    cut -d , -f 6 <(head -n 15 "$1/logs/"*0.log | grep ,status,)
}
if [[ $(names first) == "$(names again)" ]]; then
    diff -r first/logs again/logs >/dev/null || fail 'the same seeds and seats give other games'
fi

# They play as the bots inside the program do.
if ! is_sanitized; then
    serve figures --players 5 --games 300 --once --seed 9 --format json
    expect 0 'five bots' "$WARG" bot aiwolf -p "$port" -c 5 -s 2
    served 0 'five bots'
    expect 0 'bots inside' "$WARG" run --players 5 --games 2000 --seed 9 --format json -q
    python3 - figures.out out.txt <<'END' || fail 'the bots play otherwise than inside the program'
import json, sys
outside, inside = (json.load(open(name)) for name in sys.argv[1:])
assert outside["games"] == 300, outside["games"]
rates = outside["villager_win_rate"], inside["villager_win_rate"]
assert abs(rates[0] - rates[1]) < 0.12, rates
assert abs(outside["mean_days"] - inside["mean_days"]) < 0.25
END
fi

# ---- beside other agents, and set after set ----

serve mixed --players 5 --games 3 --sets 2 --out mixed --agent 'bot:random*3'
expect 0 'two sets' "$WARG" bot aiwolf -p "$port" --count 2 --bot random --repeat --wait 1s
served 0 'two sets'
[[ $(grep -c '^random[12]: 6 games' out.txt) == 2 ]] || fail "two sets: $out"
expect 0 'two sets: logs are legal' "$WARG" log check mixed/logs

# A server that is killed and resumed sees the same play: as if nothing had happened.
serve whole --players 15 --games $long --once --out whole --seed 5
expect 0 'whole' "$WARG" bot aiwolf -p "$port" -n sam -c 15 -s 1
served 0 'whole'
# Killed while it puts a log in its place.
WARG_DISK_FAULT="rename $cut_at once 0" WARG=$WARG_FAULTS serve cut --players 15 --games $long --once --out cut --seed 5
"$WARG" bot aiwolf -p "$port" -n sam -c 15 -s 1 --repeat --wait 20s >cut.bots 2>&1 &
bots=$!
wait "$server" 2>/dev/null
left=$(find cut/logs -name '*.log' | wc -l)
((left > 3 && left < long)) || fail "killed behind $left games"
"$WARG" serve aiwolf --port "$port" --time-limit 20s --startup-limit 60s --players 15 --games $long --once --out cut --seed 5 --resume \
    >resumed.out 2>resumed.err || fail "resume: $(cat resumed.err)"
kill -INT "$bots" # they wait for another set
wait "$bots"
got=$?
((got == 0 || got == 130)) || fail "the bots of a resumed server: exit status $got: $(cat cut.bots)"
[[ $(find cut/logs -name '*.log' | wc -l) == "$long" ]] || fail 'a resumed server plays all games'
if [[ $(names whole) == "$(names cut)" ]]; then
    diff -r whole/logs cut/logs >/dev/null || fail 'a resumed server sees other play'
fi

# ---- servers that do what they should not ----

# peer LINE...: a server for one connection that says these lines and ends it; @N is N bytes.
peer()
{
    rm -f peer.port
    python3 - "$@" 2>peer.err >peer.port <<'END' &
import socket, sys
s = socket.create_server(("127.0.0.1", 0))
s.settimeout(20)
print(s.getsockname()[1], flush=True)
c, _ = s.accept()
for line in sys.argv[1:]:
    c.sendall((b"x" * int(line[1:]) if line[0] == "@" else line.encode()) + b"\n")
c.shutdown(socket.SHUT_WR)
while c.recv(4096):
    pass
END
    server=$!
    await 'peer' peer.port '[0-9]' || exit 1
    port=$(cat peer.port)
}

packet()
{
    printf '{"gameInfo":null,"gameSetting":null,"request":"%s","talkHistory":null,"whisperHistory":null}' "$1"
}

peer
expect 3 'an end without a word' "$WARG" bot aiwolf -p "$port"
[[ $err == *'without a word'* ]] || fail "an end without a word: $err"
wait "$server"
peer "$(packet NAME)"
expect 3 'an end before the game' "$WARG" bot aiwolf -p "$port"
[[ $err == *'behind NAME'* ]] || fail "an end before the game: $err"
wait "$server"
peer 'HTTP/1.1 400 Bad Request'
expect 3 'no packet' "$WARG" bot aiwolf -p "$port"
[[ $err == *'packet: not JSON'* ]] || fail "no packet: $err"
wait "$server"
peer "$(packet TALK)"
expect 3 'TALK before a game' "$WARG" bot aiwolf -p "$port"
[[ $err == *'TALK before any INITIALIZE'* ]] || fail "TALK before a game: $err"
wait "$server"
peer @20000000
expect 3 'a long line' "$WARG" bot aiwolf -p "$port"
[[ $err =~ 'a packet of more than '[0-9]+' bytes' ]] || fail "a long line: $err"
wait "$server"
expect 3 'nobody there' "$WARG" bot aiwolf -p "$port" --wait 0s
[[ $err == *"can't connect to 127.0.0.1:$port: is the server running?"* ]] ||
    fail "nobody there: $err"

# A bot that is started before its server waits for it.
"$WARG" bot aiwolf -p "$port" -c 5 --wait 30s >early.out 2>early.err &
bots=$!
"$WARG" serve aiwolf --port "$port" --time-limit 20s --startup-limit 60s --players 5 --games 2 --once >/dev/null 2>late.err
got=$?
wait "$bots" || fail "bots before the server: $(cat early.err)"
((got == 0)) || fail "a server behind its bots: $got, $(cat late.err)"

# ---- the command line ----

expect 0 'help' "$WARG" bot aiwolf --help
[[ $out == *'-h, --host HOST'* && $out == *'      --help'* ]] || fail "help: $out"
expect 2 'unknown bot' "$WARG" bot aiwolf --bot smaple
[[ $err == *"did you mean 'sample'"* ]] || fail "unknown bot: $err"
expect 2 '-h without a host' "$WARG" bot aiwolf -h
expect 2 'unknown role' "$WARG" bot aiwolf --role CLOWN

finish
