/* test_exchange_replay.c - games are played again from their exchange records: a thousand by all
 * rulesets, and records and logs in which something was changed. tests/match/hall_sim.h does it
 * with what tables record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/aiwolf_log.h"
#include "record/exchange_replay.h"
#include "sanitized.h"

#include <stdio.h>

#define GAMES (SANITIZED ? 100 : 1000)

/* A game that was played, and all that is kept of it. */
typedef struct Played {
    Ruleset rules;
    GameKey key;
    ExchangeHeader header;
    ExchangeWriter writer;
    AiwolfLogWriter log_writer;
    Buf log;
    EndReason reason;
} Played;

static void played_done(Played *played)
{
    exchange_done(&played->writer);
    buf_done(&played->log);
}

/* ---- playing ---- */

static Str random_line(Rng *rng, AskKind kind, SeatNo seats, char room[static 64])
{
    static const char *const said[] = {"Over", "Skip",      "ESTIMATE Agent[02] SEER",
                                       "",     "odd \"x\"", "no \xff text"};

    if (kind == ASK_TALK || kind == ASK_WHISPER)
        return str_of(said[rng_below(rng, 6)]);
    if (kind == ASK_ROLE)
        return rng_below(rng, 2) ? STR("SEER") : STR("none");
    snprintf(room, 64, rng_below(rng, 20) ? "{\"agentIdx\":%u}" : "seat %u",
             rng_below(rng, seats + 2u));
    return str_of(room);
}

static void answer(Played *played, Game *game, Rng *rng, const Ask *ask, SeatSet *out)
{
    CLEANUP(buf_done) Buf storage = {0};
    char room[64];
    ExchangeEntry entry = {.kind = ask->kind, .text = random_line(rng, ask->kind, 5, room)};
    Answer given;

    if (rng_below(rng, 200) == 0 && !seat_in(*out, ask->seat)) {
        exchange_fault(&played->writer, ask->seat,
                       &(Fault){.kind = FAULT_EARLY, .bytes = STR("x")});
        *out |= seat_bit(ask->seat);
        entry.lapse = EXCHANGE_FAULT;
    } else if (seat_in(*out, ask->seat))
        entry.lapse = EXCHANGE_OUT;
    exchange_read_answer(&entry, &storage, &given);
    if (given.lapse)
        exchange_lapse(&played->writer, ask->seat);
    else
        exchange_answer(&played->writer, ask->seat, entry.text, rng_below(rng, 99999), 0);
    given.in_language =
        !given.lapse && (str_eq(given.text, STR("Over")) || str_eq(given.text, STR("Skip")) ||
                         str_starts(given.text, STR("ESTIMATE ")));
    assert_int_equal(game_answer(game, ask->seat, &given, NULL), 0);
}

static void drain(Played *played, Game *game)
{
    Event event;

    while (game_next_event(game, &event)) {
        played->reason = event.kind == EVENT_END ? event.reason : played->reason;
        aiwolf_log_event(&played->log_writer, &event, &played->log);
    }
}

/* `aborts`: at some ask the game is given up. */
static void play(Played *played, SeatNo seats, uint64_t seed, bool aborts)
{
    Rng rng = rng_new(seed);
    Game *game = NULL;
    GameSetup setup = {0};
    SeatSet out = 0;
    bool over = false;

    played->key = (GameKey){.key = key_of_seed(seed)};
    played->header = (ExchangeHeader){.game = seed, .seat_count = seats};
    snprintf(played->header.ruleset, RULESET_NAME_MAX, "%s", played->rules.name);
    assert_int_equal(exchange_rules_digest(&played->rules, played->header.rules, NULL), 0);
    for (SeatNo seat = 1; seat <= seats; seat++)
        played->header.names[seat] = STR("somebody");
    if (rng_below(&rng, 4) == 0)
        played->header.fixed[2] = setup.fixed[2] = ROLE_SEER;
    exchange_begin(&played->writer, &played->header);
    aiwolf_log_begin(&played->log_writer, seats, played->header.names);
    assert_int_equal(game_new(&played->rules, seats, &game, NULL), 0);
    assert_int_equal(game_start(game, &setup, game_key_chance(&played->key), NULL), 0);
    while (drain(played, game), !game_over(game)) {
        Ask asks[2 * SEAT_MAX];
        size_t count = game_asks(game, asks);
        for (size_t i = 0; i < count; i++)
            exchange_ask(&played->writer, &asks[i]);
        size_t first = rng_below(&rng, (uint32_t)count); /* whoever answers first */
        over = aborts && rng_below(&rng, 30) == 0;
        for (size_t i = 0; i < count - over; i++)
            answer(played, game, &rng, &asks[(first + i) % count], &out);
        if (over)
            game_abort(game);
    }
    exchange_end(&played->writer, played->reason);
    game_free(game);
}

