/* maw_message_reading.h - what the two halves of reading a MAW message share.
 *
 * For:    maw_message_read.c (the body, its type), maw_message_fields.c (the fields of a type) and
 *         maw_message_refuse.c (what is wrong).
 * Memory: a MawReading is on the stack and borrows all.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 4, rows 5 to 7.
 */
#ifndef WARG_WIRE_MAW_MESSAGE_READING_H
#define WARG_WIRE_MAW_MESSAGE_READING_H

#include "wire/maw_message_table.h"

/* jansson's; only .c files see what is inside. */
typedef struct json_t json_t;

/* What a message that was read owns. */
typedef struct MawTree {
    json_t *json;
    MawLine *lines;
    Buf completions;
} MawTree;

typedef struct MawReading {
    MawMessage *message;
    MawTree *tree;
    MawRefusal *why;
} MawReading;

/* Fills `why` with a not-understood; the value is false. A macro, because then analysers see it. */
#define maw_refuse(why, code, ...) (maw_refuse_fill((why), (code), __VA_ARGS__), false)
void maw_refuse_fill(MawRefusal *why, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a failure: no memory. */
#define maw_refuse_memory(why) (maw_refuse_memory_fill(why), false)
void maw_refuse_memory_fill(MawRefusal *why);

/* "a text", "a whole number", "nothing". */
const char *maw_json_kind(const json_t *json);

/* Reads the fields of reading->message->type. */
bool maw_fields_read(const MawReading *reading, const json_t *object);

#endif
