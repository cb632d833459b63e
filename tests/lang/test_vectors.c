/* test_vectors.c - escapes, and how files of vectors are read and refused. */
#include "lang_data.h"
#include "naive.h"

#include "lang/vectors.h"

static void escapes_go_both_ways(void **state)
{
    static const struct {
        const char *plain;
        const char *escaped;
    } pairs[] = {
        {"VOTE Agent[01]", "VOTE Agent[01]"},
        {" a b ", "\\u0020a b\\u0020"},
        {" ", "\\u0020"},
        {"\t\n\r\\", "\\t\\n\\r\\\\"},
        {"\x01\x7F", "\\u0001\\u007f"},
        {"\xC2\x85\xE2\x80\xA8", "\\u0085\\u2028"},
        {"\xF0\x9F\x90\xBA!", "\\ud83d\\udc3a!"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        CLEANUP(buf_done) Buf plain = {0};
        char escaped[64];

        assert_int_equal(lang_escape(str_of(pairs[i].plain), escaped, sizeof(escaped)),
                         strlen(pairs[i].escaped));
        assert_string_equal(escaped, pairs[i].escaped);
        assert_int_equal(lang_unescape(str_of(escaped), &plain, NULL), 0);
        assert_true(str_eq(buf_str(&plain), str_of(pairs[i].plain)));
    }
}

static void escaping_never_cuts_an_escape(void **state)
{
    char out[16];

    (void)state;
    assert_int_equal(lang_escape(STR("ab\xFF"
                                     "c"),
                                 out, 8),
                     9);
    assert_string_equal(out, "ab");
    assert_int_equal(lang_escape(STR("ab\xFF"
                                     "c"),
                                 out, 9),
                     9);
    assert_string_equal(out, "ab\\ufffd");
    assert_int_equal(lang_escape(STR("abc"), NULL, 0), 3);
}

static void a_nul_and_a_lone_surrogate_can_be_written_in_a_file(void **state)
{
    CLEANUP(buf_done) Buf plain = {0};

    (void)state;
    assert_int_equal(lang_unescape(STR("\\u0000\\ud800x"), &plain, NULL), 0);
    assert_true(str_eq(buf_str(&plain), STR("\0\xED\xA0\x80x")));
}

static void a_malformed_file_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *line;
        unsigned column;
        const char *reason;
    } cases[] = {
        {"VOTE Agent[01]\t1", 1, "expected 3 columns, found 2"},
        {"", 1, "expected 3 columns, found 1"},
        {"a\t0\t\t", 1, "expected 3 columns, found 4"},
        {"a\tyes\t", 3, "expected 0 or 1 in the column valid, found 'yes'"},
        {"a\\x\t0\t", 2, "expected an escape: \\\\ \\t \\n \\r or \\u and four hex digits"},
        {"Skip\t1\tSk\\u00gp", 10,
         "expected an escape: \\\\ \\t \\n \\r or \\u and four hex digits"},
        {"a\\", 1, "expected 3 columns, found 1"},
        {"a\\\t0\t", 2, "expected an escape: \\\\ \\t \\n \\r or \\u and four hex digits"},
        {"\xE4\xBA\t0\t", 1, "expected UTF-8 text"},
    };
    CLEANUP(vectors_row_done) VectorRow row = {0};
    VectorForm form;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Err err = {0};
        assert_int_equal(vectors_row(str_of(cases[i].line), 7, VECTORS_CANONICAL, &row, &err),
                         ERR_SYNTAX);
        assert_string_equal(err.msg, cases[i].reason);
        assert_int_equal(err.line, 7);
        assert_int_equal(err.column, cases[i].column);
    }
    Err err = {0};
    assert_int_equal(vectors_header(STR("input\tvalid\tcanonical\r"), 1, &form, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "found 'input\\tvalid\\tcanonical\\r'"));
}

static void a_row_that_is_wrong_disagrees(void **state)
{
    static const struct {
        const char *line;
        VectorForm form;
        bool agrees;
    } cases[] = {
        {"VOTE Agent[1]\t1\tVOTE Agent[01]", VECTORS_CANONICAL, true},
        {"VOTE Agent[1]\t1\tVOTE Agent[1]", VECTORS_CANONICAL, false},
        {"VOTE Agent[1]\t0\t", VECTORS_CANONICAL, false},
        {"VOTE Agent1\t1\tVOTE Agent[01]", VECTORS_CANONICAL, false},
        {"VOTE Agent1\t0\t", VECTORS_CANONICAL, true},
        {"VOTE Agent1\t0\tSomeException", VECTORS_THROW, true},
        {"VOTE ANY\t0\tSomeException", VECTORS_THROW, false},
        {"VOTE ANY\t1\t", VECTORS_THROW, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(vectors_row_done) VectorRow row = {0};
        CLEANUP(buf_done) Buf got = {0};
        CLEANUP(buf_done) Buf expected = {0};

        assert_int_equal(vectors_row(str_of(cases[i].line), 2, cases[i].form, &row, NULL), 0);
        assert_int_equal(vectors_agree(&row, *state, &got), cases[i].agrees);
        vectors_expected(&row, &expected);
        assert_true(got.len >= 2 && expected.len >= 1);
    }
}

/* The other reader of these tests knows the rules too: it agrees with the vectors itself. */
static void the_naive_reader_agrees_with_the_vectors(void **state)
{
    static const char *const names[] = {"vectors.tsv", "vectors-generated.tsv",
                                        "vectors-throw.tsv"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        CLEANUP(buf_done) Buf file = data_read(names[i]);
        CLEANUP(buf_done) Buf canonical = {0};
        CLEANUP(vectors_row_done) VectorRow row = {0};
        Str rest = buf_str(&file);
        VectorForm form;

        assert_int_equal(vectors_header(str_cut(&rest, '\n'), 1, &form, NULL), 0);
        while (rest.len) {
            assert_int_equal(vectors_row(str_cut(&rest, '\n'), 2, form, &row, NULL), 0);
            buf_clear(&canonical);
            assert_int_equal(naive_canonical(buf_str(&row.input), &canonical), row.valid);
            if (row.has_canonical)
                assert_string_equal(buf_cstr(&canonical), buf_cstr(&row.canonical));
        }
    }
}

static void a_row_keeps_nothing_of_the_row_before(void **state)
{
    CLEANUP(vectors_row_done) VectorRow row = {0};

    (void)state;
    assert_int_equal(vectors_row(STR("Skip\t1\tSkip"), 2, VECTORS_CANONICAL, &row, NULL), 0);
    assert_string_equal(buf_cstr(&row.canonical), "Skip");
    assert_int_equal(vectors_row(STR("x\t0\tError"), 3, VECTORS_THROW, &row, NULL), 0);
    assert_string_equal(buf_cstr(&row.input), "x");
    assert_string_equal(buf_cstr(&row.canonical), "");
    assert_false(row.valid || row.has_canonical);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(escapes_go_both_ways, empty_arena),
        cmocka_unit_test_setup(escaping_never_cuts_an_escape, empty_arena),
        cmocka_unit_test_setup(a_nul_and_a_lone_surrogate_can_be_written_in_a_file, empty_arena),
        cmocka_unit_test_setup(a_malformed_file_is_refused_with_its_line, empty_arena),
        cmocka_unit_test_setup(a_row_that_is_wrong_disagrees, empty_arena),
        cmocka_unit_test_setup(the_naive_reader_agrees_with_the_vectors, empty_arena),
        cmocka_unit_test(a_row_keeps_nothing_of_the_row_before),
    };

    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
