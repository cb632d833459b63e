#!/usr/bin/env bash
# Each system call with which a strict cell is made fails: either the run ends with a sentence and status 3 before
# a game, or the cell is as strict as without the fault. Nobody is blamed, nothing is left running, no control
# group is left, no file outside is touched. docs/spec/contest-operations.md 6.3, 16.2 (cell can't be made).
# WARG_EVERY_CALL=1 takes more errors for each call.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }

# A place of its own for warg, with the program that fails beside it.
mkdir place agent outside
chmod 755 . agent
cp "$WARG" place/warg
cp "$(dirname "$WARG")/warg-cell" place/real
cp "$WARG_CELL_FAULTS" place/warg-cell
echo untouched >outside/file

# What it can reach besides its game: nothing. Then it plays.
cat >agent/agent.py <<'END'
import json, os, socket, sys
for name in ("memo.txt", "/tmp/memo.txt", sys.argv[4]):
    try:
        open(name, "w").close()
        print("HOLE: wrote", name, file=sys.stderr)
    except OSError:
        pass
try:
    if os.fork() == 0:
        os._exit(0)
    print("HOLE: forked", file=sys.stderr)
except OSError:
    pass
try:
    open(sys.argv[4]).read()
    print("HOLE: read", sys.argv[4], file=sys.stderr)
except OSError:
    pass
if any(int(line.split()[1], 16) for line in open("/proc/self/status") if line.startswith("CapEff")):
    print("HOLE: rights", file=sys.stderr)
agent = socket.create_connection((sys.argv[1], int(sys.argv[2]))).makefile("rw")
for line in agent:
    ask = json.loads(line)["request"]
    if ask == "NAME":
        answer = sys.argv[3]
    elif ask == "ROLE":
        answer = "NONE"
    elif ask in ("TALK", "WHISPER"):
        answer = "Over"
    elif ask in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
        answer = '{"agentIdx":1}'
    else:
        continue
    print(answer, file=agent, flush=True)
END
spec="name=ann,folder=agent,cmd=python3 -B agent.py {host} {port} {name} $work/outside/file"

# Control groups of cells, of other runs too.
groups()
{
    find /sys/fs/cgroup -maxdepth 5 -name 'warg-cell-*[0-9]' 2>/dev/null
}

nothing_left()
{
    ! pgrep -f "$work/outside/file" >/dev/null
}

# What stands in the files of a run that a fault in a cell must not change.
checked=0 failed_starts=0
try()
{
    local level=$1 call=$2 error=$3 status
    echo "$call $error" >place/fault
    rm -rf out
    timeout 100 place/warg run --cell "$level" --players 5 --games 1 -o out -q --startup-limit 20s \
        -a "$spec" -a 'bot:sample*4' >out.txt 2>err.txt
    status=$?
    checked=$((checked + 1))
    case $status in
    0 | 1)
        grep -h HOLE -r out/agents && fail "$level, $call: the cell was made without it"
        grep -q '"counted"\|"winner"' out/journal.jsonl || fail "$level, $call: no game: $(<err.txt)"
        ;;
    3)
        failed_starts=$((failed_starts + 1))
        grep -qE "could not be kept in its cell|can't be had here" err.txt ||
            fail "$level, $call: ended without the reason: $(<err.txt)"
        grep -q '"record":"game"' out/journal.jsonl 2>/dev/null && fail "$level, $call: a game was counted"
        ;;
    *) fail "$level, $call $error: status $status: $(<err.txt)" ;;
    esac
    until_true "$patience" nothing_left || fail "$level, $call $error: left running: $(pgrep -fa "$work/outside/file")"
    [[ $(<outside/file) == untouched && $(ls outside agent | wc -l) == 5 ]] || fail "$level, $call: a file was touched"
}

# Made as without a fault.
echo 'sysfs 1' >place/fault
expect 0 'no fault' place/warg run --cell strict --players 5 --games 1 -o none -q -a "$spec" -a 'bot:sample*4'

calls='clone3 clone mount umount2 pivot_root open_tree move_mount mount_setattr mkdir rmdir symlink chdir socket bind
    listen sendmsg recvmsg ioctl setsid setresuid setresgid setgroups capset seccomp pidfd_open pidfd_getfd
    pidfd_send_signal poll signalfd4 socketpair fcntl close_range landlock_create_ruleset landlock_add_rule
    landlock_restrict_self sethostname getrandom prlimit64 umask access faccessat faccessat2 pread64 dup2 kill wait4
    waitid getppid pipe2 rt_sigprocmask prctl fstat'
