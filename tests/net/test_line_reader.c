#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/line_reader.h"

#include "base/mem.h"

/* Feeds `text` in two pieces (the first of `cut` bytes) or byte by byte (`cut` beyond the end) and
 * writes "[line]" for each line, "!" for an error and the rest behind it. */
static void read_pieces(Str text, size_t cut, bool bytewise, size_t limit, Buf *out)
{
    LineReader reader;
    Str line;
    size_t at = 0;
    int got = 0;

    line_reader_init(&reader, limit);
    while (at < text.len && got >= 0) {
        size_t n = bytewise ? 1 : at < cut ? cut - at : text.len - at;
        /* A copy that is gone afterwards: the reader may not hold on to it. */
        char *piece = malloc(n);
        assert_non_null(piece);
        memcpy(piece, text.bytes + at, n);
        line_reader_feed(&reader, (Str){piece, n});
        while ((got = line_reader_next(&reader, &line, NULL)) > 0) {
            buf_add_char(out, '[');
            buf_add(out, line);
            buf_add_char(out, ']');
        }
        if (!got)
            assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
        at += n;
        free(piece);
    }
    if (got < 0)
        buf_add_char(out, '!');
    else
        buf_add(out, line_reader_rest(&reader));
    line_reader_done(&reader);
}

/* The same for every way of cutting. */
static void assert_reads(const char *text, size_t limit, const char *want)
{
    Str all = str_of(text);

    for (size_t cut = 0; cut <= all.len; cut++) {
        CLEANUP(buf_done) Buf out = {0};
        read_pieces(all, cut, false, limit, &out);
        assert_string_equal(buf_cstr(&out), want);
    }
    CLEANUP(buf_done) Buf out = {0};
    read_pieces(all, 0, true, limit, &out);
    assert_string_equal(buf_cstr(&out), want);
}

static void lines_are_the_same_however_the_bytes_come(void **state)
{
    (void)state;
    assert_reads("", 10, "");
    assert_reads("one\ntwo\nthree\n", 10, "[one][two][three]");
    assert_reads("one\r\ntwo\r\n", 10, "[one][two]");
    assert_reads("\n\r\n\n", 10, "[][][]");
    assert_reads("\xE3\x81\x82\n", 10, "[\xE3\x81\x82]");
}

static void a_cr_ends_a_line_and_an_lf_behind_it_belongs_to_it(void **state)
{
    (void)state;
    assert_reads("a\r\r\n", 10, "[a][]");
    assert_reads("a\rb\n", 10, "[a][b]");
    assert_reads("a\n\rb\r", 10, "[a][][b]");
    assert_reads("\r\r", 10, "[][]");
    assert_reads("\r\n", 0, "[]");
    assert_reads("a\r\n\nb\r\n\r\n", 10, "[a][][b][]");
}

static void a_line_without_end_is_the_rest(void **state)
{
    (void)state;
    assert_reads("one\ntwo", 10, "[one]two");
    assert_reads("two\r", 10, "[two]");
    assert_reads("one\n", 10, "[one]");
}

static void a_line_without_end_is_the_last_line(void **state)
{
    LineReader reader;
    Str line;

    (void)state;
    line_reader_init(&reader, 10);
    assert_false(line_reader_last(&reader, &line));
    line_reader_feed(&reader, STR("one\r\ntw"));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 1);
    assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
    line_reader_feed(&reader, STR("o"));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
    assert_true(line_reader_last(&reader, &line));
    assert_true(str_eq(line, STR("two")));
    assert_false(line_reader_has_more(&reader)); /* nothing is behind it */
    assert_false(line_reader_last(&reader, &line));
    line_reader_done(&reader);

    line_reader_init(&reader, 10);
    line_reader_feed(&reader, STR("one\r"));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 1);
    assert_false(line_reader_has_more(&reader));
    line_reader_feed(&reader, STR("\n")); /* of the line that was read */
    assert_false(line_reader_has_more(&reader));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
    assert_false(line_reader_last(&reader, &line));
    line_reader_done(&reader);
}

static void the_limit_counts_no_line_end(void **state)
{
    (void)state;
    assert_reads("1234\n", 4, "[1234]");
    assert_reads("1234\r\n", 4, "[1234]");
    assert_reads("1234", 4, "1234");
    assert_reads("12345\n", 4, "!");
    assert_reads("1234\r\r\n", 4, "[1234][]");
    assert_reads("ok\n12345", 4, "[ok]!");
    assert_reads("1234\r5", 4, "[1234]5");
    assert_reads("ok\n123456789\nok\n", 4, "[ok]!");
    assert_reads("1\n", 0, "!");
}

static void a_too_long_line_is_refused_before_its_end(void **state)
{
    LineReader reader;
    Str line;
    Err err = {0};

    (void)state;
    line_reader_init(&reader, 100);
    CLEANUP(buf_done) Buf chunk = {0};
    for (int i = 0; i < 200; i++)
        buf_add_char(&chunk, 'x');
    line_reader_feed(&reader, buf_str(&chunk));
    assert_int_equal(line_reader_next(&reader, &line, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "a line of more than 100 bytes");
    line_reader_done(&reader);
}

static void a_whole_line_is_not_copied_and_an_idle_reader_keeps_nothing(void **state)
{
    static const char bytes[] = "one\ntwo\nthr";
    LineReader reader;
    Str line;

    (void)state;
    line_reader_init(&reader, 10);
    assert_false(line_reader_has_more(&reader));
    line_reader_feed(&reader, (Str){bytes, 11});
    assert_true(line_reader_has_more(&reader));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 1);
    assert_ptr_equal(line.bytes, bytes);
    assert_int_equal(line_reader_next(&reader, &line, NULL), 1);
    assert_ptr_equal(line.bytes, bytes + 4);
    assert_null(reader.begun.bytes);
    assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
    assert_non_null(reader.begun.bytes);
    assert_true(line_reader_has_more(&reader));
    line_reader_feed(&reader, STR("ee\n"));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 1);
    assert_true(str_eq(line, STR("three")));
    assert_false(line_reader_has_more(&reader));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
    assert_null(reader.begun.bytes);
    assert_int_equal(line_reader_rest(&reader).len, 0);
    line_reader_done(&reader);
}

static void what_comes_behind_an_answer_is_seen(void **state)
{
    LineReader reader;
    Str line;

    (void)state;
    line_reader_init(&reader, 10);
    line_reader_feed(&reader, STR("on"));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 0);
    line_reader_feed(&reader, STR("e\nmore"));
    assert_int_equal(line_reader_next(&reader, &line, NULL), 1);
    assert_true(line_reader_has_more(&reader));
    line_reader_done(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_same_however_the_bytes_come),
        cmocka_unit_test(a_cr_ends_a_line_and_an_lf_behind_it_belongs_to_it),
        cmocka_unit_test(a_line_without_end_is_the_rest),
        cmocka_unit_test(a_line_without_end_is_the_last_line),
        cmocka_unit_test(the_limit_counts_no_line_end),
        cmocka_unit_test(a_too_long_line_is_refused_before_its_end),
        cmocka_unit_test(a_whole_line_is_not_copied_and_an_idle_reader_keeps_nothing),
        cmocka_unit_test(what_comes_behind_an_answer_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
