/* prices_arg.h - the value of --prices: a file of what tokens of models cost.
 *
 * For:    `warg web`, `warg run`, `warg standings`.
 * Memory: the prices are the caller's, who frees them with llm_prices_free.
 * Thread: any.
 * Source: llm/prices.h.
 */
#ifndef WARG_CLI_PRICES_ARG_H
#define WARG_CLI_PRICES_ARG_H

#include "llm/prices.h"

/* Reads the file. Nothing for NULL. Errors: ERR_IO; those of llm_prices_read, with the file's name
 * in front. */
int prices_arg(const char *path, LlmPrices **ret_prices, Err *err);

/* For CLEANUP. */
void prices_arg_done(LlmPrices **prices);

#endif
