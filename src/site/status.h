/* status.h - how a contest stands, short enough to be read at night.
 *
 * For:    `warg contest status`, the organiser's page.
 * Memory: a SiteStatus owns its texts; site_status_done frees them.
 * Thread: the store's; reads alone, so that it works beside a server, and without one.
 * Source: docs/spec/contest-operations.md 14.
 */
#ifndef WARG_SITE_STATUS_H
#define WARG_SITE_STATUS_H

#include "cell/cell_wish.h"
#include "site/contest.h"
#include "site/disk_state.h"
#include "site/job.h"
#include "spool/spool_status.h"

typedef struct SiteStatus {
    Buf name;
    LifeState state;
    bool paused;
    int64_t since_ms; /* it is in this state */
    LifeStep step;    /* what follows, or why nothing does */
    int64_t next_ms;  /* the next date that leads somewhere, LIFE_NO_DATE */
    const char *next; /* its key */
    bool bad_file;

    uint64_t games;          /* counted, in all stages */
    Buf rounds;              /* "5p round 31, 15p round 30" of the stage; may be empty */
    uint64_t seats, excused; /* of counted games, and answers that a busy machine was late for */

    SpoolRunner runner;
    JobsOpen jobs;

    uint32_t teams, ready, teams_waiting;
    uint32_t findings; /* to rule on */
    uint32_t failed;   /* rulings that were not carried out, to be closed */
    int64_t finding_oldest_ms;
    uint32_t appeals, sheets_missing;
    uint32_t notices_waiting, notices_failed;

    uint64_t ledger;
    int64_t checkpoint_ms; /* 0 = none */
    DiskRoom disk;         /* as the server sees it: while it is low contests stand still */
    int64_t backup_ms;     /* 0 = never */
} SiteStatus;

void site_status_done(SiteStatus *status); /* also for CLEANUP */

typedef struct StatusPlace {
    Db *db;
    const char *data;
    const char *folder;
    CellLevel cell_require;
    DiskRoom disk; /* what is to be kept; `data` and the rest are filled in */
} StatusPlace;

/* Errors: those of the store. */
int site_status_read(const StatusPlace *place, const Contest *contest, int64_t now_ms,
                     SiteStatus *ret_status, Err *err);

/* Five lines. */
void site_status_print(const SiteStatus *status, int64_t now_ms, bool japanese, Buf *out);
/* The same as one object. */
void site_status_json(const SiteStatus *status, int64_t now_ms, Buf *out);

#endif
