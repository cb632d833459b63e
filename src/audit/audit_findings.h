/* audit_findings.h - whether findings.jsonl lists what the games' lines of the journal count, and
 * is what the lines of sets' ends were told of.
 *
 * For:    audit.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: journal/journal.h: a game's findings stand before its line, which says how long the file
 *         is then; at the end of a set a line has the digest of what was added.
 */
#ifndef WARG_AUDIT_AUDIT_FINDINGS_H
#define WARG_AUDIT_AUDIT_FINDINGS_H

#include "audit/audit.h"
#include "audit/audit_index.h"

/* What it finds goes into `verdict`. Errors: ERR_MEMORY. */
int audit_findings_check(const char *dir, const AuditIndex *index, AuditVerdict *verdict, Err *err);

#endif
