/* test_address_text.c - what is left of an address tells of a network, not of a person.
 *
 * Source: docs/spec/contest-operations.md 16.5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/address_text.h"

static void an_address_is_cut_to_its_network(void **state)
{
    static const char *const cases[][2] = {
        {"192.0.2.77", "192.0.2.0"},
        {"192.0.2.77:40312", "192.0.2.0"},
        {"2001:db8:1:2::3", "2001:db8:1::"},
        {"[2001:db8:1:2:3:4:5:6]:40312", "2001:db8:1::"},
        {"2001:db8::7", "2001:db8::"},
        {"[::1]:8080", "::"},
        {"::ffff:192.0.2.77", "::"},
        {"unix", "unix"},
        {"", ""},
        {"[", "["},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        address_text_cut(str_of(cases[i][0]), &out);
        assert_string_equal(buf_cstr(&out), cases[i][1]);
    }
}

static void all_addresses_of_a_line_are_cut(void **state)
{
    static const char *const cases[][2] = {
        {"12:00:01 waiting name=bo1 address=192.0.2.77:40312 waiting=3",
         "12:00:01 waiting name=bo1 address=192.0.2.0 waiting=3"},
        {"refused address=[2001:db8:1:2::3]:99 code=1008: address=192.0.2.9:1",
         "refused address=2001:db8:1:: code=1008: address=192.0.2.0"},
        {"listening on ws://127.0.0.1:4711/ws (5 seats)",
         "listening on ws://127.0.0.1:4711/ws (5 seats)"},
        {"x address=", "x address="},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        address_text_cut_line(str_of(cases[i][0]), &out);
        assert_string_equal(buf_cstr(&out), cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_cut_to_its_network),
        cmocka_unit_test(all_addresses_of_a_line_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
