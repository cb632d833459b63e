#!/usr/bin/env bash
# warg join: a player behind an account, told of what happens once and in one sentence. The XMPP
# server, which speaks for the game master too, is a stand-in.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cat >server.py <<'END'
import json, re, socket, sys

listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(200)
print(listener.getsockname()[1], flush=True)
sasl, stanzas = "urn:ietf:params:xml:ns:xmpp-sasl", "urn:ietf:params:xml:ns:xmpp-stanzas"
bind = "urn:ietf:params:xml:ns:xmpp-bind"

class Account:
    """A client that has logged in."""

    def __init__(self):
        self.link, _ = listener.accept()
        self.link.settimeout(200)
        self.heard = ""
        self.open(f"<mechanisms xmlns='{sasl}'><mechanism>PLAIN</mechanism></mechanisms>")
        self.hear("<auth.*?</auth>")
        self.say(f"<success xmlns='{sasl}'/>")
        self.open(f"<bind xmlns='{bind}'/>")
        number = self.hear("<iq[^>]* id=['\"]([^'\"]*)['\"].*?</iq>").group(1)
        self.say(f"<iq type='result' id='{number}'><bind xmlns='{bind}'><jid>bo@localhost/x</jid>"
                 "</bind></iq>")

    def open(self, features):
        self.hear("<stream:stream[^>]*>")
        self.say("<?xml version='1.0'?><stream:stream xmlns='jabber:client' id='one' version='1.0'"
                 " xmlns:stream='http://etherx.jabber.org/streams' from='localhost'>"
                 f"<stream:features>{features}</stream:features>")

    def hear(self, pattern):
        while not (found := re.search(pattern, self.heard, re.S)):
            more = self.link.recv(65536).decode()
            if not more:
                sys.exit(f"the link ended before {pattern}: {self.heard[-2000:]}")
            self.heard += more
        self.heard = self.heard[found.end():]
        return found

    def say(self, text):
        self.link.sendall(text.encode())

    def asked(self, kind):
        """The reply-with of the next message of this kind, and its text."""
        text = self.hear(f"<message(?:(?!</message>).)*{kind}.*?</message>").group(0)
        return re.search("var=.reply-with.*?<value>([^<]*)", text, re.S).group(1), text

    def tell(self, act, body, reply="", sender="gm"):
        fields = {"performative": act, "in-reply-to": reply}
        fields = "".join(f"<field var='{key}' type='text-single'><value>{value}</value></field>"
                         for key, value in fields.items() if value)
        self.say(f"<message from='{sender}@maw.localhost' to='bo@localhost/x' type='chat'>"
                 f"<body>{json.dumps(body)}</body><x xmlns='jabber:x:data' type='form'>"
                 f"<title>spade:x:metadata</title>{fields}</x></message>")

    def join(self, name):
        reply, text = self.asked("join_lobby")
        if f'"{name}"' not in text.replace("&quot;", '"'):
            sys.exit(f"not {name}: {text}")
        return reply

    def refuse(self, reply, of, code, text):
        self.tell("refuse", {"type": "error", "of": of, "code": code, "text": text}, reply)

    def confirm(self, reply, name):
        self.tell("agree", {"type": "join_confirmed", "player_name": name, "players": []}, reply)

def a_round(bo):
    bo.tell("inform", {"type": "start_game", "total_players": 3, "round": 1, "rounds": 2, "wolves": 1, "players":
            [{"jid": "bo@localhost", "name": "bo"}, {"jid": "mia@localhost", "name": "Mia"},
             {"jid": "vera@localhost", "name": "Vera"}]})
    bo.tell("inform", {"type": "assign_role", "role": "Werewolf", "teammates": []})
    bo.tell("inform", {"type": "phase_change", "new_phase": "day", "day": 1, "phase_no": 1,
                       "seconds": 60})
    bo.tell("inform", {"type": "vote_result", "target": "vera@localhost", "name": "Vera",
                       "status": "executed"})

mode = sys.argv[1]
bo = Account()
reply = bo.join("bo")
if mode == "name":
    bo.refuse(reply, "join_lobby", "name-taken", "The name bo is already in use.")
elif mode == "replaced":
    bo.confirm(reply, "bo")
    a_round(bo)
    bo.tell("inform", {"type": "announce_open", "room_name": "Village", "players": []}, "", "village")
    reply, _ = bo.asked("subscribe")
    bo.refuse(reply, "subscribe", "replaced", "Another client of your account has the seat.")
else:
    for name in ("bo2", "bo3"):
        bo.refuse(reply, "join_lobby", "name-taken", "The name bo is already in use.")
        reply = bo.join(name)
    bo.confirm(reply, "bo3")
    a_round(bo)
    bo.say("<stream:error><system-shutdown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
           "</stream:error></stream:stream>")
    bo.link.close()
    bo = Account()
    bo.confirm(bo.join("bo3"), "bo3")
    bo.tell("inform", {"type": "session_end", "text": "That is all."})
bo.link.settimeout(200)
while bo.link.recv(65536):
    pass
END

# join STATUS WHAT MODE OPTION...: stdout in $out, stderr in $err
join()
{
    local status=$1 what=$2 mode=$3
    shift 3
    : >port.txt
    launch port.txt server.err python3 server.py "$mode"
    await 'the server' port.txt '[0-9]'
    WARG_PASSWORD=secret expect "$status" "$what" timeout 200 "$WARG" join -x bo@localhost -g gm@maw.localhost \
        --host 127.0.0.1 --port "$(cat port.txt)" --tls off "$@" </dev/null
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
    [[ ! -s server.err ]] || fail "$what: the server: $(cat server.err)"
}

# once TEXT WHAT
once()
{
    local found
    found=$(grep -cF "$1" out.txt)
    ((found == 1)) || fail "$2: '$1' $found times in: $out$err"
}

join 0 'a bot' all --bot random
once 'Refused: The name bo is already in use.' 'a taken name'
once 'You are in the lobby as bo3.' 'another name'
once 'Round 1 of 2 begins' 'the round'
once 'Your role: Werewolf.' 'the role'
once 'Vera was executed.' 'a result'
once 'The session is over. That is all.' 'the end'
once 'Day 1' 'the phase'
once 'The connection is lost' 'the link'
once 'Connected again.' 'the link'
[[ -z $err ]] || fail "a bot says on stderr: $err"

join 1 'a name of its own' name --name bo
[[ $err == 'warg: no seat: The name bo is already in use.' ]] || fail "a taken --name: $err"
[[ $out != *'in use'* ]] || fail "a taken --name is spoken of twice: $out"

join 1 'replaced' replaced --me --plain
[[ $err == 'warg: Another client of your account has the seat.' ]] || fail "replaced: $err"
[[ $out != *'session is over'* ]] || fail "the session goes on: $out"
finish
