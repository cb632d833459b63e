#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "stats/standings.h"

static GameResult game_of_three(const char *wolf, const char *seer, const char *villager,
                                Side winner)
{
    return (GameResult){
        .seat_count = 3,
        .winner = winner,
        .last_day = 2,
        .execution_days = 1,
        .attacks = 1,
        .attack_kills = winner == SIDE_WEREWOLF,
        .roles = {0, ROLE_WEREWOLF, ROLE_SEER, ROLE_VILLAGER},
        .names = {{0}, str_of(wolf), str_of(seer), str_of(villager)},
    };
}

static void a_game_counts_for_every_seat_and_its_side(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameResult game = game_of_three("ann", "bob", "cat", SIDE_VILLAGER);
    (void)state;

    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    game = game_of_three("bob", "ann", "cat", SIDE_VILLAGER);
    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    const Standing *ann = standings_find(&standings, STR("ann"));
    assert_int_equal(ann->all.games, 2);
    assert_int_equal(ann->all.wins, 1);
    assert_int_equal(ann->roles[ROLE_WEREWOLF].games, 1);
    assert_int_equal(ann->roles[ROLE_WEREWOLF].wins, 0);
    assert_int_equal(ann->roles[ROLE_SEER].wins, 1);
    assert_int_equal(standings_find(&standings, STR("cat"))->all.wins, 2);
    assert_null(standings_find(&standings, STR("dan")));
    assert_int_equal(standings.games, 2);
    assert_int_equal(standings.wins[SIDE_VILLAGER], 2);
    assert_int_equal(standings.days, 4);
}

static void the_possessed_wins_with_the_wolves(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameResult game = game_of_three("ann", "bob", "cat", SIDE_WEREWOLF);
    (void)state;

    game.roles[3] = ROLE_POSSESSED;
    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    assert_int_equal(standings_find(&standings, STR("cat"))->all.wins, 1);
    assert_int_equal(standings_find(&standings, STR("bob"))->all.wins, 0);
}

static void a_draw_is_a_game_that_nobody_won(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameResult game = game_of_three("ann", "bob", "cat", SIDE_NONE);
    (void)state;

    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    assert_int_equal(standings.wins[SIDE_NONE], 1);
    for (uint32_t i = 0; i < standings.count; i++) {
        assert_int_equal(standings.agents[i].all.games, 1);
        assert_int_equal(standings.agents[i].all.wins, 0);
    }
}

/* Random games among 40 agents. */
static GameResult random_game(Rng *rng)
{
    static const char *const names[] = {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9",
                                        "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9",
                                        "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9",
                                        "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"};
    GameResult game = game_of_three(names[rng_below(rng, 40)], names[rng_below(rng, 40)],
                                    names[rng_below(rng, 40)], (Side)rng_below(rng, 4));

    game.last_day = (uint16_t)rng_below(rng, 12);
    game.revote_days = (uint16_t)rng_below(rng, 3);
    return game;
}

