/* log_games.h - `warg log list`: the games of folders of results or logs, with where their logs
 * lie.
 *
 * For:    cmd_log.c.
 * Memory: constant table.
 * Thread: main thread.
 * Source: journal/journal.h: the journal knows who sat where, who won and what went wrong.
 */
#ifndef WARG_CMD_LOG_GAMES_H
#define WARG_CMD_LOG_GAMES_H

#include "base/err.h"
#include "cli/options.h"

#define LOG_GAMES_OPTION_COUNT 7
extern const Option log_games_options[LOG_GAMES_OPTION_COUNT];
/* For the verb's Usage. */
#define LOG_GAMES_OPTIONS log_games_options, LOG_GAMES_OPTION_COUNT

/* As cmd_log's verb; `usage` is its own. */
int log_games(const Usage *usage, int argc, char **argv, Err *err);

#endif
