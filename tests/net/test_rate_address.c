#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/rate_address.h"

static void assert_address(const char *address, const char *expected)
{
    char text[RATE_ADDRESS_BYTES];

    rate_address(str_of(address), text);
    assert_string_equal(text, expected);
}

static void of_ipv6_a_network_is_one(void **state)
{
    (void)state;
    assert_address("192.0.2.77", "192.0.2.77");
    assert_address("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
    assert_address("2001:db8:1:2:ffff::1", "2001:db8:1:2::");
    assert_address("::ffff:192.0.2.77", "192.0.2.77");
    assert_address("no address", "no address");
    assert_address("", "");
    assert_address("0123456789012345678901234567890123456789012345678901234567890",
                   "01234567890123456789012345678901234567890123456");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_ipv6_a_network_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
