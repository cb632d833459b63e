/* test_run_forecast.c - what was spent and is left, by figures that were reckoned by hand.
 *
 * Source: docs/spec/models.md 3 ("progress with spent and left"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/run_forecast.h"

#include <string.h>

static PlanAgent agents[] = {
    {.name = "one", .model = true, .model_name = "cheap"},
    {.name = "two", .model = true, .model_name = "cheap"},
    {.name = "three", .model = true, .model_name = "dear"},
    {.name = "four", .model = true, .model_name = "unpriced"},
    {.name = "bot"},
};
static const Plan plan = {.agents = agents, .agent_count = sizeof(agents) / sizeof(agents[0])};

static const char price_file[] = "currency: USD\n"
                                 "models:\n"
                                 "  cheap: {in: 0.10, out: 0.40}\n"
                                 "  dear: {in: 2.50, cached: 0.5, out: 10}\n";

/* A game of one seat. */
static void spend(Spent *spent, const char *agent, uint64_t prompt, uint64_t cached,
                  uint64_t answer)
{
    GameRecord record = {.result.seat_count = 1};

    record.result.names[1] = str_of(agent);
    record.seats[1].figures.of[FIGURE_PROMPT] = prompt;
    record.seats[1].figures.of[FIGURE_CACHED] = cached;
    record.seats[1].figures.of[FIGURE_ANSWER] = answer;
    run_spent_add(spent, &plan, &record);
}

static void expect_line(const Spent *spent, const LlmPrices *prices, uint64_t left,
                        const char *expected)
{
    CLEANUP(buf_done) Buf out = {0};

    run_spent_write(spent, prices, left, &out);
    assert_string_equal(buf_cstr(&out), expected);
}

static void nothing_is_told_before_anything_was_spent(void **state)
{
    Spent spent = {0};

    (void)state;
    expect_line(&spent, NULL, 10, "");
    spend(&spent, "bot", 0, 0, 0);
    expect_line(&spent, NULL, 10, "");
}

static void what_is_left_is_the_average_of_all_games_so_far(void **state)
{
    CLEANUP(llm_prices_freep) LlmPrices *prices = NULL;
    Spent spent = {0};

    (void)state;
    assert_int_equal(llm_prices_read(str_of(price_file), &prices, NULL), 0);
    spend(&spent, "one", 400000, 0, 100000); /* 0.04 + 0.04 */
    spend(&spent, "two", 600000, 0, 0);      /* 0.06 */
    /* 300,000 fresh for 0.75, 100,000 cached for 0.05, 10,000 out for 0.10 */
    spend(&spent, "three", 400000, 100000, 10000);
    spend(&spent, "bot", 0, 0, 0); /* a game, too */
    expect_line(&spent, NULL, 8, ", 1.51 M tokens spent, about 3.02 M left");
    expect_line(&spent, prices, 8,
                ", 1.51 M tokens and USD 1.0400 spent, about 3.02 M and 2.0800 left");
    expect_line(&spent, prices, 0,
                ", 1.51 M tokens and USD 1.0400 spent, about 0.00 M and 0.0000 left");
    /* Its tokens are counted; it has no price, which is no price of 0 for the others. */
    spend(&spent, "four", 490000, 0, 0);
    expect_line(&spent, prices, 5,
                ", 2.00 M tokens and USD 1.0400 spent, about 2.00 M and 1.0400 left");
}

static void many_tokens_are_written_without_an_exponent(void **state)
{
    Spent spent = {0};

    (void)state;
    spend(&spent, "one", 12345678901, 0, 0);
    expect_line(&spent, NULL, 1, ", 12346 M tokens spent, about 12346 M left");
    spend(&spent, "one", 0, 0, 0);
    expect_line(&spent, NULL, 2, ", 12346 M tokens spent, about 12346 M left");
}

static void models_beyond_the_table_are_in_the_sum(void **state)
{
    static PlanAgent many[SPENT_MODELS + 1];
    static char names[SPENT_MODELS + 1][8];
    Plan wide = {.agents = many, .agent_count = SPENT_MODELS + 1};
    Spent spent = {0};

    (void)state;
    for (uint32_t i = 0; i <= SPENT_MODELS; i++) {
        GameRecord record = {.result.seat_count = 1};
        snprintf(names[i], sizeof(names[i]), "m%u", (unsigned)i);
        many[i].model = true;
        many[i].model_name = names[i];
        memcpy(many[i].name, names[i], sizeof(names[i]));
        record.result.names[1] = str_of(names[i]);
        record.seats[1].figures.of[FIGURE_PROMPT] = 1000000;
        run_spent_add(&spent, &wide, &record);
    }
    assert_int_equal(spent.count, SPENT_MODELS);
    expect_line(&spent, NULL, 65, ", 65.0 M tokens spent, about 65.0 M left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_told_before_anything_was_spent),
        cmocka_unit_test(what_is_left_is_the_average_of_all_games_so_far),
        cmocka_unit_test(many_tokens_are_written_without_an_exponent),
        cmocka_unit_test(models_beyond_the_table_are_in_the_sum),
    };

    return cmocka_run_group_tests_name("what a contest takes", tests, NULL, NULL);
}
