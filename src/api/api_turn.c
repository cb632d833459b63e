#include "api/api_turn.h"

#include "api/api_events.h"
#include "api/api_sweep.h"
#include "site/disk_state.h"
#include "site/judging_turn.h"
#include "site/notice.h"
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

typedef struct DiskTold {
    const ApiSite *site;
    int64_t now_ms;
} DiskTold;

/* To organisers, and to those who ask how a contest is. */
static int tell_disk(Db *db, void *user, Err *err)
{
    const DiskTold *told = user;
    const ApiSite *site = told->site;
    const unsigned long long free = site->disk.free >> 20, kept = site->disk.reserve >> 20;
    char text[160];

    snprintf(text, sizeof(text),
             site->disk.low ? "%llu MiB are free, %llu are to be kept: uploads are refused, "
                              "contests stand still"
                            : "%llu MiB are free, %llu are to be kept: all goes on",
             free, kept);
    const NoticeWord words[] = {{"text", str_of(text)}};
    const Notice notice = {
        .kind = NOTICE_DISK, .to = TO_ORGANISERS, .words = words, .word_count = 1};
    int rc = disk_state_note(db, site->disk.low, err);
    return rc ? rc : notice_put(db, &notice, told->now_ms, err);
}

/* Before anything is written in this turn. */
static int look_at_disk(ApiSite *site, int64_t now_ms, Err *err)
{
    DiskTold told = {site, now_ms};
    int rc = disk_room_look(&site->disk, NULL, err);

    if (rc == 0)
        rc = disk_room_keep(&site->disk, err);
    if (rc || site->disk.low == site->disk_told)
        return rc;
    rc = db_transaction(site->db, tell_disk, &told, err); /* once more when it could not be told */
    if (rc == 0)
        site->disk_told = site->disk.low;
    return rc;
}

int api_turn(ApiSite *site, TimeUs now, Err *err)
{
    int64_t now_ms = api_site_now_ms(site);
    int first = look_at_disk(site, now_ms, err);
    int jobs = jobs_collect(site->db, site->spool, handlers, site, now_ms, NULL, err);
    int rc = site_clock_tick(site->clock, now_ms, err);

    if (first == 0)
        first = jobs ? jobs : rc;
    rc = api_sweep(site, now_ms, err);
    if (first == 0)
        first = rc;
    rc = api_events_look(site->events, site->db, now, err);
    return first ? first : rc;
}
