#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/duration_text.h"

static void a_number_and_a_unit_are_milliseconds(void **state)
{
    static const struct {
        const char *text;
        uint64_t ms;
    } good[] = {{"0ms", 0},     {"250ms", 250},  {"10s", 10000},
                {"2m", 120000}, {"1h", 3600000}, {"9223372036854775807ms", INT64_MAX}};
    (void)state;

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        uint64_t ms = 1;
        assert_true(duration_text_read(str_of(good[i].text), &ms));
        assert_true(ms == good[i].ms);
    }
}

static void without_a_unit_or_a_whole_number_it_is_no_duration(void **state)
{
    static const char *const bad[] = {"",
                                      "10",
                                      "s",
                                      "1.5s",
                                      "-1s",
                                      "10 s",
                                      "10S",
                                      "1d",
                                      "9223372036854775808ms",
                                      "9999999999999999999h"};
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint64_t ms = 7;
        assert_false(duration_text_read(str_of(bad[i]), &ms));
        assert_int_equal(ms, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_and_a_unit_are_milliseconds),
        cmocka_unit_test(without_a_unit_or_a_whole_number_it_is_no_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
