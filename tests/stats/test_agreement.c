#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/agreement.h"

#include <math.h>

#define CELLS_MAX 4096

/* Raters as docs/spec/contest-operations.md B.4 writes them: a unit a place, '.' missing. */
static Ratings table_of(const char *const *raters, size_t count, double values[CELLS_MAX])
{
    Ratings table = {.values = values, .raters = count, .units = strlen(raters[0])};

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < table.units; k++)
            values[i * table.units + k] =
                raters[i][k] == '.' ? (double)NAN : (double)(raters[i][k] - '0');
    return table;
}

static double alpha_of(const Ratings *table, AgreementScale scale)
{
    double alpha = -9;
    Err err = {0};

    if (krippendorff_alpha(table, scale, &alpha, &err))
        fail_msg("%s", err.msg);
    return alpha;
}

static void the_published_table_has_its_alphas(void **state)
{
    static const char *const raters[] = {"123321412...", "1233224125.3", ".3332342251.",
                                         "12332441251."};
    double values[CELLS_MAX];
    Ratings table = table_of(raters, 4, values);
    (void)state;

    assert_float_equal(alpha_of(&table, SCALE_NOMINAL), 0.7434, 0.00005);
    assert_float_equal(alpha_of(&table, SCALE_ORDINAL), 0.8154, 0.00005);
    assert_float_equal(alpha_of(&table, SCALE_INTERVAL), 0.8491, 0.00005);
}

static void alpha_of_chance_is_nothing(void **state)
{
    static const uint32_t seats = 5, games = 200, raters = 4;
    double values[CELLS_MAX];
    Ratings table = {values, raters, (size_t)seats * games};
    Rng rng = rng_new(7);
    (void)state;

    for (uint32_t rater = 0; rater < raters; rater++)
        for (uint32_t game = 0; game < games; game++) {
            double *ranks = values + rater * table.units + game * seats;
            for (uint32_t i = 0; i < seats; i++) {
                uint32_t k = rng_below(&rng, i + 1);
                ranks[i] = ranks[k];
                ranks[k] = i + 1;
            }
        }
    assert_float_equal(alpha_of(&table, SCALE_NOMINAL), 0, 0.05);
    assert_float_equal(alpha_of(&table, SCALE_ORDINAL), 0, 0.05);
    assert_float_equal(alpha_of(&table, SCALE_INTERVAL), 0, 0.05);
}

static void alpha_of_who_agree_is_one_and_of_opposites_below_nothing(void **state)
{
    static const char *const same[] = {"12345", "12345", "1234."};
    static const char *const opposite[] = {"12345", "54321"};
    double values[CELLS_MAX];
    Ratings table = table_of(same, 3, values);
    (void)state;

    assert_float_equal(alpha_of(&table, SCALE_ORDINAL), 1, 1e-12);
    table = table_of(opposite, 2, values);
    assert_true(alpha_of(&table, SCALE_ORDINAL) < -0.5);
}

static void nothing_to_compare_is_no_alpha(void **state)
{
    static const char *const alone[] = {"12...", "..345"};
    static const char *const equal[] = {"2222", "2222"};
    double values[CELLS_MAX];
    Ratings table = table_of(alone, 2, values);
    (void)state;

    assert_true(isnan(alpha_of(&table, SCALE_ORDINAL)));
    table = table_of(equal, 2, values);
    assert_true(isnan(alpha_of(&table, SCALE_ORDINAL)));
}

static void too_many_values_are_an_error(void **state)
{
    double values[2 * (AGREEMENT_VALUES_MAX + 1)], alpha = 5;
    Ratings table = {values, 2, AGREEMENT_VALUES_MAX + 1};
    Err err = {0};
    (void)state;

    for (size_t i = 0; i < 2 * table.units; i++)
        values[i] = (double)(i % table.units);
    assert_int_equal(krippendorff_alpha(&table, SCALE_ORDINAL, &alpha, &err), ERR_LIMIT);
    assert_float_equal(alpha, 5, 0);
}

static void w_is_that_of_the_worked_example(void **state)
{
    static const char *const raters[] = {"12345", "13245", "21345"};
    static const char *const gap[] = {"12345", "1324."};
    double values[CELLS_MAX];
    Ratings table = table_of(raters, 3, values);
    (void)state;

    assert_float_equal(kendall_w(&table), 0.8889, 0.00005);
    table.raters = 1;
    assert_true(isnan(kendall_w(&table)));
    table = table_of(gap, 2, values);
    assert_true(isnan(kendall_w(&table)));
}

