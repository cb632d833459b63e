#include "serve/refusals.h"

#define TOLD_US       ((TimeUs)1000 * 1000)
#define TOLD_AGAIN_US ((TimeUs)60 * 1000 * 1000)

bool refusals_tell(Refusals *refusals, const char *peer, Str why, TimeUs now, Buf *line)
{
    bool again = str_eq(why, buf_str(&refusals->why));

    if (refusals->told_at && now - refusals->told_at < (again ? TOLD_AGAIN_US : TOLD_US))
        return false;
    refusals->told_at = now;
    buf_clear(&refusals->why);
    buf_add(&refusals->why, why);
    buf_printf(line, "refused address=%s: %.*s", peer, STR_ARG(why));
    return !buf_failed(line);
}

void refusals_done(Refusals *refusals)
{
    buf_done(&refusals->why);
}
