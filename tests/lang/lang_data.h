/* lang_data.h - what the tests of the language share: the data files and a short way to parse.
 *
 * For:    tests/lang/test_*.c.
 * Memory: files are read whole and freed by the caller.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_LANG_DATA_H
#define WARG_TESTS_LANG_DATA_H

#include "prop.h"

#include "lang/lang.h"

#include <stdio.h>

#define ARENA_BYTES (4u << 20)

/* All of tests/data/language/`name`; fails the test when it can't be read. */
static inline Buf data_read(const char *name)
{
    const char *folder = getenv("WARG_TEST_DATA");
    char path[4096];
    char piece[65536];
    Buf text = {0};
    size_t got;

    snprintf(path, sizeof(path), "%s/language/%s", folder ? folder : "tests/data", name);
    FILE *file = fopen(path, "re");
    if (!file)
        fail_msg("can't open %s", path);
    while ((got = fread(piece, 1, sizeof(piece), file)) > 0)
        buf_add(&text, (Str){piece, got});
    fclose(file);
    return text;
}

/* The canonical text of `text`, or NULL when it is not valid; borrowed until the next call with
 * the same `out`. */
static inline const char *canonical_of(Str text, Arena *arena, char out[static LANG_TEXT_MAX])
{
    const Sentence *sentence;

    arena_clear(arena);
    if (lang_parse(text, arena, &sentence, NULL) != 0)
        return NULL;
    assert_true(lang_write(sentence, out, LANG_TEXT_MAX) < LANG_TEXT_MAX);
    return out;
}

static inline int make_arena(void **state)
{
    static Arena arena;

    arena = arena_new(ARENA_BYTES);
    *state = &arena;
    return arena.block ? 0 : -1;
}

static inline int drop_arena(void **state)
{
    arena_done(*state);
    return 0;
}

static inline int empty_arena(void **state)
{
    arena_clear(*state);
    return 0;
}

#endif
