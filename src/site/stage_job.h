/* stage_job.h - what a job that plays is told: who plays with which program, until when.
 *
 * For:    site/stage.c.
 * Memory: appended to the caller's Buf.
 * Thread: the store's.
 * Source: runner/job_play.h, which reads it; docs/spec/contest-operations.md 16.1.
 *
 * The same state of the contest gives the same text, so that a job under way is seen to be the
 * right one or not.
 */
#ifndef WARG_SITE_STAGE_JOB_H
#define WARG_SITE_STAGE_JOB_H

#include "site/stage.h"

/* Of stage `stage` of the plan. Everybody who played in the first is listed: who does not go on, or
 * is out, without a program. Errors: those of the store and of version_rules_terms. */
int stage_job_write(const StageTurn *turn, uint32_t stage, Buf *spec, Err *err);

/* Of a testing round with all active versions. `ret_some`: there are some. */
int stage_job_write_testing(const StageTurn *turn, uint32_t round, Buf *spec, bool *ret_some,
                            Err *err);

/* "testing/000007" */
void stage_job_folder(uint32_t round, Buf *out);

#endif
