#!/usr/bin/env bash
# Random play of clients through the server, with logs on, reproduces the engine's statistics: what
# `warg log stats` says of the server's logs is what `warg run` says of its own random bots.
#
# All seeds are fixed, so a run repeats. The bound is 5.5 standard errors of the difference: with
# other seeds, a server that is right fails one of the six comparisons with probability 2.3e-7.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
if is_sanitized; then
    echo 'skipped: figures of chance are the same under a sanitizer'
    exit 77
fi

# compare PLAYERS GAMES
compare()
{
    local players=$1 games=$2
    launch served.csv err.txt "$WARG" serve aiwolf --port 0 -n "$players" -g "$games" --once -o "out$players" --seed 42 \
        --time-limit 1m --startup-limit 1m --format csv
    timeout 200 python3 "$agents/crowd.py" err.txt "$players" >crowd.txt 2>&1 ||
        fail "$players players: the clients failed: $(cat crowd.txt)"
    [[ -e $work/failed ]] && exit 1
    wait $server || fail "$players players: exit status $?: $(tail -n 3 err.txt)"
    server=
    "$WARG" log check --quiet "out$players/logs" >check.txt 2>&1 || fail "logs: $(head -n 3 check.txt)"
    "$WARG" log stats --format json "out$players/logs" >wire.json || fail 'log stats'
    "$WARG" run -q -n "$players" -g $((games * 20)) -s 43 -a "bot:random*$players" --format json \
        >engine.json || fail 'run'
    python3 - "$players" "$games" "out$players" <<'END' || fail "$players players: see above"
import json, math, sys
players, games, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
wire, engine = json.load(open("wire.json")), json.load(open("engine.json"))
assert wire["games"] == games and engine["games"] == 20 * games
assert not open(out + "/faults.jsonl").read(), "an agent has failed"

records = [json.loads(line) for line in open(out + "/journal.jsonl")]
records = [r for r in records if r["record"] == "game"]
days = [r["last_day"] for r in records]
mean = sum(days) / games
rate = wire["villager_win_rate"]
revote = wire["revote_rate"]
assert abs(wire["mean_days"] - mean) < 1e-4
# Revotes are counted by day: the error of a ratio of two sums over independent games.
voted = sum(r["execution_days"] for r in records)
spread = sum((r["revote_days"] - revote * r["execution_days"]) ** 2 for r in records)
errors = {
    "villager_win_rate": math.sqrt(rate * (1 - rate) / games),
    "mean_days": math.sqrt(sum((d - mean) ** 2 for d in days)) / games,
    "revote_rate": math.sqrt(spread) / voted,
}
bad = 0
for what, error in errors.items():
    error *= math.sqrt(1 + 1 / 20)
    off = (wire[what] - engine[what]) / error
    print("wire-stats: %d players, %s: %.4f over the wire, %.4f in the engine: %+.2f standard "
          "errors" % (players, what, wire[what], engine[what], off))
    bad |= abs(off) > 5.5
sys.exit(bad)
END
}

compare 5 600
compare 15 240
finish
