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
        cmocka_unit_test(a_file_without_models_has_no_prices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
