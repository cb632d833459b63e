#!/usr/bin/env bash
# `warg run --out` on a disk that fails at any call, once and for ever: it says what it could not
# write, nothing that it has counted is lost, and a second start comes to the result that nobody has
# disturbed.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=disk.bash
source "$here/disk.bash"

contest=(run -n 5 -g 2 -s 2 --format csv -q)

# The result is that of an undisturbed contest, and results, report and logs are there.
whole()
{
    "$WARG" standings out --format csv >standings.csv 2>whole.err ||
        fail "$fault ($(<told)): standings: $(cat whole.err)"
    cmp -s standings.csv expected.csv ||
        fail "$fault ($(<told)): other standings: $(diff standings.csv expected.csv)"
    "$WARG" log check out/logs >whole.err 2>&1 ||
        fail "$fault ($(<told)): logs: $(tail -n 3 whole.err)"
    [[ -s out/report.html && -s out/results.db ]] || fail "$fault ($(<told)): no report"
}

# The same command again: with --resume, or, where that says that there is nothing to go on with, without.
again()
{
    local status
    "$WARG" "${contest[@]}" "${agents_of[@]}" --out out --resume >again.out 2>again.err
    status=$?
    if ((status == 2)) && grep -q 'leave --resume out to begin one' again.err; then
        "$WARG" "${contest[@]}" "${agents_of[@]}" --out out >again.out 2>again.err
        status=$?
    fi
    ((status == 0)) || fail "$fault ($(<told)): a second start: $(cat again.err)"
}

disturbed()
{
    local counted
    rm -rf out
    faulty "${contest[@]}" "${agents_of[@]}" --out out
    counted=$(grep -cs '"record":"game"' out/journal.jsonl)
    ((status == 0)) && whole
    # A table tells of two games.
    [[ ! -s faulty.out ]] || ((counted == 2)) || fail "$fault ($(<told)): $counted games are on disk"
    again
    whole
}

agents_of=(-a 'bot:sample*5' --seed 3)
"$WARG" "${contest[@]}" "${agents_of[@]}" --out undisturbed >/dev/null 2>&1
"$WARG" standings undisturbed --format csv >expected.csv
each_call 5 disturbed

# With a program as agent: its output is a file too, and one that can't be written disturbs nobody.
agents_of=(-a 'bot:sample*4' -a "name=x,cmd=exec $WARG bot aiwolf --host {host} --port {port} --name {name} --seed 1" --seed 3 --time-limit 30s --startup-limit 60s)
"$WARG" "${contest[@]}" "${agents_of[@]}" --out with-program >/dev/null 2>&1
"$WARG" standings with-program --format csv >expected.csv
modes=('any N once 5')
each_call 9 disturbed
finish
