#include "site/retry_waits.h"

#include <string.h>

/* One that is over, that nobody has asked for the longest; NULL while all wait. Who was told to try
 * again has another job then, and asks for that. */
static RetryWait *free_place(RetryWaits *waits, TimeUs now)
{
    RetryWait *best = NULL;

    for (RetryWait *at = waits->waits; at < waits->waits + RETRY_WAITS_MAX; at++) {
        if (!at->job[0])
            return at;
        if (now >= at->until && (!best || at->asked < best->asked))
            best = at;
    }
    return best;
}

bool retry_waits(RetryWaits *waits, Str job, TimeUs wait)
{
    if (!waits || !waits->now || !job.len || job.len >= ID_ULID_BYTES)
        return false;
    const TimeUs now = waits->now();
    for (RetryWait *at = waits->waits; at < waits->waits + RETRY_WAITS_MAX; at++)
        if (str_eq(job, str_of(at->job))) {
            at->asked = now;
            return now < at->until;
        }
    RetryWait *place = free_place(waits, now);
    if (!place)
        return false;
    *place = (RetryWait){.until = now + wait, .asked = now};
    memcpy(place->job, job.bytes, job.len);
    return true;
}
