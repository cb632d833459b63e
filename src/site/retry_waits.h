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
#define RETRY_WAITS_MAX 64 /* beyond that the oldest are forgotten */

/* Zero it, then set `now`. */
typedef struct RetryWaits {
    TimeUs (*now)(void);
    struct {
        char job[ID_ULID_BYTES];
        TimeUs since;
    } waits[RETRY_WAITS_MAX];
    uint32_t count; /* of all that ever waited */
} RetryWaits;

/* Whether what the failed job `job` was for still waits: from the first time that this is asked for
 * it, `wait` long. Nothing waits where there are no `waits`. */
bool retry_waits(RetryWaits *waits, Str job, TimeUs wait);

#endif
