#include "seat/answer_clock.h"

#define LOOKS_IN_LIMIT 5
#define LIMITS_MAX     10 /* an answer never takes more of them, nor twice what is allowed */
#define TIMER_LATE_US  (5 * 1000) /* a timer that is less late than this is in time */
#define AGAIN_US       (5 * 1000)

void answer_clock_begin(AnswerClock *clock, TimeUs now, TimeUs limit, TimeUs allowed)
{
    TimeUs first = limit < allowed ? limit / LOOKS_IN_LIMIT : allowed / LOOKS_IN_LIMIT;

    *clock = (AnswerClock){.sent_at = now, .limit = limit, .allowed = allowed, .due = now + first};
}

/* How long an answer may take at most. */
static TimeUs longest_wait(const AnswerClock *clock)
{
    TimeUs most = LIMITS_MAX * clock->limit;

    return most > 2 * clock->allowed ? most : 2 * clock->allowed;
}

/* When it is too late, as far as was seen. */
static TimeUs answer_clock_deadline(const AnswerClock *clock)
{
    TimeUs time = clock->allowed + clock->waited;

    return clock->sent_at + (time < longest_wait(clock) ? time : longest_wait(clock));
}

static void note_lateness(AnswerClock *clock, TimeUs now)
{
    TimeUs late = now - clock->due;

    if (late >= TIMER_LATE_US)
        clock->own += late;
}

bool answer_clock_first_look(AnswerClock *clock, TimeUs now)
{
    if (clock->looked_at)
        return false;
    note_lateness(clock, now);
    clock->looked_at = now;
    clock->waited = clock->own;
    clock->due = answer_clock_deadline(clock) > now ? answer_clock_deadline(clock) : now;
    return true;
}

void answer_clock_see(AnswerClock *clock, TimeUs now, const RunQueueLook *look)
{
    TimeUs seen = now - clock->looked_at;
    TimeUs waited = 0;

    if (look && clock->looked_at && seen > 0) {
        TimeUs idle = seen > look->cpu ? seen - look->cpu : 0;
        waited = look->delay < idle ? look->delay : idle;
        /* Before the first look it will have been as it was behind it. */
        waited += waited * (clock->looked_at - clock->sent_at) / seen;
    }
    if (waited < clock->own)
        waited = clock->own;
    if (waited > clock->waited)
        clock->waited = waited;
}

bool answer_clock_has_more(AnswerClock *clock, TimeUs now, const RunQueueLook *look)
{
    note_lateness(clock, now);
    answer_clock_see(clock, now, look);
    clock->due = answer_clock_deadline(clock);
    if (clock->due <= now && look && look->waiting &&
        now + AGAIN_US < clock->sent_at + longest_wait(clock))
        clock->due = now + AGAIN_US;
    return clock->due > now;
}

bool answer_clock_is_over(const AnswerClock *clock, TimeUs elapsed)
{
    return clock->sent_at + elapsed > answer_clock_deadline(clock);
}
