/* test_properties.c - thousands of random games by every ruleset, with odd answers and absences,
 * before the eyes of a witness that knows the rules but not the engine.
 *
 * WARG_PROP_SEED and WARG_PROP_TIMES as in prop.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drive.h"
#include "prop.h"
#include "sanitized.h"
#include "witness.h"

#define GAMES     (SANITIZED ? 1000 : 10000)
#define STEPS_MAX 400000

/* ---- what a seat sees ---- */

static void check_talk(Witness *w, const TalkLog *log, const HeardTalk *heard)
{
    WITNESS(w, log->count == heard->count);
    for (uint32_t i = 0; i < log->count && i < WITNESS_TALK && !w->wrong[0]; i++) {
        WITNESS(w, log->items[i].seat == heard->seats[i] && log->items[i].idx == i);
        WITNESS(w, (uint16_t)log->items[i].text.len == heard->bytes[i]);
        WITNESS(w, log->items[i].day == w->day);
    }
}

/* The whole ballot or, when a later one had no votes, nothing. */
static void check_votes(Witness *w, const VoteLog *seen, const VoteLog *ballot)
{
    if (seen->count == 0)
        return;
    WITNESS(w, seen->count == ballot->count && seen->day == ballot->day);
    for (int i = 0; i < seen->count && i < ballot->count; i++) {
        WITNESS(w, seen->items[i].voter == ballot->items[i].voter);
        WITNESS(w, seen->items[i].target == ballot->items[i].target);
    }
}

static void check_private(Witness *w, const View *view)
{
    SeatNo me = view->seat;
    bool wolf = seat_in(witness_wolves(w), me);
    bool hears = seat_in(witness_whisper_ears(w), me);

    WITNESS(w, view->attacked == (wolf ? w->attacked : SEAT_NONE));
    WITNESS(w, view->guarded == w->guarded[me]);
    WITNESS(w, view->divined.target == w->divined[me].target);
    WITNESS(w, view->divined.target == SEAT_NONE ||
                   (view->divined.result == w->divined[me].result && view->divined.agent == me));
    WITNESS(w, view->identified.target == w->identified[me].target);
    WITNESS(w, view->identified.target == SEAT_NONE ||
                   (view->identified.result == w->identified[me].result &&
                    view->identified.day == w->day));
    WITNESS(w, hears || (view->whisper->count == 0 && !view->whisper_left));
    WITNESS(w, hears || (view->latest_attack_votes->count == 0 && view->attack_votes->count == 0));
    for (SeatNo seat = 0; seat <= SEAT_MAX; seat++) {
        bool mates = wolf && seat_in(witness_wolves(w), seat);
        bool known = seat && seat <= w->seats && (w->ended || seat == me || mates);
        WITNESS(w, view->roles[seat] == (known ? w->roles[seat] : ROLE_NONE));
    }
}

static void check_standing(Witness *w, const View *view, bool room)
{
    if (!view->standing_votes)
        return;
    WITNESS(w, room && (w->village || (w->hideout && seat_in(witness_wolves(w), view->seat))));
    WITNESS(w, w->hideout || w->rules->vote.visible);
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        WITNESS(w, view->standing_votes[seat] == w->standing[seat]);
}

static void check_view(Witness *w, const View *view, bool room)
{
    SeatNo me = view->seat;
    bool told = seat_in(w->executed_known, me);
    SeatSet dead = 0;

    WITNESS(w, view->role == (Role)w->roles[me]);
    check_private(w, view);
    WITNESS(w, view->over == w->ended && (w->ended || view->winner == SIDE_NONE));
    WITNESS(w, view->day == w->day && view->seat_count == w->seats);
    WITNESS(w, view->alive == w->knows_alive[me]);
    if (w->ended)
        return;
    WITNESS(w, view->alive_at_dawn == w->alive_at_dawn);
    check_talk(w, view->talk, &w->talk);
    if (seat_in(witness_wolves(w), me))
        check_talk(w, view->whisper, &w->whisper);
    check_votes(w, view->latest_votes, &w->ballot);
    check_votes(w, view->votes, &w->yesterday);
    check_votes(w, view->latest_attack_votes, &w->attack_ballot);
    check_votes(w, view->attack_votes, &w->attack_yesterday);
    check_standing(w, view, room);
    WITNESS(w, view->executed_today == (told ? w->executed_today : SEAT_NONE));
    WITNESS(w, view->executed == w->executed);
    for (int i = 0; i < view->last_dead_count; i++)
        dead |= seat_bit(view->last_dead[i]);
    WITNESS(w, dead == w->last_dead);
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        WITNESS(w, view->talk_left[seat] <= UINT16_MAX && view->names[seat].len > 0);
}

static void check_views(Witness *w, const Game *game)
{
    bool room = game_deadline(game) != TIME_NEVER;

    if (!w->begun && !w->ended)
        return;
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        check_view(w, game_view(game, seat), room);
}

/* ---- one game ---- */

/* A call that was refused has changed nothing. */
static void check_refusal(Witness *w, Drive *drive, const Ask *before, size_t count)
{
    Ask after[2 * SEAT_MAX];
    Event event;

    WITNESS(w, game_asks(drive->game, after) == count);
    for (size_t i = 0; i < count; i++)
        WITNESS(w, before[i].seat == after[i].seat && before[i].kind == after[i].kind &&
                       before[i].number == after[i].number);
    WITNESS(w, !game_next_event(drive->game, &event));
}