static void w_with_equal_ranks_reaches_one(void **state)
{
    const double values[] = {1, 2.5, 2.5, 4, 1, 2.5, 2.5, 4};
    Ratings table = {values, 2, 4};
    (void)state;

    assert_float_equal(kendall_w(&table), 1, 1e-12);
}

static void tau_counts_pairs_and_their_ties(void **state)
{
    const double a[] = {1, 2, 3, 4, 5}, back[] = {5, 4, 3, 2, 1}, near[] = {1, 3, 2, 4, 5};
    /* 4 pairs agree; one is tied in a, one in b: 4 / sqrt(5 * 5) */
    const double tied_a[] = {1, 1, 2, 3}, tied_b[] = {1, 2, 3, 3};
    const double flat[] = {2, 2, 2, 2, 2}, gap[] = {1, 2, (double)NAN, 4, 5};
    (void)state;

    assert_float_equal(kendall_tau_b(a, a, 5), 1, 1e-12);
    assert_float_equal(kendall_tau_b(a, back, 5), -1, 1e-12);
    assert_float_equal(kendall_tau_b(a, near, 5), 0.8, 1e-12);
    assert_float_equal(kendall_tau_b(tied_a, tied_b, 4), 0.8, 1e-12);
    assert_float_equal(kendall_tau_b(near, gap, 5), 1, 1e-12);
    assert_true(isnan(kendall_tau_b(a, flat, 5)));
}

static void equal_values_share_the_mean_of_their_ranks(void **state)
{
    const double values[] = {30, 10, (double)NAN, 10, 20};
    double ranks[5];
    (void)state;

    mean_ranks(values, 5, ranks);
    assert_float_equal(ranks[0], 4, 0);
    assert_float_equal(ranks[1], 1.5, 0);
    assert_true(isnan(ranks[2]));
    assert_float_equal(ranks[3], 1.5, 0);
    assert_float_equal(ranks[4], 3, 0);
}

/* ---- bootstrap ---- */

static double mean_of(const void *user, const uint32_t *picks, size_t count)
{
    const double *values = user;
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[picks[i]];
    return count ? sum / (double)count : (double)NAN;
}

static void the_interval_is_about_that_of_the_normal_law(void **state)
{
    double values[400];
    Interval first, again, other;
    Err err = {0};
    (void)state;

    for (int i = 0; i < 400; i++)
        values[i] = i % 2; /* mean 0.5, its deviation 0.5 / 20 */
    assert_int_equal(bootstrap_interval(400, 2000, 3, mean_of, values, &first, &err), 0);
    assert_int_equal(bootstrap_interval(400, 2000, 3, mean_of, values, &again, &err), 0);
    assert_int_equal(bootstrap_interval(400, 2000, 4, mean_of, values, &other, &err), 0);
    assert_float_equal(first.rate, 0.5, 1e-12);
    assert_float_equal(first.low, 0.451, 0.006);
    assert_float_equal(first.high, 0.549, 0.006);
    assert_memory_equal(&first, &again, sizeof(first));
    assert_float_equal(other.low, first.low, 0.01);
}

static void no_groups_have_no_interval(void **state)
{
    Interval interval;
    Err err = {0};
    (void)state;

    assert_int_equal(bootstrap_interval(0, 100, 3, mean_of, NULL, &interval, &err), 0);
    assert_true(isnan(interval.rate) && isnan(interval.low) && isnan(interval.high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_table_has_its_alphas),
        cmocka_unit_test(alpha_of_chance_is_nothing),
        cmocka_unit_test(alpha_of_who_agree_is_one_and_of_opposites_below_nothing),
        cmocka_unit_test(nothing_to_compare_is_no_alpha),
        cmocka_unit_test(too_many_values_are_an_error),
        cmocka_unit_test(w_is_that_of_the_worked_example),
        cmocka_unit_test(w_with_equal_ranks_reaches_one),
        cmocka_unit_test(tau_counts_pairs_and_their_ties),
        cmocka_unit_test(equal_values_share_the_mean_of_their_ranks),
        cmocka_unit_test(the_interval_is_about_that_of_the_normal_law),
        cmocka_unit_test(no_groups_have_no_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
