/* logs.h - the test data of game logs: paths, contents, lines. For the tests of this folder. */
#ifndef WARG_TESTS_RECORD_LOGS_H
#define WARG_TESTS_RECORD_LOGS_H

#include "disk/log_file.h"
#include "record/aiwolf_log.h"

/* The path of something in the test data, in the caller's Buf. */
static inline const char *logs_path(Buf *out, const char *name)
{
    const char *data = getenv("WARG_TEST_DATA");

    buf_clear(out);
    buf_printf(out, "%s/%s", data ? data : "tests/data", name);
    return buf_cstr(out);
}

/* Every log in a folder of the test data. */
static inline int logs_list(LogList *list, const char *folder, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    return log_list_add(list, logs_path(&path, folder), err);
}

/* A whole file of the test data. */
static inline int logs_read(const char *name, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_clear(out);
    return log_file_read(logs_path(&path, name), LOG_TEXT_BYTES_MAX, out, err);
}

/* A text cut into lines. */
typedef struct Lines {
    Str *items;
    size_t count;
} Lines;

static inline void lines_done(Lines *lines)
{
    lines->items = mem_free(lines->items);
    lines->count = 0;
}

static inline Lines lines_of(Str text)
{
    Lines lines = {.items = mem_new((text.len / 2 + 2) * sizeof(Str))};

    while (lines.items && aiwolf_log_cut_line(&text, &lines.items[lines.count]))
        lines.count++;
    return lines;
}

/* The first `count` lines as a text. */
static inline void lines_join(const Lines *lines, size_t count, Buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < count; i++) {
        buf_add(out, lines->items[i]);
        buf_add_char(out, '\n');
    }
}

#endif