static void play_small(Played *played)
{
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &played->rules, NULL), 0);
    play(played, 5, 7, false);
}

/* ---- again ---- */

static ExchangeFinding check(const Played *played, Str record, Str log)
{
    ExchangeFinding finding;
    Err err = {0};

    if (exchange_check(record, log, &played->rules, &played->key, &finding, &err))
        fail_msg("%s", err.msg);
    assert_true(finding.ok == (finding.line == 0));
    assert_true(finding.ok == (finding.reason[0] == '\0'));
    return finding;
}

static void key_and_record_give_the_log_by_every_ruleset(void **state)
{
    unsigned aborted = 0;

    (void)state;
    for (uint64_t number = 0; number < GAMES; number++) {
        CLEANUP(played_done) Played played = {0};
        CLEANUP(buf_done) Buf again = {0};
        ExchangeFinding finding;
        size_t preset = number % 6;
        assert_int_equal(ruleset_preset(str_of(ruleset_preset_name(preset)), &played.rules, NULL),
                         0);
        if (ruleset_is_timed(&played.rules))
            continue;
        play(&played, number % 5 ? 5 : 9, number, number % 3 == 0);
        aborted += played.reason == END_ABORTED;
        finding = check(&played, buf_str(&played.writer.out), buf_str(&played.log));
        if (!finding.ok)
            fail_msg("game %u, line %u: %s\n%s\n%s", (unsigned)number, finding.line, finding.reason,
                     buf_cstr(&played.writer.out), buf_cstr(&played.log));
        assert_int_equal(exchange_replay(buf_str(&played.writer.out), &played.rules, &played.key,
                                         NULL, &again, &finding, NULL),
                         0);
        assert_true(finding.ok && str_eq(buf_str(&again), buf_str(&played.log)));
    }
    assert_true(aborted > 20);
}

/* ---- changed ---- */

/* The text with its line `number` (from 1) in another form; "" leaves it out. */
static void change_line(Str text, unsigned number, Str line, Buf *out)
{
    buf_clear(out);
    for (unsigned at = 1; text.len; at++) {
        Str own = str_cut(&text, '\n');
        if (at != number) {
            buf_add(out, own);
            buf_add_char(out, '\n');
        } else
            buf_add(out, line);
    }
}

static unsigned count_lines(Str text)
{
    unsigned count = 0;

    for (; text.len; count++)
        str_cut(&text, '\n');
    return count;
}

static Str line_of(Str text, unsigned number)
{
    Str line = {0};

    for (unsigned i = 0; i < number; i++)
        line = str_cut(&text, '\n');
    return line;
}

static void an_ask_that_is_missing_doubled_or_of_another_seat_is_found(void **state)
{
    CLEANUP(played_done) Played played = {0};
    CLEANUP(buf_done) Buf bad = {0};

    (void)state;
    play_small(&played);
    const Str record = buf_str(&played.writer.out), log = buf_str(&played.log);
    const unsigned lines = count_lines(record);
    for (unsigned line = 1; line <= lines; line++) {
        CLEANUP(buf_done) Buf twice = {0};
        change_line(record, line, STR(""), &bad);
        ExchangeFinding finding = check(&played, buf_str(&bad), log);
        assert_true(finding.file == EXCHANGE_FILE_RECORD && finding.line >= 1);
        assert_true(finding.line == line || finding.line == lines || line == lines);
        buf_printf(&twice, "%.*s\n%.*s\n", STR_ARG(line_of(record, line)),
                   STR_ARG(line_of(record, line)));
        change_line(record, line, buf_str(&twice), &bad);
        finding = check(&played, buf_str(&bad), log);
        assert_int_equal(finding.file, EXCHANGE_FILE_RECORD);
        assert_int_equal(finding.line, line + 1);
    }
    assert_false(check(&played, STR(""), log).ok);
}

static void another_answer_is_found_in_the_log_or_where_the_game_goes_on(void **state)
{
    CLEANUP(played_done) Played played = {0};
    CLEANUP(buf_done) Buf bad = {0};
    unsigned changed = 0, in_log = 0;

    (void)state;
    play_small(&played);
    const Str record = buf_str(&played.writer.out), log = buf_str(&played.log);
    const unsigned lines = count_lines(record);
    for (unsigned line = 2; line < lines; line++) {
        Str own = line_of(record, line);
        CLEANUP(buf_done) Buf other = {0};
        size_t at;
        if (!str_find(own, STR("\"TALK\""), &at))
            continue;
        buf_printf(&other, "%.*s,\"t\":1.00,\"w\":0.0,\"r\":\"ESTIMATE Agent[05] WEREWOLF\"}\n",
                   (int)at + 6, own.bytes);
        change_line(record, line, buf_str(&other), &bad);
        ExchangeFinding finding = check(&played, buf_str(&bad), log);
        if (finding.ok) /* a spent seat is not heard */
            continue;
        changed++;
        in_log += finding.file == EXCHANGE_FILE_LOG;
        assert_true(finding.file == EXCHANGE_FILE_LOG || finding.line > line);
    }
    assert_true(changed > 5 && in_log == changed);
}

