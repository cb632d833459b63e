/* audit_judging.h - whether the judging of a contest in natural language follows from its secret
 * and from what judges handed in.
 *
 * For:    audit.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 10, 11.5 (8).
 *
 *   reveal, lots of `evaluation` -> key;  tracks/T/main/logs/journal.jsonl -> decided games
 *   key, games, contest.yml, the ledger's `sheets` -> judging/sheets.jsonl, line by line
 *   ratings.jsonl: whole rankings of sheets that were handed in -> scores.json, rates-T.csv
 *   the ledger's `rating`: the digests of these files
 */
#ifndef WARG_AUDIT_AUDIT_JUDGING_H
#define WARG_AUDIT_AUDIT_JUDGING_H

#include "audit/audit.h"

/* Looks at DIR, whose ledger holds; AUDIT_ABSENT when nothing was judged yet. What it finds goes
 * into `verdict`. Errors: ERR_MEMORY. */
int audit_judging_check(const char *dir, AuditVerdict *verdict, Err *err);

#endif
