#include "llm/spend.h"

static void on_change(void *user, const LlmBudget *budget)
{
    const LlmSpend *spend = user;
    CLEANUP(buf_done) Buf line = {0};

    if (!spend->tell)
        return;
    buf_add(&line, STR("the models' budget "));
    buf_add(&line, llm_budget_state(budget) == BUDGET_SPENT ? STR("is SPENT (")
                                                            : STR("comes to its end ("));
    llm_budget_write(budget, &line);
    buf_add(&line, llm_budget_state(budget) == BUDGET_SPENT
                       ? STR("): from here on rules decide in the models' place")
                       : STR("): models are asked for every second line only; votes as before"));
    spend->tell(spend->user, buf_str(&line));
}

int llm_spend_open(LlmSpend *spend, const char *budget, const char *prices, Err *err)
{
    int rc = llm_prices_load(prices, &spend->prices, err);

    if (rc == 0)
        rc = llm_budget_new(str_of(budget), spend->prices, &spend->budget, err);
    if (rc == 0)
        llm_budget_on_change(spend->budget, on_change, spend);
    return rc;
}

void llm_spend_done(LlmSpend *spend)
{
    spend->budget = llm_budget_free(spend->budget);
    spend->prices = llm_prices_free(spend->prices);
}
