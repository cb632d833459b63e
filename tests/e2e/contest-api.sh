#!/usr/bin/env bash
# A participant at a contest site by the command line alone: a token, a version handed in and checked by the site's runner in
# cells, one that is refused, where it runs. docs/spec/contest-operations.md 5.1, 13, 14; docs/contest-api.md.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

skip_under_tsan
need_cells
export TMPDIR=$work
chmod 755 .
mkdir site
url=http://127.0.0.1:1
cat >site/server.yml <<END
data: data
listen: 127.0.0.1:0
public_url: $url
END
cat >cup.yml <<'END'
contest: cup
submit: {languages: [python], file_bytes: 1MiB}
check: {games: 1, name: refuse}
cell: {level: strict, memory: 1GiB, threads: 64}
dates: {submission_closes: 2098-07-21 24:00}
stages:
  - {name: preliminary, players: 5, advance: 5, min_games: 10}
  - {name: final, players: 5, min_games: 10}
END

launch serve.txt serve.err "$WARG" contest serve site
await 'the server' serve.txt 'listening on 127.0.0.1 port [0-9]+'
port=$(sed -nE 's/.* port ([0-9]+)$/\1/p' serve.txt)
# Its port is known only now; who changes something says from which page, and that is the URL of the file.
kill "$server"
wait "$server" || fail "the server ended with $?: $(cat serve.err)"
url=http://127.0.0.1:$port
sed -i "s|^listen.*|listen: 127.0.0.1:$port|; s|^public_url.*|public_url: $url|" site/server.yml
launch serve.txt serve.err "$WARG" contest serve site
await 'the server again' serve.txt "port $port\$"

expect 0 'a contest' "$WARG" contest new cup.yml --site site
expect 0 'it opens' "$WARG" contest open cup --site site
curl -s -H "Origin: $url" -H 'Content-Type: application/json' \
    -d '{"name":"foo","affiliation":"Home","login":"ann","password":"correct horse battery"}' \
    "$url/api/v1/contests/cup/teams" >team.json
grep -q '"name":"foo","state":"IN"' team.json || fail "the team: $(cat team.json)"

echo 'correct horse battery' >password
echo 'not the right one' >wrong
expect 2 'a wrong password' "$WARG" contest token --to "$url" --login ann --password-file wrong
[[ $err == *'Login or password is wrong'* ]] || fail "a wrong password: $err"
expect 0 'a token' "$WARG" contest token --to "$url" --login ann --password-file password --label test
[[ $out == wgt_* ]] || fail "the token: $out"
export WARG_CONTEST_TOKEN=$out
expect 0 'the environment' "$WARG" contest environment --to "$url/cup"
[[ $out == *'"kernel"'*'"limits":{"memory":1073741824'* ]] || fail "the environment: $out"

mkdir foo
cp "$agents/checked_agent.py" foo/start.py
python3 -m zipfile -c foo.zip foo
expect 0 'a version' "$WARG" contest submit --to "$url/cup" --language python --entry start.py foo.zip
[[ $out == *'version 1 received, sha256 '*ACTIVE* ]] || fail "a version: $out $err"
expect 1 'a file that is no archive' "$WARG" contest submit --to "$url/cup" --language python --entry start.py cup.yml
[[ $out == *'version 2 received'*'refused: '* ]] || fail "no archive: $out $err"
expect 2 'another language' "$WARG" contest submit --to "$url/cup" --language java --entry A foo.zip
expect 2 'a contest that is none' "$WARG" contest submit --to "$url/cap" --language python --entry start.py foo.zip
WARG_CONTEST_TOKEN=wgt_0 expect 2 'no token' "$WARG" contest submit --to "$url/cup" --language python --entry start.py foo.zip
head -c 1048577 /dev/zero >large.zip
expect 3 'too large' "$WARG" contest submit --to "$url/cup" --language python --entry start.py large.zip

curl -s "$url/api/v1/contests/cup/teams" >teams.json
grep -q '"version":1' teams.json || fail "the list of teams: $(cat teams.json)"
curl -s "$url/api/v1/contests/cup/ledger" >ledger.jsonl
grep -q '"type":"version"' ledger.jsonl || fail "the ledger: $(cat ledger.jsonl)"
kill "$server"
wait "$server" || fail "the server ended with $?: $(cat serve.err)"
finish
