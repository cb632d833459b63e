#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/table_room.h"

#include <unistd.h>

#define GIB ((uint64_t)1 << 30)

static void tables_are_a_number_or_auto(void **state)
{
    uint32_t tables = 7;
    Err err = {0};

    (void)state;
    assert_int_equal(table_room_read(STR("auto"), &tables, &err), 0);
    assert_int_equal(tables, PLAN_TABLES_AUTO);
    assert_int_equal(table_room_read(STR("256"), &tables, &err), 0);
    assert_int_equal(tables, 256);
    assert_int_equal(table_room_read(STR("0"), &tables, &err), ERR_USAGE);
    assert_string_equal(err.msg, "tables: expected a number from 1 to 256, or auto, found '0'");
    assert_int_equal(table_room_read(STR("257"), &tables, NULL), ERR_USAGE);
    assert_int_equal(table_room_read(STR("Auto"), &tables, NULL), ERR_USAGE);
    assert_int_equal(tables, 256);
}

static void auto_leaves_a_processor_and_is_at_least_one(void **state)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t most = table_room_most(PLAN_TABLES_AUTO);

    (void)state;
    assert_int_equal(table_room_most(0), 1); /* nothing is said */
    assert_int_equal(table_room_most(9), 9);
    assert_true(most >= 1 && most <= PLAN_TABLES_MAX);
    assert_true(most == 1 || (long)most < count);
}

static void a_table_needs_memory_and_processors_that_are_not_fought_for(void **state)
{
    static const struct {
        TableRoomLook look;
        bool has;
    } cases[] = {
        {{8 * GIB, 2 * GIB, 5}, true},
        {{8 * GIB, 2 * GIB, 20}, true},
        {{8 * GIB, 2 * GIB, 21}, false},
        {{8 * GIB, 7 * GIB, 0}, true},
        {{8 * GIB, 7 * GIB + 1, 0}, false},
        {{8 * GIB, 2 * GIB, -1}, true},
        {{0, 2 * GIB, 0}, true},
        {{8 * GIB, 0, 0}, true},
        {{0, 0, 100}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(table_room_has(&cases[i].look), cases[i].has);
}

static void the_kernel_s_figures_are_read(void **state)
{
    (void)state;
    assert_int_equal(table_room_pressure(STR("some avg10=68.27 avg60=51.73 avg300=52.81 total=5\n"
                                             "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")),
                     68);
    assert_int_equal(table_room_pressure(STR("some avg10=0.00 avg60")), 0);
    assert_int_equal(table_room_pressure(STR("")), -1);
    assert_int_equal(table_room_pressure(STR("full avg10=3.00")), -1);
    assert_int_equal(table_room_free_bytes(STR("MemTotal:       32865808 kB\n"
                                               "MemFree:         1234 kB\n"
                                               "MemAvailable:   23771152 kB\nBuffers: 1 kB\n")),
                     (uint64_t)23771152 * 1024);
    assert_int_equal(table_room_free_bytes(STR("MemTotal: 1 kB\n")), 0);
    assert_int_equal(table_room_free_bytes(STR("MemAvailable: many kB\n")), 0);
}

static void this_machine_can_be_looked_at(void **state)
{
    TableRoomLook look = table_room_look(1);

    (void)state;
    assert_true(look.pressure >= -1 && look.pressure <= 100);
    assert_true(look.free_bytes > 0);
    assert_int_equal(table_room_look(0).table_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_a_number_or_auto),
        cmocka_unit_test(auto_leaves_a_processor_and_is_at_least_one),
        cmocka_unit_test(a_table_needs_memory_and_processors_that_are_not_fought_for),
        cmocka_unit_test(the_kernel_s_figures_are_read),
        cmocka_unit_test(this_machine_can_be_looked_at),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
