#!/usr/bin/env bash
# A stage in blocks: every agent plays every deal from every seat, the audits of warg and of the second
# program follow it, the comparison over equal deals is what a third program makes of the journal, models'
# games are played again from their exchange records; a deal that is told wrongly is found.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# cup SETS: the file.
cup()
{
    cat <<END
contest: cup
rules: aiwolf-2021
agents:
  - {bot: sample}
  - {bot: random, name: bob}
  - {bot: sample, name: cat}
  - {bot: random, name: dan}
  - {bot: sample, name: eve}
  - {bot: sample, name: fay}
stages:
  - {players: 5, pairing: rotate, blocks: true, games_per_set: 3, sets: $1}
END
}

# ---- whether it closes ----

cup 30 >cup.yml
expect 0 'closes' "$WARG" run cup.yml --dry-run
has 'in blocks of 6; in a block every agent plays the same 3 deals' 'closes'
has 'every seat in every role of the table 3 times' 'closes'
cup 24 >open.yml
expect 0 'does not close' "$WARG" run open.yml --dry-run
has 'The blocks close (seats and roles, each for itself), the square does not' 'does not close'
has 'after 30 sets and its multiples; the next is 30' 'does not close'
cup 25 >half.yml
expect 0 'half a block' "$WARG" run half.yml --dry-run
has 'The last block does not close' 'half a block'
sed '/sets:/s/, sets: 30//' cup.yml >one.yml
expect 0 'one block' "$WARG" run one.yml --dry-run
has '18 games' 'one block'

# ---- what is played ----

expect 0 'the contest' "$WARG" run cup.yml -o cup -q
expect 0 'audit' "$WARG" audit cup -q
has 'everything follows from the commitment' 'audit'
expect 0 'bundle' "$WARG" bundle cup
expect 0 'the second program' python3 "$WARG_SOURCE/examples/audit.py" cup-bundle
has '90 with the seats and roles of their keys' 'the second program'
expect 0 'paired' "$WARG" standings cup --paired --format csv
cp out.txt paired.csv
python3 - <<'END' || fail 'deals, or the comparison'
import csv, json, statistics
from collections import Counter, defaultdict
games = [g for g in map(json.loads, open("cup/journal.jsonl")) if g["record"] == "game"]
held, dealt, won = Counter(), {}, defaultdict(dict)
for game in games:
    roles = [seat["role"] for seat in game["seats"]]
    assert dealt.setdefault(game["deal"], roles) == roles, game
    for number, seat in enumerate(game["seats"], 1):
        held[seat["agent"], number, seat["role"]] += 1
        side = "WEREWOLF" if seat["role"] in ("WEREWOLF", "POSSESSED") else "VILLAGER"
        assert number not in won[game["deal"], seat["agent"]]  # once from each seat
        won[game["deal"], seat["agent"]][number] = side == game["winner"]
assert len(dealt) == 15 and len(won) == 90 and all(len(seats) == 5 for seats in won.values())
assert all(n == (6 if role == "VILLAGER" else 3) for (_, _, role), n in held.items()) and len(held) == 6 * 5 * 4
rows = [row for row in csv.DictReader(open("paired.csv")) if row["side"] == "all"]
assert len(rows) == 15, rows
for row in rows:
    of = [(sum(won[d, row["a"]].values()) - sum(won[d, row["b"]].values())) / 5 for d in range(15)]
    half = 2.144787 * statistics.stdev(of) / 15 ** 0.5  # Student, 14 degrees
    for what, is_so in (("difference", statistics.mean(of)), ("low", statistics.mean(of) - half),
                        ("high", statistics.mean(of) + half)):
        assert abs(float(row[what]) - is_so) < 1e-4, (row, what, is_so)
END
expect 0 'one game again' "$WARG" run cup.yml --replay cup --game 44 -l again -q
cmp -s again/044.log cup/logs/044.log || fail 'one game again: another log'
expect 0 'no blocks' "$WARG" run -n 5 -g 10 -q -o plain
expect 0 'no blocks' "$WARG" standings plain --paired
has 'give the stage blocks: true' 'no blocks'

# Two folders have other deals, whatever their numbers.
expect 0 'another' "$WARG" run one.yml -o other -q
expect 0 'two folders' "$WARG" standings cup other --paired --format csv
has ',all,18,' 'two folders'

# ---- a deal that is told wrongly ----

cp -r cup lie
python3 - <<'END'
import json, zlib
lines = []
for line in map(json.loads, open("lie/journal.jsonl")):
    line.pop("crc")
    if line.get("game") == 7 and line["record"] == "game":
        line["deal"] += 1
    body = json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1]
    lines.append(f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}\n')
open("lie/journal.jsonl", "w").write("".join(lines))
END
expect 1 'a deal that is a lie' "$WARG" audit lie -q
has 'game 7 is not of the deal that its line says' 'a deal that is a lie'

# ---- models ----

cat >models.yml <<'END'
agents:
  - {llm: demo, name: ann}
  - {llm: demo, name: bea}
  - {bot: sample, copies: 3}
limits: {time_limit: 1m, startup: 1m}
tables: 2
stages:
  - {players: 5, pairing: rotate, blocks: true, games_per_set: 1, sets: 5}
END
expect 0 'models' timeout 300 "$WARG" run models.yml -o models -q
expect 0 'models, audited' "$WARG" audit models -q
has 'everything follows from the commitment' 'models, audited'
seat=$(sed -n 's/.*"game":3,.*"seats":\[//p' models/journal.jsonl | grep -o '"agent":"[^"]*"' | grep -n ann | cut -d: -f1)
expect 0 'the packets of a game' "$WARG" log exchange models/3 --seat "$seat" --json
has '"packet":' 'the packets of a game'
expect 0 'models, compared' "$WARG" standings models --paired --format csv
has ',all,1,' 'models, compared'

# A program could remember a deal.
cat >program.yml <<'END'
agents:
  - {name: ann, command: "true {port}"}
  - {bot: sample, copies: 4}
stages:
  - {players: 5, pairing: rotate, blocks: true}
END
expect 2 'a program' "$WARG" run program.yml -q
has 'is a program that could remember them' 'a program'
finish
