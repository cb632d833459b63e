#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proof/canonical.h"

#include "base/utf8.h"

static void is_canonical(const char *line)
{
    Err err = {0};

    if (canonical_check(str_of(line), &err))
        fail_msg("%s: %s", line, err.msg);
}

/* `column`: the byte, from 1, where it is not. */
static void is_refused(Str line, unsigned column)
{
    Err err = {0};

    assert_int_equal(canonical_check(line, &err), ERR_SYNTAX);
    if (err.column != column)
        fail_msg("%.*s: column %u, expected %u: %s", STR_ARG(line), err.column, column, err.msg);
}

static void what_rfc_8785_writes_is_canonical(void **state)
{
    (void)state;
    is_canonical("{}");
    is_canonical("{\"a\":[],\"b\":{},\"c\":[1,-2,\"x\",true,false,null,[{}]]}");
    is_canonical("{\"n\":9007199254740991,\"o\":-9007199254740991,\"z\":0}");
    is_canonical("{\"t\":\"\\b\\t\\n\\f\\r\\\"\\\\/\\u0000\\u001f\x7f\xe2\x80\xa8\"}");
    /* 3.2.3: sorted by UTF-16 units */
    is_canonical("{\"\\r\":0,\"1\":1,\"\xc2\x80\":2,\"\xc3\xb6\":3,\"\xe2\x82\xac\":4,"
                 "\"\xf0\x9f\x98\x82\":5,\"\xef\xac\xb3\":6}");
}

static void each_other_way_to_write_it_is_refused_with_its_byte(void **state)
{
    (void)state;
    is_refused(STR(""), 1);
    is_refused(STR("[]"), 1);
    is_refused(STR(" {}"), 1);
    is_refused(STR("{ }"), 2);
    is_refused(STR("{}\n"), 3);
    is_refused(STR("{}{}"), 3);
    is_refused(STR("{\"a\": 1}"), 6);
    is_refused(STR("{\"a\":1,}"), 8);
    is_refused(STR("{\"a\":[1,]}"), 9);
    is_refused(STR("{\"a\":1"), 7);
    is_refused(STR("{\"a\" 1}"), 5);
    is_refused(STR("{\"a"), 4);
    is_refused(STR("{\"b\":1,\"a\":2}"), 8);
    is_refused(STR("{\"a\":1,\"a\":2}"), 8);
    is_refused(STR("{\"\xef\xac\xb3\":6,\"\xf0\x9f\x98\x82\":5}"), 10);
    is_refused(STR("{\"a\":\"\\/\"}"), 7);
    is_refused(STR("{\"a\":\"\\u0041\"}"), 7);
    is_refused(STR("{\"a\":\"\\u000a\"}"), 7);
    is_refused(STR("{\"a\":\"\\u001F\"}"), 7);
    is_refused(STR("{\"a\":\"\\u00"), 7);
    is_refused(STR("{\"a\":\"\t\"}"), 7);
    is_refused(STR("{\"a\":\"\0\"}"), 7);
    is_refused(STR("{\"a\":\"x\xff\"}"), 8);
    is_refused(STR("{\"a\":\"\xc0\x80\"}"), 7);
    is_refused(STR("{\"a\":\"\xed\xa0\x80\"}"), 7);
    is_refused(STR("{\"a\":\"\xe2\x82"), 7);
}

static void numbers_are_whole_and_below_2_to_53(void **state)
{
    (void)state;
    is_refused(STR("{\"a\":9007199254740992}"), 6);
    is_refused(STR("{\"a\":-9007199254740992}"), 6);
    is_refused(STR("{\"a\":99999999999999999999999}"), 6);
    is_refused(STR("{\"a\":1.5}"), 7);
    is_refused(STR("{\"a\":1e3}"), 7);
    is_refused(STR("{\"a\":-0}"), 6);
    is_refused(STR("{\"a\":01}"), 6);
    is_refused(STR("{\"a\":+1}"), 6);
    is_refused(STR("{\"a\":-}"), 6);
    is_refused(STR("{\"a\":NaN}"), 6);
    is_refused(STR("{\"a\":truer}"), 10);
}

static void what_is_nested_too_deep_is_refused(void **state)
{
    char line[200] = "{\"a\":";
    Err err = {0};

    (void)state;
    for (unsigned i = 0; i < CANONICAL_DEPTH_MAX - 1; i++)
        snprintf(line + strlen(line), sizeof(line) - strlen(line), "[");
    size_t open = strlen(line);
    for (unsigned i = 0; i < CANONICAL_DEPTH_MAX - 1; i++)
        snprintf(line + strlen(line), sizeof(line) - strlen(line), "]");
    snprintf(line + strlen(line), sizeof(line) - strlen(line), "}");
    is_canonical(line);
    line[open] = '[';
    assert_int_equal(canonical_check(str_of(line), &err), ERR_LIMIT);
}

