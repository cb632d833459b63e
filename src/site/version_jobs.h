/* version_jobs.h - a version on its way: which job follows which, and what becomes of it then.
 *
 * For:    the site's doors, which hand in files; the server, which takes jobs over.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 2 (states of a version), 5, 7, 11.3, 16.2; O14.
 *
 *   the file has come    -> job unpack   RECEIVED
 *   unpack done          -> job build    UNPACKED    organisers hear of equal trees
 *   build done           -> job check    CHECKING
 *   check passed         ->              PASSED, ACTIVE
 *   any says "refused"   ->              REFUSED
 *
 * What failed by our fault is asked for again, VERSION_JOB_TRIES times in all; then organisers hear
 * of it, and the version waits where it is for a retry. The contest's terms are those of the moment
 * at which the file came.
 */
#ifndef WARG_SITE_VERSION_JOBS_H
#define WARG_SITE_VERSION_JOBS_H

#include "site/job.h"
#include "site/version_rules.h"

#define VERSION_JOB_TRIES 5

/* Its first job. In the caller's transaction, which is to be that of version_has_file. Errors:
 * those of version_rules_terms, job_put. */
int version_jobs_begin(Db *db, int64_t id, const SiteRules *rules, CellLevel require,
                       int64_t now_ms, Err *err);

/* The file of a version has come: version_has_file, what the team is told, the first job; one
 * transaction. `ret_drops` as there. */
typedef struct VersionFile {
    int64_t id;
    Str sha256;
    uint64_t bytes;
    const SiteRules *rules;
    CellLevel require; /* `cell.require` of server.yml */
} VersionFile;
int version_take_file(Db *db, const VersionFile *file, int64_t now_ms, Buf *ret_drops, Err *err);

/* Rows for the server's table of handlers (site/job.h): kinds "unpack", "build", "check". `user` is
 * not looked at. */
JobHandle version_job_unpacked, version_job_built, version_job_checked;

#endif
