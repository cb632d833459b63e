#!/usr/bin/env bash
# What `./dev install` puts in place, into a folder of its own: the program without what only a
# debugger reads, both libraries, the documents that the manual pages cite; an author follows
# docs/agents.md word by word; `./dev uninstall` leaves nothing.
# shellcheck source=common.bash
source "$(dirname "$0")/common.bash"
build=$(dirname "$WARG")
[[ -e $build/meson-logs && $WARG_SOURCE ]] || {
    echo 'skipped: not run from a build directory'
    exit 77
}

# dev COMMAND...: a function of ./dev, with DESTDIR for whatever it installs.
dev()
{
    DESTDIR=$work/place bash -c 'dev=$1; shift; source "$dev"; "$@"' dev "$WARG_SOURCE/dev" "$@"
}

prefix=$(meson introspect --buildoptions "$build" |
    python3 -c 'import json, sys
print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
# Another run may install from the same build: meson writes its log there.
(
    flock 9
    dev install_from "$build" "$prefix"
) 9>"$build/install.lock" >install.txt 2>&1 || fail "install: $(cat install.txt)"
place=$work/place$prefix
grep -q "installed under $place; './dev uninstall $prefix'" install.txt || fail "install says: $(cat install.txt)"

"$place/bin/warg" version >/dev/null || fail 'the program runs'
if command -v nm >/dev/null; then
    [[ -z $(nm "$place/bin/warg" 2>/dev/null) ]] || fail 'the program is stripped'
fi
cited=$(grep -ohE 'docs/[a-z.]+\.md' "$WARG_SOURCE"/man/*.scd | sort -u)
[[ $cited ]] || fail 'the manual pages cite documents'
for document in $cited docs/agents.md README.md examples/agent.c; do
    [[ -s $place/share/doc/warg/$document ]] || fail "$document is installed"
done

# ---- an agent in C, as docs/agents.md says it ----

page=$WARG_SOURCE/docs/agents.md
library=$(dirname "$(find "$place" -name libwarg.so)")
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$page" >mine.c
mapfile -t steps < <(grep -A 99 '^```$' "$page" | grep -E '^    (cc|\./mine) ' | sed 's/^ *//' | head -n 3)
[[ ${steps[0]} == 'cc mine.c -o mine $(pkg-config'* && ${steps[1]} == './mine -h'* &&
    ${steps[2]} == 'cc mine.c -o mine'*libwarg.a* ]] || fail "the page's steps: ${steps[*]}"
export PKG_CONFIG_PATH=$library/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/place

# play NAME STEP: compiles by the page's words and plays a game by them.
play()
{
    local name=$1 compile=$2
    bash -c "${compile}" >cc.txt 2>&1 || fail "'$compile': $(cat cc.txt)"
    serve "$name" --players 5 --games 1 --once --agent 'bot:sample*4'
    bash -c "${steps[1]/10000/$port}" >mine.txt 2>&1 || {
        fail "'${steps[1]}': $(cat mine.txt)"
        kill "$server" # which waits for an agent
    }
    wait "$server" || fail "the server: $(cat "$name.err")"
}

if [[ ! $WARG_LIBRARY ]]; then
    echo 'the steps in C are left out: with a sanitizer libwarg links to nothing that is built otherwise'
elif ! command -v cc >/dev/null || ! command -v pkg-config >/dev/null; then
    echo 'the steps in C are left out: no cc or no pkg-config here'
else
    LD_LIBRARY_PATH=$library play shared "${steps[0]}"
    play static "${steps[2]}"
    ! ldd mine | grep -q libwarg || fail 'the second one needs no libwarg.so'
    if command -v nm >/dev/null; then
        names=$(nm "$library/libwarg.a" | awk '$2 == "T" && $3 !~ /^warg_/')
        [[ -z $names ]] || fail "libwarg.a takes names that an agent may use: $names"
    fi
fi

# ---- away again ----

echo mine >"$place/share/doc/warg/notes.txt"
dev cmd_uninstall "$prefix" >uninstall.txt 2>&1 || fail "uninstall: $(cat uninstall.txt)"
[[ $(find "$place" -type f -o -type l) == "$place/share/doc/warg/notes.txt" ]] ||
    fail "uninstall leaves: $(find "$place" -type f -o -type l)"
[[ ! -e $place/share/warg ]] || fail 'uninstall leaves a folder of ours'
[[ -z $(find "$place" -type d -empty) ]] || fail "uninstall leaves empty folders: $(find "$place" -type d -empty)"
[[ $(dev cmd_uninstall --help 2>&1) == Usage:* && $(dev cmd_install --help 2>&1) == Usage:* ]] ||
    fail '--help is no PREFIX'
dev cmd_uninstall "$prefix" >uninstall.txt 2>&1 && fail 'uninstall of nothing is an error'
grep -q 'is missing' uninstall.txt || fail "uninstall of nothing says: $(cat uninstall.txt)"
finish
