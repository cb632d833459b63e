/* test_retry_waits.c - what failed is left alone for a while, however much has failed.
 *
 * Source: docs/spec/contest-operations.md 16.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site/retry_waits.h"

#include <stdio.h>

static TimeUs clock_now;

static TimeUs now(void)
{
    return clock_now;
}

static bool has_to_wait(RetryWaits *waits, unsigned number)
{
    char id[16];

    snprintf(id, sizeof(id), "job%u", number);
    return retry_waits(waits, str_of(id), RETRY_MINUTE);
}

static void a_job_waits_from_when_it_was_first_asked_for(void **state)
{
    RetryWaits waits = {.now = now};

    (void)state;
    clock_now = 5;
    assert_true(has_to_wait(&waits, 1));
    clock_now += RETRY_MINUTE - 1;
    assert_true(has_to_wait(&waits, 1));
    assert_true(has_to_wait(&waits, 2));
    clock_now += 1;
    assert_false(has_to_wait(&waits, 1));
    assert_false(has_to_wait(&waits, 1)); /* as often as it is asked for */
    assert_true(has_to_wait(&waits, 2));
    assert_false(retry_waits(NULL, STR("job1"), RETRY_MINUTE));
}

/* Each second all are asked for, in turn; none may be forgotten for the others for ever. */
static void more_jobs_than_places_are_tried_again_all_the_same(void **state)
{
    static unsigned tried[RETRY_WAITS_MAX + 1];
    RetryWaits waits = {.now = now};

    (void)state;
    clock_now = 0;
    for (int round = 0; round < 300; round++, clock_now += 1000000)
        for (unsigned i = 0; i <= RETRY_WAITS_MAX; i++)
            tried[i] += !has_to_wait(&waits, i);
    for (unsigned i = 0; i <= RETRY_WAITS_MAX; i++)
        if (!tried[i])
            fail_msg("job %u is never tried again", i);
}

/* Each that is tried again fails again, as another job: those of before leave their places. */
static void jobs_that_were_tried_again_take_no_place(void **state)
{
    static unsigned ids[RETRY_WAITS_MAX], tried[RETRY_WAITS_MAX];
    RetryWaits waits = {.now = now};
    unsigned next = RETRY_WAITS_MAX;

    (void)state;
    clock_now = 0;
    for (unsigned i = 0; i < RETRY_WAITS_MAX; i++)
        ids[i] = i;
    for (int round = 0; round < 600; round++, clock_now += 1000000)
        for (unsigned i = 0; i < RETRY_WAITS_MAX; i++)
            if (!has_to_wait(&waits, ids[i])) {
                ids[i] = next++;
                tried[i]++;
            }
    for (unsigned i = 0; i < RETRY_WAITS_MAX; i++)
        if (tried[i] < 9 || tried[i] > 10)
            fail_msg("%u is tried %u times in ten minutes", i, tried[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_waits_from_when_it_was_first_asked_for),
        cmocka_unit_test(more_jobs_than_places_are_tried_again_all_the_same),
        cmocka_unit_test(jobs_that_were_tried_again_take_no_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
