#!/usr/bin/env bash
# Checks the order of the rooms (docs/architecture.md): what a folder of src/ includes, which library
# headers appear where, and that the pure rooms touch nothing outside. Prints one line for each
# mistake. `tests/layers.sh DIR` checks another tree; tests/e2e/layers-notices.sh uses that.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

mistakes=0
mistake()
{
    echo "layers: $*"
    mistakes=$((mistakes + 1))
}

# Each room may include itself and the rooms before it, unless a line below says less.
rooms=(base disk proof archive game lang wire record bot net cell agent llm seat referee table stats journal store match
    results contest nlp terminal maw person thinker show web serve judging audit
    spool runner site api cli cmd)

may_include()
{
    case $1 in
    base) echo 'base' ;;
    disk) echo 'base disk' ;;
    proof) echo 'base disk proof' ;;
    archive) echo 'base disk archive' ;;
    lang) echo 'base lang game/role.h' ;;
    bot) echo 'base game lang bot' ;;
    stats) echo 'base game record/game_record.h record/fault.h record/seat_play.h stats' ;;
    net) echo 'base disk/disk_call.h net' ;;
    cell) echo 'base disk net record/finding.h cell' ;;
    agent) echo 'base game lang wire net/line_reader.h agent' ;; # libwarg: no bot, no event loop
    store) echo 'base store' ;;
    spool) echo 'base disk game/role.h wire/json_read.h spool' ;;
    llm) echo 'base disk game/role.h wire/json_read.h net llm' ;;
    terminal) echo 'base net terminal' ;;
    web) printf "%s " "${rooms[@]}" | sed "s, terminal maw person, maw,; s, serve .*,," ;;
    *)
        local room
        for room in "${rooms[@]}"; do
            echo "$room"
            [[ $room == "$1" ]] && break
        done
        ;;
    esac
}

