/* job.h - what the runner is to do for a contest, as rows of the store: put into the spool behind
 * the commit, taken over from it in one transaction with all that follows.
 *
 * For:    whoever has something unpacked, checked, played, judged or proven.
 * Memory: a JobRow owns its texts; job_row_done frees them.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 16.1, 16.2; O6.
 *
 *   job_put in the caller's transaction          NEW
 *   -> jobs_flush, behind the commit             PUT: it is in the spool
 *   -> the runner does it
 *   -> jobs_collect: one transaction             DONE, FAILED or STOPPED, with what its kind's
 *                                                handler changes
 *   -> the spool forgets it
 *
 * A process that dies between two of these steps finds the same again when it comes back: a job is
 * put once by its id, and taken over once by its row's state.
 */
#ifndef WARG_SITE_JOB_H
#define WARG_SITE_JOB_H

#include "base/buf.h"
#include "base/id_source.h"
#include "spool/spool.h"
#include "spool/spool_status.h"
#include "store/db.h"

typedef struct json_t json_t;

#define CONTEST_OF_SERVER 0 /* of a job that belongs to no contest */

typedef enum JobState {
    JOB_NEW,
    JOB_PUT,
    JOB_DONE,
    JOB_FAILED,  /* for us: a cell could not be made, a disk was full; nobody else is blamed */
    JOB_STOPPED, /* on request, or before it had begun */
    JOB_STATES,
} JobState;

typedef struct JobRow {
    Buf id, kind;
    int64_t contest;
    Buf contest_name; /* "" for CONTEST_OF_SERVER */
    Buf spec;         /* as it was given to job_put */
    JobState state;
    int64_t created_ms, ended_ms; /* 0 = not yet */
    Buf result;                   /* as the runner wrote it; empty = none yet */
} JobRow;

void job_row_done(JobRow *row); /* also for CLEANUP; a zeroed one is fine */

/* ---- asking ---- */

/* A new job in the caller's transaction. `spec_json`: an object with what its kind needs; the spool
 * gets it with "job", "kind" and "contest" in front. Errors: ERR_RULE for what is no object; those
 * of the store. */
int job_put(Db *db, int64_t contest, const char *kind, Str spec_json, int64_t now_ms,
            char ret_id[static ID_ULID_BYTES], Err *err);

/* Puts NEW rows into the spool. Behind a commit, and at start. Errors: those of spool_put; rows
 * that are not there yet stay NEW. */
int jobs_flush(Db *db, Spool *spool, Err *err);

/* Asks a job to end; what was done is kept, and its handler hears it. Nothing for one that is over.
 * Errors: ERR_RULE when there is none; those of spool_stop. */
int job_stop(Db *db, Spool *spool, Str id, Err *err);

/* A new job like one that FAILED or was STOPPED. Errors: ERR_RULE for any other. */
int job_retry(Db *db, Str id, int64_t now_ms, char ret_id[static ID_ULID_BYTES], Err *err);

/* ---- taking over ---- */

/* What came of a job. Borrowed. */
typedef struct JobOutcome {
    JobState state;       /* DONE, FAILED or STOPPED */
    const json_t *result; /* the object that the kind writes, with "ok" and so on */
    Str why;              /* of FAILED */
    const char *out_dir;  /* what it made; gone when the handler has returned */
} JobOutcome;

/* Takes over one job, in the transaction that ends it. An error of ERR_RULE, ERR_SYNTAX or
 * ERR_LIMIT makes the job FAILED with that sentence; any other leaves all as it was, to be tried
 * again. */
typedef int JobHandle(Db *db, const JobRow *job, const JobOutcome *outcome, int64_t now_ms,
                      void *user, Err *err);

/* The handler of a kind; a kind without one is only noted. */
typedef struct JobHandler {
    const char *kind; /* NULL ends a table */
    JobHandle *take_over;
} JobHandler;

/* Takes over all that is done. `ret_count`: how many (may be NULL). Errors: those of the store, of
 * the spool, and of handlers that are to be tried again. */
int jobs_collect(Db *db, Spool *spool, const JobHandler *handlers, void *user, int64_t now_ms,
                 uint32_t *ret_count, Err *err);

/* ---- looking ---- */

/* `id` is empty when there is none. */
int job_find(Db *db, Str id, JobRow *ret_row, Err *err);

/* Those of a contest, newest first, at most `limit`. */
int job_each(Db *db, int64_t contest, uint32_t limit,
             int (*hear)(void *user, const JobRow *row, Err *err), void *user, Err *err);

/* Jobs that are not over. */
typedef struct JobsOpen {
    uint32_t doing, waiting;
    int64_t oldest_ms; /* when the oldest of those that wait was made; 0 = none */
} JobsOpen;

/* Those of a contest; of all, with CONTEST_OF_SERVER. What a runner does that lives is under way,
 * all else waits; NULL = no runner. Errors: those of the store, ERR_MEMORY. */
int jobs_open_count(Db *db, int64_t contest, const SpoolRunner *runner, JobsOpen *ret_open,
                    Err *err);

/* How many of all contests have come to each end: DONE, FAILED, STOPPED; 0 for other states.
 * Errors: those of the store. */
int jobs_ended_count(Db *db, uint64_t ret_counts[static JOB_STATES], Err *err);

/* "NEW", ...; "" for JOB_STATES. */
const char *job_state_name(JobState state);
bool job_state_of(Str name, JobState *ret_state);

#endif
