#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/outcome.h"

static Outcome five(Side winner)
{
    return (Outcome){
        .seat_count = 5,
        .winner = winner,
        .roles = {0, ROLE_WEREWOLF, ROLE_POSSESSED, ROLE_SEER, ROLE_VILLAGER, ROLE_VILLAGER},
    };
}

static void a_composition_counts_the_seats_of_each_role(void **state)
{
    Outcome outcome = five(SIDE_VILLAGER);
    Composition composition = outcome_composition(&outcome);
    (void)state;

    assert_int_equal(composition_seats(composition, ROLE_VILLAGER), 2);
    assert_int_equal(composition_seats(composition, ROLE_WEREWOLF), 1);
    assert_int_equal(composition_seats(composition, ROLE_FOX), 0);
    outcome.roles[3] = ROLE_VILLAGER;
    outcome.roles[4] = ROLE_SEER; /* other seats, the same village */
    assert_true(outcome_composition(&outcome) == composition);
    outcome.roles[4] = ROLE_MEDIUM;
    assert_true(outcome_composition(&outcome) != composition);
}

static void thirty_seats_of_one_role_fit_into_a_composition(void **state)
{
    Outcome outcome = {.seat_count = SEAT_MAX};
    (void)state;

    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        outcome.roles[seat] = ROLE_FOX;
    assert_int_equal(composition_seats(outcome_composition(&outcome), ROLE_FOX), SEAT_MAX);
}

static void the_possessed_counts_for_the_wolves_and_the_fox_for_nobody(void **state)
{
    Outcome outcome = five(SIDE_VILLAGER);
    (void)state;

    assert_int_equal(outcome_sign(ROLE_SEER), 1);
    assert_int_equal(outcome_sign(ROLE_POSSESSED), -1);
    assert_int_equal(outcome_sign(ROLE_FOX), 0);
    assert_int_equal(composition_lead(outcome_composition(&outcome)), 1); /* 3 to 2 */
    outcome.roles[5] = ROLE_FOX;
    assert_int_equal(composition_lead(outcome_composition(&outcome)), 0);
}

static void a_draw_and_the_foxs_game_decide_nothing_between_the_two_sides(void **state)
{
    Outcome outcomes[] = {five(SIDE_VILLAGER), five(SIDE_WEREWOLF), five(SIDE_NONE),
                          five(SIDE_OTHERS)};
    (void)state;

    assert_true(outcome_decided(&outcomes[0]));
    assert_true(outcome_decided(&outcomes[1]));
    assert_false(outcome_decided(&outcomes[2]));
    assert_false(outcome_decided(&outcomes[3]));
}

static void a_game_needs_roles_and_both_sides(void **state)
{
    Outcome outcome = five(SIDE_VILLAGER);
    Err err = {0};
    (void)state;

    assert_int_equal(outcome_check(&outcome, &err), 0);
    outcome.roles[4] = ROLE_NONE;
    assert_int_equal(outcome_check(&outcome, &err), ERR_RULE);
    assert_string_equal(err.msg, "seat 4 has no role");
    outcome = five(SIDE_VILLAGER);
    outcome.roles[1] = outcome.roles[2] = ROLE_FOX;
    err = (Err){0};
    assert_int_equal(outcome_check(&outcome, &err), ERR_RULE);
    assert_string_equal(err.msg, "a game with nobody on the side of the wolves");
    outcome = (Outcome){.seat_count = SEAT_MAX + 1};
    assert_int_equal(outcome_check(&outcome, NULL), ERR_RULE);
    outcome.seat_count = 0;
    assert_int_equal(outcome_check(&outcome, NULL), ERR_RULE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_composition_counts_the_seats_of_each_role),
        cmocka_unit_test(thirty_seats_of_one_role_fit_into_a_composition),
        cmocka_unit_test(the_possessed_counts_for_the_wolves_and_the_fox_for_nobody),
        cmocka_unit_test(a_draw_and_the_foxs_game_decide_nothing_between_the_two_sides),
        cmocka_unit_test(a_game_needs_roles_and_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
