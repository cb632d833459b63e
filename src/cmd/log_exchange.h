/* log_exchange.h - exchange records on the command line: `warg log exchange`, and those of the
 *                  folders that `warg log check` is given.
 *
 * For:    cmd_log.c.
 * Memory: constant table.
 * Thread: main thread.
 * Source: record/exchange.h, contest/exchange_folder.h.
 */
#ifndef WARG_CMD_LOG_EXCHANGE_H
#define WARG_CMD_LOG_EXCHANGE_H

#include "cli/options.h"

#define LOG_EXCHANGE_OPTION_COUNT 3
extern const Option log_exchange_options[LOG_EXCHANGE_OPTION_COUNT];
/* For the verb's Usage. */
#define LOG_EXCHANGE_OPTIONS log_exchange_options, LOG_EXCHANGE_OPTION_COUNT

/* As cmd_log's verb; `usage` is its own. */
int log_exchange(const Usage *usage, int argc, char **argv, Err *err);

/* Of `warg log check`: the records in those of its arguments that are folders of --out, each played
 * again. Prints what came of them, with `quiet` only what is not ok. */
int log_exchange_check(const Options *given, bool json, bool quiet, bool *ret_ok, Err *err);

#endif
