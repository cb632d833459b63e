/* log_show.h - a game log as a transcript that a person can read, day by day.
 *
 * For:    `warg log show`.
 * Memory: appends to the caller's Buf; the log is borrowed.
 * Thread: any.
 * Source: docs/spec/protocol-division.md 2.5 (who sees what) and 5; docs/spec/nlp-division.md 8.2.
 */
#ifndef WARG_SHOW_LOG_SHOW_H
#define WARG_SHOW_LOG_SHOW_H

#include "record/log_game.h"
#include "show/log_substitutes.h"

typedef enum ShowLanguage {
    SHOW_ENGLISH,
    SHOW_JAPANESE,
} ShowLanguage;

typedef struct ShowOptions {
    SeatNo seat; /* only what this seat could know; SEAT_NONE: everything */
    bool reveal; /* with a seat: all roles at the end */
    bool color;
    ShowLanguage language;         /* of headings; sentences stay as they are */
    const Substitute *substitutes; /* one for each seat, from 1; NULL = none is known. Borrowed */
} ShowOptions;

/* Appends the transcript. `known` has one set of seats per line of the log. */
void log_show(const LogGame *log, const SeatSet *known, const ShowOptions *options, Buf *out);

#endif
