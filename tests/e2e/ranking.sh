#!/usr/bin/env bash
# Who is ranked and goes on: an agent that never played, or breaks off in every game, is not, and the
# exit status says so, of `run` and of `standings`; what was not its own play stands beside its rank.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

bad="exec python3 $agents/bad_agent.py -h {host} -p {port} -n {name}"
cat >cup.yml <<END
contest: cup
rules: {ruleset: aiwolf-2021, contest: {time_limit_ms: 20000, games_per_set: 2}}
limits: {startup: 20s}
agents:
  - {bot: sample, name: a, copies: 1}
  - {bot: sample, name: b}
  - {bot: sample, name: c}
  - {bot: sample, name: d}
  - {bot: sample, name: e}
  - {name: absent, command: "exit 3; : {port}"}
  - {name: breaks, command: "$bad --at VOTE --do exit"}
  - {name: rude, command: "$bad --at TALK --do foreign"}
stages:
  - {name: preliminary, players: 8, sets: 2, advance: 6}
  - {name: final, players: 5, sets: 2}
END

expect 6 "a contest with an agent that never plays" \
    timeout 120 "$WARG" run -q cup.yml -s 1 --out cup --format json
python3 - <<'END' || fail "the result in JSON: $out"
import json
r = json.load(open("out.txt"))
assert r["stage"] == "final", r["stage"]
names = {a["name"] for a in r["agents"]}
assert len(names) <= 6 and not names & {"absent", "breaks"}, names
assert r["status"] == "agent-not-ranked"   # what run ends with: of all stages
END
expect 0 "the final as JSON" "$WARG" standings cup --format json
grep -q '"status":"ok"' out.txt || fail "the final as JSON: $out"
grep -q 'stage preliminary' err.txt && fail "a quiet run tells of a stage"

expect 6 "standings of it" "$WARG" standings cup --stage preliminary
line=$(grep -E '^ +- +absent ' out.txt)
[[ $line == *" 4 "* ]] || fail "absent is in the table without a rank, with its 4 substituted games: $line"
grep -qE '^ +- +breaks ' out.txt || fail "who breaks off in every game has no rank: $out"
grep -qE '^ +[1-6] +rude ' out.txt || fail "who only talks nonsense is ranked: $out"
grep -q '^stage preliminary: 4 games, 8 agents' out.txt || fail "the heading names the stage: $out"
grep -q '^not ranked: absent: never played a game of its own' out.txt || fail "why absent is not ranked: $out"
grep -qE '#  agent .*substituted +violations +faults' out.txt || fail "columns beside the rank: $out"
expect 6 "standings as CSV" "$WARG" standings cup --stage preliminary --format csv
python3 - <<'END' || fail "standings as CSV: $out"
import csv
rows = {r["agent"]: r for r in csv.DictReader(open("out.txt"))}
assert rows["absent"]["rank"] == "" and rows["absent"]["own_games"] == "0"
assert rows["absent"]["substituted"] == "4" and int(rows["absent"]["faults"]) >= 2
assert rows["breaks"]["rank"] == "" and rows["breaks"]["substituted"] == "4"
assert int(rows["rude"]["violations"]) > 0 and rows["rude"]["own_games"] == "4"
assert rows["rude"]["rank"] != "" and rows["rude"]["stage"] == "preliminary"
assert [r["rank"] for r in csv.DictReader(open("out.txt"))][-2:] == ["", ""]
END
expect 6 "standings as JSON" "$WARG" standings cup --stage preliminary --format json
grep -q '"status":"agent-not-ranked"' out.txt || fail "the status as a word: $out"

# Strengths of substitutes are nobody's; and the faults of all stages are shown, as run says.
expect 6 "ratings" "$WARG" standings cup --stage preliminary --ratings
grep -qE '^absent +4 .* - +- +-$' out.txt || fail "absent has a strength: $out"
grep -q '^not ranked: absent: never played a game of its own' out.txt || fail "ratings say who is not ranked: $out"
[[ $(awk '/^agent/ {on = 1; next} /^$/ {if (on) exit} on {name = $1} END {print name}' <<<"${out#*$'\n\n'}") =~ absent|breaks ]] ||
    fail "who is not ranked stands behind the others: $out"
expect 6 "ratings as JSON" "$WARG" standings cup --stage preliminary --ratings --format json
python3 - <<'END' || fail "ratings as JSON: $out"
import json
r = json.load(open("out.txt"))
assert r["stage"] == "preliminary" and r["status"] == "agent-not-ranked"
agents = {a["name"]: a for a in r["agents"]}
assert agents["absent"]["rank"] is None and agents["absent"]["strength"] is None
assert agents["a"]["rank"] and isinstance(agents["a"]["strength"], int)
END
expect 0 "ratings of the final" "$WARG" standings cup --ratings
expect 0 "faults" "$WARG" standings cup --faults
[[ $(grep '^stage ' out.txt) == $'stage final\nstage preliminary' ]] || fail "faults of all stages: $out"
grep -qE '^absent +4 +4 ' out.txt || fail "the faults of who did not go on: $out"
expect 0 "the final alone" "$WARG" standings cup --stage final
expect 6 "a report of all stages" "$WARG" report cup
[[ -s cup/report.html ]] || fail "the report is written all the same"
expect 0 "what report may end with" "$WARG" report --help
grep -q '^  6  an agent never played' out.txt || fail "report --help: $out"
expect 0 "what commands may end with" "$WARG" --help
grep -q '6 an agent is not ranked' out.txt || fail "--help: $out"
expect 6 "all stages" "$WARG" standings cup
[[ $(grep -n '^stage ' out.txt | cut -d: -f2- | cut -d: -f1) == $'stage final\nstage preliminary' ]] ||
    fail "the last stage leads: $out"

