#!/usr/bin/env bash
# `warg play`: scripts that play whole games of both divisions from a pipe, with bots in the other
# seats; how it ends when the person leaves, the server goes away, or the command line is wrong.
# The screen itself is tested in tests/terminal, what a person is told in tests/person/test_person.c.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
export LC_ALL=C.UTF-8 TERM=dumb

# says WHAT TEXT: a line of the last command's output has it.
says()
{
    [[ $out == *"$2"* ]] || fail "$1: no '$2' in: $(tail -n 30 out.txt)"
}

# ---- the protocol division ----

lines()
{
    printf '%s\n' "$@" >script
}

lines /who /help 'COMINGOUT Agent[01] VILLAGER' 'hello all' /skip 'VOTE Agent[99]' /over '/vote 1' \
    '/vote Nobody' '/vote Agent[02]' '/vote Agent[03]' '/vote Agent[04]' '/divine Agent[02]' \
    '/divine 1' '/attack Agent[05]' '/guard 3' '/whisper ATTACK Agent[01]' /vtoe /quit
for seed in 1 2 3 4; do
    serve "seed$seed" --players 5 --games 2 --once --seed "$seed" --out "seed$seed" \
        --agent 'bot:sample*4'
    expect 0 "seed $seed" timeout 200 "$WARG" play --port "$port" --name anna <script
    wait "$server" || fail "seed $seed: the server: $(cat "seed$seed.err")"
    says "seed $seed" '! A game of 5 begins. You are Agent['
    says "seed $seed" 'Agent[05]: alive'
    says "seed $seed" 'COMINGOUT Agent[01] VILLAGER'
    says "seed $seed" "Not sent. This is no sentence of the protocol language: column 1"
    says "seed $seed" "found 'hello'"
    says "seed $seed" "no command /vtoe. /vote?"
    says "seed $seed" '* Votes: Agent[01] -> '
    says "seed $seed" 'The game is over.'
    [[ $out =~ Games:\ 2,\ won:\ [0-2] ]] || fail "seed $seed: no score: $(tail -n 3 out.txt)"
    expect 0 "seed $seed: logs are legal" "$WARG" log check "seed$seed/logs"
    ! grep -q . "seed$seed/faults.jsonl" ||
        fail "seed $seed: faults: $(head -n 3 "seed$seed/faults.jsonl")"
done

# All five seats are people who say nothing; one of them in Japanese.
serve people --players 5 --games 1 --once --out people
for i in 1 2 3 4; do
    timeout 200 "$WARG" play -p "$port" -n "person$i" </dev/null >"person$i.out" 2>&1 &
    people[i]=$!
done
expect 0 'people' timeout 200 "$WARG" play -p "$port" --language ja </dev/null
says 'Japanese' 'あなたの役職: '
for i in 1 2 3 4; do
    wait "${people[i]}" || fail "person $i: $(tail -n 3 "person$i.out")"
done
wait "$server" || fail "people: the server: $(cat people.err)"
expect 0 'people: logs are legal' "$WARG" log check people/logs

# ---- the natural-language division ----

lines '皆さん、こんにちは' '@Agent[01] why?' /over /who /role '/vote Agent[01]' '/vote Agent[02]' \
    '/whisper 今夜は誰にする' '/attack Agent[03]' '/divine Agent[04]' /score
