#!/usr/bin/env bash
# The pages of docs/: what they link to is there, of the Japanese ones headings too; they hold the same
# agent in C.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"

for page in guide contest agents nlp maw; do
    [[ -s $WARG_SOURCE/docs/$page.ja.md ]] || fail "docs/$page.ja.md is missing"
done
python3 - "$WARG_SOURCE" >links.txt <<'END_OF_PYTHON' || fail "links to nowhere: $(cat links.txt)"
import glob, os, re, sys

def anchors(path):
    found = set()
    for title in re.findall(r"^#+ (.*)$", open(path, encoding="utf-8").read(), re.M):
        words = re.sub(r"[^\w\- ]", "", title.lower())
        found.add(words.strip().replace(" ", "-"))
    return found

wrong = 0
root = sys.argv[1]
for page in glob.glob(root + "/docs/*.md") + glob.glob(root + "/README*.md"):
    text = re.sub(r"```.*?```", "", open(page, encoding="utf-8").read(), flags=re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(page), path) if path else page
        if not os.path.exists(target):
            print(os.path.basename(page), link)
            wrong = 1
        elif anchor and ".ja." in page and target.endswith(".md") and anchor not in anchors(target):
            print(os.path.basename(page), link)
            wrong = 1
sys.exit(wrong)
END_OF_PYTHON

# What a command may end with says its page as well as its --help.
for page in run:run 'serve:serve aiwolf' 'serve:serve nlp' 'bot:bot aiwolf' 'bot:bot nlp' maw:maw join:join \
    standings:standings report:report; do
    text=$(awk '/^# / {on = $0 == "# EXIT STATUS"; next} on' "$WARG_SOURCE/man/warg-${page%%:*}.1.scd" | tr '\n' ' ')
    [[ ${page#*:} != 'serve nlp' ]] || text=${text#*serve nlp}
    # shellcheck disable=SC2086 # a command and its verb
    statuses=$("$WARG" ${page#*:} --help | sed -n '/^Exit status/,$p' | grep -oE '^  [56] ')
    [[ $statuses ]] || fail "warg ${page#*:} --help names none of the statuses above 4"
    for status in $statuses; do
        grep -qE "(^|[ ;,])$status(,| )" <<<"$text" || fail "warg-${page%%:*}(1) says nothing of status $status: $text"
    done
done

code()
{
    awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$1"
}
[[ $(code "$WARG_SOURCE/docs/agents.md") == "$(code "$WARG_SOURCE/docs/agents.ja.md")" ]] ||
    fail 'the agent in C is another one in Japanese'
finish
