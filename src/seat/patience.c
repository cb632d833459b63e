#include "seat/patience.h"

#define LOOKS_IN_LIMIT 5
#define LIMITS_MAX     10 /* an answer never takes more of them, nor twice what is allowed */
#define TIMER_LATE_US  (5 * 1000) /* a timer that is less late than this is in time */
#define AGAIN_US       (5 * 1000)

void patience_begin(Patience *patience, TimeUs now, TimeUs limit, TimeUs allowed)
{
    TimeUs first = limit < allowed ? limit / LOOKS_IN_LIMIT : allowed / LOOKS_IN_LIMIT;

    *patience = (Patience){.sent_at = now, .limit = limit, .allowed = allowed, .due = now + first};
}

/* How long an answer may take at most. */
static TimeUs longest_wait(const Patience *patience)
{
    TimeUs most = LIMITS_MAX * patience->limit;

    return most > 2 * patience->allowed ? most : 2 * patience->allowed;
}

/* When it is too late, as far as was seen. */
static TimeUs patience_deadline(const Patience *patience)
{
    TimeUs time = patience->allowed + patience->waited;

    return patience->sent_at + (time < longest_wait(patience) ? time : longest_wait(patience));
}

static void note_lateness(Patience *patience, TimeUs now)
{
    TimeUs late = now - patience->due;

    if (late >= TIMER_LATE_US)
        patience->own += late;
}

bool patience_first_look(Patience *patience, TimeUs now)
{
    if (patience->looked_at)
        return false;
    note_lateness(patience, now);
    patience->looked_at = now;
    patience->waited = patience->own;
    patience->due = patience_deadline(patience) > now ? patience_deadline(patience) : now;
    return true;
}

void patience_see(Patience *patience, TimeUs now, const RunQueueLook *look)
{
    TimeUs seen = now - patience->looked_at;
    TimeUs waited = 0;

    if (look && patience->looked_at && seen > 0) {
        TimeUs idle = seen > look->cpu ? seen - look->cpu : 0;
        waited = look->delay < idle ? look->delay : idle;
        /* Before the first look it will have been as it was behind it. */
        waited += waited * (patience->looked_at - patience->sent_at) / seen;
    }
    if (waited < patience->own)
        waited = patience->own;
    if (waited > patience->waited)
        patience->waited = waited;
}

bool patience_has_more(Patience *patience, TimeUs now, const RunQueueLook *look)
{
    note_lateness(patience, now);
    patience_see(patience, now, look);
    patience->due = patience_deadline(patience);
    if (patience->due <= now && look && look->waiting &&
        now + AGAIN_US < patience->sent_at + longest_wait(patience))
        patience->due = now + AGAIN_US;
    return patience->due > now;
}

bool patience_is_over(const Patience *patience, TimeUs elapsed)
{
    return patience->sent_at + elapsed > patience_deadline(patience);
}
