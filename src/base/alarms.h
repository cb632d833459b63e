/* alarms.h - who is to be called at which time. Time is an argument: whoever has a clock, or plays
 *            one, asks when the next alarm is due and says what time it is.
 *
 * For:    what waits and knows no event loop: a models' server, a model's seat, a MAW table. A loop
 *         rings its alarms by its clock (net/loop.h); in simulated time alarms_play does.
 * Memory: both structs are their owners'; an Alarm is a part of what it calls, and has to be
 *         stopped before that goes. Nothing is allocated.
 * Thread: one at a time.
 * Source: docs/architecture.md: the engine knows no clock.
 *
 *     Alarms alarms = {0};
 *     alarm_init(&alarm, &alarms, ring, user);
 *     alarm_at(&alarm, now + 5, false);
 *     alarms_ring(&alarms, now + 5);      calls ring(user, now + 5)
 */
#ifndef WARG_BASE_ALARMS_H
#define WARG_BASE_ALARMS_H

#include "base/time_us.h"

#include <stdbool.h>

typedef struct Alarm Alarm;

typedef struct Alarms {
    /* The earliest time is another one; not called while alarms ring. May be NULL. */
    void (*changed)(void *user, TimeUs next);
    void *user;
    Alarm *first; /* by time, then in the order in which they were set */
    uint64_t settings;
    bool ringing;
} Alarms;

struct Alarm {
    Alarms *alarms;
    Alarm *next;
    Alarm *before;
    void (*ring)(void *user, TimeUs now);
    void *user;
    TimeUs when;
    uint64_t setting; /* which it was of all */
    bool set;
};

/* Not set. `alarms` must outlive it. */
void alarm_init(Alarm *alarm, Alarms *alarms, void (*ring)(void *user, TimeUs now), void *user);

/* `ring` is called once, at `when` or soon after, never from inside. An alarm that is set already
 * to an earlier or equal time is left as it is when `only_earlier`. TIME_US_NEVER is alarm_stop. */
void alarm_at(Alarm *alarm, TimeUs when, bool only_earlier);
/* As soon as possible, whatever time it is. */
void alarm_soon(Alarm *alarm);
/* Not set any more; also for one that alarm_init has never seen. */
void alarm_stop(Alarm *alarm);

/* When the first is due: TIME_US_NEVER when none is set, TIME_US_PAST when one is to ring soon. */
TimeUs alarms_next(const Alarms *alarms);

/* Rings those that are due at `now`, the earliest first. What is set meanwhile waits for the next
 * call. A ring may set, stop and free any alarm, not `alarms`. */
void alarms_ring(Alarms *alarms, TimeUs now);

/* Simulated time goes on to the next alarm, and that rings: false, and nothing happens, when none
 * is set. Time never goes back. */
bool alarms_play(Alarms *alarms, TimeUs *now);

#endif
