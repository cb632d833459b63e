# doors.bash - what the scripts share that serve several doors in one process. Sourced behind
# common.bash.

# doors OPTION...: starts them all; the process is a child of the script, in $server, its output in
# out and err.
doors()
{
    launch out err "$WARG" serve "$@"
}

# ended STATUS WHAT: waits for it.
ended()
{
    local status
    wait "$server"
    status=$?
    server=
    ((status == $1)) || fail "$2: exit status $status, expected $1: $(tail -n 5 err)"
}

# few_threads COUNT WHAT: the process has COUNT threads, and one more where ThreadSanitizer has its own.
few_threads()
{
    local own=$1 count
    grep -qa __tsan_init "$WARG" && own=$((own + 1))
    count=$(ls "/proc/$server/task" | wc -l)
    ((count <= own)) || fail "more than one thread and those of $2: $count"
}

# slow_agent PORT: an agent of the protocol division, ann, whose first TALK waits until something is
# written into the FIFO `gate`. What it says stands in agent.out.
slow_agent()
{
    mkfifo gate
    python3 - "$1" >agent.out 2>&1 <<'PYTHON' &
import socket, sys
agent = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rw")
held = False
for line in agent:
    if '"NAME"' in line:
        answer = "ann"
    elif '"TALK"' in line or '"WHISPER"' in line:
        if not held:
            held = True
            open("gate").read()
        answer = "Over"
    elif any('"%s"' % word in line for word in ("VOTE", "DIVINE", "GUARD", "ATTACK")):
        answer = '{"agentIdx":1}'
    else:
        continue
    print(answer, file=agent, flush=True)
PYTHON
}

# watch URL: the streams of a game's events, what all may see into `public`, what the operator sees
# into `full`; their processes are in $public and $full.
watch()
{
    curl -sN "$1" >public &
    # shellcheck disable=SC2034 # for the scripts
    public=$!
    curl -sN -H "Authorization: Bearer $(cat token)" "$1" >full &
    # shellcheck disable=SC2034 # for the scripts
    full=$!
}
