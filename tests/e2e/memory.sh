#!/usr/bin/env bash
# A thousand idle connections and 64 running tables of fifteen fit in 64 MiB of server memory.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
limit_kb=65536

# A sanitizer keeps memory of its own beside all that the program has.
if grep -qE '__(asan|tsan|msan)_init' "$WARG"; then
    echo 'memory: skipped: this program was built with a sanitizer, which has memory of its own'
    exit 0
fi

files=$(ulimit -Hn)
if [[ $files != unlimited ]] && ((files < 2200)); then
    echo "memory: skipped: only $files files may be open here"
    exit 0
fi

# Meson has malloc fill what it gives out: then all that is reserved would be touched.
unset MALLOC_PERTURB_

# The soft limit is what most systems give; the server has to raise it by itself.
ulimit -Sn 1024
launch out.csv err.txt "$WARG" serve aiwolf --port 0 --players 15 --games 1 --tables 64 --once --out out --seed 1 \
    --max-connections 4096 --startup-limit 10m --time-limit 10m --format csv

timeout 280 python3 - "$agents" $server $limit_kb err.txt <<'END' || fail 'the client failed'
import sys, threading, time
sys.path.insert(0, sys.argv[1])
server, limit_kb = int(sys.argv[2]), int(sys.argv[3])
import crowd

def memory(what):
    for line in open("/proc/%d/status" % server):
        if line.startswith(what):
            return int(line.split()[1])

crowd.allow_many_files()
port = crowd.port_of(sys.argv[4])
start = memory("VmRSS")
# Those who say nothing have been asked for their names: the server has taken them in.
idle = [crowd.connect(port) for _ in range(1000)]
for sock in idle:
    assert sock.recv(1000).startswith(b'{"gameInfo":null'), "an idle connection is not asked"
with_idle = memory("VmRSS")

# Everybody has come to the second day before anybody's game is over: 64 tables play at once.
late = set()
ended = []
def before(agent, request):
    if request == b"VOTE" and agent.day == 2 or request == b"DAILY_INITIALIZE" and agent.day == 3:
        late.add(agent.name)
    if request == b"FINISH" and not ended:
        ended.append(len(late))

agents = [crowd.Agent(crowd.connect(port), "crowd%d" % i, "talker", before) for i in range(64 * 15)]
begin = time.monotonic()
crowd_thread = threading.Thread(target=crowd.run, args=(agents,))
crowd_thread.start()
high = 0
while crowd_thread.is_alive():
    try:
        high = max(high, memory("VmHWM"), memory("VmRSS"))
    except (OSError, TypeError):
        pass  # it is ending
    crowd_thread.join(0.05)
print("memory: %d KiB at start, %d KiB with 1000 idle connections, %d KiB at most with 64 tables; "
      "%d packets in %.1f s" % (start, with_idle, high, sum(a.packets for a in agents),
                                time.monotonic() - begin))
assert all(a.games == 1 for a in agents), "a game was not played to its end"
assert ended[0] > 64 * 15 * 3 / 4, "the tables did not play at the same time: %s" % ended
assert high <= limit_kb, "%d KiB of server memory" % high
END

[[ -e $work/failed ]] && exit 1
wait $server || fail "the server's exit status is $?: $(tail -n 3 err.txt)"
[[ $(grep -c '"record":"game"' out/journal.jsonl) == 64 ]] || fail 'every game is in the journal'
grep -q '"fatal":true' out/faults.jsonl && fail "faults: $(head -n 3 out/faults.jsonl)"
finish
