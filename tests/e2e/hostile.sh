#!/usr/bin/env bash
# Hostile peers of `warg serve`: each costs only itself. While they come and go beside a table, its
# set is played as without them, bit by bit, nobody at it has a fault, the server's memory stays
# flat, and it plays with who comes next.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

most=120
export GAMES=100

# serve OUT PLAYERS SETS [OPTION...]
serve()
{
    local out=$1 players=$2 sets=$3
    shift 3
    (
        ulimit -n 200 # so that files run out, if they can
        exec "$WARG" serve aiwolf --port 0 -n "$players" -g "$GAMES" --sets "$sets" -o "$out" \
            --seed 7 --max-connections $most --time-limit 1m --format json "$@" \
            >"$out.json" 2>"$out.err"
    ) &
    server=$!
}

# ended OUT STATUS-OF-PEERS [STATUS]: the server's end, and what the peers said.
ended()
{
    local status
    (($2 == 0)) || fail "$1: $(cat "$1.peers")"
    (($2 == 0)) || kill $server
    wait $server
    status=$?
    ((status == ${3:-0})) || fail "$1: exit status $status: $(tail -n 5 "$1.err")"
    server=
    grep -E '^hostile:' "$1.peers"
}

# A sanitizer keeps memory for a while that was freed.
memory=--memory
if grep -qE '__(asan|tsan|msan)_init' "$WARG"; then
    echo 'hostile: skipped: flat memory, because this program was built with a sanitizer'
    memory=
fi

# ---- beside a table ----

serve quiet 5 2 --startup-limit 2s
timeout 100 python3 "$agents/hostile_peers.py" quiet.err $server $most >quiet.peers 2>&1
ended quiet $?
serve loud 5 2 --startup-limit 2s
timeout 200 python3 "$agents/hostile_peers.py" loud.err $server $most -a $memory ${VERBOSE:+-v} \
    >loud.peers 2>&1
ended loud $?

diff -r quiet/logs loud/logs >/dev/null || fail 'games were played otherwise beside hostile peers'
sed 's/"games_per_s":[0-9.]*//' quiet.json >quiet.txt
sed 's/"games_per_s":[0-9.]*//' loud.json | cmp -s - quiet.txt || fail 'results are others'
[[ $(find loud/logs -name '*.log' | wc -l) == $((2 * GAMES)) ]] || fail 'games are missing'
[[ -s loud/faults.jsonl ]] && fail "good agents have faults: $(head -n 3 loud/faults.jsonl)"

# ---- at a table: reset at every request ----

GAMES=20
serve seated 15 1 --startup-limit 10s
timeout 100 python3 "$agents/hostile_peers.py" seated.err $server $most -s >seated.peers 2>&1
ended seated $? 6 # two of them end in their first game
"$WARG" log check --quiet seated/logs >check.txt 2>&1 || fail "logs: $(head -n 3 check.txt)"
[[ $(find seated/logs -name '*.log' | wc -l) == 20 ]] || fail 'not every game was played'
python3 - <<'END' || fail "faults: $(cat seated/faults.jsonl)"
import json
faults = [json.loads(line) for line in open("seated/faults.jsonl")]
requests = "INITIALIZE DAILY_INITIALIZE TALK WHISPER VOTE DIVINE GUARD ATTACK DAILY_FINISH FINISH"
assert sorted(f["agent"] for f in faults) == sorted(requests.split())
assert all(f["fatal"] and f["kind"] == "disconnect" for f in faults)
END

# ---- too few files for the connections that are asked for ----

(
    ulimit -n 100
    exec timeout 60 "$WARG" serve aiwolf --port 0 -n 5 -g 1 --once --max-connections 4096 \
        >few.txt 2>few.err
) &
server=$!
timeout 60 python3 "$agents/crowd.py" few.err 5 >few.peers 2>&1 || fail "few files: $(cat few.peers)"
wait $server || fail "few files: $(cat few.err)"
grep -q 'at most 50 connections, not 4096: the system allows 100 open files' few.err ||
    fail "few files: $(cat few.err)"
finish
