/* test_paired.c - differences over the same deals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop.h"
#include "stats/paired.h"

#include <math.h>

/* Differences 0.2, 0, 0.4, -0.2, 0.1: mean 0.1, variance 0.05, t(4) = 2.776445. */
static void the_interval_is_that_of_student(void **state)
{
    static const double a[] = {0.4, 0.2, 0.6, 0.2, 0.5}, b[] = {0.2, 0.2, 0.2, 0.4, 0.4};
    PairedSum sum = {0};
    (void)state;

    for (int i = 0; i < 5; i++)
        paired_add(&sum, a[i], b[i]);
    const Interval interval = paired_interval(&sum);
    assert_true(fabs(interval.rate - 0.1) < 1e-12);
    assert_true(fabs(interval.low - (0.1 - 2.776445 * 0.1)) < 1e-5);
    assert_true(fabs(interval.high - (0.1 + 2.776445 * 0.1)) < 1e-5);
    assert_true(fabs(sum.rate_a / 5 - 0.38) < 1e-12);
    assert_true(fabs(sum.rate_b / 5 - 0.28) < 1e-12);
}

/* From printed tables. */
static void the_quantile_is_that_of_tables(void **state)
{
    static const struct {
        uint64_t freedom;
        double quantile;
    } rows[] = {{1, 12.7062}, {4, 2.7764},  {7, 2.3646},  {8, 2.3060},
                {9, 2.2622},  {12, 2.1788}, {30, 2.0423}, {1000000, 1.959966}};
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_true(fabs(student_quantile(rows[i].freedom) - rows[i].quantile) < 5e-4);
}

static void of_few_deals_and_of_equal_ones_nothing_is_said(void **state)
{
    PairedSum few = {0}, equal = {0};
    (void)state;

    for (int i = 0; i < PAIRED_DEALS_MIN - 1; i++)
        paired_add(&few, i % 2, 0);
    for (int i = 0; i < 10; i++)
        paired_add(&equal, 1, 0);
    assert_true(paired_interval(&few).low == -1 && paired_interval(&few).high == 1);
    assert_true(paired_interval(&equal).low == -1 && paired_interval(&equal).high == 1);
    assert_true(fabs(paired_interval(&equal).rate - 1) < 1e-12);
}

/* Who has the same chance of winning has a difference of 0, and 95 % of the intervals hold it. */
static void intervals_hold_the_truth_as_often_as_they_say(void **state)
{
    Rng rng = rng_new(20270101);
    unsigned held = 0;
    (void)state;

    for (int contest = 0; contest < 2000; contest++) {
        PairedSum sum = {0};
        for (int deal = 0; deal < 12; deal++) {
            const double luck = rng_below(&rng, 100) / 100.0; /* both have it */
            double a = 0, b = 0;
            for (int seat = 0; seat < 5; seat++) {
                a += rng_below(&rng, 1000) < 1000 * luck;
                b += rng_below(&rng, 1000) < 1000 * luck;
            }
            paired_add(&sum, a / 5, b / 5);
        }
        const Interval interval = paired_interval(&sum);
        held += interval.low <= 0 && 0 <= interval.high;
    }
    assert_in_range(held, 1870, 1930);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_is_that_of_student),
        cmocka_unit_test(the_quantile_is_that_of_tables),
        cmocka_unit_test(of_few_deals_and_of_equal_ones_nothing_is_said),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
