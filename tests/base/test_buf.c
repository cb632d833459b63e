#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"

static void an_empty_buffer_is_an_empty_text(void **state)
{
    Buf buf = {0};

    (void)state;
    assert_string_equal(buf_cstr(&buf), "");
    assert_int_equal(buf_str(&buf).len, 0);
    assert_false(buf_failed(&buf));
    buf_done(&buf);
}

static void everything_appended_is_there_in_order(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    buf_add(&buf, STR("a"));
    buf_add_char(&buf, '-');
    buf_add_uint(&buf, UINT64_MAX);
    buf_add_char(&buf, ' ');
    buf_add_int(&buf, INT64_MIN);
    buf_printf(&buf, " %s=%d", "x", 5);
    assert_string_equal(buf_cstr(&buf), "a-18446744073709551615 -9223372036854775808 x=5");
    assert_int_equal(buf.len, strlen(buf_cstr(&buf)));
}

static void growing_keeps_what_was_there(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    for (int i = 0; i < 10000; i++)
        buf_add_char(&buf, (char)('a' + i % 26));
    assert_int_equal(buf.len, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(buf.bytes[i], 'a' + i % 26);
}

static void clearing_keeps_the_storage(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    buf_add(&buf, STR("something"));
    size_t room = buf.room;
    buf_clear(&buf);
    assert_string_equal(buf_cstr(&buf), "");
    assert_int_equal(buf.room, room);
    buf_add(&buf, STR("x"));
    assert_string_equal(buf_cstr(&buf), "x");
}

static void an_impossible_size_is_remembered_as_a_failure(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};
    /* The compiler would see through constants, and warn of what never happens. */
    volatile size_t impossible = SIZE_MAX / 2;
    const char *volatile bytes = "x";

    (void)state;
    buf_add(&buf, STR("a"));
    buf_add(&buf, (Str){bytes, impossible});
    assert_true(buf_failed(&buf));
    buf_add(&buf, STR("b"));
    assert_string_equal(buf_cstr(&buf), "a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_an_empty_text),
        cmocka_unit_test(everything_appended_is_there_in_order),
        cmocka_unit_test(growing_keeps_what_was_there),
        cmocka_unit_test(clearing_keeps_the_storage),
        cmocka_unit_test(an_impossible_size_is_remembered_as_a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
