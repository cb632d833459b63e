#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/public_address.h"

#include <arpa/inet.h>
#include <string.h>

static bool is_public(const char *text)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr_storage any;

    memset(&any, 0, sizeof(any));
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        memcpy(&any, &four, sizeof(four));
    else if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        memcpy(&any, &six, sizeof(six));
    else
        fail_msg("'%s' is no address", text);
    return public_address((const struct sockaddr *)&any,
                          any.ss_family == AF_INET ? sizeof(four) : sizeof(six));
}

static void what_only_some_can_reach_is_not_public(void **state)
{
    static const char *const own[] = {
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::10.0.0.1",
        "2002:7f00:1::",
        "2001:db8::1",
        "2001::1",
        "3fff:1::1",
        "192.88.99.1",
        "::127.0.0.1",
        "64:ff9b:1::7f00:1",
    };
    static const char *const public[] = {
        "9.9.9.9",         "192.88.98.1", "172.15.255.255", "172.32.0.1",
        "192.167.255.255", "100.63.0.1",  "100.128.0.1",    "223.255.255.255",
        "2620:fe::fe",     "2a00:1450::", "::ffff:9.9.9.9", "64:ff9b::9.9.9.9",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (is_public(own[i]))
            fail_msg("%s is public", own[i]);
    for (size_t i = 0; i < sizeof(public) / sizeof(public[0]); i++)
        if (!is_public(public[i]))
            fail_msg("%s is not public", public[i]);
}

static void other_families_are_not_public(void **state)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};

    (void)state;
    assert_false(public_address(&local, sizeof(local)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_only_some_can_reach_is_not_public),
        cmocka_unit_test(other_families_are_not_public),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
