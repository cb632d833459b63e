#!/usr/bin/env bash
# `warg bot nlp`: whole games with `warg serve nlp`, also with a token; and where there is no server, or
# one of another kind: what it says and how it ends. More faults are in tests/seat/test_nlp_call.c.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# ---- games ----

# village CONFIGURATION: a server that plays two games of one team among itself; its port is in $port.
village()
{
    sed "s/self_match: false/self_match: true/; /authentication:/,+1s/enable: false/enable: ${2:-false}/" \
        "$WARG_SOURCE/config/nlp/$1.yml" >village.yml
    SECRET_KEY=secret launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 2
    await 'a server' serve.err 'listening on' || exit 1
    port=$(grep -m 1 -oE 'listening on [^ ]*' serve.err | grep -oE '[0-9]+' | tail -n 1)
}

for config in default_5 freeform_en_5 default_13; do
    village "$config"
    players=${config##*_}
    expect 0 "$config" "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws" -n "$players" --games 2 --think 50ms
    has "together: $((2 * players)) games, $((2 * players)) of them decided" "$config"
    has '0 connections failed' "$config"
    wait "$server" || fail "$config: the server: $(cat serve.err)"
done

village default_5 true
url=ws://127.0.0.1:$port/ws
expect 3 'no token' "$WARG" bot nlp --url "$url"
has '1008' 'no token'
token=$("$WARG" token player --team others --key secret)
expect 3 "somebody else's token" "$WARG" bot nlp --url "$url" --token "$token"
has '1008' "somebody else's token"
token=$("$WARG" token player --team warg --key secret)
expect 0 'a token' "$WARG" bot nlp --url "$url" -n 5 --games 2 --token "$token"
wait "$server" || fail "tokens: the server: $(cat serve.err)"

# ---- what it is told wrongly ----

expect 2 'digits' "$WARG" bot nlp --team delta2026
has 'digits' 'digits'
expect 2 'no team' "$WARG" bot nlp --team ''
expect 2 'no bot' "$WARG" bot nlp --kind talkr
has "did you mean 'talker'" 'no bot'
expect 2 'no URL' "$WARG" bot nlp --url nowhere
expect 2 'a URL of another kind' "$WARG" bot nlp --url http://127.0.0.1:1/ws
expect 2 'a fault that is none' "$WARG" bot nlp --fault laziness
expect 3 'no certificates' "$WARG" bot nlp --url wss://127.0.0.1:1/ws --ca none.pem
has 'none.pem' 'no certificates'

# Port 1 is nobody's.
expect 3 'nobody is there' "$WARG" bot nlp --url ws://127.0.0.1:1/ws -n 3
has "warg1: can't connect to ws://127.0.0.1:1/ws" 'nobody is there'
has '3 of 3 bots failed' 'nobody is there'
has 'together: 0 games' 'nobody is there'

# It tries again until it is stopped.
launch again.out again.err "$WARG" bot nlp --url ws://127.0.0.1:1/ws --team late --reconnect --retry 10ms
await 'reconnect' again.err 'trying again'
kill -INT "$server"
wait "$server"
got=$?
((got == 130)) || fail "Ctrl-C: exit status $got: $(cat again.err)"
grep -q '^late1: 0 games, 0 won$' again.out || fail "Ctrl-C: no summary: $(cat again.out)"

# A server of another kind.
serve aiwolf --players 5
expect 3 'no web server' timeout 100 "$WARG" bot nlp --url "ws://127.0.0.1:$port/ws"
kill "$server"
wait "$server"
finish
