#!/usr/bin/env bash
# Faults while a contest with programs and a ledger is played and published: calls to the disk that fail, a
# full disk, kill -9. Whatever happened, the same command with --resume comes to the end, and all is whole:
# what stood in the journal stands there still, no game is lost or there twice, a checkpoint that was kept
# agrees, records give their logs, the audit finds nothing, the bundle is the same bytes twice. No process is
# left, and nothing was written outside of the folder.
#
# WARG_PROOF_FAULTS=N injects N faults, in turn of each kind, at places drawn by WARG_PROOF_SEED; without it
# some, always the same. `./dev soak proof` injects 500.
#
# To add a kind of fault: write a function `fault_NAME` that lets one fault happen, in the folder `out` or
# while that is published, and add NAME to `faults`. It has these:
#   contest...    the command line of the contest, for $WARG or `faulty`
#   drawn N       a number from 1 to N, in $number
#   calls, took   calls to the disk of a contest that nobody disturbs, and how many milliseconds it takes
#   $fault        what is told of it when something is not whole
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=disk.bash
source "$here/disk.bash"

skip_under_tsan

faults=(disk_once killed disk_dead full bundle_disk disk_kind killed_early interrupted bundle_killed small_disk)
some=20
grep -q __asan_init "$WARG" && some=10 # it takes longer for each
total=${WARG_PROOF_FAULTS:-$some}
RANDOM=${WARG_PROOF_SEED:-7}

# ---- the contest ----

# Two sets of three games, with a program that fails now and then, and is started again.
mkdir home tmp
export HOME=$work/home TMPDIR=$work/tmp
good="exec '$WARG' bot aiwolf --host {host} --port {port} --name {name} --seed 1 --wait 5s"
bad="exec python3 '$agents/bad_agent.py' -h {host} -p {port} -n {name} --at VOTE --do exit --after 3"
contest=(run -q -n 5 --games-per-set 3 --sets 2 --tables 2 --startup-limit 60s --time-limit 30s --commit-seed
    --on-fault restart --ledger example.org/warg/cup --out out -a 'bot:sample*3' -a "name=ann,cmd=$good" -a "name=bea,cmd=$bad")
games=6

# The command lines of the programs of this script.
programs='bot aiwolf --host|bad_agent.py|warg-cell'

time_ms()
{
    date +%s%3N
}

# drawn N: a number from 1 to N.
drawn()
{
    number=$(((RANDOM * 32768 + RANDOM) % $1 + 1))
}

# After so many milliseconds.
pause()
{
    sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
}

# ---- faults ----

# Calls of these kinds, from a drawn one on.
disturb_disk()
{
    drawn "$calls"
    fault="$1 $number $2 $3"
    faulty "${contest[@]}"
}

fault_disk_once()
{
    disturb_disk any once 5
}

fault_disk_dead()
{
    disturb_disk any ever 5
}

fault_full()
{
    disturb_disk full ever 28
}

