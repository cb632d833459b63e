/* audit_tracks.h - whether what a site's ledger says of void games of its tracks (natural language)
 *                  is what their journals say, and by whom they were ruled void.
 *
 * For:    audit_site.c.
 * Memory: none that is kept.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.3, 11.5 (9).
 *
 *   the journal's act -> an entry `act` of the track, in their order;  one of an organiser -> a
 *   `ruling` on that game before it;  a `ruling` -> an `act`, when the contest is over
 */
#ifndef WARG_AUDIT_AUDIT_TRACKS_H
#define WARG_AUDIT_AUDIT_TRACKS_H

#include "audit/audit.h"

typedef struct json_t json_t;

/* `entries`: an array of the ledger's entries that are about no line of a journal. What it finds
 * goes into `verdict`. Errors: ERR_MEMORY. */
int audit_tracks_check(const char *dir, const json_t *entries, bool over, AuditVerdict *verdict,
                       Err *err);

#endif
