#!/usr/bin/env bash
# `./dev test` says beforehand how many tests there are and how long that takes, and meanwhile how
# far it is; a script that can't be run here counts as skipped, with its reason.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
command -v meson >/dev/null || {
    echo 'skipped: no meson here'
    exit 77
}

mkdir tests
cat >tests/meson.build <<'END_OF_FILE'
project('some tests', version: '1')
bash = find_program('bash')
test('quick', bash, args: ['-c', 'true'], suite: 'one')
test('slow', bash, args: ['-c', 'sleep 2'], suite: 'one')
test('elsewhere', bash, args: ['-c', 'echo skipped: not on this machine; exit 77'], suite: 'two')
END_OF_FILE
meson setup tests/build tests >meson.txt 2>&1 || fail "meson: $(cat meson.txt)"

# run: as ./dev test does, with a line of progress each second, as on a terminal.
run()
{
    script -qec "bash -c 'source \"$WARG_SOURCE/dev\"; run_tests \"$work/tests/build\"; echo status \$?'" \
        /dev/null </dev/null >shown.txt 2>&1
    tr '\r' '\n' <shown.txt >lines.txt
}

if command -v script >/dev/null; then
    run
    grep -qE 'running 3 tests, [0-9]+ at a time; about [0-9]+ (seconds|minutes)' lines.txt ||
        fail "what comes is said: $(cat lines.txt)"
    grep -qE '[0-3] of 3 tests, [1-9][0-9]* s, last: ' lines.txt || fail "how far it is: $(cat lines.txt)"
    grep -q '^status 0' lines.txt || fail "all is well: $(cat lines.txt)"
    run
    grep -q 'the last time it took [1-9]' lines.txt || fail "the second time: $(cat lines.txt)"
fi
bash -c 'source "$0/dev"; run_tests "$1"' "$WARG_SOURCE" "$work/tests/build" >out.txt 2>err.txt ||
    fail "run_tests: $(cat out.txt err.txt)"
[[ $(tail -n 1 out.txt) == '2 passed, 0 failed' ]] || fail "the count: $(cat out.txt)"
grep -q 'elsewhere: 1 skipped: skipped: not on this machine' out.txt || fail "the reason: $(cat out.txt)"
finish
