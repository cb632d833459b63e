/* judging_turn.h - judging as time goes on: sheets are made when their key is known, models are
 *                  asked by jobs, what they said is taken over.
 *
 * For:    the clock, jobs_collect.
 * Memory: none is kept.
 * Thread: the store's; in the caller's transaction.
 * Source: docs/spec/contest-operations.md 10, 11.1.
 */
#ifndef WARG_SITE_JUDGING_TURN_H
#define WARG_SITE_JUDGING_TURN_H

#include "base/json.h"
#include "site/contest.h"
#include "site/contest_home.h"
#include "site/job.h"
#include "site/retry_waits.h"

/* Games that all judges and models rate first, of the first track. */

typedef struct JudgingTurn {
    Db *db;
    ContestHome home;
    const SiteRules *rules;
    RetryWaits *waits; /* between jobs of models; NULL: nothing waits */
    int64_t now_ms;
} JudgingTurn;

/* Makes the sheets of all tracks once the lots of `evaluation` are settled, and puts a job for each
 * model with sheets that are open. Errors: those of lots_read, site_secret_read, sheets_make. */
int judging_follow(const JudgingTurn *turn, Err *err);

/* Sheets that are not handed in; at least 1 before they are made. */
int judging_missing(const JudgingTurn *turn, uint32_t *ret_missing, Err *err);

/* Writes what of judging is published (judging/judging_files.h), as it stands, and its digests into
 * the ledger. */
int judging_publish(const JudgingTurn *turn, Err *err);
/* The value of scores.json. */
int judging_scores(const JudgingTurn *turn, Json *json, Err *err);

/* Takes over what a model judge's job came to: {"ratings":[...]} of runner/job_judge.h. */
JobHandle judging_take_over;

#endif
