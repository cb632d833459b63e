#!/usr/bin/env bash
# fairness.sh - whether honest agents lose games to a busy machine. `./dev bench fairness`
#
#   bench/fairness.sh WARG C_AGENT [BASELINE]
#
# Sets of Java, Python and C agents at two tables, on two processors that two busy loops want too:
# 234 games, five runs, those of BASELINE (an older warg) in between. The bar: no game with a
# substitute. Then an agent that sleeps 250 ms and one that computes as long with two processes, in
# their fourth game, with a limit of 100 ms and a grace of 100 ms: both must fail.
# RUNS, GAMES and WORK (ms of computing an answer) change the size.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
warg=$(readlink -f "$1") c_agent=$(readlink -f "$2")
baseline=${3:+$(readlink -f "$3")}
runs=${RUNS:-5} games=${GAMES:-234} work=${WORK:-5}
dir=$(mktemp -d)
loops=()
trap 'kill "${loops[@]}" 2>/dev/null; rm -rf "$dir"' EXIT

command -v javac python3 taskset >/dev/null || { echo 'fairness: needs javac, python3 and taskset'; exit 1; }
javac -d "$dir" "$here/fairness/FairAgent.java" || exit 1
two=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | awk -F- '{for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i}' |
    head -2 | paste -sd,)
[[ $two == *,* ]] || { echo 'fairness: needs two processors'; exit 1; }
taskset -cp "$two" $$ >/dev/null
for _ in 1 2; do
    (while :; do :; done) &
    loops+=($!)
done

java="exec java -XX:+UseSerialGC -cp '$dir' FairAgent -h {host} -p {port} -n {name} --work $work"
python="exec python3 '$here/fairness/fair_agent.py' -h {host} -p {port} -n {name} --work $work"
c="exec '$c_agent' -h {host} -p {port} -n {name}"

# Games with a substitute, of a folder.
substituted()
{
    grep '"record":"game"' "$dir/$1/journal.jsonl" | grep -c '"failed":true'
}

cat >"$dir/contest.yml" <<END
contest: fairness
seed: 1
agents:
  - {name: java1, command: "$java"}
  - {name: java2, command: "$java"}
  - {name: python1, command: "$python"}
  - {name: python2, command: "$python"}
  - {name: c, command: "$c"}
stages: [{players: 5, games_per_set: 13, sets: $((games / 13))}]
limits: {time_limit: 100ms, grace: 100ms, startup: 20s}
tables: 2
END

# one_run FOLDER WARG
one_run()
{
    local begun=$SECONDS
    rm -rf "${dir:?}/$1"
    timeout 3600 "$2" run -q -o "$dir/$1" "$dir/contest.yml" >"$dir/$1.out" 2>"$dir/$1.err" || cat "$dir/$1.err"
    printf '%-9s %3d s: %d of %d games with a substitute, %s answers excused, load %s\n' "$1" \
        $((SECONDS - begun)) "$(substituted "$1")" "$(grep -c '"record":"game"' "$dir/$1/journal.jsonl")" \
        "$(grep -o '"excused":[0-9]*' "$dir/$1/journal.jsonl" | awk -F: '{n += $2} END {print n + 0}')" \
        "$(cut -d ' ' -f 1 /proc/loadavg)"
}

# guilty KIND: an agent that is late in its fourth game by itself.
guilty()
{
    rm -rf "$dir/guilty"
    timeout 600 "$warg" run -q -n 5 -g 6 -s 1 -o "$dir/guilty" --time-limit 100ms --startup-limit 20s \
        -a "name=guilty,cmd=$python --guilty $1 --ms 250 --game 3" -a "name=java,copies=2,cmd=$java" -a "name=c,copies=2,cmd=$c" \
        >"$dir/guilty.out" 2>"$dir/guilty.err"
    if grep -q '"game":3,"agent":"guilty".*"timeout","fatal":true' "$dir/guilty/faults.jsonl" 2>/dev/null &&
        ! grep -q '"agent":"\(java\|c\)"' "$dir/guilty/faults.jsonl"; then
        echo "an agent that wants to $1 for 250 ms fails: ok"
    else
        echo "an agent that wants to $1 for 250 ms fails: NO: $(cat "$dir/guilty/faults.jsonl" 2>&1)"
        return 1
    fi
}

bad=0
for ((run = 1; run <= runs; run++)); do
    [[ $baseline ]] && one_run baseline "$baseline"
    one_run now "$warg"
    bad=$((bad + $(substituted now)))
done
failed=0
guilty sleep || failed=1
guilty burn || failed=1
echo "$bad games with a substitute in $runs runs of $games; the bar is 0"
((bad == 0 && failed == 0))
