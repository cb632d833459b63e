/* plan_cell.h - whether the programs of a plan can be put into strict cells: plan_check of plan.h.
 *
 * For:    match/plan.c.
 * Memory: none.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.4: a program sees its own folder and nothing of others.
 */
#ifndef WARG_MATCH_PLAN_CELL_H
#define WARG_MATCH_PLAN_CELL_H

#include "match/plan.h"

/* In a strict cell each program that is not ours needs a folder of its own, which holds no other
 * agent's. Errors: ERR_USAGE, ERR_MEMORY. */
int plan_check_cell(const Plan *plan, Err *err);

#endif
