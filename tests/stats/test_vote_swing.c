/* Whose words move the others: docs/spec/models.md 3, docs/statistics.md "Vote swing". */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/vote_swing.h"

#define WOLVES (seat_bit(4))

/* By hand. Lines: 1, 2, 2, 3, 1. Seat 5 thinks 4 before all, 1 after line 1 of seat 1 (away from
 * the wolf, and to who spoke), 4 after both lines of seat 2 (to the wolf), 4 after seat 3, 2 after
 * seat 1. */
static void pairs_are_counted_for_who_alone_spoke(void **state)
{
    static const SeatNo speakers[] = {1, 2, 2, 3, 1};
    static const SwingOpinion opinions[] = {{5, 4, 0}, {5, 1, 1}, {5, 4, 3}, {5, 4, 4}, {5, 2, 5}};
    VoteSwing swing[SEAT_MAX + 1] = {0};
    (void)state;

    vote_swing_add(speakers, 5, opinions, 5, WOLVES, swing);
    assert_int_equal(swing[1].pairs, 2);
    assert_int_equal(swing[1].swung, 2);
    assert_int_equal(swing[1].from_wolf, 2);
    assert_int_equal(swing[1].to_wolf, 0);
    assert_int_equal(swing[1].to_speaker, 1);
    assert_int_equal(swing[2].pairs, 1);
    assert_int_equal(swing[2].to_wolf, 1);
    assert_int_equal(swing[3].pairs, 1);
    assert_int_equal(swing[3].swung, 0);
    assert_true(vote_swing_share(&swing[1]) == 1 && vote_swing_share(&swing[3]) == 0);
    assert_true(vote_swing_share(&swing[9]) == 0);
}

static void several_speakers_and_ones_own_lines_move_nobody(void **state)
{
    static const SeatNo speakers[] = {1, 2, 5, 1, 5};
    static const SwingOpinion opinions[] = {
        {5, 4, 0}, {5, 1, 2},                        /* two spoke: nobody's */
        {5, 2, 4},                                   /* itself, then seat 1: seat 1's */
        {5, 3, 5},                                   /* itself alone: nobody's */
        {6, 1, 0}, {6, 2, 1}, {6, 3, 1},             /* seat 1; then nobody */
        {0, 1, 1}, {5, 0, 5}, {5, 1, 6}, {200, 1, 1} /* none of the game */
    };
    VoteSwing swing[SEAT_MAX + 1] = {0};
    uint64_t pairs = 0;
    (void)state;

    vote_swing_add(speakers, 5, opinions, sizeof(opinions) / sizeof(opinions[0]), WOLVES, swing);
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        pairs += swing[seat].pairs;
    assert_int_equal(pairs, 2);
    assert_int_equal(swing[1].pairs, 2);
    assert_int_equal(swing[1].swung, 2);
}

static void games_add_up(void **state)
{
    static const SeatNo speakers[] = {1};
    static const SwingOpinion opinions[] = {{2, 3, 0}, {2, 4, 1}};
    VoteSwing swing[SEAT_MAX + 1] = {0};
    (void)state;

    for (unsigned i = 0; i < 3; i++)
        vote_swing_add(speakers, 1, opinions, 2, WOLVES, swing);
    vote_swing_add(NULL, 0, NULL, 0, WOLVES, swing);
    assert_int_equal(swing[1].pairs, 3);
    assert_int_equal(swing[1].to_wolf, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_counted_for_who_alone_spoke),
        cmocka_unit_test(several_speakers_and_ones_own_lines_move_nobody),
        cmocka_unit_test(games_add_up),
    };

    return cmocka_run_group_tests_name("vote swing", tests, NULL, NULL);
}
