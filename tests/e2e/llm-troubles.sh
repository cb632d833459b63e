#!/usr/bin/env bash
# Models' servers with one quirk or trouble each (agents/model_kinds.py): `warg llm check` names it with
# the next step, in English and in Japanese; a table of twelve with one each ends on time; no key is told.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
unset OPENAI_API_KEY ANTHROPIC_API_KEY http_proxy https_proxy all_proxy
export PYTHONUNBUFFERED=1

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3 -subj /CN=localhost \
    -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem 2>openssl.txt ||
    fail "no certificate: $(cat openssl.txt)"
quirks='alternation no-system no-schema o1 thinks think-text tools events retry-after retry-date ollama
    anthropic azure tls echo'
troubles='thinks-on wrong-model bad-request unprocessable no-key forbidden quota busy failed overloaded hang
    slow cut redirect wrong-length short-length refusal refusal-field filter orders nonsense silent page
    another-api too-long ollama-missing'
# shellcheck disable=SC2086 # words
launch model.out model.err python3 "$agents/model_kinds.py" "$work" $quirks $troubles
await 'the servers' ports too-long
[[ -s ports ]] || finish

url_of()
{
    echo "http://127.0.0.1:$(awk -v kind="$1" '$1 == kind { print $2 }' ports)"
}

# ---- llm check: what it finds, of all kinds side by side ----

# check KIND NAME [ARGUMENT...]: into NAME.txt, its exit status into NAME.rc
check()
{
    local kind=$1 name=$2
    shift 2
    timeout 200 "$WARG" llm check "$(url_of "$kind")$end" --model m --timeout "$limit" "$@" >"$name.txt" 2>&1
    echo $? >"$name.rc"
}

# told NAME STATUS TEXT...
told()
{
    local name=$1 status=$2 text
    shift 2
    [[ $(cat "$name.rc") == "$status" ]] || fail "$name: exit status $(cat "$name.rc"): $(cat "$name.txt")"
    for text; do
        grep -qF -- "$text" "$name.txt" || fail "$name: no '$text' in: $(cat "$name.txt")"
    done
    [[ $(cat "$name.rc") == 0 ]] || grep -qE '^next step: .{20}' "$name.txt" ||
        fail "$name: no next step: $(cat "$name.txt")"
}

end=/v1 limit=60s checks=()
for kind in alternation no-system no-schema o1 thinks think-text tools events retry-after retry-date; do
    check "$kind" "$kind" &
    checks+=($!)
done
end='' check ollama ollama --api ollama &
checks+=($!)
printf 'sk-of-the-test\n' >key.txt
end='' check anthropic anthropic --api anthropic --key-file key.txt &
checks+=($!)
AZURE_KEY=azure-secret-1 timeout 100 "$WARG" llm check \
    "$(url_of azure)/openai/deployments/d?api-version=2024-10-21,model=m,header-env=api-key:AZURE_KEY" \
    >azure.txt 2>&1
echo $? >azure.rc
wait "${checks[@]}"

told alternation 0 '3 of 3 decisions are the model' 'context           16384 tokens'
told no-system 0 '3 of 3 decisions' 'this server: takes no system message'
told no-schema 0 'JSON by schema    the server does not take it'
told o1 0 '3 of 3 decisions' 'this server: wants max_completion_tokens' 'this server: takes no system message'
told thinks 0 '3 of 3 decisions' 'this server: needed more tokens'
told think-text 0 '3 of 3 decisions'
told tools 0 '3 of 3 decisions' 'this server: answers with the call of a tool'
told events 0 '3 of 3 decisions' 'this server: answers in pieces'
told retry-after 0 '3 of 3 decisions'
told retry-date 0 '3 of 3 decisions'
told ollama 0 '3 of 3 decisions' 'context           4096 tokens'
told anthropic 0 '3 of 3 decisions' 'JSON by schema    works'
told azure 0 '3 of 3 decisions'

# The pause that the server has asked for is kept by all requests: after a 429 none comes for a second.
for kind in retry-after retry-date; do
    awk '$1 == "POST" && held && $4 < held { print "at " $4 ", before " held }
         $3 == 429 { held = $4 + 0.95 }' "$kind.log" >"$kind.early"
    grep -q 429 "$kind.log" || fail "$kind: never refused: $(cat "$kind.log")"
    [[ ! -s $kind.early ]] || fail "$kind: asked too early: $(cat "$kind.early"); $(cat "$kind.log")"
done

names='wrong-model bad-request unprocessable no-key forbidden quota failed thinks-on redirect refusal refusal-field
    filter orders nonsense silent page another-api too-long cut wrong-length short-length busy'
