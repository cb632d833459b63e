#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

static void every_code_point_but_surrogates_is_read(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x110000; code++) {
        unsigned char bytes[4];
        size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        static const unsigned char lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};

        for (size_t i = n; i-- > 1;)
            bytes[i] = (unsigned char)(0x80 | ((code >> (6 * (n - 1 - i))) & 0x3F));
        bytes[0] = (unsigned char)(lead[n] | (code >> (6 * (n - 1))));
        Str text = {(const char *)bytes, n};
        bool good = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
        assert_int_equal(utf8_valid(text), good);
        assert_int_equal(utf8_next(&text), good ? code : UTF8_INVALID);
        if (good)
            assert_int_equal(text.len, 0);
    }
}

static void overlong_cut_and_stray_bytes_are_refused(void **state)
{
    static const char *const bad[] = {
        "\x80",     "\xC0\x80",     "\xC1\xBF",     "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xC3",
        "\xE3\x81", "\xF0\x9F\x90", "\xED\xA0\x80", "\xFF",         "\xF4\x90\x80\x80", "\xC3("};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(utf8_valid(str_of(bad[i])));
}

static void reading_goes_on_behind_a_bad_byte(void **state)
{
    Str text = STR("\xE3\x81"
                   "a\xFF\xFE");

    (void)state;
    assert_int_equal(utf8_next(&text), UTF8_INVALID);
    assert_int_equal(utf8_next(&text), 'a');
    assert_int_equal(utf8_next(&text), UTF8_INVALID);
    assert_int_equal(utf8_next(&text), UTF8_INVALID);
    assert_int_equal(text.len, 0);
}

static void counting_counts_code_points(void **state)
{
    (void)state;
    assert_int_equal(utf8_count(STR("")), 0);
    assert_int_equal(utf8_count(STR("abc")), 3);
    assert_int_equal(utf8_count(STR("人狼")), 2);
    assert_int_equal(utf8_count(STR("か\u3099")), 2);
    assert_int_equal(utf8_count(STR("🐺")), 1);
}

static void japanese_takes_two_columns(void **state)
{
    (void)state;
    assert_int_equal(utf8_width(STR("abc")), 3);
    assert_int_equal(utf8_width(STR("人狼ゲーム")), 10);
    assert_int_equal(utf8_width(STR("ｱｲ")), 2);
    assert_int_equal(utf8_width(STR("か\u3099")), 2);
    assert_int_equal(utf8_width(STR("é")), 1);
    assert_int_equal(utf8_width(STR("🐺")), 2);
}

static void printable_is(const char *text, size_t max, const char *expected)
{
    CLEANUP(buf_done) Buf out = {0};

    utf8_add_printable(str_of(text), max, &out);
    assert_string_equal(buf_cstr(&out), expected);
}

static void what_moves_a_terminal_is_replaced(void **state)
{
    (void)state;
    printable_is("a b~é人", 10, "a b~é人");
    printable_is("\x1F\x20", 9, "\xEF\xBF\xBD ");
    printable_is("~\x7F", 9, "~\xEF\xBF\xBD");
    printable_is("\xC2\x80\xC2\x9F\xC2\xA0", 9, "\xEF\xBF\xBD\xEF\xBF\xBD\xC2\xA0");
    printable_is("\u2027\u2028\u2029\u202A", 9, "\u2027\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    printable_is("\u202E\u202F", 9, "\xEF\xBF\xBD\u202F");
    printable_is("\u2065\u2066\u2069\u206A", 9, "\u2065\xEF\xBF\xBD\xEF\xBF\xBD\u206A");
    printable_is("a\xFFz", 9, "a\xEF\xBF\xBDz");
}

static void what_is_left_out_is_shown_by_three_points(void **state)
{
    (void)state;
    printable_is("人狼", 2, "人狼");
    printable_is("人狼", 1, "人...");
    printable_is("人狼", 0, "...");
    printable_is("", 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_but_surrogates_is_read),
        cmocka_unit_test(overlong_cut_and_stray_bytes_are_refused),
        cmocka_unit_test(reading_goes_on_behind_a_bad_byte),
        cmocka_unit_test(counting_counts_code_points),
        cmocka_unit_test(japanese_takes_two_columns),
        cmocka_unit_test(what_moves_a_terminal_is_replaced),
        cmocka_unit_test(what_is_left_out_is_shown_by_three_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
