#!/usr/bin/env bash
# Well-behaved agents in C, Python and Java play sets in strict cells of both levels: no fault, no finding, not the first
# time and not at the tenth start. With profile= and entry= warg knows the command. docs/spec/contest-operations.md O18, O19.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
"$WARG" cell probe >probe.txt 2>&1 || { echo "skipped: $(head -n 1 probe.txt)"; exit 77; }
chmod 755 .
mkdir c py java
cp "$WARG_EXAMPLE" c/agent
cp "${WARG_LIBRARY:-$(dirname "$WARG")}"/libwarg.so* c 2>/dev/null
cp "$agents/checked_agent.py" py
specs=(-a "name=py,folder=py,profile=python,entry=checked_agent.py")
# Of a sanitized build the library wants more than a cell shows.
if [[ ${WARG_LIBRARY:-} ]]; then
    specs+=(-a 'name=c,folder=c,env=LD_LIBRARY_PATH,cmd=./agent -h {host} -p {port} -n {name}')
    export LD_LIBRARY_PATH=/agent:.
else
    echo 'skipped: the example in C, whose library is built for a sanitizer'
fi
if command -v javac >/dev/null && [[ -x /usr/bin/java ]]; then
    javac -d java "$agents/PlainAgent.java" || fail 'PlainAgent.java does not compile'
    specs+=(-a 'name=java,folder=java,cmd=java -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData -cp . PlainAgent {host} {port} {name}')
else
    echo 'skipped: Java, no javac here'
fi
chmod -R a+rX c py java

play()
{
    expect 0 "cell $1" "$WARG" run --cell "$1" --players 5 --sets 10 --games-per-set 2 --seed 5 -o "$1" -q \
        --time-limit 20s --startup-limit 60s "${specs[@]}" -a 'bot:sample*3' -a 'bot:random'
    [[ ! -s $1/findings.jsonl && ! -s $1/faults.jsonl ]] ||
        fail "$1: $(head -n 3 "$1"/findings.jsonl "$1"/faults.jsonl; tail -n 5 err.txt)"
}

play light
for level in namespaces filter; do
    "$WARG" cell probe --require "$level" >/dev/null 2>&1 || { echo "skipped: $level is not here"; continue; }
    play "$level"
    grep -q "\"level\":\"$level\"" "$level/journal.jsonl" || fail "$level: not in the journal"
    [[ $(grep -c '"record":"game"' "$level/journal.jsonl") == 20 ]] || fail "$level: not 20 games"
done
finish
