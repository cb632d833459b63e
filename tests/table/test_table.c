/* test_table.c - one game at a table of a division that writes requests as one letter: who is
 * asked, who is late, gone, back, and what that leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "table/table.h"

#include "base/mem.h"
#include "base/rng.h"
#include "game/game_key.h"

#include <string.h>

#define PLAYERS 5
#define SECOND  ((TimeUs)1000000)

typedef struct Room {
    Table table;
    Patience patience;
    Buf packet;
    TimeUs now;
    uint32_t told[4][PLAYERS + 1];
    uint32_t exchanges;
    uint32_t lapses; /* exchanges with an error */
    uint32_t faults;
    SeatSet left;
    SeatSet out;
    uint32_t strays;
    uint32_t judged;
    uint32_t sent;
} Room;

/* ---- a manner: any text is an answer ---- */

static void write_ask(void *self, const Ask *ask, const View *view, Buf *out)
{
    (void)self;
    (void)ask;
    (void)view;
    buf_add_char(out, 'A');
}

static void write_tell(void *self, int request, const View *view, Buf *out)
{
    (void)self;
    (void)request;
    (void)view;
    buf_add_char(out, 'T');
}

static void write_probe(void *self, Buf *out)
{
    (void)self;
    buf_add_char(out, 'P');
}

static const char *ask_name(AskKind kind)
{
    (void)kind;
    return "ASK";
}

static bool is_probe_answer(void *self, Str text)
{
    (void)self;
    return str_eq(text, STR("here"));
}

static Reading read_answer(void *self, AskKind kind, Str text, Answer *ret_answer)
{
    (void)self;
    *ret_answer = (Answer){.kind = kind, .text = text};
    if (kind != ASK_TALK && kind != ASK_WHISPER)
        ret_answer->lapse = true; /* the rules draw */
    return READ_ANSWER;
}

static const Manner manner = {.write_ask = write_ask,
                              .write_tell = write_tell,
                              .write_probe = write_probe,
                              .ask_name = ask_name,
                              .probe_name = "NAME",
                              .is_probe_answer = is_probe_answer,
                              .read_answer = read_answer,
                              .probes = true};

static void link_takes(void *peer, Str bytes)
{
    (void)bytes;
    ((Room *)peer)->sent++;
}

static void link_ends(void *peer)
{
    (void)peer;
}

static const LinkKind link_kind = {.send = link_takes, .close = link_ends};

/* ---- a division ---- */

static void on_event(void *user, const Event *event)
{
    (void)user;
    (void)event;
}

static void on_tell(void *user, SeatNo seat, Tell what)
{
    ((Room *)user)->told[what][seat]++;
}

static void on_exchange(void *user, const TableExchange *exchange)
{
    Room *room = user;

    room->exchanges++;
    room->lapses += exchange->error != NULL;
    assert_true(!exchange->error || exchange->answer->lapse);
}

static void on_judge(void *user, SeatNo seat, Answer *answer)
{
    (void)seat;
    (void)answer;
    ((Room *)user)->judged++;
}

static void on_fault(void *user, SeatNo seat, const Fault *fault)
{
    (void)seat;
    (void)fault;
    ((Room *)user)->faults++;
}

static void on_left(void *user, SeatNo seat, const char *why)
{
    assert_true(why[0] != '\0');
    ((Room *)user)->left |= seat_bit(seat);
}

static void on_out(void *user, SeatNo seat)
{
    ((Room *)user)->out |= seat_bit(seat);
}

static void on_stray(void *user, SeatNo seat, Str text)
{
    (void)seat;
    (void)text;
    ((Room *)user)->strays++;
}

static const TableDivision division = {.event = on_event,
                                       .tell = on_tell,
                                       .exchange = on_exchange,
                                       .judge = on_judge,
                                       .fault = on_fault,
                                       .left = on_left,
                                       .out = on_out,
                                       .stray = on_stray};

/* ---- a room ---- */

static Room *room_new(Fate fate, TimeUs back, uint64_t seed)
{
    Room *room = mem_new(sizeof(*room));
    Ruleset rules;
    const GameKey key = game_key_old(seed);

    assert_int_equal(ruleset_preset(STR("aiwolf-server"), &rules, NULL), 0);
    room->table = (Table){.division = &division, .user = room, .fate = fate};
    room->patience = (Patience){.answer = SECOND, .probe = SECOND, .back = back, .returns = 3};
    assert_int_equal(table_new(&room->table, &rules, PLAYERS, NULL), 0);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        room->table.places[seat].chair = (Chair){.manner = &manner,
                                                 .self = room,
                                                 .patience = &room->patience,
                                                 .request = &room->packet,
                                                 .scratch = &room->packet};
        chair_seat(&room->table.places[seat].chair, (Link){&link_kind, room});
    }
    assert_int_equal(table_begin(&room->table, NULL, game_key_chance(&key), NULL), 0);
    return room;
}

