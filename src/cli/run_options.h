/* run_options.h - the options of `warg run`, and the plan that they and a contest file make.
 *
 * For:    `warg run`.
 * Memory: fills the caller's Plan; on an error it is half filled, drop it with plan_done.
 * Thread: main thread.
 * Source: docs/contest.md; docs/spec/protocol-division.md 8.
 */
#ifndef WARG_CLI_RUN_OPTIONS_H
#define WARG_CLI_RUN_OPTIONS_H

#include "cli/options.h"
#include "cli/pages_arg.h"
#include "match/plan.h"

/* Their rows. */
typedef enum RunOption {
    RUN_RULES,
    RUN_PLAYERS,
    RUN_GAMES,
    RUN_SETS,
    RUN_MIN_GAMES,
    RUN_GAMES_PER_SET,
    RUN_AGENT,
    RUN_ROLES,
    RUN_PAIRING,
    RUN_STARTER,
    RUN_OUT,
    RUN_OPEN_RESULTS,
    RUN_PROMPTS,
    RUN_RESUME,
    RUN_TABLES,
    RUN_CELL,
    RUN_DRY_RUN,
    RUN_LIKE,
    RUN_PRICES,
    RUN_OWN_SHARE,
    RUN_OPINIONS,
    RUN_TIME_LIMIT,
    RUN_STARTUP,
    RUN_ON_FAULT,
    RUN_SPRT,
    RUN_CHALLENGER,
    RUN_SEED,
    RUN_REPLAY,
    RUN_ANSWERS,
    RUN_GAME,
    RUN_STAGE,
    RUN_COMMIT_SEED,
    RUN_JOBS,
    RUN_LOG_DIR,
    RUN_GZIP,
    RUN_NO_EXCHANGE,
    RUN_LEDGER,
    RUN_PAGES,
    RUN_PAGES_END = RUN_PAGES + PAGES_OPTION_COUNT - 1,
    RUN_OPERATOR_FILE,
    RUN_FORMAT,
    RUN_QUIET,
    RUN_LANGUAGE,
    RUN_OPTION_COUNT,
} RunOption;

extern const Option run_options[RUN_OPTION_COUNT];

/* The plan of the contest file that is the argument, of --starter, or of options alone, with what
 * options say of it besides; but for its chance. A warning about agents goes to stderr. Errors:
 * ERR_USAGE with what to change; those of contest_file_load, starter_file_load, agent_spec_add and
 * plan_check. */
int run_plan_of_options(const Options *given, Plan *plan, Err *err);

#endif
