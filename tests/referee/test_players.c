/* test_players.c - players who answer later play the same games as bots who answer at once, in
 * whatever order their answers come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/aiwolf_log.h"
#include "referee/referee.h"

#define PLAYERS 15

/* A bot behind a player: its answer is ready at once and handed over later. */
typedef struct Guest {
    const BotKind *kind;
    Bot *bot;
    uint64_t seed;
    bool waiting;
    Answer answer;
    unsigned told[TELL_END + 1];
} Guest;

typedef struct Table {
    AiwolfLogWriter writer;
    Buf log;
    Guest guests[SEAT_MAX + 1];
    Referee *referee;
} Table;

static void on_event(void *user, const Event *event)
{
    Table *table = user;

    aiwolf_log_event(&table->writer, event, &table->log);
}

static bool on_ask(void *user, const Ask *ask, const View *view, Answer *ret_answer)
{
    Guest *guest = user;

    assert_false(guest->waiting);
    guest->answer = *ret_answer;
    guest->kind->answer(guest->bot, ask, view, &guest->answer);
    guest->answer.kind = ask->kind;
    guest->waiting = true;
    return false;
}

static void on_tell(void *user, Tell what, const View *view)
{
    Guest *guest = user;

    guest->told[what]++;
    if (what == TELL_GAME)
        guest->kind->start(guest->bot, view, guest->seed);
    if (what == TELL_END)
        for (SeatNo seat = 1; seat <= view->seat_count; seat++)
            assert_int_not_equal(view->roles[seat], ROLE_NONE);
}

static void open_table(Table *table, const char *preset, const BotKind *kind)
{
    const BotKind *kinds[SEAT_MAX + 1] = {NULL};
    Ruleset rules;

    memset(table, 0, sizeof(*table));
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        kinds[seat] = kind;
    assert_int_equal(referee_new(&rules, PLAYERS, kinds, &table->referee, NULL), 0);
    aiwolf_log_begin(&table->writer, PLAYERS, NULL);
}

static void close_table(Table *table)
{
    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        mem_free(table->guests[seat].bot);
    referee_free(table->referee);
    buf_done(&table->log);
}

/* Every other seat is a guest's. */
static void seat_guests(Table *table, const BotKind *kind, const GameKey *key)
{
    for (SeatNo seat = 1; seat <= PLAYERS; seat += 2) {
        Guest *guest = &table->guests[seat];
        const Player player = {on_ask, on_tell, guest};
        *guest = (Guest){
            .kind = kind, .bot = mem_new(kind->bytes), .seed = game_key_bot_seed(key, seat)};
        assert_non_null(guest->bot);
        referee_seat_player(table->referee, seat, &player);
    }
}

/* Hands over the answers that are ready, the last seat first. */
static unsigned hand_over(Table *table)
{
    unsigned count = 0;

    for (SeatNo seat = PLAYERS; seat >= 1; seat--) {
        Guest *guest = &table->guests[seat];
        bool in_language = false;
        if (!guest->waiting)
            continue;
        guest->waiting = false;
        assert_int_equal(referee_answer(table->referee, seat, &guest->answer, &in_language, NULL),
                         0);
        assert_true(in_language);
        count++;
    }
    return count;
}

static void same_game(const char *preset, const char *bot, uint64_t seed)
{
    const BotKind *kind = bot_kind(str_of(bot));
    const GameKey key = {.key = key_of_seed(seed)};
    Table inside, outside;
    const Recorder hear_inside = {on_event, &inside};
    const Recorder hear_outside = {on_event, &outside};
    int rc;

    open_table(&inside, preset, kind);
    assert_int_equal(referee_play(inside.referee, NULL, &key, &hear_inside, NULL), 0);
    open_table(&outside, preset, kind);
    seat_guests(&outside, kind, &key);
    assert_int_equal(referee_begin(outside.referee, NULL, &key, &hear_outside, NULL), 0);
    while ((rc = referee_go(outside.referee, NULL)) == 0)
        assert_true(hand_over(&outside) > 0);
    assert_int_equal(rc, 1);
    assert_string_equal(buf_cstr(&outside.log), buf_cstr(&inside.log));
    assert_int_equal(outside.guests[1].told[TELL_GAME], 1);
    assert_int_equal(outside.guests[1].told[TELL_END], 1);
    assert_int_equal(outside.guests[1].told[TELL_DAY], outside.guests[1].told[TELL_NIGHT]);
    close_table(&inside);
    close_table(&outside);
}

static void players_who_answer_later_play_the_same_games(void **state)
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
    const BotKind *kind = bot_kind(STR("random"));
    const GameKey key = {.key = key_of_seed(7)};
    Table table;

    (void)state;
    open_table(&table, "aiwolf-2021", kind);
    seat_guests(&table, kind, &key);
    assert_int_equal(referee_begin(table.referee, NULL, &key, NULL, NULL), 0);
    assert_int_equal(referee_go(table.referee, NULL), 0);
    referee_abort(table.referee);
    assert_int_equal(referee_go(table.referee, NULL), 1);
    assert_int_equal(game_winner(referee_game(table.referee)), SIDE_NONE);
    assert_int_equal(table.guests[1].told[TELL_END], 1);
    close_table(&table);
}

static void rules_with_timed_rooms_are_refused(void **state)
{
    const BotKind *kind = bot_kind(STR("random"));
    const BotKind *kinds[SEAT_MAX + 1] = {NULL};
    Referee *referee = NULL;
    Ruleset rules;
    Err err = {0};

    (void)state;
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    assert_true(ruleset_is_timed(&rules));
    for (SeatNo seat = 1; seat <= 6; seat++)
        kinds[seat] = kind;
    assert_int_equal(referee_new(&rules, 6, kinds, &referee, NULL), 0);
    assert_int_equal(referee_begin(referee, NULL, &(GameKey){.key = key_of_seed(1)}, NULL, NULL),
                     0);
    assert_int_equal(referee_go(referee, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "timed rooms"));
    referee_free(referee);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players_who_answer_later_play_the_same_games),
        cmocka_unit_test(an_aborted_game_is_over_at_once_and_has_no_winner),
        cmocka_unit_test(rules_with_timed_rooms_are_refused),
    };

    return cmocka_run_group_tests_name("players", tests, NULL, NULL);
}
