#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* sched_setaffinity */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/run_queue.h"
#include "sanitized.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void spin(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}

/* This process, and what it starts, keeps to one processor from now on. */
static void keep_to_one(void)
{
    cpu_set_t one;

    sched_getaffinity(0, sizeof(one), &one);
    for (size_t cpu = 0, kept = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &one) && kept++)
            CPU_CLR(cpu, &one);
    sched_setaffinity(0, sizeof(one), &one);
}

/* `count` processes, children of one that sleeps, `nicer` than this one. Returns the parent. */
static pid_t start_spinners(int count, int nicer)
{
    pid_t parent = fork();

    assert_true(parent >= 0);
    if (parent) {
        setpgid(parent, parent); /* both do it: nobody has to wait for the other */
        return parent;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody who holds its output */
    setpgid(0, 0);
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + nicer);
    for (int i = 0; i < count; i++)
        if (fork() == 0)
            spin();
    while (true)
        pause();
}

static void stop(pid_t parent)
{
    kill(-parent, SIGKILL);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
}

/* A look once a tenth of a second of CPU was used. False where the kernel counts no delays. */
static bool look_at(pid_t parent, RunQueueLook *ret_look)
{
    RunQueue *queue = run_queue_new(parent);
    bool seen = false;

    assert_non_null(queue);
    poll(NULL, 0, 100); /* until all were started */
    assert_false(run_queue_since(queue, ret_look));
    if (run_queue_begin(queue))
        for (int i = 0; i < 2000 && (!seen || ret_look->cpu < 100000); i++) {
            poll(NULL, 0, 10);
            seen = run_queue_since(queue, ret_look);
        }
    run_queue_free(queue);
    if (!seen)
        print_message("skipped: this kernel tells no delays\n");
    return seen;
}

static void two_that_share_a_processor_wait_for_each_other(void **state)
{
    RunQueueLook look = {0};
    cpu_set_t all;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    keep_to_one(); /* as an organiser may have done with all of them */
    pid_t parent = start_spinners(2, 0);
    bool seen = look_at(parent, &look);
    stop(parent);
    assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
    if (!seen)
        skip();
    assert_true(look.cpu >= 100000);
    assert_true(look.delay >= 20000); /* half of the time, and more when others want it too */
}

static void what_a_program_makes_less_urgent_does_not_count(void **state)
{
    RunQueueLook look = {0};
    pid_t parent = start_spinners(2, 5);
    bool seen = look_at(parent, &look);

    (void)state;
    stop(parent);
    if (SANITIZED)
        print_message("skipped: a sanitizer's own thread is as urgent as ever\n");
    if (!seen || SANITIZED)
        skip();
    assert_true(look.cpu >= 100000);
    assert_int_equal(look.delay, 0);
    assert_false(look.waiting);
}

static volatile sig_atomic_t told;

static void note_signal(int number)
{
    (void)number;
    told = 1;
}

/* A process that does `work` once it is told by SIGUSR1 to. */
static pid_t start_waiting(void (*work)(void))
{
    signal(SIGUSR1, note_signal); /* before there is somebody whom it may kill */
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid) {
        setpgid(pid, pid);
        return pid;
    }
    setpgid(0, 0);
    while (!told)
        poll(NULL, 0, 1);
    work();
    while (true)
        pause();
}

/* What is seen of `work` that begins behind run_queue_begin, once `cpu` us were used, or for 20 s.
 */
static bool look_at_work(void (*work)(void), TimeUs cpu, RunQueueLook *ret_look)
{
    pid_t pid = start_waiting(work);
    RunQueue *queue = run_queue_new(pid);
    bool seen = false;

    assert_non_null(queue);
    poll(NULL, 0, 100); /* until it waits */
    if (run_queue_begin(queue)) {
        kill(pid, SIGUSR1);
        for (int i = 0; i < 400 && (!seen || ret_look->cpu < cpu); i++) {
            poll(NULL, 0, 50);
            seen = run_queue_since(queue, ret_look);
        }
    } else
        print_message("skipped: this kernel tells no delays\n");
    run_queue_free(queue);
    stop(pid);
    return seen;
}

static void fork_spinners(int count)
{
    for (int i = 0; i < count; i++)
        if (fork() == 0)
            spin();
}

