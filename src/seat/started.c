#include "seat/started.h"

/* How long a program may take to end by itself. */
#define EXIT_GRACE_US  ((TimeUs)2 * 1000 * 1000)
#define STRANGERS_TOLD 3 /* the first few */

static bool is_to_come(const Started *started)
{
    return started->state == STARTED_AWAITED || started->state == STARTED_NAMING;
}

/* An earlier time holds. */
static void stop_later(Started *started, TimeUs now)
{
    if (started->runs && now + EXIT_GRACE_US < started->stop_at)
        started->stop_at = now + EXIT_GRACE_US;
}

unsigned started_begin(Started *started, TimeUs startup, TimeUs now)
{
    const uint32_t strangers = started->strangers;

    *started = (Started){
        .state = STARTED_AWAITED, .runs = true, .strangers = strangers, .stop_at = TIME_US_NEVER};
    answer_clock_begin(&started->clock, now, startup, startup);
    return STARTED_OPEN;
}

unsigned started_called(Started *started, bool ours)
{
    if (ours && started->state == STARTED_AWAITED) {
        started->state = STARTED_NAMING;
        return 0;
    }
    return ++started->strangers <= STRANGERS_TOLD ? STARTED_TELL : 0;
}

void started_named(Started *started)
{
    started->state = STARTED_HERE;
}

unsigned started_fail(Started *started, bool gone, TimeUs now)
{
    started->state = STARTED_FAILED;
    if (gone)
        stop_later(started, now);
    return STARTED_SHUT | (started->runs && !gone ? STARTED_STOP : 0);
}

unsigned started_again(Started *started, TimeUs startup, TimeUs now)
{
    if (!started->runs)
        return STARTED_SHUT | started_begin(started, startup, now);
    started->again = true;
    stop_later(started, now);
    return 0;
}

unsigned started_dismiss(Started *started, TimeUs now)
{
    started->dismissed = true;
    stop_later(started, now);
    return STARTED_SHUT;
}

unsigned started_ended(Started *started, bool asked, TimeUs startup, TimeUs now)
{
    bool early = started->state == STARTED_AWAITED && !started->again && !started->dismissed;
    unsigned acts = 0;

    started->runs = false;
    started->stop_at = TIME_US_NEVER;
    if (!asked && (!started->dismissed || started->state == STARTED_FAILED))
        acts |= STARTED_NOTE | (early ? STARTED_HINT : 0);
    if (started->again && !started->dismissed)
        return acts | STARTED_SHUT | started_begin(started, startup, now);
    if (early) {
        started->state = STARTED_FAILED;
        acts |= STARTED_SHUT | STARTED_EARLY;
    }
    return acts;
}

static unsigned look_whether_late(Started *started, const RunQueueLook *look, TimeUs now)
{
    if (answer_clock_first_look(&started->clock, now))
        return STARTED_LOOK;
    if (answer_clock_has_more(&started->clock, now, look))
        return 0;
    return started_fail(started, false, now) | STARTED_LATE;
}

unsigned started_due(Started *started, const RunQueueLook *look, TimeUs now)
{
    unsigned acts = 0;

    if (now >= started->stop_at) {
        started->stop_at = TIME_US_NEVER;
        acts |= STARTED_STOP;
    }
    if (is_to_come(started) && !started->dismissed && now >= started->clock.due)
        acts |= look_whether_late(started, look, now);
    return acts;
}

TimeUs started_deadline(const Started *started)
{
    TimeUs due = is_to_come(started) && !started->dismissed ? started->clock.due : TIME_US_NEVER;

    if (started->state == STARTED_OUT)
        return TIME_US_NEVER;
    return started->stop_at < due ? started->stop_at : due;
}
