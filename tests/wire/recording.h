/* recording.h - the recorded sessions of the reference server, message by message.
 *
 * For:    tests of this folder. tests/data/aiwolf-wire/README.md says what was recorded.
 * Memory: recording_done frees a recording and all it points to.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_WIRE_RECORDING_H
#define WARG_TESTS_WIRE_RECORDING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <zlib.h>

#include "base/buf.h"
#include "game/game.h"

/* One line of a recording. */
typedef struct Message {
    json_t *json;     /* the line as it was noted down */
    const char *name; /* "case", or "" */
    const char *dir;  /* s2c, c2s, log, fate */
    SeatNo agent;
    Str line;       /* empty when the connection ended */
    bool ended;     /* the connection ended here */
    json_t *packet; /* of s2c: the line as JSON */
} Message;

typedef struct Recording {
    Message *items;
    size_t count;
} Recording;

/* One line of a game log: numbers only. */
typedef struct LogLine {
    unsigned day;
    char kind[16];
    int first;
    int second;
} LogLine;

typedef struct Log {
    LogLine lines[8000];
    size_t count;
} Log;

static inline void recording_path(Buf *out, const char *folder, const char *name)
{
    const char *data = getenv("WARG_TEST_DATA");

    buf_clear(out);
    buf_printf(out, "%s/%s/%s", data ? data : "tests/data", folder, name);
}

/* A whole compressed file. */
static inline void recording_unpack(const char *folder, const char *name, Buf *out)
{
    CLEANUP(buf_done) Buf path = {0};
    char part[16384];
    int n;

    recording_path(&path, folder, name);
    gzFile file = gzopen(buf_cstr(&path), "rb");
    if (!file)
        fail_msg("can't open %s", buf_cstr(&path));
    buf_clear(out);
    while ((n = gzread(file, part, sizeof(part))) > 0)
        buf_add(out, (Str){part, (size_t)n});
    gzclose(file);
    assert_int_equal(n, 0);
}

static inline Str recording_text(json_t *object, const char *key)
{
    json_t *text = json_object_get(object, key);

    return (Str){json_is_string(text) ? json_string_value(text) : "", json_string_length(text)};
}

static inline Message recording_message(Str line)
{
    json_error_t error;
    Message message = {.json = json_loadb(line.bytes, line.len, 0, &error)};

    if (!message.json)
        fail_msg("recording: %s", error.text);
    message.name = recording_text(message.json, "case").bytes;
    message.dir = recording_text(message.json, "dir").bytes;
    message.agent = (SeatNo)json_integer_value(json_object_get(message.json, "agent"));
    message.line = recording_text(message.json, "line");
    message.ended = json_is_null(json_object_get(message.json, "line"));
    if (strcmp(message.dir, "s2c") == 0 && !message.ended) {
        message.packet = json_loadb(message.line.bytes, message.line.len, 0, &error);
        assert_non_null(message.packet);
    }
    return message;
}

static inline Recording recording_read(const char *name)
{
    CLEANUP(buf_done) Buf text = {0};
    Recording recording = {0};
    size_t room = 0;

    recording_unpack("aiwolf-wire", name, &text);
    for (Str rest = buf_str(&text); rest.len;) {
        if (recording.count == room) {
            room = room ? 2 * room : 1024;
            recording.items = mem_resize(recording.items, room, sizeof(Message));
            assert_non_null(recording.items);
        }
        recording.items[recording.count++] = recording_message(str_cut(&rest, '\n'));
    }
    return recording;
}

static inline void recording_done(Recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        json_decref(recording->items[i].json);
        json_decref(recording->items[i].packet);
    }
    mem_free(recording->items);
    *recording = (Recording){0};
}

/* The next stretch of messages with one case name, from `*at` on; false at the end. */
static inline bool recording_next_case(const Recording *recording, size_t *at, Recording *ret_case)
{
    size_t from = *at;

    if (from == recording->count)
        return false;
    while (*at < recording->count &&
           strcmp(recording->items[*at].name, recording->items[from].name) == 0)
        (*at)++;
    *ret_case = (Recording){recording->items + from, *at - from};
    return true;
}

static inline void log_add(Log *log, Str line)
{
    LogLine *to = &log->lines[log->count];
    uint64_t day;
    int64_t number = 0;

    assert_true(log->count < sizeof(log->lines) / sizeof(log->lines[0]));
    assert_true(str_to_uint(str_cut(&line, ','), 100, &day));
    to->day = (unsigned)day;
    snprintf(to->kind, sizeof(to->kind), "%.*s",
             STR_ARG(str_part(line, 0, strcspn(line.bytes, ","))));
    str_cut(&line, ',');
    to->first = str_to_int(str_cut(&line, ','), -1, 1000, &number) ? (int)number : 0;
    to->second = str_to_int(str_cut(&line, ','), -1, 1000, &number) ? (int)number : 0;
    log->count++;
}

/* The `nth` line (from 0) of this day and kind whose first number is `first` (-2: any), or NULL. */
static inline const LogLine *log_find(const Log *log, unsigned day, const char *kind, int first,
                                      unsigned nth)
{
    for (size_t i = 0; i < log->count; i++) {
        const LogLine *line = &log->lines[i];
        if (line->day == day && strcmp(line->kind, kind) == 0 &&
            (first == -2 || line->first == first) && nth-- == 0)
            return line;
    }
    return NULL;
}

#endif
