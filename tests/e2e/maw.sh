#!/usr/bin/env bash
# `warg maw`: a session among bots is over at once and the same for the same seed, its record and the
# leaderboard agree, models without a server play by the clock, mistakes are explained.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# has TEXT WHAT
has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# ---- the operator ----

: >out.txt
{
    await 'the first day' out.txt 'Day 1' >&2
    printf '/pause\n/who\n/extend 60\n/kikc x\n/resume\n/end\n'
    await 'the first night' out.txt 'Night 1' >&2
    printf '/quit' # without an end of line
} | timeout 250 "$WARG" maw --operator --seed 7 --out operated >out.txt 2>err.txt
got=$?
out=$(cat out.txt) err=$(cat err.txt)
((got == 130)) || fail "an operator who quits: exit status $got"
[[ $out$err =~ 'Round 1, day, '([0-9]+)' seconds left, paused.' ]] || fail "an operator asks: $out$err"
has "the phase has $((BASH_REMATCH[1] + 60)) seconds left" 'an operator extends'
has "'/kikc' is no command; did you mean /kick?" 'an operator mistypes'
has 'the phase is ended' 'an operator ends a phase'
has 'Night 1' 'an operator ends a phase'
expect 0 'what an operator did is played again' "$WARG" log check operated
expect 0 'what an operator did is shown' "$WARG" log show operated
has 'The operator stops the clocks.' 'shown'
has 'The operator gives the phase 60 seconds more.' 'shown'
has 'The operator lets the game go on.' 'shown'
has 'The operator ends the session.' 'shown'
printf '/pause' | timeout 60 "$WARG" maw --operator -q -n 3 --day-s 1 --night-s 1 >out.txt 2>err.txt ||
    fail "an operator who goes away: exit status $?"
out=$(cat out.txt) err=$(cat err.txt)
has 'there are no more commands: the game goes on' 'an operator who goes away'
expect 2 'an operator who plays' "$WARG" maw --operator --me Ann
has 'an operator sees every role' 'an operator who plays'

# ---- bots ----

expect 0 'three rounds' "$WARG" maw --rounds 3 --seed 7 --id same --out one
has 'Round 3' 'three rounds'
has '(Werewolf)' 'roles are shown'
has 'Day 1' 'phases are shown'
has ' votes for ' 'votes are shown'
has 'bot:talker' 'the leaderboard says who is what'
cp out.txt first.txt
expect 0 'in Japanese' "$WARG" maw --seed 7 -q --language ja
has '村人の勝ち ' 'in Japanese'
has '順位  名前' 'in Japanese'
[[ $out != *rank* ]] || fail "in Japanese: $out"
expect 0 'JSON is no language' "$WARG" maw --seed 7 --json --language ja
has '"rank"' 'JSON is no language'
expect 0 'again' "$WARG" maw --rounds 3 --seed 7 --id same --out two
cmp -s first.txt out.txt || fail 'the same seed prints something else'
diff -r -x command.json one two >/dev/null || fail 'the same seed writes something else'
expect 0 'another seed' "$WARG" maw --rounds 3 --seed 8 --id same --out three
diff -r one three >/dev/null && fail 'another seed writes the same'

