/* qr_text.h - a text as a QR code for a terminal, in half blocks.
 *
 * For:    the link of a room, which a telephone reads from the screen.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: ISO/IEC 18004 by libqrencode; error correction M, a border of four modules, which
 *         readers want.
 */
#ifndef WARG_SHOW_QR_TEXT_H
#define WARG_SHOW_QR_TEXT_H

#include "base/buf.h"
#include "base/err.h"

#define QR_TEXT_BYTES_MAX 300

/* Appends lines, each with `margin` blanks in front. `colors`: black on white by SGR, whatever the
 * terminal's colours are; else what is light is drawn, as fits a dark terminal.
 * Errors: ERR_LIMIT for a longer text, ERR_MEMORY. */
int qr_text_write(Str text, bool colors, unsigned margin, Buf *out, Err *err);

#endif
