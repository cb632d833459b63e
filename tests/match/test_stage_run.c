#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/stage_run.h"

/* 250 games in sets of 100. */
static const PlanStage stage = {.players = 5, .games_per_set = 100, .sets = 3, .games = 250};

static StageRun sets(uint64_t first, uint64_t end)
{
    return (StageRun){.draw = {.stage = &stage}, .first_set = first, .end_set = end};
}

static void without_sets_all_of_the_stage_is_played(void **state)
{
    StageRun run = sets(0, 0);
    (void)state;

    assert_int_equal(stage_run_end_set(&run), 3);
    assert_int_equal(stage_run_games_end(&run), 250);
    assert_int_equal(stage_run_games_left(&run), 250);
}

static void a_part_is_whole_sets_and_ends_with_the_stage(void **state)
{
    StageRun middle = sets(1, 2), last = sets(2, 4), beyond = sets(3, 5);
    (void)state;

    assert_int_equal(stage_run_games_end(&middle), 200);
    assert_int_equal(stage_run_games_left(&middle), 100);
    assert_int_equal(stage_run_end_set(&last), 3);
    assert_int_equal(stage_run_games_end(&last), 250);
    assert_int_equal(stage_run_games_left(&last), 50);
    assert_int_equal(stage_run_games_left(&beyond), 0);
}

static void games_that_were_played_are_not_left(void **state)
{
    StageRun run = sets(1, 2);
    Played played = {0};
    static const uint64_t games[] = {0, 99, 100, 150, 199, 200};
    static GameRecord record; /* large */
    (void)state;

    run.played = &played;
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        record.game = games[i];
        record.set = games[i] / 100;
        assert_int_equal(played_add_game(&played, &record, NULL), 0);
    }
    assert_int_equal(stage_run_games_left(&run), 97);
    played_done(&played);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_sets_all_of_the_stage_is_played),
        cmocka_unit_test(a_part_is_whole_sets_and_ends_with_the_stage),
        cmocka_unit_test(games_that_were_played_are_not_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