end=/v1
export LEAK=sk-nobody-may-see-this
checks=()
for kind in $names; do
    check "$kind" "$kind" --key-env LEAK &
    checks+=($!)
done
end='' check overloaded overloaded --api anthropic --key-env LEAK &
checks+=($!)
end='' check ollama-missing ollama-missing --api ollama &
checks+=($!)
limit=1s check hang hang &
checks+=($!)
limit=1s check slow slow &
checks+=($!)
wait "${checks[@]}"
check thinks-on off --think off

told wrong-model 1 'trouble: the server has no model of this name' 'its models: m, other'
told bad-request 1 "Invalid value for 'user'" 'trouble: the server does not take the request'
told unprocessable 1 'field required' 'trouble: the server does not take the request'
told no-key 1 'trouble: the server does not accept the key' '--key-env'
told forbidden 1 'trouble: the key may not do this'
told quota 1 'trouble: money or quota of this key is used up'
told busy 1 'trouble: the server has got too many requests' 'rpm='
told failed 1 'trouble: the server has failed'
told overloaded 1 'trouble: the server is overloaded'
told thinks-on 1 "trouble: the model's tokens go into thoughts" '--think off'
told hang 1 'trouble: no answer in time' '--timeout'
told slow 1 'trouble: no answer in time' '--timeout'
told cut 1 'trouble: the answer ends before it is whole'
told wrong-length 1 'trouble: the answer ends before it is whole'
told short-length 1 'trouble: the answer is no JSON'
told redirect 1 'trouble: the server sends on to another address'
told refusal 1 'trouble: the model refuses to play'
told refusal-field 1 'trouble: the model refuses to play'
told filter 1 "trouble: a filter of the server's"
told nonsense 1 'trouble: its answers are no decisions'
told silent 1 'trouble: the model says nothing'
told page 1 'trouble: the answer is no JSON'
told another-api 1 'trouble: the answer is not that of a model'
told too-long 1 "trouble: the request does not fit into the model's context"
told ollama-missing 1 'trouble: the server has no model of this name' 'ollama pull'
grep -q 'orders to other models' orders.txt || fail "orders: $(cat orders.txt)"
grep -q 'stop=TEXT' orders.txt || fail "orders: $(cat orders.txt)"

# TLS: not trusted, until the file of who vouches for it is named.
tls=https://127.0.0.1:$(awk '$1 == "tls" { print $2 }' ports)/v1
timeout 60 "$WARG" llm check "$tls" --model m >tls.txt 2>&1
echo $? >tls.rc
told tls 1 "trouble: the TLS connection can't be trusted" 'ca=FILE'
timeout 60 "$WARG" llm check "$tls,model=m,ca=$work/cert.pem" >tls.txt 2>&1
echo $? >tls.rc
told tls 0 '3 of 3 decisions'
# A proxy that is not there; the URL's host is never asked itself.
timeout 60 "$WARG" llm check "http://192.0.2.1/v1,model=m,proxy=http://127.0.0.1:9" >proxy.txt 2>&1
echo $? >proxy.rc
told proxy 1 'trouble: nobody listens'

# In Japanese, and for programs.
for kind in wrong-model no-key quota refusal; do
    timeout 60 "$WARG" llm check "$(url_of $kind)/v1" --model m --language ja >ja.txt 2>&1
    (($(grep -cE '^(問題|次の手順): .+' ja.txt) == 2)) || fail "$kind in Japanese: $(cat ja.txt)"
done
# A table in Japanese has no line of another language; names and what servers say are as they are.
timeout 60 "$WARG" llm check "$(url_of alternation)/v1" --model m --language ja >ja.txt 2>&1
[[ $(wc -l <ja.txt) -ge 9 ]] || fail "a table in Japanese: $(cat ja.txt)"
LC_ALL=C grep -vE $'[\xe3-\xe9]' ja.txt && fail "lines that are not Japanese: $(cat ja.txt)"
expect 1 'as JSON' "$WARG" llm check "$(url_of quota)/v1" --model m --json
[[ $out == *'"trouble":"quota"'* ]] || fail "as JSON: $out"

# ---- a table of twelve, one trouble each ----

spec=()
for kind in hang busy failed cut thinks-on refusal wrong-model page orders no-system echo; do
    spec+=(--llm "$(url_of $kind)/v1,model=m,key-env=LEAK,timeout=4s*1")
