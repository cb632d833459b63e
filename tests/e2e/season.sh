#!/usr/bin/env bash
# A season of contests on a site while random faults fall: kill -9 and SIGSTOP of server, runner, jobs, cells and agents,
# all of them at once, calls to the disk and of the store that fail, connections that are cut off, requests that are
# repeated or come twice at once, a clock that jumps, mail that fails. Nothing may be lost, double, or left running:
# agents/season.py says what is looked at, and plants a fault for each of its checks. What a server's kill leaves
# running gives its place to the next one, or ends.
# docs/spec/contest-operations.md 16.2; O3 to O6, O20.
#
# WARG_SEASON_FAULTS=N lets N fall, out of WARG_SEASON_SEED. `./dev soak season` 10,000.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
need_cells
command -v gcc >/dev/null || { echo 'skipped: no C compiler'; exit 77; }
some=36
is_sanitized && some=12
faults=${WARG_SEASON_FAULTS:-$some} seed=${WARG_SEASON_SEED:-7}
mkdir tmp season
chmod 755 . tmp season
export TMPDIR=$work/tmp SEASON_AGENT=$work/season_agent
gcc -O1 -static "$agents/season_agent.c" -o season_agent || { fail 'the agent is not built'; finish; }

# ---- a runner whose server is gone ----

expect 0 init "$WARG" contest init site
sed -i 's/^listen: [^ ]*/listen: 127.0.0.1:0/' site/server.yml
runners() { pgrep -f "contest runner $work/site" | wc -l; }
has_runners() { (($(runners) == $1)); }
begin_server()
{
    launch serve.txt serve.err "$WARG" contest serve "$work/site"
    await 'the server' serve.txt 'port [0-9]+' || finish
}
begin_server
until_true "$patience" has_runners 1 || fail 'no runner'
until_true "$patience" test -e site/data/spool/runner.json || fail 'the runner does not begin'
kill -STOP "$(pgrep -f "contest runner $work/site")" # it can't end before the next server is there
kill -9 "$server"
wait "$server" 2>/dev/null
old=$(pgrep -f "contest runner $work/site")
begin_server
until_true "$patience" has_runners 2 || fail 'the second server begins no runner'
kill -CONT "$old"
is_gone() { [[ ! -e /proc/$old ]]; }
until_true "$patience" is_gone || fail 'the runner of a server that is gone does not give its place'
own_runner() { [[ $(ps -o ppid= -p "$(pgrep -f "contest runner $work/site" | head -n 1)") -eq $server ]] && has_runners 1; }
until_true "$patience" own_runner || fail "$(runners) runners: $(cat serve.err)"
! grep -q 'another runner' serve.err || fail "the server's runner has no place: $(cat serve.err)"
kill -9 "$server"
wait "$server" 2>/dev/null
until_true "$patience" has_runners 0 || fail 'a runner without a server and without jobs does not end'
rm -rf site

# ---- the season ----

cd season || exit 1
python3 "$agents/season.py" "$faults" "$seed" || fail 'the season'
finish
