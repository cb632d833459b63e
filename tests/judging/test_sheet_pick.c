#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "judging/sheet_assign.h"
#include "judging/sheet_pick.h"

#define TEAMS 8
#define SEATS 5
#define GAMES 200

static const Role pack[SEATS] = {ROLE_POSSESSED, ROLE_SEER, ROLE_VILLAGER, ROLE_VILLAGER,
                                 ROLE_WEREWOLF};

/* Games of five out of TEAMS teams, as they come. */
static void draw_games(PickGame games[GAMES])
{
    Rng rng = rng_new(5);

    for (uint32_t i = 0; i < GAMES; i++) {
        bool in[TEAMS] = {false};
        games[i].seat_count = SEATS;
        for (SeatNo seat = 1; seat <= SEATS; seat++) {
            uint32_t team;
            do {
                team = rng_below(&rng, TEAMS);
            } while (in[team]);
            in[team] = true;
            games[i].teams[seat] = (uint16_t)team;
            games[i].roles[seat] = pack[seat - 1];
        }
    }
}

static PickWish wish_of(const PickGame *games, const Key *key)
{
    return (PickWish){
        .games = games, .count = GAMES, .team_count = TEAMS, .wanted = 32, .spares = 2, .key = key};
}

static void pick_of(const PickWish *wish, uint32_t chosen[GAMES], uint32_t *ret_count,
                    uint32_t *ret_spare)
{
    Err err = {0};

    if (sheet_pick(wish, chosen, ret_count, ret_spare, &err))
        fail_msg("%s", err.msg);
}

static void teams_and_their_roles_are_seen_equally_often(void **state)
{
    const Key key = key_of_seed(1);
    PickGame games[GAMES];
    uint32_t chosen[GAMES], count, spare, seen[TEAMS] = {0}, roles[TEAMS][ROLE_COUNT] = {{0}};
    (void)state;

    draw_games(games);
    PickWish wish = wish_of(games, &key);
    pick_of(&wish, chosen, &count, &spare);
    assert_int_equal(count, 32);
    assert_int_equal(spare, 2);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(i == 0 || chosen[i] > chosen[i - 1]); /* each once */
        for (SeatNo seat = 1; seat <= SEATS; seat++) {
            seen[games[chosen[i]].teams[seat]]++;
            roles[games[chosen[i]].teams[seat]][games[chosen[i]].roles[seat]]++;
        }
    }
    for (uint32_t team = 0; team < TEAMS;
         team++) { /* 32 * 5 / 8 = 20; 4 of each role, 8 villagers */
        assert_in_range(seen[team], 19, 21);
        for (unsigned role = 1; role < ROLE_COUNT; role++)
            if (roles[team][role])
                assert_in_range(roles[team][role], role == ROLE_VILLAGER ? 7 : 3,
                                role == ROLE_VILLAGER ? 9 : 5);
    }
    for (uint32_t i = 0; i < count; i++)
        assert_true(chosen[i] != chosen[count] && chosen[i] != chosen[count + 1]);
}

static void the_same_key_picks_the_same_and_another_one_others(void **state)
{
    const Key key = key_of_seed(1), other = key_of_seed(2);
    PickGame games[GAMES];
    uint32_t a[GAMES], b[GAMES], c[GAMES], count, spare;
    (void)state;

    draw_games(games);
    PickWish wish = wish_of(games, &key);
    pick_of(&wish, a, &count, &spare);
    pick_of(&wish, b, &count, &spare);
    wish.key = &other;
    pick_of(&wish, c, &count, &spare);
    assert_memory_equal(a, b, 34 * sizeof(*a));
    assert_memory_not_equal(a, c, 34 * sizeof(*a));
}

static void few_games_are_all_taken(void **state)
{
    const Key key = key_of_seed(1);
    PickGame games[GAMES];
    uint32_t chosen[GAMES], count, spare;
    (void)state;

    draw_games(games);
    PickWish wish = wish_of(games, &key);
    wish.count = 33;
    pick_of(&wish, chosen, &count, &spare);
    assert_int_equal(count, 32);
    assert_int_equal(spare, 1);
    wish.count = 0;
    pick_of(&wish, chosen, &count, &spare);
    assert_int_equal(count + spare, 0);
}

static void a_team_that_is_none_is_an_error(void **state)
{
    const Key key = key_of_seed(1);
    PickGame games[GAMES];
    uint32_t chosen[GAMES], count, spare;
    Err err = {0};
    (void)state;

    draw_games(games);
    games[7].teams[3] = TEAMS;
    PickWish wish = wish_of(games, &key);
    assert_int_equal(sheet_pick(&wish, chosen, &count, &spare, &err), ERR_RULE);
}

static void tracks_have_keys_of_their_own(void **state)
{
    const Key key = key_of_seed(1);
    Key a = sheet_pick_key(&key, STR("turn5")), b = sheet_pick_key(&key, STR("turn9"));
    Key c = sheet_assign_key(&key, STR("turn5"));
    (void)state;

    assert_memory_not_equal(&a, &b, sizeof(a));
    assert_memory_not_equal(&a, &c, sizeof(a));
}

/* ---- assignment ---- */