errors=1 turn=0 levels=0
[[ ${WARG_EVERY_CALL:-} ]] && errors='1 12 28 38 4'
for level in namespaces filter; do
    "$WARG" cell probe --require "$level" >/dev/null 2>&1 || continue
    levels=$((levels + 1))
    for call in $calls; do
        # The program has the fault, too, and Python lives by this one.
        [[ $level-$call == filter-ioctl ]] && continue
        # In CI each call fails at one of the levels.
        turn=$((turn + 1))
        [[ ${WARG_EVERY_CALL:-} ]] || ((turn % 2)) || continue
        for error in $errors; do
            try "$level" "$call" "$error"
        done
    done
done
# Not every machine has both: in a chroot whose root is no mount there are no namespaces.
((checked > 20 * levels && failed_starts > 5 * levels)) || fail "$checked calls failed, $failed_starts of them a start"
echo "$checked faults, $failed_starts of them ended the run before its first game"

# ---- kills: of warg, of a front, of a program, at a drawn moment of a contest with a ledger ----

RANDOM=${WARG_CELL_SEED:-5}
marked="python3 -B agent.py {host} {port} {name} $work/outside/file"
contest=(run -q --cell strict --players 5 --games-per-set 4 --sets 3 -o cup --commit-seed --ledger example.org/warg/cup
    --time-limit 20s --startup-limit 20s -a "name=ann,folder=agent,cmd=$marked" -a "name=bea,folder=agent,cmd=$marked" -a 'bot:sample*3')
expect 0 'a contest' "$WARG" "${contest[@]}" # how long it takes
start=$(date +%s%3N)
rm -rf cup
expect 0 'a contest' "$WARG" "${contest[@]}"
took=$(($(date +%s%3N) - start))

# A process of ours of the kind: the contest itself, a front, a program.
victim()
{
    case $1 in
    warg) echo "$contest_pid" ;;
    front) pgrep -f -- "warg-cell --strict=.*--folder=$work/agent" | head -n $((RANDOM % 2 + 1)) | tail -n 1 ;;
    program) pgrep -f -- "^python3 -B agent.py .*$work/outside/file" | head -n $((RANDOM % 2 + 1)) | tail -n 1 ;;
    esac
}

kinds=(warg front program)
for ((round = 0; round < ${WARG_CELL_KILLS:-9}; round++)); do
    rm -rf cup
    kind=${kinds[round % 3]}
    "$WARG" "${contest[@]}" >killed.out 2>killed.err &
    contest_pid=$!
    moment=$((RANDOM % took + 1))
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    # shellcheck disable=SC2046 # none may be there any more
    kill -KILL $(victim "$kind") 2>/dev/null
    wait "$contest_pid" 2>/dev/null
    status=$?
    case $kind-$status in
    *-0 | *-6 | warg-137) ;;
    front-3) grep -q 'killed from outside\|could not be kept in its cell' killed.err || fail "a front was killed: $(<killed.err)" ;;
    *) fail "$kind killed after $moment ms: status $status: $(<killed.err)" ;;
    esac
    until_true "$patience" nothing_left || fail "$kind killed after $moment ms: left: $(pgrep -fa "$work/outside/file")"
    resume=--resume
    [[ -s cup/journal.jsonl ]] || { rm -rf cup; resume=; } # it had not begun
    # shellcheck disable=SC2086 # none
    "$WARG" "${contest[@]}" $resume >again.out 2>again.err
    status=$?
    ((status == 0 || status == 6)) || fail "$kind killed after $moment ms: gone on with: status $status: $(<again.err)"
    [[ $(grep -c '"record":"game"' cup/journal.jsonl) == 12 ]] || fail "$kind killed after $moment ms: not 12 games"
    grep -h HOLE -r cup/agents && fail "$kind killed after $moment ms: a hole"
    expect 0 "$kind killed after $moment ms: the audit" "$WARG" audit -q cup
done
# Of who was killed the groups go with the next one that looks.
"$WARG" cell probe >/dev/null 2>&1
for group in $(groups); do
    [[ ! -e $group || -e /proc/${group##*warg-cell-} ]] || fail "a control group is left: $group"
done
finish
