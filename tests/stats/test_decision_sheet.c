#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/decision_sheet.h"

static void less_than_ninety_of_a_hundred_are_not_its_own(void **state)
{
    (void)state;
    assert_true(decisions_are_own(0, 0));
    assert_true(decisions_are_own(100, 100));
    assert_true(decisions_are_own(90, 100));
    assert_false(decisions_are_own(89, 100));
    assert_true(decisions_are_own(9, 10));
    assert_false(decisions_are_own(8, 9));
    assert_false(decisions_are_own(0, 1));
}

static void the_share_that_is_wanted_may_be_another(void **state)
{
    (void)state;
    assert_true(decisions_reach(90, 100, 0) && !decisions_reach(89, 100, 0)); /* the usual one */
    assert_true(decisions_reach(89, 100, 89) && !decisions_reach(89, 100, 90));
    assert_true(decisions_reach(1, 100, 1) && !decisions_reach(0, 100, 1));
    assert_true(decisions_reach(100, 100, 100) && !decisions_reach(99, 100, 100));
    assert_true(decisions_reach(2, 3, 66) && !decisions_reach(2, 3, 67));
    assert_true(decisions_reach(0, 0, 100));
    assert_true(decisions_reach(UINT64_MAX / 2 + 1, UINT64_MAX, 50));
    assert_false(decisions_reach(UINT64_MAX / 2 - 1, UINT64_MAX, 50));
}

static void a_note_is_read_as_it_was_written(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    DecisionNote note = {.stage = 2,
                         .set = 7,
                         .agent = STR("a model, or: two"),
                         .sheet = {.decisions = 40, .own = 12}};
    DecisionNote read = {0};
    (void)state;

    decision_sheet_set_error(&note.sheet, STR("HTTP 503;\n model decisions: 40 of 40 its own"));
    decision_note_write(&note, &text);
    assert_true(decision_note_read(buf_str(&text), &read));
    assert_int_equal(read.stage, 2);
    assert_int_equal(read.set, 7);
    assert_true(str_eq(read.agent, note.agent));
    assert_int_equal(read.sheet.decisions, 40);
    assert_int_equal(read.sheet.own, 12);
    assert_string_equal(read.sheet.error, note.sheet.error);
    assert_null(strchr(read.sheet.error, '\n'));
}

/* A name may hold what stands between the parts; an address has no blanks. */
static void the_model_and_its_server_are_read_as_they_were_written(void **state)
{
    static const char *const names[] = {"llama3.1:8b", "a; model b", "x; server y"};
    (void)state;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        DecisionSheet sheet = {.decisions = 4, .own = 3}, read = {0};

        decision_model_set(&sheet.model, str_of(names[i]), STR("http://[::1]:8080/v1;x"));
        decision_sheet_set_error(&sheet, i ? STR("HTTP 503; model down") : STR(""));
        decision_sheet_write(&sheet, &text);
        assert_true(decision_sheet_read(buf_str(&text), &read));
        assert_string_equal(read.model.name, names[i]);
        assert_string_equal(read.model.server, "http://[::1]:8080/v1;x");
        assert_string_equal(read.error, sheet.error);
        assert_int_equal(read.own, 3);
    }
    DecisionSheet sheet = {0};
    assert_true(decision_sheet_read(STR("model decisions: 3 of 4 its own; its server's error: no"),
                                    &sheet)); /* of an earlier build */
    assert_string_equal(sheet.model.name, "");
    assert_string_equal(sheet.error, "no");
    assert_false(decision_sheet_read(STR("model decisions: 3 of 4 its own; server x"), &sheet));
}

static void the_last_line_that_is_a_sheet_counts(void **state)
{
    DecisionSheet sheet = {0};
    (void)state;

    assert_true(decision_sheet_find(STR("model decisions: 1 of 2 its own\nthe end\n"
                                        "model decisions: 3 of 4 its own\r\nbye\n"),
                                    &sheet));
    assert_int_equal(sheet.own, 3);
    assert_int_equal(sheet.decisions, 4);
    assert_string_equal(sheet.error, "");
}

static void other_texts_are_no_sheets(void **state)
{
    static const char *const texts[] = {
        "",
        "model decisions: ",
        "model decisions: 5 of 4 its own",
        "model decisions: -1 of 4 its own",
        "model decisions: 1 of 99999999999 its own",
        "model decisions: 1 of 4 its owner",
        " model decisions: 1 of 4 its own",
    };
    DecisionSheet sheet = {.own = 77};
    DecisionNote note;
    (void)state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_false(decision_sheet_read(str_of(texts[i]), &sheet));
    assert_int_equal(sheet.own, 77);
    assert_false(decision_note_read(STR("decisions in stage 0, set 1, of : model decisions: 1 of "
                                        "1 its own"),
                                    &note));
    assert_false(decision_note_read(STR("set 0, agent x: its process ended; its last lines:\n"
                                        "    decisions in stage 0, set 1, of y: model decisions: 1 "
                                        "of 1 its own"),
                                    &note));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_than_ninety_of_a_hundred_are_not_its_own),
        cmocka_unit_test(the_share_that_is_wanted_may_be_another),
        cmocka_unit_test(a_note_is_read_as_it_was_written),
        cmocka_unit_test(the_model_and_its_server_are_read_as_they_were_written),
        cmocka_unit_test(the_last_line_that_is_a_sheet_counts),
        cmocka_unit_test(other_texts_are_no_sheets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
