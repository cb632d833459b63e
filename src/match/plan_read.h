/* plan_read.h - a plan from the text of its journal: what was played, without the contest file.
 *
 * For:    whoever looks at a folder of --out: audits, `warg log exchange`.
 * Memory: the plan owns what was read.
 * Thread: any.
 * Source: plan_json of match/plan.h.
 */
#ifndef WARG_MATCH_PLAN_READ_H
#define WARG_MATCH_PLAN_READ_H

#include "match/plan.h"

#define PLAN_JSON_MAX ((size_t)1024 * 1024)

/* Reads what plan_json has written, of this build or an earlier one, into a plan made by plan_init.
 * What such a text does not hold stays as it is: folders, limits, tables, the key itself.
 * Errors: ERR_SYNTAX, ERR_RULE, ERR_USAGE with line and column; ERR_LIMIT, ERR_MEMORY; ERR_SYNTAX
 * when the plan that was read does not say the same as the text. */
int plan_read(Str json, Plan *plan, Err *err);

#endif
