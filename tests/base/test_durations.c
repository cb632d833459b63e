#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/durations.h"
#include "prop.h"

static void small_durations_have_buckets_of_their_own(void **state)
{
    (void)state;

    for (unsigned us = 0; us < 32; us++) {
        assert_int_equal(durations_bucket(us), us);
        assert_int_equal(durations_bucket_end(us), us);
    }
    assert_int_equal(durations_bucket(32), 32);
    assert_int_equal(durations_bucket(33), 32); /* 32..33 */
    assert_int_equal(durations_bucket_end(32), 33);
    assert_int_equal(durations_bucket(34), 33);
}

/* 1000 = 0b1111101000: 2^9 and 15 of 16 parts of it: 992..1023. Bits behind the first five: 5. */
static void a_millisecond_is_in_the_bucket_worked_out_by_hand(void **state)
{
    (void)state;

    assert_int_equal(durations_bucket(1000), 5 * 16 + 31);
    assert_int_equal(durations_bucket(992), 111);
    assert_int_equal(durations_bucket(1023), 111);
    assert_int_equal(durations_bucket_end(111), 1023);
    assert_int_equal(durations_bucket(991), 110);
    assert_int_equal(durations_bucket(1024), 112);
}

static void buckets_join_without_gap_and_are_a_sixteenth_wide_at_most(void **state)
{
    (void)state;

    for (unsigned bucket = 0; bucket + 1 < DURATIONS_BUCKETS; bucket++) {
        uint64_t end = durations_bucket_end(bucket);
        assert_int_equal(durations_bucket(end), bucket);
        assert_int_equal(durations_bucket(end + 1), bucket + 1);
        uint64_t start = bucket ? durations_bucket_end(bucket - 1) + 1 : 0;
        assert_true((end + 1 - start) * 16 <= start || start < 32);
    }
}

static void the_last_bucket_takes_all_from_69_minutes_on(void **state)
{
    const uint64_t hour = UINT64_C(3600000000);
    (void)state;

    assert_true(durations_bucket(hour) < DURATIONS_BUCKETS - 1);
    assert_int_equal(durations_bucket(UINT64_C(69) * 60000000), DURATIONS_BUCKETS - 2);
    assert_int_equal(durations_bucket(UINT64_C(70) * 60000000), DURATIONS_BUCKETS - 1);
    assert_int_equal(durations_bucket(UINT64_MAX), DURATIONS_BUCKETS - 1);
    assert_true(durations_bucket_end(DURATIONS_BUCKETS - 1) == UINT64_MAX);
}

static void an_empty_histogram_answers_zero(void **state)
{
    Durations durations = {0}, other = {0};
    (void)state;

    durations_merge(&durations, &other);
    assert_int_equal(durations_count(&durations), 0);
    assert_int_equal(durations_min(&durations), 0);
    assert_int_equal(durations_max(&durations), 0);
    assert_int_equal(durations_quantile(&durations, 500), 0);
}

static void shortest_and_longest_are_exact(void **state)
{
    Durations durations = {0};
    (void)state;

    durations_add(&durations, 123456);
    assert_int_equal(durations_min(&durations), 123456);
    assert_int_equal(durations_max(&durations), 123456);
    durations_add(&durations, 1001);
    durations_add(&durations, UINT64_C(7200000001));
    assert_int_equal(durations_min(&durations), 1001);
    assert_int_equal(durations_max(&durations), UINT64_C(7200000001));
    assert_int_equal(durations_count(&durations), 3);
    assert_int_equal(durations_quantile(&durations, 1000), UINT64_C(7200000001));
}

static void zero_is_a_duration_too(void **state)
{
    Durations durations = {0}, merged = {0};
    (void)state;

    durations_add(&durations, 0);
    durations_add(&merged, 5);
    durations_merge(&merged, &durations);
    assert_int_equal(durations_count(&merged), 2);
    assert_int_equal(durations_min(&merged), 0);
    assert_int_equal(durations_max(&merged), 5);
}

/* 1..20: nearest rank takes the ceil(p * 20)-th: the 10th, the 19th (0.95 * 20 exactly), the 20th
 * (0.951 * 20 = 19.02), the 1st. */
