/* budget.h - what one session may spend on models, in money or in tokens.
 *
 * For:    llm/endpoint.c, which asks it before each request; commands with --llm-budget.
 * Memory: an LlmBudget is freed by who made it, after its endpoints; prices are borrowed.
 * Thread: one at a time.
 * Source: docs/spec/models.md 1.6.
 *
 * Near its end (four fifths are spent) speech is asked for half as often, votes as before; behind
 * it nobody is asked, and rules decide. Requests under way at the end are paid for all the same.
 * Costs are whole numbers: tokens times prices of a million, exact.
 */
#ifndef WARG_LLM_BUDGET_H
#define WARG_LLM_BUDGET_H

#include "base/buf.h"
#include "llm/prices.h"

typedef struct LlmBudget LlmBudget;

typedef enum LlmBudgetState {
    BUDGET_FREE,
    BUDGET_NEAR,
    BUDGET_SPENT,
} LlmBudgetState;

/* "2.50": money in the currency of `prices`; "200000t": tokens, read and written, whatever they
 * cost. Errors: ERR_USAGE for any other text, and for money without prices. */
int llm_budget_new(Str text, const LlmPrices *prices, LlmBudget **ret_budget, Err *err);
LlmBudget *llm_budget_free(LlmBudget *budget); /* takes NULL, returns NULL */

/* Called once when it comes near its end, and once when it is spent. */
void llm_budget_on_change(LlmBudget *budget, void (*changed)(void *user, const LlmBudget *budget),
                          void *user);

/* Whether a model's requests can be counted. Errors: ERR_USAGE when a budget of money has no price
 * of it. */
int llm_budget_admits(const LlmBudget *budget, Str model, Err *err);
/* A request was paid for; `cached` is a part of `prompt`. */
void llm_budget_add(LlmBudget *budget, Str model, uint32_t prompt, uint32_t cached,
                    uint32_t answer);

LlmBudgetState llm_budget_state(const LlmBudget *budget);
/* "1.2345 of 2.50 USD", "180000 of 200000 tokens". */
void llm_budget_write(const LlmBudget *budget, Buf *out);

#endif
