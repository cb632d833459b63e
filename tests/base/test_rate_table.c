#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/rate_table.h"
#include "base/rng.h"

#define SECOND ((TimeUs)1000000)

static const RateRule five_a_minute = {.burst = 5, .each = 12 * SECOND};

static void a_burst_is_taken_and_then_one_at_a_time(void **state)
{
    RateTable *table = rate_table_new(five_a_minute, 100, 7);
    TimeUs now = 1000 * SECOND;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_true(rate_take(table, STR("192.0.2.1"), now) == 0);
    for (int i = 0; i < 100; i++) /* who asks in vain owes no more for it */
        assert_true(rate_take(table, STR("192.0.2.1"), now) == 12 * SECOND);
    assert_true(rate_take(table, STR("192.0.2.2"), now) == 0); /* another one may */
    assert_true(rate_wait(table, STR("192.0.2.1"), now + 12 * SECOND - 1) == 1);
    assert_true(rate_take(table, STR("192.0.2.1"), now + 12 * SECOND) == 0);
    assert_true(rate_take(table, STR("192.0.2.1"), now + 12 * SECOND) == 12 * SECOND);
    for (int i = 0; i < 5; i++) /* a minute later all is as at first */
        assert_true(rate_take(table, STR("192.0.2.1"), now + 73 * SECOND) == 0);
    assert_null(rate_table_free(table));
}

/* Never more than the rule says, in any span of time, whenever it is asked. */
static void no_span_of_time_has_more_than_the_rule_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        Rng rng = rng_new(seed);
        RateRule rule = {.burst = 1 + rng_below(&rng, 6), .each = 1 + rng_below(&rng, 50)};
        RateTable *table = rate_table_new(rule, 8, seed);
        TimeUs taken[400];
        int count = 0;
        TimeUs now = 0;

        for (int i = 0; i < 400; i++) {
            now += (TimeUs)rng_below(&rng, 30);
            TimeUs foretold = rate_wait(table, STR("a"), now);
            TimeUs wait = rate_take(table, STR("a"), now);
            assert_true(wait == foretold);
            if (wait == 0)
                taken[count++] = now;
        }
        for (int first = 0; first < count; first++)
            for (int last = first; last < count; last++)
                assert_true(last - first + 1 <=
                            (int)rule.burst + (taken[last] - taken[first]) / rule.each);
        rate_table_free(table);
    }
}

static void a_crowd_takes_no_more_memory_and_frees_no_offender(void **state)
{
    RateTable *table = rate_table_new(five_a_minute, 1000, 42);
    char name[32];
    unsigned refused = 0;

    (void)state;
    for (int i = 0; i < 6; i++)
        rate_take(table, STR("offender"), 1);
    for (unsigned i = 0; i < 100000; i++) {
        snprintf(name, sizeof(name), "crowd %u", i);
        refused += rate_take(table, str_of(name), 1) != 0;
    }
    assert_true(rate_wait(table, STR("offender"), 1) > 0);
    assert_int_equal(refused, 0); /* who comes first is never refused for others */
    rate_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_is_taken_and_then_one_at_a_time),
        cmocka_unit_test(no_span_of_time_has_more_than_the_rule_says),
        cmocka_unit_test(a_crowd_takes_no_more_memory_and_frees_no_offender),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
