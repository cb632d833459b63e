#!/usr/bin/env bash
# `warg report`: a page from a folder or a database, in two languages, the same bytes each time;
# mistakes are explained and leave no page behind.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

data=$here/../data/report

mkdir results
cp "$data/journal.jsonl" results/

# ---- a page ----

expect 0 'a folder' "$WARG" report results
[[ -s results/report.html ]] || fail 'the page is report.html in the folder'
[[ -z $out && -z $err ]] || fail "prints '$out$err'"
grep -q '<a href="logs/0.log.gz">' results/report.html || fail 'logs are linked from their folder'
grep -q '&lt;b&gt;bob' results/report.html || fail 'names are escaped'
cp results/report.html first.html
expect 0 'once more' "$WARG" report results
cmp -s first.html results/report.html || fail 'the same results give other bytes'

expect 0 'a database file' "$WARG" report results/results.db --output db.html
grep -q '<a href="logs/' db.html && fail 'links to logs that are not there'

expect 0 'Japanese' "$WARG" report results --lang ja --output ja.html
grep -q '<html lang="ja">' ja.html || fail 'the language is named'
expect 0 'a title' "$WARG" report results --title 'A <title>' -o titled.html
grep -q '<h1>A &lt;title&gt;</h1>' titled.html || fail 'the title is the heading, and escaped'
if command -v xmllint >/dev/null; then
    for page in first.html ja.html titled.html; do
        expect 0 "$page is well formed" xmllint --noout "$page"
    done
fi

# ---- whole pages ----

# Byte for byte. Where a change of them is meant: WARG_GOLDEN=write bash tests/e2e/report.sh (with WARG and
# WARG_SOURCE in the environment), and read the difference.
for folder in report journal; do
    for language in en ja; do
        golden=$WARG_SOURCE/tests/golden/report/$folder-$language.html
        mkdir -p "$folder"
        cp "$here/../data/$folder/journal.jsonl" "$folder/"
        expect 0 "$folder, $language" "$WARG" report "$folder" --lang "$language" -o page.html
        [[ ${WARG_GOLDEN:-} == write ]] && cp page.html "$golden"
        cmp page.html "$golden" || fail "$folder, $language: another page"
    done
done

# ---- mistakes ----

expect 2 'no folder' "$WARG" report
expect 2 'two folders' "$WARG" report results results
expect 2 'an unknown language' "$WARG" report results --lang fr
expect 3 'nothing there' "$WARG" report nothing
mkdir empty
expect 2 'a folder without results' "$WARG" report empty
echo 'no database' >text.db
expect 3 'no database' "$WARG" report text.db
[[ ! -e empty/report.html && ! -e report.html ]] || fail 'a mistake leaves a page behind'
expect 3 'nowhere to write' "$WARG" report results --output nowhere/page.html

finish