done
spec+=(--llm "$(url_of overloaded),model=m,api=anthropic,key-env=LEAK*1")
timeout 280 "$WARG" maw --players 12 --rounds 1 --bots 0 --day-s 12 --night-s 6 "${spec[@]}" --seed 3 \
    --record-prompts --out table >table.txt 2>table.err
status=$?
# 5: less than nine of ten decisions were the models' own
[[ $status == 0 || $status == 5 ]] || fail "the table: exit status $status: $(tail -n 5 table.err) $(tail -n 5 table.txt)"
# No phase ends later than its rule says. A machine that stands still is no model's fault: then nothing
# happens between the time at which a phase is due to end and its end.
cat >on_time.py <<'END'
import json, sys
DAY_MS, NIGHT_MS, GRACE_MS = 12000, 6000, 200
events = [json.loads(line) for line in open(sys.argv[1])]
phases, open_phase = 0, None
for event in events:
    if event["event"] == "phase":
        open_phase = event
        want = DAY_MS if event["phase"] == "day" else NIGHT_MS
        assert event["until_ms"] - event["t_ms"] == want, f"not by the rule: {event}"
    elif event["event"] == "phase_end":
        phases += 1
        due, end = open_phase["until_ms"], event["t_ms"]
        between = [other for other in events if due + GRACE_MS < other.get("t_ms", 0) < end]
        assert end <= due + GRACE_MS or not between, f"late by {end - due} ms: {event}; meanwhile {between[0]}"
        open_phase = None
assert phases >= 2 and open_phase is None, f"{phases} phases; open: {open_phase}"
assert any(event["event"] == "session_end" for event in events), "the session has no end"
END
python3 on_time.py table/session.jsonl || fail 'the table was not on time'
# A phase that waited for somebody is found.
python3 - <<'END' >late.jsonl
import json
due = None
for line in open("table/session.jsonl"):
    event = json.loads(line)
    if event["event"] == "phase" and due is None:
        due = event["until_ms"]
    elif event["event"] == "phase_end" and due:
        print(json.dumps({"t_ms": due + 1500, "event": "message"}))
        event["t_ms"], due = due + 3000, 0
    print(json.dumps(event))
END
python3 on_time.py late.jsonl 2>late.txt && fail 'a late phase is not found'
grep -q 'late by 3000 ms' late.txt || fail "a late phase: $(cat late.txt)"
find table -name '*.jsonl' -size +0 | grep -q . || fail 'the table has no record'
grep -rhoE '"source":"[a-z]+"' table | sort | uniq -c >sources.txt
grep -q '"model"' sources.txt || fail "no decision was a model's: $(cat sources.txt)"
grep -q '"fallback"' sources.txt || fail "no decision was a rule's: $(cat sources.txt)"

# ---- a budget ----

# spend NAME BUDGET...: one day of four models at a good server
spend()
{
    timeout 200 "$WARG" maw --players 5 --rounds 1 --bots 1 --day-s 10 --night-s 5 \
        --llm "$(url_of think-text)/v1,model=m*4" --seed 4 --out "$1" "${@:2}" >"$1.txt" 2>"$1.err"
}
printf 'currency: EUR\nmodels:\n  m: {in: 10, cached: 1, out: 20}\n' >prices.yml
spend tokens --llm-budget 4000t &
one=$!
spend money --llm-budget 0.04 --llm-prices prices.yml &
wait $one $!
for name in tokens money; do
    for text in 'budget comes to its end (' 'budget is SPENT ('; do
        grep -qF "$text" $name.err || fail "$name: no '$text' in: $(cat $name.err)"
    done
    grep -rqF 'the budget is spent' $name || fail "$name: the record does not tell of the budget"
done
grep -qE 'SPENT \(4[0-9]{3} of 4000 tokens\)' tokens.err || fail "tokens: $(cat tokens.err)"
grep -qE 'SPENT \(0.0[45][0-9]+ of 0.04 EUR\)' money.err || fail "money: $(cat money.err)"
expect 2 'money without prices' "$WARG" maw --players 5 --llm "$(url_of tools)/v1,model=m*4" --llm-budget 1.00
expect 2 'a model without a price' "$WARG" maw --players 5 --llm "$(url_of tools)/v1,model=dear*4" \
    --llm-budget 1.00 --llm-prices prices.yml

# ---- no key, anywhere ----

! grep -rlF "$LEAK" table ./*.txt ./*.err | grep -q . || fail "a key is told: $(grep -rlF "$LEAK" table ./*.txt ./*.err)"
! grep -rlF -e azure-secret-1 -e sk-of-the-test ./*.err azure.txt anthropic.txt | grep -q . || fail 'a key is told'
finish
