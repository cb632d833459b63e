#!/usr/bin/env bash
# libwarg: the example agent plays whole sets; it compiles against the library as authors do it; the
# header is clean as C11 and as C++.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# ---- a set with the example, beside bots ----

serve five --players 5 --games 30 --once --out five --seed 2 --format csv --agent 'bot:sample*2'
agents=()
for i in 1 2 3; do
    "$WARG_EXAMPLE" -h 127.0.0.1 -p "$port" -n "example$i" 2>"example$i.err" &
    agents+=($!)
done
for agent in "${agents[@]}"; do
    wait "$agent" || fail "an agent's exit status is $?: $(cat example*.err)"
done
wait "$server" || fail "the server's exit status is $?: $(cat five.err)"
"$WARG" log check -q five/logs || fail 'the logs are not legal'
! grep -q . five/faults.jsonl || fail "faults: $(head -n 3 five/faults.jsonl)"
grep -hq 'COMINGOUT Agent\[0[1-5]\] SEER' five/logs/*.log || fail 'no seer came out'
[[ -z $(cat example*.err) ]] || fail "the agents report: $(cat example*.err)"

# ---- what ends badly ----

"$WARG_EXAMPLE" --help | grep -q 'Usage:' || fail '--help'
"$WARG_EXAMPLE" -x 2>/dev/null
(($? == 2)) || fail 'an unknown option gives status 2'
"$WARG_EXAMPLE" -p 0 2>/dev/null
(($? == 2)) || fail 'a bad port gives status 2'
python3 - >port.txt <<'END' &
import socket
s = socket.create_server(("127.0.0.1", 0))
s.settimeout(20)
print(s.getsockname()[1], flush=True)
c, _ = s.accept()
c.sendall(b"hello\n")
c.shutdown(socket.SHUT_WR)
while c.recv(4096):
    pass
END
await 'a peer' port.txt '[0-9]'
"$WARG_EXAMPLE" -p "$(cat port.txt)" 2>hostile.err
(($? == 3)) || fail 'a server that talks nonsense gives status 3'
grep -q 'not JSON' hostile.err || fail "nonsense: $(cat hostile.err)"

# ---- as authors build it ----

include=$WARG_SOURCE/include
example=$WARG_SOURCE/examples/agent.c
if command -v cc >/dev/null; then
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" "$example" ||
        fail 'the example is not clean as C11'
    if [[ $WARG_LIBRARY ]]; then
        cc -std=c11 -I "$include" "$example" -o mine -L "$WARG_LIBRARY" -lwarg \
            -Wl,-rpath,"$WARG_LIBRARY" || fail 'the example with cc'
        ./mine --help >/dev/null || fail 'what cc built does not run'
    fi
fi
if command -v g++ >/dev/null; then
    printf '#include <warg_agent.h>\nint main() { return *warg_version() == 0; }\n' >header.cc
    g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" header.cc ||
        fail 'the header is not clean as C++'
fi
# Every function of the header is exported, and nothing else.
if [[ $WARG_LIBRARY ]] && command -v nm >/dev/null; then
    nm -D --defined-only "$WARG_LIBRARY/libwarg.so" | awk '$2 == "T" {print $3}' |
        sed 's/@.*//' | sort -u >exported
    diff <(grep -A 2 '^WARG_API' "$include/warg_agent.h" | grep -oE '\bwarg_[a-z_]+\(' |
        tr -d '(' | sort -u) exported || fail 'the header and the exports differ'
fi

finish
