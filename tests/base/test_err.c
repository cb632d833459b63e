#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"

static void setting_returns_the_code_and_keeps_the_sentence(void **state)
{
    Err err = {0};

    (void)state;
    assert_int_equal(err_set(&err, ERR_RULE, "seat %d votes for itself", 2), ERR_RULE);
    assert_int_equal(err.code, ERR_RULE);
    assert_int_equal(err.line, 0);
    assert_string_equal(err.msg, "seat 2 votes for itself");
}

static void the_first_error_wins(void **state)
{
    Err err = {0};

    (void)state;
    err_set_at(&err, ERR_SYNTAX, 3, 7, "first");
    assert_int_equal(err_set(&err, ERR_IO, "second"), ERR_IO);
    assert_int_equal(err.code, ERR_SYNTAX);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 7);
    assert_string_equal(err.msg, "first");
}

static void wrapping_puts_context_in_front(void **state)
{
    Err err = {0};

    (void)state;
    err_set(&err, ERR_LIMIT, "line too long");
    assert_int_equal(err_wrap(&err, "config '%s': ", "five.yml"), ERR_LIMIT);
    assert_string_equal(err.msg, "config 'five.yml': line too long");
}

static void a_long_sentence_is_cut_and_terminated(void **state)
{
    Err err = {0};
    char text[2 * ERR_TEXT_MAX];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    err_set(&err, ERR_IO, "%s", text);
    assert_int_equal(strlen(err.msg), ERR_TEXT_MAX - 1);
    err_wrap(&err, "%s", text);
    assert_int_equal(strlen(err.msg), ERR_TEXT_MAX - 1);
}

static void no_error_place_is_needed(void **state)
{
    (void)state;
    assert_int_equal(err_set(NULL, ERR_IO, "lost"), ERR_IO);
    assert_int_equal(err_set_at(NULL, ERR_SYNTAX, 1, 1, "lost"), ERR_SYNTAX);
    assert_int_equal(err_wrap(NULL, "context: "), ERR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_returns_the_code_and_keeps_the_sentence),
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(wrapping_puts_context_in_front),
        cmocka_unit_test(a_long_sentence_is_cut_and_terminated),
        cmocka_unit_test(no_error_place_is_needed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
