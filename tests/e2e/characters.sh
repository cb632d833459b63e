#!/usr/bin/env bash
# No name sticks to an agent: whose character is whose is drawn anew for each game of the natural-language
# division, each character as often for every team (docs/spec/models.md 3).
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

bots=()
trap 'kill $server "${bots[@]}" 2>/dev/null; rm -rf "$work"' EXIT

sed -e 's/^  port: .*/  port: 0/' -e 's/self_match: true/self_match: false/' \
    "$WARG_SOURCE/config/nlp/default_en_5.yml" >cup.yml
launch cup.out cup.err "$WARG" serve nlp -c cup.yml --games 150
await 'a server' cup.err 'listening on' || exit 1
port=$(grep -m 1 -oE 'listening on [^ ]*:[0-9]+' cup.err | grep -oE '[0-9]+$')
for team in ann ben cho dai eve; do
    "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws" --quiet --team "$team" -n 1 --reconnect --retry 20ms \
        >"$team.txt" 2>&1 &
    bots+=($!)
done
wait "$server" || fail "the server: $(tail -n 3 cup.err)"
server=

# The sum of squares has a mean of 23 here; 100 is beyond it once in 10^11 times.
python3 - <<'PYTHON' || fail 'a name sticks'
import collections, glob
counts = collections.defaultdict(collections.Counter)
for path in glob.glob("log/game/*.log"):
    for line in open(path, encoding="utf-8"):
        day, kind, *rest = line.rstrip("\n").split(",")
        if (day, kind) == ("0", "status"):
            counts[rest[3]][rest[4]] += 1
names = {name for each in counts.values() for name in each}
assert len(counts) == 5 and len(names) == 24, (len(counts), len(names))
for team, each in counts.items():
    games = sum(each.values())
    assert games == 150, (team, games)
    squares = sum((each[name] - games / len(names)) ** 2 / (games / len(names)) for name in names)
    assert squares < 100, (team, squares, each)
PYTHON

finish
