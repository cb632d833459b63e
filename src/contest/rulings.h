/* rulings.h - what somebody decides on a finding, in a folder whose contest is not running.
 *
 * For:    `warg contest findings` and `warg contest rule`.
 * Memory: a RulingFolder owns its plan and its lists.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 8.5: no result is edited; a ruling is a line of the
 * journal.
 */
#ifndef WARG_CONTEST_RULINGS_H
#define WARG_CONTEST_RULINGS_H

#include "contest/conducts.h"
#include "journal/finding_firsts.h"

/* Open, for reading. Zero it first. */
typedef struct RulingFolder {
    const char *dir; /* borrowed */
    Plan plan;
    Conducts conducts;
    FindingFirsts evidence;
} RulingFolder;

/* Errors: those of journal_read, plan_read and finding_lines_read; ERR_USAGE when the contest has
 * no rules of conduct.
 */
int ruling_folder_open(RulingFolder *folder, const char *dir, Err *err);
void ruling_folder_done(RulingFolder *folder); /* also for CLEANUP */

/* Appends the findings for people, a line each, or as JSON. Under what a cell has seen stand the
 * first lines of findings.jsonl about it. */
void ruling_folder_write(RulingFolder *folder, bool json, Buf *out);

/* Rules on finding `number`; on disk when it returns. Errors: ERR_USAGE when there is no such
 * finding, or the folder is open in another process; those of the journal. */
int ruling_folder_rule(RulingFolder *folder, uint32_t number, RulingDecision decision, Str reason,
                       int64_t at_ms, Err *err);

#endif
