#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/loop.h"
#include "net/timed_wait.h"

static void a_wait_that_nobody_ends_is_over_when_its_time_is(void **state)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    TimeUs start = loop_now();

    (void)state;
    pthread_mutex_lock(&mutex);
    TimeUs now = timed_wait(&condition, &mutex, 2000);
    for (unsigned i = 0; i < 1000 && now - start < 1000; i++)
        now = timed_wait(&condition, &mutex, 2000); /* it may wake for nothing */
    pthread_mutex_unlock(&mutex);
    assert_true(now - start >= 1000);
    assert_true(now <= loop_now());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_nobody_ends_is_over_when_its_time_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
