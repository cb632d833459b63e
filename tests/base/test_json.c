#include "prop.h"

#include <jansson.h>

#include "base/json.h"
#include "base/utf8.h"

static json_t *load(const Buf *buf)
{
    json_error_t error;
    json_t *value =
        json_loadb(buf->bytes, buf->len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

    if (!value)
        fail_msg("jansson: %s at %d in %s", error.text, error.position, buf_cstr(buf));
    return value;
}

static void commas_and_colons_stand_where_they_must(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};
    Json json = json_over(&buf);

    (void)state;
    json_open(&json, '{');
    json_key(&json, STR("a"));
    json_open(&json, '[');
    json_put_uint(&json, 1);
    json_put_int(&json, -2);
    json_open(&json, '{');
    json_close(&json);
    json_open(&json, '[');
    json_close(&json);
    json_put_bool(&json, true);
    json_put_null(&json);
    json_close(&json);
    json_key(&json, STR("b"));
    json_put_str(&json, STR("c"));
    json_key(&json, STR("d"));
    json_put_real(&json, 0.5, 2);
    json_key(&json, STR("e"));
    json_put_raw(&json, STR("{\"x\":1}"));
    json_close(&json);
    assert_string_equal(buf_cstr(&buf), "{\"a\":[1,-2,{},[],true,null],\"b\":\"c\",\"d\":0.50,"
                                        "\"e\":{\"x\":1}}");
}

static void strings_are_escaped(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    json_quote(&buf, STR("q\" b\\ n\n t\t \x01 人 🐺 \x7F \xC2\x9B /"), false);
    assert_string_equal(buf_cstr(&buf), "\"q\\\" b\\\\ n\\n t\\t \\u0001 人 🐺 \\u007f \\u009b /\"");
}

static void ascii_output_uses_surrogate_pairs(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    json_quote(&buf, STR("é 人 🐺"), true);
    assert_string_equal(buf_cstr(&buf), "\"\\u00e9 \\u4eba \\ud83d\\udc3a\"");
}

/* The first and the last character that need two. */
static void the_ends_of_the_range_of_surrogate_pairs_are_right(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    json_quote(&buf, STR("\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), true);
    assert_string_equal(buf_cstr(&buf), "\"\\uffff\\ud800\\udc00\\udbff\\udfff\"");
}

static void invalid_bytes_become_the_replacement_character(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};

    (void)state;
    json_quote(&buf, STR("a\xFF\xC3"), false);
    json_quote(&buf, STR("\xED\xA0\x80"), true);
    assert_string_equal(buf_cstr(&buf), "\"a\uFFFD\uFFFD\"\"\\ufffd\\ufffd\\ufffd\"");
}

static void what_is_not_a_number_is_null(void **state)
{
    CLEANUP(buf_done) Buf buf = {0};
    Json json = json_over(&buf);

    (void)state;
    json_open(&json, '[');
    json_put_real(&json, 1e300 * 1e300, 2);
    json_close(&json);
    assert_string_equal(buf_cstr(&buf), "[null]");
}

/* What json_quote writes of `text`, asked character by character. */
static void quote_each(Buf *out, Str text, bool ascii)
{
    CLEANUP(buf_done) Buf one = {0};

    buf_add_char(out, '"');
    while (text.len) {
        Str rest = text;
        utf8_next(&rest);
        buf_clear(&one);
        json_quote(&one, str_part(text, 0, text.len - rest.len), ascii);
        buf_add(out, str_part(buf_str(&one), 1, one.len - 2));
        text = rest;
    }
    buf_add_char(out, '"');
}

static bool quotes_json_alike(Str json)
{
    CLEANUP(buf_done) Buf by_character = {0};
    CLEANUP(buf_done) Buf by_eight = {0};

    json_quote(&by_character, json, false);
    json_quote_json(&by_eight, json);
    return str_eq(buf_str(&by_eight), buf_str(&by_character)) &&
           by_eight.bytes[by_eight.len] == '\0';
}

/* Any bytes give a string that jansson takes, and it gives valid text back unchanged. */
static bool jansson_reads_any_string(Rng *rng, unsigned size)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf buf = {0};
    CLEANUP(buf_done) Buf each = {0};
    bool ascii = rng_below(rng, 2);

    for (unsigned i = 0; i < size; i++) {
        static const char *const pieces[] = {
            "a",    "\"",   "\\",          "\n",   "\x1F", "é",        "人",           "\xE3",
            "\xFF", "🐺",    "\x80",        "\x7F", "狼",   "\xE0\xA0", "\xE0\x9F\xBF", "\xED\x9F",
            "\xEF", "\xBF", "\xED\xA0\x80"};
        buf_add(&text, str_of(pieces[rng_below(rng, sizeof(pieces) / sizeof(pieces[0]))]));
    }
    json_quote(&buf, buf_str(&text), ascii);
    quote_each(&each, buf_str(&text), ascii);
    json_t *value = load(&buf);
    bool same = quotes_json_alike(buf_str(&buf));
    same = same &&
           (!utf8_valid(buf_str(&text)) ||
            str_eq((Str){json_string_value(value), json_string_length(value)}, buf_str(&text)));
    for (size_t i = 0; ascii && i < buf.len; i++)
        same = same && (unsigned char)buf.bytes[i] < 0x80;
    json_decref(value);
    return same && str_eq(buf_str(&buf), buf_str(&each));
}

static void any_value(Json *json, Rng *rng, unsigned depth, unsigned *left)
{
    uint32_t kind = rng_below(rng, depth < 6 ? 8 : 6);

    if (kind < 6) {
        switch (kind) {
        case 0:
            json_put_uint(json, rng_next(rng) >> 1);
            return;
        case 1:
            json_put_int(json, (int64_t)rng_next(rng));
            return;
        case 2:
            json_put_bool(json, rng_below(rng, 2));
            return;
        case 3:
            json_put_null(json);
            return;
        case 4:
            json_put_real(json, (double)rng_below(rng, 1000) / 7, 3);
            return;
        default:
            json_put_str(json, STR("x\"y"));
            return;
        }
    }
    json_open(json, kind == 6 ? '[' : '{');
    for (unsigned n = rng_below(rng, 5); n > 0 && *left > 0; n--) {
        char key[] = {(char)('a' + n), '\0'};
        --*left;
        if (kind == 7)
            json_key(json, str_of(key));
        any_value(json, rng, depth + 1, left);
    }
    json_close(json);
}

static bool jansson_reads_any_document(Rng *rng, unsigned size)
{
    CLEANUP(buf_done) Buf buf = {0};
    Json json = json_over(&buf);

    json_open(&json, '[');
    while (size) {
        size--;
        any_value(&json, rng, 0, &size);
    }
    json_close(&json);
    json_decref(load(&buf));
    return json.depth == 0;
}

static void strings_of_any_bytes_are_json(void **state)
{
    (void)state;
    prop_check(jansson_reads_any_string, 2000, 40);
}

static void documents_of_any_shape_are_json(void **state)
{
    (void)state;
    prop_check(jansson_reads_any_document, 500, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_and_colons_stand_where_they_must),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(ascii_output_uses_surrogate_pairs),
        cmocka_unit_test(the_ends_of_the_range_of_surrogate_pairs_are_right),
        cmocka_unit_test(invalid_bytes_become_the_replacement_character),
        cmocka_unit_test(what_is_not_a_number_is_null),
        cmocka_unit_test(strings_of_any_bytes_are_json),
        cmocka_unit_test(documents_of_any_shape_are_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
