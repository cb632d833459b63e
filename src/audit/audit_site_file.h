/* audit_site_file.h - whether the contest file that a site's ledger tells of is the one that is
 *                     here, and what it had announced before games were played.
 *
 * For:    audit_site.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 8.2, 11.3, 11.5 (9).
 *
 *   contest: file, stops -> amend: before, file, stops -> ... -> DIR/contest.yml is the last
 */
#ifndef WARG_AUDIT_AUDIT_SITE_FILE_H
#define WARG_AUDIT_AUDIT_SITE_FILE_H

#include "audit/audit.h"

typedef struct json_t json_t;

/* Each amendment is of the file that held, and the one in `dir`, if any, is the last. `entries`:
 * those of the ledger that are about no line of a journal. What it finds goes into `verdict`.
 * Errors: ERR_MEMORY. */
int audit_site_file_check(const char *dir, const json_t *entries, AuditVerdict *verdict, Err *err);

/* Where a stage of rounds has stopped. */
typedef struct SiteStop {
    uint32_t stage; /* its number, by which `stops` of the entries tell */
    Str name;
    int64_t first_game; /* the number of the entry of its first game */
    int64_t date_ms;    /* by which it stopped; 0 = behind its min_games */
} SiteStop;

/* The date by which a stage stopped was announced before its first game. */
void audit_site_file_check_stop(const json_t *entries, const SiteStop *stop, AuditVerdict *verdict);

#endif
