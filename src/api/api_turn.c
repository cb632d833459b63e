#include "api/api_turn.h"

#include "api/api_events.h"
#include "site/judging_turn.h"
#include "site/publication.h"
#include "site/stage.h"
#include "site/version_jobs.h"

/* To add a kind of jobs whose results change something: its handler, of the room that it is of. */
static const JobHandler handlers[] = {
    {"unpack", version_job_unpacked},
    {"build", version_job_built},
    {"check", version_job_checked},
    {"judge", judging_take_over},
    {"bundle", publication_take},
    {"play", stage_handle},
    {NULL, NULL},
};

int api_turn(ApiSite *site, TimeUs now, Err *err)
{
    int64_t now_ms = api_site_now_ms(site);
    int first = jobs_collect(site->db, site->spool, handlers, site, now_ms, NULL, err);
    int rc = site_clock_tick(site->clock, now_ms, err);

    if (first == 0)
        first = rc;
    rc = api_events_look(site->events, site->db, now, err);
    return first ? first : rc;
}
