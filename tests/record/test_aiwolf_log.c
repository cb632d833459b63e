#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/lang.h"
#include "record/aiwolf_log.h"
#include "record/log_game.h"
#include "record/logs.h"

#define assert_text(buf, text) assert_string_equal(buf_cstr(buf), text)

/* ---- the writer ---- */

static void deal(AiwolfLogWriter *writer, Buf *out)
{
    static const Role roles[] = {ROLE_NONE, ROLE_WEREWOLF, ROLE_SEER, ROLE_BODYGUARD};
    static const Str names[] = {{0}, {"ann", 3}, {"bob, jr", 7}, {0}};

    aiwolf_log_begin(writer, 3, names);
    for (SeatNo seat = 1; seat <= 3; seat++)
        aiwolf_log_event(writer, &(Event){.kind = EVENT_ROLE, .seat = seat, .role = roles[seat]},
                         out);
}

static void a_day_begins_with_the_status_of_every_seat(void **state)
{
    AiwolfLogWriter writer;
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    deal(&writer, &out);
    aiwolf_log_event(&writer, &(Event){.kind = EVENT_DAY, .day = 1}, &out);
    assert_text(&out, "1,status,1,WEREWOLF,ALIVE,ann\n"
                      "1,status,2,SEER,ALIVE,bob, jr\n"
                      "1,status,3,BODYGUARD,ALIVE,Agent[03]\n");
}

static void every_kind_of_event_has_its_line(void **state)
{
    AiwolfLogWriter writer;
    CLEANUP(buf_done) Buf out = {0};
    Talk talk = {.text = STR("VOTE Agent[02], or"), .idx = 7, .turn = 2, .day = 1, .seat = 3};
    const Event events[] = {
        {.kind = EVENT_TALK, .day = 1, .talk = &talk},
        {.kind = EVENT_WHISPER, .day = 1, .talk = &talk},
        {.kind = EVENT_VOTE, .day = 1, .seat = 1, .target = 3},
        {.kind = EVENT_DIVINE, .day = 1, .seat = 2, .target = 1, .species = SPECIES_WEREWOLF},
        {.kind = EVENT_GUARD, .day = 1, .seat = 3, .target = 2},
        {.kind = EVENT_ATTACK_VOTE, .day = 1, .seat = 1, .target = 2},
        {.kind = EVENT_ATTACK, .day = 1, .target = 2, .killed = false},
        {.kind = EVENT_ATTACK, .day = 1, .target = 2, .killed = true},
        {.kind = EVENT_ATTACK, .day = 1, .target = SEAT_NONE},
        {.kind = EVENT_EXECUTE, .day = 1, .seat = SEAT_NONE},
        {.kind = EVENT_NIGHT, .day = 1},
    };
    (void)state;

    deal(&writer, &out);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        aiwolf_log_event(&writer, &events[i], &out);
    assert_text(&out, "1,talk,7,2,3,VOTE Agent[02], or\n"
                      "1,whisper,7,2,3,VOTE Agent[02], or\n"
                      "1,vote,1,3\n"
                      "1,divine,2,1,WEREWOLF\n"
                      "1,guard,3,2,SEER\n"
                      "1,attackVote,1,2\n"
                      "1,attack,2,false\n"
                      "1,attack,2,true\n"
                      "1,attack,-1,false\n");
}

static void the_end_lists_the_dead_of_the_last_night(void **state)
{
    AiwolfLogWriter writer;
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    deal(&writer, &out);
    aiwolf_log_event(&writer, &(Event){.kind = EVENT_EXECUTE, .day = 1, .seat = 3}, &out);
    aiwolf_log_event(&writer, &(Event){.kind = EVENT_DEATH, .day = 1, .seat = 2}, &out);
    aiwolf_log_event(
        &writer, &(Event){.kind = EVENT_END, .day = 2, .wolves = 1, .winner = SIDE_WEREWOLF}, &out);
    assert_text(&out, "1,execute,3,BODYGUARD\n"
                      "2,status,1,WEREWOLF,ALIVE,ann\n"
                      "2,status,2,SEER,DEAD,bob, jr\n"
                      "2,status,3,BODYGUARD,DEAD,Agent[03]\n"
                      "2,result,0,1,WEREWOLF\n");
}

static void a_line_end_inside_an_utterance_is_written_as_a_blank(void **state)
{
    AiwolfLogWriter writer;
    CLEANUP(buf_done) Buf out = {0};
    Talk talk = {.text = STR("a\nb\r\nc"), .seat = 1};
    (void)state;

    aiwolf_log_begin(&writer, 3, NULL);
    aiwolf_log_event(&writer, &(Event){.kind = EVENT_TALK, .talk = &talk}, &out);
    assert_text(&out, "0,talk,0,0,1,a b  c\n");
}

