/* refusals.h - requests that were refused are told to people, but not as often as a page can ask.
 *
 * For:    servers of all divisions: server.c, live.c.
 * Memory: a Refusals owns the text that was told last (refusals_done).
 * Thread: pure: the time is an argument.
 * Source: docs/spec/web.md 11.1.
 */
#ifndef WARG_SERVE_REFUSALS_H
#define WARG_SERVE_REFUSALS_H

#include "base/buf.h"
#include "base/time_us.h"

/* Zeroed before use. */
typedef struct Refusals {
    TimeUs told_at; /* 0 = never */
    Buf why;
} Refusals;

/* True with the line that is to be told, at most one a second; the same again once a minute, as of
 * a viewer that asks every second. */
bool refusals_tell(Refusals *refusals, const char *peer, Str why, TimeUs now, Buf *line);
void refusals_done(Refusals *refusals);

#endif