static void quantiles_are_of_the_nearest_rank(void **state)
{
    Durations durations = {0};
    (void)state;

    for (uint64_t us = 20; us >= 1; us--)
        durations_add(&durations, us);
    assert_int_equal(durations_quantile(&durations, 500), 10);
    assert_int_equal(durations_quantile(&durations, 950), 19);
    assert_int_equal(durations_quantile(&durations, 951), 20);
    assert_int_equal(durations_quantile(&durations, 50), 1);
    assert_int_equal(durations_quantile(&durations, 0), 1);
    assert_int_equal(durations_quantile(&durations, 4000), 20);
}

static void a_quantile_is_the_buckets_upper_edge_but_not_over_the_longest(void **state)
{
    Durations durations = {0};
    (void)state;

    durations_add(&durations, 1000);
    durations_add(&durations, 5000); /* bucket 4864..5119 */
    assert_int_equal(durations_quantile(&durations, 500), 1023);
    assert_int_equal(durations_quantile(&durations, 999), 5000);
}

static Durations random_durations(Rng *rng, unsigned count)
{
    Durations durations = {0};

    for (unsigned i = 0; i < count; i++)
        durations_add(&durations, rng_next(rng) >> (20 + rng_below(rng, 44)));
    return durations;
}

static bool merging_is_adding_everything(Rng *rng, unsigned size)
{
    Durations all = {0}, parts[3] = {0}, merged = {0};

    for (unsigned i = 0; i < size; i++) {
        uint64_t us = rng_next(rng) >> (20 + rng_below(rng, 44));
        durations_add(&all, us);
        durations_add(&parts[rng_below(rng, 3)], us);
    }
    for (int i = 2; i >= 0; i--)
        durations_merge(&merged, &parts[i]);
    return memcmp(&all, &merged, sizeof(all)) == 0;
}

static void merging_in_any_order_is_adding_everything(void **state)
{
    (void)state;
    prop_check(merging_is_adding_everything, 300, 200);
}

static void a_full_bucket_stays_full(void **state)
{
    Durations durations = {0}, other = {0};
    (void)state;

    durations_add(&durations, 7);
    durations.counts[7] = UINT32_MAX;
    durations_add(&durations, 7);
    durations_add(&other, 7);
    durations_merge(&durations, &other);
    assert_int_equal(durations_count(&durations), UINT32_MAX);
}

/* ---- text ---- */

static void the_text_is_the_range_and_the_buckets(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};
    Durations durations = {0};
    (void)state;

    durations_print(&durations, &buf);
    assert_string_equal(buf_cstr(&buf), "");
    durations_add(&durations, 3);
    durations_add(&durations, 3);
    durations_add(&durations, 1000);
    durations_print(&durations, &buf);
    assert_string_equal(buf_cstr(&buf), "3..1000 3:2 111:1");
}

static bool reading_gives_what_was_printed(Rng *rng, unsigned size)
{
    CLEANUP(buf_done) Buf buf = {0};
    Durations durations = random_durations(rng, size - 1), read;

    memset(&read, 0xFF, sizeof(read));
    durations_print(&durations, &buf);
    return buf.len <= DURATIONS_TEXT_MAX && durations_read(buf_str(&buf), &read, NULL) == 0 &&
           memcmp(&durations, &read, sizeof(read)) == 0;
}

static void what_was_printed_is_read_again(void **state)
{
    (void)state;
    prop_check(reading_gives_what_was_printed, 500, 300);
}

static void the_longest_text_is_within_the_limit(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};
    Durations durations = {.max_us = UINT64_MAX}, read;
    (void)state;

    for (unsigned i = 0; i < DURATIONS_BUCKETS; i++)
        durations.counts[i] = UINT32_MAX;
    durations_print(&durations, &buf);
    assert_true(buf.len <= DURATIONS_TEXT_MAX);
    assert_int_equal(durations_read(buf_str(&buf), &read, NULL), 0);
    assert_int_equal(durations_count(&read), (uint64_t)UINT32_MAX * DURATIONS_BUCKETS);
}

