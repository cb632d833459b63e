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

/* Who may know each line, into ret_known[0..log->count-1], by role alone: for logs that no replay
 * explains. */
void log_show_guess(const LogGame *log, SeatSet *ret_known);

/* The same as the game tells when it is played again; by role where no replay explains the log, or
 * there is none. Errors: those of log_check. */
int log_show_known(Str text, const LogGame *log, SeatSet *ret_known, Err *err);

/* Appends the transcript. `known` has one set of seats per line of the log. */
void log_show(const LogGame *log, const SeatSet *known, const ShowOptions *options, Buf *out);

#endif
