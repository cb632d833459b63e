#!/usr/bin/env bash
# Interface agents of the design document over prosody: our players ask foreign ones, foreign players ask
# ours, ours ask ours, all at one table, while a stranger wants to be each of them. The foreign ones are
# written from the document alone (agents/maw_interfaces.py).
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=xmpp.bash
source "$here/xmpp.bash"

prosody_start bo mia zoe max kim ann ai una lou pat eve
export WARG_PASSWORD=secret WARG_XMPP_SECRET=mawsecret

# agent NAME WHAT...: a foreign one, its output in NAME.txt
agent()
{
    local name=$1 what=$2
    shift 2
    : >"$name.txt"
    python3 "$agents/maw_interfaces.py" "$client" "$what" "$name" "$@" >>"$name.txt" 2>"$name.err" &
    last=$!
    others+=" $last"
    await "the agent $name" "$name.txt" ready
}

# ours NAME OPTION...: our program behind an account, its output in NAME.txt
ours()
{
    local name=$1
    shift
    : >"$name.txt"
    "$WARG" join -x "$name@localhost" --host 127.0.0.1 --port "$client" --tls off --timeout 120s "$@" \
        <&0 >>"$name.txt" 2>"$name.err" &
    last=$!
    others+=" $last"
}

# ends NAME PROCESS STATUS...: with one of these
ends()
{
    local name=$1 process=$2 status
    shift 2
    wait "$process"
    status=$?
    [[ " $* " == *" $status "* ]] || fail "$name: exit status $status: $(tail -5 "$name.txt" "$name.err")"
}

# once PATTERN WHAT: in the record, as a line that was said
once()
{
    local found
    found=$(grep '"event":"line"' table/session.jsonl | grep -cE "$1")
    ((found == 1)) || fail "$2: '$1' was said $found times"
}

# ---- at a table ----

# Three votes of five end the day: as soon as all has been said, however slow the machine is.
printf 'players: 5\nmax_days: 1\nday_s: 100\nnight_s: 2\n' >rules.yml
launch table.out table.err timeout 400 "$WARG" maw --xmpp localhost --port "$component" --rules rules.yml \
    --out table
table=$server
await 'the table' table.err 'connected to the XMPP server'

mkfifo typed spoken
exec 5<>typed 6<>spoken
agent una user
agent ai model
ours ann --interface user --for zoe@localhost --plain <typed
ann=$last
ours lou --interface model --for max@localhost --llm demo
lou=$last
ours pat --interface user --for kim@localhost --plain <spoken
pat=$last
await 'a user interface' ann.txt 'Waiting for the player'
await 'a user interface' pat.txt 'Waiting for the player'
await 'a model interface' lou.txt 'connected as lou@localhost'
ours bo -g gm@maw.localhost --ask-user una@localhost
bo=$last
ours mia -g gm@maw.localhost --ask-model ai@localhost
mia=$last
agent eve eve bo@localhost mia@localhost ann@localhost lou@localhost pat@localhost
agent zoe player ann@localhost
agent max player lou@localhost bot
ours kim -g gm@maw.localhost --ask-user pat@localhost
kim=$last
await 'a question for a name' ann.txt 'asks for its name'
echo 'Zora' >&5
await 'a question for a name' pat.txt 'asks for its name'
echo 'Kimberly' >&6
await 'the first day' pat.txt 'Day 1'
printf '/role\nI am Kimberly.\n' >&6
echo 'Zora speaks.' >&5
for said in 'I am a person' 'Machines can talk' 'I am Kimberly' 'Zora speaks'; do
    await 'what they say' pat.txt ": $said\."
done
echo '/vote Clara' >&6
echo '/vote Clara' >&5

wait "$table" || fail "the table: $(cat table.err)"
server=
ends bo "$bo" 0
ends mia "$mia" 0 5 # her model gave nothing once
ends kim "$kim" 0
ends pat "$pat" 0
kill "$lou" "$ann" 2>/dev/null
ends lou "$lou" 130
ends ann "$ann" 130

once '"Annie","text":"I am a person\."' 'a foreign user interface'
once '"Clara","text":"Machines can talk\."' 'a foreign model interface'
once '"Zora","text":"Zora speaks\."' 'our user interface'
once '"Kimberly","text":"I am Kimberly\."' 'ours at both ends'
grep -q '"outcome":"accepted","type":"vote","from":"bo@localhost' table/session.jsonl || fail "no vote of bo's"
grep -q '"outcome":"accepted","type":"vote","from":"zoe@localhost' table/session.jsonl || fail "no vote of zoe's"
grep -q '"outcome":"accepted","type":"vote","from":"kim@localhost' table/session.jsonl || fail "no vote of kim's: $(cat pat.txt kim.txt)"
grep -qE 'Eve|Too late|xxxx' table/session.jsonl && fail "what nobody may say was said"
grep -q answered eve.txt && fail "a stranger was answered: $(cat eve.txt)"
grep -q 'ignored, for this interface is not theirs: eve@localhost' pat.txt || fail "a stranger is not said: $(cat pat.txt)"
for what in 'an answer that nobody asked for' 'an answer to a question that was over' 'an answer that is too long' \
    'a message that is no answer'; do
    (($(grep -c "ignored from the interface una@localhost: $what" bo.txt) == 1)) || fail "'$what' is not said once: $(cat bo.txt)"
done
grep -qE 'other|completions' una.txt && fail "a document's interface gets more than questions: $(cat una.txt)"
grep -q 'no chat' ai.txt && fail "a model's question has no chat: $(cat ai.txt)"
for line in 'You are in the lobby as Kimberly' 'Round 1 of 1 begins' 'Your role: ' 'Kimberly: I am Kimberly' \
    'Zora: Zora speaks' 'The session is over'; do
    grep -q "$line" pat.txt || fail "an interface of ours is not told '$line': $(cat pat.txt)"
