#!/usr/bin/env bash
# A server without authentication, as a participant's program sees it: while a game runs, no byte of
# any route and of its event stream names a role or a team. An operator's token opens all of it.
source "$(dirname "$0")/common.bash"
config=$WARG_SOURCE/config/nlp

# host NAME CONFIG OPTION...
host()
{
    local name=$1 file=$2
    shift 2
    launch "$name.out" "$name.err" "$WARG" serve nlp -c "$file" --port 0 "$@"
    await "$name" "$name.err" 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' "$name.err" | head -n 1)
}

sed 's/delay: 5s/delay: 0s/; s/duration: 10m/duration: 3s/' "$config/freeform_en_5.yml" >closed.yml
host closed closed.yml --games 1 --stay --operator-file key
[[ $(stat -c %a key) == 600 ]] || fail "the token's file has the mode $(stat -c %a key)"
[[ $(cat closed.err) != *"$(cat key)"* ]] || fail 'a token of a file is printed'
"$WARG" bot nlp --url "ws://$address/ws" --quiet --team teamname -n 5 --think 500ms >bots.txt 2>&1 &
bots=$!
python3 "$agents/nlp_spy.py" "$address" teamname "$(cat key)" >spy.txt 2>&1 ||
    fail "the spy: $(cat spy.txt)"
wait "$bots" || fail "bots: $(cat bots.txt)"
kill "$server"
wait "$server" || fail "the server: $(tail -n 5 closed.err)"
server=

# the same token again; one that others can read, or a short one, is refused
old=$(cat key)
host again closed.yml --operator-file key
[[ $(cat key) == "$old" ]] || fail 'the token has changed'
[[ $(python3 "$agents/http_get.py" "http://$address/api/v1/waiting?token=$old" --status) == 200 ]] ||
    fail 'the token is not taken'
kill "$server"
wait "$server"
server=
chmod 644 key
expect 2 'a readable token' "$WARG" serve nlp -c closed.yml --port 0 --operator-file key
[[ $err == *'chmod 600'* ]] || fail "a readable token: $err"
echo short >short && chmod 600 short
expect 2 'a short token' "$WARG" serve nlp -c closed.yml --port 0 --operator-file short
[[ $err == *'at least 32'* ]] || fail "a short token: $err"

# told loudly
sed 's/^  open: false/  open: true/' closed.yml >open.yml
host open open.yml --quiet
[[ $(cat open.err) == *'WARNING: warg.open is true'* ]] || fail "open in silence: $(cat open.err)"
[[ $(cat open.err) != *"operator's token"* ]] || fail 'an open server prints a token'
[[ $(python3 "$agents/http_get.py" "http://$address/api/v1/waiting" --status) == 200 ]] ||
    fail 'an open server is not open'
kill "$server"
wait "$server"
server=

finish
