#!/usr/bin/env bash
# `warg agent check` on a disk that fails at any call, once and for ever: it judges the agent, or says what
# it could not write, and never calls an agent refused for that.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=disk.bash
source "$here/disk.bash"

skip_under_tsan
mkdir home tmp
export TMPDIR=$work/tmp

# The leak checker of a sanitized build is another process at the end.
quiet='env ASAN_OPTIONS=detect_leaks=0'

disturbed()
{
    faulty agent check -q --games 1 --startup-limit 60s --agent "name=foo,folder=home,cmd=$quiet $WARG_EXAMPLE -h {host} -p {port} -n {name}"
    if ((status == 0)); then
        grep -q '^agent foo: passed' faulty.out || fail "$fault ($(<told)): $(cat faulty.out)"
    else
        [[ ! -s faulty.out ]] || fail "$fault ($(<told)): a verdict without a check: $(cat faulty.out)"
    fi
    rm -rf tmp/* # what could not be removed
}
each_call 5 disturbed
[[ -z $(ls home) ]] || fail "something is left: $(ls home)"

finish
