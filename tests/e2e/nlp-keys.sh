#!/usr/bin/env bash
# The key of a server of the natural-language division: drawn, never printed while games are to come,
# safe from a kill, published at the end, good for the same games again; a seed that somebody chose
# is told to be guessable.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
config=$WARG_SOURCE/config/nlp/default_en_5.yml

# host NAME OPTION...: starts a server in the folder NAME and stays there.
host()
{
    mkdir "$1" && cd "$1" || exit 1
    launch out err "$WARG" serve nlp -c "${file:-$config}" --port 0 "${@:2}"
    await "$1" err 'listening on' || exit 1
    address=$(grep -oE '127\.0\.0\.1:[0-9]+' err | head -n 1)
}

# play NAME: two games; then the server has ended, and we stand where we stood.
play()
{
    "$WARG" bot nlp --url "ws://$address/ws" --quiet --team kano -n 5 --games 2 --seed 1 >bots 2>&1 ||
        fail "$1: bots: $(tail -n 3 bots)"
    wait "$server" || fail "$1: exit status $?: $(tail -n 5 err)"
    server=
    cd .. || exit 1
}

# The roles by seat, a line for each game in the order in which they were played.
roles()
{
    python3 - "$1"/log/json/*.json <<'END'
import json, sys
games = [json.load(open(name)) for name in sys.argv[1:]]
for game in sorted(games, key=lambda game: game["game_id"]):
    print([agent["role"] for agent in game["agents"]])
END
}

umask 022
host drawn --games 2
secret=$(echo ./log/json/secret/*.key)
[[ $(stat -c %a log/json/secret "$secret") == $'700\n600' ]] || fail "who reads the key: $(ls -la log/json/secret)"
grep -qE '^[0-9a-f]{64}$' "$secret" || fail "no key of 256 bits: $(cat "$secret")"
key=$(cat "$secret")
grep -q "drawn key in $secret" err || fail "where the key is: $(cat err)"
play drawn
# Agents may run on this machine.
[[ $(find drawn/log -type f -name '*.json' -o -name '*.log' -o -type d | xargs stat -c %a | sort -u) == $'600\n700' ]] ||
    fail "who reads the logs: $(ls -lR drawn/log)"
! grep -q "$key" drawn/err drawn/out drawn/log/game/* || fail 'the key is printed or logged'
published=$(cd drawn && echo ./log/json/*.key)
grep -q "^$key$" "drawn/$published" || fail 'the key is not published at the end'
[[ -z $(ls drawn/log/json/secret) ]] || fail 'the key is still a secret after the end'
grep -q "the key of all that was drawn here: $published" drawn/err || fail "told: $(cat drawn/err)"

host again --games 2 --seed "$key"
grep -q 'key given' err || fail "a key that was given: $(cat err)"
play again
[[ $(roles again) == "$(roles drawn)" ]] || fail 'the published key does not deal the same roles'
[[ ! -e again/log/json/secret ]] || fail 'a key that was given is written'
host other --games 2 --open-results
play other
[[ $(stat -c %a other/log/game other/log/game/*.log | sort -u) == $'644\n755' ]] ||
    fail "--open-results: $(ls -lR other/log)"
[[ $(cat other/log/json/*.key) != "$key" ]] || fail 'the same key twice'
expect 0 'folders with keys' "$WARG" log check drawn/log/game
expect 0 'folders with keys' "$WARG" log stats drawn/log

host killed --games 2
kill -9 "$server"
wait "$server" 2>/dev/null
server=
cd .. || exit 1
grep -qE '^[0-9a-f]{64}$' killed/log/json/secret/*.key || fail 'kill -9 takes the key away'

host seeded --games 2 --seed 7
grep -q 'seed 7, which can be guessed' err || fail "--seed: $(cat err)"
play seeded
[[ ! -e seeded/log/json/secret ]] || fail 'a seed that was given is written'
sed 's/# seed: 1 /seed: 7 /' "$config" >seeded.yml
file=$PWD/seeded.yml host configured --games 2
grep -q 'seed 7, which can be guessed' err || fail "warg.seed: $(cat err)"
play configured
[[ $(roles configured) == "$(roles seeded)" ]] || fail 'warg.seed and --seed deal differently'
# Every agent reads the ids of its games: what is not time in them is the same for no seed.
ids=$(grep -oh '"game_id":"[^"]*' seeded/log/json/*.json configured/log/json/*.json | grep -oE '.{16}$')
[[ $(sort -u <<<"$ids" | wc -l) == 4 ]] || fail "ids come from the seed: $ids"
expect 0 'help' "$WARG" serve nlp --help
[[ $out == *'guess it'* ]] || fail 'help does not say that a seed can be guessed'
expect 2 'no seed' "$WARG" serve nlp -c "$config" --port 0 --seed abc
[[ $err == *'a key of 64 hexadecimal digits'* ]] || fail "no seed: $err"

finish
