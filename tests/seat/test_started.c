/* test_started.c - whether an agent that we start has come, how long one waits, and when its
 * program is told to end: transition by transition, without a process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seat/started.h"

#define SECOND  ((TimeUs)1000 * 1000)
#define STARTUP (10 * SECOND)
#define GRACE   (2 * SECOND)

static Started begun(TimeUs now)
{
    Started started = {0};

    assert_int_equal(started_begin(&started, STARTUP, now), STARTED_OPEN);
    assert_int_equal(started.state, STARTED_AWAITED);
    assert_true(started.runs);
    return started;
}

static Started here(TimeUs now)
{
    Started started = begun(now);

    assert_int_equal(started_called(&started, true), 0);
    started_named(&started);
    assert_int_equal(started.state, STARTED_HERE);
    return started;
}

/* Goes from deadline to deadline until something is to be done but to look. */
static unsigned next_act(Started *started, const RunQueueLook *look, TimeUs *now)
{
    unsigned acts = STARTED_LOOK;

    while (acts == 0 || acts == STARTED_LOOK) {
        assert_int_not_equal(started_deadline(started), TIME_US_NEVER);
        *now = started_deadline(started);
        acts = started_due(started, look, *now);
    }
    return acts;
}

static void one_that_was_never_begun_waits_for_nothing(void **state)
{
    const Started started = {0};

    (void)state;
    assert_int_equal(started_deadline(&started), TIME_US_NEVER);
}

static void who_has_said_its_name_is_waited_for_no_longer(void **state)
{
    Started started = begun(5);

    (void)state;
    assert_true(started_deadline(&started) < STARTUP);
    assert_int_equal(started_called(&started, true), 0);
    assert_int_equal(started.state, STARTED_NAMING);
    assert_true(started_deadline(&started) < STARTUP); /* for the name */
    started_named(&started);
    assert_int_equal(started_deadline(&started), TIME_US_NEVER);
}

static void only_its_own_process_may_come_and_only_one_connection(void **state)
{
    Started started = begun(0);

    (void)state;
    assert_int_equal(started_called(&started, false), STARTED_TELL);
    assert_int_equal(started.state, STARTED_AWAITED);
    assert_int_equal(started_called(&started, true), 0);
    assert_int_equal(started.state, STARTED_NAMING);
    assert_int_equal(started_called(&started, true), STARTED_TELL);
    assert_int_equal(started.state, STARTED_NAMING);
}

static void of_strangers_the_first_three_are_told(void **state)
{
    Started started = begun(0);
    unsigned told = 0;

    (void)state;
    for (int i = 0; i < 100; i++)
        told += started_called(&started, false) == STARTED_TELL;
    assert_int_equal(told, 3);
    started_ended(&started, false, STARTUP, 1);
    started_again(&started, STARTUP, 1);
    assert_int_equal(started_called(&started, false), 0); /* nor of those that come later */
}

static void who_does_not_come_in_time_has_failed_and_its_program_is_stopped(void **state)
{
    Started started = begun(0);
    TimeUs now = 0;

    (void)state;
    assert_int_equal(started_due(&started, NULL, 0), 0);
    assert_int_equal(next_act(&started, NULL, &now), STARTED_SHUT | STARTED_STOP | STARTED_LATE);
    assert_int_equal(now, STARTUP);
    assert_int_equal(started.state, STARTED_FAILED);
    assert_int_equal(started_deadline(&started), TIME_US_NEVER);
    assert_int_equal(started_called(&started, true), STARTED_TELL); /* too late */
}

static void connecting_alone_is_not_coming(void **state)
{
    Started started = begun(0);
    TimeUs now = 0;

    (void)state;
    started_called(&started, true);
    assert_int_equal(next_act(&started, NULL, &now), STARTED_SHUT | STARTED_STOP | STARTED_LATE);
    assert_int_equal(now, STARTUP);
}

static void a_program_that_had_to_wait_has_that_time_more(void **state)
{
    Started started = begun(0);
    const RunQueueLook look = {.cpu = 0, .delay = 3 * SECOND};
    TimeUs now = 0;

    (void)state;
    assert_int_equal(next_act(&started, &look, &now), STARTED_SHUT | STARTED_STOP | STARTED_LATE);
    assert_true(now >= STARTUP + 3 * SECOND);
}

static void a_program_that_ends_before_it_came_has_failed_early(void **state)
{
    Started started = begun(0);

    (void)state;
    assert_int_equal(started_ended(&started, false, STARTUP, SECOND),
                     STARTED_NOTE | STARTED_HINT | STARTED_SHUT | STARTED_EARLY);
    assert_int_equal(started.state, STARTED_FAILED);
    assert_false(started.runs);
    assert_int_equal(started_deadline(&started), TIME_US_NEVER);
}

/* Its connection will say what is wrong. */
static void one_that_ends_while_it_names_itself_is_left_to_its_connection(void **state)
{
    Started started = begun(0);

    (void)state;
    started_called(&started, true);
    assert_int_equal(started_ended(&started, false, STARTUP, SECOND), STARTED_NOTE);
    assert_int_equal(started.state, STARTED_NAMING);
    assert_int_equal(started_fail(&started, true, SECOND), STARTED_SHUT);
    assert_int_equal(started.state, STARTED_FAILED);
}

static void who_is_at_fault_is_stopped_at_once(void **state)
{
    Started started = here(0);

    (void)state;
    assert_int_equal(started_fail(&started, false, SECOND), STARTED_SHUT | STARTED_STOP);
    assert_int_equal(started_ended(&started, true, STARTUP, 2 * SECOND), 0); /* we asked for it */
}

