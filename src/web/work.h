/* work.h - what takes too long for a loop: jobs for a few threads, whose results come back to it.
 *
 * For:    documents, folders that are looked through, search.
 * Memory: a job is its owner's from work_add until `done` or `drop`, which frees it.
 * Thread: the loop's, but for WorkJob.run.
 * Source: docs/spec/web.md 11.8: two at once, 32 waiting.
 */
#ifndef WARG_WEB_WORK_H
#define WARG_WEB_WORK_H

#include "net/loop.h"

#define WORK_THREADS 2
#define WORK_WAITING 32

typedef struct Work Work;

/* The first member of whatever is to be done. */
typedef struct WorkJob {
    void (*run)(struct WorkJob *job);              /* on a thread: nothing that the loop changes */
    void (*done)(struct WorkJob *job, TimeUs now); /* on the loop, when it has run */
    void (*drop)(struct WorkJob *job); /* instead of `done`: work_free. Nobody is answered */
    struct WorkJob *next;              /* Work's own */
} WorkJob;

/* So many threads for jobs, and as many for chores, which may take minutes: nobody waits for those.
 * They start with the first that is to be done. Errors: ERR_MEMORY, ERR_IO. An open Work keeps the
 * loop running. */
int work_open(Loop *loop, unsigned threads, Work **ret_work, Err *err);
/* Waits for the jobs that run; all that are left are dropped. Takes NULL, returns NULL. */
Work *work_free(Work *work);

/* False when WORK_WAITING wait already: the job is the caller's still. */
bool work_add(Work *work, WorkJob *job);
/* A job whose owner counts how many wait: it is never refused. */
void work_add_counted(Work *work, WorkJob *job);
/* One that nobody waits for, however many there are. */
void work_add_chore(Work *work, WorkJob *job);
/* Jobs that wait, chores not counted. */
unsigned work_waiting(Work *work);

#endif
