/* golden.h - recorded games of the natural-language division, read for replay.
 *
 * For:    test_golden.c, which includes cmocka before.
 * Memory: a Recording owns all it holds; recording_free.
 * Source: tests/data/nlp-wire/README.md.
 */
#ifndef WARG_TESTS_NLP_GOLDEN_H
#define WARG_TESTS_NLP_GOLDEN_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/buf.h"
#include "game/role.h"

typedef enum RecordedKind {
    RECORDED_OPEN,
    RECORDED_SENT,
    RECORDED_REPLY,
    RECORDED_CLOSE
} RecordedKind;

typedef struct Recorded {
    int64_t ms;
    RecordedKind kind;
    SeatNo seat;
    json_t *packet; /* SENT */
    char *text;     /* REPLY, CLOSE */
} Recorded;

typedef struct Recording {
    char name[64];
    Recorded *records;
    size_t count;
    json_t *log; /* the JSON log */
    Buf game_log;
    Buf realtime;
    SeatNo seat_count;
    const char *originals[SEAT_MAX + 1];
    Role roles[SEAT_MAX + 1];
    const char *names[SEAT_MAX + 1];    /* in the game */
    const char *profiles[SEAT_MAX + 1]; /* "" = none */
} Recording;

static inline void read_gz(const char *path, Buf *out)
{
    gzFile file = gzopen(path, "rb");
    char bytes[65536];
    int n;

    assert_non_null(file);
    while ((n = gzread(file, bytes, sizeof(bytes))) > 0)
        buf_add(out, (Str){bytes, (size_t)n});
    gzclose(file);
}

static inline const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static inline SeatNo seat_of_original(const Recording *recording, const char *name)
{
    for (SeatNo seat = 1; seat <= recording->seat_count; seat++)
        if (strcmp(recording->originals[seat], name) == 0)
            return seat;
    return SEAT_NONE;
}

static inline void read_path(const char *name, const char *suffix, Buf *out)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/nlp-wire/%s%s", getenv("WARG_TEST_DATA"), name, suffix);
    read_gz(path, out);
}

static inline Role recorded_role(const char *name)
{
    for (int role = 0; role < ROLE_COUNT; role++)
        if (strcmp(role_name((Role)role), name) == 0)
            return (Role)role;
    fail_msg("no role is called %s", name);
    return ROLE_NONE;
}

static inline void read_agents(Recording *recording)
{
    const json_t *agents = json_object_get(recording->log, "agents");

    recording->seat_count = (SeatNo)json_array_size(agents);
    for (SeatNo seat = 1; seat <= recording->seat_count; seat++) {
        const json_t *agent = json_array_get(agents, seat - 1u);
        recording->originals[seat] = text_of(agent, "name");
        recording->roles[seat] = recorded_role(text_of(agent, "role"));
        recording->profiles[seat] = "";
    }
}

static inline char *copied(const char *text)
{
    char *copy = mem_new(strlen(text) + 1);

    assert_non_null(copy);
    memcpy(copy, text, strlen(text));
    return copy;
}

static inline void read_record(Recording *recording, const char *line, size_t bytes)
{
    json_t *json = json_loadb(line, bytes, 0, NULL);
    const char *dir = text_of(json, "dir");
    const char *text = text_of(json, "line");
    Recorded record = {.ms = json_integer_value(json_object_get(json, "ms")),
                       .seat = seat_of_original(recording, text_of(json, "agent"))};

    assert_int_not_equal(record.seat, SEAT_NONE);
    record.kind = strcmp(dir, "s2c") == 0    ? RECORDED_SENT
                  : strcmp(dir, "c2s") == 0  ? RECORDED_REPLY
                  : strcmp(dir, "open") == 0 ? RECORDED_OPEN
                                             : RECORDED_CLOSE;
    if (record.kind == RECORDED_SENT) {
        record.packet = json_loads(text, 0, NULL);
        const json_t *info = json_object_get(record.packet, "info");
        if (strcmp(text_of(record.packet, "request"), "INITIALIZE") == 0) {
            recording->names[record.seat] = text_of(info, "agent");
            recording->profiles[record.seat] = text_of(info, "profile");
        }
    } else {
        record.text = copied(text);
    }
    recording->records =
        mem_resize(recording->records, recording->count + 1, sizeof(*recording->records));
    assert_non_null(recording->records);
    recording->records[recording->count++] = record;
    json_decref(json);
}

static inline Recording *recording_read(const char *name)
{
    Recording *recording = mem_new(sizeof(*recording));
    Buf wire = {0};
    Buf log = {0};

    assert_non_null(recording);
    snprintf(recording->name, sizeof(recording->name), "%s", name);
    read_path(name, ".wire.jsonl.gz", &wire);
    read_path(name, ".log.json.gz", &log);
    read_path(name, ".game.log.gz", &recording->game_log);
    read_path(name, ".realtime.jsonl.gz", &recording->realtime);
    recording->log = json_loadb(log.bytes, log.len, 0, NULL);
    read_agents(recording);
    Str rest = buf_str(&wire);
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        if (line.len)
            read_record(recording, line.bytes, line.len);
    }
    buf_done(&wire);
    buf_done(&log);
    return recording;
}

static inline void recording_free(Recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        json_decref(recording->records[i].packet);
        mem_free(recording->records[i].text);
    }
    mem_free(recording->records);
    json_decref(recording->log);
    buf_done(&recording->game_log);
    buf_done(&recording->realtime);
    mem_free(recording);
}

#endif
