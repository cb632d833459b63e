#!/usr/bin/env bash
# warg agent check: good agents pass, each of the bad ones is named by its step, with advice; the report
# as JSON and in Japanese; what the command line may not say. docs/spec/contest-operations.md 7, O14.
#
# Cells of the light level refuse nothing: who forks, writes or connects is named by what is seen of it
# in /proc and in its folder.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
mkdir home tmp
export TMPDIR=$work/tmp
words='-h {host} -p {port} -n {name}'
agent="python3 -B $agents/checked_agent.py $words"

# check STATUS WHAT OPTION...: tries the agent of these files that does WHAT; the report is in report.json.
check()
{
    local status=$1 what=$2
    shift 2
    local tries got
    for tries in 1 2 3; do
        "$WARG" agent check -q --json --games 2 --startup-limit 60s "$@" \
            --agent "name=foo,folder=home,cmd=$agent --do ${what/:/ --with }" >report.json 2>err.txt
        got=$?
        # Where the machine stands still, an agent that is to pass may be late all the same.
        ((got == status)) || [[ $(verdict time) != fail ]] || continue
        break
    done
    ((got == status)) || fail "$what: exit status $got, expected $status: $(cat err.txt report.json)"
}

# verdict STEP: what the report says of it; advice STEP likewise.
verdict()
{
    python3 -c 'import json, sys
print([s["verdict"] for s in json.load(open("report.json"))["steps"] if s["step"] == sys.argv[1]][0])' "$1"
}
advice()
{
    python3 -c 'import json, sys
print([s.get("advice", "") for s in json.load(open("report.json"))["steps"] if s["step"] == sys.argv[1]][0])' "$1"
}

# named WHAT STEP VERDICT ADVICE: the step has this verdict, and its advice these words.
named()
{
    [[ $(verdict "$2") == "$3" ]] || fail "$1: $2 is $(verdict "$2") and not $3: $(cat report.json)"
    [[ $(advice "$2") == *"$4"* ]] || fail "$1: $2 advises: $(advice "$2")"
}

# Takes longest: it is waited for.
mkdir slow
"$WARG" agent check -q --json --games 2 --startup-limit 60s \
    --agent "name=foo,folder=slow,cmd=$agent --do slow" >slow.json 2>slow.err &
slow=$!

# ---- good ones ----

check 0 good
[[ $(grep -o '"verdict":"ok"' report.json | wc -l) == 8 ]] || fail "the good agent: $(cat report.json)"
[[ -z $(ls home) ]] || fail "something is left in its folder: $(ls home)"
# The leak checker of a sanitized build is another process at the end.
quiet='env ASAN_OPTIONS=detect_leaks=0'
for command in "$quiet $WARG_EXAMPLE $words" "$quiet $WARG bot aiwolf $words"; do
    for tries in 1 2 3; do
        "$WARG" agent check -q --startup-limit 60s --agent "name=foo,cmd=$command" >out.txt 2>err.txt
        out=$(cat out.txt)
        grep -qE '^time +ok' out.txt && break # else the machine may have stood still
    done
    [[ $out == 'agent foo: passed'* && $(grep -c ' ok  ' <<<"$out") == 8 ]] || fail "$command: $out$(cat err.txt)"
    grep -qE '^dialogue +ok +10 games at tables of 5 and 15, in every role; [0-9]{3,} talks, [1-9][0-9]* whispers' \
        <<<"$out" || fail "what was played with $command: $out"
    grep -qE '[1-9][0-9]* of them in revotes' <<<"$out" || fail "no revote: $out"
    ! grep -q 'what to change' <<<"$out" || fail "a good agent is advised: $out"
done

# ---- bad ones, each by its step ----

