/* test_deal.c - roles are dealt uniformly, fixed ones and granted wishes aside.
 *
 * A chi-square statistic with k degrees of freedom exceeds the bound with probability 1e-6:
 * Wilson and Hilferty, k * (1 - 2/(9k) + z * sqrt(2/(9k)))^3, z = 4.753 for p = 1e-6.
 *
 * Source: docs/spec/protocol-division.md 3.2; docs/spec/nlp-division.md 2.4. */
#include "play.h"

#include <math.h>

#define DEALS 60000

typedef struct Deals {
    uint32_t of[SEAT_MAX + 1][ROLE_COUNT];
} Deals;

static double bound(double k)
{
    double t = 1 - 2 / (9 * k) + 4.753 * sqrt(2 / (9 * k));

    return k * t * t * t;
}

/* Deals many times; `wishes[seat]` is answered where the table asks. */
static void deal(const Ruleset *rules, int players, const GameSetup *setup, const Role *wishes,
                 Deals *deals)
{
    CLEANUP(game_freep) Game *game = NULL;
    Event event;

    memset(deals, 0, sizeof(*deals));
    assert_int_equal(game_new(rules, players, &game, NULL), 0);
    for (uint64_t i = 0; i < DEALS; i++) {
        assert_int_equal(game_start(game, setup, chance_from_seed(rng_derive(20, i)), NULL), 0);
        game_next_event(game, &event);
        for (SeatNo seat = 1; wishes && seat <= players; seat++)
            assert_int_equal(
                game_answer(game, seat, &(Answer){.kind = ASK_ROLE, .wish = wishes[seat]}, NULL),
                0);
        while (game_next_event(game, &event))
            ;
        for (SeatNo seat = 1; seat <= players; seat++)
            deals->of[seat][game_role(game, seat)]++;
    }
}

/* Seats of `among` get the `counts` of roles uniformly. */
static void assert_uniform(const Deals *deals, SeatSet among, const uint8_t *counts)
{
    double sum = 0;
    unsigned seat_count = seat_count_of(among);
    unsigned roles = 0;

    for (int role = 1; role < ROLE_COUNT; role++) {
        double expected = (double)DEALS * counts[role] / seat_count;
        roles += counts[role] > 0;
        for (SeatSet left = among; left; left &= left - 1) {
            double got = deals->of[seat_first(left)][role];
            if (counts[role] == 0) {
                assert_true(got == 0);
                continue;
            }
            assert_true(got > 0); /* every seat x role occurs */
            sum += (got - expected) * (got - expected) / expected;
        }
    }
    double k = (double)(seat_count - 1) * (roles - 1);
    if (sum > bound(k))
        fail_msg("chi-square %.1f of %.0f degrees of freedom is over %.1f", sum, k, bound(k));
}

static void every_seat_gets_every_role_equally_often(void **state)
{
    static const int sizes[] = {5, 15, 18};
    Play *play = *state;
    uint8_t counts[ROLE_COUNT];
    Deals deals;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    for (int i = 0; i < 3; i++) {
        deal(rules, sizes[i], NULL, NULL, &deals);
        assert_int_equal(ruleset_roles(rules, sizes[i], counts, NULL), 0);
        assert_uniform(&deals, seat_all((SeatNo)sizes[i]), counts);
    }
}

static void natural_language_and_maw_tables_deal_uniformly_too(void **state)
{
    Play *play = *state;
    uint8_t counts[ROLE_COUNT];
    Deals deals;

    Ruleset *rules = rules_of(play, "nlp-turn");
    deal(rules, 13, NULL, NULL, &deals);
    assert_int_equal(ruleset_roles(rules, 13, counts, NULL), 0);
    assert_uniform(&deals, seat_all(13), counts);
    rules = rules_of(play, "maw");
    deal(rules, 6, NULL, NULL, &deals);
    assert_int_equal(ruleset_roles(rules, 6, counts, NULL), 0);
    assert_uniform(&deals, seat_all(6), counts);
}

static void fixed_roles_are_kept_and_the_others_uniform(void **state)
{
    Play *play = *state;
    uint8_t counts[ROLE_COUNT];
    Deals deals;

    Ruleset *rules = rules_of(play, "aiwolf-2021");
    play->setup.fixed[3] = ROLE_SEER;
    play->setup.fixed[7] = ROLE_WEREWOLF;
    deal(rules, 15, &play->setup, NULL, &deals);
    assert_int_equal(deals.of[3][ROLE_SEER], DEALS);
    assert_int_equal(deals.of[7][ROLE_WEREWOLF], DEALS);
    assert_int_equal(ruleset_roles(rules, 15, counts, NULL), 0);
    counts[ROLE_SEER]--;
    counts[ROLE_WEREWOLF]--;
    assert_uniform(&deals, seat_all(15) & ~seat_bit(3) & ~seat_bit(7), counts);
}

