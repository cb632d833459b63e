#!/usr/bin/env bash
# warg maw --xmpp: a table at the end of a component's link, and an agent that sends what it may and
# may not. The XMPP server is a stand-in that speaks as much of XEP-0114 as that takes.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

cat >server.py <<'END'
import hashlib, json, re, socket, sys

listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(200)
print(listener.getsockname()[1], flush=True)
link, _ = listener.accept()
link.settimeout(200)
heard = ""

def hear(pattern):
    """Waits for it, and takes all up to its end."""
    global heard
    while not (found := re.search(pattern, heard, re.S)):
        more = link.recv(65536).decode()
        if not more:
            sys.exit(f"the link ended before {pattern}: {heard[-2000:]}")
        heard += more
    heard = heard[found.end():]
    return found

def say(text):
    link.sendall(text.encode())

def message(to, body, number, sender="spade@localhost/x"):
    body = body if isinstance(body, str) else json.dumps(body)
    say(f"<message from='{sender}' to='{to}' type='chat' id='n{number}'><body>{body}</body>"
        "<x xmlns='jabber:x:data' type='form'><title>spade:x:metadata</title><field var='performative'"
        " type='text-single'><value>request</value></field></x></message>")

hear("<stream:stream[^>]*>")
say("<stream:stream xmlns='jabber:component:accept' xmlns:stream='http://etherx.jabber.org/streams'"
    " from='maw.localhost' id='one'>")
digest = hear("<handshake[^>]*>([0-9a-f]+)</handshake>").group(1)
if digest != hashlib.sha1(b"onesecret").hexdigest():
    sys.exit("a wrong handshake")
say("<handshake/>")

say("<iq type='get' from='spade@localhost/x' to='gm@maw.localhost' id='q'>"
    "<ping xmlns='urn:xmpp:ping'/></iq>")
hear("<iq [^>]*type=.error.*?service-unavailable.*?</iq>")
message("nobody@maw.localhost", {"type": "chat", "message": "hello"}, 1)
hear("<message [^>]*type=.error.*?item-not-found.*?</message>")
message("village@maw.localhost", {"type": "chat", "message": "hello"}, 2)
hear("not-joined.*?</message>")
for number in (3, 4):  # over the limit: left out, and the link goes on
    message("gm@maw.localhost", "x" * 200000, number)
message("gm@maw.localhost", {"type": "leave"}, 5, "gm@maw.localhost")  # forged
message("gm@maw.localhost", {"type": "join_game", "player_name": "Spade"}, 6)
hear("join_confirmed.*?</message>")
hear("assign_role.*?</message>")
hear("announce_open.*?Village.*?</message>")
message("village@maw.localhost", {"type": "chat", "message": "hello all"}, 7)
message("village@maw.localhost", {"type": "get_new_messages"}, 8)
hear("Spade: hello all.*?</message>")
# Its messages come back, first from the client that joined, then from the account; then it is there.
for sender in ("spade@localhost/x", "spade@localhost"):
    message("village@maw.localhost", {"type": "vote"}, "v" + str(len(sender)))
    number = hear("<message [^>]*id=.(m[0-9]+)").group(1)
    say(f"<message from='{sender}' to='gm@maw.localhost' type='error' id='{number}'><error type='cancel'>"
        "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
message("village@maw.localhost", {"type": "get_new_messages"}, 9)
hear("Spade: hello all.*?</message>|new_messages.*?</message>")
hear("end_game.*?</message>")
hear("session_end.*?</message>")
hear("</stream:stream>")
END
launch port.txt server.err python3 server.py
await 'the server' port.txt '[0-9]'
WARG_XMPP_SECRET=secret "$WARG" maw --xmpp localhost --port "$(cat port.txt)" --players 3 --bots 2 \
    --bot random --day-s 6 --night-s 1 --seed 3 >maw.out 2>maw.err ||
    fail "the exit status is $?: $(cat maw.err server.err)"
wait "$server" || fail "the server: $(cat server.err)"
server=
grep -qE '^ +[1-3]  Spade +[0-9]+ .*guest' maw.out ||
    fail "the guest is not in the leaderboard: $(cat maw.out)"
grep -q 'Spade has joined: [1-3] of 3' maw.out || fail "who joins is shown: $(cat maw.out)"
grep -q "Spade can't be reached" maw.out || fail "who is not there is shown: $(cat maw.out)"
grep -q 'Spade is back' maw.out || fail "who is back is shown: $(cat maw.out)"
(($(grep -c 'dropped from spade@localhost' maw.err) == 1)) ||
    fail "what was dropped is to be said once: $(cat maw.err)"
# Models without a number take every seat, and nobody could come: that is said.
for spec in 'demo' 'demo*2'; do
    WARG_XMPP_SECRET=secret launch all.out all.err "$WARG" maw --xmpp localhost --port 9 --players 6 --llm "$spec"
    await "a table of $spec" all.err 'no XMPP server yet'
    kill "$server"
    wait "$server" 2>/dev/null
    server=
    grep -q 'nobody can join over XMPP' all.err
    [[ $? == $([[ $spec == demo ]] && echo 0 || echo 1) ]] || fail "--llm $spec: $(cat all.err)"
done
finish