static void who_has_gone_has_two_seconds_to_end_and_its_end_is_told(void **state)
{
    Started started = here(0), slow;

    (void)state;
    assert_int_equal(started_fail(&started, true, SECOND), STARTED_SHUT);
    assert_int_equal(started_deadline(&started), SECOND + GRACE);
    slow = started;
    assert_int_equal(started_ended(&started, false, STARTUP, SECOND + 1), STARTED_NOTE);
    assert_int_equal(started_deadline(&started), TIME_US_NEVER);
    assert_int_equal(started_due(&slow, NULL, SECOND + GRACE - 1), 0);
    assert_int_equal(started_due(&slow, NULL, SECOND + GRACE), STARTED_STOP);
    assert_int_equal(started_deadline(&slow), TIME_US_NEVER);
}

static void a_second_fault_gives_no_further_time(void **state)
{
    Started started = here(0);

    (void)state;
    started_fail(&started, true, SECOND);
    started_fail(&started, true, 2 * SECOND);
    assert_int_equal(started_deadline(&started), SECOND + GRACE);
}

static void one_that_runs_is_started_anew_when_it_has_ended(void **state)
{
    Started started = here(0);

    (void)state;
    started_fail(&started, true, SECOND);
    assert_int_equal(started_again(&started, STARTUP, SECOND), 0);
    assert_int_equal(started_ended(&started, false, STARTUP, 2 * SECOND),
                     STARTED_NOTE | STARTED_SHUT | STARTED_OPEN);
    assert_int_equal(started.state, STARTED_AWAITED);
    assert_true(started.runs);
    assert_false(started.again);
    assert_true(started_deadline(&started) > 2 * SECOND);
}

static void one_that_has_ended_is_started_anew_at_once(void **state)
{
    Started started = begun(0);

    (void)state;
    started_ended(&started, false, STARTUP, SECOND);
    assert_int_equal(started_again(&started, STARTUP, 2 * SECOND), STARTED_SHUT | STARTED_OPEN);
    assert_int_equal(started.state, STARTED_AWAITED);
}

static void one_that_does_not_end_is_stopped_before_it_is_started_anew(void **state)
{
    Started started = here(0);

    (void)state;
    started_again(&started, STARTUP, SECOND);
    assert_int_equal(started_due(&started, NULL, SECOND + GRACE), STARTED_STOP);
    assert_int_equal(started_ended(&started, true, STARTUP, 4 * SECOND),
                     STARTED_SHUT | STARTED_OPEN);
}

static void when_its_games_are_over_it_may_end_as_it_likes_for_two_seconds(void **state)
{
    Started started = here(0), slow;

    (void)state;
    assert_int_equal(started_dismiss(&started, SECOND), STARTED_SHUT);
    slow = started;
    assert_int_equal(started_ended(&started, false, STARTUP, 2 * SECOND), 0);
    assert_int_equal(started_due(&slow, NULL, SECOND + GRACE), STARTED_STOP);
}

static void the_end_of_one_that_had_failed_is_told_behind_its_games_too(void **state)
{
    Started started = here(0);

    (void)state;
    started_fail(&started, true, SECOND);
    started_dismiss(&started, SECOND);
    assert_int_equal(started_deadline(&started), SECOND + GRACE);
    assert_int_equal(started_ended(&started, false, STARTUP, 2 * SECOND), STARTED_NOTE);
}

static void nobody_is_waited_for_when_the_games_are_over(void **state)
{
    Started started = begun(0);

    (void)state;
    started_dismiss(&started, SECOND);
    assert_int_equal(started_deadline(&started), SECOND + GRACE);
    assert_int_equal(started_due(&started, NULL, STARTUP), STARTED_STOP);
    assert_int_equal(started_ended(&started, false, STARTUP, STARTUP), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_was_never_begun_waits_for_nothing),
        cmocka_unit_test(who_has_said_its_name_is_waited_for_no_longer),
        cmocka_unit_test(only_its_own_process_may_come_and_only_one_connection),
        cmocka_unit_test(of_strangers_the_first_three_are_told),
        cmocka_unit_test(who_does_not_come_in_time_has_failed_and_its_program_is_stopped),
        cmocka_unit_test(connecting_alone_is_not_coming),
        cmocka_unit_test(a_program_that_had_to_wait_has_that_time_more),
        cmocka_unit_test(a_program_that_ends_before_it_came_has_failed_early),
        cmocka_unit_test(one_that_ends_while_it_names_itself_is_left_to_its_connection),
        cmocka_unit_test(who_is_at_fault_is_stopped_at_once),
        cmocka_unit_test(who_has_gone_has_two_seconds_to_end_and_its_end_is_told),
        cmocka_unit_test(a_second_fault_gives_no_further_time),
        cmocka_unit_test(one_that_runs_is_started_anew_when_it_has_ended),
        cmocka_unit_test(one_that_has_ended_is_started_anew_at_once),
        cmocka_unit_test(one_that_does_not_end_is_stopped_before_it_is_started_anew),
        cmocka_unit_test(when_its_games_are_over_it_may_end_as_it_likes_for_two_seconds),
        cmocka_unit_test(the_end_of_one_that_had_failed_is_told_behind_its_games_too),
        cmocka_unit_test(nobody_is_waited_for_when_the_games_are_over),
    };

    return cmocka_run_group_tests_name("agents that we start", tests, NULL, NULL);
}
