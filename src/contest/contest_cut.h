/* contest_cut.h - who goes on behind a stage: ranks, extra rounds among the tied, lots.
 *
 * For:    contest_run.c.
 * Memory: none is kept.
 * Thread: that of contest_run.
 * Source: docs/spec/contest-operations.md 8.4; match/cut.h.
 */
#ifndef WARG_CONTEST_CONTEST_CUT_H
#define WARG_CONTEST_CONTEST_CUT_H

#include "contest/contest_stage.h"

/* The best of a stage that was played, as result->standings has them, go on: they are what is left
 * in `agents`, of which there are *count. Leaves *count alone when the contest was stopped. Errors:
 * those of playing an extra round, and of the journal. */
int contest_cut_advance(ContestPlay *contest, uint32_t stage, PlanAgent *agents, uint32_t *count,
                        ContestResult *result, Err *err);

#endif
