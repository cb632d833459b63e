/* utf8.h - reads UTF-8 strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
 *
 * For:    checking text once where it comes in, counting characters, escaping, column widths.
 * Memory: none.
 * Thread: any.
 * Source: RFC 3629; Unicode 15, table 3-7 (which bytes may follow which).
 */
#ifndef WARG_BASE_UTF8_H
#define WARG_BASE_UTF8_H

#include "base/buf.h"

#define UTF8_INVALID     UINT32_MAX
#define UTF8_REPLACEMENT 0xFFFDu

/* Takes one code point off the front of `*rest`, which must not be empty. UTF8_INVALID when the
 * bytes there are none; then exactly the bytes that can't begin one are taken (at least one), so
 * that a caller which writes U+FFFD for each writes as many as the standard recommends. */
uint32_t utf8_next(Str *rest);

/* True when all of `text` is UTF-8. */
bool utf8_valid(Str text);

/* Code points in `text`; an invalid sequence counts as one. */
size_t utf8_count(Str text);

/* Columns on a terminal: 2 for East Asian wide and full-width characters and most emoji, 0 for
 * combining marks and control characters, 1 for the rest. Good for aligning names, no more. */
size_t utf8_width(Str text);

/* Appends at most `max` characters of `text` that are safe on a terminal: control characters and
 * invalid bytes become U+FFFD, and "..." stands for what is left out. */
void utf8_add_printable(Str text, size_t max, Buf *out);

#endif
