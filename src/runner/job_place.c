/* job_place.c - what a job hears of its end, and tells of how it gets on. */
#include "net/interrupt.h"
#include "runner/runner.h"

bool job_place_stopped(const JobPlace *place)
{
    return interrupt_came() || spool_is_stopped(place->folder);
}

void job_place_got_on(const JobPlace *place)
{
    (void)spool_got_on(place->folder, NULL); /* then it is given up a little earlier */
}
