/* contest_runner.h - `warg contest runner DIR`: does what a contest site's server asks for; and the
 *                    process of one job, which the runner starts.
 *
 * For:    src/cmd/cmd_contest.c.
 * Memory: none that is kept.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 14, 16.1.
 */
#ifndef WARG_CLI_CONTEST_RUNNER_H
#define WARG_CLI_CONTEST_RUNNER_H

#include "cli/options.h"

extern const Option contest_runner_options[];
#define CONTEST_RUNNER_OPTIONS 3

extern const char contest_runner_text[], contest_runner_examples[];

/* In place of a verb of `warg contest`: one job. It is nobody's to give, so it stands in no help.
 */
#define CONTEST_JOB "--job"

/* Runs until SIGINT or SIGTERM. `own_verb`: as in cell_new. Errors: those of a command. */
int contest_runner(const Options *given, const char *own_verb, Err *err);

/* --job DATA JOB TABLES [CLOCK] */
int contest_job(int argc, char **argv, const char *own_verb, Err *err);

#endif