/* A random agent of the simplest kind: it says VOTE somebody, and names anybody. */
static void answer_somehow(Game *game, const Ask *ask, Rng *rng)
{
    char text[32];
    uint32_t seat = 1 + rng_below(rng, game_seat_count(game));

    snprintf(text, sizeof(text), "VOTE Agent[%02u]", (unsigned)seat);
    Answer answer = {
        .kind = ask->kind, .target = (SeatNo)seat, .text = str_of(text), .in_language = true};
    if (rng_below(rng, 3) == 0)
        answer.text = rng_below(rng, 2) ? STR("Skip") : STR("Over");
    assert_int_equal(game_answer(game, ask->seat, &answer, NULL), 0);
}

static void play(uint64_t seed, int32_t players, Buf *out)
{
    CLEANUP(game_freep) Game *game = NULL;
    AiwolfLogWriter writer;
    Ruleset rules;
    Event event;
    Ask ask;
    Rng rng = rng_new(seed);

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, players, &game, NULL), 0);
    assert_int_equal(game_start(game, NULL, chance_from_seed(seed), NULL), 0);
    aiwolf_log_begin(&writer, (SeatNo)players, NULL);
    while (true) {
        while (game_next_event(game, &event))
            aiwolf_log_event(&writer, &event, out);
        if (game_over(game))
            break;
        assert_true(game_first_ask(game, &ask));
        answer_somehow(game, &ask, &rng);
    }
}

static void every_line_that_is_written_can_be_read(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    for (uint64_t seed = 0; seed < 20; seed++) {
        CLEANUP(log_game_done) LogGame log = {0};
        Err err = {0};
        buf_clear(&out);
        play(seed, seed % 2 ? 15 : 5, &out);
        assert_int_equal(log_game_read(buf_str(&out), &log, &err), 0);
        assert_int_equal(log.broken.code, 0);
        assert_int_equal(log.lines[log.count - 1].kind, LOG_RESULT);
        assert_int_equal(log.seat_count, seed % 2 ? 15 : 5);
    }
}

/* ---- the reader ---- */

static LogLine read_ok(const char *text)
{
    LogLine line = {0};
    Err err = {0};

    if (aiwolf_log_read_line(str_of(text), &line, &err))
        fail_msg("%s: column %u: %s", text, err.column, err.msg);
    return line;
}

