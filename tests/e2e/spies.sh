#!/usr/bin/env bash
# Agents that spy: they find nothing of the results, of warg and of each other, as root and as a
# user without rights, leave nobody behind, and can't take another agent's seat.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# A place that another user can reach too.
chmod 755 "$work"
mkdir bin
cp "$WARG" bin/warg
cp "$(dirname "$WARG")/warg-cell" bin/warg-cell
cp "$agents/spy.py" "$agents/thief.py" bin
WARG=$work/bin/warg
# Not a wrapper that sets variables of its own, and one that others can run.
python=/usr/bin/python3
[[ -x $python ]] || python=$(python3 -c 'import sys; print(sys.executable)')

# spy_on WHO COMMAND...: a contest with two spies; COMMAND goes in front of warg.
spy_on()
{
    local who=$1
    shift
    mkdir -m 777 "$who"
    cd "$who" || exit 1
    SPY_SECRET=1 "$@" timeout 120 "$WARG" run -q -n 5 -g 3 --seed 7 --out results --startup-limit 60s \
        --time-limit 20s -a 'bot:sample*3' \
        -a "name=one,env=GIVEN,cmd=exec '$python' '$work/bin/spy.py' '$PWD/one.txt' '$PWD/results' '$WARG' {host} {port} other-agent" \
        -a "name=two,cmd=exec '$python' '$work/bin/spy.py' '$PWD/two.txt' '$PWD/results' '$WARG' {host} {port} other-agent" \
        >out.txt 2>err.txt || fail "$who: exit status $?: $(cat err.txt)"
    cd "$work" || exit 1
}

# What they may find: the variables that they get.
found()
{
    local who=$1 spy
    for spy in one two; do
        grep -q looked "$who/$spy.txt" || fail "$who: $spy did not look: $(cat "$who/err.txt")"
        grep -vE '^(looked|variable (PATH|HOME|LANG|TZ|PYTHONUNBUFFERED|PWD|LC_CTYPE|[A-Z]*SAN_OPTIONS))$' \
            "$who/$spy.txt" | grep -vE "^variable GIVEN$"
    done
    grep -q '^variable GIVEN' "$who/one.txt" || echo "env=GIVEN: not given"
    grep -q '^variable GIVEN' "$who/two.txt" && echo "env=GIVEN: given to all"
}

no_daemon()
{
    ! pgrep -f "left by $work/$1/" >/dev/null
}

# Nobody lives on, and nobody else may read what is kept.
left()
{
    until_true "$patience" no_daemon "$1" || fail "$1: a daemon lives on" # killed, but not at once
    [[ -z $(find "$1/results" -perm /077) ]] || fail "$1: others can read $(find "$1/results" -perm /077)"
}

cells()
{
    grep -q 'gives no namespaces' "$1/err.txt" || return 0
    echo "spies.sh: $1: skipped, $(grep -o 'this machine gives no namespaces.*' "$1/err.txt")"
    # shellcheck disable=SC2046 # a list of numbers, of our own daemons
    kill $(pgrep -f "left by $work/$1/") 2>/dev/null
    return 1
}

export GIVEN=1
umask 022
spy_on as-is env
cells as-is && {
    [[ -z $(found as-is) ]] || fail "as we are: $(found as-is)"
    left as-is
}

unprivileged=0
if [[ $(id -u) == 0 ]] && setpriv --reuid 65534 --regid 65534 --clear-groups "$python" -c '' &&
    setpriv --reuid 65534 --regid 65534 --clear-groups "$WARG" version >/dev/null; then
    unprivileged=1
    spy_on nobody setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$work/nobody"
    cells nobody && {
        [[ -z $(found nobody) ]] || fail "nobody: $(found nobody)"
        left nobody
    }
else
    echo 'spies.sh: as another user: skipped, it is not root, or that user can not run it here'
fi

# ---- who changes what the next set is started with ----

