#!/usr/bin/env bash
# A language model of which a rule takes some decisions: below --own-share, the contest file's own_share or
# 90 % it is warned of and the exit status is 5, at it and above it is not. The folder keeps what its file said.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

launch port.txt server.txt python3 "$agents/model_players.py"
await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1

# cup [OWN_SHARE]: the file; the same games each time, for the model answers by what it is asked.
cup()
{
    cat <<END
contest: share
rules: aiwolf-2021
seed: 11
$1
agents:
  - llm: {url: "http://127.0.0.1:$(cat port.txt)/v1", model: flaky}
  - {bot: sample, copies: 4}
limits: {time_limit: 1m, startup: 1m}
tables: 4
stages:
  - {players: 5, games_per_set: 3, sets: 4}
END
}

warned="decisions were its model's own, a rule took the others"
cup '' >usual.yml
expect 5 'the usual share' timeout 600 "$WARG" run usual.yml --out usual -q
[[ $out == *"$warned"* ]] || fail "the usual share: no warning: $out"
expect 5 'as JSON' "$WARG" standings usual --format json
python3 - out.txt >share.txt <<'END' || fail "own decisions: $out"
import json, sys
row = next(a for a in json.load(open(sys.argv[1]))["agents"] if a["name"] == "flaky")
own, all = row["own_decisions"], row["decisions"]
assert 0 < own < 0.9 * all, row
print(100 * own // all)
END
reached=$(cat share.txt)

# Both sides of it, by each way to say it.
expect 0 'standings, reached' "$WARG" standings usual --own-share "$reached"
[[ $out != *"$warned"* ]] || fail "standings, reached: a warning: $out"
expect 5 'standings, not reached' "$WARG" standings usual --own-share $((reached + 1))
[[ $out == *"$warned"* ]] || fail "standings, not reached: no warning: $out"
expect 0 'report, reached' "$WARG" report usual --own-share "$reached"
! grep -q 'class="note warn"' usual/report.html || fail 'report, reached: a warning'
expect 5 'report, not reached' "$WARG" report usual --own-share $((reached + 1))
grep -q 'class="note warn"' usual/report.html || fail 'report, not reached: no warning'
# Of other runs the share is about the same, two fifths of some 120 decisions: answers depend on what each request
# says. 15 is six standard errors below that.
expect 0 'run, reached' timeout 600 "$WARG" run usual.yml --own-share 15 -q
[[ $out != *"$warned"* ]] || fail "run, reached: a warning: $out"
expect 5 'run, not reached' timeout 600 "$WARG" run usual.yml --own-share 95 -q
[[ $out == *"$warned"* ]] || fail "run, not reached: no warning: $out"
cup 'own_share: 15' >low.yml
expect 0 'file, reached' timeout 600 "$WARG" run low.yml --out low -q
expect 0 'the folder of it' "$WARG" standings low
expect 0 'its report' "$WARG" report low
expect 5 'another share' "$WARG" standings low --own-share 95
cup 'own_share: 95' >high.yml
expect 5 'file, not reached' timeout 600 "$WARG" run high.yml --out high -q
expect 0 'the option stands above the file' timeout 600 "$WARG" run high.yml --own-share 15 -q
expect 2 'no share' "$WARG" standings low --own-share 101
expect 2 'no share' "$WARG" standings low --own-share 0
finish
