/* seed_arg.h - the seed of a contest: the one given, or a drawn one.
 *
 * For:    commands that play.
 * Memory: none.
 * Thread: any.
 * Source: getrandom(2): a drawn seed must not be guessable from the time.
 */
#ifndef WARG_CLI_SEED_ARG_H
#define WARG_CLI_SEED_ARG_H

#include "base/err.h"

/* `value` when it was given, else a drawn one. Errors: ERR_IO. */
int seed_arg(bool given, uint64_t value, uint64_t *ret_seed, Err *err);

#endif
