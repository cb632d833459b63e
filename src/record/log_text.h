/* log_text.h - utterances in game logs: what would break a line, or a terminal, is escaped.
 *
 * For:    the writers of game logs, and the readers of those of the natural-language division; no
 *         sentence of the protocol language has anything to escape.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 8.2: no line end inside a record; commas and quotes as they
 *         are.
 *
 *   LF, CR                   a blank, as ever: old readers join such lines
 *   other control characters \xNN, of U+0000 to U+001F and U+007F to U+009F
 *   a tab                    itself: it is in many texts, and harms nobody
 *   a backslash              itself; \x5C only where it would begin what is read as \xNN
 *
 * So texts without control characters and without such words are what they were, and every text is
 * read back as it was said, but for line ends.
 */
#ifndef WARG_RECORD_LOG_TEXT_H
#define WARG_RECORD_LOG_TEXT_H

#include "base/buf.h"

/* Appends `text` as it stands in a log; at most four times as long. */
void log_text_write(Buf *out, Str text);

/* Whether log_text_read would change it. */
bool log_text_is_escaped(Str text);
/* Appends what was said; never longer than `text`. */
void log_text_read(Buf *out, Str text);

#endif
