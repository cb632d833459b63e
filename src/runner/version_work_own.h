/* version_work_own.h - what the pieces of work on a version share.
 *
 * For:    src/runner/version_*.c.
 * Memory: the caller's.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 5, 7.
 */
#ifndef WARG_RUNNER_VERSION_WORK_OWN_H
#define WARG_RUNNER_VERSION_WORK_OWN_H

#include "archive/remark.h"
#include "runner/version_work.h"
#include "runner/workshop.h"

/* A path below a folder of the place. Errors: ERR_MEMORY. */
int work_path(const char *folder, const char *name, Buf *ret_path, Err *err);
/* Makes a folder anew, with this mode. */
int work_folder(const char *folder, const char *name, unsigned mode, Buf *ret_path, Err *err);
/* TREES/DIGEST of the work. */
int work_tree(const WorkPlace *place, const VersionWork *work, Buf *ret_path, Err *err);
/* Gives a settled folder its name among the trees, or removes it where there is one already; its
 * digest becomes the work's. */
int work_keep_tree(const WorkPlace *place, const char *folder, VersionWork *work, Err *err);

/* Adds a step to the report: what it came to, how long it took since `began`, its figures (members
 * of JSON, may be empty), the last lines of what was printed (may be empty). Of one that failed
 * `why` is what the team has to change, and the report is written. */
void work_add_step(const WorkPlace *place, VersionWork *work, const char *step, TimeUs began,
                   Str figures, Str why, Str output);

/* The whole report; `check` is NULL when it has not come so far. */
int work_write_report(VersionWork *work, const AgentCheck *check, Err *err);

/* What is said of a command in a cell that failed. */
typedef struct WorkRemarks {
    RemarkCode late, killed, failed;
} WorkRemarks;

/* How a command in a cell failed that was to be somebody's; false = it is done. Appends a sentence.
 */
bool work_failed(const Workshop *shop, const WorkshopEnd *end, const WorkRemarks *remarks,
                 Buf *why);

#endif
