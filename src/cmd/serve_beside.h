/* serve_beside.h - another command in a thread beside this one.
 *
 * For:    `warg serve nlp ... -- aiwolf ...`: the protocol division in the same process.
 * Memory: a Beside owns its thread; the command line is borrowed until beside_join.
 * Thread: the one that started it; `ended` is called in the new one, as its last act.
 * Source: docs/nlp.md: one process for both divisions.
 *
 * The command finds SIGINT, SIGTERM and SIGHUP handled and leaves them alone (interrupt.h): who
 * handles them passes them on with interrupt_raise.
 */
#ifndef WARG_CMD_SERVE_BESIDE_H
#define WARG_CMD_SERVE_BESIDE_H

#include "base/err.h"

typedef struct Beside Beside;

/* Runs `command` with this line. The option reader has one place in a global: nobody else may read
 * a command line from here on. Errors: ERR_MEMORY, ERR_IO when there is no thread. */
int beside_start(int (*command)(int argc, char **argv, Err *err), int argc, char **argv,
                 void (*ended)(void *user), void *user, Beside **ret_beside, Err *err);
/* Whether it has ended. */
bool beside_has_ended(Beside *beside);
/* Waits for its end and frees it: what it returned, and its error. Takes NULL: 0. */
int beside_join(Beside *beside, Err *ret_err);

#endif
