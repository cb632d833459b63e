#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/loop.h"
#include "net/thread_cpu.h"

#include <stdatomic.h>
#include <unistd.h>

#define WORK_US ((TimeUs)20000)

/* Computes until told to stop. */
static void *work(void *user)
{
    atomic_bool *stop = user;

    while (!atomic_load(stop))
        ;
    return NULL;
}

static void a_thread_that_computes_uses_its_time_and_no_more(void **state)
{
    TimeUs start = loop_now();
    atomic_bool stop = false;
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, work, &stop), 0);
    while (thread_cpu(thread) < WORK_US && loop_now() - start < 100 * WORK_US)
        usleep(1000);
    TimeUs used = thread_cpu(thread);
    assert_true(used >= WORK_US);
    assert_true(used <= loop_now() - start);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_computes_uses_its_time_and_no_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
