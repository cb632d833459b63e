/* clean.h - text of strangers, made safe for a terminal.
 *
 * For:    every line that is shown or was typed.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: ECMA-48 (C0, C1: a terminal obeys them); Unicode 15, 9.2 and 23.2: characters that turn
 *         the order of others around, or are nowhere to be seen, can make a line look like another.
 */
#ifndef WARG_TERMINAL_CLEAN_H
#define WARG_TERMINAL_CLEAN_H

#include "base/buf.h"

/* Appends `text` as one line of valid UTF-8: tabs and ends of lines become blanks, control and
 * format characters are left out, what is no UTF-8 becomes U+FFFD. */
void clean_line(Str text, Buf *out);

/* How many bytes of `text` fit into `columns`, cut at a blank or beside a wide
 * character where there is one, never within a character; at least one character, so that a loop
 * comes to its end. Blanks that follow belong to no line: skip them. */
size_t clean_fold(Str text, size_t columns);

#endif
