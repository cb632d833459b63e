#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "stats/win_rates.h"

/* The pack of 13 players, in 10 games. */
static const RoleSeats thirteen = {.seats = {[ROLE_VILLAGER] = 60,
                                             [ROLE_WEREWOLF] = 30,
                                             [ROLE_SEER] = 10,
                                             [ROLE_MEDIUM] = 10,
                                             [ROLE_BODYGUARD] = 10,
                                             [ROLE_POSSESSED] = 10}};

static void the_three_rates_are_those_of_the_contest(void **state)
{
    const Tally roles[ROLE_COUNT] = {
        [ROLE_VILLAGER] = {6, 3}, [ROLE_WEREWOLF] = {3, 1}, [ROLE_SEER] = {1, 1}};
    WinRates rates = win_rates(roles, &thirteen);
    (void)state;

    assert_float_equal(rates.overall, 5.0 / 10, 1e-12);
    assert_float_equal(rates.role_mean, (1.0 / 2 + 1.0 / 3 + 1.0) / 3, 1e-12); /* 11/18 */
    assert_float_equal(rates.weighted, (6 * 1.0 / 2 + 3 * 1.0 / 3 + 1 * 1.0) / (6 + 3 + 1), 1e-12);
}

static void roles_never_played_weigh_nothing(void **state)
{
    const Tally roles[ROLE_COUNT] = {[ROLE_MEDIUM] = {4, 1}, [ROLE_VILLAGER] = {2, 2}};
    WinRates rates = win_rates(roles, &thirteen);
    (void)state;

    assert_float_equal(rates.overall, 3.0 / 6, 1e-12);
    assert_float_equal(rates.role_mean, 5.0 / 8, 1e-12);
    assert_float_equal(rates.weighted, (0.25 + 6) / 7, 1e-12);
}

static void in_games_of_five_the_villager_counts_double(void **state)
{
    const RoleSeats five = {
        .seats = {[ROLE_VILLAGER] = 2, [ROLE_SEER] = 1, [ROLE_POSSESSED] = 1, [ROLE_WEREWOLF] = 1}};
    const Tally roles[ROLE_COUNT] = {[ROLE_VILLAGER] = {4, 3},
                                     [ROLE_SEER] = {2, 1},
                                     [ROLE_POSSESSED] = {2, 0},
                                     [ROLE_WEREWOLF] = {4, 1}};
    (void)state;

    assert_float_equal(win_rates(roles, &five).weighted, (2 * 0.75 + 0.5 + 0 + 0.25) / 5, 1e-12);
}

static void who_played_no_game_has_rates_of_nothing(void **state)
{
    const Tally roles[ROLE_COUNT] = {0};
    WinRates rates = win_rates(roles, &thirteen);
    (void)state;

    assert_true(rates.overall == 0 && rates.role_mean == 0 && rates.weighted == 0);
}

static void seats_are_counted_over_all_agents(void **state)
{
    CLEANUP(standings_done) Standings standings = {0};
    GameResult game = {.seat_count = 3,
                       .winner = SIDE_VILLAGER,
                       .roles = {0, ROLE_WEREWOLF, ROLE_SEER, ROLE_VILLAGER},
                       .names = {{0}, STR("ann"), STR("bob"), STR("ann")}};
    (void)state;

    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    game.roles[2] = ROLE_VILLAGER;
    assert_int_equal(standings_add_game(&standings, &game, NULL), 0);
    RoleSeats all = role_seats_of(&standings);
    assert_int_equal(all.seats[ROLE_WEREWOLF], 2);
    assert_int_equal(all.seats[ROLE_SEER], 1);
    assert_int_equal(all.seats[ROLE_VILLAGER], 3);
    /* ann: wolf 0 of 2, villager 2 of 2, with 2 and 3 seats. */
    const Standing *ann = standings_find(&standings, STR("ann"));
    assert_float_equal(win_rates(ann->roles, &all).weighted, 3.0 / 5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_rates_are_those_of_the_contest),
        cmocka_unit_test(roles_never_played_weigh_nothing),
        cmocka_unit_test(in_games_of_five_the_villager_counts_double),
        cmocka_unit_test(who_played_no_game_has_rates_of_nothing),
        cmocka_unit_test(seats_are_counted_over_all_agents),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
