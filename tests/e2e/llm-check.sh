#!/usr/bin/env bash
# `warg llm check` as a program: exit statuses, and what it says where no server is. What it finds out
# about servers is tested in tests/cmd/test_llm_check.c.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
unset OPENAI_API_KEY MODELS_KEY http_proxy https_proxy all_proxy

# has TEXT WHAT
has()
{
    [[ $out$err == *"$1"* ]] || fail "$2: no '$1' in: $out$err"
}

# Port 9 (discard) of this machine: nobody listens.
nobody=http://127.0.0.1:9/v1

expect 1 'no server' "$WARG" llm check "$nobody" --model m --timeout 2s
has 'no answer: Connection refused' 'no server'
has 'next step: ' 'no server'
expect 1 'no server, as JSON' "$WARG" llm check "$nobody" --model m --timeout 2s --json
has '"usable":false' 'no server, as JSON'

cat >fails.py <<'END'
import http.server

class Fails(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_error(500, "no")

    def log_message(self, *words):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Fails)
print(server.server_port, flush=True)
server.serve_forever()
END
python3 fails.py >port.txt &
fails=$!
await 'the server that fails' port.txt '[0-9]'
expect 1 'a server that fails' "$WARG" llm check "http://127.0.0.1:$(cat port.txt)/v1" --model m --timeout 5s
has 'status 500' 'a server that fails'
has 'next step: the server is there' 'a server that fails'
kill "$fails"

expect 2 'no URL' "$WARG" llm check --model m
expect 2 'no model' "$WARG" llm check "$nobody"
has '--model' 'no model'
expect 2 'a URL that is none' "$WARG" llm check localhost:11434 --model m
has 'http://' 'a URL that is none'
[[ -z $out ]] || fail "something answers where nothing was asked: $out"
expect 2 'a key in the URL' "$WARG" llm check http://me:key@localhost/v1 --model m
expect 2 'a variable that is not set' "$WARG" llm check "$nobody" --model m --key-env MODELS_KEY
has 'MODELS_KEY' 'a variable that is not set'
expect 3 'a key file that is none' "$WARG" llm check "$nobody" --model m --key-file none.txt
has 'none.txt' 'a key file that is none'
echo >empty.txt
expect 3 'a key file without a key' "$WARG" llm check "$nobody" --model m --key-file empty.txt
printf 'two words\n' >words.txt
expect 2 'a key that is none' "$WARG" llm check "$nobody" --model m --key-file words.txt
[[ $err != *'two words'* ]] || fail "a key is told: $err"
expect 0 'help' "$WARG" llm check --help
has '--key-env' 'help'
finish