static void text_that_no_histogram_prints_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text;
        unsigned column;
    } rows[] = {
        {"x", 1},
        {" ", 1},
        {"3:2", 1},
        {"5", 1},
        {"5.5 5:1", 1},
        {"5...5 5:1", 1},
        {"9..5 5:1 9:1", 1},
        {"5..18446744073709551616 5:1", 1},
        {"-1..5 5:1", 1},
        {"5..5", 1},             /* no bucket at all */
        {"5..5 6:1", 1},         /* the shortest is in another bucket */
        {"5..6 5:2", 1},         /* the longest too */
        {"5..6 5:1 6:1 7:1", 1}, /* longer than the longest */
        {"5..6 4:1 5:1 6:1", 1}, /* shorter than the shortest */
        {"992..1000 111:1", 1},  /* one duration can't be two */
        {"5..6  5:1 6:1", 6},
        {"5..6 5:1 6:1 ", 13},
        {"5..6 5:1 5:1 6:1", 10},
        {"5..6 6:1 5:1", 10},
        {"5..6 5:0 6:1", 6},
        {"5..6 5:1 6:", 10},
        {"5..6 5:1 :1", 10},
        {"5..6 5:1 6:-1", 10},
        {"5..6 5:1 6:4294967296", 10},
        {"5..6 5:1 464:1", 10},
        {"5..6 5:1 6:1:1", 10},
        {"5..6 5:1\t6:1", 6},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Durations read = {.min_us = 77};
        Err err = {0};
        if (durations_read(str_of(rows[i].text), &read, &err) != ERR_SYNTAX ||
            err.column != rows[i].column)
            fail_msg("'%s': column %u, '%s'", rows[i].text, err.column, err.msg);
        assert_int_equal(read.min_us, 77); /* untouched */
    }
}

static void too_long_a_text_is_refused(void **state)
{
    char text[DURATIONS_TEXT_MAX + 1];
    Durations read;
    (void)state;

    memset(text, '1', sizeof(text));
    assert_int_equal(durations_read((Str){text, sizeof(text)}, &read, NULL), ERR_LIMIT);
    assert_int_equal(durations_read((Str){text, sizeof(text) - 1}, &read, NULL), ERR_SYNTAX);
}

static bool any_text_is_read_or_refused(Rng *rng, unsigned size)
{
    static const char letters[] = "0123456789..:: -";
    CLEANUP(buf_done) Buf buf = {0};
    Durations durations = random_durations(rng, size), read = {0};
    Err err = {0};

    durations_print(&durations, &buf);
    for (unsigned i = 0; i < 3; i++)
        buf.bytes[rng_below(rng, (uint32_t)buf.len)] = letters[rng_below(rng, sizeof(letters) - 1)];
    int rc = durations_read(buf_str(&buf), &read, &err);
    if (rc)
        return rc == ERR_SYNTAX && err.msg[0] && durations_count(&read) == 0;
    return durations_quantile(&read, 500) <= durations_max(&read) &&
           durations_min(&read) <= durations_max(&read);
}

static void changed_texts_are_read_or_refused(void **state)
{
    (void)state;
    prop_check(any_text_is_read_or_refused, 2000, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_durations_have_buckets_of_their_own),
        cmocka_unit_test(a_millisecond_is_in_the_bucket_worked_out_by_hand),
        cmocka_unit_test(buckets_join_without_gap_and_are_a_sixteenth_wide_at_most),
        cmocka_unit_test(the_last_bucket_takes_all_from_69_minutes_on),
        cmocka_unit_test(an_empty_histogram_answers_zero),
        cmocka_unit_test(shortest_and_longest_are_exact),
        cmocka_unit_test(zero_is_a_duration_too),
        cmocka_unit_test(quantiles_are_of_the_nearest_rank),
        cmocka_unit_test(a_quantile_is_the_buckets_upper_edge_but_not_over_the_longest),
        cmocka_unit_test(merging_in_any_order_is_adding_everything),
        cmocka_unit_test(a_full_bucket_stays_full),
        cmocka_unit_test(the_text_is_the_range_and_the_buckets),
        cmocka_unit_test(what_was_printed_is_read_again),
        cmocka_unit_test(the_longest_text_is_within_the_limit),
        cmocka_unit_test(text_that_no_histogram_prints_is_refused_with_its_place),
        cmocka_unit_test(too_long_a_text_is_refused),
        cmocka_unit_test(changed_texts_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
