#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop.h"

#include "base/utf8.h"
#include "journal/finding_line.h"
#include "record/finding_text.h"
#include "record/game_record.h"

/* What a line has to say. */
typedef struct Expected {
    FindingNote note;
    int64_t at_ms;
    uint64_t total;
    Str text; /* as it is kept */
    unsigned heard;
    bool differs;
} Expected;

static int hear_line(void *user, const FindingLine *line, Err *err)
{
    Expected *expected = user;
    const FindingNote *note = &line->note, *want = &expected->note;

    (void)err;
    expected->heard++;
    expected->differs |= line->number != 7 || line->at_ms != expected->at_ms ||
                         line->total != expected->total || note->stage != want->stage ||
                         note->set != want->set || !str_eq(note->agent, want->agent) ||
                         note->finding.rule != want->finding.rule;
    if (line->total == 0)
        expected->differs |=
            note->in_game != want->in_game || note->seat != want->seat ||
            note->finding.count != want->finding.count ||
            !str_eq(note->finding.text, expected->text) ||
            (want->in_game && (note->game != want->game || note->day != want->day));
    return 0;
}

static bool line_comes_back(Rng *rng, unsigned size)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf kept = {0};
    char text[400];
    size_t len = rng_below(rng, size + 1);
    Err err = {0};

    for (size_t i = 0; i < len; i++)
        text[i] = (char)rng_below(rng, 256);
    finding_add_text((Str){text, len}, &kept);
    Expected expected = {.at_ms = (int64_t)(rng_next(rng) % 253402300800000u),
                         .text = buf_str(&kept),
                         .note = {.finding = {(FindingRule)rng_below(rng, FINDING_RULES),
                                              {text, len},
                                              1 + rng_below(rng, 3)},
                                  .agent = STR("a \"b\" \xE4\xBA\xBA"),
                                  .stage = rng_below(rng, 176),
                                  .set = rng_next(rng) >> 1,
                                  .game = rng_next(rng) >> 1,
                                  .seat = (SeatNo)(1 + rng_below(rng, SEAT_MAX)),
                                  .day = (uint16_t)rng_below(rng, 65536),
                                  .in_game = rng_below(rng, 2)}};
    if (rng_below(rng, 4) == 0) {
        expected.total = 1 + rng_below(rng, 100000);
        const FindingTotal total = {expected.note.finding.rule, expected.note.agent,
                                    expected.total};
        finding_line_write_total(expected.at_ms, expected.note.stage, expected.note.set, &total,
                                 &line);
    } else {
        finding_line_write(expected.at_ms, &expected.note, &line);
    }
    const Str whole = str_part(buf_str(&line), 0, line.len - 1);
    int rc = finding_line_hear(whole, 7, hear_line, &expected, &err);
    if (rc)
        print_message("%s: %s\n", err.msg, buf_cstr(&line));
    return rc == 0 && expected.heard == 1 && !expected.differs && kept.len <= FINDING_TEXT_MAX &&
           utf8_valid(buf_str(&kept)) && memchr(whole.bytes, '\n', whole.len) == NULL;
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    prop_check(line_comes_back, 400, 400);
}

static void a_text_is_cut_at_a_whole_character(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf kept = {0};
    (void)state;

    for (int i = 0; i < 199; i++)
        buf_add_char(&text, 'x');
    buf_add(&text, STR("\xE4\xBA\xBA"));
    finding_add_text(buf_str(&text), &kept);
    assert_int_equal(kept.len, 199);
    buf_clear(&kept);
    finding_add_text(STR("a\x1b[2J\nb\xff"), &kept);
    assert_string_equal(buf_cstr(&kept), "a\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                                         "b\xEF\xBF\xBD");
}

static void people_are_told_what_was_done(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    finding_print(STR("bob"), &(Finding){FINDING_NETWORK, STR("connect 8.8.8.8:53"), 1}, &out);
    assert_string_equal(buf_cstr(&out),
                        "agent bob tried what is forbidden: connect 8.8.8.8:53 (network)");
    buf_clear(&out);
    finding_print(STR("bob"), &(Finding){FINDING_MEMORY, STR(""), 1}, &out);
    assert_string_equal(buf_cstr(&out), "agent bob went over a limit (memory)");
}

static void lines_that_are_no_finding_are_refused_with_their_line(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":1,\"agent\":\"a\",\"seat\":1,"
        "\"rule\":\"netwrok\",\"text\":\"\"}",
        "{\"at\":\"2026-08-01\",\"stage\":0,\"set\":1,\"agent\":\"a\",\"seat\":1,"
        "\"rule\":\"network\",\"text\":\"\"}",
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":1,\"agent\":\"a\",\"seat\":0,"
        "\"rule\":\"network\",\"text\":\"\"}",
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":1,\"game\":3,\"agent\":\"a\","
        "\"seat\":1,\"rule\":\"network\",\"text\":\"\"}",
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":1,\"agent\":\"a\",\"seat\":1,"
        "\"rule\":\"network\",\"text\":\"\",\"more\":1}",
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":1,\"agent\":\"\",\"seat\":1,"
        "\"rule\":\"network\",\"text\":\"\"}",
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":-1,\"agent\":\"a\",\"seat\":1,"
        "\"rule\":\"network\",\"text\":\"\"}",
    };
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Expected expected = {0};
        Err err = {0};
        assert_int_equal(finding_line_hear(str_of(bad[i]), 9, hear_line, &expected, &err),
                         ERR_SYNTAX);
        assert_int_equal(err.line, 9);
        assert_int_equal(expected.heard, 0);
    }
}

static void a_folder_without_the_file_has_none(void **state)
{
    (void)state;
    assert_int_equal(finding_lines_read("/no/such/folder", hear_line, NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_text_is_cut_at_a_whole_character),
        cmocka_unit_test(people_are_told_what_was_done),
        cmocka_unit_test(lines_that_are_no_finding_are_refused_with_their_line),
        cmocka_unit_test(a_folder_without_the_file_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
