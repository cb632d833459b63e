/* chance_arg.h - what the chance of a contest comes from: --seed, --replay, --commit-seed, or a
 *                drawn key.
 *
 * For:    `warg run` and `warg serve aiwolf`.
 * Memory: fills the caller's Plan.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.1, 11.2.
 */
#ifndef WARG_CLI_CHANCE_ARG_H
#define WARG_CLI_CHANCE_ARG_H

#include "contest/out_folder.h"

typedef struct ChanceArg {
    bool seed_given;
    uint64_t seed;
    const char *replay; /* a number, "old:NUMBER", a key or one for each stage, a folder; NULL =
                         * none */
    bool commit;        /* to the key; refuses a number */
} ChanceArg;

/* `plan` has its names, agents, rules and stages, and maybe a seed of its contest file.
 * `ret_folder` gets what the folder of --replay holds (dir is NULL when it is none); the caller
 * calls out_folder_done.
 * Errors: ERR_USAGE, ERR_IO, those of out_folder_read. */
int chance_arg(const ChanceArg *given, Plan *plan, OutFolder *ret_folder, Err *err);

/* What to publish before the first game, for each stage, with how it is made. */
void chance_print_commitment(FILE *stream, const Plan *plan);

/* The seed or keys, and how the same games are played again. */
void chance_print_again(FILE *stream, const Plan *plan);

/* Says on standard error that a chosen number can be guessed; nothing for a key. */
void chance_warn_of_guess(const Plan *plan);

#endif