#define JUDGES 9
#define SHEETS 30

/* Each judge but the last three has a team, which sits in some of the games. */
static void draw_bars(bool barred[JUDGES * SHEETS])
{
    Rng rng = rng_new(11);

    for (uint32_t judge = 0; judge < JUDGES; judge++)
        for (uint32_t game = 0; game < SHEETS; game++)
            barred[judge * SHEETS + game] = judge < 6 && rng_below(&rng, 8) < 3;
}

static void assign_of(const AssignWish *wish, bool rates[JUDGES * SHEETS])
{
    Err err = {0};

    if (sheet_assign(wish, rates, &err))
        fail_msg("%s", err.msg);
}

static void loads_are_even_and_nobody_judges_its_own(void **state)
{
    const Key key = key_of_seed(3);
    bool barred[JUDGES * SHEETS], rates[JUDGES * SHEETS];
    AssignWish wish = {SHEETS, JUDGES, 3, barred, &key};
    uint32_t loads[JUDGES] = {0}, least = UINT32_MAX, most = 0;
    (void)state;

    draw_bars(barred);
    assign_of(&wish, rates);
    for (uint32_t game = 0; game < SHEETS; game++) {
        uint32_t raters = 0;
        for (uint32_t judge = 0; judge < JUDGES; judge++) {
            bool is = rates[judge * SHEETS + game];
            assert_false(is && barred[judge * SHEETS + game]);
            raters += is;
            loads[judge] += is;
        }
        assert_int_equal(raters, 3);
    }
    for (uint32_t judge = 0; judge < JUDGES; judge++) {
        least = loads[judge] < least ? loads[judge] : least;
        most = loads[judge] > most ? loads[judge] : most;
    }
    assert_true(most - least <= 1);
}

static void pairs_meet_evenly(void **state)
{
    const Key key = key_of_seed(4);
    AssignWish wish = {36, 9, 3, NULL, &key};
    bool all[9 * 36];
    uint32_t most = 0, least = UINT32_MAX;
    Err err = {0};
    (void)state;

    assert_int_equal(sheet_assign(&wish, all, &err), 0);
    for (uint32_t a = 0; a < 9; a++)
        for (uint32_t b = a + 1; b < 9; b++) {
            uint32_t meets = 0;
            for (uint32_t game = 0; game < 36; game++)
                meets += all[a * 36 + game] && all[b * 36 + game];
            most = meets > most ? meets : most;
            least = meets < least ? meets : least;
        }
    assert_true(most - least <= 2); /* 36 * 3 / 36 pairs = 3 each */
}

static void the_same_key_assigns_the_same(void **state)
{
    const Key key = key_of_seed(3), other = key_of_seed(9);
    bool barred[JUDGES * SHEETS], a[JUDGES * SHEETS], b[JUDGES * SHEETS];
    AssignWish wish = {SHEETS, JUDGES, 3, barred, &key};
    (void)state;

    draw_bars(barred);
    assign_of(&wish, a);
    assign_of(&wish, b);
    assert_memory_equal(a, b, sizeof(a));
    wish.key = &other;
    assign_of(&wish, b);
    assert_memory_not_equal(a, b, sizeof(a));
}

static void bars_leave_fewer_raters(void **state)
{
    const Key key = key_of_seed(3);
    bool barred[2 * 4] = {false, true, false, false, false, true, false, false}, rates[2 * 4];
    AssignWish wish = {4, 2, 3, barred, &key};
    Err err = {0};
    (void)state;

    assert_int_equal(sheet_assign(&wish, rates, &err), 0);
    for (uint32_t game = 0; game < 4; game++)
        assert_true(rates[game] == (game != 1) && rates[4 + game] == (game != 1));
}

static void orders_are_shuffles_that_differ(void **state)
{
    const Key key = key_of_seed(3);
    SeatNo a[SEAT_MAX], b[SEAT_MAX];
    uint32_t first[5] = {0};
    (void)state;

    for (uint64_t sheet = 0; sheet < 500; sheet++) {
        SeatSet seen = 0;
        sheet_order(&key, 2, sheet, 5, a);
        for (SeatNo i = 0; i < 5; i++)
            seen |= seat_bit(a[i]);
        assert_int_equal(seen, 62);
        first[a[0] - 1]++;
    }
    for (int i = 0; i < 5; i++)
        assert_in_range(first[i], 60, 140);
    sheet_order(&key, 2, 7, 5, a);
    sheet_order(&key, 2, 7, 5, b);
    assert_memory_equal(a, b, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_and_their_roles_are_seen_equally_often),
        cmocka_unit_test(the_same_key_picks_the_same_and_another_one_others),
        cmocka_unit_test(few_games_are_all_taken),
        cmocka_unit_test(a_team_that_is_none_is_an_error),
        cmocka_unit_test(tracks_have_keys_of_their_own),
        cmocka_unit_test(loads_are_even_and_nobody_judges_its_own),
        cmocka_unit_test(pairs_meet_evenly),
        cmocka_unit_test(the_same_key_assigns_the_same),
        cmocka_unit_test(bars_leave_fewer_raters),
        cmocka_unit_test(orders_are_shuffles_that_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
