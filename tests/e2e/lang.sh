#!/usr/bin/env bash
# warg lang: check, vectors and explain as a user meets them, with hostile lines.
set -u
tab=$'\t'
data=$WARG_TEST_DATA/language
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail()
{
    echo "lang: $*"
    : >"$dir/failed" # a file, because much of this runs behind a pipe
}

# says STATUS OUTPUT ARGUMENT...: standard input is passed on.
says()
{
    local status=$1 expected=$2 got
    shift 2
    got=$("$WARG" "$@" 2>&1)
    local was=$?
    [[ $was == "$status" ]] || fail "$*: exit status $was, expected $status"
    [[ $got == "$expected" ]] || fail "$*: got '$got', expected '$expected'"
}

# ---- check ----
echo 'VOTE Agent[1]' | says 0 "1${tab}VOTE Agent[01]" lang check
printf 'VOTE Agent[01]' | says 0 "1${tab}VOTE Agent[01]" lang check
printf 'Skip\r\n' | says 0 "1${tab}Skip" lang check
echo 'VOTE Agent1' | says 1 \
    "0${tab}column 6: expected an agent such as Agent[01] or ANY, found 'Agent1'" lang check
printf 'VOTE \0\033x\n' | says 1 \
    "0${tab}column 6: expected an agent such as Agent[01] or ANY, found '\\u0000\\u001bx'" lang check
echo 'VOTE Agent[1]' | says 1 \
    "0${tab}column 12: valid, but the library would write VOTE Agent[01]" lang check --strict
echo 'VOTE Agent[01]' | says 0 "1${tab}VOTE Agent[01]" lang check --strict
printf '' | says 0 '' lang check
head -c 3000000 /dev/zero | tr '\0' '(' | says 1 \
    "0${tab}column 8193: expected at most 8192 bytes, found 3000000" lang check
says 3 "warg: open '$dir/none': No such file or directory" lang check "$dir/none"
[[ $("$WARG" lang check "$data/corpus.txt" | wc -l) == 2000 ]] || fail 'lines of the corpus'

# ---- vectors ----
says 0 '2360 rows, 0 disagree' lang check --vectors "$data/vectors.tsv" \
    --vectors "$data/vectors-generated.tsv" --vectors "$data/vectors-throw.tsv"
printf 'input\tvalid\tcanonical\nSkip\t1\tSkip\n\\u0020x\t1\tx\n' >"$dir/wrong.tsv"
says 1 "$dir/wrong.tsv: row 2: \\u0020x
  expected${tab}1${tab}x
  got${tab}0${tab}column 2: expected a sentence such as VOTE Agent[01], Skip or Over, found 'x'
2 rows, 1 disagree" lang check --vectors "$dir/wrong.tsv"
printf 'input\tvalid\tcanonical\nSkip\t1\n' >"$dir/short.tsv"
says 3 "warg: '$dir/short.tsv': expected 3 columns, found 2 (line 2, column 1)" \
    lang check --vectors "$dir/short.tsv"
: >"$dir/empty.tsv"
says 3 "warg: '$dir/empty.tsv': expected column names, found an empty file" \
    lang check --vectors "$dir/empty.tsv"

# ---- explain ----
says 0 'Agent[01] asks Agent[02] to vote for Agent[03].
    Agent[01] REQUEST Agent[02]
      Agent[02] VOTE Agent[03]' \
    lang explain --speaker 1 'REQUEST Agent[02] (VOTE Agent[03])'
echo 'VOTE ANY' | says 0 'The speaker will vote for some agent.' lang explain
echo 'VOTE ANY' | says 0 '{"kind":"VOTE","subject":5,"target":"ANY"}' lang explain --json -s 5
says 1 "{\"error\":\"expected a sentence such as VOTE Agent[01], Skip or Over, found 'x'\",\"column\":1}" \
    lang explain --json x
says 1 "Not valid: column 1: expected a sentence such as VOTE Agent[01], Skip or Over, found 'x'
The speaker has nothing to say now." lang explain x Skip

[[ ! -e $dir/failed ]]
