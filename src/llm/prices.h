/* prices.h - what tokens of models cost: a file of prices, and sums by it.
 *
 * For:    `--prices`, budgets, all tables of models.
 * Memory: an LlmPrices owns what it has read.
 * Thread: any number of readers.
 * Source: docs/spec/web.md 8; docs/spec/models.md 2. Money is counted in millionths of a millionth
 *         of a unit, whole numbers: tokens times the price of a million.
 *
 *     currency: USD
 *     models:
 *       gpt-4o-mini: {in: 0.15, cached: 0.075, out: 0.60}
 *       "llama3.1:8b": {in: 0, out: 0}
 */
#ifndef WARG_LLM_PRICES_H
#define WARG_LLM_PRICES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/model_figures.h"

typedef struct LlmPrices LlmPrices;

/* Of a million tokens, in millionths of the currency's unit. */
typedef struct LlmPrice {
    uint64_t in;
    uint64_t out;
    uint64_t cached; /* of the prompt what the server knew already; as `in` unless the file says */
} LlmPrice;

/* Errors: ERR_SYNTAX with line and column; ERR_LIMIT, ERR_MEMORY. */
int llm_prices_read(Str text, LlmPrices **ret_prices, Err *err);
/* Of a file; nothing for NULL. Errors: ERR_IO; as above, with the file's name in front. */
int llm_prices_load(const char *path, LlmPrices **ret_prices, Err *err);
LlmPrices *llm_prices_free(LlmPrices *prices); /* takes NULL, returns NULL */
void llm_prices_freep(LlmPrices **prices);     /* for CLEANUP */

/* "USD"; borrowed. */
Str llm_prices_currency(const LlmPrices *prices);
/* False when the file has no price of this model: it has no cost then, not a cost of 0. */
bool llm_price_find(const LlmPrices *prices, Str model, LlmPrice *ret_price);

/* What so many tokens cost, in millionths of a millionth of a unit: exact. `cached` is a part of
 * `prompt`. */
uint64_t llm_price_exact(const LlmPrice *price, uint64_t prompt, uint64_t cached, uint64_t answer);
/* What a model has taken, in the same. False, and nothing changed, without prices and for a model
 * that has none. */
bool llm_prices_cost(const LlmPrices *prices, Str model, const ModelFigures *figures,
                     uint64_t *ret_cost);
/* Appends such a cost as a decimal number of units: all its digits but for zeros at the end, at
 * least two behind the point. */
void llm_money_write(uint64_t cost, Buf *out);
/* The same in units. */
double llm_price_cost(const LlmPrice *price, uint64_t prompt, uint64_t cached, uint64_t answer);

#endif
