#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"

static void trimming_removes_blanks_from_both_ends_only(void **state)
{
    (void)state;
    assert_true(str_eq(str_trim(STR(" \t a b\r\n")), STR("a b")));
    assert_true(str_eq(str_trim(STR("a")), STR("a")));
    assert_int_equal(str_trim(STR(" \n ")).len, 0);
    assert_int_equal(str_trim((Str){NULL, 0}).len, 0);
}

static void cutting_takes_what_is_before_the_separator(void **state)
{
    Str rest = STR("a,,b");

    (void)state;
    assert_true(str_eq(str_cut(&rest, ','), STR("a")));
    assert_true(str_eq(str_cut(&rest, ','), STR("")));
    assert_true(str_eq(str_cut(&rest, ','), STR("b")));
    assert_int_equal(rest.len, 0);
    assert_true(str_eq(str_cut(&rest, ','), STR("")));
}

static void a_part_is_cut_to_fit(void **state)
{
    (void)state;
    assert_true(str_eq(str_part(STR("abcdef"), 2, 3), STR("cde")));
    assert_true(str_eq(str_part(STR("abc"), 2, SIZE_MAX), STR("c")));
    assert_int_equal(str_part(STR("abc"), 9, 1).len, 0);
    assert_int_equal(str_part((Str){NULL, 0}, 0, 1).len, 0);
}

static void a_part_is_found_where_it_stands_first(void **state)
{
    size_t at = 77;

    (void)state;
    assert_true(str_find(STR("a,b,,b"), STR(",b"), &at));
    assert_int_equal(at, 1);
    assert_true(str_find(STR("abc"), STR("bc"), &at));
    assert_int_equal(at, 1);
    assert_true(str_find(STR("abc"), STR(""), &at));
    assert_int_equal(at, 0);
    at = 77;
    assert_false(str_find(STR("abc"), STR("cd"), &at));
    assert_false(str_find(STR("ab"), STR("abc"), &at));
    assert_false(str_find((Str){NULL, 0}, STR("a"), &at));
    assert_int_equal(at, 77);
}

static void equality_compares_bytes_and_length(void **state)
{
    (void)state;
    assert_true(str_eq(STR("ab"), STR("ab")));
    assert_false(str_eq(STR("ab"), STR("abc")));
    assert_false(str_eq(STR("ab"), STR("aB")));
    assert_true(str_eq((Str){NULL, 0}, STR("")));
    assert_true(str_starts(STR("abc"), STR("ab")));
    assert_false(str_starts(STR("a"), STR("ab")));
}

static void a_number_is_digits_up_to_a_maximum(void **state)
{
    uint64_t value = 7;

    (void)state;
    assert_true(str_to_uint(STR("18446744073709551615"), UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
    assert_true(str_to_uint(STR("007"), 9, &value));
    assert_int_equal(value, 7);
    assert_false(str_to_uint(STR("18446744073709551616"), UINT64_MAX, &value));
    assert_false(str_to_uint(STR("10"), 9, &value));
    assert_false(str_to_uint(STR(""), 9, &value));
    assert_false(str_to_uint(STR("+1"), 9, &value));
    assert_false(str_to_uint(STR(" 1"), 9, &value));
    assert_false(str_to_uint(STR("1x"), 9, &value));
    assert_int_equal(value, 7);
}

static void a_signed_number_keeps_to_its_range(void **state)
{
    int64_t value = 0;

    (void)state;
    assert_true(str_to_int(STR("-5"), -5, 5, &value));
    assert_int_equal(value, -5);
    assert_true(str_to_int(STR("9223372036854775807"), INT64_MIN, INT64_MAX, &value));
    assert_true(value == INT64_MAX);
    assert_false(str_to_int(STR("-6"), -5, 5, &value));
    assert_false(str_to_int(STR("--1"), -5, 5, &value));
    assert_false(str_to_int(STR("-"), -5, 5, &value));
}

static void a_hash_is_the_published_one(void **state)
{
    (void)state;
    assert_int_equal(str_hash(STR("")), 0x811c9dc5u); /* FNV-1a, 32 bits */
    assert_int_equal(str_hash(STR("a")), 0xe40c292cu);
    assert_int_equal(str_hash(STR("foobar")), 0xbf9cf968u);
    assert_int_equal(str_hash(STR("\xFF")), (0x811c9dc5u ^ 0xFFu) * 16777619u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trimming_removes_blanks_from_both_ends_only),
        cmocka_unit_test(cutting_takes_what_is_before_the_separator),
        cmocka_unit_test(a_part_is_cut_to_fit),
        cmocka_unit_test(a_part_is_found_where_it_stands_first),
        cmocka_unit_test(equality_compares_bytes_and_length),
        cmocka_unit_test(a_number_is_digits_up_to_a_maximum),
        cmocka_unit_test(a_signed_number_keeps_to_its_range),
        cmocka_unit_test(a_hash_is_the_published_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
