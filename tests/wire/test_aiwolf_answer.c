#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/aiwolf_answer.h"

/* ---- targets ---- */

static void assert_target(const char *line, SeatNo expected, bool well_formed)
{
    CLEANUP(buf_done) Buf storage = {0};
    Answer answer;

    for (AskKind kind = ASK_VOTE; kind <= ASK_ATTACK; kind++) {
        assert_int_equal(aiwolf_answer_read(kind, str_of(line), &storage, &answer), well_formed);
        assert_int_equal(answer.target, expected);
        assert_int_equal(answer.kind, kind);
        assert_false(answer.lapse);
    }
}

static void a_target_is_the_number_of_the_first_agent_object(void **state)
{
    (void)state;
    assert_target("{\"agentIdx\":3}", 3, true);
    assert_target("{\"agentIdx\":003}", 3, true);
    assert_target("{\"agentIdx\":3}\r", 3, true);
    assert_target("xx{\"agentIdx\":3}yy", 3, true);
    assert_target("{{\"agentIdx\":3}{\"agentIdx\":4}", 3, true);
    assert_target("{\"agentIdx\":\"3\"}{\"agentIdx\":4}", 4, true);
    assert_target("{\"agentIdx\":30}", 30, true);
}

static void white_space_inside_the_object_is_allowed(void **state)
{
    (void)state;
    assert_target("{\"agentIdx\": 3}", 3, true);
    assert_target("{ \"agentIdx\"\t:  3 }", 3, true);
}

static void a_number_of_no_seat_is_nobody(void **state)
{
    (void)state;
    assert_target("{\"agentIdx\":0}", 0, true);
    assert_target("{\"agentIdx\":31}", 0, true);
    assert_target("{\"agentIdx\":255}", 0, true);
    assert_target("{\"agentIdx\":259}", 0, true);
    assert_target("{\"agentIdx\":2147483647}", 0, true);
    assert_target("{\"agentIdx\":99999999999}", 0, true);
    assert_target("{\"agentIdx\":99999999999999999999999999999999999999999999999999}", 0, true);
}

static void an_empty_line_is_nobody(void **state)
{
    (void)state;
    assert_target("", 0, true);
    assert_target("\r", 0, true);
}

