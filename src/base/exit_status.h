/* exit_status.h - what `warg` ends with, and what each number means: one list for all commands.
 *
 * For:    main.c, the commands whose results can mislead, --help, JSON results.
 * Memory: constant text.
 * Thread: any.
 * Source: the numbers up to 4 and 130 as shells and compilers use them; 5 and 6 are warg's own.
 *         Each means the same for every command.
 *
 * When several hold, the higher one wins; but output that was lost (3) comes before 5 and 6, for
 * then nobody has seen the result that they are about.
 */
#ifndef WARG_BASE_EXIT_STATUS_H
#define WARG_BASE_EXIT_STATUS_H

#include "base/buf.h"

/* Listed in --help and man/warg.1.scd. */
typedef enum Exit {
    EXIT_OK = 0,
    EXIT_DISAGREE = 1,      /* the check found a disagreement, or the result is a failure */
    EXIT_USAGE = 2,         /* the command line asks for something that is not possible */
    EXIT_INPUT = 3,         /* an input can't be read, or an output can't be written */
    EXIT_INTERNAL = 4,      /* no memory, or a mistake of ours */
    EXIT_NOT_OWN = 5,       /* many decisions were not a model's own */
    EXIT_NOT_RANKED = 6,    /* an agent never played, or too little to be ranked */
    EXIT_WAITING = 7,       /* a stage waits for lots, a beacon or rulings; a job for room on
                             * the disk */
    EXIT_INTERRUPTED = 130, /* ended early by Ctrl-C, as a shell says it */
} Exit;

/* The status of two that hold: the higher one. */
Exit exit_status_of_both(Exit a, Exit b);

/* "ok", "decisions-not-own", "agent-not-ranked": the member "status" of JSON results; "" for a
 * status that no result has. */
const char *exit_status_word(Exit status);

/* Appends the lines of --help for the statuses above 4 that a command ("run", "serve aiwolf") may
 * end with; nothing for the others. */
void exit_status_help(Str command, Buf *out);

#endif
