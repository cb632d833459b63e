/* spend.h - the budget that somebody named, with its file of prices.
 *
 * For:    llm/llm_arg.c.
 * Memory: an LlmSpend is the caller's struct, which llm_spend_done frees, after its endpoints.
 * Thread: the loop's.
 * Source: docs/spec/models.md 1.6.
 */
#ifndef WARG_LLM_SPEND_H
#define WARG_LLM_SPEND_H

#include "llm/budget.h"

typedef struct LlmSpend {
    LlmPrices *prices;
    LlmBudget *budget; /* NULL: none was named */
    /* A line when it comes near its end, and when it is spent; may be NULL. */
    void (*tell)(void *user, Str line);
    void *user;
} LlmSpend;

/* `budget` as llm_budget_new has it, `prices` a file or NULL; `tell` and `user` are set before.
 * Errors: those of the budget; of the file ERR_IO, ERR_SYNTAX with its name. */
int llm_spend_open(LlmSpend *spend, const char *budget, const char *prices, Err *err);
void llm_spend_done(LlmSpend *spend);

#endif
