/* play_plan.h - the plan of a job that plays: the contest's file, who plays, secrets and lots.
 *
 * For:    runner/job_play.c.
 * Memory: fills the caller's plan; texts are the plan's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 8.1, 11.1, 16.1.
 *
 * The same job gives the same plan, and so do all jobs of one contest but for what is no part of a
 * plan: which program plays under a name, until when a stage goes on, lots (match/plan.h).
 */
#ifndef WARG_RUNNER_PLAY_PLAN_H
#define WARG_RUNNER_PLAY_PLAN_H

#include "match/plan.h"

typedef struct json_t json_t;

/* How bots are called that fill up a testing round: "sample1", ...; no team's name can end so where
 * teams of a contest are told apart by it. */
#define PLAY_FILL "sample"

/* Fills a plan made by plan_init. `data`: the data folder. Errors: ERR_SYNTAX for a job that can't
 * be read; ERR_IO; ERR_RULE for a tree whose files are not those of its digest, or a version that
 * can't be started; those of contest_text_load and plan_check. */
int play_plan_make(const char *data, const json_t *job, Plan *plan, Err *err);

/* The stage that is played: its number in the plan. */
uint32_t play_plan_stage(const json_t *job);

#endif
