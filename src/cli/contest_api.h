/* contest_api.h - what participants do at a contest site's URL: hand in a version, look where it
 *                 will run, make a token.
 *
 * For:    src/cmd/cmd_contest.c.
 * Memory: none that is kept.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 5.1, 14; docs/contest-api.md.
 */
#ifndef WARG_CLI_CONTEST_API_H
#define WARG_CLI_CONTEST_API_H

#include "cli/options.h"

#define CONTEST_SUBMIT_OPTIONS      8
#define CONTEST_ENVIRONMENT_OPTIONS 1
#define CONTEST_TOKEN_OPTIONS       6

extern const Option contest_submit_options[], contest_environment_options[],
    contest_token_options[];
extern const char contest_submit_text[], contest_submit_examples[], contest_environment_text[],
    contest_environment_examples[], contest_token_text[], contest_token_examples[];

/* Each runs with options of its table. Returns an exit status: 1 for a version that is refused;
 * errors are those of a command. */
int contest_submit(const Options *given, Err *err);
int contest_environment(const Options *given, Err *err);
int contest_token(const Options *given, Err *err);
/* One of these by its verb: "submit", "environment", "token". */
int contest_api_run(Str verb, const Options *given, Err *err);

#endif