done
"$WARG" log check table >check.txt 2>&1 || fail "the record: $(cat check.txt)"

# ---- what an interface refuses, and that its time is over ----

cat >stub.py <<'END'
"""A model's server that hangs when it is told to, and else talks nonsense."""
import http.server
import json
import time

class Stub(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "HANG" in asked:
            time.sleep(600)
        said = "{}" if "NONSENSE" in asked else '{"action": "speak", "message": "As I was asked."}'
        body = json.dumps({"choices": [{"message": {"role": "assistant", "content": said}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
print(server.server_port, flush=True)
server.serve_forever()
END
launch stub.txt stub.err python3 stub.py
await 'the stub' stub.txt '[0-9]'
others+=" $server"
server=
chat()
{
    printf '{"type":"get_input","seconds":%s,"completions":{"messages":[{"role":"user","content":"%s"}]}}' "$1" "$2"
}
ours lou --interface model --for max@localhost --llm "http://127.0.0.1:$(cat stub.txt)/v1,model=stub"
lou=$last
await 'the model interface' lou.txt 'connected as lou@localhost'
timeout 300 python3 "$agents/maw_interfaces.py" "$client" ask max lou@localhost '{"type":"get_input"}' \
    "$(chat 60 hello)" "$(chat 2 HANG)" "$(chat 60 NONSENSE)" '{"type":"get_action","completions":{}}' \
    "$(chat 60 again)" >asked.txt 2>asked.err || fail "our model interface: $(cat asked.err)"
sed -E 's/,"text":.*//' asked.txt >short.txt
diff short.txt - >diff.txt <<'END' || fail "our model interface: $(cat diff.txt)"
ready
refuse {"type":"error","of":"get_input","code":"not-a-bot"
request {"type":"chat","message":"As I was asked."}
failure {"type":"error","of":"get_input","code":"model-timeout"
failure {"type":"error","of":"get_input","code":"model-error"
not-understood {"type":"error","of":"get_input","code":"bad-field"
request {"type":"chat","message":"As I was asked."}
END
kill "$lou"
ends lou "$lou" 130

ours ann --interface user --for zoe@localhost --plain </dev/null
ann=$last
await 'the user interface' ann.txt 'Waiting for the player'
timeout 300 python3 "$agents/maw_interfaces.py" "$client" ask zoe ann@localhost "$(chat 60 hello)" \
    '{"type":"get_input","seconds":1}' '{"type":"vote","target":null}' >asked.txt 2>asked.err ||
    fail "our user interface: $(cat asked.err)"
sed -E 's/,"text":.*//' asked.txt >short.txt
diff short.txt - >diff.txt <<'END' || fail "our user interface: $(cat diff.txt)"
ready
refuse {"type":"error","of":"get_input","code":"not-a-human"
failure {"type":"error","of":"get_input","code":"user-timeout"
not-understood {"type":"error","of":"vote","code":"unknown-type"
END
kill "$ann"
ends ann "$ann" 130

# ---- players that live at a table ----

printf 'players: 3\nmax_days: 1\nday_s: 100\nnight_s: 2\nask_users: [pat@localhost]\nask_models: [lou@localhost]\n' >hosted.yml
# It only speaks: nobody but the bot votes, and no day ends before all has been said.
ours lou --interface model --for maw.localhost --llm "http://127.0.0.1:$(cat stub.txt)/v1,model=stub"
lou=$last
ours pat --interface user --for maw.localhost --plain <spoken
pat=$last
await 'the model interface' lou.txt 'connected as lou@localhost'
await 'the user interface' pat.txt 'Waiting for the player'
launch table.out table.err timeout 400 "$WARG" maw --xmpp localhost --port "$component" --rules hosted.yml \
    --bots 1 --bot random --out hosted
await 'the table' table.err 'decided by pat@localhost'
await 'the first day' pat.txt 'Day 1'
grep -q 'this is the interface of: p0[123]@maw.localhost' pat.txt || fail "whose interface it is: $(cat pat.txt)"
printf 'I live elsewhere.\n' >&6
await 'what the person says' pat.txt ': I live elsewhere\.'
await 'what the model says' pat.txt ': As I was asked\.'
kill "$server"
wait "$server"
grep -q '"event":"line".*I live elsewhere\.' hosted/session.jsonl || fail 'a hosted player says nothing'
grep -q '"kind":"interface:user"' hosted/session.jsonl || fail 'the record does not say who decides'
grep -q '"kind":"interface:model".*"server":"xmpp:lou@localhost"' hosted/session.jsonl ||
    fail "the record does not say who decides: $(grep '"event":"seat"' hosted/session.jsonl)"
ends pat "$pat" 0
ends lou "$lou" 0
expect 2 'a table without a server' "$WARG" maw --rules hosted.yml

# ---- the command line ----

refused()
{
    local what=$1
    shift
    expect 2 "$what" "$WARG" join -x bo@localhost "$@"
}
refused 'no --for' --interface user
refused 'a name without a domain' --interface user --for ''
refused 'a model without one' --interface model --for ann@localhost
refused 'a talker by an interface' --interface model --for ann@localhost --bot talker
refused 'a person and a model' --interface user --for ann@localhost --llm demo
refused 'a player and an interface' --interface user --for ann@localhost -g gm@maw.localhost
refused 'two interfaces' -g gm@maw.localhost --ask-user a@localhost --ask-model b@localhost
refused 'an interface and a bot' -g gm@maw.localhost --ask-user a@localhost --bot random
refused 'an address that is none' -g gm@maw.localhost --ask-user localhost
refused '--for alone' -g gm@maw.localhost --for a@localhost
finish
