#include "llm/budget.h"

#include <stdlib.h>

#define UNIT       1000000000000u /* of money: a millionth of a millionth each */
#define UNITS_MAX  1000000u
#define TOKENS_MAX 1000000000000u
#define NEAR_PARTS 5 /* near its end: the last one of so many parts */

struct LlmBudget {
    const LlmPrices *prices; /* NULL: tokens are counted */
    uint64_t all;
    uint64_t spent;
    LlmBudgetState state;
    void (*changed)(void *user, const LlmBudget *budget);
    void *user;
};

/* "2.50" into millionths of millionths; at most six digits behind the point. */
static bool read_money(Str text, uint64_t *ret)
{
    Str rest = text, whole = str_cut(&rest, '.');
    uint64_t units, parts = 0, scale = UNIT;
    bool point = whole.len < text.len;

    if (!str_to_uint(whole, UNITS_MAX, &units) || (point && (!rest.len || rest.len > 6)))
        return false;
    if (point && !str_to_uint(rest, 999999, &parts))
        return false;
    for (size_t i = 0; i < rest.len; i++)
        scale /= 10;
    *ret = units * UNIT + parts * scale;
    return *ret > 0;
}

static bool read_tokens(Str text, uint64_t *ret)
{
    if (!text.len || text.bytes[text.len - 1] != 't')
        return false;
    return str_to_uint(str_part(text, 0, text.len - 1), TOKENS_MAX, ret) && *ret > 0;
}

int llm_budget_new(Str text, const LlmPrices *prices, LlmBudget **ret_budget, Err *err)
{
    uint64_t all = 0;
    bool tokens = read_tokens(text, &all);

    if (!tokens && !read_money(text, &all))
        return err_set(err, ERR_USAGE,
                       "a budget is money, as 2.50, or tokens, as 200000t; not '%.*s'",
                       STR_ARG(str_part(text, 0, 40)));
    if (!tokens && !prices)
        return err_set(
            err, ERR_USAGE,
            "a budget in money needs a file of prices (--llm-prices FILE); or name it in "
            "tokens, as 200000t");
    LlmBudget *budget = mem_new(sizeof(*budget));
    if (!budget)
        return err_set(err, ERR_MEMORY, "a budget: out of memory");
    budget->all = all;
    budget->prices = tokens ? NULL : prices;
    *ret_budget = budget;
    return 0;
}

LlmBudget *llm_budget_free(LlmBudget *budget)
{
    mem_free(budget);
    return NULL;
}

void llm_budget_on_change(LlmBudget *budget, void (*changed)(void *user, const LlmBudget *budget),
                          void *user)
{
    budget->changed = changed;
    budget->user = user;
}

int llm_budget_admits(const LlmBudget *budget, Str model, Err *err)
{
    LlmPrice price;

    if (!budget->prices || llm_price_find(budget->prices, model, &price))
        return 0;
    return err_set(
        err, ERR_USAGE,
        "the file of prices has none of model '%.*s', so that a budget in money can't be "
        "kept; add it, or name the budget in tokens, as 200000t",
        STR_ARG(str_part(model, 0, 100)));
}

void llm_budget_add(LlmBudget *budget, Str model, uint32_t prompt, uint32_t cached, uint32_t answer)
{
    LlmPrice price = {0};
    LlmBudgetState before = budget->state;

    if (!budget->prices)
        budget->spent += (uint64_t)prompt + answer;
    else if (llm_price_find(budget->prices, model, &price))
        budget->spent += llm_price_exact(&price, prompt, cached, answer);
    if (budget->spent >= budget->all)
        budget->state = BUDGET_SPENT;
    else if (budget->spent >= budget->all - budget->all / NEAR_PARTS)
        budget->state = BUDGET_NEAR;
    if (budget->state != before && budget->changed)
        budget->changed(budget->user, budget);
}

LlmBudgetState llm_budget_state(const LlmBudget *budget)
{
    return budget->state;
}

void llm_budget_write(const LlmBudget *budget, Buf *out)
{
    if (budget->prices)
        buf_printf(out, "%.4f of %.2f %.*s", (double)budget->spent / (double)UNIT,
                   (double)budget->all / (double)UNIT,
                   STR_ARG(llm_prices_currency(budget->prices)));
    else
        buf_printf(out, "%llu of %llu tokens", (unsigned long long)budget->spent,
                   (unsigned long long)budget->all);
}
