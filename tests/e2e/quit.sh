#!/usr/bin/env bash
# A person who leaves a session of `warg maw --me` in the middle of a round is told who the wolves were:
# nobody plays on whom that could help. Who leaves a table over XMPP plays beside others who do: maw-join.sh.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

# Types at a terminal: quit.py WORD COMMAND... waits for WORD, types /quit, and prints all that was shown.
cat >quit.py <<'END'
import os, pty, select, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown, typed, end = b"", False, time.monotonic() + 120
while time.monotonic() < end:
    if not select.select([terminal], [], [], 1)[0]:
        continue
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    shown += more
    if not typed and sys.argv[1].encode() in shown:
        os.write(terminal, b"/quit\r")
        typed = True
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END

# wolves_of DIR: as the record has them, in its order.
wolves_of()
{
    jq -r 'select(.event == "start_game").players[] | select(.role == "Werewolf").name' \
        "$1/session.jsonl" | sort | paste -sd,
}

# told_wolves PATTERN: those that were told, in the same order.
told_wolves()
{
    tr -d '\r' <out.txt | sed -nE "s/.*$1/\1/p" | sed 's/, /\n/g' | sort | paste -sd,
}

expect 130 'leaves, told in English' python3 quit.py 'Day 1' "$WARG" maw --me Zoe -n 6 --seed 5 --plain --out en
[[ -n $(wolves_of en) && $(told_wolves 'Its werewolves: (.*)\.$') == "$(wolves_of en)" ]] ||
    fail "the wolves were $(wolves_of en), but the end says: $(tail -n 5 out.txt)"
expect 130 'leaves, told in Japanese' python3 quit.py '1日目' "$WARG" maw --me Zoe -n 6 --seed 6 --plain --language ja --out ja
[[ -n $(wolves_of ja) && $(told_wolves '人狼: (.*)。$') == "$(wolves_of ja)" ]] ||
    fail "the wolves were $(wolves_of ja), but the end says: $(tail -n 5 out.txt)"
expect 130 'leaves a whole screen' python3 quit.py 'Day 1' env TERM=xterm LINES=24 COLUMNS=80 \
    "$WARG" maw --me Zoe -n 6 --seed 5 --out screen
[[ $(told_wolves 'Its werewolves: (.*)\.$') == "$(wolves_of screen)" ]] ||
    fail "a whole screen: the wolves were $(wolves_of screen), but the end says: $(tail -n 5 out.txt)"

finish
