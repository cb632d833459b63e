# site.bash - what the scripts share that run a contest site, most of them by a clock of their own. Sourced behind
# common.bash.

# at DATE: that is the date now; in UTC.
at() { echo "$1.000Z" >clock.new && mv clock.new clock; }

# site_init [PROGRAM]: makes the folder `site`, with what `init` prints in $out; the server will be on a free port.
# What a program of sed says of server.yml comes behind that.
site_init()
{
    expect 0 'init' "$WARG" contest init site
    sed -i "s,^listen:.*,listen: 127.0.0.1:0,; s,^public_url:.*,public_url: http://127.0.0.1,; ${1:-}" site/server.yml
    # What a machine can't have is not asked of it, as in a container.
    "$WARG" cell probe --require namespaces >/dev/null 2>&1 || sed -i 's/require: namespaces/require: strict/' site/server.yml
}

# site_serve [FOLDER]: starts the server of a site; its process is in $server, its port in $port, and `warg contest`
# speaks to it.
site_serve()
{
    local own_clock=()
    [[ ! -e clock ]] || own_clock=(--clock clock)
    export WARG_SITE=$work/${1:-site}
    launch serve.txt serve.err "$WARG" contest serve "${1:-site}" "${own_clock[@]}"
    await serve serve.txt 'listening' || finish
    # shellcheck disable=SC2034 # for the scripts
    port=$(sed -n 's/.* port //p' serve.txt)
}

# state WHAT: until the contest `cup` is in it, $state_wait seconds at most.
state_wait=200
state()
{
    until_true "$state_wait" in_state "$1" ||
        { fail "not $1: $("$WARG" contest status cup) $(tail -n 5 serve.err)"; finish; }
}
in_state() { "$WARG" contest status cup --json 2>/dev/null | grep -q "\"state\":\"$1\""; }

# ---- a contest of bots, whose runner is a process beside the server ----

# bot_site GAMES: the site, and the contest's file.
bot_site()
{
    at 2027-03-01T00:00:00
    site_init 's,^runner:.*,runner: outside,'
    grep -q '^runner: outside' site/server.yml || echo 'runner: outside' >>site/server.yml
    cat >cup.yml <<END
contest: cup
title: {en: Cup, ja: Cup}
division: protocol
dates: {zone: UTC, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: 2027-07-25,
        appeals_close: 2027-09-08, retention_ends: 2029-01-01}
lot_window: 1h
stages:
  - {name: final, parts: [{players: 5}], games_per_set: 10, min_games: $(($1 * 5 / 6))}
END
}

# bot_contest: opened, with teams for whom a bot plays, which no door of the site makes: versions without files.
bot_contest()
{
    expect 0 'new' "$WARG" contest new cup.yml
    at 2027-04-01T10:00:00
    state OPEN
    python3 - site/data/site.db <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=60)
for i in range(6):
    db.execute("INSERT INTO team(contest, name, state, created) SELECT id, ?, 'IN', 1 FROM contest", ("team-" + "abcdef"[i],))
    db.execute("INSERT INTO version(team, number, language, entry, tree, state, at)"
               " SELECT MAX(id), 1, 'python', 'x.py', '', 'ACTIVE', 1 FROM team")
db.commit()
END
}

# bot_runner [FOLDER]: starts the runner; its process is in $runner.
bot_runner()
{
    "$WARG" contest runner "${1:-site}" --clock clock >runner.txt 2>runner.err &
    runner=$!
    trap 'kill $server $runner 2>/dev/null; rm -rf "$work"' EXIT
}

# bot_play: its stage begins.
bot_play()
{
    at 2027-07-22T01:00:00
    state FROZEN
    at 2027-07-25T01:00:00
}

# bot_end: the runner and the server are asked to end, and do.
bot_end()
{
    kill "$runner"
    wait "$runner" || fail "runner: exit status $?: $(tail -n 3 runner.err)"
    kill "$server"
    wait "$server" || fail "serve: exit status $?: $(tail -n 3 serve.err)"
}
