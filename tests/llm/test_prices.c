/* Prices: exact to the last digit, and a plain word where a file is wrong. */
#include "scenes.h"

#include "llm/prices.h"

static LlmPrices *prices_of(const char *text)
{
    LlmPrices *prices = NULL;
    Err err = {0};

    if (llm_prices_read(str_of(text), &prices, &err))
        fail_msg("%u:%u: %s", err.line, err.column, err.msg);
    return prices;
}

static void costs_are_tokens_times_prices(void **state)
{
    LlmPrices *prices = prices_of("currency: EUR\n"
                                  "models:\n"
                                  "  gpt-4o-mini: {in: 0.15, out: 0.60}\n"
                                  "  \"llama3.1:8b\": {in: 0, out: 0}\n"
                                  "  dear: {in: 75, out: 150.000001}\n");
    LlmPrice price;

    (void)state;
    assert_true(str_eq(llm_prices_currency(prices), STR("EUR")));
    assert_true(llm_price_find(prices, STR("gpt-4o-mini"), &price));
    assert_int_equal(price.in, 150000);
    assert_int_equal(price.out, 600000);
    assert_true(llm_price_cost(&price, 1000000, 0, 1000000) > 0.7499999);
    assert_true(llm_price_cost(&price, 1000000, 0, 1000000) < 0.7500001);
    assert_true(llm_price_find(prices, STR("llama3.1:8b"), &price));
    assert_true(llm_price_cost(&price, 1000, 0, 1000) < 1e-12);
    assert_true(llm_price_find(prices, STR("dear"), &price));
    assert_int_equal(price.out, 150000001);
    assert_int_equal(price.cached, price.in); /* unless the file says */
    assert_int_equal(llm_price_exact(&price, 10, 4, 2), 10 * 75000000 + 2 * 150000001);
    price.cached = 1;
    assert_int_equal(llm_price_exact(&price, 10, 4, 2), 6 * 75000000 + 4 + 2 * 150000001);
    assert_int_equal(llm_price_exact(&price, 10, 40, 0), 10); /* no more than all of it */
    assert_false(llm_price_find(prices, STR("gpt-4o"), &price));
    llm_prices_free(prices);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } wrong[] = {
        {"models:\n  a: {in: 0.15}\n", 2, "expected in and out"},
        {"models:\n  a: {in: x, out: 1}\n", 2, "0.15"},
        {"models:\n  a: {in: -1, out: 1}\n", 2, "0.15"},
        {"models:\n  a: {in: 1., out: 1}\n", 2, "0.15"},
        {"models:\n  a: {in: 0.0000001, out: 1}\n", 2, "0.15"},
        {"models:\n  a: {in: 99999999999, out: 1}\n", 2, "0.15"},
        {"models:\n  a: {in: 1, out: 1, cached: x}\n", 2, "0.15"},
        {"models:\n  a: {in: 1, out: 1, read: 2}\n", 2, "unknown key 'read'"},
        {"models: 3\n", 1, "models"},
        {"model: {}\n", 1, "unknown key 'model'"},
        {"currency: \"\"\n", 1, "currency"},
        {"currency: \"\\e[2J\"\n", 1, "currency"}, /* it stands in tables of a terminal */
        {"currency: \"U\\u202E\"\n", 1, "currency"},
        {"- a\n", 1, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        LlmPrices *prices = NULL;
        Err err = {0};
        assert_int_equal(llm_prices_read(str_of(wrong[i].text), &prices, &err), ERR_SYNTAX);
        assert_null(prices);
        assert_int_equal(err.line, wrong[i].line);
        if (!strstr(err.msg, wrong[i].says))
            fail_msg("%zu: '%s' says not '%s'", i, err.msg, wrong[i].says);
    }
}

/* 1000 read, 400 of them cached, 50 written: 600 * 2.5 + 400 * 0.5 + 50 * 10 millionths. */
static void what_a_model_has_taken_costs_its_price_to_the_token(void **state)
{
    LlmPrices *prices = prices_of("models:\n  m: {in: 2.50, cached: 0.5, out: 10}\n");
    const ModelFigures taken = {
        {[FIGURE_PROMPT] = 1000, [FIGURE_CACHED] = 400, [FIGURE_ANSWER] = 50}};
    CLEANUP(buf_done) Buf money = {0};
    uint64_t cost = 7;

    (void)state;
    assert_false(llm_prices_cost(NULL, STR("m"), &taken, &cost));
    assert_false(llm_prices_cost(prices, STR("n"), &taken, &cost));
    assert_int_equal(cost, 7);
    assert_true(llm_prices_cost(prices, STR("m"), &taken, &cost));
    assert_int_equal(cost, UINT64_C(2200000000));
    llm_money_write(cost, &money);
    llm_money_write(0, &money);
    llm_money_write(UINT64_C(12500000000000), &money);
    llm_money_write(1, &money);
    assert_string_equal(buf_cstr(&money), "0.0022"
                                          "0.00"
                                          "12.50"
                                          "0.000000000001");
    llm_prices_free(prices);
}

static void a_file_without_models_has_no_prices(void **state)
{
    LlmPrices *prices = prices_of("");
    LlmPrice price;

    (void)state;
    assert_true(str_eq(llm_prices_currency(prices), STR("USD")));
    assert_false(llm_price_find(prices, STR(""), &price));
    llm_prices_free(prices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_tokens_times_prices),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(what_a_model_has_taken_costs_its_price_to_the_token),
        cmocka_unit_test(a_file_without_models_has_no_prices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
