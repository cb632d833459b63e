#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/work.h"

#include <pthread.h>
#include <stdlib.h>

/* Jobs that wait in `run` until they may go on. */
typedef struct Gate {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    bool open;
    unsigned running;
    unsigned most; /* at once */
    Loop *loop;
    unsigned done;
    unsigned dropped;
    unsigned wanted; /* the loop stops when so many are done */
    char order[64];  /* of jobs that are done */
} Gate;

typedef struct GateJob {
    WorkJob job;
    Gate *gate;
    char name;
} GateJob;

static void run_gate_job(WorkJob *job)
{
    Gate *gate = ((GateJob *)job)->gate;

    pthread_mutex_lock(&gate->mutex);
    gate->running++;
    if (gate->running > gate->most)
        gate->most = gate->running;
    pthread_cond_broadcast(&gate->moved);
    while (!gate->open)
        pthread_cond_wait(&gate->moved, &gate->mutex);
    gate->running--;
    pthread_mutex_unlock(&gate->mutex);
}

static void on_gate_done(WorkJob *job, TimeUs now)
{
    GateJob *own = (GateJob *)job;
    Gate *gate = own->gate;

    (void)now;
    if (gate->done < sizeof(gate->order) - 1)
        gate->order[gate->done] = own->name;
    free(own);
    if (++gate->done == gate->wanted)
        loop_stop(gate->loop);
}

static void on_gate_drop(WorkJob *job)
{
    ((GateJob *)job)->gate->dropped++;
    free(job);
}

static WorkJob *gate_job(Gate *gate, char name)
{
    GateJob *own = calloc(1, sizeof(*own));

    assert_non_null(own);
    own->job = (WorkJob){.run = run_gate_job, .done = on_gate_done, .drop = on_gate_drop};
    own->gate = gate;
    own->name = name;
    return &own->job;
}

static void gate_begin(Gate *gate)
{
    *gate = (Gate){.mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};
    assert_int_equal(loop_new(&gate->loop, NULL), 0);
}

static void gate_open(Gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    gate->open = true;
    pthread_cond_broadcast(&gate->moved);
    pthread_mutex_unlock(&gate->mutex);
}

/* Until so many are in `run`. */
static void await_running(Gate *gate, unsigned count)
{
    pthread_mutex_lock(&gate->mutex);
    while (gate->running < count)
        pthread_cond_wait(&gate->moved, &gate->mutex);
    pthread_mutex_unlock(&gate->mutex);
}

static void two_run_and_32_wait_and_no_more(void **state)
{
    Gate gate;
    Work *work;

    (void)state;
    gate_begin(&gate);
    assert_int_equal(work_open(gate.loop, WORK_THREADS, &work, NULL), 0);
    for (unsigned i = 0; i < WORK_THREADS; i++)
        assert_true(work_add(work, gate_job(&gate, 'r')));
    await_running(&gate, WORK_THREADS);
    for (unsigned i = 0; i < WORK_WAITING; i++)
        assert_true(work_add(work, gate_job(&gate, 'w')));
    assert_int_equal(work_waiting(work), WORK_WAITING);
    WorkJob *one_more = gate_job(&gate, 'x');
    assert_false(work_add(work, one_more));
    assert_int_equal(gate.most, WORK_THREADS);
    gate.wanted = WORK_THREADS + WORK_WAITING;
    gate_open(&gate);
    loop_run(gate.loop);
    assert_int_equal(gate.done, gate.wanted);
    assert_int_equal(gate.most, WORK_THREADS);
    assert_true(work_add(work, one_more));
    gate.wanted++;
    loop_run(gate.loop);
    work_free(work);
    assert_int_equal(gate.dropped, 0);
    loop_free(gate.loop);
}

static void chores_hold_no_job_up_and_jobs_no_chore(void **state)
{
    Gate chores, jobs;
    Work *work;

    (void)state;
    gate_begin(&chores);
    gate_begin(&jobs);
    assert_int_equal(work_open(jobs.loop, WORK_THREADS, &work, NULL), 0);
    for (unsigned i = 0; i < 100; i++) /* as many as there may be */
        work_add_chore(work, gate_job(&chores, 'c'));
    await_running(&chores, WORK_THREADS);
    for (unsigned i = 0; i < 3; i++)
        assert_true(work_add(work, gate_job(&jobs, (char)('a' + i))));
    jobs.wanted = 3;
    gate_open(&jobs);
    loop_run(jobs.loop);
    assert_int_equal(jobs.done, 3);
    assert_int_equal(chores.done, 0);
    assert_int_equal(chores.most, WORK_THREADS);
    gate_open(&chores);
    work_free(work);
    loop_free(chores.loop);
    loop_free(jobs.loop);
}

static void jobs_that_are_counted_elsewhere_are_never_refused(void **state)
{
    Gate gate;
    Work *work;

    (void)state;
    gate_begin(&gate);
    assert_int_equal(work_open(gate.loop, WORK_THREADS, &work, NULL), 0);
    gate.wanted = 2 * WORK_WAITING;
    for (unsigned i = 0; i < gate.wanted; i++)
        work_add_counted(work, gate_job(&gate, 'p'));
    await_running(&gate, WORK_THREADS);
    assert_int_equal(work_waiting(work), gate.wanted - WORK_THREADS);
    gate_open(&gate);
    loop_run(gate.loop);
    assert_int_equal(gate.most, WORK_THREADS);
    work_free(work);
    loop_free(gate.loop);
}

static void jobs_are_done_in_their_order(void **state)
{
    Gate gate;
    Work *work;

    (void)state;
    gate_begin(&gate);
    assert_int_equal(work_open(gate.loop, 1, &work, NULL), 0);
    for (unsigned i = 0; i < 5; i++)
        assert_true(work_add(work, gate_job(&gate, (char)('a' + i))));
    gate.wanted = 5;
    gate_open(&gate);
    loop_run(gate.loop);
    assert_string_equal(gate.order, "abcde");
    work_free(work);
    loop_free(gate.loop);
}

static void jobs_that_are_left_are_dropped(void **state)
{
    Gate gate;
    Work *work;

    (void)state;
    gate_begin(&gate);
    assert_int_equal(work_open(gate.loop, WORK_THREADS, &work, NULL), 0);
    for (unsigned i = 0; i < 10; i++)
        assert_true(work_add(work, gate_job(&gate, 'a')));
    work_add_chore(work, gate_job(&gate, 'z'));
    await_running(&gate, WORK_THREADS);
    gate_open(&gate);
    work_free(work); /* the loop has never run */
    assert_int_equal(gate.done, 0);
    assert_int_equal(gate.dropped, 11);
    loop_free(gate.loop);
}

static void none_is_freed_as_well(void **state)
{
    (void)state;
    assert_null(work_free(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_run_and_32_wait_and_no_more),
        cmocka_unit_test(chores_hold_no_job_up_and_jobs_no_chore),
        cmocka_unit_test(jobs_that_are_counted_elsewhere_are_never_refused),
        cmocka_unit_test(jobs_are_done_in_their_order),
        cmocka_unit_test(jobs_that_are_left_are_dropped),
        cmocka_unit_test(none_is_freed_as_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
