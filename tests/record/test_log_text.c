/* test_log_text.c - utterances as they stand in game logs, and read back.
 *
 * Source: docs/spec/nlp-division.md 8.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "record/log_game.h"
#include "record/log_text.h"
#include "record/nlp_log.h"

static void assert_written(Str said, const char *want)
{
    CLEANUP(buf_done) Buf written = {0};
    CLEANUP(buf_done) Buf read = {0};

    log_text_write(&written, said);
    assert_string_equal(buf_cstr(&written), want);
    assert_true(written.len <= 4 * said.len);
    log_text_read(&read, buf_str(&written));
    assert_int_equal(log_text_is_escaped(buf_str(&written)), read.len != written.len);
    if (memchr(said.bytes, '\n', said.len) || memchr(said.bytes, '\r', said.len))
        return;
    assert_int_equal(read.len, said.len);
    assert_memory_equal(buf_cstr(&read), said.bytes, said.len);
}

static void texts_without_control_characters_stay_as_they_are(void **state)
{
    (void)state;
    assert_written(STR("x"), "x");
    assert_written(STR("a,b \"c\" 'd' \\n \\ \\x \\x4 \\x41 \\xZZ \\x1b"),
                   "a,b \"c\" 'd' \\n \\ \\x \\x4 \\x41 \\xZZ \\x1b");
    assert_written(STR("犬は\xC2\xA0\xE3\x80\x80狼 \xF0\x9F\x90\xBA"),
                   "犬は\xC2\xA0\xE3\x80\x80狼 \xF0\x9F\x90\xBA");
}

static void control_characters_are_escaped(void **state)
{
    (void)state;
    assert_written(STR("\x1B[2J\x07"), "\\x1B[2J\\x07");
    assert_written(STR("a\0b\tc\x7F"), "a\\x00b\tc\\x7F");
    assert_written(STR("\xC2\x9B"
                       "31m \xC2\x80\xC2\x9F"),
                   "\\x9B31m \\x80\\x9F");
    assert_written(STR("one\ntwo\r\nthree"), "one two  three");
}

static void what_looks_like_an_escape_is_read_back_as_it_was_said(void **state)
{
    (void)state;
    assert_written(STR("\\x1B"), "\\x5Cx1B");
    assert_written(STR("\\x5C"), "\\x5Cx5C");
    assert_written(STR("\\x5Cx1B"), "\\x5Cx5Cx1B");
    assert_written(STR("\\\\x9F\\"), "\\\\x5Cx9F\\");
    assert_written(STR("\\\x1B"), "\\\\x1B");
    assert_written(STR("\\x1\x1B"), "\\x1\\x1B");
}

/* Eight bytes are looked at together: each character at each place among plain ones. */
static void a_character_is_escaped_wherever_it_stands(void **state)
{
    (void)state;
    for (unsigned c = 1; c < 256; c++)
        for (size_t at = 0; at < 17; at++) {
            CLEANUP(buf_done) Buf written = {0};
            char text[18] = "abcdefgh ijklmno~", hex[5];

            text[at] = (char)c;
            log_text_write(&written, str_of(text));
            snprintf(hex, sizeof(hex), "\\x%02X", c);
            bool control = (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
            assert_int_equal(strstr(buf_cstr(&written), hex) == buf_cstr(&written) + at, control);
            assert_int_equal(written.len, control ? 20 : 17);
        }
}

static void any_text_is_read_back(void **state)
{
    static const char letters[] = "\\x15BCF\x1B\x7F a\xC2\x9B";
    Rng rng = rng_new(7);
    char text[24];

    (void)state;
    for (int i = 0; i < 100000; i++) {
        CLEANUP(buf_done) Buf written = {0};
        CLEANUP(buf_done) Buf read = {0};
        size_t len = rng_below(&rng, sizeof(text));

        for (size_t k = 0; k < len; k++)
            text[k] = letters[rng_below(&rng, sizeof(letters))]; /* with the NUL */
        log_text_write(&written, (Str){text, len});
        for (size_t k = 0; k < written.len; k++)
            assert_false((unsigned char)written.bytes[k] < 0x20 || written.bytes[k] == 0x7F);
        log_text_read(&read, buf_str(&written));
        assert_int_equal(read.len, len);
        if (len)
            assert_memory_equal(read.bytes, text, len);
    }
}

/* ---- through a log ---- */

static void add_status(Buf *log, unsigned day, const char *seat3)
{
    buf_printf(log, "%u,status,1,SEER,ALIVE,ann1,Ann\n%u,status,2,WEREWOLF,ALIVE,bo1,Bo\n", day,
               day);
    buf_printf(log, "%u,status,3,VILLAGER,%s,cho1,Cho\n", day, seat3);
}

static void what_was_said_stands_escaped_in_the_log_and_is_read_from_it(void **state)
{
    static const char said[] = "\x1B]0;title\x07 \\x1B, done";
    const NlpSeat seats[] = {{0}, {.original = STR("ann1"), .name = STR("Ann")}};
    Talk talk = {.seat = 1, .text = {said, sizeof(said) - 1}, .time = 5};
    const Event event = {.kind = EVENT_TALK, .talk = &talk};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(log_game_done) LogGame game = {0};
    NlpLogWriter writer;

    (void)state;
    add_status(&log, 0, "ALIVE");
    nlp_log_begin(&writer, STR("id"), seats, 1, 1778646866000);
    nlp_log_event(&writer, &event, &log);
    nlp_log_done(&writer);
    assert_non_null(
        strstr(buf_cstr(&log), "0,talk,0,0,1,\\x1B]0;title\\x07 \\x5Cx1B, done,1778646866\n"));
    assert_int_equal(log_game_read(buf_str(&log), &game, NULL), 0);
    assert_int_equal(game.lines[3].kind, LOG_TALK);
    assert_true(str_eq(game.lines[3].text, str_of(said)));
    assert_true(game.lines[3].unix_s == 1778646866);
}

/* The writer of the protocol division too: some of its rulesets let agents say what they like. */
static void what_an_agent_says_over_tcp_stands_escaped_too(void **state)
{
    static const char said[] = "\x1B[31mred\x07 \xC2\x9B \\x1B\ttab\nend";
    Talk talk = {.idx = 4, .turn = 2, .seat = 3, .text = {said, sizeof(said) - 1}};
    const Event events[] = {{.kind = EVENT_TALK, .day = 1, .talk = &talk},
                            {.kind = EVENT_WHISPER, .day = 1, .talk = &talk}};
    CLEANUP(buf_done) Buf log = {0};
    AiwolfLogWriter writer;

    (void)state;
    aiwolf_log_begin(&writer, 5, NULL);
    for (size_t i = 0; i < 2; i++)
        aiwolf_log_event(&writer, &events[i], &log);
    assert_string_equal(buf_cstr(&log),
                        "1,talk,4,2,3,\\x1B[31mred\\x07 \\x9B \\x5Cx1B\ttab end\n"
                        "1,whisper,4,2,3,\\x1B[31mred\\x07 \\x9B \\x5Cx1B\ttab end\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_without_control_characters_stay_as_they_are),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(what_looks_like_an_escape_is_read_back_as_it_was_said),
        cmocka_unit_test(a_character_is_escaped_wherever_it_stands),
        cmocka_unit_test(any_text_is_read_back),
        cmocka_unit_test(what_was_said_stands_escaped_in_the_log_and_is_read_from_it),
        cmocka_unit_test(what_an_agent_says_over_tcp_stands_escaped_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
