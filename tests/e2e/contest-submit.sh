#!/usr/bin/env bash
# Versions over a running contest site: a file comes over HTTP, a job each unpacks, builds and checks it in cells, and the
# verdict is the one of `warg contest check` at home, but for times; what is refused names its entry; a runner that is
# killed costs nobody a verdict. docs/spec/contest-operations.md 5, 7, O11, O12, O14, O15.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
need_cells
mkdir tmp
export TMPDIR=$work/tmp
chmod 755 . tmp
cat >cup.yml <<'END'
contest: cup
title: {en: Cup}
division: protocol
dates: {zone: UTC, opens: 2020-01-01, submission_closes: 2099-01-01}
submit: {languages: [python, native], file_bytes: 100000, tree_bytes: 1000000, keep: 20}
check: {games: 1}
cell: {level: strict}
stages:
  - {name: final, players: 5, sets: 1}
END
expect 0 init "$WARG" contest init site
sed -i 's/^listen: [^ ]*/listen: 127.0.0.1:0/; s/^cell: {require: [a-z]*}/cell: {require: strict}/' site/server.yml
origin=$(sed -nE 's/^public_url: ([^ ]*).*/\1/p' site/server.yml)

serve()
{
    launch serve.txt serve.err "$WARG" contest serve site
    await 'the server' serve.txt 'port [0-9]+'
    url=http://127.0.0.1:$(sed -nE 's/.*port ([0-9]+).*/\1/p' serve.txt)
}
serve
expect 0 new "$WARG" contest new --site site cup.yml
is_open() { "$WARG" contest list --site site 2>/dev/null | grep -q '^cup *OPEN'; }
until_true "$patience" is_open || fail "it does not open: $("$WARG" contest list --site site 2>&1)"

# ask STATUS METHOD PATH [BODY]: as ann; the answer is in answer.json.
ask()
{
    local status=$1 got
    shift
    python3 "$agents/site_client.py" --url "$url" --origin "$origin" --login ann.json "$@" >answer.json 2>status.txt
    got=$(tail -n 1 status.txt)
    [[ $got == "$status" ]] || fail "$*: $got, expected $status: $(cat answer.json)"
}
answer() { python3 -c 'import json, sys; print(json.load(open("answer.json")).get(sys.argv[1], ""))' "$1"; }
# Its state, once it is none of those on the way.
settled()
{
    ask 200 GET "contests/cup/versions/$1"
    [[ $(answer state) =~ ^(ACTIVE|PASSED|REFUSED|RETIRED)$ ]]
}
# hand_in FILE LANGUAGE ENTRY: its id is in $id, and it has come to an end.
hand_in()
{
    ask 201 POST contests/cup/teams/foo/versions "{\"language\":\"$2\",\"entry\":\"$3\"}"
    id=$(answer id)
    ask 200 PUT "contests/cup/versions/$id/file" "@$1"
    until_true "$patience" settled "$id" || fail "$1: $(cat answer.json serve.err)"
}

ask 201 POST contests/cup/teams '{"name":"foo","login":"ann","password":"correct horse battery"}'

# ---- a good one, here and at home ----

python3 - "$agents/checked_agent.py" <<'END'
import sys, zipfile
with zipfile.ZipFile("good.zip", "w") as out:
    out.write(sys.argv[1], "foo/start.py")
with zipfile.ZipFile("bad.zip", "w") as out:
    out.writestr("foo/../../../evil.py", "print()")
END
for _ in 1 2 3; do # a machine that stands still makes anybody late
    hand_in good.zip python start.py
    [[ $(answer state) == ACTIVE ]] && break
done
[[ $(answer state) == ACTIVE ]] || fail "the good one: $(cat answer.json)"
tree=$(answer tree)
[[ -f site/data/trees/$tree/foo/start.py ]] || fail "no tree: $(ls site/data/trees)"
ask 200 GET "contests/cup/versions/$id/report"
cp answer.json server.json
for _ in 1 2 3; do
    "$WARG" contest check good.zip -q --json -l python -e start.py -t foo -c cup.yml >home.json 2>home.err && break
