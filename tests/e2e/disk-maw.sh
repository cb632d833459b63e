#!/usr/bin/env bash
# `warg maw --out` on a disk that fails at any call, once and for ever: the session says at once that
# nothing is recorded any more, goes on, and ends with 3; what is recorded is whole and replays.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=disk.bash
source "$here/disk.bash"
skip_under_tsan 'disk-run and disk-nlp fail the calls of the same threads'

table=(maw -q --rounds 1 --seed 7)
"$WARG" "${table[@]}" --out undisturbed >expected.txt 2>&1

disturbed()
{
    rm -rf out
    faulty "${table[@]}" --out out
    if ((status == 0)); then
        cmp -s out/session.jsonl undisturbed/session.jsonl || grep -q . out/session.jsonl ||
            fail "$fault ($(<told)): another record"
        "$WARG" log check out >check.txt 2>&1 || fail "$fault ($(<told)): $(cat check.txt)"
        (($(grep -c '"record":"game"' out/journal.jsonl) == 1)) || fail "$fault ($(<told)): no journal of the round"
        [[ $(cat faulty.out faulty.err) == "$(<expected.txt)" ]] || fail "$fault ($(<told)): another end"
        return
    fi
    if [[ -s out/session.jsonl ]] && (($(wc -l <out/session.jsonl) > 0)); then
        "$WARG" log check out >check.txt 2>&1
        grep -qE 'it replays|what stands before it replays|as it says|: ok' check.txt ||
            fail "$fault ($(<told)): the record does not replay: $(cat check.txt)"
    fi
    # A round that is in the journal is in the record, too.
    if [[ -s out/journal.jsonl ]]; then
        (($(grep -c '"record":"game"' out/journal.jsonl) <= $(grep -c '"event":"end_game"' out/session.jsonl))) ||
            fail "$fault ($(<told)): the journal has a round that the record lacks"
    fi
    # A second start never writes behind the first.
    if [[ -e out/session.jsonl ]]; then
        expect 2 "$fault: the same folder" "$WARG" "${table[@]}" --out out
        rm -rf out
    fi
    "$WARG" "${table[@]}" --out out >again.txt 2>&1 || fail "$fault: a second start: $(cat again.txt)"
    cmp -s again.txt expected.txt || fail "$fault: a second start ends otherwise: $(cat again.txt)"
}

each_call 43 disturbed

# What is told at the end is on disk.
modes=('sync N ever 5')
each_call 1 disturbed
finish
