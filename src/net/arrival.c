#include "net/arrival.h"

/* Two clocks are not read at one moment. */
#define SLACK_US 1000

TimeUs arrival_time(TimeUs stamp, const TimeUs ahead[static 2], TimeUs after, TimeUs now)
{
    TimeUs earliest = now;

    for (int i = 0; i < 2; i++) {
        TimeUs came = stamp - ahead[i];

        if (came < after - SLACK_US || came > now + SLACK_US)
            continue; /* the clock was set since or before */
        if (came < earliest)
            earliest = came;
    }
    return earliest < after ? after : earliest;
}
