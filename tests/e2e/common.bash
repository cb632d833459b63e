# common.bash - what the scripts of this folder share. Sourced first; the script then stands in an
# empty folder that goes away at its end, and ends with `finish`.
#
#   $agents   folder of misbehaving and crowding agents
#   $server   a process to be killed at the end
set -u
# Under nohup whatever is started here would pay no heed to SIGHUP, and a script that sends it would wait for ever.
[[ $(trap -p HUP) ]] && exec env --default-signal=HUP bash "$0" "$@"
# What Python compiles is not left beside the sources.
export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # for the scripts
agents=$here/agents
script_name=$(basename "$0" .sh)
server=
work=$(mktemp -d)
# A server that is on its way out may still write in it.
remove_work() { rm -rf "$work" 2>/dev/null || { sleep 2; rm -rf "$work"; }; }
trap 'kill $server 2>/dev/null; remove_work' EXIT
cd "$work" || exit 1

# Notes a failure, in a file, because some of it happens in other processes, and goes on.
fail()
{
    echo "$script_name: $*"
    : >"$work/failed"
}

finish()
{
    [[ ! -e $work/failed ]]
    exit
}

# need_cells: skips a script for whose programs this machine has no cells. As root a cell has a user of its own, who
# can read no folder of a site's but by a mount.
need_cells()
{
    local level=strict
    ((EUID)) || level=namespaces
    "$WARG" cell probe --require "$level" >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }
}

# expect STATUS WHAT COMMAND...: runs it with stdout in $out and stderr in $err.
expect()
{
    local status=$1 what=$2 got
    shift 2
    "$@" >out.txt 2>err.txt
    got=$?
    out=$(cat out.txt) err=$(cat err.txt)
    ((got == status)) || fail "$what: exit status $got, expected $status; stderr: $err"
}

# launch OUT ERR COMMAND...: starts it beside the script, its process in $server. Both files are emptied
# before that: what an earlier one has said there is nothing that `await` may find.
launch()
{
    local to=$1 errors=$2
    shift 2
    : >"$to"
    : >"$errors"
    "$@" >>"$to" 2>>"$errors" &
    server=$!
}

# How many seconds a script waits for what comes at once on a machine that does nothing else.
patience=100

# until_true SECONDS COMMAND...: tries the command until it succeeds; false when it has not in so many
# seconds. It is tried once more behind each pause, so a machine that stands still meanwhile fails nothing.
until_true()
{
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}

# await WHAT FILE PATTERN: until a line of the file has it.
await()
{
    until_true "$patience" grep -qsE -- "$3" "$2" && return 0
    fail "$1: no '$3' in $2: $(tail -n 20 "$2")"
    return 1
}

# await_games COUNT FOLDER: until its journal has so many games.
await_games()
{
    until_true "$patience" has_games "$@" || fail "no $1 games in $2: $(tail -n 3 "$2/journal.jsonl" 2>&1)"
}

has_games()
{
    local games
    games=$(grep -cs '"record":"game"' "$2/journal.jsonl")
    ((${games:-0} >= $1)) # without a journal grep says nothing
}

# no_agents PATTERN: own_agents finds none.
no_agents()
{
    [[ -z $(own_agents "$1") ]]
}

# processor_time PROCESS: what it has used, in hundredths of a second. What is asked to be quick is asked for by
# this: a busy machine makes everything wait.
processor_time()
{
    awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"
}

# What a file of stderr says, but for the line that agents have no cell on this machine, as in a chroot
# whose root is no mount: where that matters a script looks for it.
own_words()
{
    grep -v 'this machine gives no namespaces' "$1"
}

# The processes that agents of this script are, as they are seen from here: an agent in a cell has
# other numbers for itself. own_agents PATTERN: those whose command line has it.
own_agents()
{
    local pid
    for pid in $(pgrep -f -- "$1"); do
        # The path is another one for who is in a chroot.
        [[ $(readlink "/proc/$pid/cwd") == "$work"* || /proc/$pid/cwd -ef $work ]] || continue
        [[ $(cat "/proc/$pid/comm" 2>/dev/null) == warg-cell ]] || echo "$pid"
    done
}

# serve NAME OPTION...: starts a server; its port is in $port, its process in $server.
serve()
{
    local name=$1
    shift
    launch "$name.out" "$name.err" "$WARG" serve aiwolf --port 0 --time-limit 20s --startup-limit 60s "$@"
    await "$name" "$name.err" 'listening on' || exit 1
    # shellcheck disable=SC2034 # for the scripts
    port=$(grep -oE 'listening on [^;]*' "$name.err" | grep -oE '[0-9]+$')
}

# Whether it is built for a sanitizer: what only compares figures takes long there and finds nothing more.
# WARG_WHOLE=1 in the environment has all of it all the same.
is_sanitized()
{
    [[ ${WARG_WHOLE:-} ]] && return 1
    grep -qE '__(asan|tsan)_init' "$WARG"
}

# skip_under_tsan [REASON]: for scripts that look for what agents write and start, since a program built for
# ThreadSanitizer writes a file at its start; with a reason, for those that find nothing about threads.
skip_under_tsan()
{
    grep -q __tsan_init "$WARG" || return 0
    echo "skipped: ${1:-programs built for ThreadSanitizer write files of their own}"
    exit 77
}
