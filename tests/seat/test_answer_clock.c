#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seat/answer_clock.h"

/* A simulated clock; milliseconds in the tests. */
#define MS         1000
#define SENT_AT    ((TimeUs)5000 * MS)
#define LIMIT      ((TimeUs)100 * MS)
#define GRACE      ((TimeUs)100 * MS)
#define FIRST_LOOK (SENT_AT + LIMIT / 5)

/* What /proc/PID/task/TID/schedstat tells of an agent: time since the first look, all threads' CPU
 * and the longest wait of one, in ms. Those called real were recorded from a program on one
 * processor with two busy loops; the others are made up. */
typedef struct Recorded {
    int after;
    int cpu;
    int delay;
    bool waiting;
} Recorded;

/* An agent that answers at `answers_at` ms after the request (0 = never), whose threads did what
 * was recorded, the figures of the last look before a time. Returns whether the answer is taken,
 * and how long it was waited for. */
static bool play(const Recorded *recorded, size_t count, int answers_at, int *ret_ms)
{
    AnswerClock clock;

    answer_clock_begin(&clock, SENT_AT, LIMIT, LIMIT + GRACE);
    assert_int_equal(clock.due, FIRST_LOOK);
    assert_true(answer_clock_first_look(&clock, clock.due));
    while (true) {
        TimeUs now = clock.due;
        bool answered = answers_at && SENT_AT + (TimeUs)answers_at * MS <= now;
        RunQueueLook look = {0};

        if (answered)
            now = SENT_AT + (TimeUs)answers_at * MS;
        *ret_ms = (int)((now - SENT_AT) / MS);
        for (size_t i = 0; i < count; i++)
            if (FIRST_LOOK + (TimeUs)recorded[i].after * MS <= now)
                look = (RunQueueLook){(TimeUs)recorded[i].cpu * MS, (TimeUs)recorded[i].delay * MS,
                                      recorded[i].waiting};
        if (answered) {
            answer_clock_see(&clock, now, &look);
            return !answer_clock_is_over(&clock, now - SENT_AT);
        }
        if (!answer_clock_has_more(&clock, now, &look))
            return false;
    }
}

#define PLAY(recorded, at, ret) play(recorded, sizeof(recorded) / sizeof((recorded)[0]), at, ret)

static void an_agent_that_waits_for_a_processor_gets_the_time(void **state)
{
    /* Real: Java's first answer, 20 ms of work and what its compiler does beside it. */
    static const Recorded java[] = {
        {40, 14, 22, false},   {80, 24, 48, false},   {120, 38, 74, false},  {160, 57, 106, false},
        {200, 72, 134, false}, {240, 85, 165, false}, {280, 107, 196, false}};
    /* Real: Python's first answer; one thread, so the delay is all that it did not run. */
    static const Recorded python[] = {
        {40, 5, 27, false},    {80, 9, 67, false},    {120, 23, 100, false}, {160, 34, 126, false},
        {200, 45, 155, false}, {240, 58, 186, false}, {280, 69, 210, false}};
    int ms = 0;

    (void)state;
    assert_true(PLAY(java, 361, &ms));
    assert_int_equal(ms, 361);
    assert_true(PLAY(python, 306, &ms));
    assert_false(PLAY(python, 900, &ms)); /* and then does nothing for the rest */
    assert_in_range(ms, 300, 520);
}

static void an_agent_that_sleeps_does_not(void **state)
{
    static const Recorded asleep[] = {{180, 0, 0, false}, {230, 1, 0, false}};
    /* Real: Java; as long as it sleeps its other threads wait now and then. */
    static const Recorded dozing[] = {{40, 0, 0, false}, {80, 0, 4, false}, {235, 1, 4, false}};
    int ms = 0;

    (void)state;
    assert_false(PLAY(asleep, 250, &ms));
    assert_int_equal(ms, 200);
    assert_false(PLAY(dozing, 250, &ms));
}

static void an_agent_that_computes_does_not(void **state)
{
    static const Recorded alone[] = {{180, 180, 0, false}, {230, 230, 0, false}};
    /* Two threads against each other on one core: each waits half of the time. */
    static const Recorded itself[] = {{180, 180, 90, false}, {230, 230, 115, true}};
    /* Real: Java computes 250 ms, and waits 500. */
    static const Recorded busy[] = {
        {40, 21, 26, false},    {80, 32, 57, false},    {120, 48, 80, false},
        {160, 59, 109, false},  {200, 72, 137, false},  {240, 87, 160, false},
        {280, 99, 189, false},  {320, 114, 213, false}, {360, 127, 242, false},
        {400, 141, 267, false}, {440, 153, 296, false}, {480, 167, 316, false},
        {520, 180, 342, false}, {560, 192, 371, false}, {600, 205, 397, false},
        {640, 218, 424, false}, {680, 232, 445, false}};
    int ms = 0;

    (void)state;
    assert_false(PLAY(alone, 250, &ms));
    assert_int_equal(ms, 200);
    assert_false(PLAY(itself, 250, &ms));
    assert_in_range(ms, 200, 210);
    assert_false(PLAY(busy, 771, &ms));
}

