#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/loop.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#define MANY 100

typedef struct Times Times;

/* A timer that writes down its turn. */
typedef struct Clock {
    Times *times;
    Timer *timer;
    TimeUs when;
    int count;
    int again; /* how often it sets itself again */
    bool free_itself;
    Timer **free_other;
} Clock;

struct Times {
    Loop *loop;
    Clock clocks[MANY];
    int order[MANY * 2];
    int rung;
};

static void on_due(void *user, TimeUs now)
{
    Clock *clock = user;
    Times *times = clock->times;

    (void)now;
    assert_true(loop_now() >= clock->when); /* never early */
    assert_in_range(times->rung, 0, MANY * 2 - 1);
    times->order[times->rung++] = (int)(clock - times->clocks);
    clock->count++;
    if (clock->free_other)
        *clock->free_other = timer_free(*clock->free_other);
    if (clock->free_itself)
        clock->timer = timer_free(clock->timer);
    else if (clock->again-- > 0)
        timer_at(clock->timer, clock->when = loop_now(), false);
}

static int set_up(void **state)
{
    Times *times = calloc(1, sizeof(*times));

    assert_non_null(times);
    assert_int_equal(loop_new(&times->loop, NULL), 0);
    for (int i = 0; i < MANY; i++) {
        Clock *clock = &times->clocks[i];
        clock->times = times;
        assert_int_equal(timer_new(times->loop, on_due, clock, &clock->timer, NULL), 0);
    }
    *state = times;
    return 0;
}

static int tear_down(void **state)
{
    Times *times = *state;

    times->loop = loop_free(times->loop);
    free(times);
    return 0;
}

static void set(Times *times, int i, TimeUs when)
{
    times->clocks[i].when = when;
    timer_at(times->clocks[i].timer, when, false);
}

static void timers_go_off_in_order_and_never_early(void **state)
{
    Times *times = *state;
    TimeUs now = loop_now();

    /* Set in a scrambled order, 300 us apart: up to four in one millisecond. */
    for (int i = 0; i < MANY; i++)
        set(times, i, now + 1000 + (i * 37 % MANY) * 300);
    loop_run(times->loop);
    assert_int_equal(times->rung, MANY);
    for (int i = 1; i < MANY; i++) {
        TimeUs before = times->clocks[times->order[i - 1]].when;
        TimeUs here = times->clocks[times->order[i]].when;
        assert_true((before + 999) / 1000 <= (here + 999) / 1000);
    }
}

static void a_time_that_has_passed_goes_off_at_once_and_others_get_their_turn(void **state)
{
    Times *times = *state;

    times->clocks[0].again = 50; /* sets itself to now each time */
    set(times, 0, 0);
    set(times, 1, -5);
    set(times, 2, loop_now() - 1000000);
    assert_int_equal(times->rung, 0); /* not inside timer_at */
    loop_run(times->loop);
    assert_int_equal(times->clocks[0].count, 51);
    assert_int_equal(times->order[1], 1);
    assert_int_equal(times->order[2], 2);
}

static void a_set_timer_is_moved_or_kept_as_asked(void **state)
{
    Times *times = *state;
    Clock *clock = times->clocks;
    TimeUs now = loop_now();

    timer_at(clock->timer, now + 3600000000, false);
    timer_at(clock->timer, now + 7200000000, true); /* kept */
    clock->when = now + 2000;
    timer_at(clock->timer, now + 2000, true); /* earlier */
    timer_at(clock->timer, now + 3000, true); /* kept */
    loop_run(times->loop);
    assert_int_equal(clock->count, 1);
    assert_true(loop_now() < now + 3600000000);

    set(times, 0, loop_now() + 1000);
    timer_stop(clock->timer);
    timer_stop(clock->timer);
    set(times, 0, 0);
    timer_stop(clock->timer);
    timer_at(clock->timer, TIME_US_NEVER, false);
    timer_at(clock->timer, TIME_US_NEVER, true);
    loop_run(times->loop); /* returns: nothing is set */
    assert_int_equal(clock->count, 1);
    set(times, 0, loop_now() + 1000);
    timer_at(clock->timer, TIME_US_NEVER, true); /* kept */
    loop_run(times->loop);
    assert_int_equal(clock->count, 2);
}

static void timers_may_be_freed_in_callbacks(void **state)
{
    Times *times = *state;
    TimeUs now = loop_now();

    times->clocks[0].free_itself = true;
    set(times, 0, now + 1000);
    times->clocks[1].free_other = &times->clocks[2].timer;
    set(times, 1, 0);
    set(times, 2, 0);
    times->clocks[3].free_other = &times->clocks[4].timer;
    set(times, 3, now + 1000);
    set(times, 4, now + 1000);
    times->clocks[5].free_itself = true;
    set(times, 5, 0);
    loop_run(times->loop);
    assert_int_equal(times->clocks[0].count, 1);
    assert_int_equal(times->clocks[2].count, 0);
    assert_int_equal(times->clocks[4].count, 0);
    assert_int_equal(times->clocks[5].count, 1);
    assert_int_equal(times->rung, 4);
}

/* A callback that takes its time makes libuv's clock stale. */
static void be_slow(void *user, TimeUs now)
{
    TimeUs until = loop_now() + 30000;

    (void)user;
    (void)now;
    while (loop_now() < until)
        ;
}

