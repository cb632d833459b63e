#include "record/game_record.h"

static const char *const reasons[END_REASON_COUNT] = {
    [END_WIN] = "win",
    [END_MAX_DAY] = "max_day",
    [END_IDLE] = "idle",
    [END_ABORTED] = "aborted",
};

const char *end_reason_name(EndReason reason)
{
    return reason < END_REASON_COUNT ? reasons[reason] : "";
}

bool end_reason_of(Str name, EndReason *ret_reason)
{
    for (unsigned reason = 0; reason < END_REASON_COUNT; reason++)
        if (str_eq(name, str_of(reasons[reason]))) {
            *ret_reason = (EndReason)reason;
            return true;
        }
    return false;
}
