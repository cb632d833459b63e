/* test_own_sets.c - sets in which a model decided nothing itself are taken out again, whole.
 *
 * Source: docs/spec/models.md 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/own_sets.h"

#include <string.h>

/* Three seats: "model", which made so many decisions, "bot" and "cat"; the village wins. */
static GameRecord game_of(uint32_t stage, uint64_t set, uint64_t decisions, uint64_t own)
{
    GameRecord record = {.stage = stage, .set = set};

    record.result.seat_count = 3;
    record.result.winner = SIDE_VILLAGER;
    record.result.last_day = 2;
    record.result.names[1] = STR("model");
    record.result.names[2] = STR("bot");
    record.result.names[3] = STR("cat");
    record.result.roles[1] = ROLE_SEER;
    record.result.roles[2] = ROLE_WEREWOLF;
    record.result.roles[3] = ROLE_VILLAGER;
    record.result.points[2] = 7;
    record.seats[1].decisions = decisions;
    record.seats[1].own = own;
    record.seats[2].failed = true;
    record.seats[3].faults[FAULT_TIMEOUT] = 2;
    return record;
}

typedef struct Played {
    OwnSets sets;
    Standings standings;
} Played;

static void played_done(Played *played)
{
    own_sets_done(&played->sets);
    standings_done(&played->standings);
}

static void play(Played *played, uint32_t stage, uint64_t set, uint64_t decisions, uint64_t own)
{
    const GameRecord record = game_of(stage, set, decisions, own);

    assert_int_equal(own_sets_add_record(&played->sets, &record, NULL), 0);
    if (stage == 0)
        assert_int_equal(standings_add_record(&played->standings, &record, NULL), 0);
}

static void note(Played *played, uint64_t set, uint64_t decisions, uint64_t own, const char *error)
{
    DecisionNote told = {
        .set = set, .agent = STR("model"), .sheet = {.decisions = decisions, .own = own}};

    decision_sheet_set_error(&told.sheet, str_of(error));
    assert_int_equal(own_sets_add_note(&played->sets, &told, NULL), 0);
}

static void hear_set(void *user, uint64_t set, Str agent, Str error)
{
    Buf *heard = user;

    buf_printf(heard, "%llu %.*s: %.*s; ", (unsigned long long)set, STR_ARG(agent), STR_ARG(error));
}

static void what_is_left_is_as_if_those_sets_had_not_been(void **state)
{
    CLEANUP(played_done) Played played = {0};
    CLEANUP(buf_done) Buf heard = {0};

    (void)state;
    for (uint64_t set = 0; set < 40; set++)
        for (int game = 0; game < 3; game++) {
            const uint64_t own = set % 4 ? 1 : 0;
            play(&played, 0, set, 5, own);
        }
    note(&played, 8, 0, 0, "HTTP 500");
    own_sets_drop(&played.sets, 0, &played.standings, hear_set, &heard);
    assert_int_equal(played.standings.games, 90);
    assert_int_equal(played.standings.wins[SIDE_VILLAGER], 90);
    assert_int_equal(played.standings.days, 180);
    const Standing *bot = standings_find(&played.standings, STR("bot"));
    assert_int_equal(bot->all.games, 90);
    assert_int_equal(bot->all.wins, 0);
    assert_int_equal(bot->roles[ROLE_WEREWOLF].games, 90);
    assert_int_equal(bot->points, 630);
    assert_int_equal(bot->conduct.substituted, 90);
    const Standing *cat = standings_find(&played.standings, STR("cat"));
    assert_int_equal(cat->all.wins, 90);
    assert_int_equal(cat->conduct.faults, 180);
    /* What the model decided, it decided. */
    const Standing *model = standings_find(&played.standings, STR("model"));
    assert_int_equal(model->conduct.decisions, 600);
    assert_int_equal(model->conduct.own, 90);
    assert_non_null(
        strstr(buf_cstr(&heard), "0 model: ; 4 model: ; 8 model: HTTP 500; 12 model: ;"));
}

static void one_decision_in_the_set_is_enough(void **state)
{
    CLEANUP(played_done) Played played = {0};

    (void)state;
    play(&played, 0, 0, 9, 0); /* its own is in another game of the set, */
    play(&played, 0, 0, 9, 1);
    play(&played, 0, 1, 9, 0); /* or behind the games, */
    note(&played, 1, 3, 1, "");
    play(&played, 0, 2, 0, 0); /* nothing was to be decided, */
    play(&played, 1, 3, 9, 0); /* another stage */
    own_sets_drop(&played.sets, 0, &played.standings, NULL, NULL);
    assert_int_equal(played.standings.games, 4);
    play(&played, 0, 3, 9, 0); /* numbers of sets begin anew in each stage */
    play(&played, 1, 0, 9, 1);
    own_sets_drop(&played.sets, 0, &played.standings, NULL, NULL);
    assert_int_equal(played.standings.games, 4);
}

/* The standings never had it: nothing of it is taken out, but what was decided in it counts. */
static void a_void_game_is_not_taken_out_of_what_never_had_it(void **state)
{
    CLEANUP(played_done) Played played = {0};
    GameRecord record = game_of(0, 1, 9, 0);

    (void)state;
    play(&played, 0, 0, 9, 1);
    play(&played, 0, 2, 9, 0);
    record.is_void = true;
    assert_int_equal(own_sets_add_record(&played.sets, &record, NULL), 0);
    record = game_of(0, 2, 3, 1); /* one decision of its own, in the void game of the set */
    record.is_void = true;
    assert_int_equal(own_sets_add_record(&played.sets, &record, NULL), 0);
    own_sets_drop(&played.sets, 0, &played.standings, NULL, NULL);
    assert_int_equal(played.standings.games, 2);
    assert_int_equal(standings_find(&played.standings, STR("cat"))->all.games, 2);
}

static void whose_sets_are_all_gone_stays_without_games_and_rank(void **state)
{
    CLEANUP(played_done) Played played = {0};

    (void)state;
    play(&played, 0, 0, 9, 0);
    own_sets_drop(&played.sets, 0, &played.standings, NULL, NULL);
    standings_rank(&played.standings, 0);
    assert_int_equal(played.standings.count, 3);
    assert_int_equal(played.standings.games, 0);
    assert_int_equal(standings_ranked(&played.standings), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_as_if_those_sets_had_not_been),
        cmocka_unit_test(one_decision_in_the_set_is_enough),
        cmocka_unit_test(a_void_game_is_not_taken_out_of_what_never_had_it),
        cmocka_unit_test(whose_sets_are_all_gone_stays_without_games_and_rank),
    };

    return cmocka_run_group_tests_name("sets without a model", tests, NULL, NULL);
}
