#!/usr/bin/env bash
# `warg contest init`: an empty folder, a server.yml that a package has brought, a site that is there already; with
# a server over it `invite` and `reset` go on giving links. docs/spec/contest-operations.md 4, 14.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

is_link() { grep -qE "^$1/(invite|reset)/[0-9a-f]{64}\$" out.txt; }

expect 0 'init' "$WARG" contest init site
is_link http://127.0.0.1:8088 || fail "init prints no link: $out"
[[ $(stat -c %a site/data) == 700 && $(stat -c %a site/data/site.db) == 600 ]] || fail 'the data folder is private'
cp site/server.yml before.yml
expect 2 'init, again' "$WARG" contest init site
[[ $err == *'is a site already'*'invite admin'* ]] || fail "init, again: $err"
cmp -s site/server.yml before.yml || fail 'init again has changed server.yml'

# As a package brings it: its data somewhere else.
mkdir etc
printf '# mine\ndata: %s/lib/data\npublic_url: https://contest.example.org\nrunner: outside\n' "$work" >etc/server.yml
cp etc/server.yml before.yml
mkdir lib
expect 0 'init over a file' "$WARG" contest init etc
is_link https://contest.example.org || fail "init over a file prints no link: $out"
cmp -s etc/server.yml before.yml || fail 'init has changed a server.yml that was there'
[[ $(stat -c %a lib/data) == 700 && ! -e etc/data ]] || fail 'the data folder is not where the file says'
expect 2 'init over a site' "$WARG" contest init etc

# What holds secrets is for its user alone: made so, and refused where it is not.
mkdir open
printf 'listen: 127.0.0.1:0\nrunner: outside\n' >open/server.yml
mkdir -m 755 open/data
expect 2 'serve over an open folder' "$WARG" contest serve open
[[ $err == *"others can look into"*"chmod 700"* && -z $(ls open/data) ]] || fail "serve over an open folder: $err"
rmdir open/data
launch serve.txt serve.err bash -c 'umask 0; exec "$0" contest serve open' "$WARG"
await 'serve' serve.txt 'listening on'
[[ $(stat -c %a open/data) == 700 ]] || fail 'serve makes an open data folder'
kill "$server"
wait "$server" || fail "serve: exit status $?"

mkdir wrong
echo 'publik_url: https://contest.example.org' >wrong/server.yml
expect 3 'init over a wrong file' "$WARG" contest init wrong
[[ $err == *public_url*'line 1'* && ! -e wrong/data ]] || fail "init over a wrong file: $err"

expect 0 'one more admin' "$WARG" contest invite admin --site etc
is_link https://contest.example.org || fail "invite prints no link: $out"
expect 2 'reset of nobody' "$WARG" contest reset ann --site etc
expect 0 'migrate' "$WARG" contest migrate etc
expect 0 'migrate --check' "$WARG" contest migrate --check --site etc
[[ $out == *'up to date'* ]] || fail "migrate: $out"

# A folder that is no site is told so, with what to do.
expect 3 'nowhere' "$WARG" contest list --site lib
[[ $err == *"'lib' is no contest site"*--site*WARG_SITE* ]] || fail "nowhere: $err"

# The contest file that warg comes with is one for `new`; led on by hand, what comes next is behind its state.
sed -i 's,^listen:.*,listen: 127.0.0.1:0,' site/server.yml
echo 2027-03-01T00:00:00.000Z >clock
export WARG_SITE_CLOCK=$work/clock
launch serve.txt serve.err "$WARG" contest serve site --clock clock
await serve serve.txt 'listening' || finish
expect 0 'the example' "$WARG" contest new "$WARG_SOURCE/config/contest-site.yml" --site site
expect 0 'open' "$WARG" contest open cup2027 --site site
expect 0 'status' "$WARG" contest status cup2027 --site site
[[ $out == *OPEN*'next: submission_closes in 142 d'* ]] || fail "status: $out"
# What could surprise later is said at once.
sed 's/^contest: cup2027/contest: cupj/; s/languages: \[python/languages: [java, python/' "$WARG_SOURCE/config/contest-site.yml" >java.yml
expect 0 'new, with Java' "$WARG" contest new java.yml --site site
[[ $out == *'note: java is one of submit.languages, and runtimes has no java: {lib: FOLDER}'* ]] || fail "new says nothing of Java: $out"
expect 2 'a bundle too early' "$WARG" contest bundle cup2027 --site site
[[ $err == *'cup2027 is OPEN: a bundle is made when its games and its judging are over (APPEALS)'* && ! -e cup2027-bundle ]] ||
    fail "a bundle too early: $err"
kill "$server"
wait "$server" 2>/dev/null
finish
