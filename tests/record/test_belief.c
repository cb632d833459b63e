/* The estimate against deals counted one by one, and what must hold of any estimate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "record/belief.h"

static const uint8_t five[ROLE_COUNT] = {
    [ROLE_VILLAGER] = 2, [ROLE_SEER] = 1, [ROLE_WEREWOLF] = 1, [ROLE_POSSESSED] = 1};
static const uint8_t seven[ROLE_COUNT] = {
    [ROLE_VILLAGER] = 1,  [ROLE_SEER] = 1,      [ROLE_WEREWOLF] = 2,
    [ROLE_POSSESSED] = 1, [ROLE_BODYGUARD] = 1, [ROLE_MEDIUM] = 1};
static const uint8_t fifteen[ROLE_COUNT] = {
    [ROLE_VILLAGER] = 8,  [ROLE_SEER] = 1,      [ROLE_WEREWOLF] = 3,
    [ROLE_POSSESSED] = 1, [ROLE_BODYGUARD] = 1, [ROLE_MEDIUM] = 1};

static void near(double is, double wanted)
{
    if (fabs(is - wanted) > 1e-9)
        fail_msg("%.12f is not %.12f", is, wanted);
}

static double false_claim(Role role)
{
    return role_side(role) == SIDE_VILLAGER ? 0.02 : 0.3;
}

/* ---- deals, one by one ---- */

typedef struct Deal {
    const Belief *belief;
    uint8_t left[ROLE_COUNT];
    uint8_t role[SEAT_MAX + 1];
    double all;
    double wolf[SEAT_MAX + 1];
} Deal;

static bool is_true(const Deal *deal, SeatNo seat, bool medium)
{
    for (SeatNo target = 1; target <= deal->belief->seat_count; target++) {
        bool wolf = deal->role[target] == ROLE_WEREWOLF;
        if (seat_in(deal->belief->human[seat][medium], target) && wolf)
            return false;
        if (seat_in(deal->belief->wolf[seat][medium], target) && !wolf)
            return false;
    }
    return true;
}

static double weight_of_deal(const Deal *deal)
{
    const Belief *belief = deal->belief;
    double weight = 1;

    for (SeatNo seat = 1; seat <= belief->seat_count; seat++) {
        Role role = (Role)deal->role[seat];
        if (seat_in(belief->killed, seat) && role == ROLE_WEREWOLF)
            return 0;
        for (unsigned other = 1; other < ROLE_COUNT; other++)
            if (belief->claims[seat] >> other & 1 && other != role)
                weight *= false_claim(role);
        for (unsigned medium = 0; medium < 2; medium++) {
            unsigned results = seat_count_of(belief->human[seat][medium]) +
                               seat_count_of(belief->wolf[seat][medium]);
            if (role == (medium ? ROLE_MEDIUM : ROLE_SEER))
                weight *= is_true(deal, seat, medium);
            else
                weight *= pow(0.5, results);
        }
    }
    return weight;
}

static void deal_seat(Deal *deal, SeatNo seat)
{
    if (seat > deal->belief->seat_count) {
        double weight = weight_of_deal(deal);
        deal->all += weight;
        for (SeatNo each = 1; each <= deal->belief->seat_count; each++)
            deal->wolf[each] += deal->role[each] == ROLE_WEREWOLF ? weight : 0;
        return;
    }
    for (unsigned role = 1; role < ROLE_COUNT; role++) {
        if (!deal->left[role])
            continue;
        deal->left[role]--;
        deal->role[seat] = (uint8_t)role;
        deal_seat(deal, (SeatNo)(seat + 1));
        deal->left[role]++;
    }
}

static void is_as_counted(const Belief *belief)
{
    Deal deal = {.belief = belief};
    double wolf[SEAT_MAX + 1];

    for (unsigned role = 0; role < ROLE_COUNT; role++)
        deal.left[role] = belief->counts[role];
    deal_seat(&deal, 1);
    assert_int_equal(belief_rate(belief, wolf), deal.all > 0);
    for (SeatNo seat = 1; deal.all > 0 && seat <= belief->seat_count; seat++)
        near(wolf[seat], deal.wolf[seat] / deal.all);
}

/* ---- tests ---- */

