/* audit_closed.h - rulings of a site's ledger that a journal could not have, and that an organiser
 *                  has closed.
 *
 * For:    audit_site.c, audit_tracks.c.
 * Memory: none; entries that were met get a member that no ledger has.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 8.5, 11.3, 11.5 (9).
 *
 *   ruling {about: "finding", ...} -> ruling {about: "ruling", of: "finding", ..., why, reason}
 */
#ifndef WARG_AUDIT_AUDIT_CLOSED_H
#define WARG_AUDIT_AUDIT_CLOSED_H

#include "audit/audit.h"

typedef struct json_t json_t;

/* Whether an entry closes a ruling, and is none itself. */
bool audit_closed_is(const json_t *entry);

/* Whether the ruling `at` is closed by an entry behind it, which is met by that and closes no
 * other. */
bool audit_closed_take(const json_t *entries, size_t at);

/* Behind all rulings: an entry that was not met closes what was carried out, or was never ruled.
 * How many were met is said in the verdict of a step that holds. */
void audit_closed_check(const json_t *entries, AuditVerdict *verdict);

#endif
