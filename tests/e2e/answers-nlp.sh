#!/usr/bin/env bash
# The natural-language division: what is kept of models that fill seats, and their games once more with it,
# in turns and where anybody may speak at any time, beside bots: no server is there any more, and logs and
# journal are the same byte for byte, times and all. What was changed is told.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
export SECRET_KEY=secret-of-the-test MODEL_KEY=sk-nobody-may-see-this

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# played NAME SLOWEST_MS SPEC BOT...: one game of NAME.yml with models in its empty seats; of it stay
# NAME/log, NAME/guests, NAME.rc
played()
{
    local name=$1 slowest=$2 spec=$3 model port url
    shift 3
    mkdir "$name"
    rm -f port.txt
    launch port.txt model.txt python3 "$agents/fickle_model.py" "$slowest"
    model=$server
    await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
    url=http://127.0.0.1:$(cat port.txt)/v1
    (
        cd "$name" || exit 1
        exec "$WARG" serve nlp -c "../$name.yml" --port 0 --games 2 --fill-after 100ms --fill-with \
            "llm:$url,model=m8,key-env=MODEL_KEY,header-env=X-Other:MODEL_KEY,$spec" --record-minds guests \
            --record-prompts
    ) >"$name.out" 2>"$name.err" &
    server=$!
    await 'a server' "$name.err" 'listening on' || exit 1
    port=$(grep -m 1 -oE 'listening on [^ ]*' "$name.err" | grep -oE '[0-9]+' | tail -n 1)
    expect 0 "bots of $name" timeout 200 "$WARG" bot nlp -u "ws://127.0.0.1:$port/ws" -g 2 "$@"
    wait "$server"
    echo $? >"$name.rc"
    [[ $(cat "$name.rc") == [05] ]] || fail "$name: exit status $(cat "$name.rc"): $(cat "$name.err")"
    kill "$model"
    wait "$model" 2>/dev/null
    server=
    [[ -s asked.txt ]] || fail "$name: the models were asked nothing"
    rm -f asked.txt
}

# again NAME GUESTS LOGS STATUS: its games once more
again()
{
    expect "$4" "$1 again" timeout 100 "$WARG" serve nlp -c "$1.yml" --answers-from "$2" --log-dir "$3" \
        --fill-with "llm:http://127.0.0.1:9/v1,model=m8"
    [[ ! -e asked.txt ]] || fail "$1: a request was sent"
}

# the_same NAME LOGS
the_same()
{
    local file count=0
    for file in "$1"/log/game/*.log "$1"/log/json/*.json; do
        cmp "$file" "$(find "$2" -name "${file##*/}")" || fail "$1: $file is another one"
        count=$((count + 1))
    done
    ((count == 4)) || fail "$1: $count logs of two games"
    cmp "$1/log/game/journal.jsonl" "$2/journal.jsonl" || fail "$1: the journal is another one"
    cmp "$1/log/game/faults.jsonl" "$2/faults.jsonl" || fail "$1: the faults are others"
}

sed 's/self_match: [a-z]*/self_match: true/' "$WARG_SOURCE/config/nlp/default_5.yml" >turns.yml
sed -e 's/self_match: [a-z]*/self_match: false/' -e 's/^\( *duration: \).*/\12s/' \
    "$WARG_SOURCE/config/nlp/freeform_en_5.yml" >anytime.yml
played turns 30 'max-tokens=500' --team pat -n 2
played anytime 150 'ask=300ms-900ms' --team pat --think 200ms

for name in turns anytime; do
    again "$name" "$name/guests" "$name-logs" "$(cat "$name.rc")"
    the_same "$name" "$name-logs"
done
grep -q '"does":"thinks"' anytime/guests/hall.jsonl || fail 'no model has thought by itself'

# ---- what is kept ----

python3 - <<'PY' || fail 'what is kept of guests'
import glob, json, os, stat
for game in "turns", "anytime":
    files = sorted(file for file in glob.glob(f"{game}/guests/*.jsonl") if "hall" not in file)
    assert len(files) == (6 if game == "turns" else 8), files
    for file in files + [f"{game}/guests/hall.jsonl"] + glob.glob(f"{game}/guests/prompts/*.jsonl"):
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600, file
    for file in files:
        lines = [json.loads(line) for line in open(file)]
        prompts = [json.loads(line) for line in open(file.replace("guests/", "guests/prompts/"))]
        decisions = [each for each in lines if each.get("type") == "decision"]
        assert lines[0]["type"] == "seat" and decisions and prompts, file
        assert any("prompt" in each and each["prompt"] < len(prompts) for each in decisions), file
        # equal beginnings by reference: a request is whole with those before it
        whole = {}
        for each in prompts:
            start = whole[each["as"]][:each["same"]] if "as" in each else []
            whole[each["prompt"]] = start + each["messages"]
            assert whole[each["prompt"]][0]["role"] == "system", file
    assert any("as" in json.loads(line) for file in glob.glob(f"{game}/guests/prompts/*") for line in open(file))
PY
# The key of requests, by header and by variable, and that of tokens.
leaks=$(grep -rlF -e "$MODEL_KEY" -e "$SECRET_KEY" turns anytime ./*.out ./*.err)
[[ ! $leaks ]] || fail "a key is told: $leaks"

# ---- what does not fit ----

cp -r turns/guests changed
python3 - changed/pat9*.jsonl <<'PY' || fail 'nothing to change'
import json, sys
for file in sys.argv[1:]:
    lines = open(file).read().splitlines()
    for at, line in enumerate(lines):
        told = json.loads(line)
        if told.get("task") != "talk" or '"speak"' not in told.get("text", "") or "Over" in told["text"]:
            continue
        lines[at] = json.dumps(dict(told, text='{"action":"speak","message":"Another line altogether."}'))
        # its decision is the next one in the file
        where = next(n for n in range(at, len(lines)) if '"type":"decision"' in lines[n]) + 1
        open(file, "w").write("\n".join(lines) + "\n")
        open("where.txt", "w").write(f"{file}:{where}: decision ")
        sys.exit()
sys.exit("no line of a model's own")
PY
again turns changed changed-logs 2
has "$(cat where.txt)" 'a changed answer'
has " now: this is not the same game" 'a changed answer'

cp -r turns/guests fewer
file=$(grep -l '"question"' fewer/pat9*.jsonl | head -n 1)
sed -i "$(grep -n '"question"' "$file" | tail -n 1 | cut -d: -f1)d" "$file"
again turns fewer fewer-logs 2
has "$file" 'an answer less'

sed 's/self_match: true/self_match: false/' turns.yml >other.yml
again other turns/guests other-logs 2
grep -qE 'turns/guests/hall.jsonl:[0-9]+: .*this is not the same game' err.txt || fail "another configuration: $err"

cp -r turns/guests cut
head -c -9 turns/guests/hall.jsonl >cut/hall.jsonl
again turns cut cut-logs 3
has 'the line is cut off' 'moves that are cut off'
rm cut/hall.jsonl
again turns cut cut-logs2 3
has 'cut/hall.jsonl' 'no moves'
printf '{"t_us":99999999999,"does":"other"}\n' >>fewer/hall.jsonl
again turns fewer other-logs2 2
has "can't be played again" 'an operator'
again turns turns/guests turns-logs 2
has 'is there already' 'logs that are there'
expect 2 'answers of no model' "$WARG" serve nlp -c turns.yml --answers-from turns/guests --log-dir x
has 'go with --fill-with' 'answers of no model'
finish