static void room_free(Room *room)
{
    table_done(&room->table);
    buf_done(&room->packet);
    mem_free(room);
}

/* All who are asked say this; true when the game is over. */
static bool all_answer(Room *room, Str text)
{
    bool over = table_run(&room->table);

    for (SeatNo seat = 1; seat <= PLAYERS && !over; seat++)
        if (room->table.places[seat].asked) {
            table_hear(&room->table, seat, text, room->table.now);
            table_check(&room->table);
            over = table_run(&room->table);
        }
    return over;
}

/* The limit of who is asked passes, and that of the question whether it is there. */
static void nobody_answers(Room *room, TimeUs time)
{
    room->table.now += time;
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        table_due(&room->table, seat, "no reply");
    table_check(&room->table);
}

static void play_out(Room *room)
{
    for (int round = 0; round < 10000; round++) {
        if (all_answer(room, STR("Over")))
            return;
        if (!table_has_open_asks(&room->table)) /* it waits for who is away */
            nobody_answers(room, table_deadline(&room->table) - room->table.now);
    }
    fail();
}

static const Fate plays_on = {.aborts_at = FATE_NEVER, .ends_at = FATE_NEVER, .substitutes = true};
static const Fate goes_away = {.aborts_at = FATE_NEVER, .ends_at = FATE_NEVER};

/* ---- tests ---- */

static void each_seat_is_told_that_the_game_begins_and_ends_once(void **state)
{
    Room *room = room_new(goes_away, 0, 1);

    (void)state;
    play_out(room);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        assert_int_equal(room->told[TELL_GAME][seat], 1);
        assert_int_equal(room->told[TELL_END][seat], 1);
        assert_true(room->told[TELL_DAY][seat] >= 2);
    }
    assert_true(table_run(&room->table));
    assert_int_equal(room->told[TELL_END][1], 1);
    assert_int_equal(room->lapses, 0);
    assert_int_equal(room->exchanges, room->judged);
    room_free(room);
}

static void the_record_of_a_game_has_its_result_and_what_each_participant_did(void **state)
{
    Room *room = room_new(goes_away, 0, 2);
    GameRecord *record = mem_new(sizeof(*record));

    (void)state;
    record->result.names[3] = STR("Carol");
    play_out(room);
    table_record(&room->table, record);
    assert_int_equal(record->reason, END_WIN);
    assert_int_equal(record->result.winner, game_winner(room->table.game));
    assert_int_equal(record->result.seat_count, PLAYERS);
    assert_string_equal(record->result.names[3].bytes, "Carol");
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        assert_true(record->seats[seat].outside);
        assert_false(record->seats[seat].failed);
        assert_int_equal(record->result.roles[seat], game_role(room->table.game, seat));
    }
    mem_free(record);
    room_free(room);
}

static void who_is_gone_is_played_on_by_lapses_where_the_fate_says_so(void **state)
{
    Room *room = room_new(plays_on, 0, 3);

    (void)state;
    table_run(&room->table);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        table_lose(&room->table, seat, "the connection was lost");
    table_check(&room->table);
    assert_true(table_run(&room->table));
    assert_int_equal(room->faults, PLAYERS);
    assert_int_equal(room->out, room->left);
    assert_false(room->table.aborted);
    assert_int_equal(room->table.reason, END_WIN);
    room_free(room);
}

static void a_game_without_substitutes_is_over_when_nobody_will_come_back(void **state)
{
    Room *room = room_new(goes_away, 0, 4);

    (void)state;
    table_run(&room->table);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        table_lose(&room->table, seat, "the connection was lost");
    assert_true(table_run(&room->table));
    assert_true(room->table.aborted);
    room_free(room);
}

static void a_game_waits_while_all_are_away_and_goes_on_with_who_is_back(void **state)
{
    Room *room = room_new(goes_away, 60 * SECOND, 5);

    (void)state;
    table_run(&room->table);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        table_lose(&room->table, seat, "the connection was lost");
    assert_false(table_run(&room->table));
    assert_true(table_waits(&room->table));
    assert_int_equal(room->out, 0);
    assert_int_equal(table_deadline(&room->table), 60 * SECOND);
    table_return(&room->table, 2);
    chair_seat(&room->table.places[2].chair, (Link){&link_kind, room});
    assert_false(table_waits(&room->table));
    play_out(room);
    room_free(room);
}

