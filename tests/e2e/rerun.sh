#!/usr/bin/env bash
# `warg audit --rerun`: programs are asked once more what they were asked in a contest. They are sent the
# same bytes, whatever becomes of who fails; the first answer that is another is found where it stands;
# who does not come, dies or says too much is told of; nothing is left of a rerun that is broken off.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan

# command FOLDER WAY...: of an agent that keeps what it is sent there.
command_of()
{
    mkdir -p "$1"
    echo "exec python3 '$agents/logging_agent.py' {host} {port} {name} '$work/$1' ${*:2}"
}

# same_lines A B: the programs of both folders were sent the same, file by file.
same_lines()
{
    local a b
    a=$(sha256sum "$1"/*.txt | cut -d ' ' -f 1 | sort) b=$(sha256sum "$2"/*.txt | cut -d ' ' -f 1 | sort)
    [[ $a && $a == "$b" ]]
}

# ---- the same bytes, whatever becomes of who fails ----

for policy in substitute forfeit-set abort-game restart; do
    "$WARG" run -q -n 5 --games-per-set 6 --sets 2 --seed 5 --time-limit 30s --startup-limit 60s --on-fault "$policy" -o "$policy" -a 'bot:sample*3' \
        -a "name=ann,cmd=$(command_of "$policy-ann")" \
        -a "name=bea,cmd=$(command_of "$policy-bea" die=50)" >/dev/null 2>&1
    [[ -s $policy/faults.jsonl ]] || fail "$policy: nobody failed"
    expect 0 "$policy" "$WARG" audit "$policy" -q --rerun "ann=$(command_of "$policy-ann-again")" \
        --rerun "bea=$(command_of "$policy-bea-again" die=50)"
    grep -qE '^rerun +ann: [0-9]+ answers of [12] sets? in [0-9]+ games? given again, all the same$' <<<"$out" ||
        fail "$policy: ann: $out"
    grep -qE '^rerun +bea: [0-9]+ answers of [12] sets? in [0-9]+ games? given again, all the same$' <<<"$out" ||
        fail "$policy: bea: $out"
    same_lines "$policy-ann" "$policy-ann-again" || fail "$policy: ann was sent something else"
    same_lines "$policy-bea" "$policy-bea-again" || fail "$policy: bea was sent something else"
done
(($(find restart-bea -name '*.txt' | wc -l) > 2)) || fail 'restart: bea was not started again'

# ---- a built-in bot as a program, a bundle, some sets ----

bot="exec '$WARG' bot aiwolf --host {host} --port {port} --name {name} --seed"
expect 0 'a contest' "$WARG" run -q -n 5 --games-per-set 5 --sets 4 --time-limit 30s --startup-limit 60s --commit-seed -o cup -a 'bot:sample*4' -a "name=cy,cmd=$bot 1"
expect 0 'a bundle' "$WARG" bundle cup
expect 0 'the bundle, asked again' "$WARG" audit cup-bundle -q --rerun "cy=$bot 1"
grep -qE '^rerun +cy: [0-9]+ answers of 4 sets in 20 games given again, all the same$' <<<"$out" || fail "a bundle: $out"
expect 0 'two sets' "$WARG" audit cup -q --games 1 --sets 2 --rerun "cy=$bot 1"
grep -qE '^rerun +cy: [0-9]+ answers of 2 sets in 10 games' <<<"$out" || fail "two sets: $out"
expect 0 'as JSON' "$WARG" audit cup -q --json --rerun "cy=$bot 1"
python3 -c 'import json, sys
rerun = json.load(sys.stdin)["rerun"][0]
assert rerun["state"] == "same" and rerun["games"] == 20 and rerun["answers"] > 100, rerun' <<<"$out" || fail 'JSON'
expect 1 'another seed' "$WARG" audit cup -q --lang ja --rerun "cy=$bot 2"
grep -q '相違: exchange/0[01][0-9].jsonl.gz:[0-9]*: ' <<<"$out" || fail "in Japanese: $out"

# ---- an answer that is another, at its place ----

# The tenth request behind NAME is the ninth ask of the record.
expect 1 'one changed answer' "$WARG" audit restart -q --rerun "ann=$(command_of changed other=10)"
python3 - restart <<'PYTHON' >place || fail 'the place'
import gzip, json, sys
for number in range(100):
    name = "exchange/%03d.jsonl.gz" % number
    lines = [json.loads(line) for line in gzip.open(sys.argv[1] + "/" + name, "rt")]
    seat = lines[0]["agents"].index("ann") + 1
    mine = [i for i, line in enumerate(lines) if line.get("s") == seat]
    print("%s:%d: set %d, game %d, day %s, %s: recorded '%s', given '" % (
        name, mine[8] + 1, lines[0]["set"], lines[0]["game"], "[0-9]*", lines[mine[8]]["k"],
        lines[mine[8]]["r"].replace("[", "\\[").replace("{", "[{]")))
    break
PYTHON
grep -qE "^rerun +ann: DIFFERENT: $(<place)" <<<"$out" || fail "one changed answer: no $(<place) in: $out"
grep -q 'what a program takes from chance' <<<"$out" || fail "no advice: $out"
grep -q '^audit: nothing contradicts' <<<"$out" || fail "the steps hold all the same: $out"
expect 1 'as JSON' "$WARG" audit restart -q --json --rerun "ann=$(command_of changed other=10)"
python3 -c 'import json, sys
rerun = json.load(sys.stdin)["rerun"][0]
assert rerun["state"] == "differs" and rerun["line"] > 1 and rerun["recorded"] != rerun["given"], rerun' <<<"$out" ||
    fail "JSON: $out"

# ---- programs that do not come, die, say too much ----

expect 1 'no such program' "$WARG" audit cup -q --rerun 'cy=exec nothing-of-this-name {port}'
grep -q '^rerun  *cy: DIFFERENT: it did not connect and say its name' <<<"$out" || fail "no such program: $out"
grep -q 'exit status 127' <<<"$out" || fail "no such program: $out"
expect 1 'it dies' "$WARG" audit restart -q --rerun "ann=$(command_of dies die=20)"
grep -qE "^rerun +ann: DIFFERENT: exchange/.*, given nothing: its connection ended" <<<"$out" || fail "it dies: $out"
grep -q 'exit status 3' <<<"$out" || fail "it dies: $out"
expect 2 'nobody of this name' "$WARG" audit restart -q --rerun 'anne=x {port}'
[[ $err == *"did you mean 'ann'?"* ]] || fail "nobody of this name: $err"
expect 2 'a bot' "$WARG" audit cup -q --rerun 'sample={port}'
expect 2 'no command' "$WARG" audit cup -q --rerun cy
expect 2 'no port' "$WARG" audit cup -q --rerun 'cy=x'
expect 2 'a slip' "$WARG" audit cup -q --rerun 'cy=x {prot}'
expect 2 'sets of what' "$WARG" audit cup -q --sets 3

# ---- it can't read what it has said, nor what others said ----

if [[ $(own_words err.txt) ]] && "$WARG" audit cup --rerun "cy=$bot 1" 2>&1 >/dev/null | grep -q 'gives no namespaces'; then
    echo "$script_name: no namespaces: programs can read the record"
else
    expect 1 'the record is hidden' "$WARG" audit cup -q --rerun "cy=ls '$work/cup' >&2; exec nothing {port}"
    grep -q 'journal.jsonl' <<<"$out" && fail "the program can read the record: $out"
fi

# ---- a contest that was killed and gone on with ----

stateful="name=ann,cmd=$(command_of killed state)"
killed=(run -q -n 5 --games-per-set 30 --sets 1 --time-limit 30s --startup-limit 60s -o killed-cup -a 'bot:sample*4' -a "$stateful")
# Killed while it puts a log in its place.
WARG_DISK_FAULT='rename 20 once 0' "$WARG_FAULTS" "${killed[@]}" >killed.txt 2>&1
kept=$(grep -cs '"record":"game"' killed-cup/journal.jsonl)
((kept > 3 && kept < 30)) || fail "killed behind $kept games"
expect 0 'gone on with' "$WARG" "${killed[@]}" --resume
expect 0 'asked again, and started anew' "$WARG" audit killed-cup -q --rerun "ann=$(command_of killed-again state)"
grep -q 'in 30 games given again, all the same; 1 time only by a program that was started anew there' <<<"$out" ||
    fail "asked again, and started anew: $out"

# ---- broken off ----

launch broken.out broken.err "$WARG" audit killed-cup -q --rerun "ann=$(command_of broken state slow=60)"
was_asked()
{
    [[ $(cat broken/*.txt 2>/dev/null) ]]
}
until_true "$patience" was_asked || fail 'broken off: it was asked nothing'
kill -INT "$server"
wait "$server"
status=$?
server=
((status == 130)) || fail "broken off: exit status $status; $(cat broken.err)"
until_true "$patience" no_agents logging_agent.py || fail 'a program is left of a rerun that was broken off'

finish
