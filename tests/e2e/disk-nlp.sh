#!/usr/bin/env bash
# `warg serve nlp` on a disk that fails at any call, once and for ever: a game whose log can't be
# written is aborted, no game begins that the schedule can't tell of, what could not be written is
# said; and a second start plays all matches, each with a whole log.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=disk.bash
source "$here/disk.bash"

sed 's/self_match: true/self_match: false/; s/is_optimize: false/is_optimize: true/
     s/team_count: .*/team_count: 5/; s/game_count: .*/game_count: 2/' \
    "$WARG_SOURCE/config/nlp/default_en_5.yml" >cup.yml

# Five agents call while the server is there.
call()
{
    local team
    crowd=()
    for team in ann ben cho dai eve; do
        "$WARG" bot nlp --url "ws://$1/ws" --quiet --team "$team" -n 1 --reconnect --retry 50ms \
            >"$team.txt" 2>&1 &
        crowd+=($!)
    done
}

# Two matches are soon played. A server that holds them back, because its disk fails, is told to end.
tend()
{
    local i end=$((SECONDS + patience)) address= told_to_end=
    for ((i = 0; SECONDS < end; i++)); do
        kill -0 "$server" 2>/dev/null || break
        if [[ ! $address ]]; then
            address=$(grep -oEm 1 '127\.0\.0\.1:[0-9]+' "$1" 2>/dev/null)
            [[ $address ]] && call "$address"
        fi
        if [[ ! $told_to_end ]] && ((i > 10)) && grep -qE 'log-failed|history-failed' "$1"; then
            kill -INT "$server" 2>/dev/null
            told_to_end=1
        fi
        sleep 0.05
    done
    kill -9 "$server" 2>/dev/null
    wait "$server"
    status=$?
    server=
    [[ $address ]] && kill "${crowd[@]}" 2>/dev/null && wait "${crowd[@]}" 2>/dev/null
}

disturbed()
{
    local over logs
    rm -rf contest
    mkdir contest && cd contest || exit 1
    WARG_DISK_FAULT=$fault WARG_DISK_TOLD=$work/told "$WARG_FAULTS" serve nlp -c ../cup.yml --port 0 \
        --seed 3 >server.out 2>server.err &
    server=$!
    tend server.err
    ((status == 0 || status == 3)) ||
        fail "$fault ($(<../told)): exit status $status: $(tail -n 3 server.err)"
    ((status == 0)) || grep -qE '^warg: .*(Input/output error|No space left|could not be saved)' server.err ||
        fail "$fault ($(<../told)): says no reason: $(tail -n 3 server.err)"
    over=$(grep -c 'game-over .*winner=[VW]' server.err)
    launch again.out again.err "$WARG" serve nlp -c ../cup.yml --port 0 --seed 4
    tend again.err
    ((status == 0)) || fail "$fault ($(<../told)): a second start: $(tail -n 3 again.err)"
    # Who won is told of two matches, whichever of the servers played them: none is lost, none twice.
    over=$((over + $(grep -c 'game-over .*winner=[VW]' again.err)))
    ((over == 2)) || fail "$fault ($(<../told)): $over matches were told of: $(cat server.err again.err)"
    python3 -c 'import json
d = json.load(open("log/match_optimizer.json"))
assert (len(d["ended_matches"]), len(d["scheduled_matches"])) == (2, 0), d' ||
        fail "$fault ($(<../told)): the schedule"
    # The journal has both, and what it has besides is void.
    [[ $(grep '"record":"game"' log/game/journal.jsonl | grep -vc '"void":true') == 2 ]] ||
        fail "$fault ($(<../told)): the journal: $(grep -o '"log":"[^"]*"' log/game/journal.jsonl)"
    # A game that was aborted, because its log could not be written, has what there is of it.
    logs=$("$WARG" log check log/game/*.log 2>&1)
    [[ $(grep -c ': ok' <<<"$logs") == 2 && $logs != *[1-9]' not legal'* ]] ||
        fail "$fault ($(<../told)): logs: $logs"
    [[ $fault == *ever* || ! $(find log/game log/json -empty ! -name faults.jsonl) ]] || fail "$fault ($(<../told)): an empty log"
    cd .. || exit 1
}

each_call 61 disturbed
finish
