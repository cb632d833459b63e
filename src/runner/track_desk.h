/* track_desk.h - asks a track's server over its API, and has it leave teams out.
 *
 * For:    runner/job_nlp.c.
 * Memory: a TrackDesk is freed by track_desk_free.
 * Thread: the main thread; it waits for each answer, a few seconds at most.
 * Source: docs/nlp.md, "API", "An operator acts".
 */
#ifndef WARG_RUNNER_TRACK_DESK_H
#define WARG_RUNNER_TRACK_DESK_H

#include "base/buf.h"
#include "base/err.h"

typedef struct TrackDesk TrackDesk;

/* `token` is copied. Errors: ERR_MEMORY, ERR_IO. */
int track_desk_new(uint16_t port, Str token, TrackDesk **ret_desk, Err *err);
TrackDesk *track_desk_free(TrackDesk *desk); /* takes NULL */

/* GET; the body into `out`, which is cleared before. Errors: ERR_IO when there is no answer, or
 * another one than 200. */
int track_desk_get(TrackDesk *desk, const char *path, Buf *out, Err *err);

/* No game begins with the team any more (or: again); both requests of the act. Errors: ERR_IO. */
int track_desk_leave_out(TrackDesk *desk, Str team, bool out, const char *why, Err *err);

#endif
