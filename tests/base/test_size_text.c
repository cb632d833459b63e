#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/size_text.h"

static void a_number_with_or_without_a_unit_is_bytes(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"0", 0},
                {"4096", 4096},
                {"1KiB", 1024},
                {"512MiB", UINT64_C(512) << 20},
                {"1GiB", UINT64_C(1) << 30},
                {"2TiB", UINT64_C(2) << 40},
                {"8388607TiB", UINT64_C(8388607) << 40},
                {"9223372036854775807", INT64_MAX}};
    (void)state;

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        uint64_t bytes = 1;
        assert_true(size_text_read(str_of(good[i].text), &bytes));
        assert_true(bytes == good[i].bytes);
    }
}

static void what_is_no_whole_number_or_has_another_unit_is_no_size(void **state)
{
    static const char *const bad[] = {
        "",      "MiB",  "1.5GiB", "-1",         "1 GiB",
        "1gib",  "1GB",  "1G",     "8388608TiB", "9223372036854775808",
        "1GiBs", "0x10", " 1"};
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint64_t bytes = 7;
        assert_false(size_text_read(str_of(bad[i]), &bytes));
        assert_int_equal(bytes, 7);
    }
}

static void what_is_written_is_read_as_the_same_size(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } sizes[] = {{0, "0"},
                 {1000, "1000"},
                 {1024, "1KiB"},
                 {UINT64_C(1536) << 20, "1536MiB"},
                 {UINT64_C(1) << 30, "1GiB"},
                 {(UINT64_C(1) << 30) + 1, "1073741825"}};
    (void)state;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        uint64_t bytes = 1;
        size_text_write(sizes[i].bytes, &out);
        assert_string_equal(buf_cstr(&out), sizes[i].text);
        assert_true(size_text_read(buf_str(&out), &bytes));
        assert_true(bytes == sizes[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_with_or_without_a_unit_is_bytes),
        cmocka_unit_test(what_is_no_whole_number_or_has_another_unit_is_no_size),
        cmocka_unit_test(what_is_written_is_read_as_the_same_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