static void a_wait_that_is_not_over_is_waited_for(void **state)
{
    /* It gets no processor for 250 ms, which is told when it gets one. */
    static const Recorded starved[] = {
        {0, 0, 0, true}, {255, 1, 250, false}, {275, 20, 252, false}};
    /* It can run all the time and never does: ten limits, and that is the end. */
    static const Recorded never[] = {{0, 0, 0, true}};
    int ms = 0;

    (void)state;
    assert_true(PLAY(starved, 300, &ms));
    assert_false(PLAY(never, 0, &ms));
    assert_in_range(ms, 990, 1000);
}

static void nobody_gets_more_than_ten_limits(void **state)
{
    static const Recorded waits[] = {{180, 0, 180, false},
                                     {380, 0, 380, false},
                                     {580, 0, 580, false},
                                     {780, 0, 780, false},
                                     {980, 0, 980, false}};
    int ms = 0;

    (void)state;
    assert_false(PLAY(waits, 1100, &ms));
    assert_int_equal(ms, 1000);
}

static void what_held_this_program_up_counts(void **state)
{
    AnswerClock clock;

    (void)state;
    /* Stopped for 380 ms behind the request. */
    answer_clock_begin(&clock, SENT_AT, LIMIT, LIMIT + GRACE);
    TimeUs now = FIRST_LOOK + (TimeUs)380 * MS;
    assert_true(answer_clock_first_look(&clock, now));
    assert_false(answer_clock_is_over(&clock, (TimeUs)579 * MS));
    assert_true(answer_clock_is_over(&clock, (TimeUs)581 * MS));
    assert_int_equal(clock.due, SENT_AT + (TimeUs)580 * MS);
    assert_false(answer_clock_has_more(&clock, clock.due, NULL)); /* not twice */

    /* And when the time is up, once more. */
    answer_clock_begin(&clock, SENT_AT, LIMIT, LIMIT + GRACE);
    assert_true(answer_clock_first_look(&clock, FIRST_LOOK + 1 * MS));
    now = SENT_AT + (TimeUs)500 * MS;
    assert_false(answer_clock_has_more(&clock, now, NULL)); /* the time that it adds is over too */
    assert_false(answer_clock_is_over(&clock, (TimeUs)499 * MS));
    assert_true(answer_clock_is_over(&clock, (TimeUs)501 * MS));
}

static void a_timer_that_is_a_little_late_counts_for_nobody(void **state)
{
    AnswerClock clock;

    (void)state;
    answer_clock_begin(&clock, SENT_AT, LIMIT, LIMIT + GRACE);
    assert_true(answer_clock_first_look(&clock, FIRST_LOOK + 4 * MS));
    assert_false(answer_clock_has_more(&clock, clock.due + 4 * MS, NULL));
    assert_int_equal(clock.waited, 0);
    assert_true(answer_clock_is_over(&clock, LIMIT + GRACE + 1));
    assert_false(answer_clock_is_over(&clock, LIMIT + GRACE));
}

static void what_the_first_look_came_too_late_for_is_taken_to_have_been_alike(void **state)
{
    AnswerClock clock;
    const RunQueueLook half = {.cpu = 80 * MS, .delay = 80 * MS};

    (void)state;
    answer_clock_begin(&clock, SENT_AT, LIMIT, LIMIT + GRACE);
    assert_true(answer_clock_first_look(&clock, FIRST_LOOK));
    answer_clock_see(&clock, FIRST_LOOK + (TimeUs)160 * MS, &half);
    assert_int_equal(clock.waited, 90 * MS);
    answer_clock_see(&clock, FIRST_LOOK + (TimeUs)160 * MS, NULL); /* never less */
    assert_int_equal(clock.waited, 90 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_that_waits_for_a_processor_gets_the_time),
        cmocka_unit_test(an_agent_that_sleeps_does_not),
        cmocka_unit_test(an_agent_that_computes_does_not),
        cmocka_unit_test(a_wait_that_is_not_over_is_waited_for),
        cmocka_unit_test(nobody_gets_more_than_ten_limits),
        cmocka_unit_test(what_held_this_program_up_counts),
        cmocka_unit_test(a_timer_that_is_a_little_late_counts_for_nobody),
        cmocka_unit_test(what_the_first_look_came_too_late_for_is_taken_to_have_been_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
