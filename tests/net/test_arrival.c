#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/arrival.h"

/* The loop's clock began this long before 1970 would be 0 on it. */
#define AHEAD ((TimeUs)1700000000 * 1000000)

static void a_stamp_is_a_time_of_the_loop(void **state)
{
    const TimeUs ahead[2] = {AHEAD, AHEAD};

    (void)state;
    assert_int_equal(arrival_time(AHEAD + 150000, ahead, 100000, 500000), 150000);
    assert_int_equal(arrival_time(AHEAD + 500000, ahead, 100000, 500000), 500000);
}

static void a_stamp_a_little_outside_is_taken_as_the_bound(void **state)
{
    const TimeUs ahead[2] = {AHEAD, AHEAD};

    (void)state;
    assert_int_equal(arrival_time(AHEAD + 99500, ahead, 100000, 500000), 100000);
    assert_int_equal(arrival_time(AHEAD + 500500, ahead, 100000, 500000), 500000);
}

static void a_clock_that_is_set_while_bytes_wait_changes_nothing(void **state)
{
    static const TimeUs steps[] = {3600000000, -3600000000, 600000, -600000};

    (void)state;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        const TimeUs ahead[2] = {AHEAD, AHEAD + steps[i]};
        /* The stamp was made before the clock was set, or behind it. */
        assert_int_equal(arrival_time(AHEAD + 150000, ahead, 100000, 500000), 150000);
        assert_int_equal(arrival_time(AHEAD + steps[i] + 450000, ahead, 100000, 500000), 450000);
    }
}

static void of_two_possible_times_the_peer_gets_the_earlier(void **state)
{
    const TimeUs ahead[2] = {AHEAD, AHEAD + 100000};

    (void)state;
    assert_int_equal(arrival_time(AHEAD + 300000, ahead, 100000, 500000), 200000);
}

static void an_impossible_stamp_is_now(void **state)
{
    const TimeUs ahead[2] = {AHEAD, AHEAD};

    (void)state;
    assert_int_equal(arrival_time(AHEAD + 50000, ahead, 100000, 500000), 500000);
    assert_int_equal(arrival_time(AHEAD + 700000, ahead, 100000, 500000), 500000);
    assert_int_equal(arrival_time(0, ahead, 100000, 500000), 500000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_is_a_time_of_the_loop),
        cmocka_unit_test(a_stamp_a_little_outside_is_taken_as_the_bound),
        cmocka_unit_test(a_clock_that_is_set_while_bytes_wait_changes_nothing),
        cmocka_unit_test(of_two_possible_times_the_peer_gets_the_earlier),
        cmocka_unit_test(an_impossible_stamp_is_now),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