static void merging_in_any_order_gives_the_same_table(void **state)
{
    Standings parts[4] = {0};
    CLEANUP(standings_done) Standings all = {0};
    CLEANUP(standings_done) Standings upwards = {0};
    CLEANUP(standings_done) Standings downwards = {0};
    Rng rng = rng_new(1);
    (void)state;

    for (int i = 0; i < 2000; i++) {
        GameResult game = random_game(&rng);
        assert_int_equal(standings_add_game(&all, &game, NULL), 0);
        assert_int_equal(standings_add_game(&parts[rng_below(&rng, 4)], &game, NULL), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(standings_merge(&upwards, &parts[i], NULL), 0);
        assert_int_equal(standings_merge(&downwards, &parts[3 - i], NULL), 0);
    }
    standings_rank(&all, 0);
    standings_rank(&upwards, 0);
    standings_rank(&downwards, 0);
    assert_int_equal(all.count, 40);
    assert_int_equal(upwards.count, 40);
    assert_memory_equal(all.agents, upwards.agents, 40 * sizeof(Standing));
    assert_memory_equal(all.agents, downwards.agents, 40 * sizeof(Standing));
    assert_int_equal(all.games, upwards.games);
    assert_int_equal(all.days, downwards.days);
    assert_int_equal(all.revote_days, upwards.revote_days);
    assert_non_null(standings_find(&all, STR("c7"))); /* found after sorting, too */
    for (int i = 0; i < 4; i++)
        standings_done(&parts[i]);
}

static void everything_that_is_counted_is_merged(void **state)
{
    static const DecisionModel small = {.name = "small", .server = "http://a"}, none = {0};
    static const Conduct first = {
        .substituted = 1, .violations = 2, .faults = 3, .decisions = 50, .own = 40};
    static const Conduct second = {
        .substituted = 10, .violations = 20, .faults = 30, .decisions = 500, .own = 400};
    CLEANUP(standings_done) Standings one = {0};
    CLEANUP(standings_done) Standings other = {0};
    GameResult game = game_of_three("ann", "bob", "cat", SIDE_WEREWOLF);
    (void)state;

    game.revote_days = 3;
    game.execution_days = 4;
    game.attacks = 5;
    game.attack_kills = 2;
    game.points[1] = 6;
    game.points[2] = -7;
    assert_int_equal(standings_add_game(&one, &game, NULL), 0);
    assert_int_equal(standings_add_conduct(&one, STR("ann"), &first, NULL), 0);
    assert_int_equal(standings_set_model(&one, STR("ann"), &small, NULL), 0);
    game.last_day = 9;
    assert_int_equal(standings_add_game(&other, &game, NULL), 0);
    assert_int_equal(standings_add_conduct(&other, STR("ann"), &second, NULL), 0);
    assert_int_equal(standings_set_model(&other, STR("dan"), &none, NULL), 0);
    assert_int_equal(other.count, 3); /* nothing is told of no model */
    assert_int_equal(standings_set_model(&other, STR("bob"), &small, NULL), 0);
    assert_int_equal(standings_merge(&one, &other, NULL), 0);
    assert_int_equal(one.games, 2);
    assert_int_equal(one.wins[SIDE_WEREWOLF], 2);
    assert_int_equal(one.days, 11);
    assert_int_equal(one.revote_days, 6);
    assert_int_equal(one.execution_days, 8);
    assert_int_equal(one.attacks, 10);
    assert_int_equal(one.attack_kills, 4);
    const Standing *ann = standings_find(&one, STR("ann"));
    assert_true(ann->all.games == 2 && ann->all.wins == 2 && ann->points == 12);
    assert_true(ann->roles[ROLE_WEREWOLF].games == 2 && ann->roles[ROLE_WEREWOLF].wins == 2);
    assert_true(ann->conduct.substituted == 11 && ann->conduct.violations == 22 &&
                ann->conduct.faults == 33 && ann->conduct.decisions == 550 &&
                ann->conduct.own == 440);
    assert_string_equal(ann->model.name, "small"); /* what was told stays */
    const Standing *bob = standings_find(&one, STR("bob"));
    assert_int_equal(bob->points, -14);
    assert_string_equal(bob->model.server, "http://a");
}

static void a_record_counts_its_game_and_what_each_seat_did(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameRecord *record = mem_new(sizeof(*record));
    (void)state;

    assert_non_null(record);
    record->result = game_of_three("ann", "bob", "cat", SIDE_VILLAGER);
    record->seats[1].failed = true;
    for (size_t kind = 0; kind < FAULT_COUNT; kind++)
        record->seats[2].faults[kind] = 1;
    record->seats[2].faults[FAULT_VIOLATION] = 20;
    assert_int_equal(standings_add_record(&standings, record, NULL), 0);
    assert_int_equal(standings.games, 1);
    assert_int_equal(standings_find(&standings, STR("ann"))->conduct.substituted, 1);
    const Conduct bob = standings_find(&standings, STR("bob"))->conduct;
    assert_true(bob.substituted == 0 && bob.violations == 20 && bob.faults == FAULT_COUNT - 1);
    assert_int_equal(standings_find(&standings, STR("cat"))->conduct.faults, 0);
    record->result.seat_count = SEAT_MAX + 1;
    assert_int_equal(standings_add_record(&standings, record, NULL), ERR_RULE);
    record->result.seat_count = 3;
    record->result.roles[2] = ROLE_NONE;
    assert_int_equal(standings_add_record(&standings, record, NULL), ERR_RULE);
    record->result.roles[2] = ROLE_COUNT;
    assert_int_equal(standings_add_record(&standings, record, NULL), ERR_RULE);
    record->result.roles[2] = ROLE_FOX;
    assert_int_equal(standings_add_record(&standings, record, NULL), 0);
    assert_int_equal(standings.games, 2);
    mem_free(record);
}

static void only_who_plays_enough_and_decides_itself_is_ranked(void **state)
{
    Conduct conduct = {0};
    (void)state;

    assert_true(conduct_ranks(&conduct, 1, 10));
    assert_false(conduct_ranks(&conduct, 0, 0));
    conduct.substituted = 1;
    assert_false(conduct_ranks(&conduct, 10, 10));
    assert_true(conduct_ranks(&conduct, 11, 10));
    conduct.ruled_void = 1; /* of which it played one itself */
    assert_true(conduct_ranks(&conduct, 10, 10));
    assert_false(conduct_ranks(&conduct, 9, 10));
    assert_false(conduct_ranks(&conduct, 1, 2)); /* none that counts is its own */
    conduct.ruled_void = 0;
    assert_false(conduct_ranks(&conduct, 1, 0));
    conduct = (Conduct){.decisions = 1};
    assert_false(conduct_ranks(&conduct, 10, 0));
    conduct.own = 1;
    assert_true(conduct_ranks(&conduct, 10, 0));
}

static void who_has_void_games_alone_has_no_place(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameRecord *record = mem_new(sizeof(*record));
    (void)state;

    assert_non_null(record);
    record->result = game_of_three("dai", "eve", "amy", SIDE_VILLAGER);
    record->is_void = record->is_ruled_void = true;
    record->seats[2].failed = true;
    assert_int_equal(standings_add_void(&standings, record, NULL), 0);
    record->is_void = record->is_ruled_void = false;
    record->result = game_of_three("amy", "zoe", "bob", SIDE_VILLAGER);
    assert_int_equal(standings_add_record(&standings, record, NULL), 0);
    assert_int_equal(
        standings_add_conduct(&standings, STR("eve"), &(Conduct){.eliminated = true}, NULL), 0);
    standings_forget_void(&standings);
    assert_int_equal(standings.count, 4);
    assert_null(standings_find(&standings, STR("dai")));
    assert_int_equal(standings_find(&standings, STR("eve"))->conduct.ruled_void, 0);
    assert_int_equal(standings_find(&standings, STR("amy"))->conduct.ruled_void, 1);
    assert_int_equal(standings_find(&standings, STR("zoe"))->all.games, 1);
    mem_free(record);
}

static void the_best_rate_is_first_and_more_games_stand_before_fewer(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameResult games[] = {game_of_three("wolf", "zoe", "amy", SIDE_VILLAGER),
                          game_of_three("zoe", "wolf", "amy", SIDE_WEREWOLF)};
    (void)state;

    for (int i = 0; i < 2; i++)
        assert_int_equal(standings_add_game(&standings, &games[i], NULL), 0);
    standings_rank(&standings, 0);
    assert_string_equal(standings.agents[0].name, "zoe");
    assert_string_equal(standings.agents[1].name, "amy");
    assert_string_equal(standings.agents[2].name, "wolf");
}

/* Five agents with so many games each, of which they won so many. */
static void fill(Standings *standings, const char *const names[], const uint64_t wins[],
                 const uint64_t games[], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t game = 0; game < games[i]; game++) {
            GameResult one = {.seat_count = 1,
                              .winner = game < wins[i] ? SIDE_VILLAGER : SIDE_WEREWOLF,
                              .roles = {0, ROLE_VILLAGER},
                              .names = {{0}, str_of(names[i])}};
            assert_int_equal(standings_add_game(standings, &one, NULL), 0);
        }
}