static void a_line_without_the_object_is_nobody_and_malformed(void **state)
{
    static const char *const lines[] = {
        "3",
        "Agent[03]",
        "none",
        " ",
        "{\"agentIdx\":-3}",
        "{\"agentIdx\":\"3\"}",
        "{\"agentIdx\":}",
        "{\"agentIdx\":3",
        "{\"agentIdx\":3,\"x\":1}",
        "{\"agentIdx\":3.0}",
        "{\"agentidx\":3}",
        "{\"agentIdx\" 3}",
        "{'agentIdx':3}",
        "\"agentIdx\":3}",
        "{",
        "{\"agentIdx\":3\r}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        assert_target(lines[i], 0, false);
}

/* ---- talk ---- */

static void assert_text(Str line, Str expected)
{
    CLEANUP(buf_done) Buf storage = {0};
    Answer answer;

    buf_add(&storage, STR("of the last line"));
    for (AskKind kind = ASK_TALK; kind <= ASK_WHISPER; kind++) {
        assert_true(aiwolf_answer_read(kind, line, &storage, &answer));
        assert_int_equal(answer.text.len, expected.len);
        assert_memory_equal(answer.text.bytes, expected.bytes, expected.len);
    }
}

static void a_text_stays_as_it_came(void **state)
{
    (void)state;
    assert_text(STR("VOTE Agent[01]"), STR("VOTE Agent[01]"));
    assert_text(STR(" Over "), STR(" Over "));
    assert_text(STR("a\0b"), STR("a\0b"));
    assert_text(STR("こんにちは"), STR("こんにちは"));
}

static void bytes_that_are_not_utf8_become_replacement_characters(void **state)
{
    (void)state;
    assert_text(STR("a\xFFz"), STR("a\xEF\xBF\xBDz"));
    assert_text(STR("\xE3\x81"), STR("\xEF\xBF\xBD"));
}

static void a_carriage_return_ends_a_line(void **state)
{
    (void)state;
    assert_text(STR("Over\r"), STR("Over"));
    assert_text(STR("Over\rSkip"), STR("Over"));
    assert_text(STR("\r"), STR(""));
}

/* ---- role ---- */

static void a_wish_is_a_role_in_capitals(void **state)
{
    static const char *const no_wishes[] = {"none", "NONE", "ANY", "seer", "", "SEER ", "SEERS"};
    CLEANUP(buf_done) Buf storage = {0};
    Answer answer;

    (void)state;
    for (Role role = ROLE_BODYGUARD; role < ROLE_COUNT; role++) {
        assert_true(aiwolf_answer_read(ASK_ROLE, str_of(role_name(role)), &storage, &answer));
        assert_int_equal(answer.wish, role);
    }
    assert_true(aiwolf_answer_read(ASK_ROLE, STR("SEER\r"), &storage, &answer));
    assert_int_equal(answer.wish, ROLE_SEER);
    for (size_t i = 0; i < sizeof(no_wishes) / sizeof(no_wishes[0]); i++) {
        assert_true(aiwolf_answer_read(ASK_ROLE, str_of(no_wishes[i]), &storage, &answer));
        assert_int_equal(answer.wish, ROLE_NONE);
    }
}

/* ---- writing ---- */

static void assert_written(Answer answer, const char *expected)
{
    CLEANUP(buf_done) Buf out = {0};

    aiwolf_answer_write(&answer, &out);
    assert_string_equal(buf_cstr(&out), expected);
}

static void an_answer_is_written_as_one_line(void **state)
{
    (void)state;
    assert_written((Answer){.kind = ASK_TALK, .text = STR("VOTE Agent[01]")}, "VOTE Agent[01]\n");
    assert_written((Answer){.kind = ASK_TALK, .text = STR("a\nb\r\nc\n")}, "a b  c \n");
    assert_written((Answer){.kind = ASK_WHISPER}, "Skip\n");
    assert_written((Answer){.kind = ASK_TALK, .lapse = true, .text = STR("x")}, "Skip\n");
    assert_written((Answer){.kind = ASK_VOTE, .target = 12}, "{\"agentIdx\":12}\n");
    assert_written((Answer){.kind = ASK_ATTACK, .lapse = true, .target = 3}, "{\"agentIdx\":0}\n");
    assert_written((Answer){.kind = ASK_ROLE, .wish = ROLE_WEREWOLF}, "WEREWOLF\n");
    assert_written((Answer){.kind = ASK_ROLE}, "none\n");
    assert_written((Answer){.kind = ASK_ROLE, .lapse = true, .wish = ROLE_SEER}, "none\n");
}

static void what_is_written_is_read_again(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf storage = {0};
    Answer answer;

    (void)state;
    for (SeatNo seat = 0; seat <= SEAT_MAX; seat++) {
        buf_clear(&out);
        aiwolf_answer_write(&(Answer){.kind = ASK_GUARD, .target = seat}, &out);
        assert_true(aiwolf_answer_read(ASK_GUARD, str_trim(buf_str(&out)), &storage, &answer));
        assert_int_equal(answer.target, seat);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_is_the_number_of_the_first_agent_object),
        cmocka_unit_test(white_space_inside_the_object_is_allowed),
        cmocka_unit_test(a_number_of_no_seat_is_nobody),
        cmocka_unit_test(an_empty_line_is_nobody),
        cmocka_unit_test(a_line_without_the_object_is_nobody_and_malformed),
        cmocka_unit_test(a_text_stays_as_it_came),
        cmocka_unit_test(bytes_that_are_not_utf8_become_replacement_characters),
        cmocka_unit_test(a_carriage_return_ends_a_line),
        cmocka_unit_test(a_wish_is_a_role_in_capitals),
        cmocka_unit_test(an_answer_is_written_as_one_line),
        cmocka_unit_test(what_is_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
