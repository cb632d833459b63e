/* Rounds of a stage: how many sets, which numbers, when it goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/rounds.h"

static PlanStage two_sizes(void)
{
    return (PlanStage){
        .name = "p", .players = 5, .more_players = {15}, .games_per_set = 100, .min_games = 1000};
}

/* In a round everybody sits equally often, and in no part of it. */
static void test_the_least_that_is_fair(void **state)
{
    Ruleset rules;

    (void)state;
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    for (uint32_t agents = 15; agents < 70; agents++) {
        const PlanStage stage = two_sizes();
        const Rounds rounds = rounds_of_stage(&stage, agents);
        assert_int_equal(rounds.parts, 2);
        for (uint32_t part = 0; part < 2; part++) {
            const Draw draw = draw_of_seed(&rounds.sizes[part], &rules, agents, 7);
            for (uint64_t round = 0; round < 3; round++) {
                unsigned sat[128] = {0};
                for (uint64_t i = 0; i < rounds.sets[part]; i++) {
                    uint32_t seats[SEAT_MAX + 1];
                    draw_seats(&draw, round * rounds.sets[part] + i, seats);
                    for (int32_t seat = 1; seat <= rounds.sizes[part].players; seat++)
                        sat[seats[seat]]++;
                }
                for (uint32_t agent = 1; agent < agents; agent++)
                    assert_int_equal(sat[agent], sat[0]);
            }
            assert_int_equal(rounds.sets[part] * (uint64_t)rounds.sizes[part].players % agents, 0);
        }
    }
}

static void test_how_many_are_needed(void **state)
{
    PlanStage stage = two_sizes();

    (void)state;
    Rounds rounds = rounds_of_stage(&stage, 60); /* 100 games of each size in a round */
    assert_int_equal(rounds.sets[0], 12);
    assert_int_equal(rounds.sets[1], 4);
    assert_int_equal(rounds.round_sets, 16);
    assert_int_equal(rounds.least, 10);
    rounds = rounds_of_stage(&stage, 61); /* 500 and 1500 */
    assert_int_equal(rounds.least, 2);
    stage.min_games = 0;
    rounds = rounds_of_stage(&stage, 61);
    assert_int_equal(rounds.least, 1);
}

/* Every number is somebody's, once, whatever the number of rounds. */
static void test_numbers(void **state)
{
    const PlanStage stage = two_sizes();
    const Rounds rounds = rounds_of_stage(&stage, 60);
    uint64_t next_set = 0, next_game = 0;

    (void)state;
    for (uint64_t round = 0; round < 40; round++)
        for (uint32_t part = 0; part < rounds.parts; part++) {
            StageRun run = {0};
            rounds_place(&rounds, round, part, &run);
            assert_int_equal(run.end_set - run.first_set, rounds.sets[part]);
            for (uint64_t set = run.first_set; set < run.end_set; set++) {
                assert_int_equal(run.set_base + set, next_set);
                assert_int_equal(rounds_of_set(&rounds, next_set), round);
                next_set++;
            }
            for (uint64_t game = run.first_set * 100; game < run.end_set * 100; game++) {
                uint64_t in_part;
                assert_int_equal(run.game_base + game, next_game);
                assert_int_equal(rounds_of_game(&rounds, next_game), round);
                assert_int_equal(rounds_part(&rounds, next_game, &in_part), part);
                assert_int_equal(in_part, game);
                next_game++;
            }
        }
}

static void test_when_it_goes_on(void **state)
{
    const Rounds rounds = {.least = 3};
    const int64_t date = 1000000, late = date + ROUND_LATE_MS;

    (void)state;
    assert_true(rounds_go_on(&rounds, 2, 0, 5));  /* min_games */
    assert_false(rounds_go_on(&rounds, 3, 0, 5)); /* no date */
    assert_true(rounds_go_on(&rounds, 2, date, late + 1));
    assert_true(rounds_go_on(&rounds, 3, date, date - 1));
    assert_false(rounds_go_on(&rounds, 3, date, date));
    assert_true(rounds_in_time(&rounds, 2, date, late + 1));
    assert_true(rounds_in_time(&rounds, 3, date, late));
    assert_false(rounds_in_time(&rounds, 3, date, late + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_least_that_is_fair),
        cmocka_unit_test(test_how_many_are_needed),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_when_it_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