# One call of one kind.
fault_disk_kind()
{
    local kinds=(open write cut sync close rename remove folder)
    drawn ${#kinds[@]}
    local kind=${kinds[number - 1]}
    drawn $((calls / 6 + 1))
    fault="$kind $number once 5"
    faulty "${contest[@]}"
}

# signalled SIGNAL WITHIN: the contest gets it at a drawn moment; its status is in $status.
signalled()
{
    local pid
    drawn "$2"
    fault="$1 after $number ms"
    "$WARG" "${contest[@]}" >signalled.out 2>signalled.err &
    pid=$!
    pause "$number"
    kill "-$1" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    status=$?
}

fault_killed()
{
    signalled KILL "$took"
}

# While folder, key and journal are begun.
fault_killed_early()
{
    signalled KILL 25
}

fault_interrupted()
{
    signalled INT "$took"
    ((status == 130 || status == 0)) || fail "$fault: exit status $status: $(cat signalled.err)"
}

# A disk of some KiB, which is then made larger.
fault_small_disk()
{
    drawn 120
    fault="a disk of $((number + 8)) KiB"
    if ! unshare -rm true 2>/dev/null; then
        fault="$fault: skipped, no namespace can be made here"
        return
    fi
    mkdir -p small
    # shellcheck disable=SC2016 # for the other shell
    unshare -rm bash -c 'mount -t tmpfs -o size="$1"k tmpfs small && cd small && shift &&
        { timeout 200 "$WARG" "$@" >../small.out 2>../small.err; echo $? >../small.status; } &&
        mount -o remount,size=64m "$PWD" && cp -a out .. 2>/dev/null' small $((number + 8)) "${contest[@]}"
    status=$(cat small.status)
    ((status == 0 || status == 3)) || fail "$fault: exit status $status: $(cat small.err)"
    ((status == 0)) || grep -qE 'No space left|disk is full' small.err || fail "$fault: says no reason: $(cat small.err)"
}

# What is left of a bundle that came to nothing: none, or one that is whole.
look_at_bundle()
{
    [[ ! -e out-bundle ]] || "$WARG" audit -q out-bundle >half.out 2>&1 || fail "$fault: half a bundle: $(cat half.out)"
    [[ ! -e out-bundle.tar.gz ]] || gzip -t out-bundle.tar.gz 2>/dev/null || fail "$fault: half an archive"
    rm -rf out-bundle out-bundle.tmp out-bundle.tar.gz*
}

fault_bundle_disk()
{
    "$WARG" "${contest[@]}" >/dev/null 2>&1
    drawn 60
    fault="any $number once 5"
    faulty bundle out
    look_at_bundle
}

fault_bundle_killed()
{
    local pid
    "$WARG" "${contest[@]}" >/dev/null 2>&1
    drawn 40
    fault="kill -9 of warg bundle after $number ms"
    "$WARG" bundle out >/dev/null 2>&1 &
    pid=$!
    pause "$number"
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    look_at_bundle
}

# ---- whether all is whole ----

# A program that the contest started ends with it, even when that is killed.
nobody_left()
{
    until_true "$patience" no_agents "$programs" || fail "$fault: programs are left: $(own_agents "$programs")"
}

# What stands behind the last whole line is no record.
whole_lines()
{
    [[ -s out/journal.jsonl ]] && sed -n '$!p' out/journal.jsonl && [[ -z $(tail -c 1 out/journal.jsonl) ]] &&
        tail -n 1 out/journal.jsonl
}

go_on()
{
    local status
    "$WARG" "${contest[@]}" --resume >again.out 2>again.err
    status=$?
    if ((status == 2)) && grep -q 'leave --resume out' again.err; then
        [[ ! -s before ]] || fail "$fault: a journal was there, and there is nothing to go on with: $(cat again.err)"
        "$WARG" "${contest[@]}" >again.out 2>again.err
        status=$?
    fi
    ((status == 0)) || fail "$fault: a second start: exit status $status: $(cat again.err)"
}

# The line "end" comes last, once: what follows an end that was written already is nothing.
check_folder()
{
    head -c "$(wc -c <before)" out/journal.jsonl | cmp -s - before || fail "$fault: the journal lost what it had"
    (($(grep -c '"record":"game"' out/journal.jsonl) == games)) ||
        fail "$fault: $(grep -c '"record":"game"' out/journal.jsonl) games, not $games"
    (($(grep -c '"record":"end"' out/journal.jsonl) == 1)) || fail "$fault: not one end"
    [[ ! -s kept ]] || "$WARG" ledger out --checkpoint kept >ledger.out 2>&1 ||
        fail "$fault: the ledger does not go on from its checkpoint: $(cat ledger.out)"
    "$WARG" log check -q out >check.out 2>&1 || fail "$fault: records and logs: $(cat check.out)"
    grep -qx "$games exchange records: $games give their logs, 0 not" check.out || fail "$fault: $(cat check.out)"
    "$WARG" audit -q out >audit.out 2>&1 || fail "$fault: $(cat audit.out)"
    grep -q 'everything follows from the commitment' audit.out || fail "$fault: $(cat audit.out)"
    # A results.db that was being made on a disk that then died has the number of its process, and stays.
    local rest
    rest=$(find out -name '*.tmp*' ! -name 'results.db.*.tmp')
    [[ -z $rest ]] || fail "$fault: left: $rest"
    [[ -s out/report.html && -s out/results.db ]] || fail "$fault: no report"
}

check_bundle()
{
    "$WARG" bundle out >bundle.out 2>&1 || fail "$fault: bundle: $(cat bundle.out)"
    grep -q 'everything follows from the commitment' bundle.out || fail "$fault: bundle: $(cat bundle.out)"
    mv out-bundle first && mv out-bundle.tar.gz first.tar.gz
    "$WARG" bundle out >bundle.out 2>&1
    diff -r first out-bundle >/dev/null || fail "$fault: two bundles differ"
    cmp -s first.tar.gz out-bundle.tar.gz || fail "$fault: two archives differ"
    rm -rf first first.tar.gz out-bundle out-bundle.tar.gz
}

# Nothing of it is the contest's: HOME, TMPDIR, and what stood in this folder before.
check_outside()
{
    [[ -z $(find home tmp -mindepth 1) ]] || fail "$fault: outside of the folder: $(find home tmp)"
    # shellcheck disable=SC2094 # the list of the time before is left out
    find . -mindepth 1 -maxdepth 1 ! -name '*.out' ! -name '*.err' ! -name '*.txt' ! -name '*.status' \
        ! -name told ! -name before ! -name kept ! -name failed ! -name small ! -name listed | sort >listed
    [[ $(tr '\n' ' ' <listed) == './home ./out ./tmp ' ]] || fail "$fault: outside of the folder: $(<listed)"
}

disturbed()
{
    rm -rf out told before kept
    "fault_$1"
    nobody_left
    whole_lines >before
    cp out/checkpoint kept 2>/dev/null
    go_on
    nobody_left
    check_folder
    check_bundle
    check_outside
}

# ---- one after the other ----

fault='any 0 once 5'
start=$(time_ms)
faulty "${contest[@]}"
took=$(($(time_ms) - start))
calls=$(($(cut -d ' ' -f 1 told) - 1))
((status == 0 && calls > 100)) || fail "undisturbed: status $status, $calls calls: $(cat faulty.err)"
[[ -s out/faults.jsonl ]] || fail 'nobody failed'
for ((i = 0; i < total; i++)); do
    disturbed "${faults[i % ${#faults[@]}]}"
    [[ ! -e $work/failed ]] || break
    [[ ${WARG_PROOF_FAULTS:-} ]] && ((i % 50 == 49)) && echo "$script_name: $((i + 1)) faults, all whole behind each"
done
[[ -e $work/failed ]] || echo "$script_name: $total faults, all whole behind each"
finish
