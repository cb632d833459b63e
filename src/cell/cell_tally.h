/* cell_tally.h - how many strict cells this process has made, and what became of them.
 *
 * For:    who starts programs of strangers, which counts; a job's process, which tells the runner.
 * Memory: one for the process.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 13 (/metrics), 16.2: what an operator watches.
 */
#ifndef WARG_CELL_CELL_TALLY_H
#define WARG_CELL_CELL_TALLY_H

#include "net/child.h"

#include <stdint.h>

typedef enum CellFate {
    CELL_ENDED,          /* in order, or as it was asked to */
    CELL_NOT_MADE,       /* this machine could not make it */
    CELL_KILLED,         /* from outside: for lack of memory, by somebody */
    CELL_PROGRAM_FAILED, /* its program ended by itself, with an error */
    CELL_FATES,
} CellFate;

/* `begun`, `used`: whether its news said so (cell_news.h). */
CellFate cell_fate_of(bool begun, bool used, const ChildEnd *how);

typedef struct CellTally {
    uint64_t started;
    uint64_t ended[CELL_FATES]; /* of those */
} CellTally;

void cell_tally_start(void);
void cell_tally_end(CellFate fate);
/* What was counted by now: never more ends than starts. */
CellTally cell_tally(void);

/* Calls `changed` behind each change, in the thread that made it; several may call at once. NULL =
 * nobody any more. Set it while there is one thread. */
void cell_tally_hear(void (*changed)(void *user), void *user);

#endif
