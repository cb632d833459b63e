/* spool.h - jobs as files between a contest's server and its runner.
 *
 * For:    site/job.h, which puts and collects; runner/runner.h, which takes and finishes.
 * Memory: a Spool is freed by spool_close; a SpoolJob by spool_job_done.
 * Thread: one at a time for each Spool; server and runner are processes of their own.
 * Source: docs/spec/contest-operations.md 16.1, 16.2.
 *
 *     DIR/spool/new/JOB.json            to be done
 *     DIR/spool/run/JOB/job.json        it is being done, by who has the lock of
 *                       alive             this file; a free lock: whoever had it died
 *                       tries             how often it was begun without getting on
 *                       stop              the server asks it to end
 *                       cells             spool/spool_cells.h
 *                       out/              what it makes; empty when it begins
 *     DIR/spool/done/JOB/{result.json, job.json, out/}    until the server has taken it over
 *     DIR/spool/runner.json, runner.lock                  spool/spool_status.h
 *
 * Each step is one rename, brought to disk before the next, so that a process that dies at any
 * moment leaves a job in one of the three places. What an interrupted step leaves besides (a folder
 * without job.json) is cleared away by the next one who takes. One runner takes at a time.
 */
#ifndef WARG_SPOOL_SPOOL_H
#define WARG_SPOOL_SPOOL_H

#include "base/buf.h"
#include "spool/spool_head.h"

#define SPOOL_TRIES_MAX  5 /* begun so often without getting on, a job is given up */
#define SPOOL_RESULT_MAX ((size_t)16 * 1024 * 1024)

typedef struct Spool Spool;

/* Makes the folders where they are missing. Errors: ERR_IO, ERR_MEMORY. */
int spool_open(const char *data_dir, Spool **ret_spool, Err *err);
Spool *spool_close(Spool *spool); /* takes NULL, returns NULL */
void spool_closep(Spool **spool);

/* ---- the server ---- */

/* On disk when it returns. The same id twice: nothing, wherever the first one is by then. Errors:
 * ERR_SYNTAX for what spool_head_read refuses, or another id; ERR_IO, ERR_MEMORY. */
int spool_put(Spool *spool, Str id, Str job_json, Err *err);

/* Asks a job to end: one that nobody has begun ends at once, {"ok":true,"stopped":true}. Nothing
 * when it is not there or done. Errors: ERR_IO, ERR_MEMORY. */
int spool_stop(Spool *spool, Str id, Err *err);

/* Hears each job that is done, in the order of ids; `out_dir` holds what it made. A result that is
 * no JSON object is told as one of ours that failed. Errors: those of `hear`, at which it ends;
 * ERR_IO, ERR_MEMORY. */
int spool_each_done(Spool *spool,
                    int (*hear)(void *user, Str id, Str result_json, const char *out_dir, Err *err),
                    void *user, Err *err);

/* When the list of jobs that are done changed last, in ns of the disk's clock: cheap to ask, often.
 * 0 = it can't be told. */
int64_t spool_done_changed(const Spool *spool);

/* After it was taken over: nothing of it is left. Errors: ERR_IO, ERR_MEMORY. */
int spool_forget(Spool *spool, Str id, Err *err);

/* Jobs that wait, and those that are being done. */
typedef struct SpoolCount {
    uint32_t waiting[SPOOL_CLASSES];
    uint32_t running;
} SpoolCount;
int spool_count(Spool *spool, SpoolCount *ret_count, Err *err);

/* ---- the runner ---- */

/* A job that is being done. */
typedef struct SpoolJob {
    SpoolHead head;
    Buf text;       /* job.json */
    Buf folder;     /* .../spool/run/JOB */
    int alive;      /* whose lock says that somebody does it */
    uint32_t tries; /* this one included */
} SpoolJob;
#define SPOOL_JOB_NONE ((SpoolJob){.alive = -1})

/* Lets go of it, as if whoever has it had died. */
void spool_job_done(SpoolJob *job);

/* The job whose turn it is among those of `classes` (1 << SpoolClass, or-ed): those that lost who
 * did them and those that nobody has begun, by class, then the contest that was served least, then
 * by id. One that was begun SPOOL_TRIES_MAX times is finished as {"ok":false,"ours":true} instead.
 * `ret_there`: whether there is one. Errors: ERR_IO, ERR_MEMORY. */
int spool_take(Spool *spool, unsigned classes, SpoolJob *ret_job, bool *ret_there, Err *err);

/* What was written of it is on disk: it has got on, and may die as often again. `folder`: the
 * job's. Errors: ERR_IO. */
int spool_got_on(const char *folder, Err *err);
/* Whether the server asks it to end. */
bool spool_is_stopped(const char *folder);
/* Writes the result of a job whose process ends now; spool_finish with {0} goes on with it. */
int spool_write_result(const char *folder, Str result_json, Err *err);

/* Done: `result_json`, or when it is empty the one that was written. The job is let go of. Errors:
 * ERR_IO (it stays as it was), ERR_MEMORY. */
int spool_finish(Spool *spool, SpoolJob *job, Str result_json, Err *err);
/* To be done by the next one, as if it had never been begun. Errors: as above. */
int spool_give_back(Spool *spool, SpoolJob *job, Err *err);

#endif
