#!/usr/bin/env bash
# `warg serve aiwolf --out` on a disk that fails at any call, once and for ever: it says what it could
# not write, what it has told of is in the journal, and a second start with --resume plays what is
# missing, and no game twice.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=disk.bash
source "$here/disk.bash"

table=(serve aiwolf --port 0 -n 5 -g 2 --once --seed 3 --format csv -a 'bot:sample*4')

# serve NAME PROGRAM [OPTION...]: a server, and the agent that it waits for; its status is in $status,
# what it printed in NAME.out and NAME.err.
serve()
{
    local name=$1 end=$((SECONDS + patience)) address= agent=
    shift
    rm -f "$name.err" # an address of before
    "$@" "${table[@]}" --out out "${resume[@]}" >"$name.out" 2>"$name.err" &
    server=$!
    while kill -0 "$server" 2>/dev/null && ((SECONDS < end)); do
        if [[ ! $address ]]; then
            address=$(grep -oEm 1 '127\.0\.0\.1[: ][^0-9]*[0-9]+' "$name.err" 2>/dev/null)
            if [[ $address ]]; then
                "$WARG" bot aiwolf --port "${address##*[!0-9]}" --name x --seed 1 >agent.txt 2>&1 &
                agent=$!
            fi
        fi
        sleep 0.05
    done
    kill -9 "$server" 2>/dev/null && fail "$fault: the server does not end: $(tail -n 3 "$name.err")"
    wait "$server"
    status=$?
    server=
    [[ $agent ]] && kill "$agent" 2>/dev/null && wait "$agent" 2>/dev/null
}

# Games in the journal; a line that is torn is none.
games_kept()
{
    grep -cs '"record":"game".*,"crc":"[0-9a-f]*"}$' out/journal.jsonl
}

whole()
{
    "$WARG" standings out --format csv >standings.csv 2>whole.err ||
        fail "$fault ($(<told)): standings: $(cat whole.err)"
    cmp -s standings.csv expected.csv ||
        fail "$fault ($(<told)): other standings: $(diff standings.csv expected.csv)"
    "$WARG" log check out/logs >whole.err 2>&1 || fail "$fault ($(<told)): logs: $(tail -n 3 whole.err)"
}

# The same server again: with --resume, or, where that says that there is nothing to go on with, without.
again()
{
    local resume=(--resume)
    serve again "$WARG"
    if ((status == 2)) && grep -q 'leave --resume out' again.err; then
        resume=()
        serve again "$WARG"
    fi
    ((status == 0)) || fail "$fault ($(<told)): a second start: $(cat again.err)"
}

disturbed()
{
    local counted resume=()
    rm -rf out
    export WARG_DISK_FAULT=$fault WARG_DISK_TOLD=$PWD/told
    serve faulty "$WARG_FAULTS"
    unset WARG_DISK_FAULT WARG_DISK_TOLD
    ((status == 0 || status == 3)) ||
        fail "$fault ($(<told)): exit status $status: $(tail -n 3 faulty.err)"
    ((status == 0)) || grep -qE "('[^']+': |journal).*(Input/output error|No space left)" faulty.err ||
        fail "$fault ($(<told)): says no reason: $(cat faulty.err)"
    counted=$(games_kept)
    if ((status == 0)); then
        whole
        return
    fi
    # A table tells of two games.
    [[ ! -s faulty.out ]] || ((counted == 2)) || fail "$fault ($(<told)): $counted games are on disk"
    # A set that was played is not played again: the next would be another.
    ((counted == 2)) || again
    [[ $(games_kept) == 2 ]] || fail "$fault ($(<told)): not two games"
    whole
}

resume=() fault=none
serve undisturbed "$WARG"
((status == 0)) || fail "undisturbed: $(cat undisturbed.err)"
"$WARG" standings out --format csv >expected.csv
each_call 31 disturbed
finish
