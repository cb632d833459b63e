#!/usr/bin/env bash
# A person with an ordinary chat client at a table of `warg maw --xmpp`, over prosody: no word of JSON in
# either direction.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

if [[ ! -x /usr/bin/prosody ]]; then
    echo "$script_name: prosody is not installed: nothing was tried"
    finish
fi
mkdir -p prosody/data prosody/certs
read -r client component < <(python3 -c '
import socket
both = [socket.socket(), socket.socket()]
for one in both:
    one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in both])')
sed -e "s/15222/$client/; s/15347/$component/; s/\"tls\"; //; /^  ssl = /d" \
    "$WARG_SOURCE/tests/data/maw/prosody.cfg.lua" >prosody/prosody.cfg.lua
export MAW_XMPP_DIR=$work/prosody
prosody -F --config prosody/prosody.cfg.lua >prosody/output.txt 2>&1 &
prosody=$!
trap 'kill $server $prosody 2>/dev/null; rm -rf "$work"' EXIT
await 'prosody' prosody/prosody.log "service 'c2s' on \["
prosodyctl --config prosody/prosody.cfg.lua register ann localhost secret >register.txt 2>&1 ||
    fail "the account: $(cat register.txt)"

cat >chat.py <<'END2'
import base64, html, re, socket, sys

link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
link.settimeout(300)
heard = ""

def hear(pattern):
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

def stream():
    say("<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client'"
        " xmlns:stream='http://etherx.jabber.org/streams'>")
    hear("</stream:features>")

def write(text, to="gm"):
    say(f"<message to='{to}@maw.localhost' type='chat'><body>{html.escape(text)}</body></message>")

def read(pattern):
    """The next message that says so; all of them are plain words."""
    while True:
        text = hear("<message .*?</message>").group(0)
        body = html.unescape(re.search("<body>(.*?)</body>", text, re.S).group(1))
        if "jabber:x:data" in text or body.startswith("{"):
            sys.exit(f"no plain words: {text}")
        print(body, flush=True)
        if re.search(pattern, body):
            return body

stream()
say("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
    + base64.b64encode(b"\0ann\0secret").decode() + "</auth>")
hear("<success")
stream()
say("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>phone</resource></bind></iq>")
hear("<jid>ann@localhost/phone</jid>")
say("<presence/>")
write("good evening")
read(sys.argv[2])
write("/join Annie")
read(sys.argv[3])
read(sys.argv[4])
write("/role")
read(sys.argv[5])
write("I was asleep all the time.", "village")
write("/who")
read("Annie")
write("/vote")
other = re.search("/vote .*?: ([^,]*), ", read("/vote ")).group(1)
write("/vote " + other)
read(other)
read(sys.argv[6])
END2

# play WHAT LANGUAGE PATTERN...
play()
{
    local what=$1 language=$2
    shift 2
    : >table.err
    WARG_XMPP_SECRET=mawsecret launch table.out table.err "$WARG" maw --xmpp localhost --port "$component" \
        --players 4 --bots 3 --day-s 15 --night-s 2 --language "$language" --out "$what"
    await "$what: the component" table.err 'connected to the XMPP server|XMPP サーバー'
    timeout 600 python3 chat.py "$client" "$@" >read.txt 2>chat.err ||
        fail "$what: $(cat chat.err read.txt table.err)"
    wait "$server" || fail "$what: the table: $(cat table.err)"
    server=
    grep -q '"room":"Village".*I was asleep all the time\.' "$what/session.jsonl" || fail "$what: what was said"
    grep -q '"type":"vote".*ann@localhost' "$what/session.jsonl" || grep -q 'ann@localhost.*"type":"vote"' "$what/session.jsonl" ||
        fail "$what: the vote"
    "$WARG" log check "$what" >check.txt 2>&1 || fail "$what: the record: $(cat check.txt)"
}

play english en 'game of Werewolf' 'in the lobby as Annie' 'Day 1' 'Your role' 'The session is over'
play japanese ja '人狼ゲームの卓' 'Annie としてロビー' '1日目 昼' 'あなたの役職' 'セッション終了'
finish
