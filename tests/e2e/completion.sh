#!/usr/bin/env bash
# The completion scripts are valid, and the one for bash completes commands, verbs and options.
set -u
failed=0
fail()
{
    echo "completion: $*"
    failed=1
}

script=$("$WARG" completion bash) || fail 'no script for bash'
eval "$script"

# complete_line WORD...: the completions of the last word.
complete_line()
{
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _warg
    echo "${COMPREPLY[*]}"
}

[[ $(complete_line warg ver) == version ]] || fail 'warg ver'
[[ $(complete_line warg comp) == completion ]] || fail 'warg comp'
[[ $(complete_line warg completion z) == zsh ]] || fail 'warg completion z'
[[ $(complete_line warg version --h) == --help ]] || fail 'warg version --h'

for shell in zsh fish; do
    text=$("$WARG" completion "$shell") || fail "no script for $shell"
    command -v "$shell" >/dev/null || continue
    "$shell" -n <<<"$text" || fail "$shell does not take its script"
done

exit "$failed"