static void another_key_ruleset_or_end_is_found(void **state)
{
    CLEANUP(played_done) Played played = {0};
    CLEANUP(buf_done) Buf bad = {0};

    (void)state;
    play_small(&played);
    const Str record = buf_str(&played.writer.out), log = buf_str(&played.log);
    const unsigned lines = count_lines(record);
    assert_true(check(&played, record, log).ok);
    played.key.key.bytes[31] ^= 1;
    assert_false(check(&played, record, log).ok);
    played.key.key.bytes[31] ^= 1;
    played.rules.talk.max_turns++;
    ExchangeFinding finding = check(&played, record, log);
    assert_true(finding.file == EXCHANGE_FILE_RECORD && finding.line == 1);
    assert_string_equal(finding.reason, "its rules are others: their digest differs");
    played.rules.talk.max_turns--;
    buf_printf(&bad, "{\"end\":\"max_day\",\"asks\":%u}\n", lines - 2);
    CLEANUP(buf_done) Buf whole = {0};
    change_line(record, lines, buf_str(&bad), &whole);
    finding = check(&played, buf_str(&whole), log);
    assert_true(finding.file == EXCHANGE_FILE_RECORD && finding.line == lines);
    assert_string_equal(finding.reason,
                        "the record says that the game ended by 'max_day'; by key and answers it "
                        "is 'win'");
}

static void every_line_of_a_log_that_is_changed_missing_or_added_is_found(void **state)
{
    CLEANUP(played_done) Played played = {0};
    CLEANUP(buf_done) Buf bad = {0};

    (void)state;
    play_small(&played);
    const Str record = buf_str(&played.writer.out), log = buf_str(&played.log);
    const unsigned lines = count_lines(log);
    for (unsigned line = 1; line <= lines; line++) {
        change_line(log, line, STR("1,vote,9,9\n"), &bad);
        ExchangeFinding finding = check(&played, record, buf_str(&bad));
        assert_true(finding.file == EXCHANGE_FILE_LOG && finding.line == line);
        change_line(log, line, STR(""), &bad);
        finding = check(&played, record, buf_str(&bad));
        assert_true(finding.file == EXCHANGE_FILE_LOG && finding.line >= line);
    }
    buf_clear(&bad);
    buf_printf(&bad, "%.*sand more\n", STR_ARG(log));
    assert_int_equal(check(&played, record, buf_str(&bad)).line, lines + 1);
    assert_int_equal(check(&played, record, str_part(log, 0, log.len - 1)).line, lines);
}

static void a_reason_names_both_files_and_what_should_stand_there(void **state)
{
    CLEANUP(played_done) Played played = {0};
    CLEANUP(buf_done) Buf bad = {0};

    (void)state;
    play_small(&played);
    change_line(buf_str(&played.log), 2, STR("0,status,9,SEER\n"), &bad);
    ExchangeFinding finding = check(&played, buf_str(&played.writer.out), buf_str(&bad));
    CLEANUP(buf_done) Buf expected = {0};
    buf_printf(&expected,
               "'0,status,9,SEER', but by key and exchange record, read up to its line 2, it is "
               "'%.*s'",
               STR_ARG(line_of(buf_str(&played.log), 2)));
    assert_string_equal(finding.reason, buf_cstr(&expected));
}

static void rules_with_timed_rooms_have_no_record(void **state)
{
    CLEANUP(played_done) Played played = {0};
    ExchangeFinding finding;
    Err err = {0};

    (void)state;
    assert_int_equal(ruleset_preset(STR("maw"), &played.rules, NULL), 0);
    played.header.seat_count = 6;
    assert_int_equal(exchange_rules_digest(&played.rules, played.header.rules, NULL), 0);
    exchange_begin(&played.writer, &played.header);
    exchange_ask(&played.writer, &(Ask){.seat = 1, .kind = ASK_TALK});
    exchange_end(&played.writer, END_WIN);
    assert_int_equal(exchange_check(buf_str(&played.writer.out), STR(""), &played.rules,
                                    &played.key, &finding, &err),
                     0);
    assert_false(finding.ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_and_record_give_the_log_by_every_ruleset),
        cmocka_unit_test(an_ask_that_is_missing_doubled_or_of_another_seat_is_found),
        cmocka_unit_test(another_answer_is_found_in_the_log_or_where_the_game_goes_on),
        cmocka_unit_test(another_key_ruleset_or_end_is_found),
        cmocka_unit_test(every_line_of_a_log_that_is_changed_missing_or_added_is_found),
        cmocka_unit_test(a_reason_names_both_files_and_what_should_stand_there),
        cmocka_unit_test(rules_with_timed_rooms_have_no_record),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
