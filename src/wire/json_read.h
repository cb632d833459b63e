/* json_read.h - takes values out of JSON objects that a stranger wrote.
 *
 * For:    every format in JSON that we read. A key that is absent or null gives the caller's value;
 *         one of the wrong type or out of range is an error. The first error stays, and what is
 *         read behind it is harmless, so that a caller reads everything and asks once at the end.
 * Memory: the JSON is borrowed; texts live as long as it does.
 * Thread: one at a time.
 * Source: RFC 8259; docs/spec/protocol-division.md 9 (absent and unknown keys are tolerated).
 */
#ifndef WARG_WIRE_JSON_READ_H
#define WARG_WIRE_JSON_READ_H

#include "base/err.h"
#include "game/role.h"

/* jansson's; only .c files see what is inside. */
typedef struct json_t json_t;

/* Open, so that it lives on a stack. */
typedef struct JsonReader {
    int rc;            /* 0, or the first error */
    Err *err;          /* what is wrong; may be NULL */
    SeatNo seat_count; /* agents are 1 to this */
} JsonReader;

/* The JSON of a text, to be given back with json_decref.
 * Errors: ERR_SYNTAX with line and column; ERR_LIMIT for more than `max` bytes; ERR_MEMORY. */
int json_read(Str text, size_t max, json_t **ret_json, Err *err);
/* The same, for what a person has put down: a key that stands twice is ERR_SYNTAX, too, where else
 * the last one counts. */
int json_read_once(Str text, size_t max, json_t **ret_json, Err *err);

/* Notes that something is wrong: "packet: 'KEY' is not EXPECTED". */
void json_refuse(JsonReader *reader, const char *key, const char *expected);

/* The value, or NULL when it is absent or null. */
const json_t *json_get(const json_t *object, const char *key);

int64_t json_get_int(JsonReader *reader, const json_t *object, const char *key, int64_t min,
                     int64_t max, int64_t otherwise);

/* A number that only tells how much: what is out of 0..UINT16_MAX is cut. */
int32_t json_get_amount(JsonReader *reader, const json_t *object, const char *key,
                        int32_t otherwise);

bool json_get_bool(JsonReader *reader, const json_t *object, const char *key, bool otherwise);

/* An agent; -1 and 0 are nobody. */
SeatNo json_get_seat(JsonReader *reader, const json_t *object, const char *key, SeatNo otherwise);

/* Empty when it is absent. */
Str json_get_str(JsonReader *reader, const json_t *object, const char *key);

/* NULL when it is absent. */
const json_t *json_get_list(JsonReader *reader, const json_t *object, const char *key);
json_t *json_get_object(JsonReader *reader, const json_t *object, const char *key);

/* Gives one back: what json_read gave. Takes NULL. */
void json_done(json_t *json);

/* Elements of a list; 0 of anything else. */
size_t json_count(const json_t *list);
const json_t *json_at(const json_t *list, size_t index); /* NULL beyond the last */

/* The members of an object, in their order: start with NULL, ends with NULL. */
void *json_member(const json_t *object, void *before);
const char *json_member_key(void *member);
const json_t *json_member_value(void *member);

bool json_is_map(const json_t *json);
bool json_is_list(const json_t *json);
/* A string's text; false for anything else. */
bool json_as_str(const json_t *json, Str *ret_text);
/* A whole number; false for anything else. */
bool json_as_int(const json_t *json, int64_t *ret_value);
/* Any number; false for anything else. */
bool json_as_real(const json_t *json, double *ret_value);
bool json_as_bool(const json_t *json, bool *ret_value);

/* A key's text, or whole number, for who only shows it: empty, and 0, for anything else. */
Str json_text(const json_t *object, const char *key);
int64_t json_number(const json_t *object, const char *key);

/* The agent that a key of a map names; SEAT_NONE, and an error, when it is none. */
SeatNo json_key_seat(JsonReader *reader, const char *key);

#endif
