#!/usr/bin/env bash
# The layer check notices each kind of mistake it is there for.
set -u
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# notices WHAT FILE TEXT: a tree with only this file is refused, with the file's name.
notices()
{
    local what=$1 file=$2 text=$3 said
    rm -rf "$work/src"
    mkdir -p "$work/src/$(dirname "$file")"
    printf '%s\n' "$text" >"$work/src/$file"
    if said=$(bash "$WARG_SOURCE/tests/layers.sh" "$work") || [[ $said != *"$(dirname "$file")"* ]]; then
        echo "layers-notices: $what was not noticed: $said"
        failed=1
    fi
}

# accepts WHAT FILE TEXT
accepts()
{
    local what=$1 file=$2 text=$3 said
    rm -rf "$work/src"
    mkdir -p "$work/src/$(dirname "$file")"
    printf '%s\n' "$text" >"$work/src/$file"
    if ! said=$(bash "$WARG_SOURCE/tests/layers.sh" "$work"); then
        echo "layers-notices: $what was refused: $said"
        failed=1
    fi
}

notices 'base that includes game' base/x.c '#include "game/role.h"'
notices 'game that includes lang' game/x.h '#include "lang/lang.h"'
notices 'lang that includes the game' lang/x.c '#include "game/game.h"'
notices 'a bot that reads the wire' bot/x.c '# include "wire/aiwolf.h"'
notices 'a folder nobody knows' misc/x.c ''
notices 'a header without its folder' game/x.c '#include "role.h"'
notices 'a file in a pure room' game/x.c 'void f(void) { fopen("a", "r"); }'
notices 'a clock in a pure room' bot/x.c 'long f(void) { return time(NULL); }'
notices 'a clock in maw' maw/x.c 'long f(void) { return loop_now(); }'
notices 'a clock in serve' serve/x.c 'long f(void) { return loop_now(); }'
notices 'a clock in llm' llm/x.c 'void f(void) { clock_gettime(CLOCK_REALTIME, &now); }'
accepts 'a clock in net' net/x.c 'long f(void) { return time(NULL); }'
accepts 'a clock in a command' cmd/x.c 'long f(void) { return loop_now(); }'
notices 'a thread in a pure room' base/x.c '#include <pthread.h>'
notices 'a library header in a header' base/x.h '#include <yaml.h>'
notices 'libuv outside net' match/x.c '#include <uv.h>'
notices 'the inside of net outside' match/x.c '#include "net/uv_loop.h"'
notices 'libuv in a public header' net/x.h '#include <uv.h>'
notices 'a source that is not there' game/x.c '/* Source: docs/spec/nothing.md 3. */'
notices 'a file written past the door' record/x.c 'int f(int d) { return fsync(d); }'
notices 'a file made past the door' nlp/x.c 'int f(void) { return open("a", O_CREAT); }'
accepts 'a file opened to be read' nlp/x.c 'int f(void) { return open("a", O_RDONLY); }'
accepts 'a file of net that uses libuv' net/x.c '#include "net/uv_loop.h"'
accepts 'lang that includes the roles' lang/x.c '#include "game/role.h"'
accepts 'a word in a comment' game/x.c '/* fopen( is for others */ // time(NULL)'
accepts 'a longer name' game/x.c 'int f(void) { return game_open(next_time(1)); }'
accepts 'match above record' match/x.c '#include "record/log.h"'

rm -rf "$work/src"
mkdir -p "$work/src/game" "$work/src/nlp"
echo 'typedef struct Same Same;' >"$work/src/game/x.h"
printf '%s\n' 'typedef struct Same {' '    int x;' '} Same;' >"$work/src/nlp/y.h"
said=$(bash "$WARG_SOURCE/tests/layers.sh" "$work")
[[ $said == *'Same is a type in several rooms'* ]] || {
    echo "layers-notices: two types of one name were not noticed: $said"
    failed=1
}

# circles WHAT NOTICED TEXT1 TEXT2: two files of a room with these texts are a circle, or none.
circles()
{
    local what=$1 noticed=$2 said status=0
    rm -rf "$work/src"
    mkdir -p "$work/src/game"
    printf '%s\n' "$3" >"$work/src/game/x.c"
    printf '%s\n' "$4" >"$work/src/game/y.c"
    printf '%s\n' '#define y_macro(a) y_there(a)' >"$work/src/game/y.h"
    said=$(bash "$WARG_SOURCE/tests/circles.sh" "$work") || status=$?
    if ((status != noticed)) || { ((noticed)) && [[ $said != *'x.c y.c'* ]]; }; then
        echo "layers-notices: $what: $said"
        failed=1
    fi
}

circles 'two files that call each other' 1 $'int x_here(void)\n{\n    return y_there(1);\n}' \
    $'int y_there(int a)\n{\n    return x_here();\n}'
circles 'a circle by a macro and a pointer' 1 $'int x_here(void)\n{\n    return y_macro(1);\n}' \
    $'int y_there(int a)\n{\n    return a ? 0 : run(x_here);\n}'
circles 'files that call in one direction' 0 $'int x_here(void)\n{\n    return y_there(1);\n}' \
    $'int y_there(int a)\n{\n    return a; /* x_here() */\n}'
circles 'a member of the same name' 0 $'int x_here(void)\n{\n    return y_there(1);\n}' \
    $'int y_there(struct X *a)\n{\n    return a->x_here;\n}'

exit "$failed"
