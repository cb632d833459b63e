#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/localhost.h"

static void localhost_and_names_within_it_are_this_machine(void **state)
{
    (void)state;
    assert_true(localhost_names(STR("localhost")));
    assert_true(localhost_names(STR("LocalHost.")));
    assert_true(localhost_names(STR("maw.localhost")));
    assert_true(localhost_names(STR("a.b.localhost.")));
}

static void other_names_are_not_known_by_themselves(void **state)
{
    (void)state;
    assert_false(localhost_names(STR("")));
    assert_false(localhost_names(STR(".")));
    assert_false(localhost_names(STR(".localhost")));
    assert_false(localhost_names(STR("mylocalhost")));
    assert_false(localhost_names(STR("localhost.example.org")));
    assert_false(localhost_names(STR("localhost..")));
    assert_false(localhost_names(STR("127.0.0.1")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(localhost_and_names_within_it_are_this_machine),
        cmocka_unit_test(other_names_are_not_known_by_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
