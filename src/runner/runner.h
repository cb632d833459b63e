/* runner.h - does what a contest's server asks for: takes jobs from the spool, each in a process of
 * its own.
 *
 * For:    `warg contest runner DIR`, `warg contest job DIR JOB`; rooms that have a kind of jobs.
 * Memory: borrows everything; a JobPlace lives as long as its job's process.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 16.1.
 *
 * The runner never opens the store. It writes in spool/run/JOB/, trees/ and the folders of
 * contests. A job's process dies with it, and cells with that; the next runner goes on from what is
 * on disk.
 */
#ifndef WARG_RUNNER_RUNNER_H
#define WARG_RUNNER_RUNNER_H

#include "base/err.h"
#include "base/exit_status.h"
#include "base/json.h"
#include "base/time_us.h"
#include "spool/spool.h"

typedef struct json_t json_t;

/* Where a job is done. Borrowed. */
typedef struct JobPlace {
    const char *data; /* the data folder */
    const char *id;
    const char *folder;   /* .../spool/run/JOB */
    const char *out;      /* .../spool/run/JOB/out: for what the server is to take over */
    uint32_t tables;      /* games at once, as Plan.tables */
    uint32_t tries;       /* begun so often without getting on, this time included */
    const char *own_verb; /* of the running program, for cells: match/agent_cell.h */
    unsigned umask;       /* that agents have */
    DateMs *date;
    TimeUs (*now)(void);
} JobPlace;

/* Whether the job is to end now, with what it has: the server asks, or the runner ends. */
bool job_place_stopped(const JobPlace *place);
/* Something is on disk that need not be done again. */
void job_place_got_on(const JobPlace *place);

/* Does one job. Members of what came of it go into `result`, an open object; the runner adds "ok".
 * One that was stopped adds "stopped":true. Whatever a team has done wrong is a result. Errors are
 * ours, whatever they are: the job failed, and nobody is blamed. */
typedef int JobDo(const JobPlace *place, const json_t *job, Json *result, Err *err);

typedef struct JobKind {
    const char *kind; /* NULL ends a table */
    JobDo *act;
} JobKind;

/* All kinds that there are: runner/job_kinds.c. */
extern const JobKind job_kinds[];

typedef struct RunnerSetup {
    const char *data;         /* the data folder */
    const char *const *start; /* the words that start a job's process; the data folder and the job
                                 come behind them; ended by NULL */
    uint32_t tables; /* at once for each job, as Plan.tables; PLAN_TABLES_AUTO = as many as there is
                        room for */
    const char *own_verb;
    DateMs *date;
    int32_t server; /* the process of the server whose child it is; 0 = nobody's */
    TimeUs hold;    /* so long nothing of a kind begins that found the disk full; 0 = a minute */
} RunnerSetup;

/* The exit status of a job's process that found the disk full: it has not failed. */
#define RUNNER_DISK_FULL EXIT_WAITING

/* Until SIGINT or SIGTERM, at which jobs under way are given back. So are those that have no room
 * on the disk: they go on when there is some, and do not count as begun. A server's child outlives
 * it, so that games go on: it ends when nothing is left to do, or gives its place to the child of
 * the next server. Errors: ERR_USAGE when there is another runner, which does not give its place
 * within 30 seconds to a server's child; ERR_IO, ERR_MEMORY. */
int runner_run(const RunnerSetup *setup, Err *err);

/* A job's process: does the job and writes its result, unless it was interrupted. 0 also for a job
 * that failed. RUNNER_DISK_FULL, and `err` says what for: there is no result. Errors: the job can't
 * be read, or the result not be written. */
int runner_do_job(const JobPlace *place, Str job_json, Err *err);

#endif
