/* audit_conduct.h - whether rulings are about what the games have shown.
 *
 * For:    audit.c.
 * Memory: none is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 8.5, 11.5 (6).
 *
 * A rule is broken by so many of a hundred games, and somebody rules when it is: clean games that
 * follow, and games that become void behind that, change nothing of it. So a ruling needs a moment
 * of the journal at which the rule was broken. Which games were void by then the journal does not
 * say; what they show counts here, and they themselves do not.
 */
#ifndef WARG_AUDIT_AUDIT_CONDUCT_H
#define WARG_AUDIT_AUDIT_CONDUCT_H

#include "audit/audit.h"
#include "audit/audit_index.h"
#include "match/plan.h"

/* Reads the journal of `dir` once more where somebody was ruled on, or rules carry themselves out
 * (`confirm: false`): then whom they eliminate is ruled on when the contest is over, but that of a
 * server. What it finds goes into `verdict`. What is wrong with the journal itself is told by its
 * own step. Errors: ERR_MEMORY. */
int audit_conduct_check(const char *dir, const Plan *plan, const AuditIndex *index, bool served,
                        AuditVerdict *verdict, Err *err);

#endif
