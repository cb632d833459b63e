#!/usr/bin/env bash
# The name of an agent that comes by itself stands in logs, whose fields end at commas, and in tables: a
# comma of it becomes '_'.
source "$(dirname "$0")/common.bash"

serve named --players 5 --games 2 --once --seed 3 --out named --format csv --agent 'bot:sample*4'
"$WARG" bot aiwolf --host 127.0.0.1 --port "$port" --name 'a,b,犬' --seed 1 --wait 20s >bot.out 2>bot.err ||
    fail "the agent: $(cat bot.err)"
wait "$server" || fail "the server: $(tail -n 5 named.err)"
server=
grep -q '^[^,]*a_b_犬,' named.out || grep -q ',a_b_犬,' named.out || fail "the table: $(cat named.out)"
for log in named/logs/*.log; do
    [[ $(grep -c '^0,status,[0-9]*,[A-Z]*,ALIVE,[^,]*$' "$log") == 5 ]] ||
        fail "$log: a status line has another number of fields: $(head -n 5 "$log")"
    grep -q '^0,status,.*,a_b_犬$' "$log" || fail "$log: the name: $(head -n 5 "$log")"
done
expect 0 'log check' "$WARG" log check named/logs
expect 0 'log stats' "$WARG" log stats --format csv named/logs
[[ $out == *'a_b_犬'* ]] || fail "log stats: $out"

finish
