/* test_played.c - what was played of a stage, and of a part of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal/played.h"

/* Four sets of two games, all but the last game. */
static void fill(Played *played)
{
    const Str names[] = {{0}, STR("alice"), STR("bob")};
    GameRecord record = {.result = {.seat_count = 2}};

    for (uint64_t set = 0; set < 4; set++)
        assert_int_equal(played_add_set(played, set, 2, names, NULL), 0);
    for (uint64_t game = 0; game < 7; game++) {
        record.set = game / 2;
        record.game = game;
        assert_int_equal(played_add_game(played, &record, NULL), 0);
    }
}

static void a_part_has_its_own_sets_and_games_only(void **state)
{
    CLEANUP(played_done) Played whole = {0};
    CLEANUP(played_done) Played part = {0};

    (void)state;
    fill(&whole);
    assert_int_equal(whole.game_count, 7);
    assert_int_equal(played_part(&whole, 1, 2, 2, 4, &part, NULL), 0);
    assert_int_equal(part.set_count, 2);
    assert_int_equal(part.game_count, 4);
    assert_true(played_has_game(&part, 0) && played_has_game(&part, 3));
    assert_false(played_has_game(&part, 4));
    assert_int_equal(played_set(&part, 0)->last, 1);
    assert_int_equal(played_set(&part, 1)->last, 3);
    assert_int_equal(played_set(&part, 1)->games, 2);
    assert_string_equal(played_set(&part, 0)->names[2], "bob");
    assert_null(played_set(&part, 2));
}

static void a_part_at_the_end_has_what_was_played(void **state)
{
    CLEANUP(played_done) Played whole = {0};
    CLEANUP(played_done) Played part = {0};

    (void)state;
    fill(&whole);
    assert_int_equal(played_part(&whole, 3, 5, 6, 10, &part, NULL), 0);
    assert_int_equal(part.set_count, 1);
    assert_int_equal(part.game_count, 1);
    assert_true(played_has_game(&part, 0));
    assert_false(played_has_game(&part, 1));
    assert_int_equal(played_set(&part, 0)->last, 0);
    assert_int_equal(played_set(&part, 0)->games, 1);
}

static void a_game_that_is_there_twice_is_refused(void **state)
{
    CLEANUP(played_done) Played whole = {0};
    const GameRecord again = {.set = 1, .game = 3, .result = {.seat_count = 2}};

    (void)state;
    fill(&whole);
    assert_int_equal(played_add_game(&whole, &again, NULL), ERR_RULE);
    assert_int_equal(whole.game_count, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_has_its_own_sets_and_games_only),
        cmocka_unit_test(a_part_at_the_end_has_what_was_played),
        cmocka_unit_test(a_game_that_is_there_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