static void fixed_roles_that_do_not_fit_are_refused(void **state)
{
    CLEANUP(game_freep) Game *game = NULL;
    Play *play = *state;
    Err err = {0};

    assert_int_equal(game_new(rules_of(play, "aiwolf-2021"), 5, &game, NULL), 0);
    play->setup.fixed[1] = play->setup.fixed[2] = ROLE_SEER;
    assert_int_equal(game_start(game, &play->setup, chance_from_seed(1), &err), ERR_RULE);
    assert_string_equal(err.msg, "2 seats are fixed as SEER, but this table has 1");
    static const int strange[] = {ROLE_COUNT, 77};
    for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
        play->setup.fixed[2] = (Role)strange[i];
        err = (Err){0};
        assert_int_equal(game_start(game, &play->setup, chance_from_seed(1), &err), ERR_RULE);
        assert_string_equal(err.msg, "seat 2 is fixed to a role that does not exist");
    }
}

static void without_wishes_the_server_deals_uniformly(void **state)
{
    Play *play = *state;
    Role wishes[SEAT_MAX + 1] = {ROLE_NONE};
    uint8_t counts[ROLE_COUNT];
    Deals deals;

    Ruleset *rules = rules_of(play, "aiwolf-server");
    wishes[4] = (Role)99; /* unknown: no wish */
    wishes[5] = ROLE_FOX; /* this table has none */
    deal(rules, 5, NULL, wishes, &deals);
    assert_int_equal(ruleset_roles(rules, 5, counts, NULL), 0);
    assert_uniform(&deals, seat_all(5), counts);
}

static void a_wish_is_granted_first_come_first_served_in_a_random_order(void **state)
{
    Play *play = *state;
    Role wishes[SEAT_MAX + 1] = {ROLE_NONE};
    Deals deals;

    Ruleset *rules = rules_of(play, "aiwolf-server");
    wishes[1] = wishes[2] = wishes[3] = ROLE_SEER;
    wishes[4] = ROLE_WEREWOLF;
    deal(rules, 5, NULL, wishes, &deals);
    assert_int_equal(deals.of[4][ROLE_WEREWOLF], DEALS);
    assert_int_equal(deals.of[5][ROLE_SEER], 0);
    double sum = 0;
    for (SeatNo seat = 1; seat <= 3; seat++) {
        double off = deals.of[seat][ROLE_SEER] - DEALS / 3.0;
        sum += off * off / (DEALS / 3.0);
    }
    assert_true(sum < bound(2));
    /* possessed: among the two unlucky wishers and seat 5, uniformly */
    sum = 0;
    for (SeatNo seat = 1; seat <= 5; seat++) {
        double expected = seat == 4 ? 0 : seat == 5 ? DEALS / 3.0 : DEALS * 2 / 9.0;
        double off = deals.of[seat][ROLE_POSSESSED] - expected;
        sum += expected > 0 ? off * off / expected : off * off;
    }
    assert_true(sum < bound(3));
}

static void a_fixed_role_comes_before_a_wish(void **state)
{
    Play *play = *state;
    Role wishes[SEAT_MAX + 1] = {ROLE_NONE};
    Deals deals;

    Ruleset *rules = rules_of(play, "aiwolf-server");
    play->setup.fixed[1] = ROLE_SEER;
    wishes[1] = wishes[2] = ROLE_SEER;
    deal(rules, 5, &play->setup, wishes, &deals);
    assert_int_equal(deals.of[1][ROLE_SEER], DEALS);
}

/* The role that is wished for is still there: it is dealt among the others. */
static void a_seat_with_a_fixed_role_gets_no_other_by_its_wish(void **state)
{
    Play *play = *state;
    Role wishes[SEAT_MAX + 1] = {ROLE_NONE};
    const Ruleset *rules = rules_of(play, "aiwolf-server");
    Deals deals;

    play->setup = (GameSetup){0};
    play->setup.fixed[1] = ROLE_SEER;
    wishes[1] = ROLE_WEREWOLF;
    deal(rules, 5, &play->setup, wishes, &deals);
    assert_int_equal(deals.of[1][ROLE_SEER], DEALS);
    assert_int_equal(deals.of[2][ROLE_WEREWOLF] + deals.of[3][ROLE_WEREWOLF] +
                         deals.of[4][ROLE_WEREWOLF] + deals.of[5][ROLE_WEREWOLF],
                     DEALS);
}

static void a_missing_wish_is_none(void **state)
{
    Play *play = *state;

    rules_of(play, "aiwolf-server");
    seats(play, "VVVSW");
    for (SeatNo seat = 1; seat <= 5; seat++)
        lapse(play, ASK_ROLE, seat);
    assert_int_equal(events(play, EVENT_ROLE), 5);
    assert_int_equal(play->drawn[CHANCE_WISHER], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        play_test(every_seat_gets_every_role_equally_often),
        play_test(natural_language_and_maw_tables_deal_uniformly_too),
        play_test(fixed_roles_are_kept_and_the_others_uniform),
        play_test(fixed_roles_that_do_not_fit_are_refused),
        play_test(without_wishes_the_server_deals_uniformly),
        play_test(a_wish_is_granted_first_come_first_served_in_a_random_order),
        play_test(a_fixed_role_comes_before_a_wish),
        play_test(a_seat_with_a_fixed_role_gets_no_other_by_its_wish),
        play_test(a_missing_wish_is_none),
    };

    return cmocka_run_group_tests_name("deal", tests, NULL, NULL);
}
