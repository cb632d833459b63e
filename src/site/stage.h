/* stage.h - stages and testing rounds of a contest: which job plays them now, how far they are, who
 * goes on.
 *
 * For:    the clock (site/clock.h), the API's standings and rounds, `warg contest status`.
 * Memory: plain values; everything is borrowed for the call.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 8.1 to 8.4, 16.1.
 *
 *   FROZEN > PRELIMINARY, REVISION > FINAL      stage_begin: a row of `play`, in the transaction
 *   each second while the state lasts           stage_follow: games are imported; a job plays as
 * long as the stage is not over, the contest not paused and nothing waits to be written into its
 * journal the job's result (stage_handle)             OVER: with the rounds that count, and in
 * `advance` who goes on; STOPPED: another job goes on later
 *
 * A stage is played in contests/NAME/play by one job after the other, each of which goes on where
 * the last one has ended, however it ended. A testing round has a folder of its own.
 */
#ifndef WARG_SITE_STAGE_H
#define WARG_SITE_STAGE_H

#include "site/contest.h"
#include "site/contest_home.h"
#include "site/job.h"
#include "site/retry_waits.h"

typedef struct StageTurn {
    Db *db;
    const char *data;   /* the data folder */
    const char *folder; /* from which contest files name others; a path that the runner sees, too */
    const Contest *contest;
    const SiteRules *rules;
    Spool *spool;      /* NULL: nobody plays; jobs stay in the store */
    CellLevel require; /* `cell.require` of server.yml */
    RetryWaits *waits; /* of jobs that failed; NULL: they are put again at once */
    int64_t now_ms;
} StageTurn;

typedef struct StageState {
    bool begun;
    bool over;        /* the stop rule is reached, and who goes on is known */
    bool cut_is_tied; /* who goes on, or who plays, waits for a ruling */
    bool playing;     /* a job is under way */
    bool failing;     /* the last job failed by our fault; another one comes, a minute later */
    uint64_t rounds;  /* that count, when it is over */
    uint64_t games;   /* counted, in the store */
    char why[200];    /* of `cut_is_tied` and `failing` */
} StageState;

/* Stage `stage` of the plan begins, in the caller's transaction; twice changes nothing. Its
 * versions are the active ones by then. Errors: those of the store. */
int stage_begin(const StageTurn *turn, uint32_t stage, Err *err);

/* Does what the stage needs now: imports at most IMPORT_GAMES games, asks a job to stop while the
 * contest is paused or when somebody is gone, or puts the next one, unless rulings wait to be
 * written into the journal. In transactions of its own. `ret_state` as stage_look. Errors: those of
 * the store, of the spool, of the journal. */
int stage_follow(const StageTurn *turn, uint32_t stage, StageState *ret_state, Err *err);
/* While the contest is back in the state before it: its job is asked to stop. Errors: as above. */
int stage_hold(const StageTurn *turn, uint32_t stage, Err *err);

/* Behind a stage: takes over what its journal still gets to say, games that an appeal made void.
 * Errors: those of import_folder. */
int stage_catch_up(const StageTurn *turn, Err *err);

/* How it is, without doing anything. */
int stage_look(const StageTurn *turn, uint32_t stage, StageState *ret_state, Err *err);

/* Who goes on behind a stage that is over, best first. What `hear` returns but 0 ends it. */
int stage_each_advanced(Db *db, int64_t contest, Str stage,
                        int (*hear)(void *user, int64_t team, Str name, Err *err), void *user,
                        Err *err);

/* ---- testing ---- */

/* One round more, now, with all active versions; `ret_round` is its number, from 1, or 0 when
 * nobody has an active version, a round is under way, or the contest takes no versions. In the
 * caller's transaction. */
int testing_begin(const StageTurn *turn, uint32_t *ret_round, Err *err);

/* Begins a round at each time of `testing.at` while the contest takes versions, lets one that was
 * stopped go on, imports what is played. In transactions of its own. */
int testing_follow(const StageTurn *turn, Err *err);

/* ---- results of jobs ---- */

/* Takes over what came of a job of kind "play": a row of the table of handlers. */
JobHandle stage_handle;

#endif
