#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/key_file.h"

static void drawn_keys_differ(void **state)
{
    Key a, b;

    (void)state;
    assert_int_equal(key_draw(&a, NULL), 0);
    assert_int_equal(key_draw(&b, NULL), 0);
    assert_memory_not_equal(&a, &b, sizeof(a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_keys_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
