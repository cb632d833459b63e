#!/usr/bin/env bash
# A model's server is gone for some sets only: those count for nobody, and are told of with the server's
# error, while those in which it made one decision itself count. The same follows while the contest is
# played, when it is gone on with, from its folder, and for both programs that audit it.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

launch port.txt server.txt python3 "$agents/model_players.py"
await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1

# cup MODEL: the file. Its sets are of two games, in each of which an agent keeps its seat.
cup()
{
    cat <<END
contest: sets
rules: aiwolf-2021
agents:
  - name: guest
    llm: {url: "http://127.0.0.1:$(cat port.txt)/v1", model: $1}
  - {bot: sample, name: a}
  - {bot: sample, name: b}
  - {bot: sample, name: c}
  - {bot: random, name: d}
limits: {time_limit: 1m, startup: 1m}
tables: 4
stages:
  - {name: first, players: 5, games_per_set: 2, sets: 26, advance: 5}
  - {name: final, players: 5, games_per_set: 2, sets: 26}
END
}

# follows FOLDER: that what its journal says, counted here, is what `warg standings` says.
follows()
{
    python3 - "$1" "$WARG" <<'END' || fail "$1: what is counted does not follow from the journal"
import collections, json, re, subprocess, sys
folder, warg = sys.argv[1:]
lines = [json.loads(line) for line in open(folder + "/journal.jsonl")]
plan = lines[0]["plan"]
for stage, name in enumerate(("first", "final")):
    sums = collections.defaultdict(lambda: [0, 0])
    games = [line for line in lines if line["record"] == "game" and line["stage"] == stage]
    for game in games:
        for seat in game["seats"]:
            sums[game["set"], seat["agent"]][0] += seat.get("decisions", 0)
            sums[game["set"], seat["agent"]][1] += seat.get("own", 0)
    for line in lines:
        told = re.match(r"decisions in stage (\d+), set (\d+), of (\S+): model decisions: (\d+) of (\d+) its own",
                        line.get("text", ""))
        if told and int(told[1]) == stage:
            sums[int(told[2]), told[3]][0] += int(told[5])
            sums[int(told[2]), told[3]][1] += int(told[4])
    gone = {number for (number, _), (decisions, own) in sums.items() if decisions and not own}
    counted = [game for game in games if game["set"] not in gone]
    assert plan.get("own_sets") and (gone or folder == "flaky") and counted, (gone, len(counted), dict(sums))
    text = subprocess.run([warg, "standings", folder, "--stage", name, "--format", "json"], capture_output=True).stdout
    said = json.loads(text)
    assert said["games"] == len(counted), (said["games"], len(counted), gone)
    assert said["villager_wins"] == sum(game["winner"] == "VILLAGER" for game in counted)
    for row in said["agents"]:
        assert row["games"] == len(counted), row
    told = said.get("not_counted", [])
    assert [each["sets"] for each in told] == [len(gone)] * bool(gone), told
    for each in told:
        assert each["agent"] == "guest" and each["first_set"] == min(gone), told
        assert folder == "flaky" or "no model for this seat" in each["error"], told
    guest = next(row for row in said["agents"] if row["name"] == "guest")
    assert guest["decisions"] == sum(d for (_, name), (d, _) in sums.items() if name == "guest"), guest
END
}

cup shy >cup.yml
expect 5 'some sets' timeout 600 "$WARG" run cup.yml --out cup -q
[[ $out$err == *'of stage first is not counted: no decision of guest was its model'* ]] || fail "not told: $out$err"
[[ $out$err == *"is not counted"*"its server's error: "*'no model for this seat'* ]] || fail "no error: $out$err"
follows cup
expect 5 'standings' "$WARG" standings cup
[[ $out == *'guest: no decision was its model'*'in sets that are therefore not counted: '* ]] || fail "standings: $out"
expect 5 'report' "$WARG" report cup
grep -q 'Sets that are not counted, for no decision of guest' cup/report.html || fail 'report: not told'
grep -q 'no model for this seat' cup/report.html || fail 'report: without the error'
expect 0 'bundle' "$WARG" bundle cup
expect 0 'audit' "$WARG" audit cup-bundle -q
expect 0 'the second program' python3 "$WARG_SOURCE/examples/audit.py" cup-bundle

# Gone on with after a kill in the middle of sets.
"$WARG" run cup.yml --out long -q >long.out 2>long.err &
run=$!
await_games 13 long
kill -9 $run 2>/dev/null
wait $run 2>/dev/null
until_true "$patience" no_agents 'bot aiwolf' || fail "left: $(own_agents 'bot aiwolf')"
expect 5 'resumed' timeout 600 "$WARG" run cup.yml --out long -q --resume
follows long
expect 0 'bundle of it' "$WARG" bundle long
expect 0 'audit of it' "$WARG" audit long-bundle -q
expect 0 'the second program on it' python3 "$WARG_SOURCE/examples/audit.py" long-bundle

# A rule takes more than half of the decisions, here and there all of a short set: one of its own is enough.
cup flaky >flaky.yml
expect 5 'few sets without' timeout 600 "$WARG" run flaky.yml --out flaky -q
follows flaky
finish