/* All events there are; says whether anything but talk happened. */
static bool hear(Witness *w, Game *game)
{
    bool anything = false;
    Event event;

    while (game_next_event(game, &event)) {
        unsigned alive = seat_count_of(w->alive);
        witness_event(w, &event);
        WITNESS(w, seat_count_of(w->alive) <= alive);
        anything = anything || (event.kind != EVENT_TALK && event.kind != EVENT_WHISPER);
    }
    return anything;
}

static void check_points(Witness *w)
{
    int64_t villagers = seat_count_of(w->all & ~witness_wolves(w));
    int64_t survivors = seat_count_of(w->alive & ~witness_wolves(w));
    int64_t wolves = seat_count_of(witness_wolves(w));

    if (w->rules->end.score == SCORE_NONE || w->winner == SIDE_NONE)
        WITNESS(w, w->points == 0);
    else
        WITNESS(w, w->points == villagers * (w->winner == SIDE_WEREWOLF ? wolves : survivors));
}

static void play(Witness *w, Drive *drive, uint64_t seed)
{
    Game *game = drive->game;

    game_start(game, NULL, chance_from_seed(seed), NULL);
    witness_start(w, game);
    for (uint32_t step = 0; !w->wrong[0]; step++) {
        Ask asks[2 * SEAT_MAX];
        bool anything = hear(w, game);
        game_check(game);
        WITNESS(w, w->alive == game_alive(game));
        witness_room(w);
        if (anything || step % 16 == 0)
            check_views(w, game);
        if (game_over(game))
            break;
        WITNESS(w, step < STEPS_MAX);
        size_t count = game_asks(game, asks);
        WITNESS(w, count > 0 || game_deadline(game) != TIME_NEVER);
        if (drive_step(drive) != 0)
            check_refusal(w, drive, asks, count);
    }
    WITNESS(w, w->ended && w->winner == game_winner(game));
    check_points(w);
}

/* ---- many games ---- */

static int32_t some_players(const Ruleset *rules, Rng *rng)
{
    uint8_t counts[ROLE_COUNT];
    int32_t players;

    do
        players = 3 + (int32_t)rng_below(rng, rng_below(rng, 8) ? 13 : 28);
    while (ruleset_roles(rules, players, counts, NULL) != 0);
    return players;
}

static void one_game(const char *preset, bool bids, uint64_t seed)
{
    static const uint32_t talkative[] = {0, 0, 2, 2, 10, 60, 95};
    Witness *w = mem_new(sizeof(*w));
    Drive *drive = mem_new(sizeof(*drive));
    Ruleset rules;
    char wrong[sizeof(w->wrong)];

    assert_true(w && drive && ruleset_preset(str_of(preset), &rules, NULL) == 0);
    if (bids)
        rules.talk.order = ORDER_BIDS;
    drive->rng = rng_new(rng_derive(seed, 1));
    int32_t players = some_players(&rules, &drive->rng);
    drive->talkative = talkative[drive_draw(drive, drive_draw(drive, 4) ? 4 : 7)];
    drive->rare = drive_draw(drive, 3) ? 0 : 50 + drive_draw(drive, 2000);
    assert_int_equal(game_new(&rules, players, &drive->game, NULL), 0);
    play(w, drive, seed);
    game_free(drive->game);
    memcpy(wrong, w->wrong, sizeof(wrong));
    mem_free(drive);
    mem_free(w);
    if (wrong[0])
        fail_msg("%s, %d players, seed %llu: %s", preset, (int)players, (unsigned long long)seed,
                 wrong);
}

static void many_games_of(const char *preset, bool bids)
{
    uint64_t first = prop_env("WARG_PROP_SEED", 1);
    uint64_t games = GAMES * prop_env("WARG_PROP_TIMES", 1);

    for (uint64_t i = 0; i < games; i++)
        one_game(preset, bids, rng_derive(first, i));
}

static void many_games(const char *preset)
{
    many_games_of(preset, false);
}

static void games_of_aiwolf_2019_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games("aiwolf-2019");
}

static void games_of_aiwolf_2021_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games("aiwolf-2021");
}

static void games_by_bids_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games_of("aiwolf-2021", true);
    many_games_of("nlp-turn", true);
}

static void games_of_the_server_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games("aiwolf-server");
}

static void games_of_nlp_turn_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games("nlp-turn");
}

static void games_of_nlp_anytime_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games("nlp-anytime");
}

static void games_of_maw_keep_the_rules_and_the_secrets(void **state)
{
    (void)state;
    many_games("maw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_aiwolf_2019_keep_the_rules_and_the_secrets),
        cmocka_unit_test(games_of_aiwolf_2021_keep_the_rules_and_the_secrets),
        cmocka_unit_test(games_by_bids_keep_the_rules_and_the_secrets),
        cmocka_unit_test(games_of_the_server_keep_the_rules_and_the_secrets),
        cmocka_unit_test(games_of_nlp_turn_keep_the_rules_and_the_secrets),
        cmocka_unit_test(games_of_nlp_anytime_keep_the_rules_and_the_secrets),
        cmocka_unit_test(games_of_maw_keep_the_rules_and_the_secrets),
    };

    return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
