/* retry_waits.h - how long what failed by our fault is left alone before it is tried again.
 *
 * For:    stages, testing rounds, tracks, judging, bundles.
 * Memory: plain; one for each clock.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 16.1, 16.2.
 *
 * Measured by a clock that nobody sets: in a rehearsal the date of the site may stand still, and
 * it may be put back anywhere. A server that starts anew waits anew.
 */
#ifndef WARG_SITE_RETRY_WAITS_H
#define WARG_SITE_RETRY_WAITS_H

#include "base/id_source.h"
#include "base/str.h"
#include "base/time_us.h"

#include <stdbool.h>

#define RETRY_MINUTE    ((TimeUs)60 * 1000000)
#define RETRY_WAITS_MAX 64 /* at once; beyond that nothing waits */

/* A job that was asked for; its place is another's when it is over. */
typedef struct RetryWait {
    char job[ID_ULID_BYTES]; /* "" = none */
    TimeUs until, asked;     /* asked: the last time */
} RetryWait;

/* Zero it, then set `now`. */
typedef struct RetryWaits {
    TimeUs (*now)(void);
    RetryWait waits[RETRY_WAITS_MAX];
} RetryWaits;

/* Whether what the failed job `job` was for still waits: from the first time that this is asked for
 * it, `wait` long. Nothing waits where there are no `waits`, or too many jobs do. */
bool retry_waits(RetryWaits *waits, Str job, TimeUs wait);

#endif
