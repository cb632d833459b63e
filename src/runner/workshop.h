/* workshop.h - one command in a strict cell with a folder that it may fill, to its end: what
 * unpacks and builds the files of strangers.
 *
 * For:    runner/version_work.h.
 * Memory: a WorkshopEnd owns its text; workshop_end_done frees it.
 * Thread: main thread; runs a loop of its own.
 * Source: docs/spec/contest-operations.md 5.2.
 */
#ifndef WARG_RUNNER_WORKSHOP_H
#define WARG_RUNNER_WORKSHOP_H

#include "base/time_us.h"
#include "cell/cell_wish.h"
#include "net/child.h"

#define WORKSHOP_OUTPUT (64 * 1024) /* bytes that are kept */

typedef struct Workshop {
    const char *own_verb; /* as in cell_new */
    CellWish wish;        /* level, limits; `write` is the folder that it fills, made for anybody */
    const char *folder;   /* shown as its own, where it runs; not to be written */
    const char *command;  /* of /bin/sh */
    const char *input;    /* a file that is its standard input; NULL = none */
    const char *log;      /* a file for what it prints; made anew */
    const char *const *environment; /* besides the usual, "NAME=VALUE", NULL-terminated */
    uint32_t seconds;               /* by the clock on the wall, then it is ended */
} Workshop;

typedef struct WorkshopEnd {
    ChildEnd how;
    bool late;  /* it was ended at `seconds` */
    Buf output; /* all that it printed, as it came */
} WorkshopEnd;

void workshop_end_done(WorkshopEnd *end); /* also for CLEANUP */

/* Errors are ours, whatever they are: ERR_IO when the cell can't be had or was killed from outside,
 * ERR_MEMORY. */
int workshop_run(const Workshop *shop, WorkshopEnd *ret_end, Err *err);

#endif