check 1 noconnect --startup-limit 1s
named noconnect start fail 'connect to the host and port'
grep -q '"advice_ja":"[^"]*-h' report.json || fail "no advice in Japanese: $(cat report.json)"
[[ $(verdict set) == skipped ]] || fail "played with an agent that does not connect: $(cat report.json)"
check 1 dies
named dies start fail 'ended before it said its name'
grep -q '"output":\["checked agent: no model.npz here"\]' report.json || fail "no last lines: $(cat report.json)"
check 1 name --name refuse
named name name fail 'exactly the name'
check 0 name
named name name warn 'exactly the name'
check 1 night
named night dialogue fail 'ended or closed the connection in a game'
check 1 sentence
named sentence dialogue fail 'warg lang check'
named sentence set fail 'warg lang check'
check 1 target
named target dialogue fail 'among the living'
grep -q 'who is dead' report.json || fail "no evidence of a dead target: $(cat report.json)"
check 1 fork
named fork conduct fail 'start no other process'
grep -q '"rule":"process","text":"runs another process, sleep' report.json || fail "fork: $(cat report.json)"
check 1 write
named write conduct fail 'write no files'
named write repeat fail 'write no files'
grep -q 'memo.txt' report.json || fail "write: $(cat report.json)"
rm -f home/memo.txt
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
time.sleep(1000)' >port.txt &
server=$!
await 'a server of somebody' port.txt '[0-9]'
check 1 "connect:$(cat port.txt)"
named connect conduct fail 'no connection but that to the game'
grep -q "tcp 127.0.0.1:$(cat port.txt)" report.json || fail "connect: $(cat report.json)"
kill "$server"
server=
check 1 threads:30 --threads 16
named threads resources fail 'fewer threads'
named threads conduct warn 'one thread'
check 1 memory:100 --memory 64
named memory resources fail 'less memory'
check 0 memory:48 --memory 68
named memory resources warn 'less memory'
check 1 flood:2000
named flood resources fail 'print less'
check 0 error
named error conduct warn 'stack traces'
grep -q 'Traceback (most recent call last): IndexError' report.json || fail "error: $(cat report.json)"
check 1 early
named early dialogue fail 'stay after FINISH'

wait "$slow"
(($? == 1)) || fail "slow: $(cat slow.json slow.err)"
cp slow.json report.json
named slow time fail 'within the limit'

# ---- the report ----

expect 1 'as text' "$WARG" agent check -q --startup-limit 60s --games 2 --agent "name=foo,cmd=$agent --do dies"
[[ $out == 'agent foo: refused'* ]] || fail "text: $out"
grep -q '^  what to change: the program ended' <<<"$out" || fail "no advice: $out"
grep -q '^    checked agent: no model.npz here' <<<"$out" || fail "no last lines: $out"
expect 1 'in Japanese' "$WARG" agent check -q --startup-limit 60s --games 2 --lang ja --agent "name=foo,cmd=$agent --do dies"
grep -q '不合格' <<<"$out" || fail "Japanese: $out"
grep -q '直すこと: 名前を答える前に' <<<"$out" || fail "Japanese advice: $out"
expect 0 'a class of the platform' "$WARG" agent check -q --startup-limit 60s --games 2 \
    --agent "name=foo,cmd=$agent -c org.aiwolf.sample.player.SampleRoleAssignPlayer"
{ grep -qE '^name +warning' <<<"$out" && [[ $out == *passed* ]]; } || fail "a class of org.aiwolf: $out"

# ---- what breaks by our fault ----

# A cell that can't be made says so, and ends so: the agent is tried again, and not called refused.
cat >cell.sh <<'END'
echo start >>starts.txt
echo 'warg-cell: no room for a cell' >&2
exit 125
END
expect 3 'no cell' "$WARG" agent check -q --agent 'name=foo,cmd=sh cell.sh {port}'
[[ $err == *'the check broke 3 times, which says nothing of the agent: warg-cell: no room for a cell'* ]] ||
    fail "no cell: $err"
[[ -z $out ]] || fail "a verdict without a check: $out"
(($(wc -l <starts.txt) >= 3)) || fail "tried $(wc -l <starts.txt) times"

# ---- ended early ----

launch out.txt err.txt "$WARG" agent check -q --agent "name=foo,folder=home,cmd=touch ../came; exec $agent --do noconnect"
until_true "$patience" test -e came || fail "not started: $(cat err.txt)"
kill -INT "$server"
wait "$server"
(($? == 130)) || fail "ended early: $(cat err.txt)"
server=
[[ ! -s out.txt ]] || fail "a verdict of a check that was ended: $(cat out.txt)"

# ---- what can't be asked ----

expect 2 'no agent' "$WARG" agent check
[[ $err == *'expected --agent SPEC'* ]] || fail "no agent: $err"
for spec in bot:sample 'bot:sample*2' "name=foo,copies=2,cmd=./foo {port}" llm:demo; do
    expect 2 "$spec" "$WARG" agent check --agent "$spec"
    [[ $err == *'tries one program'* ]] || fail "$spec: $err"
done
expect 2 'no such folder' "$WARG" agent check --agent "name=foo,folder=nowhere,cmd=./foo {port}"
[[ $err == *nowhere* ]] || fail "no such folder: $err"
expect 2 'an argument' "$WARG" agent check foo
expect 2 'no verb' "$WARG" agent

# ---- nothing stays ----

[[ -z $(ls tmp) ]] || fail "a folder stays: $(ls tmp)"
[[ -z $(own_agents checked_agent.py) ]] || fail 'agents are left'

finish