static void at_first_all_are_alike(void **state)
{
    Belief belief;
    double wolf[SEAT_MAX + 1];

    (void)state;
    belief_begin(&belief, 15, fifteen);
    assert_true(belief_rate(&belief, wolf));
    for (SeatNo seat = 1; seat <= 15; seat++)
        near(wolf[seat], 3.0 / 15);
}

static void who_is_killed_is_no_wolf(void **state)
{
    Belief belief;
    double wolf[SEAT_MAX + 1];

    (void)state;
    belief_begin(&belief, 5, five);
    belief_killed(&belief, 2);
    assert_true(belief_rate(&belief, wolf));
    near(wolf[2], 0);
    near(wolf[1], 0.25);
}

static void a_lone_seer_is_believed(void **state)
{
    Belief belief;
    double wolf[SEAT_MAX + 1];

    (void)state;
    belief_begin(&belief, 5, five);
    belief_claim(&belief, 1, ROLE_SEER);
    belief_judge(&belief, 1, false, 3, SPECIES_WEREWOLF);
    assert_true(belief_rate(&belief, wolf));
    near(wolf[3], 3.51 / 6.84); /* by hand */
    near(wolf[1], 1.8 / 6.84);
    is_as_counted(&belief);
}

static void two_seers_are_weighed_as_deals_are_counted(void **state)
{
    Belief belief;

    (void)state;
    belief_begin(&belief, 7, seven);
    belief_judge(&belief, 1, false, 3, SPECIES_WEREWOLF);
    belief_judge(&belief, 2, false, 3, SPECIES_HUMAN);
    belief_judge(&belief, 4, true, 3, SPECIES_HUMAN);
    belief_claim(&belief, 5, ROLE_BODYGUARD);
    is_as_counted(&belief);
}

static void any_table_is_as_counted(void **state)
{
    static const Role roles[] = {ROLE_SEER,     ROLE_MEDIUM,   ROLE_BODYGUARD,
                                 ROLE_VILLAGER, ROLE_WEREWOLF, ROLE_POSSESSED};

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Rng rng = rng_new(seed);
        Belief belief;
        belief_begin(&belief, seed % 2 ? 7 : 5, seed % 2 ? seven : five);
        for (uint32_t i = rng_below(&rng, 8); i > 0; i--) {
            SeatNo one = (SeatNo)(1 + rng_below(&rng, belief.seat_count));
            SeatNo other = (SeatNo)(1 + rng_below(&rng, belief.seat_count));
            switch (rng_below(&rng, 4)) {
            case 0:
                belief_killed(&belief, one);
                break;
            case 1:
                belief_claim(&belief, one, roles[rng_below(&rng, 6)]);
                break;
            default:
                belief_judge(&belief, one, rng_below(&rng, 2), other,
                             rng_below(&rng, 2) ? SPECIES_WEREWOLF : SPECIES_HUMAN);
                break;
            }
        }
        is_as_counted(&belief);
    }
}

/* Everybody claims everything: there is a limit, and it holds. */
static void no_table_takes_for_ever(void **state)
{
    uint8_t many[ROLE_COUNT] = {
        [ROLE_VILLAGER] = 18, [ROLE_WEREWOLF] = 10, [ROLE_SEER] = 1, [ROLE_MEDIUM] = 1};
    Belief belief;
    double wolf[SEAT_MAX + 1];

    (void)state;
    belief_begin(&belief, 30, many);
    assert_false(belief_rate(&belief, wolf)); /* thirty million sets of wolves */
    belief_begin(&belief, 15, fifteen);
    for (SeatNo seat = 1; seat <= 15; seat++)
        for (unsigned role = 0; role < ROLE_COUNT + 3; role++)
            belief_claim(&belief, seat, (Role)role);
    belief_claim(&belief, 0, ROLE_SEER);
    belief_claim(&belief, 31, ROLE_SEER);
    belief_judge(&belief, 16, false, 1, SPECIES_HUMAN);
    belief_killed(&belief, 200);
    assert_true(belief_rate(&belief, wolf));
    double sum = 0;
    for (SeatNo seat = 1; seat <= 15; seat++)
        sum += wolf[seat];
    near(sum, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_first_all_are_alike),
        cmocka_unit_test(who_is_killed_is_no_wolf),
        cmocka_unit_test(a_lone_seer_is_believed),
        cmocka_unit_test(two_seers_are_weighed_as_deals_are_counted),
        cmocka_unit_test(any_table_is_as_counted),
        cmocka_unit_test(no_table_takes_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
