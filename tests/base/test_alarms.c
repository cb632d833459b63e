#include "base/alarms.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define BELLS 4
#define LOG   64

typedef struct Desk Desk;

typedef struct Bell {
    Desk *desk;
    Alarm alarm;
    TimeUs again; /* set anew by its own ring: 0 = not */
    Alarm *stops; /* by its own ring; may be NULL */
} Bell;

struct Desk {
    Alarms alarms;
    Bell bells[BELLS];
    size_t rung[LOG];
    TimeUs at[LOG];
    size_t count;
    TimeUs told; /* by `changed` */
    unsigned changes;
};

static void on_ring(void *user, TimeUs now)
{
    Bell *bell = user;
    Desk *desk = bell->desk;

    desk->rung[desk->count] = (size_t)(bell - desk->bells);
    desk->at[desk->count++] = now;
    if (bell->again)
        alarm_at(&bell->alarm, bell->again, false);
    if (bell->stops)
        alarm_stop(bell->stops);
}

static void on_changed(void *user, TimeUs next)
{
    Desk *desk = user;

    desk->told = next;
    desk->changes++;
}

static void open_desk(Desk *desk)
{
    *desk = (Desk){.alarms = {.changed = on_changed}};
    desk->alarms.user = desk;
    for (size_t i = 0; i < BELLS; i++) {
        desk->bells[i].desk = desk;
        alarm_init(&desk->bells[i].alarm, &desk->alarms, on_ring, &desk->bells[i]);
    }
}

static void set(Desk *desk, size_t bell, TimeUs when)
{
    alarm_at(&desk->bells[bell].alarm, when, false);
}

static void assert_rung(const Desk *desk, size_t at, size_t bell, TimeUs when)
{
    assert_true(desk->count > at);
    assert_int_equal(desk->rung[at], bell);
    assert_int_equal(desk->at[at], when);
}

static void they_ring_by_time_and_then_in_the_order_in_which_they_were_set(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    set(&desk, 0, 30);
    set(&desk, 1, 10);
    set(&desk, 2, 10);
    set(&desk, 3, 20);
    alarms_ring(&desk.alarms, 9);
    assert_int_equal(desk.count, 0);
    alarms_ring(&desk.alarms, 25);
    assert_int_equal(desk.count, 3);
    assert_rung(&desk, 0, 1, 25);
    assert_rung(&desk, 1, 2, 25);
    assert_rung(&desk, 2, 3, 25);
    assert_int_equal(alarms_next(&desk.alarms), 30);
}

static void each_rings_once(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    set(&desk, 0, 10);
    alarms_ring(&desk.alarms, 10);
    alarms_ring(&desk.alarms, 11);
    assert_int_equal(desk.count, 1);
    assert_int_equal(alarms_next(&desk.alarms), TIME_US_NEVER);
}

static void soon_is_before_any_time(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    set(&desk, 0, -5);
    alarm_soon(&desk.bells[1].alarm);
    assert_int_equal(alarms_next(&desk.alarms), TIME_US_PAST);
    alarms_ring(&desk.alarms, 0);
    assert_rung(&desk, 0, 1, 0);
    assert_rung(&desk, 1, 0, 0);
}

static void one_that_is_set_earlier_can_stay(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    set(&desk, 0, 10);
    alarm_at(&desk.bells[0].alarm, 20, true);
    assert_int_equal(alarms_next(&desk.alarms), 10);
    alarm_at(&desk.bells[0].alarm, 5, true);
    assert_int_equal(alarms_next(&desk.alarms), 5);
    alarm_at(&desk.bells[0].alarm, 20, false);
    assert_int_equal(alarms_next(&desk.alarms), 20);
    set(&desk, 0, TIME_US_NEVER);
    assert_int_equal(alarms_next(&desk.alarms), TIME_US_NEVER);
}

static void what_a_ring_sets_waits_for_the_next_call(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    desk.bells[0].again = TIME_US_PAST;
    set(&desk, 0, 10);
    alarms_ring(&desk.alarms, 10);
    assert_int_equal(desk.count, 1);
    alarms_ring(&desk.alarms, 10);
    assert_int_equal(desk.count, 2);
}

static void a_ring_may_stop_another_that_is_due(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    desk.bells[0].stops = &desk.bells[1].alarm;
    set(&desk, 0, 10);
    set(&desk, 1, 10);
    set(&desk, 2, 10);
    alarms_ring(&desk.alarms, 10);
    assert_int_equal(desk.count, 2);
    assert_rung(&desk, 1, 2, 10);
}

static void who_has_a_clock_is_told_when_the_first_is_due(void **state)
{
    Desk desk;

    (void)state;
    open_desk(&desk);
    set(&desk, 0, 10);
    assert_int_equal(desk.told, 10);
    set(&desk, 1, 20); /* not the first */
    assert_int_equal(desk.changes, 1);
    desk.bells[0].again = 15;
    alarms_ring(&desk.alarms, 10);
    assert_int_equal(desk.told, 15);
    assert_int_equal(desk.changes, 2); /* behind the rings, once */
    alarm_stop(&desk.bells[0].alarm);
    assert_int_equal(desk.told, 20);
    alarm_stop(&desk.bells[1].alarm);
    assert_int_equal(desk.told, TIME_US_NEVER);
}

static void simulated_time_goes_from_alarm_to_alarm_and_never_back(void **state)
{
    TimeUs now = 12;
    Desk desk;

    (void)state;
    open_desk(&desk);
    set(&desk, 0, 10);
    set(&desk, 1, 3600000000);
    assert_true(alarms_play(&desk.alarms, &now));
    assert_rung(&desk, 0, 0, 12);
    assert_true(alarms_play(&desk.alarms, &now));
    assert_rung(&desk, 1, 1, 3600000000);
    assert_false(alarms_play(&desk.alarms, &now));
    assert_int_equal(now, 3600000000);
}

static void one_that_was_never_set_can_be_stopped(void **state)
{
    Alarm alarm = {0};

    (void)state;
    alarm_stop(&alarm);
    assert_false(alarm.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_ring_by_time_and_then_in_the_order_in_which_they_were_set),
        cmocka_unit_test(each_rings_once),
        cmocka_unit_test(soon_is_before_any_time),
        cmocka_unit_test(one_that_is_set_earlier_can_stay),
        cmocka_unit_test(what_a_ring_sets_waits_for_the_next_call),
        cmocka_unit_test(a_ring_may_stop_another_that_is_due),
        cmocka_unit_test(who_has_a_clock_is_told_when_the_first_is_due),
        cmocka_unit_test(simulated_time_goes_from_alarm_to_alarm_and_never_back),
        cmocka_unit_test(one_that_was_never_set_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
