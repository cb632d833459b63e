/* audit_faults.h - whether faults.jsonl lists what the games' lines of the journal count.
 *
 * For:    audit.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: journal/journal.h: a game's faults stand before its line, which says how long the file is
 *         then.
 */
#ifndef WARG_AUDIT_AUDIT_FAULTS_H
#define WARG_AUDIT_AUDIT_FAULTS_H

#include "audit/audit.h"
#include "audit/audit_index.h"

/* Errors: ERR_MEMORY. */
int audit_faults_check(const char *dir, const AuditIndex *index, AuditVerdict *verdict, Err *err);

#endif