static void a_request_of_who_is_late_but_there_lapses(void **state)
{
    Room *room = room_new(goes_away, 0, 6);

    (void)state;
    table_run(&room->table);
    assert_true(table_has_open_asks(&room->table));
    SeatNo seat = 1;
    while (!room->table.places[seat].asked)
        seat++;
    nobody_answers(room, 2 * SECOND);
    assert_int_equal(room->table.places[seat].chair.state, CHAIR_PROBED);
    table_hear(&room->table, seat, STR("too late"), room->table.now);
    assert_int_equal(room->strays, 1);
    table_hear(&room->table, seat, STR("here"), room->table.now);
    assert_int_equal(room->lapses, 1);
    assert_int_equal(room->faults, 1);
    assert_int_equal(room->left, 0);
    all_answer(room, STR("here")); /* the others */
    play_out(room);
    room_free(room);
}

static void with_so_many_out_the_game_is_aborted(void **state)
{
    Fate fate = plays_on;

    (void)state;
    fate.aborts_at = 2;
    Room *room = room_new(fate, 0, 7);
    table_run(&room->table);
    table_lose(&room->table, 4, "the connection was lost");
    assert_false(game_over(room->table.game));
    table_lose(&room->table, 5, "the connection was lost");
    assert_true(table_run(&room->table));
    assert_int_equal(room->table.reason, END_ABORTED);
    room_free(room);
}

static void whoever_was_dead_before_it_went_is_spared_where_the_fate_says_so(void **state)
{
    (void)state;
    for (int spares = 0; spares < 2; spares++) {
        Fate fate = plays_on;
        fate.aborts_at = 1;
        fate.spares_dead = spares != 0;
        Room *room = room_new(fate, 0, 8);
        SeatSet all = game_alive(room->table.game);
        while (!game_over(room->table.game) && game_alive(room->table.game) == all)
            all_answer(room, STR("Over"));
        assert_false(game_over(room->table.game));
        SeatNo dead = seat_first(all & ~game_alive(room->table.game));
        table_lose(&room->table, dead, "the connection was lost");
        assert_int_equal(table_run(&room->table), !spares);
        room_free(room);
    }
}

/* Whoever is asked answers, is late, says what nobody asked for, goes or is back. */
static void play_wildly(Room *room, Rng *rng)
{
    for (int step = 0; step < 20000; step++) {
        if (table_run(&room->table))
            return;
        SeatNo seat = (SeatNo)(1 + rng_below(rng, PLAYERS));
        Chair *chair = &room->table.places[seat].chair;
        uint64_t draw = rng_below(rng, 100);
        if (draw < 70)
            table_hear(&room->table, seat, STR("Over"), room->table.now);
        else if (draw < 90)
            table_hear(&room->table, seat, STR("here"), room->table.now);
        else if (draw < 96)
            nobody_answers(room, SECOND / 2);
        else if (draw < 97)
            table_lose(&room->table, seat, "the connection was lost");
        else if (chair->state == CHAIR_AWAY) {
            table_return(&room->table, seat);
            chair_seat(chair, (Link){&link_kind, room});
        }
        table_check(&room->table);
    }
    fail();
}

static void a_thousand_games_of_any_luck_come_to_their_end(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        Rng rng = rng_new(seed);
        Fate fate = seed % 2 ? plays_on : goes_away;
        fate.ends_at = seed % 3 ? FATE_NEVER : 2;
        Room *room = room_new(fate, seed % 5 ? 3 * SECOND : 0, seed);
        play_wildly(room, &rng);
        assert_int_equal(room->told[TELL_END][1], 1);
        assert_true(game_over(room->table.game));
        room_free(room);
    }
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_seat_is_told_that_the_game_begins_and_ends_once),
        TEST(the_record_of_a_game_has_its_result_and_what_each_participant_did),
        TEST(who_is_gone_is_played_on_by_lapses_where_the_fate_says_so),
        TEST(a_game_without_substitutes_is_over_when_nobody_will_come_back),
        TEST(a_game_waits_while_all_are_away_and_goes_on_with_who_is_back),
        TEST(a_request_of_who_is_late_but_there_lapses),
        TEST(with_so_many_out_the_game_is_aborted),
        TEST(whoever_was_dead_before_it_went_is_spared_where_the_fate_says_so),
        TEST(a_thousand_games_of_any_luck_come_to_their_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
