#!/usr/bin/env bash
# Rooms over the real server: five people at telephones play each division to its end, come and go,
# and one more game by the same link; what nobody may do; the QR code, where something can read it.
# shellcheck source=tests/e2e/common.bash
. "$(dirname "$0")/common.bash"

command -v python3 >/dev/null || {
    echo 'room: there is no python3 here'
    exit 77
}
PYTHONPATH=$agents
export PYTHONPATH

# begin NAME ROOMS ARGUMENT...: a server; $server is its process, $at its address, $codes its rooms.
begin()
{
    local name=$1 rooms=$2
    shift 2
    "$WARG" "$@" >"$name.out" 2>"$name.err" &
    server="$server $!"
    until_true "$patience" rooms_are_told "$name.out" "$rooms" || fail "$name: $(cat "$name.out" "$name.err")"
    at=$(grep -oE '127\.0\.0\.1:[0-9]+/web/r' "$name.out" | head -n 1)
    at=${at%%/*}
    mapfile -t codes < <(grep -oE '/web/r/[A-Z0-9]{6}' "$name.out" | sed 's,.*/,,')
}

rooms_are_told()
{
    (($(grep -c '^room: ' "$1") == $2))
}

quick='answer_s=5 pause_min_ms=5 pause_max_ms=60'
begin web 5 web --port 0 --operator-file operator.key \
    --room "division=nlp players=9 people=5 rules=nlp-turn $quick" \
    --room "division=protocol players=5 people=5 $quick" \
    --room "division=maw players=7 people=5 talk_s=8" \
    --room "division=nlp players=5 people=2 rules=nlp-anytime talk_s=4 answer_s=4 pause_min_ms=300 pause_max_ms=900" \
    --room "division=nlp players=5 people=3 start=hand ${quick/answer_s=5/answer_s=15}"
[[ ${#codes[@]} == 5 ]] || fail "rooms: ${codes[*]}"
[[ $(grep -c 'only this machine reaches it' web.out) == 1 ]] || fail 'who can reach the rooms is said once'
[[ ${codes[*]} =~ [01OIL] ]] && fail "letters that look alike: ${codes[*]}"

declare -A phones
play() { python3 "$agents/phones.py" "$at" "$@" >"phones-$1.txt" 2>&1 & phones[$1]=$!; }
play "${codes[0]}" 5
play "${codes[1]}" 5
play "${codes[2]}" 5
play "${codes[3]}" 3 2 # one waits for the second game
rooms_at=$at rooms=("${codes[@]}")

# At the same time on a natural-language server, with its characters, its logs, its pages; and among models.
sed 's/port: 8080/port: 0/' "$WARG_SOURCE/config/nlp/default_en_5.yml" >c.yml
begin nlp 1 serve nlp -c c.yml --web 0 --room "people=2 $quick"
play "${codes[0]}" 2
nlp_at=$at of_nlp=${codes[0]}
begin models 1 web --port 0 --fill-with llm:demo --room "people=1 fill=llm:demo $quick"
play "${codes[0]}" 1
of_models=${codes[0]}

python3 "$agents/room_attacks.py" "$rooms_at" "${rooms[4]}" "$(cat operator.key)" >attacks.txt 2>&1 ||
    fail "attacks: $(tail -n 20 attacks.txt)"
for code in "${rooms[@]:0:4}"; do
    wait "${phones[$code]}" || fail "phones of $code: $(tail -n 8 "phones-$code.txt")"
    grep -q '"hidden": [1-9]' "phones-$code.txt" || fail "nothing of $code was hidden: $(cat "phones-$code.txt")"
    grep -q '"taken": [1-9]' "phones-$code.txt" || fail "nobody of $code was heard: $(cat "phones-$code.txt")"
done
# Where all is slow nobody of a room may come to say a word of its own.
grep -q '"own": [1-9]' phones-*.txt || fail "the taps are deaf: $(cat phones-*.txt)"
grep -q '"planted": [1-9]' phones-*.txt || fail 'nothing was whispered that others could have heard'
grep -q '"cuts": [1-9]' phones-*.txt || fail 'no connection was cut'
grep -q '"stale": [1-9]' phones-*.txt || fail 'no answer was late'
grep -c '"games": 2' "phones-${rooms[3]}.txt" | grep -qx 3 || fail "two games: $(cat "phones-${rooms[3]}.txt")"
grep -q "$(cat operator.key)" web.out web.err && fail 'the secret is printed although a file keeps it'
grep -qE 'warg_seat|[0-9a-f]{32}' web.err && fail "a cookie is in the log: $(grep -E '[0-9a-f]{32}' web.err | head -n 2)"
wait "${phones[$of_nlp]}" || fail "phones of serve nlp: $(cat "phones-$of_nlp.txt")"
wait "${phones[$of_models]}" || fail "among models: $(cat "phones-$of_models.txt")"
game_log_is_there()
{
    compgen -G 'log/game/*[0-9]*' >/dev/null
}
until_true "$patience" game_log_is_there || fail "no game log: $(ls log/*)"
curl -s "http://$nlp_at/web/api/home" >home.txt
grep -q '"rooms":\[{"code"' home.txt || fail "home has no rooms: $(head -c 300 home.txt)"
# shellcheck disable=SC2086 # a list of processes
kill $server
server=

# What can't be is said before anything listens for long.
expect 2 'a room that can not be' "$WARG" web --port 0 --room 'players=99'
[[ $err == *'players is 3 to 30'* ]] || fail "players=99: $err"
expect 2 'more people than seats' "$WARG" web --port 0 --room 'players=5 people=9'
[[ $err == *'9 people do not fit on 5 seats: at most 5'* ]] || fail "people=9: $err"
expect 2 'words of no room' "$WARG" web --port 0 --room 'colour=red'
expect 2 '--room without --web' "$WARG" serve nlp -c c.yml --port 0 --room 'people=2'
expect 2 '--fill-with alone' "$WARG" web --port 0 --fill-with llm:demo .

# On a terminal, for telephones of the same network: the code says the link.
if command -v zbarimg >/dev/null && command -v script >/dev/null && [[ $(hostname -I 2>/dev/null) ]]; then
    timeout 60 script -qc "timeout 5 $WARG web --host 0.0.0.0 --port 0 --room people=2" /dev/null >qr.txt
    python3 - <<'PYTHON'
import re
lines = [m.group(1) for m in re.finditer("\x1b\\[30;47m(.*?)\x1b", open("qr.txt", encoding="utf-8").read())]
rows = [row for line in lines for row in ([c in "█▀" for c in line], [c in "█▄" for c in line])]
with open("qr.pgm", "wb") as out:
    out.write(b"P5 %d %d 255\n" % (8 * len(rows[0]), 8 * len(rows)))
    for row in rows:
        out.write(b"".join(bytes([0 if dark else 255]) * 8 for dark in row) * 8)
PYTHON
    link=$(grep -oE 'http://[^ ]*/web/r/[A-Z0-9]{6}' qr.txt | head -n 1)
    [[ $(zbarimg -q --raw qr.pgm) == "$link" ]] || fail "the code says '$(zbarimg -q --raw qr.pgm)', the link is '$link'"
fi

finish
