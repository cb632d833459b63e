/* test_pace.c - how many requests a server gets, and what a session may spend.
 *
 * Source: docs/spec/models.md 1.6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "llm/budget.h"
#include "llm/pace.h"

#define SECOND ((TimeUs)1000000)

static LlmPace *pace_of(LlmPaceSetup setup)
{
    LlmPace *pace = NULL;

    assert_int_equal(llm_pace_new(&setup, &pace, NULL), 0);
    return pace;
}

static void only_so_many_at_once(void **state)
{
    LlmPace *pace = pace_of((LlmPaceSetup){.parallel = 2});
    uint64_t first = llm_pace_begin(pace, 10, 0);

    (void)state;
    assert_int_equal(llm_pace_when(pace, 10, 5), 5);
    llm_pace_begin(pace, 10, 5);
    assert_true(llm_pace_when(pace, 10, 6) == TIME_US_NEVER);
    llm_pace_end(pace, first, 10);
    assert_int_equal(llm_pace_when(pace, 10, 7), 7);
    llm_pace_free(pace);
}

/* In no minute more requests or tokens than that, whatever the times are. */
static void no_minute_has_more_than_it_may(void **state)
{
    Rng rng = rng_new(7);
    LlmPace *pace = pace_of((LlmPaceSetup){.parallel = 64, .rpm = 20, .tpm = 5000});
    TimeUs now = 0, times[2000];
    uint32_t tokens[2000];
    size_t count = 0;

    (void)state;
    while (count < 2000) {
        uint32_t wanted = 50 + rng_below(&rng, 900);
        TimeUs when = llm_pace_when(pace, wanted, now);
        assert_true(when >= now && when < now + 61 * SECOND);
        now = when;
        uint64_t number = llm_pace_begin(pace, wanted, now);
        llm_pace_end(pace, number, 0);
        times[count] = now;
        tokens[count++] = wanted;
        now += (TimeUs)rng_below(&rng, 4000000);
    }
    for (size_t last = 0; last < count; last++) {
        uint64_t requests = 0, sum = 0;
        for (size_t i = 0; i <= last; i++)
            if (times[i] > times[last] - 60 * SECOND) {
                requests++;
                sum += tokens[i];
            }
        assert_true(requests <= 20 && sum <= 5000);
    }
    assert_true(now < (TimeUs)2000 * 10 * SECOND); /* and no long idling either */
    llm_pace_free(pace);
}

static void what_a_request_took_counts_in_place_of_the_estimate(void **state)
{
    LlmPace *pace = pace_of((LlmPaceSetup){.parallel = 4, .tpm = 1000});
    uint64_t number = llm_pace_begin(pace, 900, 0);

    (void)state;
    assert_int_equal(llm_pace_when(pace, 500, SECOND), 60 * SECOND);
    llm_pace_end(pace, number, 100);
    assert_int_equal(llm_pace_when(pace, 500, SECOND), SECOND);
    assert_int_equal(llm_pace_when(pace, 90000, SECOND), 60 * SECOND); /* too large: alone */
    assert_int_equal(llm_pace_when(pace, 90000, 61 * SECOND), 61 * SECOND);
    llm_pace_free(pace);
}

static void a_refusal_slows_down_and_answers_bring_it_back(void **state)
{
    LlmPace *pace = pace_of((LlmPaceSetup){.parallel = 8, .pause_ms = 100});
    uint64_t numbers[4];

    (void)state;
    for (size_t i = 0; i < 4; i++)
        numbers[i] = llm_pace_begin(pace, 1, 0);
    for (size_t i = 0; i < 4; i++) { /* they were under way together: one refusal */
        llm_pace_end(pace, numbers[i], 0);
        llm_pace_refused(pace, numbers[i], 0, SECOND);
    }
    assert_int_equal(llm_pace_parallel(pace), 4);
    uint64_t next = llm_pace_begin(pace, 1, 2 * SECOND);
    assert_int_equal(llm_pace_when(pace, 1, 2 * SECOND), 2 * SECOND + 100000);
    llm_pace_refused(pace, next, 0, 2 * SECOND);
    llm_pace_end(pace, next, 0);
    assert_int_equal(llm_pace_parallel(pace), 2);
    assert_int_equal(llm_pace_when(pace, 1, 2 * SECOND), 2 * SECOND + 200000);
    for (size_t i = 0; i < 100; i++)
        llm_pace_good(pace);
    assert_int_equal(llm_pace_parallel(pace), 8);
    assert_int_equal(llm_pace_when(pace, 1, 2 * SECOND), 2 * SECOND);
    llm_pace_free(pace);
}