for config in default_5 freeform_en_5; do
    mkdir "$config" && cd "$config" || exit 1
    sed 's/self_match: true/self_match: false/; s/duration: 10m/duration: 3s/' \
        "$WARG_SOURCE/config/nlp/$config.yml" >village.yml
    launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 1
    await "$config" serve.err 'listening on' || exit 1
    url=ws://$(grep -oE '127\.0\.0\.1:[0-9]+' serve.err | head -n 1)/ws
    bots=()
    for team in ada bea cia dea; do
        "$WARG" bot nlp --url "$url" --team "$team" --think 20ms -q >"$team.out" 2>&1 &
        bots+=($!)
    done
    expect 0 "$config" timeout 200 "$WARG" play --url "$url" --team anna --language en <../script
    says "$config" '! A game of 5 begins. You are '
    says "$config" 'こんにちは'
    says "$config" 'The game is over.'
    says "$config" 'Games: 1, won: '
    wait "$server" || fail "$config: the server: $(tail -n 5 serve.err)"
    for bot in "${bots[@]}"; do
        wait "$bot" || fail "$config: a bot failed: $(cat ./*.out | tail -n 5)"
    done
    expect 0 "$config: logs are legal" "$WARG" log check log/game/*.log
    cd "$work" || exit 1
done

# A token from a file.
sed "s/self_match: false/self_match: true/; /authentication:/,+1s/enable: false/enable: true/" \
    "$WARG_SOURCE/config/nlp/default_5.yml" >village.yml
SECRET_KEY=secret launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 1
await 'tokens' serve.err 'listening on' || exit 1
url=ws://$(grep -oE '127\.0\.0\.1:[0-9]+' serve.err | head -n 1)/ws
expect 3 'no token' "$WARG" play --url "$url" </dev/null
"$WARG" token player --team anna --key secret >token.txt
"$WARG" bot nlp --url "$url" --team anna -n 4 --token "$(cat token.txt)" -q >bots.out 2>&1 &
bots=$!
expect 0 'a token' timeout 200 "$WARG" play --url "$url" --name anna5 --token-file token.txt </dev/null
wait "$server" "$bots" || fail "tokens: $(tail -n 3 serve.err bots.out)"

# Two friends where each team plays itself: both are told why nothing happens, and so is the server's log.
sed 's/self_match: false/self_match: true/' "$WARG_SOURCE/config/nlp/default_5.yml" >village.yml
launch serve.out serve.err "$WARG" serve nlp -c village.yml --port 0 --games 1
await 'friends' serve.err 'listening on' || exit 1
url=ws://$(grep -oE '127\.0\.0\.1:[0-9]+' serve.err | head -n 1)/ws
friends=()
for friend in anna bea; do
    : >"$friend.out"
    timeout 200 "$WARG" play --url "$url" --team "$friend" </dev/null >"$friend.out" 2>&1 &
    friends+=($!)
done
for friend in anna bea; do
    await 'a friend' "$friend.out" 'a team plays only itself' # it is told after ten seconds
done
await 'the server' serve.err 'wait, each for more of its own'
kill "$server" "${friends[@]}"
wait "$server" "${friends[@]}" 2>/dev/null

# ---- ends ----

serve gone --players 5 --agent 'bot:sample*4' --games 1
mkfifo keys
timeout 200 "$WARG" play -p "$port" <keys >gone.out 2>gone.out2 &
person=$!
exec 3>keys
await 'a turn' gone.out 'your turn'
kill "$server"
wait "$server"
wait "$person"
got=$?
((got == 3)) || fail "a server that goes away: exit status $got: $(cat gone.out2)"
grep -q 'before the game was over' gone.out2 || fail "a server that goes away: $(cat gone.out2)"
exec 3>&-

serve left --players 5 --agent 'bot:sample*4' --games 1
timeout -k 5 200 "$WARG" play -p "$port" <keys >left.out 2>left.err &
person=$!
exec 3>keys
await 'a turn' left.out 'your turn'
kill -TERM "$(pgrep -P "$person")"
wait "$person"
got=$?
((got == 130)) || fail "SIGTERM: exit status $got: $(cat left.err)"
kill "$server"
wait "$server"
exec 3>&-

# Who is there before the server is plays as soon as that listens.
timeout 200 "$WARG" play -p "$port" --wait 100s <script >early.out 2>early.err &
person=$!
sleep 1
launch early.log early.log timeout 200 "$WARG" serve aiwolf -p "$port" --once -n 5 --time-limit 20s -s 1 -a 'bot:sample*4'
wait "$person" || fail "a server that comes later: exit status $?: $(cat early.out early.err)"
wait "$server" || fail "the server that came later: $(cat early.log)"

expect 3 'nobody there' "$WARG" play -p 1 --wait 0s </dev/null
[[ $err == *"can't connect to 127.0.0.1:1: is the server running?"* ]] || fail "nobody there: $err"
expect 3 'nobody there' "$WARG" play --url ws://127.0.0.1:1/ws --wait 0s </dev/null
expect 2 'a URL that is none' "$WARG" play --url nowhere </dev/null
expect 2 'both divisions' "$WARG" play --url ws://127.0.0.1:1/ws --port 1 </dev/null
expect 2 'a team of a table' "$WARG" play --team anna </dev/null
expect 2 'a language' "$WARG" play --language la </dev/null
expect 3 'no token file' "$WARG" play --url ws://127.0.0.1:1/ws --token-file none </dev/null
expect 0 'help' "$WARG" play --help
says 'help' '--token-file FILE'
finish
