#!/usr/bin/env bash
# The frame of the program: exit statuses, errors on stderr, help, colours, lost output, pipes.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

expect 0 'no argument' "$WARG"
[[ $out == *Commands:* && -z $err ]] || fail 'without an argument the commands are listed'
expect 0 '--help' "$WARG" --help
[[ $out == *Commands:* ]] || fail '--help lists the commands'
expect 0 '--version' "$WARG" --version
[[ $out =~ ^warg\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version prints '$out'"
expect 0 'help of a command' "$WARG" help version
[[ $out == *'Usage: warg version'* ]] || fail 'help version prints the usage'

expect 2 'unknown command' "$WARG" vresion
[[ $err == *"did you mean 'version'?"*"see 'warg --help'"* && -z $out ]] || fail "suggestion: $err"
expect 2 'unknown global option' "$WARG" --vresion
expect 2 'unknown option' "$WARG" version --hepl
[[ $err == *"did you mean '--help'?"*"see 'warg version --help'"* ]] || fail "suggestion: $err"
expect 2 'argument too many' "$WARG" version x
expect 2 'unknown shell' "$WARG" completion tcsh

# No escape sequences where stderr is no terminal.
expect 2 'plain error' env TERM=xterm "$WARG" vresion
[[ $err != *$'\033'* ]] || fail 'colours without a terminal'

# Output that is lost is an error; a reader that went away is not.
if [[ -w /dev/full ]]; then
    "$WARG" help >/dev/full 2>err.txt
    (($? == 3)) || fail 'a full disk gives status 3'
    grep -q "can't write the output: No space left" err.txt || fail "full disk: $(cat err.txt)"
fi
"$WARG" completion bash 2>err.txt | true
[[ ! -s err.txt ]] || fail "a closed pipe prints: $(cat err.txt)"

finish
