/* test_players.c - participants who answer later play the same games as bots who answer at once, in
 * whatever order their answers come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "table/table.h"

#include "base/mem.h"
#include "record/aiwolf_log.h"
#include "referee/referee.h"
#include "referee/sentences.h"

#define PLAYERS 15

/* A bot on a chair: its answer is ready at once and handed over later. */
typedef struct Guest {
    const BotKind *kind;
    Bot *bot;
    uint64_t seed;
    bool waiting;
    Answer answer;
    unsigned told[TELL_END + 1];
} Guest;

typedef struct Room {
    Table table;
    Patience patience;
    Buf packet;
    Sentences sentences;
    AiwolfLogWriter writer;
    Buf log;
    Guest guests[PLAYERS + 1];
} Room;

/* ---- a manner: what is asked is decided without a packet ---- */

static void decide(void *self, const Ask *ask, const View *view, Buf *out)
{
    Guest *guest = self;

    (void)out;
    assert_false(guest->waiting);
    guest->answer = (Answer){.kind = ask->kind};
    guest->kind->answer(guest->bot, ask, view, &guest->answer);
    guest->answer.kind = ask->kind;
    guest->waiting = true;
}

static const char *ask_name(AskKind kind)
{
    (void)kind;
    return "ASK";
}

static Reading read_decision(void *self, AskKind kind, Str text, Answer *ret_answer)
{
    (void)kind;
    (void)text;
    *ret_answer = ((const Guest *)self)->answer;
    return READ_ANSWER;
}

static const Manner manner = {
    .write_ask = decide, .ask_name = ask_name, .read_answer = read_decision};

static void link_takes(void *peer, Str bytes)
{
    (void)peer;
    (void)bytes;
}

static void link_ends(void *peer)
{
    (void)peer;
}

static const LinkKind link_kind = {.send = link_takes, .close = link_ends};

/* ---- a division ---- */

static void on_event(void *user, const Event *event)
{
    Room *room = user;

    aiwolf_log_event(&room->writer, event, &room->log);
}

static void on_tell(void *user, SeatNo seat, Tell what)
{
    Room *room = user;
    Guest *guest = &room->guests[seat];
    const View *view = game_view(room->table.game, seat);

    guest->told[what]++;
    if (what == TELL_GAME)
        guest->kind->start(guest->bot, view, guest->seed);
    if (what == TELL_END)
        for (SeatNo other = 1; other <= view->seat_count; other++)
            assert_int_not_equal(view->roles[other], ROLE_NONE);
}

static void on_judge(void *user, SeatNo seat, Answer *answer)
{
    Room *room = user;

    (void)seat;
    sentences_turn(&room->sentences, game_day(room->table.game));
    sentences_parse(&room->sentences, answer);
    assert_true(sentences_allow(answer));
}

static const TableDivision division = {.event = on_event, .tell = on_tell, .judge = on_judge};

/* ---- a room ---- */

static void open_room(Room *room, const char *preset, const BotKind *kind, const GameKey *key)
{
    Ruleset rules;

    *room = (Room){.patience = {.answer = 1000000}};
    room->table = (Table){.division = &division,
                          .user = room,
                          .fate = {.aborts_at = FATE_NEVER, .ends_at = FATE_NEVER}};
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    assert_int_equal(table_new(&room->table, &rules, PLAYERS, NULL), 0);
    assert_int_equal(sentences_init(&room->sentences, NULL), 0);
    aiwolf_log_begin(&room->writer, PLAYERS, NULL);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        Guest *guest = &room->guests[seat];
        Chair *chair = &room->table.places[seat].chair;
        *guest = (Guest){
            .kind = kind, .bot = mem_new(kind->bytes), .seed = game_key_bot_seed(key, seat)};
        assert_non_null(guest->bot);
        *chair = (Chair){.manner = &manner,
                         .self = guest,
                         .patience = &room->patience,
                         .request = &room->packet,
                         .scratch = &room->packet};
        chair_seat(chair, (Link){&link_kind, room});
    }
    assert_int_equal(table_begin(&room->table, NULL, game_key_chance(key), NULL), 0);
    sentences_begin(&room->sentences, true, game_day(room->table.game));
}

static void close_room(Room *room)
{
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        mem_free(room->guests[seat].bot);
    table_done(&room->table);
    sentences_done(&room->sentences);
    buf_done(&room->packet);
    buf_done(&room->log);
}

/* Hands over the answers that are ready, the last seat first. */
static unsigned hand_over(Room *room)
{
    unsigned count = 0;

    for (SeatNo seat = PLAYERS; seat >= 1; seat--) {
        if (!room->guests[seat].waiting)
            continue;
        room->guests[seat].waiting = false;
        table_hear(&room->table, seat, STR("as decided"), room->table.now);
        count++;
    }
    return count;
}

/* ---- the same game of bots ---- */

typedef struct Told {
    AiwolfLogWriter writer;
    Buf log;
} Told;

static void hear(void *user, const Event *event)
{
    Told *told = user;

    aiwolf_log_event(&told->writer, event, &told->log);
}

static void play_bots(Told *told, const char *preset, const BotKind *kind, const GameKey *key)
{
    CLEANUP(referee_freep) Referee *referee = NULL;
    const BotKind *kinds[SEAT_MAX + 1] = {NULL};
    Ruleset rules;

    *told = (Told){0};
    aiwolf_log_begin(&told->writer, PLAYERS, NULL);
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        kinds[seat] = kind;
    assert_int_equal(referee_new(&rules, PLAYERS, kinds, &referee, NULL), 0);
    assert_int_equal(referee_play(referee, NULL, key, &(Recorder){hear, told}, NULL), 0);
}

static void same_game(const char *preset, const char *bot, uint64_t seed)
{
    const BotKind *kind = bot_kind(str_of(bot));
    const GameKey key = {.key = key_of_seed(seed)};
    Told bots;
    Room room;

    play_bots(&bots, preset, kind, &key);
    open_room(&room, preset, kind, &key);
    while (!table_run(&room.table))
        assert_true(hand_over(&room) > 0);
    assert_string_equal(buf_cstr(&room.log), buf_cstr(&bots.log));
    assert_int_equal(room.guests[1].told[TELL_GAME], 1);
    assert_int_equal(room.guests[1].told[TELL_END], 1);
    assert_int_equal(room.guests[1].told[TELL_DAY], room.guests[1].told[TELL_NIGHT]);
    close_room(&room);
    buf_done(&bots.log);
}

/* ---- tests ---- */

static void participants_who_answer_later_play_the_same_games(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        same_game("aiwolf-2021", "sample", seed);
        same_game("aiwolf-2019", "sample", seed);
        same_game("aiwolf-2021", "random", seed);
    }
}

static void an_aborted_game_is_over_at_once_and_has_no_winner(void **state)
{
    const GameKey key = {.key = key_of_seed(7)};
    Room room;

    (void)state;
    open_room(&room, "aiwolf-2021", bot_kind(STR("random")), &key);
    assert_false(table_run(&room.table));
    table_abort(&room.table);
    assert_true(table_run(&room.table));
    assert_int_equal(game_winner(room.table.game), SIDE_NONE);
    assert_int_equal(room.guests[1].told[TELL_END], 1);
    close_room(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(participants_who_answer_later_play_the_same_games),
        cmocka_unit_test(an_aborted_game_is_over_at_once_and_has_no_winner),
    };

    return cmocka_run_group_tests_name("players", tests, NULL, NULL);
}