done
python3 - <<'END' || fail "the check at home says something else: $(cat home.json home.err server.json)"
import json, sys
# Nor what Python says when the game closes before it does.
def without_times(path):
    report = json.load(open(path))
    del report["version"]
    report["steps"] = [step for step in report["steps"] if step["step"] != "time"]
    report["warnings"] = [text for text in report["warnings"] if not text.startswith("time: ")]
    for step in report["steps"]:
        for key in list(step):
            if key == "ms" or key.endswith("_ms") and key != "limit_ms" or key in ("memory_kib", "files", "threads", "output_bytes"):
                del step[key]
    return report
sys.exit(without_times("home.json") != without_times("server.json"))
END
expect 0 'the check at home, by the URL' "$WARG" contest check good.zip -q --json -l python -e start.py -t foo -c "$url/cup" -g 1
[[ $out == *"$tree"* ]] || fail "by the URL: $out"
grep -q '"team":"foo","tree":"'"$tree"'","type":"version","verdict":"passed"' site/data/contests/cup/ledger.jsonl ||
    fail "no entry: $(cat site/data/contests/cup/ledger.jsonl)"

# ---- refused ones ----

hand_in bad.zip python start.py
[[ $(answer state) == REFUSED && $(answer why) == "entry 'foo/../../../evil.py': its path has a part '..'" ]] ||
    fail "a way out: $(cat answer.json)"
ask 200 GET "contests/cup/versions/$id/report"
grep -q '"step":"archive","verdict":"fail"' answer.json || fail "no report: $(cat answer.json)"
hand_in good.zip python other.py
[[ $(answer why) == "'other.py', at the root or in 'foo/', is not there; there is: foo/; foo/start.py" ]] ||
    fail "a missing script: $(cat answer.json)"
[[ -z $(find . -name 'evil.py') ]] || fail "it is there: $(find . -name 'evil.py')"

: >empty.zip
hand_in empty.zip python start.py
[[ $(answer why) == 'it is no zip or jar file, or its end is missing' ]] || fail "nothing: $(cat answer.json)"

# ---- files ----

# The same bytes are one file, for its owner alone.
blob=$(sha256sum good.zip | cut -d ' ' -f 1)
[[ $(stat -c %a "site/data/blobs/${blob:0:2}/$blob") == 400 ]] || fail "blob: $(ls -lR site/data/blobs)"
(($(find site/data/blobs -type f | wc -l) == 3)) || fail "blobs: $(find site/data/blobs)"
head -c 100001 /dev/zero >large.zip
ask 201 POST contests/cup/teams/foo/versions '{"language":"python","entry":"a.py"}'
id=$(answer id)
ask 413 PUT "contests/cup/versions/$id/file" @large.zip
[[ -z $(ls site/data/incoming) ]] || fail "left: $(ls site/data/incoming)"
(($(find site/data/blobs -type f | wc -l) == 3)) || fail "blobs: $(find site/data/blobs)"

# ---- a runner that is killed ----

cp good.zip again.zip
python3 -c 'import zipfile
with zipfile.ZipFile("again.zip", "a") as out: out.writestr("foo/note.txt", "2")'
ask 200 PUT "contests/cup/versions/$id/file" @again.zip
for _ in 1 2 3; do
    sleep 0.3
    runner=$(pgrep -P "$server" -f 'contest runner' | head -n 1)
    [[ $runner ]] && kill -9 "$runner"
done
until_true "$patience" settled "$id" || fail "behind a killed runner: $(cat answer.json serve.err)"
[[ $(answer state) == REFUSED && $(answer why) == "'a.py', at the root"* ]] || fail "behind a killed runner: $(cat answer.json)"

# ---- and a server ----

ask 201 POST contests/cup/teams/foo/versions '{"language":"python","entry":"start.py"}'
id=$(answer id)
ask 200 PUT "contests/cup/versions/$id/file" @again.zip
kill -9 "$server"
{ wait "$server"; } 2>/dev/null
serve
until_true "$patience" settled "$id" || fail "behind a killed server: $(cat answer.json serve.err)"
[[ $(answer state) != REFUSED || $(answer why) == 'check: time'* ]] || fail "behind a killed server: $(cat answer.json)"
kill "$server"
wait "$server"
server=
finish