static void equal_rates_share_a_rank_whatever_the_names(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    static const char *const names[] = {"zoe", "bob", "cat", "dan", "eve"};
    static const uint64_t wins[] = {9, 5, 10, 5, 1}, games[] = {10, 10, 20, 10, 10};
    static const uint32_t ranks[] = {1, 2, 2, 2, 5};
    (void)state;

    fill(&standings, names, wins, games, 5);
    standings_rank(&standings, 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(standings.agents[i].rank, ranks[i]);
    assert_string_equal(standings.agents[0].name, "zoe");
    assert_string_equal(standings.agents[1].name, "cat"); /* more games stand first */
    assert_string_equal(standings.agents[2].name, "bob"); /* then it goes by the bytes of names */
    assert_string_equal(standings.agents[3].name, "dan");
    assert_int_equal(standings_ranked(&standings), 5);
}

static void who_did_not_play_enough_itself_is_not_ranked(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    static const char *const names[] = {"absent", "often", "seldom", "never", "fewer"};
    static const uint64_t wins[] = {10, 9, 8, 1, 2}, games[] = {10, 10, 10, 10, 6};
    (void)state;

    fill(&standings, names, wins, games, 5);
    const Conduct all = {.substituted = 10, .faults = 1}, five = {.substituted = 5, .faults = 5},
                  two = {.substituted = 2, .violations = 7};
    assert_int_equal(standings_add_conduct(&standings, STR("absent"), &all, NULL), 0);
    assert_int_equal(standings_add_conduct(&standings, STR("often"), &five, NULL), 0);
    assert_int_equal(standings_add_conduct(&standings, STR("seldom"), &two, NULL), 0);
    standings_rank(&standings, 8);
    /* "fewer" did not fail: that it played six games is not its fault. */
    static const char *const order[] = {"seldom", "fewer", "never", "absent", "often"};
    static const uint32_t ranks[] = {1, 2, 3, 0, 0};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(standings.agents[i].name, order[i]);
        assert_int_equal(standings.agents[i].rank, ranks[i]);
    }
    assert_int_equal(standings_ranked(&standings), 3);
    assert_int_equal(standing_own_games(&standings.agents[0]), 8);
    assert_int_equal(standings.agents[0].conduct.violations, 7);

    /* Without a number of games that is asked for, one game of its own is enough. */
    standings_rank(&standings, 0);
    assert_int_equal(standings_ranked(&standings), 4);
    assert_string_equal(standings.agents[0].name, "often");
    assert_string_equal(standings.agents[4].name, "absent");
    assert_int_equal(standings.agents[4].rank, 0);
}

