/* audit_site.h - what a contest site's ledger says besides the lines of its journal: whether it was
 * said in the order in which it proves something, and is what the journal was played by.
 *
 * For:    audit.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.1, 11.3, 11.5 (3), (4), (9).
 *
 *   commit of each stage -> entries of lots -> freeze: its versions -> lots are opened, beacon ->
 *   lots -> its games -> reveal;  a ruling or a void game of the journal has its entry
 */
#ifndef WARG_AUDIT_AUDIT_SITE_H
#define WARG_AUDIT_AUDIT_SITE_H

#include "audit/audit.h"
#include "match/plan.h"

/* Looks at DIR/ledger.jsonl, which holds, and DIR/journal.jsonl; AUDIT_ABSENT for a ledger of a
 * journal alone. What it finds goes into `verdict`. `over`: the contest has ended, so that nothing
 * may be missing. Errors: ERR_MEMORY. */
int audit_site_check(const char *dir, const Plan *plan, bool over, AuditVerdict *verdict, Err *err);

#endif
