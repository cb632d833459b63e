#!/usr/bin/env bash
# Slips of the pen, one check each: what was mistyped or misunderstood is said, with its place and
# what to do, and is not played.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# refused WHAT PATTERN COMMAND...: ends with 2 or 3, and its message has the pattern.
refused()
{
    local what=$1 pattern=$2 status
    shift 2
    timeout 60 "$@" >out.txt 2>err.txt </dev/null
    status=$?
    ((status == 2 || status == 3)) || fail "$what: exit status $status; $(cat out.txt err.txt)"
    grep -qE -- "$pattern" err.txt || fail "$what: no '$pattern' in: $(cat err.txt)"
}

# ---- folders ----

quick=(-q -n 5 -s 1 --time-limit 30s --startup-limit 60s --format csv)
bot="exec '$WARG' bot aiwolf -h {host} -p {port} -n {name}"
expect 0 'two Japanese names' timeout 60 "$WARG" run "${quick[@]}" -g 1 -o names -a 'bot:sample*2' \
    -a "name=山田,cmd=$bot" -a "name=鈴木,cmd=$bot" -a "name=a/b c,cmd=$bot"
[[ $(cd names/agents && printf '%s,' *) == 'a%2Fb%20c,山田,鈴木,' ]] ||
    fail "every agent has a folder of its own: $(ls names/agents)"

expect 0 'a folder in a new folder' "$WARG" run "${quick[@]}" -g 1 --out new/inner/cup
[[ -s new/inner/cup/journal.jsonl ]] || fail 'the folders above --out are made'
expect 0 'logs in a new folder' "$WARG" run "${quick[@]}" -g 1 --log-dir logs/of/today
[[ -s logs/of/today/000.log ]] || fail 'the folders above --log-dir are made'

refused '--resume of nothing' "no contest in 'nwe/inner'.*no such folder" \
    "$WARG" run "${quick[@]}" -g 1 --out nwe/inner --resume
[[ ! -e nwe ]] || fail 'a mistyped --resume leaves a folder'
mkdir other && : >other/letter.txt
refused "--resume of somebody's folder" "no contest in 'other'" \
    "$WARG" run "${quick[@]}" -g 1 --out other --resume
mkdir begun # killed before its first line was on disk
expect 0 '--resume of a folder that was only made' "$WARG" run "${quick[@]}" -g 1 --out begun --resume

# ---- rules ----

: >empty.yml
refused 'an empty file of rules' 'no rule is in it.*\(line 1' "$WARG" run "${quick[@]}" -g 1 --rules empty.yml
printf '# nothing but a comment\n\n' >comment.yml
refused 'a file of comments' 'no rule is in it' "$WARG" run "${quick[@]}" -g 1 --rules comment.yml
for file in empty.yml comment.yml; do
    refused "a MAW table of $file" 'no key is in it.*\(line [13],' "$WARG" maw --rules $file
done
printf 'ruleset: aiwolf-2021\nroles:\n  5: {VILLAGER: 5, WEREWOLF: 0}\n' >tame.yml
refused 'no werewolf' 'no WEREWOLF.*\(line 3' "$WARG" run "${quick[@]}" -g 1 --rules tame.yml
printf 'ruleset: aiwolf-2021\ntalk:\n\tmax_per_day: 3\n' >tab.yml
refused 'a tab' 'begins with a tab.*\(line 3' "$WARG" run "${quick[@]}" -g 1 --rules tab.yml

# ---- contest files ----

# contest AGENT STAGES
contest()
{
    printf 'agents:\n  - {bot: sample, copies: 4}\n  - %s\nstages: %s\n' "$1" "$2" >cup.yml
}

contest '{name: a, command: "python3 a.py"}' '[{players: 5}]'
refused 'no port' 'has no \{port\}.*\(line 3' "$WARG" run cup.yml
contest '{name: a, command: "python3 a.py -h {hosts} -p {port}"}' '[{players: 5}]'
refused 'an unknown word in braces' "'\{hosts\}'; did you mean '\{host\}'.*\(line 3" "$WARG" run cup.yml
contest '{bot: random}' '[{name: one, players: 5, sets: 1, advance: 6}, {name: two, players: 5, sets: 1}]'
refused 'more go on than play' "advance.*6 agents can't go on, 5 play.*\(line 4" "$WARG" run cup.yml
contest "{name: a, command: \"x=\${HOME}; : {x}; exec $WARG bot aiwolf -h {host} -p {port}\"}" '[{players: 5, games: 1}]'
timeout 60 "$WARG" run cup.yml -q --time-limit 30s --startup-limit 60s >out.txt 2>err.txt || fail "braces of other kinds: $(cat err.txt)"

# ---- options ----

refused 'an unknown word in braces of --agent' "nothing is filled in for '\{hosts\}'.*did you mean '\{host\}'" \
    "$WARG" run --agent 'cmd=python3 a.py -h {hosts} -p {port}'
expect 6 'no port in --agent' timeout 60 "$WARG" run "${quick[@]}" -g 1 -a 'bot:sample*4' -a 'name=x,cmd=exit 1'
[[ $err == *'agent x: its command has no {port}'* ]] || fail "no port in --agent: $err"
refused 'a name without a command' "agent 'a' has no command.*cmd=" "$WARG" run --agent name=a
for word in lang language; do
    refused "--$word in report" "can't read 'nowhere'" "$WARG" report --$word ja nowhere
    expect 0 "--$word in log show" "$WARG" log show --$word ja names/logs/000.log
    expect 0 "--$word in run" "$WARG" run "${quick[@]}" -g 1 --$word ja
    expect 0 "--$word in standings" "$WARG" standings --$word ja names
    expect 0 "--$word in log list" "$WARG" log list --$word ja names
    for command in play 'bot aiwolf' 'bot nlp'; do
        # shellcheck disable=SC2086 # two words
        refused "--$word in $command" 'takes one of .*en\|ja' "$WARG" $command --$word none
    done
    expect 0 "--$word in maw" "$WARG" maw --$word ja --seed 1
    refused "--$word in join" '--gm is missing' "$WARG" join --$word ja --xmpp a@b
    refused "--$word in llm check" 'URL' "$WARG" llm check --$word ja
done
refused 'join without an account' '--xmpp is missing' env -u WARG_PASSWORD "$WARG" join --gm gm@maw.localhost
[[ $(grep -c 'warg join --help' err.txt) == 1 ]] || fail "join names its help once: $(cat err.txt)"

# ---- what is no file, and what is no contest ----

expect 0 'a sentence to check' "$WARG" lang check 'VOTE Agent[3]' 'Over'
[[ $out == $'1\tVOTE Agent[03]\n1\tOver' ]] || fail "lang check: $out"
expect 1 'a sentence that is none' "$WARG" lang check FOO
[[ $out == $'0\tcolumn 1: '* ]] || fail "lang check FOO: $out"
refused 'a file that is not there' "open './FOO': No such file" "$WARG" lang check ./FOO

cp names/logs/000.log g.log
expect 0 'standings of a log' "$WARG" standings g.log
[[ $out == '1 game, '* ]] || fail "standings of a log: $out"
expect 0 'a report of a log' "$WARG" report g.log

# ---- waiting ----

# A port where nobody listens, for this moment.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
refused 'bots that wait' "nobody answers at 127.0.0.1:$port; trying for 1 s" \
    "$WARG" bot aiwolf -p "$port" --count 3 --wait 1s
(($(grep -c 'nobody answers' err.txt) == 1)) || fail "three bots say it once: $(cat err.txt)"
finish
