#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/buf.h"
#include "base/mem.h"
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

static void values_of_the_wrong_type_are_told_and_the_callers_value_stays(void **state)
{
    static const char text[] = "{\"i\":1.5,\"b\":1,\"s\":2,\"a\":{},\"o\":[]}";
    static const char *const expected[] = {
        "packet: 'i' is not a whole number", "packet: 'b' is not true or false",
        "packet: 's' is not a text", "packet: 'a' is not a list", "packet: 'o' is not an object"};

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        Read r;
        read_text(&r, text);
        if (i == 0)
            assert_int_equal(json_get_int(&r.reader, r.json, "i", 0, 9, 7), 7);
        else if (i == 1)
            assert_true(json_get_bool(&r.reader, r.json, "b", true));
        else if (i == 2)
            assert_int_equal(json_get_str(&r.reader, r.json, "s").len, 0);
        else if (i == 3)
            assert_null(json_get_list(&r.reader, r.json, "a"));
        else
            assert_null(json_get_object(&r.reader, r.json, "o"));
        assert_int_equal(r.reader.rc, ERR_SYNTAX);
        assert_string_equal(r.err.msg, expected[i]);
        read_done(&r);
    }
}

static void a_number_keeps_to_its_range_and_an_amount_is_cut_to_it(void **state)
{
    Read r;

    (void)state;
    read_text(&r, "{\"n\":5,\"much\":65536,\"most\":65535,\"less\":-1,\"none\":0}");
    assert_int_equal(json_get_int(&r.reader, r.json, "n", 5, 5, 7), 5);
    assert_int_equal(json_get_amount(&r.reader, r.json, "much", 7), 65535);
    assert_int_equal(json_get_amount(&r.reader, r.json, "most", 7), 65535);
    assert_int_equal(json_get_amount(&r.reader, r.json, "less", 7), 0);
    assert_int_equal(json_get_amount(&r.reader, r.json, "none", 7), 0);
    assert_int_equal(r.reader.rc, 0);
    assert_int_equal(json_get_int(&r.reader, r.json, "n", 6, 9, 7), 7);
    assert_int_equal(r.reader.rc, ERR_LIMIT);
    assert_string_equal(r.err.msg, "packet: 'n' is 5; expected 6 to 9");
    r.reader.rc = 0;
    r.err = (Err){0};
    assert_int_equal(json_get_int(&r.reader, r.json, "n", 1, 4, 7), 7);
    assert_string_equal(r.err.msg, "packet: 'n' is 5; expected 1 to 4");
    read_done(&r);
}

static void a_key_that_names_an_agent_is_its_number(void **state)
{
    Read r;

    (void)state;
    read_text(&r, "{}");
    assert_int_equal(json_key_seat(&r.reader, "1"), 1);
    assert_int_equal(json_key_seat(&r.reader, "5"), 5);
    assert_int_equal(r.reader.rc, 0);
    assert_int_equal(json_key_seat(&r.reader, "0"), SEAT_NONE);
    assert_int_equal(r.reader.rc, ERR_LIMIT);
    assert_string_equal(r.err.msg, "packet: '0' is no agent of 1 to 5");
    r.reader.rc = 0;
    assert_int_equal(json_key_seat(&r.reader, "6"), SEAT_NONE);
    assert_int_equal(r.reader.rc, ERR_LIMIT);
    assert_int_equal(json_key_seat(&r.reader, "x"), SEAT_NONE);
    read_done(&r);
}

static void what_a_value_is_can_be_asked_without_a_reader(void **state)
{
    Read r;
    Str text = STR("as before");
    int64_t number = 77;
    double real = 77;
    bool truth = true;

    (void)state;
    read_text(&r, "{\"s\":\"x\",\"i\":3,\"r\":2.5,\"b\":false,\"l\":[4,\"y\"],\"m\":{\"k\":1}}");
    const json_t *list = json_get(r.json, "l"), *map = json_get(r.json, "m");
    assert_true(json_is_list(list) && !json_is_list(map) && !json_is_list(NULL));
    assert_true(json_is_map(map) && !json_is_map(list) && json_is_map(r.json));
    assert_false(json_as_str(list, &text));
    assert_false(json_as_int(json_get(r.json, "r"), &number));
    assert_false(json_as_real(json_get(r.json, "s"), &real));
    assert_false(json_as_bool(json_get(r.json, "i"), &truth));
    assert_true(str_eq(text, STR("as before")) && number == 77 && real == 77 && truth);
    assert_true(json_as_str(json_get(r.json, "s"), &text) && str_eq(text, STR("x")));
    assert_true(json_as_int(json_get(r.json, "i"), &number) && number == 3);
    assert_true(json_as_real(json_get(r.json, "r"), &real) && real == 2.5);
    assert_true(json_as_real(json_get(r.json, "i"), &real) && real == 3);
    assert_true(json_as_bool(json_get(r.json, "b"), &truth) && !truth);
    assert_true(str_eq(json_text(r.json, "s"), STR("x")));
    assert_int_equal(json_text(r.json, "i").len, 0);
    assert_int_equal(json_text(r.json, "absent").len, 0);
    assert_int_equal(json_number(r.json, "i"), 3);
    assert_int_equal(json_number(r.json, "s"), 0);
    assert_int_equal(json_count(list), 2);
    assert_int_equal(json_count(map), 0);
    assert_true(json_as_int(json_at(list, 0), &number) && number == 4);
    assert_null(json_at(list, 2));
    read_done(&r);
}

static void the_members_of_an_object_come_in_their_order(void **state)
{
    CLEANUP(buf_done) Buf keys = {0};
    Read r;
    int64_t number, sum = 0;

    (void)state;
    read_text(&r, "{\"c\":1,\"a\":20,\"b\":300}");
    for (void *member = json_member(r.json, NULL); member; member = json_member(r.json, member)) {
        buf_add(&keys, str_of(json_member_key(member)));
        assert_true(json_as_int(json_member_value(member), &number));
        sum += number;
    }
    assert_string_equal(buf_cstr(&keys), "cab");
    assert_int_equal(sum, 321);
    read_done(&r);
}

static void a_text_is_read_up_to_its_limit(void **state)
{
    json_t *json = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(json_read(STR("[1]"), 3, &json, &err), 0);
    json_done(json);
    assert_int_equal(json_read(STR("[1]"), 2, &json, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "packet: 3 bytes; at most 2 are read");
    err = (Err){0};
    assert_int_equal(json_read((Str){0}, 2, &json, &err), ERR_SYNTAX);
    json_done(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_absent_or_null_gives_the_callers_value),
        cmocka_unit_test(values_of_the_right_type_are_taken),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(an_agent_beyond_the_table_is_refused),
        cmocka_unit_test(values_of_the_wrong_type_are_told_and_the_callers_value_stays),
        cmocka_unit_test(a_number_keeps_to_its_range_and_an_amount_is_cut_to_it),
        cmocka_unit_test(a_key_that_names_an_agent_is_its_number),
        cmocka_unit_test(what_a_value_is_can_be_asked_without_a_reader),
        cmocka_unit_test(the_members_of_an_object_come_in_their_order),
        cmocka_unit_test(a_text_is_read_up_to_its_limit),
        cmocka_unit_test(a_text_that_is_not_json_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
