/* screen_plain.h - lines in and lines out, for pipes, scripts and screen readers.
 *
 * For:    terminal/screen.c.
 * Memory: the caller's struct.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 6.1.
 */
#ifndef WARG_TERMINAL_SCREEN_PLAIN_H
#define WARG_TERMINAL_SCREEN_PLAIN_H

#include "base/buf.h"

/* Bytes that were read and are no whole line yet. */
typedef struct PlainInput {
    Buf begun;
    bool too_long; /* what comes is left out up to the end of the line */
} PlainInput;

/* Takes the next whole line off `*bytes`, made clean, into `line` (which is cleared); false when
 * there is none. A line of more than LINE_EDIT_BYTES_MAX bytes gives an empty one and
 * *ret_too_long. */
bool plain_line(PlainInput *input, Str *bytes, Buf *line, bool *ret_too_long);
/* What is left when the input has ended without an end of line. */
bool plain_rest(PlainInput *input, Buf *line, bool *ret_too_long);
void plain_input_done(PlainInput *input);

/* Writes all; waits when a pipe is full. False when nobody reads it any more. */
bool plain_write(int descriptor, Str bytes);

#endif