static void a_pause_that_the_server_wants_is_kept(void **state)
{
    LlmPace *pace = pace_of((LlmPaceSetup){.parallel = 2});
    uint64_t number = llm_pace_begin(pace, 1, 0);

    (void)state;
    llm_pace_refused(pace, number, 30 * SECOND, SECOND);
    llm_pace_end(pace, number, 0);
    assert_int_equal(llm_pace_when(pace, 1, 2 * SECOND), 31 * SECOND);
    llm_pace_refused(pace, number, 5 * SECOND, 2 * SECOND); /* an older one does not shorten it */
    assert_int_equal(llm_pace_held_until(pace), 31 * SECOND);
    llm_pace_free(pace);
}

/* ---- budgets ---- */

static LlmPrices *example_prices(void)
{
    LlmPrices *prices = NULL;

    assert_int_equal(llm_prices_read(STR("currency: EUR\nmodels:\n"
                                         "  m: {in: 3, cached: 0.3, out: 15}\n"),
                                     &prices, NULL),
                     0);
    return prices;
}

static void count_change(void *user, const LlmBudget *budget)
{
    (void)budget;
    ++*(int *)user;
}

static void money_is_counted_to_the_token(void **state)
{
    LlmPrices *prices = example_prices();
    LlmBudget *budget = NULL;
    CLEANUP(buf_done) Buf text = {0};
    int changes = 0;

    (void)state;
    assert_int_equal(llm_budget_new(STR("0.01"), prices, &budget, NULL), 0);
    llm_budget_on_change(budget, count_change, &changes);
    assert_int_equal(llm_budget_admits(budget, STR("m"), NULL), 0);
    assert_int_equal(llm_budget_admits(budget, STR("other"), NULL), ERR_USAGE);
    /* 1000 x 3 + 1000 x 0.3 + 200 x 15 = 6300 millionths */
    llm_budget_add(budget, STR("m"), 2000, 1000, 200);
    llm_budget_write(budget, &text);
    assert_string_equal(buf_cstr(&text), "0.0063 of 0.01 EUR");
    assert_int_equal(llm_budget_state(budget), BUDGET_FREE);
    llm_budget_add(budget, STR("m"), 0, 0, 113); /* 7995: a token before four fifths */
    assert_int_equal(llm_budget_state(budget), BUDGET_FREE);
    llm_budget_add(budget, STR("m"), 0, 0, 1);
    assert_int_equal(llm_budget_state(budget), BUDGET_NEAR);
    llm_budget_add(budget, STR("m"), 0, 0, 132); /* 9990 */
    assert_int_equal(llm_budget_state(budget), BUDGET_NEAR);
    llm_budget_add(budget, STR("m"), 4, 0, 0);
    assert_int_equal(llm_budget_state(budget), BUDGET_SPENT);
    assert_int_equal(changes, 2);
    llm_budget_free(budget);
    llm_prices_free(prices);
}

static void tokens_need_no_prices(void **state)
{
    LlmBudget *budget = NULL;

    (void)state;
    assert_int_equal(llm_budget_new(STR("1000t"), NULL, &budget, NULL), 0);
    assert_int_equal(llm_budget_admits(budget, STR("any"), NULL), 0);
    llm_budget_add(budget, STR("any"), 700, 700, 99);
    assert_int_equal(llm_budget_state(budget), BUDGET_FREE);
    llm_budget_add(budget, STR("other"), 200, 0, 1);
    assert_int_equal(llm_budget_state(budget), BUDGET_SPENT);
    llm_budget_free(budget);
}

static void what_is_no_budget_is_refused(void **state)
{
    static const char *const bad[] = {"",   "0",    "0t", "t",     "-1",      "1.",
                                      "1k", "1e9t", ".5", "2.50t", "1000001", "0.0000001"};
    LlmPrices *prices = example_prices();
    LlmBudget *budget = NULL;
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(llm_budget_new(str_of(bad[i]), prices, &budget, NULL), ERR_USAGE);
    assert_int_equal(llm_budget_new(STR("2.50"), NULL, &budget, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "prices"));
    llm_prices_free(prices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_so_many_at_once),
        cmocka_unit_test(no_minute_has_more_than_it_may),
        cmocka_unit_test(what_a_request_took_counts_in_place_of_the_estimate),
        cmocka_unit_test(a_refusal_slows_down_and_answers_bring_it_back),
        cmocka_unit_test(a_pause_that_the_server_wants_is_kept),
        cmocka_unit_test(money_is_counted_to_the_token),
        cmocka_unit_test(tokens_need_no_prices),
        cmocka_unit_test(what_is_no_budget_is_refused),
    };

    return cmocka_run_group_tests_name("limits of a server and of a session", tests, NULL, NULL);
}