static void fight_on_one_processor(void)
{
    keep_to_one();
    fork_spinners(8);
    spin();
}

static void let_children_work(void)
{
    fork_spinners(2);
}

static void children_that_are_forked_later_have_used_their_time(void **state)
{
    RunQueueLook look = {0};

    (void)state;
    if (!look_at_work(let_children_work, 300000, &look))
        skip();
    assert_true(look.cpu >= 300000);
}

static void who_keeps_to_one_processor_has_chosen_to_wait(void **state)
{
    RunQueueLook look = {0};
    cpu_set_t all;

    (void)state;
    sched_getaffinity(0, sizeof(all), &all);
    if (CPU_COUNT(&all) < 2) {
        print_message("skipped: there is one processor only\n");
        skip();
    }
    if (!look_at_work(fight_on_one_processor, 300000, &look))
        skip();
    if (!SANITIZED) { /* which has a thread of its own */
        assert_int_equal(look.delay, 0);
        assert_false(look.waiting);
    }
}

/* 50 ms of a processor. */
static void burn_and_end(void)
{
    while (clock() < CLOCKS_PER_SEC / 20)
        ;
    _exit(0);
}

static void start_and_wait(void)
{
    for (int i = 0; i < 6; i++) {
        if (fork() == 0)
            burn_and_end();
        wait(NULL);
    }
}

static void children_that_have_ended_have_used_their_time(void **state)
{
    RunQueueLook look = {0};

    (void)state;
    if (!look_at_work(start_and_wait, 200000, &look))
        skip();
    assert_true(look.cpu >= 200000); /* 300000 but for the kernel's ticks of 10000 */
}

static void fight_of_many(void)
{
    for (int i = 0; i < 70; i++)
        if (fork() == 0)
            while (true)
                pause();
    fork_spinners(2);
    spin();
}

static void a_program_of_too_many_processes_has_no_delay(void **state)
{
    RunQueueLook look = {0};
    cpu_set_t all;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    keep_to_one(); /* all of them, so that it is not why they have none */
    bool seen = look_at_work(fight_of_many, 500000, &look);
    assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
    if (!seen)
        skip();
    assert_int_equal(look.delay, 0);
    assert_false(look.waiting);
}

static void who_sleeps_waits_for_nobody(void **state)
{
    RunQueue *queue;
    RunQueueLook look = {0};
    pid_t parent = start_spinners(0, 0);

    (void)state;
    poll(NULL, 0, 100);
    queue = run_queue_new(parent);
    bool counted = run_queue_begin(queue);
    for (int i = 0; i < 100 && counted; i++) { /* on a busy machine it falls asleep later */
        poll(NULL, 0, 50);
        assert_true(run_queue_since(queue, &look));
        if (look.cpu == 0 && look.delay == 0)
            break;
        run_queue_begin(queue);
    }
    if (counted) {
        assert_int_equal(look.cpu, 0);
        assert_int_equal(look.delay, 0);
        assert_false(look.waiting);
    }
    stop(parent);
    assert_false(run_queue_since(queue, &look)); /* nobody is there any more */
    run_queue_free(queue);
}

static void threads_that_have_ended_have_used_their_time(void **state)
{
    RunQueueLook look = {0};
    pid_t pid = fork();

    (void)state;
    if (pid == 0) {
        setpgid(0, 0);
        while (true) /* a shell that starts and ends programs: their time is not its own */
            pause();
    }
    RunQueue *queue = run_queue_new(pid);
    assert_false(run_queue_since(queue, &look));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_false(run_queue_begin(queue));
    run_queue_free(queue);
    assert_null(run_queue_free(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_share_a_processor_wait_for_each_other),
        cmocka_unit_test(what_a_program_makes_less_urgent_does_not_count),
        cmocka_unit_test(children_that_are_forked_later_have_used_their_time),
        cmocka_unit_test(who_keeps_to_one_processor_has_chosen_to_wait),
        cmocka_unit_test(children_that_have_ended_have_used_their_time),
        cmocka_unit_test(a_program_of_too_many_processes_has_no_delay),
        cmocka_unit_test(who_sleeps_waits_for_nobody),
        cmocka_unit_test(threads_that_have_ended_have_used_their_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