# Its end and its beginning agree: nothing is played again, and the answer is the same.
expect 6 "resumed at its end" timeout 120 "$WARG" run -q cup.yml -s 1 --out cup --resume --format json
[[ $(grep -c '"record":"game"' cup/journal.jsonl) == 8 ]] || fail "games were played twice"

# Too few are left for the final: it is not played, and the reason is said.
sed 's/players: 5, sets: 2}/players: 7, sets: 2}/; s/advance: 6/advance: 7/' cup.yml >short.yml
expect 6 "a final without enough agents" timeout 120 "$WARG" run -q short.yml -s 1
grep -q 'stage final needs 7 agents, but only 6 are ranked' err.txt || fail "why there is no final: $err"

# A set of its own agents and one that never comes: the same status, and a lost output before it.
expect 6 "run without a file" timeout 60 "$WARG" run -q -n 5 -g 1 -s 1 -a 'bot:sample*4' -a 'name=x,cmd=exit 1'
[[ ! -e /dev/full ]] || expect 3 "a result that can't be written" \
    bash -c 'timeout 60 "$WARG" run -q -n 5 -g 1 -s 1 -a "bot:sample*4" -a "name=x,cmd=exit 1" >/dev/full'
expect 0 "agents that all play" "$WARG" run -q -n 5 -g 10 -s 1

# --min-games holds beside --sets, as in a contest file.
expect 0 "sets and a least number" "$WARG" run -q -n 5 --sets 2 --games-per-set 5 --min-games 5 -s 1 -a 'bot:sample*5' --out least
grep -q '"min_games":5' <(head -n 1 least/journal.jsonl) || fail "--min-games beside --sets is not in the plan"
expect 2 "fewer sets than --min-games needs" "$WARG" run -q -n 5 --sets 1 --games-per-set 5 --min-games 6 -s 1 -a 'bot:sample*5'
[[ $err == *'fewer than min_games 6'* ]] || fail "fewer sets than --min-games needs: $err"

# Where sets are forfeited, no substitute plays, and the end does not say so.
timeout 60 "$WARG" run -n 5 -g 4 -s 1 --on-fault forfeit-set -a 'bot:sample*4' -a 'name=x,cmd=exit 1' >out.txt 2>&1
grep -q 'sets forfeited, with the rest of their games not played, by: x' out.txt || fail "a forfeited set: $(cat out.txt)"
grep -q 'substitute played on for' out.txt && fail "a forfeited set: $(cat out.txt)"

# The rows of several sets are told apart in CSV too.
serve sets --players 5 --games 1 --sets 2 -a 'bot:sample*4' --format csv
for name in first second; do
    "$WARG" bot aiwolf --port "$port" --name "$name" >/dev/null 2>&1 || fail "$name: no set was played"
done
wait $server || fail "serve: $(cat sets.err)"
server=
python3 - <<'END' || fail "sets in CSV: $(cat sets.out)"
import csv
rows = [r for r in csv.DictReader(open("sets.out")) if r["agent"] != "agent"]
assert {(r["agent"], r["set"]) for r in rows} == {("sample", "0"), ("first", "0"), ("sample", "1"), ("second", "1")}
END

# ---- tables of two sizes in one stage, with a program ----

cat >sizes.yml <<END
rules: {ruleset: aiwolf-2021, contest: {time_limit_ms: 20000, games_per_set: 2}}
limits: {startup: 60s}
agents:
  - {bot: sample, name: a, copies: 5}
  - {name: prog, command: "exec '$WARG' bot aiwolf --host {host} --port {port} --name {name} --wait 20s"}
stages:
  - {name: both, players: [5, 6], min_games: 4}
END
expect 0 "two sizes" timeout 120 "$WARG" run -q sizes.yml -s 3 --out sizes --format csv
python3 - <<'END' || fail "two sizes: $out"
import csv, json
games = [json.loads(l) for l in open("sizes/journal.jsonl")]
games = [g for g in games if g["record"] == "game"]
sizes = [len(g["seats"]) for g in games]
assert set(sizes) == {5, 6} and sizes.count(6) == 4, sizes
assert sorted(g["game"] for g in games) == list(range(len(games)))
rows = {r["agent"]: r for r in csv.DictReader(open("out.txt"))}
assert int(rows["prog"]["games"]) == sum(any(s["agent"] == "prog" for s in g["seats"]) for g in games)
assert int(rows["prog"]["games"]) >= 8 and rows["prog"]["rank"] != ""
END
[[ $(find sizes/logs -name '*.log' | wc -l) == $(grep -c '"record":"game"' sizes/journal.jsonl) ]] ||
    fail "two sizes: a log for every game"
expect 0 "two sizes, logs" "$WARG" log check -q sizes/logs
expect 0 "two sizes, standings" "$WARG" standings sizes
expect 0 "two sizes, resumed" timeout 120 "$WARG" run -q sizes.yml -s 3 --out sizes --resume --format csv
sed 's/\[5, 6\]/[5, 5]/' sizes.yml >twice.yml
expect 2 "a size twice" "$WARG" run -q twice.yml
grep -q "5 players are there twice" err.txt || fail "a size twice: $err"

finish
