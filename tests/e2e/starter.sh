#!/usr/bin/env bash
# --starter: an old folder of agents plays as it did. Python programs of those times know no -n, jars
# lie in folders under lib, and --games plays more or fewer games than the file says.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

mkdir -p old/jars/team/lib old/py bin
: >old/jars/platform.jar
: >old/jars/team/lib/player.jar
cat >old/py/strict.py <<END
import getopt, os, sys
options, rest = getopt.getopt(sys.argv[1:], "h:p:r:")  # -n is an error, as it was
given = dict(options)
os.execv("$WARG", ["warg", "bot", "aiwolf", "-h", given["-h"], "-p", given["-p"], "-n", "whatever"])
END
# In place of java, which tests can't count on: it wants to find the player's jar.
cat >bin/java <<END
#!/bin/sh
[ "\$1" = -cp ] && [ "\$2" = './jars/*:./jars/team/lib/*' ] || { echo "no class path: \$2"; exit 1; }
[ "\$3" = org.aiwolf.common.bin.ClientStarter ] || exit 1
exec "$WARG" bot aiwolf -h "\$5" -p "\$7" -n java
END
chmod +x bin/java
cat >old/AutoStarter.ini <<END
lib=./jars/
port=10000
game=3
agent=5
old1,python,./py/strict.py
old2,python,./py/strict.py
team,java,com.example.Player
END

play()
{
    PATH=$work/bin:$PATH timeout 120 "$WARG" run -q --starter old/AutoStarter.ini --time-limit 20s \
        --startup-limit 60s -s 1 "$@" --format json >out.json 2>err.txt
}

play -o three || fail "exit status $?: $(cat err.txt)"
[[ $(grep -c '"record":"game"' three/journal.jsonl) == 3 ]] || fail "three games: $(cat err.txt)"
[[ ! -s three/faults.jsonl ]] || fail "nobody fails: $(cat three/faults.jsonl)"
for name in old1 old2 team; do
    grep -q "\"agent\":\"$name\"" three/journal.jsonl || fail "$name plays under the file's name"
done
play -o one --games 1 || fail "--games 1: exit status $?: $(cat err.txt)"
[[ $(grep -c '"record":"game"' one/journal.jsonl) == 1 ]] || fail '--games 1 plays one game'
play -o seven -g 7 || fail "-g 7: $(cat err.txt)"
[[ $(grep -c '"record":"game"' seven/journal.jsonl) == 7 ]] || fail '-g 7 plays seven games'
[[ $(grep -c '"record":"set"' seven/journal.jsonl) == 1 ]] || fail '-g 7 is one set'
play --players 15
(($? == 2)) || fail '--players is the file'\''s to say'
grep -q 'players' err.txt || fail "--players: $(cat err.txt)"

finish
