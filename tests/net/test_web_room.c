/* test_web_room.c - the budget of a web server for peers that don't read: one over all, one for
 * each address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "net/web_room.h"

static void an_address_is_a_peer_without_its_port(void **state)
{
    (void)state;
    assert_true(str_eq(web_room_address("10.0.0.1:40312"), STR("10.0.0.1")));
    assert_true(str_eq(web_room_address("[::1]:80"), STR("[::1]")));
    assert_true(str_eq(web_room_address("nothing"), STR("nothing")));
}

static void one_address_cannot_take_all(void **state)
{
    WebRoom room = {.all = 1000, .each = 400};
    (void)state;

    assert_true(web_room_take(&room, STR("a"), 400));
    assert_false(web_room_take(&room, STR("a"), 1));
    assert_true(web_room_take(&room, STR("a"), 0));
    assert_true(web_room_take(&room, STR("b"), 399));
    assert_false(web_room_take(&room, STR("b"), 2));
    assert_true(web_room_take(&room, STR("c"), 201));
    assert_false(web_room_take(&room, STR("d"), 1)); /* all is taken */
    assert_int_equal(room.used, 1000);
    web_room_give(&room, STR("a"), 100);
    assert_true(web_room_take(&room, STR("d"), 100));
    assert_false(web_room_take(&room, STR("a"), 1));
    web_room_give(&room, STR("a"), 300);
    web_room_give(&room, STR("b"), 399);
    web_room_give(&room, STR("c"), 201);
    web_room_give(&room, STR("d"), 100);
    assert_int_equal(room.used, 0);
    web_room_done(&room);
}

static void more_than_there_is_is_refused_whatever_the_number(void **state)
{
    WebRoom room = {.all = 1000, .each = 2000};
    (void)state;

    assert_false(web_room_take(&room, STR("a"), 1001));
    assert_false(web_room_take(&room, STR("a"), SIZE_MAX));
    assert_true(web_room_take(&room, STR("a"), 1000));
    assert_false(web_room_take(&room, STR("a"), SIZE_MAX));
    web_room_done(&room);
}

static void hundreds_of_addresses_are_told_apart(void **state)
{
    WebRoom room = {.all = 1 << 20, .each = 7};
    char name[16];
    (void)state;

    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof(name), "10.0.%d.%d", i / 256, i % 256);
        assert_true(web_room_take(&room, str_of(name), (size_t)(1 + i % 7)));
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof(name), "10.0.%d.%d", i / 256, i % 256);
        assert_false(web_room_take(&room, str_of(name), (size_t)(7 - i % 7)));
        web_room_give(&room, str_of(name), (size_t)(1 + i % 7));
    }
    assert_int_equal(room.used, 0);
    for (size_t i = 0; i < WEB_ROOM_LISTS; i++)
        assert_null(room.lists[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_a_peer_without_its_port),
        cmocka_unit_test(one_address_cannot_take_all),
        cmocka_unit_test(more_than_there_is_is_refused_whatever_the_number),
        cmocka_unit_test(hundreds_of_addresses_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
