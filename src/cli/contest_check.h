/* contest_check.h - `warg contest check`: a file is tried at home as the contest's server tries it.
 *
 * For:    src/cmd/cmd_contest.c.
 * Memory: none that is kept.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 5.4, 7; O15.
 */
#ifndef WARG_CLI_CONTEST_CHECK_H
#define WARG_CLI_CONTEST_CHECK_H

#include "cli/options.h"

extern const Option contest_check_options[];
#define CONTEST_CHECK_OPTIONS 12

extern const char contest_check_text[], contest_check_examples[];

/* Runs it with options of that table. `own_verb`: as in cell_new. Returns an exit status: 1 when it
 * is refused; errors are those of a command. */
int contest_check(const Options *given, const char *own_verb, Err *err);

#endif
