#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terminal/clean.h"
#include "terminal/line_edit.h"

#include "base/utf8.h"

static int set_up(void **state)
{
    LineEdit *edit = NULL;

    assert_int_equal(line_edit_new(&edit, NULL), 0);
    *state = edit;
    return 0;
}

static int tear_down(void **state)
{
    line_edit_free(*state);
    return 0;
}

/* The last event but LINE_MORE of these bytes, fed one by one: what is cut must not matter. */
static LineEvent type(LineEdit *edit, const char *keys)
{
    LineEvent last = LINE_MORE, event;

    for (Str rest = str_of(keys); rest.len; rest = str_part(rest, 1, SIZE_MAX)) {
        line_edit_feed(edit, str_part(rest, 0, 1));
        while ((event = line_edit_next(edit)) != LINE_MORE)
            last = event;
    }
    return last;
}

/* What the line looks like after these keys, the cursor as '|'. */
static void assert_line(LineEdit *edit, const char *keys, const char *expected)
{
    CLEANUP(buf_done) Buf shown = {0};

    type(edit, keys);
    Str text = line_edit_text(edit);
    buf_add(&shown, str_part(text, 0, line_edit_cursor(edit)));
    buf_add_char(&shown, '|');
    buf_add(&shown, str_part(text, line_edit_cursor(edit), SIZE_MAX));
    assert_string_equal(buf_cstr(&shown), expected);
}

#define LEFT   "\033[D"
#define RIGHT  "\033[C"
#define UP     "\033[A"
#define DOWN   "\033OB" /* as terminals in application mode send it */
#define DELETE "\033[3~"

static void keys_edit_as_in_shells(void **state)
{
    LineEdit *edit = *state;

    assert_line(edit, "vote Anna", "vote Anna|");
    assert_line(edit, "\001/", "/|vote Anna");
    assert_line(edit, "\005" LEFT LEFT "x", "/vote Anx|na");
    assert_line(edit, "\b", "/vote An|na");
    assert_line(edit, DELETE, "/vote An|a");
    assert_line(edit, "\v", "/vote An|");
    assert_line(edit, "\027", "/vote |");
    assert_line(edit,
                "Bob"
                "\033[1;5D",
                "/vote |Bob");
    assert_line(edit, "\033b" RIGHT, "/|vote Bob");
    assert_line(edit, "\033[H", "|/vote Bob");
    assert_line(edit, "\033[4~", "/vote Bob|");
    assert_line(edit, LEFT "\025", "|b");
    assert_line(edit, "\004", "|");
    assert_int_equal(type(edit, "\b"), LINE_REFUSED);
    assert_int_equal(type(edit, "\004"), LINE_END);
    assert_int_equal(type(edit, "\003"), LINE_INTERRUPT);
    assert_int_equal(type(edit, "\033\003"), LINE_INTERRUPT);
    assert_int_equal(type(edit, "\f"), LINE_REDRAW);
    assert_int_equal(type(edit, "\033[5~"), LINE_PAGE_UP);
    assert_int_equal(type(edit, "\033[6~"), LINE_PAGE_DOWN);
}

static void characters_of_any_width_are_one_step(void **state)
{
    LineEdit *edit = *state;

    assert_line(edit, "あい人狼", "あい人狼|");
    assert_line(edit, LEFT LEFT "\b", "あ|人狼");
    assert_line(edit, DELETE, "あ|狼");
    assert_line(edit, "\025\v", "|");
    assert_line(edit, "e\xCC\x81x" LEFT LEFT, "|e\xCC\x81x"); /* with a mark of its own */
    assert_line(edit, DELETE, "|x");
}

static void what_is_no_text_never_gets_into_the_line(void **state)
{
    LineEdit *edit = *state;

    assert_line(edit,
                "a\xFF\xFE"
                "b\xC3(\x80",
                "ab(|");
    assert_line(edit,
                "\xE2\x80\xAE"
                "c\xC2\x9B",
                "ab(c|"); /* turned around; a C1 CSI */
    assert_line(edit,
                "\033[31;1m"
                "\033[99~"
                "d\x01\x02",
                "|ab(cd");
    assert_line(edit, "\005\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1e", "ab(cd;1;1;1;1e|");
}

static void a_pasted_text_is_text(void **state)
{
    LineEdit *edit = *state;

    assert_line(edit, "<\033[200~one\ntwo\tthree\x03\x15\033[A 人\033[201~>",
                "<one two threeA 人>|");
    assert_int_equal(type(edit, "\r"), LINE_ENTERED);
    assert_int_equal(line_edit_entered(edit).len, strlen("<one two threeA 人>"));
    assert_line(edit, "", "|");
}

