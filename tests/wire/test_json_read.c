#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "wire/json_read.h"

/* An object, and a reader of it at a table of five. */
typedef struct Read {
    json_t *json;
    Err err;
    JsonReader reader;
} Read;

static void read_text(Read *read, const char *text)
{
    *read = (Read){0};
    read->reader = (JsonReader){.err = &read->err, .seat_count = 5};
    assert_int_equal(json_read(str_of(text), 1000, &read->json, &read->err), 0);
}

static void read_done(Read *read)
{
    json_decref(read->json);
}

static void what_is_absent_or_null_gives_the_callers_value(void **state)
{
    Read r;

    (void)state;
    read_text(&r, "{\"n\":null}");
    for (int i = 0; i < 2; i++) {
        const char *key = i ? "n" : "absent";
        assert_null(json_get(r.json, key));
        assert_int_equal(json_get_int(&r.reader, r.json, key, 0, 9, 77), 77);
        assert_int_equal(json_get_amount(&r.reader, r.json, key, 7), 7);
        assert_true(json_get_bool(&r.reader, r.json, key, true));
        assert_int_equal(json_get_seat(&r.reader, r.json, key, 3), 3);
        assert_int_equal(json_get_str(&r.reader, r.json, key).len, 0);
        assert_null(json_get_list(&r.reader, r.json, key));
        assert_null(json_get_object(&r.reader, r.json, key));
    }
    assert_int_equal(r.reader.rc, 0);
    read_done(&r);
}

static void values_of_the_right_type_are_taken(void **state)
{
    Read r;

    (void)state;
    read_text(&r, "{\"i\":-9223372036854775808,\"b\":false,\"s\":\"a\\u0000b\",\"a\":[1],\"o\":{},"
                  "\"seat\":5,\"nobody\":-1,\"much\":70000,\"less\":-7}");
    assert_true(json_get_int(&r.reader, r.json, "i", INT64_MIN, 0, 1) == INT64_MIN);
    assert_false(json_get_bool(&r.reader, r.json, "b", true));
    assert_true(str_eq(json_get_str(&r.reader, r.json, "s"), STR("a\0b")));
    assert_non_null(json_get_list(&r.reader, r.json, "a"));
    assert_non_null(json_get_object(&r.reader, r.json, "o"));
    assert_int_equal(json_get_seat(&r.reader, r.json, "seat", 1), 5);
    assert_int_equal(json_get_seat(&r.reader, r.json, "nobody", 1), SEAT_NONE);
    assert_int_equal(json_get_amount(&r.reader, r.json, "much", 1), UINT16_MAX);
    assert_int_equal(json_get_amount(&r.reader, r.json, "less", 1), 0);
    assert_int_equal(json_key_seat(&r.reader, "4"), 4);
    assert_int_equal(r.reader.rc, 0);
    read_done(&r);
}

static void the_first_error_stays(void **state)
{
    Read r;

    (void)state;
    read_text(&r, "{\"i\":1.5,\"s\":3,\"seat\":6}");
    assert_int_equal(json_get_int(&r.reader, r.json, "i", 0, 9, 4), 4);
    assert_int_equal(r.reader.rc, ERR_SYNTAX);
    assert_string_equal(r.err.msg, "packet: 'i' is not a whole number");
    assert_int_equal(json_get_seat(&r.reader, r.json, "seat", 2), 2);
    assert_int_equal(json_get_str(&r.reader, r.json, "s").len, 0);
    assert_int_equal(r.reader.rc, ERR_SYNTAX);
    assert_string_equal(r.err.msg, "packet: 'i' is not a whole number");
    read_done(&r);
}

static void an_agent_beyond_the_table_is_refused(void **state)
{
    static const char *const keys[] = {"0", "6", "x", "", "-1", "99999999999999999999999"};
    Read r;

    (void)state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        read_text(&r, "{}");
        assert_int_equal(json_key_seat(&r.reader, keys[i]), SEAT_NONE);
        assert_int_equal(r.reader.rc, ERR_LIMIT);
        read_done(&r);
    }
    read_text(&r, "{\"seat\":6}");
    json_get_seat(&r.reader, r.json, "seat", 0);
    assert_string_equal(r.err.msg, "packet: 'seat' is 6; expected -1 to 5");
    assert_int_equal(r.reader.rc, ERR_LIMIT);
    read_done(&r);
}

static void a_text_that_is_not_json_is_refused_with_its_place(void **state)
{
    json_t *json = NULL;
    Err err = {0}, limit = {0};

    (void)state;
    assert_int_equal(json_read(STR("{\"a\":}"), 100, &json, &err), ERR_SYNTAX);
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, 6);
    assert_int_equal(json_read(STR("{\"a\":1}"), 3, &json, &limit), ERR_LIMIT);
    assert_null(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_absent_or_null_gives_the_callers_value),
        cmocka_unit_test(values_of_the_right_type_are_taken),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(an_agent_beyond_the_table_is_refused),
        cmocka_unit_test(a_text_that_is_not_json_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
