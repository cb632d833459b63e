#!/usr/bin/env bash
# What models have answered is kept, and a game is played again with it: no server is there any more, and the
# record is the same byte for byte. What is damaged, or of another game, is told with file and line.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# model_up SLOWEST_MS: a server of many moods; its address is in $url.
model_up()
{
    launch port.txt model.txt python3 "$agents/fickle_model.py" "$1"
    await 'a models'"'"' server' port.txt '^[0-9]+$' || exit 1
    url="http://127.0.0.1:$(cat port.txt)/v1"
}

# model_down: it is gone, and what it was asked is in asked.txt.
model_down()
{
    kill "$server"
    wait "$server" 2>/dev/null
    server=
    [[ -s asked.txt ]] || fail 'the models were asked nothing'
    rm -f asked.txt
}

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# ---- MAW ----

model_up 150
session=(maw -n 6 --rounds 2 --day-s 3 --night-s 1 --quiet --llm "$url,model=m8*4")
timeout 100 "$WARG" "${session[@]}" --record-prompts --out evening >evening.txt 2>evening.err
status=$?
((status == 0 || status == 5)) || fail "a session: exit status $status: $(cat evening.err)"
model_down
for file in evening/answers/*.jsonl; do
    [[ $(stat -c %a "$file") == 600 ]] || fail "$file: others may read it"
done

expect "$status" 'a session again' timeout 100 "$WARG" "${session[@]}" --record-prompts --out again \
    --answers-from evening
cmp evening/session.jsonl again/session.jsonl || fail 'the record of the session is another one'
diff -r -x answers evening again || fail 'not all of the session is the same'
[[ ! -e again/answers ]] || fail 'answers are kept of answers'

# Another session, fewer of them, and files that are damaged.
expect 2 'other rules' timeout 100 "$WARG" maw -n 6 --rounds 2 --day-s 4 --night-s 1 --quiet \
    --llm "$url,model=m8*4" --answers-from evening
has 'not the same' 'other rules'
grep -qE 'evening/answers/[a-z0-9]+\.jsonl:[0-9]+: ' err.txt || fail "other rules: no file and line: $err"

cp -r evening less
seat=$(cd evening/answers && wc -l p*.jsonl | sort -n | tail -n 2 | awk 'NR == 1 {print $2}')
sed -i '$d' "less/answers/$seat"
expect 2 'one answer less' timeout 100 "$WARG" "${session[@]}" --answers-from less
has "less/answers/$seat" 'one answer less'
printf '{"question":1' >"less/answers/$seat"
expect 3 'a damaged answer' timeout 100 "$WARG" "${session[@]}" --answers-from less
has "less/answers/$seat:1: no kept answer: the line is cut off" 'a damaged answer'
sed -i '3s/.*/{"t_us":true}/' less/answers/clock.jsonl
expect 3 'a damaged clock' timeout 100 "$WARG" "${session[@]}" --answers-from less
has 'less/answers/clock.jsonl:3: ' 'a damaged clock'
rm -r less/answers
expect 3 'no answers' timeout 100 "$WARG" "${session[@]}" --answers-from less
has 'with answers/clock.jsonl in it' 'no answers'
expect 2 'a person' timeout 100 "$WARG" "${session[@]}" --answers-from evening --me Ann
has 'leave out --me' 'a person'
[[ ! -e asked.txt ]] || fail 'a request was sent'
finish