static void history_comes_back_and_the_draft_too(void **state)
{
    LineEdit *edit = *state;

    assert_int_equal(type(edit, "one\r"), LINE_ENTERED);
    type(edit, "two\rtwo\r"); /* the same twice is remembered once */
    assert_line(edit, "half" UP, "two|");
    assert_line(edit, UP, "one|");
    assert_int_equal(type(edit, UP), LINE_REFUSED);
    assert_line(edit, DOWN DOWN, "half|");
    assert_int_equal(type(edit, DOWN), LINE_REFUSED);
    for (int i = 0; i < 3 * LINE_EDIT_HISTORY_MAX; i++)
        type(edit, i % 2 ? "a\r" : "b\r");
    for (int i = 0; i < LINE_EDIT_HISTORY_MAX; i++)
        assert_int_equal(type(edit, UP), LINE_CHANGED);
    assert_int_equal(type(edit, UP), LINE_REFUSED);
}

static void a_line_has_a_limit(void **state)
{
    LineEdit *edit = *state;

    for (int i = 0; i < LINE_EDIT_BYTES_MAX; i++)
        assert_int_equal(type(edit, "x"), LINE_CHANGED);
    assert_int_equal(type(edit, "x"), LINE_REFUSED);
    assert_int_equal(line_edit_text(edit).len, LINE_EDIT_BYTES_MAX);
}

static void tab_completes_names(void **state)
{
    CLEANUP(buf_done) Buf choices = {0};
    const Str names[] = {STR("Anna"), STR("Annika"), STR("Bob"), STR("花子"), STR("花田")};
    LineEdit *edit = *state;

    assert_int_equal(type(edit, "/vote b\t"), LINE_COMPLETE);
    assert_int_equal(line_edit_complete(edit, names, 5, &choices), 1);
    assert_line(edit, "", "/vote Bob |");
    assert_int_equal(choices.len, 0);
    assert_line(edit, "\025a", "a|");
    assert_int_equal(line_edit_complete(edit, names, 5, &choices), 2);
    assert_line(edit, "", "Ann|");
    assert_string_equal(buf_cstr(&choices), "Anna Annika");
    buf_clear(&choices);
    assert_int_equal(line_edit_complete(edit, names, 5, &choices), 2); /* nothing to add */
    assert_line(edit, "x", "Annx|");
    assert_int_equal(line_edit_complete(edit, names, 5, &choices), 0);
    assert_line(edit, "\025花", "花|");
    assert_int_equal(line_edit_complete(edit, names, 5, &choices), 2); /* not half a character */
    assert_line(edit, "子", "花子|");
    assert_int_equal(line_edit_complete(edit, names, 5, &choices), 1);
    assert_line(edit, "", "花子 |");
}

static void noise_of_any_kind_leaves_a_line_of_text(void **state)
{
    LineEdit *edit = *state;
    uint32_t seed = 1;

    for (int i = 0; i < 200000; i++) {
        char byte = (char)((seed = seed * 1664525 + 1013904223) >> 24);
        LineEvent event;
        line_edit_feed(edit, (Str){&byte, 1});
        while ((event = line_edit_next(edit)) != LINE_MORE)
            assert_true(utf8_valid(line_edit_text(edit)));
        assert_true(line_edit_cursor(edit) <= line_edit_text(edit).len);
    }
}

static void lines_of_others_are_made_safe(void **state)
{
    CLEANUP(buf_done) Buf clean = {0};

    (void)state;
    clean_line(STR("a\033[2Jb\tc\nd\xC2\x9B"
                   "e\xFF"
                   "\xE2\x80\xAE"
                   "f\x7f\a人"),
               &clean);
    assert_string_equal(buf_cstr(&clean), "a[2Jb c de\xEF\xBF\xBD"
                                          "f人");
}

static void lines_are_folded_at_blanks_and_by_width(void **state)
{
    (void)state;
    assert_int_equal(clean_fold(STR("one two three"), 7), 7);
    assert_int_equal(clean_fold(STR("one two three"), 8), 7);
    assert_int_equal(clean_fold(STR("one two three"), 6), 3);
    assert_int_equal(clean_fold(STR("onetwothree"), 4), 4);
    assert_int_equal(clean_fold(STR("人狼人狼"), 5), 6);
    assert_int_equal(clean_fold(STR("人狼"), 1), 3);            /* one at least */
    assert_int_equal(clean_fold(STR("Ann: 人狼人狼"), 10), 11); /* no blank is waited for */
    assert_int_equal(clean_fold(STR("人狼です。"), 8), 9);      /* no row begins with a full stop */
    assert_int_equal(clean_fold(STR("人狼「人」"), 6), 6);      /* nor ends with what opens */
    assert_int_equal(clean_fold(STR("人狼Ann"), 6), 6);         /* a word stays in one piece */
    assert_int_equal(clean_fold(STR("。。。"), 4), 6);
    assert_int_equal(clean_fold(STR(""), 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_edit_as_in_shells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(characters_of_any_width_are_one_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_text_never_gets_into_the_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_pasted_text_is_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(history_comes_back_and_the_draft_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_has_a_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tab_completes_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(noise_of_any_kind_leaves_a_line_of_text, set_up, tear_down),
        cmocka_unit_test(lines_of_others_are_made_safe),
        cmocka_unit_test(lines_are_folded_at_blanks_and_by_width),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