static void too_long_a_name_is_refused_and_nothing_is_added(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    char name[AGENT_NAME_MAX + 2];
    Err err = {0};
    (void)state;

    memset(name, 'x', sizeof(name));
    name[AGENT_NAME_MAX + 1] = '\0';
    GameResult game = game_of_three("ann", "bob", name, SIDE_VILLAGER);
    assert_int_equal(standings_add_game(&standings, &game, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "has 65 bytes"));
    assert_int_equal(standings.count, 0);
    game.names[3].len = AGENT_NAME_MAX;
    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    assert_int_equal(strlen(standings.agents[2].name), AGENT_NAME_MAX);
}

static void too_many_agents_are_refused(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    char names[3][16];
    Err err = {0};
    (void)state;

    for (unsigned i = 0; i + 3 <= STANDINGS_AGENTS_MAX; i += 3) {
        for (unsigned j = 0; j < 3; j++)
            snprintf(names[j], sizeof(names[j]), "agent %u", i + j);
        GameResult game = game_of_three(names[0], names[1], names[2], SIDE_VILLAGER);
        assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    }
    GameResult game = game_of_three("x", "y", "z", SIDE_VILLAGER);
    assert_int_equal(standings_add_game(&standings, &game, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "more than 4096 different agents");
}

static void assert_near(double got, double wanted)
{
    if (got < wanted - 0.00005 || got > wanted + 0.00005)
        fail_msg("%.6f is not %.4f", got, wanted);
}

/* Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
 * (1998), 857-872, table I, method 3: the score method's figures for these four. */
static void the_interval_agrees_with_newcombes_table(void **state)
{
    static const struct {
        uint64_t wins, games;
        double low, high;
    } rows[] = {
        {81, 263, 0.2553, 0.3662},
        {15, 148, 0.0624, 0.1605},
        {0, 20, 0, 0.1611},
        {1, 29, 0.0061, 0.1718},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Interval interval = wilson_interval(rows[i].wins, rows[i].games, Z_95);
        assert_near(interval.low, rows[i].low);
        assert_near(interval.high, rows[i].high);
    }
}

static void the_interval_stays_within_zero_and_one(void **state)
{
    (void)state;
    Interval none = wilson_interval(0, 0, Z_95);
    assert_near(none.rate, 0);
    assert_near(none.low, 0);
    assert_near(none.high, 1);
    for (uint64_t games = 1; games <= 60; games++)
        for (uint64_t wins = 0; wins <= games; wins++) {
            Interval interval = wilson_interval(wins, games, Z_95);
            assert_true(0 <= interval.low && interval.low <= interval.rate);
            assert_true(interval.rate <= interval.high && interval.high <= 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_counts_for_every_seat_and_its_side),
        cmocka_unit_test(the_possessed_wins_with_the_wolves),
        cmocka_unit_test(a_draw_is_a_game_that_nobody_won),
        cmocka_unit_test(merging_in_any_order_gives_the_same_table),
        cmocka_unit_test(everything_that_is_counted_is_merged),
        cmocka_unit_test(a_record_counts_its_game_and_what_each_seat_did),
        cmocka_unit_test(only_who_plays_enough_and_decides_itself_is_ranked),
        cmocka_unit_test(who_has_void_games_alone_has_no_place),
        cmocka_unit_test(the_best_rate_is_first_and_more_games_stand_before_fewer),
        cmocka_unit_test(equal_rates_share_a_rank_whatever_the_names),
        cmocka_unit_test(who_did_not_play_enough_itself_is_not_ranked),
        cmocka_unit_test(too_long_a_name_is_refused_and_nothing_is_added),
        cmocka_unit_test(too_many_agents_are_refused),
        cmocka_unit_test(the_interval_agrees_with_newcombes_table),
        cmocka_unit_test(the_interval_stays_within_zero_and_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