static void a_slow_callback_does_not_delay_the_next_timer(void **state)
{
    Times *times = *state;
    Timer *slow;
    TimeUs took = INT64_MAX;

    assert_int_equal(timer_new(times->loop, be_slow, NULL, &slow, NULL), 0);
    /* 40 ms and not 31 + 39. A busy machine may be late, but not each time. */
    for (int i = 0; i < 200 && took > 65000; i++) {
        TimeUs now = loop_now();

        timer_at(slow, now + 1000, false);
        set(times, 0, now + 40000);
        loop_run(times->loop);
        took = loop_now() - now;
        assert_true(took >= 40000);
    }
    assert_true(took <= 65000);
}

static void stop(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Times *)user)->loop);
}

static void stopping_leaves_what_is_set_for_the_next_run(void **state)
{
    Times *times = *state;
    Timer *stopper;

    assert_int_equal(timer_new(times->loop, stop, times, &stopper, NULL), 0);
    timer_at(stopper, 0, false);
    set(times, 0, loop_now() + 20000);
    loop_run(times->loop);
    assert_int_equal(times->rung, 0);
    loop_stop(times->loop); /* not running: the next run returns */
    loop_run(times->loop);
    assert_int_equal(times->rung, 0);
    loop_run(times->loop);
    assert_int_equal(times->rung, 1);
}

/* ---- from other threads ---- */

typedef struct Wakes {
    Loop *loop;
    pthread_mutex_t lock;
    int asked;
    int seen;
} Wakes;

static void *wake_often(void *user)
{
    Wakes *wakes = user;

    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&wakes->lock);
        wakes->asked++;
        pthread_mutex_unlock(&wakes->lock);
        loop_wake(wakes->loop);
    }
    return NULL;
}

static void on_wake(void *user, TimeUs now)
{
    Wakes *wakes = user;

    assert_true(now > 0 && now <= loop_now());
    pthread_mutex_lock(&wakes->lock);
    wakes->seen = wakes->asked;
    pthread_mutex_unlock(&wakes->lock);
    if (wakes->seen == 4000)
        loop_stop(wakes->loop);
}

static void other_threads_wake_the_loop_and_no_wake_is_lost(void **state)
{
    Wakes wakes = {0};
    pthread_t threads[4];

    (void)state;
    pthread_mutex_init(&wakes.lock, NULL);
    assert_int_equal(loop_new(&wakes.loop, NULL), 0);
    loop_wake(wakes.loop); /* nobody listens yet: no harm */
    loop_on_wake(wakes.loop, on_wake, &wakes);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wake_often, &wakes), 0);
    loop_run(wakes.loop); /* stays, though only the wake is open */
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(wakes.seen, 4000);
    loop_on_wake(wakes.loop, NULL, NULL);
    loop_run(wakes.loop); /* returns now */
    loop_free(wakes.loop);
    pthread_mutex_destroy(&wakes.lock);
}

/* ---- signals ---- */

typedef struct Caught {
    Loop *loop;
    int number;
    int count;
    TimeUs at;
} Caught;

static void on_signal(void *user, int signal_number, TimeUs now)
{
    Caught *caught = user;

    caught->number = signal_number;
    caught->at = now;
    caught->count++;
    loop_stop(caught->loop);
}

static void a_signal_is_caught_in_the_loop(void **state)
{
    Times *times = *state;
    Caught caught = {.loop = times->loop};

    assert_int_equal(loop_signal(times->loop, SIGUSR1, on_signal, &caught, NULL), 0);
    loop_run(times->loop); /* a handler alone doesn't keep it running */
    set(times, 0, loop_now() + 3600000000);
    TimeUs before = loop_now();
    kill(getpid(), SIGUSR1);
    assert_int_equal(caught.count, 0); /* not in the signal handler */
    loop_run(times->loop);
    assert_int_equal(caught.count, 1);
    assert_int_equal(caught.number, SIGUSR1);
    assert_true(caught.at >= before && caught.at <= loop_now());
    assert_int_not_equal(loop_signal(times->loop, SIGKILL, on_signal, &caught, NULL), 0);
}

/* Two dates of one time may differ by what the readings of the clocks are apart. */
static void a_time_has_one_date_however_late_it_is_asked_for(void **state)
{
    TimeUs at = loop_now();
    int64_t date = loop_date_of(at);

    (void)state;
    assert_in_range(loop_date_ms() - date + 1, 0, 1000);
    assert_in_range(loop_date_of(at - 5000000) - date + 5001, 0, 2);
    while (loop_now() < at + 20000)
        usleep(1000);
    assert_in_range(loop_date_of(at) - date + 1, 0, 2);
}

static void a_broken_pipe_does_not_end_the_process(void **state)
{
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(write(ends[1], "x", 1), -1);
    close(ends[1]);
}

int main(void)
{
#define LOOP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        LOOP_TEST(timers_go_off_in_order_and_never_early),
        LOOP_TEST(a_time_that_has_passed_goes_off_at_once_and_others_get_their_turn),
        LOOP_TEST(a_set_timer_is_moved_or_kept_as_asked),
        LOOP_TEST(timers_may_be_freed_in_callbacks),
        LOOP_TEST(a_slow_callback_does_not_delay_the_next_timer),
        LOOP_TEST(stopping_leaves_what_is_set_for_the_next_run),
        cmocka_unit_test(other_threads_wake_the_loop_and_no_wake_is_lost),
        LOOP_TEST(a_signal_is_caught_in_the_loop),
        cmocka_unit_test(a_time_has_one_date_however_late_it_is_asked_for),
        LOOP_TEST(a_broken_pipe_does_not_end_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
