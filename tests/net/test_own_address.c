/* Tests of which of a machine's addresses others reach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/own_address.h"

#include <arpa/inet.h>
#include <string.h>

static void what_others_can_not_reach_is_none(void **state)
{
    (void)state;
    assert_int_equal(own_address_rank("lo", "127.0.0.1"), 0);
    assert_int_equal(own_address_rank("lo", "::1"), 0);
    assert_int_equal(own_address_rank("eth0", "169.254.3.4"), 0);
    assert_int_equal(own_address_rank("eth0", "fe80::1"), 0);
    assert_int_equal(own_address_rank("eth0", ""), 0);
}

static void networks_of_telephones_come_first(void **state)
{
    (void)state;
    int usual = own_address_rank("wlan0", "192.0.2.7");
    assert_true(usual > own_address_rank("docker0", "192.0.2.1"));
    assert_true(own_address_rank("docker0", "192.0.2.1") > own_address_rank("eth0", "2001:db8::7"));
    assert_true(own_address_rank("eth0", "2001:db8::7") > own_address_rank("br-1", "2001:db8::8"));
    assert_true(own_address_rank("br-1", "2001:db8::8") > 0);
}

static void every_address_has_several_names(void **state)
{
    (void)state;
    assert_true(own_address_is_any("") && own_address_is_any("*") &&
                own_address_is_any("0.0.0.0") && own_address_is_any("::"));
    assert_false(own_address_is_any("127.0.0.1"));
    assert_false(own_address_is_any("0.0.0.0.example"));
}

static void what_is_found_is_one_of_them(void **state)
{
    char address[OWN_ADDRESS_BYTES] = "";

    (void)state;
    if (own_address(address))
        assert_true(own_address_rank("eth0", address) > 0);
    else
        assert_int_equal(strlen(address), 0);
}

static void addresses_of_interfaces_are_own(void **state)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    const struct sockaddr local = {.sa_family = AF_UNIX};

    (void)state;
    assert_true(own_address_has((const struct sockaddr *)&four));
    assert_int_equal(inet_pton(AF_INET6, "::ffff:127.0.0.1", &six.sin6_addr), 1);
    assert_true(own_address_has((const struct sockaddr *)&six));
    assert_int_equal(inet_pton(AF_INET, "192.0.2.77", &four.sin_addr), 1);
    assert_false(own_address_has((const struct sockaddr *)&four));
    assert_int_equal(inet_pton(AF_INET6, "2001:db8::77", &six.sin6_addr), 1);
    assert_false(own_address_has((const struct sockaddr *)&six));
    assert_true(own_address_has(&local)); /* who knows */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_can_not_reach_is_none),
        cmocka_unit_test(networks_of_telephones_come_first),
        cmocka_unit_test(every_address_has_several_names),
        cmocka_unit_test(what_is_found_is_one_of_them),
        cmocka_unit_test(addresses_of_interfaces_are_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
