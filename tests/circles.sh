#!/usr/bin/env bash
# Checks that files inside a room call in one direction: state at the bottom, what works on it above. A circle
# is a set of .c files of which each calls, by way of others, each other one. Prints one line for each that is
# not on the list below. `tests/circles.sh DIR` checks another tree; `tests/circles.sh DIR FILE.c` prints what
# the files of a circle with FILE.c call of each other.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
show=${2:-}

# Files that may be a circle, for a reason. Some of them may, too; who is in none any more has to leave the list.
declare -A allowed=(
    ['cmd: cmd.c cmd_completion.c cmd_help.c']='the table of commands names those that print it'
    ['maw: maw_seats.c maw_table.c']='seats sit down while their table is played'
    ['match: hall.c hall_guests.c hall_matching.c hall_places.c']='who comes, sits or goes may be what opens the next table'
    ['serve: server.c server_extras.c server_web.c']='the server gives each its guests'
    # one object in several files
    ['net: listener.c tcp.c']='a listener counts its connections'
    ['net: web.c web_body.c web_reply.c web_socket.c web_source.c']='a connection, its bodies, replies and frames'
)

# The circles of a room, each as its files in one line.
circles_of()
{
    awk -v show="$show" '
        # Lines without comments and without texts in quotes.
        function strip(line,   out, at, end) {
            if (line !~ /#[ \t]*include/) gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
            out = ""
            while (line != "") {
                if (inside) {
                    end = index(line, "*/")
                    if (!end) return out
                    line = substr(line, end + 2); inside = 0
                } else {
                    at = index(line, "/*")
                    if (!at) return out line
                    out = out substr(line, 1, at - 1) " "
                    line = substr(line, at + 2); inside = 1
                }
            }
            return out
        }
        FNR == 1 {
            inside = 0; macro = ""
            name = FILENAME; sub(/.*\//, "", name)
            code = name ~ /\.c$/
            if (code) files[++count] = name
        }
        {
            line = strip($0)
            gsub(/(\.|->)[a-z_][a-z_0-9]*/, " ", line)
            # A function that others may call begins at the edge and is no prototype.
            if (code && line ~ /^[A-Za-z_][A-Za-z_0-9 *]*[ *][a-z_0-9]+\(/ && line !~ /;[ \t]*$/ &&
                line !~ /^(static|typedef|extern|return) /) {
                head = substr(line, 1, index(line, "(") - 1)
                sub(/.*[ *]/, "", head)
                home[head] = name
            }
            # What a macro of the room calls, its users call.
            if (line ~ /^[ \t]*#[ \t]*define[ \t]/) {
                macro = line
                sub(/^[ \t]*#[ \t]*define[ \t]+/, "", macro)
                sub(/[^A-Za-z_0-9].*/, "", macro)
            }
            n = split(line, words, /[^A-Za-z_0-9]+/)
            for (w = 1; w <= n; w++) {
                if (words[w] !~ /^[A-Za-z_]/) continue
                if (macro != "") inner[macro] = inner[macro] " " words[w]
                else if (code) used[name, words[w]] = 1
            }
            if (line !~ /\\[ \t]*$/) macro = ""
        }
        function call(from, word) {
            if (!(word in home) || home[word] == from) return
            calls[from, home[word]] = calls[from, home[word]] " " word
        }
        function visit(from, at,   f) {
            for (f = 1; f <= count; f++)
                if (((at, files[f]) in calls) && !((from, files[f]) in reaches)) {
                    reaches[from, files[f]] = 1
                    visit(from, files[f])
                }
        }
        END {
            for (pair in used) {
                split(pair, part, SUBSEP)
                call(part[1], part[2])
                if (part[2] in inner) {
                    n = split(inner[part[2]], words, " ")
                    for (w = 1; w <= n; w++) call(part[1], words[w])
                }
            }
            for (f = 1; f <= count; f++) visit(files[f], files[f])
            for (f = 1; f <= count; f++) {
                if ((files[f] in done) || !((files[f], files[f]) in reaches)) continue
                circle = ""; size = 0
                for (g = f; g <= count; g++)
                    if (((files[f], files[g]) in reaches) && ((files[g], files[f]) in reaches)) {
                        circle = circle " " files[g]; done[files[g]] = 1; members[++size] = files[g]
                    }
                print substr(circle, 2)
                for (g = 1; show != "" && index(circle " ", " " show " ") && g <= size; g++)
                    for (h = 1; h <= size; h++)
                        if ((members[g], members[h]) in calls)
                            print "    " members[g] " calls " members[h] ":" calls[members[g], members[h]] > "/dev/stderr"
            }
        }' "$@"
}

# group_of ROOM FILE...: the list's entry that has all of them; nothing when there is none.
group_of()
{
    local room=$1 group file
    shift
    for group in "${!allowed[@]}"; do
        [[ $group == "$room: "* ]] || continue
        for file in "$@"; do
            [[ " $group " == *" $file "* ]] || continue 2
        done
        echo "$group"
    done
}

mistakes=0
in_circles=' '
for folder in src/*/; do
    room=$(basename "$folder")
    ls "$folder"*.c >/dev/null 2>&1 || continue
    while read -r circle; do
        [[ $circle ]] || continue
        # shellcheck disable=SC2086 # a circle is a list of files
        in_circles+=" $(printf "$room/%s " $circle)"
        # shellcheck disable=SC2086
        [[ $(group_of "$room" $circle) ]] && continue
        echo "circles: src/$room: $circle call each other: what all of them need belongs into a file below"
        mistakes=$((mistakes + 1))
    done < <(circles_of "$folder"*.[ch])
done
for group in "${!allowed[@]}"; do
    [[ ${1:-} ]] && break
    for file in ${group#*: }; do
        [[ $in_circles == *" ${group%%:*}/$file "* ]] && continue
        echo "circles: ${group%%:*}/$file is in no circle any more: take it off the list in tests/circles.sh"
        mistakes=$((mistakes + 1))
    done
done

((mistakes == 0))
