/* maw_show.h - the record of a MAW session as a transcript: rounds, phases, what was said and done.
 *
 * For:    `warg log show`.
 * Memory: appends to the caller's Buf; the record is borrowed.
 * Thread: any.
 * Source: docs/spec/maw.md 1.3, 9; who may know what: maw/session_state.c (room_readable),
 *         maw/session_tell.c.
 *
 * To show another event: a function, and a row in `events` of maw_show.c. It says itself what a
 * player could see of it.
 */
#ifndef WARG_SHOW_MAW_SHOW_H
#define WARG_SHOW_MAW_SHOW_H

#include "show/log_show.h"

typedef struct MawShowOptions {
    Str seat; /* only what the player of this name could know; empty: everything */
    bool color;
    ShowLanguage language; /* of headings; sentences stay as they are */
} MawShowOptions;

/* Appends the transcript of a record (maw_record_is). One that is cut off is shown up to there.
 * Errors: ERR_USAGE when nobody has that name; ERR_SYNTAX with the line; ERR_LIMIT; ERR_MEMORY. */
int maw_show(Str record, const MawShowOptions *options, Buf *out, Err *err);

#endif
