/* process_watch.h - looks at a program again and again, on a thread of its own, so that nobody
 * waits for it.
 *
 * For:    who tries an agent before a contest. Knows no agent.
 * Memory: a ProcessWatch owns what it has seen.
 * Thread: any may call; a callback comes from the caller's own.
 * Source: net/process_use.h.
 *
 * It looks every 50 ms, or so seldom that looking takes no more than a tenth of the time: some
 * milliseconds each where many processes run.
 */
#ifndef WARG_NET_PROCESS_WATCH_H
#define WARG_NET_PROCESS_WATCH_H

#include "base/err.h"
#include "net/process_use.h"

typedef struct ProcessWatch ProcessWatch;

/* Looks at nothing yet. Errors: ERR_MEMORY, ERR_IO (no thread). */
int process_watch_new(ProcessWatch **ret_watch, Err *err);
ProcessWatch *process_watch_free(ProcessWatch *watch); /* takes NULL, returns NULL */

/* From now on at the program that was started as `root`, as process_use_read has it; 0 = at none.
 */
void process_watch_aim(ProcessWatch *watch, int root, uint16_t own_port);
/* What is seen from now on gets this mark. */
void process_watch_mark(ProcessWatch *watch, uint64_t mark);
/* One look now, by who calls. */
void process_watch_look(ProcessWatch *watch);

/* The most of each that was seen at once, and its first process; all zero when nothing was. */
ProcessUse process_watch_use(ProcessWatch *watch);
/* Hears of what was seen, each once, with the mark of its first time. All that is told is
 * forgotten; so are the figures of process_watch_use. */
void process_watch_tell(ProcessWatch *watch,
                        void (*seen)(void *user, ProcessSight what, Str text, uint64_t mark),
                        void *user);

#endif