static void assert_refused(const char *text, unsigned column, const char *message)
{
    LogLine line = {.idx = 77};
    Err err = {0};

    assert_int_equal(aiwolf_log_read_line(str_of(text), &line, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, message);
    assert_int_equal(err.column, column);
    assert_int_equal(line.idx, 77); /* untouched */
}

static void the_text_of_an_utterance_is_the_rest_of_its_line(void **state)
{
    (void)state;
    LogLine line = read_ok("3,talk,12,4,9,a, b,,c\r\n");

    assert_int_equal(line.kind, LOG_TALK);
    assert_int_equal(line.day, 3);
    assert_int_equal(line.idx, 12);
    assert_int_equal(line.turn, 4);
    assert_int_equal(line.seat, 9);
    assert_false(line.turnless);
    assert_true(str_eq(line.text, STR("a, b,,c")));
    assert_true(str_eq(read_ok("0,status,1,SEER,ALIVE,x,y").text, STR("x,y")));
    assert_int_equal(read_ok("1,talk,0,0,1,").text.len, 0);
}

static void utterances_without_a_turn_are_told_apart(void **state)
{
    (void)state;
    LogLine line = read_ok("0,whisper,30,12,COMINGOUT Agent[12] WEREWOLF");

    assert_true(line.turnless);
    assert_int_equal(line.idx, 30);
    assert_int_equal(line.seat, 12);
    assert_true(str_eq(line.text, STR("COMINGOUT Agent[12] WEREWOLF")));
}

static void an_attack_on_nobody_is_minus_one(void **state)
{
    (void)state;
    LogLine line = read_ok("2,attack,-1,false");

    assert_int_equal(line.target, SEAT_NONE);
    assert_false(line.killed);
    assert_true(read_ok("2,attack,11,true").killed);
}

static void what_is_wrong_with_a_line_is_said_with_its_column(void **state)
{
    (void)state;
    assert_refused("", 1, "the line is empty");
    assert_refused("x,talk,0,0,1,Skip", 1, "the number of the day expected, found 'x'");
    assert_refused("1", 2, "the line ends where the kind of line is expected");
    assert_refused("1,sing,1", 3,
                   "the kind of line (status, talk, vote, ...) expected, found 'sing'");
    assert_refused("1,vote,0,3", 8, "an agent number 1..30 expected, found '0'");
    assert_refused("1,vote,01,3", 8, "an agent number 1..30 expected, found '01'");
    assert_refused("1,vote,3", 9,
                   "the line ends where the number of the target, 1..30 is expected");
    assert_refused("1,vote,3,4,5", 12, "the end of the line expected, found '5'");
    assert_refused("1,divine,3,4,CAT", 14, "HUMAN or WEREWOLF expected, found 'CAT'");
    assert_refused("1,status,3,CAT,ALIVE,x", 12, "a role in capitals expected, found 'CAT'");
    assert_refused("1,status,3,SEER,ALIVE", 22, "the line ends where a name is expected");
    assert_refused("1,talk,0,99,Skip", 13, "an agent number 1..30 expected, found 'Skip'");
    assert_refused("9,result,1,2,CATS", 14, "VILLAGER, WEREWOLF or OTHERS expected, found 'CATS'");
    assert_refused("1,attack,3,maybe", 12, "true or false expected, found 'maybe'");
}

static void a_line_that_is_too_long_is_refused(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    LogLine line;
    Err err = {0};
    (void)state;

    buf_add(&text, STR("1,talk,0,0,1,"));
    while (text.len < LOG_LINE_BYTES_MAX)
        buf_add_char(&text, 'x');
    assert_int_equal(aiwolf_log_read_line(buf_str(&text), &line, &err), 0);
    buf_add_char(&text, 'x');
    assert_int_equal(aiwolf_log_read_line(buf_str(&text), &line, &err), ERR_LIMIT);
}

static void every_line_of_every_real_log_is_read(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};
    size_t lines = 0;
    (void)state;

    assert_int_equal(logs_list(&list, "aiwolf-logs", NULL), 0);
    assert_int_equal(list.count, 20 + 65 + 14);
    for (size_t i = 0; i < list.count; i++) {
        CLEANUP(log_game_done) LogGame log = {0};
        Err err = {0};
        buf_clear(&text);
        assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &text, &err), 0);
        assert_int_equal(log_game_read(buf_str(&text), &log, &err), 0);
        assert_int_equal(log.broken.code, 0);
        assert_int_equal(log.turnless, strstr(list.paths[i], "gat2016") != NULL);
        lines += log.count;
    }
    print_message("%zu logs, %zu lines\n", list.count, lines);
}

static void a_log_ends_where_a_line_can_not_be_read(void **state)
{
    CLEANUP(log_game_done) LogGame log = {0};
    Str text = STR("0,status,1,SEER,ALIVE,a\n0,status,2,WEREWOLF,ALIVE,b\n"
                   "0,status,3,VILLAGER,ALIVE,c\n0,divine,1,2,\n0,result\n");
    Err err = {0};
    (void)state;

    assert_int_equal(log_game_read(text, &log, &err), 0);
    assert_int_equal(log.count, 3);
    assert_int_equal(log.broken.line, 4);
    assert_int_equal(log.broken.column, 14);
}

static void a_log_without_three_players_is_refused(void **state)
{
    CLEANUP(log_game_done) LogGame log = {0};
    Err err = {0};
    (void)state;

    assert_int_equal(
        log_game_read(STR("0,status,1,SEER,ALIVE,a\n0,divine,1,2,HUMAN\n"), &log, &err),
        ERR_SYNTAX);
    assert_int_equal(err.line, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_day_begins_with_the_status_of_every_seat),
        cmocka_unit_test(every_kind_of_event_has_its_line),
        cmocka_unit_test(the_end_lists_the_dead_of_the_last_night),
        cmocka_unit_test(a_line_end_inside_an_utterance_is_written_as_a_blank),
        cmocka_unit_test(every_line_that_is_written_can_be_read),
        cmocka_unit_test(the_text_of_an_utterance_is_the_rest_of_its_line),
        cmocka_unit_test(utterances_without_a_turn_are_told_apart),
        cmocka_unit_test(an_attack_on_nobody_is_minus_one),
        cmocka_unit_test(what_is_wrong_with_a_line_is_said_with_its_column),
        cmocka_unit_test(a_line_that_is_too_long_is_refused),
        cmocka_unit_test(every_line_of_every_real_log_is_read),
        cmocka_unit_test(a_log_ends_where_a_line_can_not_be_read),
        cmocka_unit_test(a_log_without_three_players_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