# It puts a program of its own in the place of the one that makes cells.
mkdir mine
cp bin/warg bin/warg-cell mine
cat >mine/change.sh <<'END'
[ -e "$1/real" ] || {
    cp "$1/warg-cell" "$1/real"
    printf '#!/bin/sh\ncat %s/secret/key >>%s/loot.txt\nexec %s/real "$@"\n' "$2" "$1" "$1" >"$1/new"
    chmod 755 "$1/new" && mv "$1/new" "$1/warg-cell"
}
exec "$1/warg" bot aiwolf -h 127.0.0.1 -p "$3"
END
mine/warg run -q -n 5 --sets 2 --games-per-set 1 -o of-two-sets --startup-limit 60s --time-limit 20s -a 'bot:random*4' \
    -a "name=changer,cmd=sh '$work/mine/change.sh' '$work/mine' '$work/of-two-sets' {port}" >mine.txt 2>mine.err ||
    fail "a changer: exit status $?: $(cat mine.err)"
grep -q 'gives no namespaces' mine.err || [[ -e mine/real && ! -e mine/loot.txt ]] ||
    fail "what was put in the place of warg-cell is started: $(cat mine/loot.txt mine.err)"

# ---- who opens the results, and what an agent needs ----

"$WARG" run -q -n 5 -g 1 --seed 7 --out open --open-results >open.txt || fail 'open results'
[[ $(stat -c %a open) == 755 && $(stat -c %a open/journal.jsonl) == 644 ]] || fail 'open results are closed'
API_KEY=1 "$WARG" run -q -n 5 -g 1 --seed 7 -a 'bot:sample*4' -a 'name=bad,cmd=exit 3 # {port}' >early.txt 2>early.err
grep -qE 'without these variables.*\bAPI_KEY\b.*env=NAME' early.err || fail "an early end: $(cat early.err)"
# shellcheck disable=SC2016 # for the agent's shell
API_KEY=1 "$WARG" run -q -n 5 -g 1 --seed 7 -a 'bot:sample*4' \
    -a "name=all,env=*,cmd=echo \$API_KEY >>'$work/all.txt'; exec '$WARG' bot aiwolf -h {host} -p {port}" >all.out 2>all.err
[[ $(cat all.txt) == 1 ]] || fail "env=*: $(cat all.err)"
grep -q 'agent all gets the whole environment' all.err || fail "env=* without a warning: $(cat all.err)"

# PATH is all that an activated venv is.
if "$python" -m venv --without-pip venv 2>/dev/null; then
    : >"$(venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/only_there.py"
    PATH=$work/venv/bin:$PATH "$WARG" run -q -n 5 -g 1 --seed 7 -o of-venv --startup-limit 60s --time-limit 20s \
        -a 'bot:sample*4' -a "name=venv,cmd=python3 -c 'import only_there' && exec '$WARG' bot aiwolf -h {host} -p {port}" \
        >venv.txt 2>venv.err || fail "an agent of a venv: exit status $?: $(cat venv.err)"
    [[ ! -s of-venv/faults.jsonl ]] || fail "an agent of a venv: $(cat of-venv/faults.jsonl)"
else
    echo 'spies.sh: an agent of a venv is not tried: there is no module venv'
fi

# ---- a seat that is another's ----

# steal WHO COMMAND...: a victim that comes late and a thief; COMMAND goes in front of warg. Without
# root the launchers of cells are closed to warg too.
steal()
{
    local who=$1
    shift
    mkdir -m 777 "$who"
    cd "$who" || exit 1
    timeout 120 "$@" "$WARG" run -q -n 5 -g 2 --seed 7 --startup-limit 60s --time-limit 20s -a 'bot:sample*3' \
        -a "name=victim,cmd=echo {port} >'$PWD/port.txt'; until [ -e '$PWD/tried.txt' ]; do sleep 0.05; done; exec '$WARG' bot aiwolf -h {host} -p {port} -n {name}" \
        -a "name=thief,cmd='$python' '$work/bin/thief.py' '$PWD/loot.txt' '$PWD/port.txt' 1 # {port}
: >'$PWD/tried.txt'
exec '$WARG' bot aiwolf -h {host} -p {port} -n {name}" \
        >thief.txt 2>thief.err || fail "$who: thief: exit status $?: $(cat thief.err)"
    [[ ! -e loot.txt ]] || fail "$who: the thief got $(cat loot.txt)"
    grep -q 'connection from 127.0.0.1:[0-9]* to the port of agent victim was dropped.*from agent thief, process' \
        thief.err || fail "$who: the thief was not told of: $(cat thief.err)"
    grep -q 'agent .* failed' thief.err && fail "$who: somebody failed: $(cat thief.err)"
    cd "$work" || exit 1
}

steal seat-as-is env
((unprivileged)) && steal seat-nobody setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$work"
finish
