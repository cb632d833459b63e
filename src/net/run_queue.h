/* run_queue.h - how long the threads of a program had to wait for a processor.
 *
 * For:    who has to say whose fault a late answer is (seat/answer_clock.h). Knows no agent.
 * Memory: a RunQueue owns what it has seen.
 * Thread: one at a time; a look costs some 10 us a thread.
 * Source: docs/spec/contest-operations.md 6.7; Linux, Documentation/scheduler/sched-stats.rst:
 *         /proc/PID/task/TID/schedstat has the time on a processor, the time spent waiting for one,
 *         and a count. A wait is in it when it is over.
 */
#ifndef WARG_NET_RUN_QUEUE_H
#define WARG_NET_RUN_QUEUE_H

#include "net/loop.h"

typedef struct RunQueue RunQueue;

/* What threads did since run_queue_begin. */
typedef struct RunQueueLook {
    TimeUs cpu;   /* all of them, on processors; also of threads and children that have ended, and
                   * all that a process used which was not seen at run_queue_begin */
    TimeUs delay; /* the one that waited longest for one; left out are threads of lowered priority
                   * and those that keep to fewer processors than this program */
    bool waiting; /* one can run and has not run since the last look, or that was too long ago to
                   * tell: what it waits now is not in `delay` yet */
} RunQueueLook;

/* For the process `pid` and what it has started. NULL without memory. */
RunQueue *run_queue_new(int pid);
RunQueue *run_queue_free(RunQueue *queue); /* takes NULL, returns NULL */

/* Looks from now on. False when there is nothing to see: the process is gone, or the kernel counts
 * no delays. Processes that were started within the last 30 s may not be looked at yet: their
 * delays don't count, and what they used does. */
bool run_queue_begin(RunQueue *queue);

/* What happened since, of all processes that are there now; false as above, or before
 * run_queue_begin. Reads all processes of the machine. A program of more than 64 processes has no
 * delay, since one can't tell what it used. */
bool run_queue_since(RunQueue *queue, RunQueueLook *ret_look);

#endif