static void members_are_found_by_name(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Str line = STR("{\"a\":{\"n\":1},\"n\":[2],\"t\":\"x\\n\\u0001\\\\\xc3\xa9\"}");
    Str value;

    (void)state;
    assert_int_equal(canonical_check(line, NULL), 0);
    assert_true(canonical_member(line, STR("n"), &value));
    assert_true(str_eq(value, STR("[2]")));
    assert_false(canonical_text(value, &text));
    assert_true(canonical_member(line, STR("t"), &value));
    assert_true(canonical_text(value, &text));
    assert_string_equal(buf_cstr(&text), "x\n\1\\\xc3\xa9");
    assert_false(canonical_member(line, STR("b"), &value));
    assert_false(canonical_member(STR("{}"), STR("b"), &value));
}

/* ---- writing ---- */

static void members_are_written_in_their_order_whichever_way_they_come(void **state)
{
    CLEANUP(canonical_done) Canonical out = {0};
    Str text;

    (void)state;
    for (int round = 0; round < 2; round++) {
        canonical_clear(&out);
        canonical_open(&out, '{');
        canonical_key(&out, STR("type"));
        canonical_put_text(&out, STR("ga\"me\n\1"));
        canonical_key(&out, STR("seats"));
        canonical_open(&out, '[');
        canonical_put_number(&out, -3);
        canonical_open(&out, '{');
        canonical_key(&out, STR("z"));
        canonical_put_null(&out);
        canonical_key(&out, STR("b"));
        canonical_put_bool(&out, true);
        canonical_close(&out);
        canonical_put_bool(&out, false);
        canonical_close(&out);
        canonical_key(&out, STR("\xef\xac\xb3"));
        canonical_put_number(&out, CANONICAL_NUMBER_MAX);
        canonical_key(&out, STR("\xf0\x9f\x98\x82"));
        canonical_open(&out, '{');
        canonical_close(&out);
        canonical_key(&out, STR("at"));
        canonical_put_number(&out, 0);
        canonical_close(&out);
        assert_int_equal(canonical_end(&out, &text, NULL), 0);
        assert_string_equal(text.bytes, "{\"at\":0,\"seats\":[-3,{\"b\":true,\"z\":null},false],"
                                        "\"type\":\"ga\\\"me\\n\\u0001\",\"\xf0\x9f\x98\x82\":{},"
                                        "\"\xef\xac\xb3\":9007199254740991}");
        is_canonical(text.bytes);
    }
}

static int end_of(Canonical *out)
{
    Str text;
    Err err = {0};
    int rc = canonical_end(out, &text, &err);

    assert_true(rc == 0 || err.msg[0]);
    canonical_clear(out);
    canonical_open(out, '{');
    return rc;
}

static void what_cannot_be_written_is_told_at_the_end(void **state)
{
    CLEANUP(canonical_done) Canonical out = {0};

    (void)state;
    canonical_open(&out, '{');
    assert_int_equal(end_of(&out), ERR_RULE); /* no end */
    canonical_key(&out, STR("a"));
    canonical_put_null(&out);
    canonical_key(&out, STR("b"));
    canonical_put_null(&out);
    canonical_key(&out, STR("a"));
    canonical_put_null(&out);
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_RULE); /* twice */
    canonical_put_null(&out);
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_RULE); /* no name */
    canonical_key(&out, STR("a"));
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_RULE); /* no value */
    canonical_key(&out, STR("a"));
    canonical_put_text(&out, STR("\xff"));
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_SYNTAX);
    canonical_key(&out, STR("\xff"));
    canonical_put_null(&out);
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_SYNTAX);
    canonical_key(&out, STR("a"));
    canonical_put_number(&out, CANONICAL_NUMBER_MAX + 1);
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_LIMIT);
    canonical_key(&out, STR("a"));
    for (int i = 0; i < CANONICAL_DEPTH_MAX; i++)
        canonical_open(&out, '[');
    assert_int_equal(end_of(&out), ERR_LIMIT);
    canonical_close(&out);
    canonical_close(&out);
    assert_int_equal(end_of(&out), ERR_RULE);
    canonical_close(&out);
    assert_int_equal(end_of(&out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rfc_8785_writes_is_canonical),
        cmocka_unit_test(each_other_way_to_write_it_is_refused_with_its_byte),
        cmocka_unit_test(numbers_are_whole_and_below_2_to_53),
        cmocka_unit_test(what_is_nested_too_deep_is_refused),
        cmocka_unit_test(members_are_found_by_name),
        cmocka_unit_test(members_are_written_in_their_order_whichever_way_they_come),
        cmocka_unit_test(what_cannot_be_written_is_told_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
