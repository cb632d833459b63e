#include "base/alarms.h"

#include <assert.h>
#include <stddef.h>

void alarm_init(Alarm *alarm, Alarms *alarms, void (*ring)(void *user, TimeUs now), void *user)
{
    *alarm = (Alarm){.alarms = alarms, .ring = ring, .user = user};
}

static void tell_change(Alarms *alarms, TimeUs before)
{
    TimeUs next = alarms_next(alarms);

    if (alarms->changed && !alarms->ringing && next != before)
        alarms->changed(alarms->user, next);
}

static void unlink_alarm(Alarm *alarm)
{
    if (alarm->before)
        alarm->before->next = alarm->next;
    else
        alarm->alarms->first = alarm->next;
    if (alarm->next)
        alarm->next->before = alarm->before;
    alarm->next = alarm->before = NULL;
    alarm->set = false;
}

/* Behind all that are not later. */
static void link_alarm(Alarm *alarm)
{
    Alarm *before = NULL, *next = alarm->alarms->first;

    while (next && next->when <= alarm->when) {
        before = next;
        next = next->next;
    }
    alarm->before = before;
    alarm->next = next;
    if (before)
        before->next = alarm;
    else
        alarm->alarms->first = alarm;
    if (next)
        next->before = alarm;
    alarm->set = true;
}

void alarm_at(Alarm *alarm, TimeUs when, bool only_earlier)
{
    Alarms *alarms = alarm->alarms;
    TimeUs before = alarms_next(alarms);

    if (alarm->set && only_earlier && alarm->when <= when)
        return;
    if (alarm->set)
        unlink_alarm(alarm);
    if (when != TIME_US_NEVER) {
        alarm->when = when;
        alarm->setting = ++alarms->settings;
        link_alarm(alarm);
    }
    tell_change(alarms, before);
}

void alarm_soon(Alarm *alarm)
{
    alarm_at(alarm, TIME_US_PAST, true);
}

void alarm_stop(Alarm *alarm)
{
    if (alarm->set)
        alarm_at(alarm, TIME_US_NEVER, false);
}

TimeUs alarms_next(const Alarms *alarms)
{
    return alarms->first ? alarms->first->when : TIME_US_NEVER;
}

/* The first that is due and was set before. */
static Alarm *next_due(const Alarms *alarms, TimeUs now, uint64_t settings)
{
    for (Alarm *alarm = alarms->first; alarm && alarm->when <= now; alarm = alarm->next)
        if (alarm->setting <= settings)
            return alarm;
    return NULL;
}

void alarms_ring(Alarms *alarms, TimeUs now)
{
    uint64_t settings = alarms->settings;
    Alarm *alarm;

    assert(!alarms->ringing);
    alarms->ringing = true;
    while ((alarm = next_due(alarms, now, settings))) {
        unlink_alarm(alarm);
        alarm->ring(alarm->user, now); /* the alarm may be gone now */
    }
    alarms->ringing = false;
    if (alarms->changed)
        alarms->changed(alarms->user, alarms_next(alarms));
}

bool alarms_play(Alarms *alarms, TimeUs *now)
{
    TimeUs next = alarms_next(alarms);

    if (next == TIME_US_NEVER)
        return false;
    if (next > *now)
        *now = next;
    alarms_ring(alarms, *now);
    return true;
}
