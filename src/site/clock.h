/* clock.h - the clock of a contest site: what dates and facts lead to, once each.
 *
 * For:    `warg contest serve`, each second; the organiser's verbs.
 * Memory: a SiteClock borrows store, spool and ledger; site_clock_free frees the rest.
 * Thread: the store's. Time is an argument: a whole season can be simulated.
 * Source: docs/spec/contest-operations.md 2, 15; O3.
 *
 *   for each contest:  facts -> life_step -> one transaction: effects of the rooms, state, trail,
 *                      notices, ledger entry -> behind the commit: ledger and spool are flushed
 *
 * A process that dies anywhere finds the same facts when it comes back, and goes on from there. A
 * clock that is set back fires nothing twice: a state is left once, a notice has its mark.
 */
#ifndef WARG_SITE_CLOCK_H
#define WARG_SITE_CLOCK_H

#include "cell/cell_wish.h"
#include "disk/disk_room.h"
#include "site/contest.h"
#include "site/retry_waits.h"
#include "site/site_ledger.h"
#include "spool/spool.h"
#include "spool/spool_status.h"

typedef struct SiteClock SiteClock;

/* Tells what is so; another one than clock_facts is for tests. */
typedef int ClockFactsDo(void *user, const Contest *contest, const SiteRules *rules, int64_t now_ms,
                         LifeFacts *ret_facts, Err *err);

typedef struct ClockSetup {
    Db *db;
    const char *data;     /* the data folder */
    const char *folder;   /* that of server.yml, from which contest files name others */
    Str host;             /* of public_url, for the origin of ledgers; "localhost" when empty */
    Str listen_host;      /* of server.yml: servers of tracks listen there, too; empty: loopback */
    uint16_t listen_port; /* ... on the ports behind this one; 0 = any free ones */
    CellLevel cell_require; /* of server.yml */
    Spool *spool;           /* NULL: nothing is played */
    SiteLedger *ledger;     /* NULL: entries stay in the store */
    TimeUs (*now)(void);    /* loop_now: what failed waits by it; NULL: it does not wait */
    const DiskRoom *room;   /* low: contests stand still as in a pause; NULL: it is never */
    ClockFactsDo *facts;    /* NULL = clock_facts */
    void *facts_user;
} ClockSetup;

/* Texts of the setup are borrowed for its life. Errors: ERR_MEMORY. */
int site_clock_new(const ClockSetup *setup, SiteClock **ret_clock, Err *err);
SiteClock *site_clock_free(SiteClock *clock); /* takes NULL, returns NULL */
void site_clock_freep(SiteClock **clock);

/* All that is due by now, of all contests. What goes wrong with one holds up no other; the first
 * error is told at the end, with the contest's name in front. */
int site_clock_tick(SiteClock *clock, int64_t now_ms, Err *err);

/* The runner, as it was when this was last looked at. Borrowed until the next look. */
const SpoolRunner *site_clock_runner(const SiteClock *clock);

/* What follows for a contest, or why nothing does: for `status`, pages, GET /contests/C. */
int site_clock_look(SiteClock *clock, const Contest *contest, int64_t now_ms, LifeStep *ret_step,
                    LifeFacts *ret_facts, Err *err);

/* An organiser wants the state `to`: the next one, whatever the date (it comes as soon as all it
 * needs is there; `ret_step` says what that is), the one before, with a reason, or CANCELLED, with
 * a reason. Errors: ERR_RULE for any other, or without a reason. */
int site_clock_ask(SiteClock *clock, int64_t contest, LifeState to, const ContestActor *actor,
                   LifeStep *ret_step, Err *err);

#endif
