/* test_remark.c - sentences about what was handed in, in both languages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/remark.h"

#include "base/mem.h"

static const Str names[REMARK_VALUES] = {
    {"a 'b'; is there twice.py", 24}, {"12", 2}, {"x (y); z", 8}};

static void every_sentence_is_found_again_with_its_values(void **state)
{
    (void)state;
    for (RemarkCode code = 0; code < REMARK_CODES; code++) {
        CLEANUP(buf_done) Buf text = {0};
        FileRemark found;

        remark_write(code, names, &text);
        if (!remark_read(buf_str(&text), &found) || found.code != code)
            fail_msg("'%s' is not %s", buf_cstr(&text), remark_code_name(code));
        for (size_t n = 0; n < REMARK_VALUES; n++)
            if (remark_value_name(code, n).len && !str_eq(found.values[n], names[n]))
                fail_msg("'%s': value %zu is '%.*s'", buf_cstr(&text), n, STR_ARG(found.values[n]));
    }
}

static void every_sentence_is_japanese_with_all_of_its_values(void **state)
{
    (void)state;
    for (RemarkCode code = 0; code < REMARK_CODES; code++) {
        CLEANUP(buf_done) Buf text = {0};
        CLEANUP(buf_done) Buf japanese = {0};
        size_t at;

        remark_write(code, names, &text);
        remark_say(buf_str(&text), true, &japanese);
        if (str_eq(buf_str(&text), buf_str(&japanese)) ||
            str_find(buf_str(&japanese), STR("{"), &at))
            fail_msg("%s: '%s'", remark_code_name(code), buf_cstr(&japanese));
        for (size_t n = 0; n < REMARK_VALUES && remark_value_name(code, n).len; n++)
            if (!str_find(buf_str(&japanese), names[n], &at))
                fail_msg("%s: '%s' lacks '%.*s'", remark_code_name(code), buf_cstr(&japanese),
                         STR_ARG(names[n]));
        buf_clear(&japanese);
        remark_say(buf_str(&text), false, &japanese);
        assert_true(str_eq(buf_str(&text), buf_str(&japanese)));
    }
}

static void says(const char *english, const char *japanese)
{
    CLEANUP(buf_done) Buf text = {0};

    remark_say(str_of(english), true, &text);
    assert_string_equal(buf_cstr(&text), japanese);
}

static void a_sentence_in_another_is_said_in_the_same_language(void **state)
{
    (void)state;
    says("what requirements.txt asks for: entry 'a/b': is there twice",
         "requirements.txt で準備したもの: 「a/b」: 同じものが二つあります");
    says("what requirements.txt asks for: of another program",
         "requirements.txt で準備したもの: of another program");
    says("what requirements.txt asks for: what requirements.txt asks for: there is no file in it",
         "requirements.txt で準備したもの: what requirements.txt asks for: there is no file in it");
    says("of an older program", "of an older program");
    says("", "");
}

static void it_is_four_members_and_one_when_it_has_no_code(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    (void)state;
    json_open(&json, '{');
    remark_add(&json, "why", STR("entry 'a\"b': its path has more than 1024 bytes"));
    remark_add(&json, "advice", STR("of an older program"));
    json_close(&json);
    assert_string_equal(buf_cstr(&text),
                        "{\"why\":\"entry 'a\\\"b': its path has more than 1024 bytes\","
                        "\"why_ja\":\"「a\\\"b」: パスが 1024 バイトを超えています\","
                        "\"why_code\":\"name-long\","
                        "\"why_values\":{\"name\":\"a\\\"b\",\"n\":\"1024\"},"
                        "\"advice\":\"of an older program\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sentence_is_found_again_with_its_values),
        cmocka_unit_test(every_sentence_is_japanese_with_all_of_its_values),
        cmocka_unit_test(a_sentence_in_another_is_said_in_the_same_language),
        cmocka_unit_test(it_is_four_members_and_one_when_it_has_no_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
