/* audit_strikes.h - whether a site's ledger tells of findings that the games show, and of all that
 *                   are more than noted.
 *
 * For:    audit_site.c.
 * Memory: an AuditStrikes owns its lists; zero it first.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 8.5, 11.5 (6).
 */
#ifndef WARG_AUDIT_AUDIT_STRIKES_H
#define WARG_AUDIT_AUDIT_STRIKES_H

#include "audit/audit.h"
#include "contest/conducts.h"

typedef struct json_t json_t;

typedef struct AuditStrikes {
    Conducts shown;   /* by all games: a finding may be told before its game becomes void */
    Conducts counted; /* by those that count */
    GameRecord *scratch;
} AuditStrikes;

void audit_strikes_done(AuditStrikes *strikes); /* also for CLEANUP */

/* A game of the journal. Errors: ERR_MEMORY. */
int audit_strikes_add(AuditStrikes *strikes, const GameRecord *record, Err *err);

/* Whether the rules alone eliminate somebody for this by what the games so far show, whichever of
 * them were void by then. */
bool audit_strikes_eliminate(const AuditStrikes *strikes, const Plan *plan,
                             const JournalRuling *ruling);
/* A ruling of the journal, behind that: dismissed strikes add up to nothing. Errors: ERR_MEMORY. */
int audit_strikes_rule(AuditStrikes *strikes, const JournalRuling *ruling, Err *err);

/* `entries`: an array of the ledger's entries that are about no line of a journal. `over`: no
 * finding may be missing. What it finds goes into `verdict`. */
void audit_strikes_check(const AuditStrikes *strikes, const Plan *plan, const json_t *entries,
                         bool over, AuditVerdict *verdict);

#endif
