/* str.h - a borrowed piece of text: bytes and a length, not terminated.
 *
 * For:    passing text without copying it. Plain value, open struct.
 * Memory: borrows; whoever hands one out says until when it lives.
 * Thread: any.
 * Source: house rule: text is bytes with a length; nothing is terminated on the way.
 */
#ifndef WARG_BASE_STR_H
#define WARG_BASE_STR_H

#include "base/banned.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Str {
    const char *bytes; /* never NULL when len > 0 */
    size_t len;
} Str;

/* A Str of a string literal. */
#define STR(literal) ((Str){"" literal, sizeof(literal) - 1})
/* For printf: "%.*s", STR_ARG(s). */
#define STR_ARG(s) (int)(s).len, (s).bytes ? (s).bytes : ""

/* The text of a terminated C string; NULL is empty. */
static inline Str str_of(const char *text)
{
    return (Str){text ? text : "", text ? strlen(text) : 0};
}

static inline bool str_eq(Str a, Str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

static inline bool str_starts(Str s, Str prefix)
{
    return s.len >= prefix.len &&
           (prefix.len == 0 || memcmp(s.bytes, prefix.bytes, prefix.len) == 0);
}

/* A letter of ASCII as a small one; any other byte as it is, in every locale. */
static inline char str_lower_char(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The part from `start` on, at most `len` bytes; both are cut to fit. */
static inline Str str_part(Str s, size_t start, size_t len)
{
    if (start > s.len)
        start = s.len;
    if (len > s.len - start)
        len = s.len - start;
    return (Str){s.bytes ? s.bytes + start : "", len};
}

/* Where `part` stands first; false when it does not. An empty one stands at the beginning. */
bool str_find(Str s, Str part, size_t *ret_at);

/* Where `c` stands last; false when it does not. */
static inline bool str_find_last(Str s, char c, size_t *ret_at)
{
    for (size_t at = s.len; at > 0; at--)
        if (s.bytes[at - 1] == c) {
            *ret_at = at - 1;
            return true;
        }
    return false;
}

/* For hash tables of names (FNV-1a); nothing that is told may depend on it. */
uint32_t str_hash(Str s);

/* Blanks, tabs, CR and LF removed from both ends. */
Str str_trim(Str s);

/* Cuts `*rest` at the first `separator`: returns what is before it, leaves what is behind it.
 * Without a separator returns all and leaves an empty rest. */
Str str_cut(Str *rest, char separator);

/* Decimal digits only, the whole text, at most `max`. True and *ret_value on success. */
bool str_to_uint(Str s, uint64_t max, uint64_t *ret_value);

/* As str_to_uint with an optional '-' in front; range min..max. */
bool str_to_int(Str s, int64_t min, int64_t max, int64_t *ret_value);

#endif