for folder in src/*/; do
    room=$(basename "$folder")
    [[ " ${rooms[*]} " == *" $room "* ]] || {
        mistake "folder src/$room is not in the list of rooms"
        continue
    }
    allowed=" $(may_include "$room" | tr '\n' ' ') "
    while IFS=: read -r file line text; do
        header=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$text")
        if [[ $header != */* ]]; then
            mistake "$file:$line: write the folder too: \"$room/$header\""
        elif [[ $allowed != *" ${header%%/*} "* && $allowed != *" $header "* ]]; then
            mistake "$file:$line: $room may not include \"$header\""
        fi
    done < <(grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder"*.[ch] 2>/dev/null)
done

# A library is behind one module of ours: its header is in at most two files, all of them .c. The
# tree that jansson gives is walked by the reader of each format, so it may be in twenty-four. Archives
# are read, written whole, and written piece by piece.
for library in yaml.h zlib.h 'openssl/' jansson.h sqlite3.h libpq-fe.h crypt.h 'wslay/' http_parser.h 'curl/' \
    expat.h gsasl.h ncurses.h archive.h qrencode.h; do
    files=$(grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$library" src/*/*.[ch] 2>/dev/null)
    count=$(grep -c . <<<"$files")
    most=2
    [[ $library == jansson.h ]] && most=24
    [[ $library == archive.h ]] && most=3
    ((count <= most)) || mistake "<$library> is included in $count files: ${files//$'\n'/ }"
    for file in $files; do
        [[ $file == *.c ]] || mistake "$file: <$library> belongs in a .c file"
    done
done

# The event loop is behind the folder net: only its private headers, net/uv_*.h, include libuv's, and
# only its own files those.
while IFS=: read -r file text; do
    mistake "$file: libuv belongs behind net/uv_loop.h:${text#*include}"
done < <(
    grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*(<uv.h>|"net/uv_)' src/*/*.[ch] \
        2>/dev/null |
        grep -vE '^src/net/uv_[a-z]+\.h:|^src/net/[a-z_]+\.c:.*"net/uv_'
)

# A file without its comments and the texts in quotes: they become blanks, lines stay.
code_of()
{
    awk '{
        out = ""; rest = $0
        if (rest !~ /#[ \t]*include/) gsub(/"([^"\\]|\\.)*"/, "\"\"", rest)
        while (rest != "") {
            if (inside) {
                end = index(rest, "*/")
                if (!end) break
                rest = substr(rest, end + 2); inside = 0
            } else {
                start = index(rest, "/*"); slashes = index(rest, "//")
                if (slashes && (!start || slashes < start)) {
                    out = out substr(rest, 1, slashes - 1); break
                }
                if (!start) { out = out rest; break }
                out = out substr(rest, 1, start - 1) " "
                rest = substr(rest, start + 2); inside = 1
            }
        }
        print out
    }' "$1"
}

# What changes a file goes through one door, so that tests can fail each call. What warg-cell is made of is
# another program, which tells the kernel what a cell may, and groups are the kernel's; a screen is no file.
past_door='(fsync|fdatasync|rename|renameat|unlink|unlinkat|mkdir|mkdirat|ftruncate|truncate|pwrite|creat'
past_door+='|mkstemp|link|symlink|write|open|openat)[[:space:]]*\(|fopen\(.*"[wa]'
while IFS=: read -r file line text; do
    [[ $text =~ ^[[:space:]]*(/?\*|//) || $text =~ open(at)?\(.*O_(RDONLY|PATH) ]] && continue
    mistake "$file:$line: what changes a file goes through disk/disk_call.h:$text"
done < <(grep -nHE "(^|[^a-zA-Z0-9_.>])($past_door)" src/*/*.[ch] |
    grep -vE '^src/(disk/disk_call\.c|cell/(cell_start|cell_group|cell_process|strict_[a-z]+)\.c|terminal/screen_[a-z]+\.c):')

# The pure rooms: no file, socket, clock, environment, thread or process. Comments don't count.
outside='\b(fopen|freopen|fdopen|popen|open|openat|creat|unlink|rename|mkdir|opendir|stat'
outside+='|time|clock|clock_gettime|gettimeofday|localtime|localtime_r|gmtime|sleep|usleep|nanosleep'
outside+='|getenv|secure_getenv|setenv|putenv|socket|connect|bind|listen|accept|poll|select'
outside+='|getrandom|getpid|fork|system|exit|abort|signal|sigaction|printf|puts|putchar'
outside+='|pthread_[a-z_]+)[[:space:]]*\('
outside_headers='<(pthread|threads|time|unistd|fcntl|dirent|signal|sys/[a-z]+|netinet/[a-z]+|poll)\.h>'
for room in base game lang wire bot; do
    for file in src/"$room"/*.[ch]; do
        [[ -e $file ]] || continue
        while IFS=: read -r line text; do
            [[ $file:$text == src/base/mem.c:*sys/mman.h* ]] && continue # pages are memory
            # What nobody may foresee is drawn by the kernel.
            [[ $file:$text =~ ^src/base/id_source\.c:.*(sys/random\.h|getrandom) ]] && continue
            mistake "$file:$line: $room is pure:$text"
        done < <(
            code_of "$file" | grep -nE "(^|[^a-zA-Z0-9_.>])$outside|include[[:space:]]*$outside_headers"
        )
    done
done

# ---- sources ----

# A section that a comment names is there: docs/spec/maw.md 4.1 needs a heading "## 4" (the rest is a
# heading, an item or a row below it). Of a reference that is broken at the line's end the page counts.
while IFS=: read -r file reference; do
    page=${reference%% *} section=${reference#"$page"}
    section=${section# } section=${section%%.*}
    if [[ ! -e $page ]]; then
        mistake "$file names $page, which is not there"
    elif [[ $section ]] && ! grep -qE "^## $section[. ]" "$page"; then
        mistake "$file names section $section of $page, which has none"
    fi
done < <(grep -roE --include='*.[ch]' 'docs/[a-z/-]+\.md( [0-9]+(\.[0-9]+)*)?' \
    $(ls -d src tests fuzz bench 2>/dev/null) | sort -u)

# What is no option, help or completion of a command has a room of its own.
lines=$(cat src/cmd/*.[ch] 2>/dev/null | wc -l)
((lines <= 8000)) || mistake "src/cmd has $lines lines; 8000 are enough for commands"

# A type has a name of its own: what headers of two rooms call alike is read twice.
while read -r type headers; do
    mistake "$type is a type in several rooms: $headers"
done < <({
    grep -oE '^\} [A-Z][A-Za-z]+;' src/*/*.h | sed -E 's/:\} / /; s/;//'
    grep -oE '^typedef (struct|enum|union) ([A-Za-z]+) \2;' src/*/*.h |
        sed -E 's/:typedef [a-z]+ ([A-Za-z]+) .*/ \1/'
} 2>/dev/null | sort -u | awk '{
    room = $1; sub(/^src\//, "", room); sub(/\/.*/, "", room)
    if (!(($2, room) in seen)) { seen[$2, room] = 1; rooms[$2]++ }
    headers[$2] = headers[$2] " " $1
} END { for (type in rooms) if (rooms[type] > 1) print type headers[type] }' | sort)

# A clock is read in net, and by the commands in cmd; whoever else needs the time is told it. strict_front.c is
# the program warg-cell.
clock='\b(loop_now|loop_date_ms|loop_date_of|time|clock|clock_gettime|gettimeofday|timespec_get|uv_now|uv_hrtime)'
for file in $(grep -lE "$clock[[:space:]]*\(" src/*/*.[ch] 2>/dev/null | grep -vE '^src/(net/|cmd/|cell/strict_front\.c)'); do
    reads=$(code_of "$file" | grep -nE "(^|[^a-zA-Z0-9_.>])$clock[[:space:]]*\(" | head -1)
    [[ -z $reads ]] ||
        mistake "$file:${reads%%:*}: time is an argument outside of net and cmd:${reads#*:}"
done

((mistakes == 0))
