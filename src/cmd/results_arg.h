/* results_arg.h - the folders, journals and databases that a command names, as one database.
 *
 * For:    `warg standings`, `warg report`.
 * Memory: the database is the caller's.
 * Thread: main thread.
 * Source: results/results_all.h.
 */
#ifndef WARG_CMD_RESULTS_ARG_H
#define WARG_CMD_RESULTS_ARG_H

#include "base/exit_status.h"
#include "cli/options.h"
#include "store/db.h"

/* Opens what the arguments name. Logs that are not counted are told of on stderr, and *ret_status
 * is EXIT_DISAGREE then, else EXIT_OK. Errors: ERR_USAGE without an argument; those of
 * results_open_all. */
int results_arg_open(const Options *given, Db **ret_db, Exit *ret_status, Err *err);

/* Tells of a log that is not counted, on stderr. */
void results_arg_left_out(Str why);

#endif
