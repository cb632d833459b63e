#!/usr/bin/env bash
# Attackers in C, Python and Java sit at a table in strict cells and try all of agents/attacks.txt during a game: no
# hole at either level, the game is played to its end, what they tried is found. Eaters of memory, threads, files and
# output are held; nothing is left. docs/spec/contest-operations.md 6, O17, O20, O21. attacks-control.sh shows that
# each attack succeeds where nothing confines it.
#
#     cell-attacks.sh [--print]     --print: every line of every attacker
#
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }

table=$agents/attacks.txt
declare -A verdict
while read -r name kind _ _ _ strict filter _; do
    [[ $name && $name != '#' ]] || continue
    verdict[namespaces,$name]=$strict verdict[filter,$name]=$filter
done <"$table"

# ---- the programs, each in a folder of its own ----

chmod 755 .
mkdir c py java host
cp "$agents/attack.py" py
cc -std=gnu17 -o c/attack "$agents/attack.c" -lpthread || fail 'attack.c does not compile'
cc -std=gnu17 -shared -fPIC -o java/libattack.so "$agents/attack.c" -lpthread || fail 'no library of attack.c'
languages=(c py)
declare -A start=([c]=./attack [py]='python3 -B attack.py'
    [java]='java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -cp /agent:. Attack --library ./libattack.so')
if [[ ! -x /usr/bin/python3 ]]; then
    echo 'skipped: attack.py, no /usr/bin/python3 here'
    languages=(c)
fi
if command -v javac >/dev/null && [[ -x /usr/bin/java ]]; then
    javac -d java "$agents/Attack.java" || fail 'Attack.java does not compile'
    languages+=(java)
else
    echo 'skipped: Attack.java, no javac here'
fi
chmod -R a+rX c py java
launch host.txt host.err python3 "$agents/attack_host.py" host
await 'the listeners' host.txt 'host-port'
host=$(<host.txt)

# ---- all attacks, in a game ----

# What a cell must refuse and did not, among the lines of an attacker.
judge()
{
    local level=$1 language=$2 name result what
    while read -r name result what; do
        [[ $result == HOLE ]] || continue
        case ${verdict[$level,$name]:-none} in
        refused) fail "$level, $language: $name reached $what" ;;
        none) fail "$level, $language: $name is not in the table" ;;
        esac
    done <"$3"
    [[ $(grep -c ' refused ' "$3") -ge 60 ]] || fail "$level, $language: few attacks: $(tail -n 3 "$3")"
}

attack_level()
{
    local level=$1 language specs=() outside=
    # Where the network is the cell's own there is no way out; a filter is not tried with the world.
    [[ $level == namespaces ]] && outside=--outside
    for language in "${languages[@]}"; do
        specs+=(-a "name=$language,folder=$language,cmd=${start[$language]} -h {host} -p {port} -n {name} --game $outside --but own-port $host")
    done
    # Five agents for five seats: nobody is left out.
    timeout 120 "$WARG" run --cell "$level" --players 5 --games 2 --seed 3 -o "$level" --time-limit 60s --startup-limit 60s -q \
        "${specs[@]}" -a "bot:sample*$((5 - ${#languages[@]}))" --sets 1 --games-per-set 2 >"$level.txt" 2>"$level.err"
    local status=$?
    ((status == 0)) || fail "$level: status $status: $(head -c 2000 "$level.err")"
    for language in "${languages[@]}"; do
        cat "$level/agents/$language"/*.txt >"$level-$language.txt" 2>/dev/null ||
            { fail "$level, $language: nothing was attacked" && continue; }
        [[ $print ]] && sed "s/^/$level $language /" "$level-$language.txt"
        judge "$level" "$language" "$level-$language.txt"
        for rule in network write process; do
            grep -q "\"agent\":\"$language\".*\"rule\":\"$rule\"" "$level/findings.jsonl" ||
                fail "$level, $language: no finding of $rule"
        done
    done
}

# ---- eaters ----

# Each eats one thing beside its game. The table goes on for the others, and nothing of it is left.
eat_level()
{
    local level=$1 eater specs=''
    local -A amount=([eat-memory]='--mib 2048' [thread-bomb]='--count 100' [fork-bomb]='--count 100' [flood-output]='--mib 3'
        [daemons]='--count 3')
    for eater in eat-memory thread-bomb fork-bomb flood-output daemons; do
        specs+="  - {name: $eater, folder: c, command: \"./attack -h {host} -p {port} -n {name} --game --only $eater ${amount[$eater]}\"}"$'\n'
    done
    cat >eaters.yml <<END
contest: eaters
agents:
$specs
cell: {level: $level, memory: 128MiB, threads: 16, files: 64, output: 64KiB}
limits: {startup: 20s}
stages: [{name: final, players: 5, games_per_set: 1, sets: 1}]
END
    timeout 120 "$WARG" run eaters.yml -o "$level-eaters" -q --seed 1 --time-limit 20s >eaters.txt 2>eaters.err
    (($? == 0 || $? == 6)) || fail "$level, eaters: $(head -c 2000 eaters.err)"
    for eater in eat-memory:memory thread-bomb:thread fork-bomb:process flood-output:output daemons:process; do
        grep -q "\"agent\":\"${eater%:*}\".*\"rule\":\"${eater#*:}\"" "$level-eaters/findings.jsonl" ||
            fail "$level: no finding of ${eater#*:} of ${eater%:*}: $(cat "$level-eaters/findings.jsonl" eaters.err | head -c 3000)"
    done
    [[ $(find "$level-eaters/agents/flood-output" -name '*.txt' -size -80k | wc -l) == 1 ]] || fail "$level: a flood was kept"
    [[ -z $(own_agents '/attack -h') && -z $(own_agents daemons) ]] || fail "$level: something is left: $(pgrep -fa attack)"
}

print=${1:-}
for level in namespaces filter; do
    "$WARG" cell probe --require "$level" >/dev/null 2>&1 || { echo "skipped: $level is not here"; continue; }
    attack_level "$level"
    eat_level "$level"
done
[[ $(<host/secret.txt) == secret && ! -s host/reached ]] || fail "something was reached: $(cat host/reached)"
finish