grep -q '"seed":"7"' one/session.jsonl || fail 'the record has another seed than the one given'
grep -q '"seed":"7"' one/leaderboard.json || fail 'the leaderboard has another seed than the one given'
expect 0 'a drawn seed' "$WARG" maw --rounds 2 --out drawn
seed=$(sed -n '1s/.*"seed":"\([0-9a-f]*\)".*/\1/p' drawn/session.jsonl)
((${#seed} == 64)) || fail "a drawn seed has 256 bits: $seed"
has "--seed $seed" 'a drawn seed is told'
id=$(sed -n '1s/.*"id":"\([^"]*\)".*/\1/p' drawn/session.jsonl)
expect 0 'the same seed, given' "$WARG" maw --rounds 2 --seed "$seed" --id "$id" --out given
[[ $err != *"$seed"* ]] || fail "a seed that was given is not told: $err"
diff -r -x command.json drawn given >/dev/null || fail 'the seed of a record does not repeat its session'
expect 2 'an id that is no name' "$WARG" maw --id 'a b'
has "--id: expected 1 to 64 letters" 'an id that is no name'

# Two sessions of one seed: their names, which stand in each thread, have nothing in common, and nothing
# else depends on them.
for which in a b; do
    expect 0 'one seed' "$WARG" maw -q --seed 7 --out "twin-$which"
    sed -n '1s/.*"id":"\([^"]*\)".*/\1/p' "twin-$which/session.jsonl" >"twin-$which.id"
    sed "s/$(cat "twin-$which.id")/ID/g" "twin-$which/session.jsonl" >"twin-$which.rest"
    [[ $(cat "twin-$which.id") =~ ^[0-9a-f]{16}$ ]] || fail "the id of a session: $(cat "twin-$which.id")"
done
cmp -s twin-a.id twin-b.id && fail 'two sessions of one seed have the same id'
cmp -s twin-a.rest twin-b.rest || fail 'something of a session depends on its id'

# What everybody reads in each message says nothing of the seed: the first derivation, an invertible
# one, is turned round as any player could.
sessions=100
is_sanitized && sessions=10
for ((i = 1; i <= sessions; i++)); do
    "$WARG" maw -q --out "told/$i" >/dev/null 2>&1 || fail "session $i: exit status $?"
done
python3 - told $sessions <<'END' || fail 'the id of a session gives its seed'
import json, os, sys
MASK = 2**64 - 1

def unmix(z):
    z ^= z >> 31 ^ z >> 62
    z = z * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    z ^= z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    z ^= z >> 30 ^ z >> 60
    return z - 0x9E3779B97F4A7C15 & MASK

def underive(derived, number):
    return unmix(unmix(derived) ^ number)

def seed_of(session):
    return underive(underive(session, int.from_bytes(b"id", "little")), 2)

assert seed_of(0xA7A0BE6792A3B03A) == 20261122
ids = set()
for folder in os.listdir(sys.argv[1]):
    first = json.loads(open(os.path.join(sys.argv[1], folder, "session.jsonl")).readline())
    assert str(seed_of(int(first["id"], 16))) != first["seed"] and len(first["seed"]) == 64, first
    ids.add(first["id"])
assert len(ids) == int(sys.argv[2])
END

python3 - one <<'END' || fail 'the record does not agree with the leaderboard'
import collections, json, os, sys
folder = sys.argv[1]
events = [json.loads(line) for line in open(folder + "/session.jsonl")]
assert events[0]["event"] == "session", events[0]
times = [event["t_ms"] for event in events]
assert times == sorted(times)
ends = [event for event in events if event["event"] == "end_game"]
assert len(ends) == 3
points, alive = collections.Counter(), {}
for end in ends:
    gained = [p["points"] for p in end["players"] if p["points"]]
    wolves = [p for p in end["players"] if p["role"] == "Werewolf"]
    villagers = [p for p in end["players"] if p["role"] != "Werewolf"]
    left = [p for p in villagers if p["end"] == "alive"]
    if end["winner"] == "WEREWOLF":
        assert gained == [len(villagers)] * len(wolves), end
    elif end["winner"] == "VILLAGER":
        assert gained == [len(left)] * len(villagers), end
    else:
        assert not gained
    for player in end["players"]:
        points[player["name"]] += player["points"]
board = json.load(open(folder + "/leaderboard.json"))
assert {p["name"]: p["points"] for p in board["players"]} == dict(points), board
assert board["villagers_won"] + board["werewolves_won"] + board["draws"] == 3
kinds = {event["name"]: event["kind"] for event in events if event["event"] == "seat"}
assert len(kinds) == 6 and set(kinds.values()) == {"bot:talker"}
jids = sorted(event["jid"] for event in events if event["event"] == "seat")
assert jids == ["p%02d@maw.localhost" % number for number in range(1, 7)], jids
# What was said stands in the rooms' files, in order; nobody speaks after his death.
said = collections.defaultdict(list)
dead = set()
for event in events:
    if event["event"] == "start_game":
        dead = set()
    elif event["event"] == "phase_end" and "target" in event:
        dead.add(event["target"])
    elif event["event"] in ("line", "vote") and event.get("name") and event.get("room") != "Lobby":
        assert event["name"] not in dead, event
    if event["event"] == "line" and event["room"] in ("Village", "Hideout"):
        name = event.get("name")
        said[event["round"], event["room"]].append((name + ": " if name else "* ") + event["text"])
assert len(said) == 6
for (number, room), lines in said.items():
    files = [f for f in os.listdir(folder + "/rooms")
             if f.startswith("r%d-" % number) and f.endswith("-%s.txt" % room.lower())]
    files.sort(key=lambda f: int(f.split("-")[1]))
    assert "".join(open(folder + "/rooms/" + f).read() for f in files).splitlines() == lines
END

expect 0 'random bots' "$WARG" maw --bot random -n 9 --rounds 20 --seed 1 --json
[[ $(wc -l <out.txt) == 1 ]] || fail 'JSON alone'
python3 -c 'import json; b = json.load(open("out.txt")); assert len(b["players"]) == 9' ||
    fail "JSON of the leaderboard: $out"
if ! is_sanitized; then
    expect 0 'talkers' "$WARG" maw -n 8 --rounds 120 --seed 1 --json
    python3 - <<'END' || fail "villagers who follow the talk win a fair share: $out"
import json
board = json.load(open("out.txt"))
assert board["draws"] == 0 and 30 <= board["villagers_won"] <= 75, board["villagers_won"]
END
fi
expect 0 'quiet' "$WARG" maw --seed 1 --quiet
[[ $out != *'votes for'* && $out == *rank* ]] || fail "quiet prints a leaderboard only: $out"
expect 0 'three players' "$WARG" maw -n 3 --seed 1 -q
has 'fewer than 6' 'three players'
expect 0 'thirty players' "$WARG" maw -n 30 --seed 1 -q
expect 0 'other times' "$WARG" maw --day-s 20 --night-s 10 --seed 1 -q
expect 0 'a file of rules' "$WARG" maw --rules "$WARG_SOURCE/config/maw/maw-contest.yml" --seed 1 -q
printf 'players: 8\nrounds: 2\ntie: revote\nroles: {seer: 1}\n' >mine.yml
expect 0 'rules of our own' "$WARG" maw --rules mine.yml --seed 1
has '-- Day 1: ' 'rules of our own'
[[ $(grep -c '^Round ' out.txt) == 2 ]] || fail "two rounds: $out"
printf 'players: 8\nday_secs: 3\n' >wrong.yml
expect 3 'a wrong key' "$WARG" maw --rules wrong.yml
has "line 2" 'a wrong key'

# ---- languages ----

expect 0 'Japanese' "$WARG" maw --seed 7 --id j --language ja --out japanese
grep -q '^\* .* に投票しました。$' japanese/rooms/r1-1-village.txt || fail 'votes are told in Japanese'
grep -q '^\* .*\. *$' japanese/rooms/*.txt && fail 'a line of the system is in English'
has 'しょう' 'bots speak the language of the table'
expect 0 'a Japanese record' "$WARG" log check japanese/session.jsonl
grep -q '"event":"vote"' japanese/session.jsonl || fail 'the words of the record are the same'
printf 'players: 6\nlanguage: ja\n' >japanese.yml
expect 0 'a Japanese table' "$WARG" maw --seed 7 --id j --rules japanese.yml --out japanese2
cmp -s japanese/session.jsonl japanese2/session.jsonl || fail 'key and option differ'
expect 0 'the option goes first' "$WARG" maw --seed 7 --rules japanese.yml --language en --out english
grep -q ' votes for ' english/rooms/r1-1-village.txt || fail 'the option goes before the key'

# ---- somebody at the terminal reads each fact once ----

(echo /role; sleep 7) | timeout 60 "$WARG" maw --seed 2 --me Ann --plain --day-s 2 --night-s 1 >out.txt 2>&1
read_once()
{
    local twice
    twice=$(grep -E "$1" out.txt | sort | uniq -d)
    [[ -z $twice ]] || fail "said twice: $twice in: $(cat out.txt)"
}
grep -q '^\* Your role: ' out.txt || fail "the role is told: $(cat out.txt)"
read_once ' was (executed|murdered)\.'
grep -q 'during the night' out.txt && fail "a murder is said twice: $(cat out.txt)"
(($(grep -c '^\* Points: ' out.txt) <= 1)) || fail "points are said twice: $(cat out.txt)"

# ---- by the clock ----

expect 0 'demo models' timeout 100 "$WARG" maw -n 4 --llm 3 --llm-url demo --day-s 2 --night-s 1 \
    --seed 1 --out demo
has 'model:demo' 'demo models'
has 'Models: ' 'demo models'
grep -q '"event":"decision"' demo/session.jsonl || fail 'decisions of models are recorded'
grep -q '"event":"figures"' demo/session.jsonl || fail 'figures of models are recorded'

# Nobody listens on port 1.
expect 5 'no model' timeout 100 "$WARG" maw -n 4 --llm 3 --llm-url http://127.0.0.1:1/v1 --day-s 2 \
    --night-s 1 --seed 1 --quiet
[[ $(grep -c 'rules decide in its place' err.txt) == 1 ]] || fail "no model: told once: $err"
has "; 0 of " 'no model'

# Requests are kept as they were sent, but never a key; each decision names the last of its own.
python3 "$WARG_SOURCE/tests/e2e/agents/model_server.py" 1000 >port.txt 2>server.txt &
model_server=$!
await 'a models'"'"' server' port.txt '^[0-9]+$'
model="http://127.0.0.1:$(cat port.txt)/v1"
WARG_TEST_KEY=sk-planted expect 0 'prompts' timeout 100 "$WARG" maw -n 4 --llm "$model,model=m8,key-env=WARG_TEST_KEY" \
    --day-s 3 --night-s 1 --seed 1 --record-prompts --out prompts
kill "$model_server"
grep -q 'keeps each request' err.txt || fail "what is kept is told: $err"
grep -rq 'sk-planted' prompts && fail 'a key is in the folder'
[[ $(stat -c %a prompts/prompts/p01.jsonl) == 600 ]] || fail 'prompts are for their owner only'
python3 - prompts <<'END' || fail 'prompts are whole, and decisions name theirs'
import glob, json, sys
prompts = {}
for path in glob.glob(sys.argv[1] + "/prompts/*.jsonl"):
    whole = []
    for number, line in enumerate(open(path)):
        told = json.loads(line)
        assert told["prompt"] == number and told["model"] == "m8", told
        begin = whole[told["as"]][:told["same"]] if "as" in told else []
        whole.append(begin + told["messages"])
        assert whole[-1][0]["role"] == "system" and whole[-1][-1]["role"] == "user", whole[-1]
    prompts[path.split("/")[-1].split(".")[0]] = whole
asked = 0
for line in open(sys.argv[1] + "/session.jsonl"):
    event = json.loads(line)
    if event["event"] == "decision" and "prompt" in event["decision"]:
        mine = prompts[event["jid"].split("@")[0]]
        assert event["decision"]["prompt"] < len(mine)
        asked += 1
assert asked > 3, asked
END
expect 2 'prompts of nobody' "$WARG" maw -n 4 --llm demo --record-prompts
has 'give --llm and --out' 'prompts of nobody'

# Models that nobody counted share the seats; which one sat where stands in record and leaderboard.
expect 5 'two models' timeout 100 "$WARG" maw -n 5 --llm 'http://127.0.0.1:1/v1,model=a,think=off' \
    --llm 'http://127.0.0.1:1/v1,model=b,max-tokens=200,temperature=0.5' --day-s 1 --night-s 1 --seed 1 --out shared
has 'model:a at 127.0.0.1:1' 'two models'
python3 - shared <<'END' || fail 'the models of a session stand in its record and leaderboard'
import collections, json, sys
url = "http://127.0.0.1:1/v1/chat/completions"
wanted = {("a", url): 3, ("b", url): 2}
players = json.load(open(sys.argv[1] + "/leaderboard.json"))["players"]
events = [json.loads(line) for line in open(sys.argv[1] + "/session.jsonl")]
for told in players, [event for event in events if event["event"] == "seat"]:
    found = collections.Counter((one["model"], one["server"]) for one in told)
    assert found == wanted, found
END
expect 0 'who was which model' "$WARG" log show shared
has 'is model a at http://127.0.0.1:1/v1' 'who was which model'
expect 2 'a model without a seat' "$WARG" maw -n 3 --bots 2 --llm demo --llm demo
has '2 kinds of models share 1 seats' 'a model without a seat'
expect 2 'no seat at all' "$WARG" maw --llm 0
has 'a model without a seat' 'no seat at all'
expect 2 'all seats counted' "$WARG" maw -n 6 --llm 6 --llm demo
has '1 kinds of models share 0 seats' 'all seats counted'
expect 0 'shared evenly' timeout 100 "$WARG" maw -q -n 7 --llm 'demo,persona=one' --llm 'demo,persona=two' \
    --llm 'demo,persona=three' --day-s 1 --night-s 1 --seed 1 --out even
(($(grep -o '"persona":"one"' even/session.jsonl | wc -l) == 3)) || fail "seven seats for three: $(grep persona even/session.jsonl)"
(($(grep -o '"persona":"t[a-z]*"' even/session.jsonl | wc -l) == 4)) || fail "seven seats for three: $(grep persona even/session.jsonl)"
for part in think=deep temperature=3 temperature=0.777 max-tokens=0; do
    expect 2 "$part" "$WARG" maw --llm "http://127.0.0.1:1/v1,model=a,$part"
done

launch stopped.out stopped.err "$WARG" maw --real-time --seed 1 --out stopped
await 'real time' stopped.out 'Day 1'
kill -INT "$server"
wait "$server"
status=$?
server=
((status == 130)) || fail "Ctrl-C: exit status $status: $(cat stopped.err)"
grep -q '"event":"session_end"' stopped/session.jsonl || fail 'Ctrl-C: the record has no end'
grep -q rank stopped.out || fail 'Ctrl-C: no leaderboard'

# ---- mistakes ----

expect 2 'a folder with a session' "$WARG" maw --seed 1 --out one
has 'holds a session already' 'a folder with a session'
expect 2 'too many models' "$WARG" maw --llm 7
expect 2 'seats that do not add up' "$WARG" maw --bots 2 --llm 1
has 'do not fill' 'seats that do not add up'
expect 3 'unknown rules' "$WARG" maw --rules nonsense
expect 3 'an earlier session that is not there' "$WARG" maw --llm demo --context-load nowhere
[[ $err == *"'nowhere': expected the --out folder"* ]] || fail "no way out: $err"
expect 2 'memories without models' "$WARG" maw --context-load one
expect 2 'XMPP without a secret' env -u WARG_XMPP_SECRET "$WARG" maw --xmpp localhost
has 'WARG_XMPP_SECRET' 'XMPP without a secret'
for command in maw join; do
    expect 0 "help of $command" "$WARG" "$command" --help
    has 'exit status' "help of $command"
    has '130.' "help of $command"
done
for option in '--lobby 2m' '--component a.b' '--secret-env A' '--secret-file a' '--host a' '--port 1'; do
    # shellcheck disable=SC2086
    expect 2 "$option alone" "$WARG" maw --seed 1 $option
    has "${option% *} without --xmpp does nothing" "$option alone"
done
expect 2 'plain alone' "$WARG" maw --seed 1 --plain
has '--plain without --me does nothing' 'plain alone'
expect 2 'no address' "$WARG" maw --llm 1 --llm-url nonsense
expect 2 'two players' "$WARG" maw -n 2
: >file
expect 3 'a file in the way' "$WARG" maw --seed 1 --out file/dir

# ---- a disk that is full, input and output that are closed ----

(
    ulimit -f 4
    exec "$WARG" maw --seed 1 --rounds 2 --out full --quiet
) >out.txt 2>err.txt
status=$?
((status == 3)) || fail "a full disk: exit status $status"
grep -q 'nothing is recorded' err.txt || fail "a full disk is told at once: $(cat err.txt)"
python3 - full/session.jsonl <<'END' || fail 'a full disk leaves a gap in the record'
import json, sys
numbers = [e["seq"] for e in map(json.loads, open(sys.argv[1])) if "seq" in e]
assert numbers == list(range(len(numbers))), numbers
END
"$WARG" maw --seed 7 --id same --rounds 3 --out closed >&- 2>err.txt
status=$?
((status == 3)) || fail "closed output: exit status $status"
diff -r -x command.json one closed >/dev/null || fail 'what is printed on a closed output lands in the record'
timeout 60 "$WARG" maw --seed 1 --me Ann --plain --day-s 1 --night-s 1 <&- >out.txt 2>err.txt
status=$?
((status == 0)) || fail "closed input: exit status $status: $(cat err.txt)"

# ---- warg join: a server that says nothing, a game master that steers the terminal ----

cat >server.py <<'END'
import re, socket, sys

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
client = listener.accept()[0]
client.settimeout(200)
if sys.argv[1] == "silent":
    client.recv(1)
    while client.recv(65536):
        pass
    sys.exit()
heard = ""

if sys.argv[1] == "refusing":
    client.recv(65536)
    client.sendall(b"<stream:stream xmlns='jabber:component:accept' id='1'"
                   b" xmlns:stream='http://etherx.jabber.org/streams'><stream:error>"
                   b"<not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>")
    client.recv(65536)
    sys.exit()

def wait(pattern):
    global heard
    while not re.search(pattern, heard):
        piece = client.recv(65536)
        if not piece:
            sys.exit()
        heard += piece.decode()
    found = re.search(pattern, heard)
    heard = heard[found.end():]
    return found

def send(text):
    client.sendall(text.encode())

def features(text):
    wait(r"<stream:stream[^>]*>")
    send("<?xml version='1.0'?><stream:stream xmlns='jabber:client' from='localhost' id='1'"
         " version='1.0' xmlns:stream='http://etherx.jabber.org/streams'><stream:features>"
         + text + "</stream:features>")

def answer(what, content=""):
    found = wait(r"<iq[^>]*>(?=.*" + what + ")")
    name = re.search(r"""\sid=["']([^"']*)""", found[0])[1]
    send("<iq type='result' id='" + name + "'>" + content + "</iq>")

def tell(body):
    send("<message type='chat' from='gm@localhost' to='ann@localhost/1'><body>" + body +
         "</body><x xmlns='jabber:x:data' type='form'><title>spade:x:metadata</title><field"
         " var='performative'><value>inform</value></field></x></message>")

features("<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism>"
         "</mechanisms>")
wait("<auth")
send("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>")
features("<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
answer("bind", "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>ann@localhost/1</jid></bind>")
wait("join_lobby")
bad = r"\u001b]0;title\u0007\u001b[2J\u202e\nFORGED"
tell('{"type":"join_confirmed","player_name":"ann","players":["Bo' + bad + '"],"total_players":3}')
tell('{"type":"session_end"}')
while client.recv(65536):
    pass
END

# join_server silent|hostile|refusing: starts it and sets `port`.
join_server()
{
    launch "$1.port" "$1.err" python3 server.py "$1"
    await 'a server for join' "$1.port" '[0-9]'
    port=$(<"$1.port")
}

export WARG_PASSWORD=secret
join=(timeout 200 "$WARG" join -x ann@localhost -g gm@localhost --host 127.0.0.1 --tls off)
join_server silent
expect 3 'a server that says nothing' "${join[@]}" --port "$port" --timeout 1s
has 'not connected within --timeout' 'a server that says nothing'
kill "$server" 2>/dev/null
join_server hostile
expect 0 'a hostile game master' "${join[@]}" --port "$port" --timeout 100s
has 'in the lobby as ann' 'a hostile game master'
has 'FORGED' 'a hostile game master'
LC_ALL=C grep -q "$(printf '[\001-\011\013-\037]')" out.txt && fail 'control characters are printed'
grep -q '^FORGED' out.txt && fail 'a line is forged'
join_server refusing
expect 3 'a wrong secret' env WARG_XMPP_SECRET=wrong timeout 60 "$WARG" maw --xmpp localhost \
    --port "$port"
has 'refuses maw.localhost' 'a wrong secret'
server=

finish
