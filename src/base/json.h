/* json.h - writes JSON: commas and escapes are right by construction, the key order is ours.
 *
 * For:    packets, logs, reports. Reading JSON is another module's job.
 * Memory: appends to the caller's Buf; ask buf_failed() once at the end.
 * Thread: one at a time.
 * Source: RFC 8259. Invalid UTF-8 becomes U+FFFD, so the output is always valid.
 *
 *     Json json = json_over(&buf);
 *     json_open(&json, '{');
 *     json_key(&json, STR("agent"));
 *     json_put_uint(&json, 3);
 *     json_close(&json);                              -> {"agent":3}
 */
#ifndef WARG_BASE_JSON_H
#define WARG_BASE_JSON_H

#include "base/buf.h"

#define JSON_DEPTH_MAX 31

/* Open, so that it lives on a stack. Touch it through functions, except `ascii`. */
typedef struct Json {
    Buf *out;
    bool ascii;      /* everything above U+007F as \uXXXX */
    bool after_key;  /* the next value belongs to a key */
    unsigned depth;  /* open arrays and objects */
    uint32_t filled; /* bit d: the container at depth d has something in it */
    uint32_t object; /* bit d: the container at depth d is an object */
} Json;

/* A writer that appends to `out`. Several values in a row are separated by commas only inside an
 * array; at the top level write one value, or the separators yourself. */
Json json_over(Buf *out);

/* Opens an object '{' or an array '['; json_close closes the one opened last. Depth is at most
 * JSON_DEPTH_MAX: asserted, for the depth is ours and not the input's. */
void json_open(Json *json, char bracket);
void json_close(Json *json);

/* The name of the next value of an object. */
void json_key(Json *json, Str key);

void json_put_str(Json *json, Str text);
void json_put_uint(Json *json, uint64_t value);
void json_put_int(Json *json, int64_t value);
void json_put_bool(Json *json, bool value);
void json_put_null(Json *json);
/* With `decimals` digits behind the point; null when it is not finite, for JSON has no such. */
void json_put_real(Json *json, double value, int decimals);
/* Text that is JSON already. */
void json_put_raw(Json *json, Str value);

/* A key with its value. */
static inline void json_add_str(Json *json, const char *key, Str text)
{
    json_key(json, str_of(key));
    json_put_str(json, text);
}

static inline void json_add_uint(Json *json, const char *key, uint64_t value)
{
    json_key(json, str_of(key));
    json_put_uint(json, value);
}

static inline void json_add_int(Json *json, const char *key, int64_t value)
{
    json_key(json, str_of(key));
    json_put_int(json, value);
}

static inline void json_add_bool(Json *json, const char *key, bool value)
{
    json_key(json, str_of(key));
    json_put_bool(json, value);
}

static inline void json_add_real(Json *json, const char *key, double value, int decimals)
{
    json_key(json, str_of(key));
    json_put_real(json, value, decimals);
}

/* Just the string with its quotes, without a writer. */
void json_quote(Buf *out, Str text, bool ascii);

/* The same bytes as json_quote, not `ascii`, in half the time, for a text that these functions have
 * written: it is whole UTF-8 without control characters, and only " and \ are left to escape. */
void json_quote_json(Buf *out, Str json);

#endif
