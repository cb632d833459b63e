/* audit_site_chance.h - whether what a contest was drawn by is what its site committed to, and lots
 *                       were entered, opened and told in the order in which they prove something.
 *
 * For:    audit_site.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.1, 11.5 (3).
 *
 *   commit of each stage -> entries of lots -> freeze -> lots are opened -> lots -> reveal
 */
#ifndef WARG_AUDIT_AUDIT_SITE_CHANCE_H
#define WARG_AUDIT_AUDIT_SITE_CHANCE_H

#include "audit/audit.h"
#include "match/plan.h"

typedef struct json_t json_t;

/* `entries`: those of the ledger that are about no line of a journal. `over`: the contest has
 * ended, so that nothing may be missing. What it finds goes into `verdict`. */
void audit_site_chance_check(const json_t *entries, const Plan *plan, bool over,
                             AuditVerdict *verdict);

#endif
