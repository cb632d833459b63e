#include "site/retry_waits.h"

#include <string.h>

bool retry_waits(RetryWaits *waits, Str job, TimeUs wait)
{
    if (!waits || !waits->now || job.len >= ID_ULID_BYTES)
        return false;
    const TimeUs now = waits->now();
    for (uint32_t i = 0; i < RETRY_WAITS_MAX && i < waits->count; i++)
        if (str_eq(job, str_of(waits->waits[i].job)))
            return now - waits->waits[i].since < wait;
    const uint32_t at = waits->count++ % RETRY_WAITS_MAX;
    memcpy(waits->waits[at].job, job.bytes, job.len);
    waits->waits[at].job[job.len] = '\0';
    waits->waits[at].since = now;
    return true;
}
