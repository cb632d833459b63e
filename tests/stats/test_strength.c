#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "stats/strength.h"

#include <math.h>

static void assert_near(double got, double wanted, double within)
{
    if (!(fabs(got - wanted) <= within))
        fail_msg("%.9f is not %.9f +- %g", got, wanted, within);
}

static double uniform(Rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

static double logistic(double t)
{
    return 1 / (1 + exp(-t));
}

/* A villager against a wolf. */
static Outcome duel(uint64_t set, uint16_t villager, uint16_t wolf, bool village_wins)
{
    return (Outcome){
        .set = set,
        .seat_count = 2,
        .winner = village_wins ? SIDE_VILLAGER : SIDE_WEREWOLF,
        .roles = {0, ROLE_VILLAGER, ROLE_WEREWOLF},
        .agents = {0, villager, wolf},
    };
}

static void add(Strength *strength, const Outcome *outcome)
{
    Err err = {0};

    if (strength_add_game(strength, outcome, &err))
        fail_msg("%s", err.msg);
}

/* `games` duels with sets of their own, of which the villager wins the first `wins`. */
static void add_duels(Strength *strength, uint16_t villager, uint16_t wolf, int wins, int games)
{
    for (int i = 0; i < games; i++) {
        Outcome outcome = duel(strength->games, villager, wolf, i < wins);
        add(strength, &outcome);
    }
}

static void fit(Strength *strength, uint32_t rounds)
{
    assert_int_equal(strength_fit(strength, rounds, 1, NULL), 0);
    assert_true(strength->converged);
}

/* A as a villager wins 7500 of 10,000 against B, odds of 3; B as a villager 2500, odds of 1/3:
 *     b + sA - sB = ln 3,  b + sB - sA = -ln 3,  sA + sB = 0
 * so b = 0 and sA = ln(3) / 2: 400 / ln 10 * ln(3) / 2 = 95.4243 points, the sides even. */
static void two_agents_agree_with_the_closed_form(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    add_duels(&strength, 0, 1, 7500, 10000);
    add_duels(&strength, 1, 0, 2500, 10000);
    fit(&strength, 0);
    assert_int_equal(strength.agent_count, 2);
    assert_near(strength.ratings[0].points, 95.4243, 0.05); /* the prior takes 0.013 off */
    assert_near(strength.ratings[1].points, -95.4243, 0.05);
    assert_int_equal(strength.ratings[0].seats, 20000);
    assert_int_equal(strength.village_count, 1);
    assert_near(strength.villages[0].village_rate, 0.5, 1e-9);
    assert_int_equal(strength.lineup_count, 2); /* 20,000 games, but of two kinds only */
}

/* A as a villager wins 9000 of 10,000, odds of 9; B 5000, odds of 1:
 *     b = ln(9) / 2 = ln 3,  sA = ln(9) / 4 = 0.549306: 95.4243 points again;
 * among equals the village wins 3 of 4. */
static void the_better_side_is_not_taken_for_strength(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    add_duels(&strength, 0, 1, 9000, 10000);
    add_duels(&strength, 1, 0, 5000, 10000);
    fit(&strength, 0);
    assert_near(strength.ratings[0].points, 95.4243, 0.1);
    assert_near(strength.villages[0].village_rate, 0.75, 0.001);
}

/* Two villagers are one agent, the wolf the other: b + 2sA - sB = ln 3, b + 2sB - sA = -ln 3, so
 * that 3 sA = ln 3 and sA is 63.6162 points. The fox's seat counts for nobody. */
static void every_seat_adds_its_strength_to_its_side(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    for (int i = 0; i < 2000; i++) {
        uint16_t two = i >= 1000, one = i < 1000;
        Outcome outcome = {
            .set = (uint64_t)i,
            .seat_count = 4,
            .winner = i % 4 < (two ? 1 : 3) ? SIDE_VILLAGER : SIDE_WEREWOLF,
            .roles = {0, ROLE_SEER, ROLE_POSSESSED, ROLE_VILLAGER, ROLE_FOX},
            .agents = {0, two, one, two, (uint16_t)(i % 2)},
        };
        add(&strength, &outcome);
    }
    fit(&strength, 0);
    assert_near(strength.ratings[0].points, 63.6162, 0.05);
    assert_near(strength.ratings[1].points, -63.6162, 0.05);
    assert_int_equal(strength.lineup_count, 2);
    assert_int_equal(strength.ratings[0].seats, 3000);
}

static void each_composition_has_a_rate_of_its_own(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    for (int i = 0; i < 4000; i++) {
        Outcome outcome = duel((uint64_t)i, i % 2 != 0, i % 2 == 0, i / 2 % 5 == 0);
        add(&strength, &outcome); /* the village wins 800 of 4000 */
        outcome.roles[1] = ROLE_SEER;
        outcome.winner = i / 2 % 10 < 7 ? SIDE_VILLAGER : SIDE_WEREWOLF; /* and 2800 of 4000 */
        add(&strength, &outcome);
    }
    fit(&strength, 0);
    assert_int_equal(strength.village_count, 2);
    assert_int_equal(composition_seats(strength.villages[0].composition, ROLE_VILLAGER), 1);
    assert_near(strength.villages[0].village_rate, 0.2, 0.001);
    assert_near(strength.villages[1].village_rate, 0.7, 0.001);
    assert_int_equal(strength.villages[1].games, 4000);
}

/* ---- the fit against the formula ---- */

enum { RANDOM_AGENTS = 12, RANDOM_SEATS = 7 };

/* A game of random agents, in one of two compositions, decided by `strengths` and 0.3 for the
 * village. */
static Outcome random_game(Rng *rng, uint64_t set, const double *strengths)
{
    static const Role roles[] = {ROLE_NONE,     ROLE_WEREWOLF, ROLE_POSSESSED, ROLE_SEER,
                                 ROLE_VILLAGER, ROLE_VILLAGER, ROLE_BODYGUARD, ROLE_WEREWOLF};
    Outcome outcome = {.set = set, .seat_count = (SeatNo)(RANDOM_SEATS - rng_below(rng, 2))};
    double t = 0.3;

    memcpy(outcome.roles, roles, sizeof(roles));
    for (SeatNo seat = 1; seat <= outcome.seat_count; seat++) {
        outcome.agents[seat] = (uint16_t)rng_below(rng, RANDOM_AGENTS);
        t += outcome_sign(outcome.roles[seat]) * strengths[outcome.agents[seat]];
    }
    outcome.winner = uniform(rng) < logistic(t) ? SIDE_VILLAGER : SIDE_WEREWOLF;
    return outcome;
}

static double log_rate(double t, bool village_wins)
{
    return -log1p(exp(village_wins ? -t : t));
}

/* What the fit makes as large as it can, straight from the formula. `bases` are of the compositions
 * with 7 and with 6 seats, leads 1 and 2. */
static double naive_value(const Outcome *games, size_t count, const double *strengths,
                          const double bases[2])
{
    double value = 0, mean = 0;

    for (size_t i = 0; i < RANDOM_AGENTS; i++) {
        value -= strengths[i] * strengths[i] / 2;
        mean += strengths[i] / RANDOM_AGENTS;
    }
    for (int i = 0; i < 2; i++)
        value += 0.5 * (log_rate(bases[i] + (i + 1) * mean, true) +
                        log_rate(bases[i] + (i + 1) * mean, false));
    for (size_t i = 0; i < count; i++) {
        double t = bases[RANDOM_SEATS - games[i].seat_count];
        for (SeatNo seat = 1; seat <= games[i].seat_count; seat++)
            t += outcome_sign(games[i].roles[seat]) * strengths[games[i].agents[seat]];
        value += log_rate(t, games[i].winner == SIDE_VILLAGER);
    }
    return value;
}

static double logit(double rate)
{
    return log(rate / (1 - rate));
}

static void no_other_strengths_explain_the_games_better(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    Outcome games[300];
    double none[RANDOM_AGENTS] = {0.5, -1, 0.25}, found[RANDOM_AGENTS + 2], sum = 0;
    Rng rng = rng_new(3);
    (void)state;

    for (size_t i = 0; i < 300; i++) {
        games[i] = random_game(&rng, i, none);
        add(&strength, &games[i]);
    }
    fit(&strength, 0);
    for (size_t i = 0; i < RANDOM_AGENTS; i++) {
        found[i] = strength.ratings[i].points / STRENGTH_ELO;
        sum += found[i];
    }
    assert_near(sum, 0, 1e-9);
    for (size_t i = 0; i < 2; i++)
        found[RANDOM_AGENTS + composition_lead(strength.villages[i].composition) - 1] =
            logit(strength.villages[i].village_rate);
    double top = naive_value(games, 300, found, found + RANDOM_AGENTS);
    for (size_t i = 0; i < RANDOM_AGENTS + 2; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double kept = found[i];
            found[i] += sign * 1e-4;
            assert_true(naive_value(games, 300, found, found + RANDOM_AGENTS) < top);
            found[i] = kept;
        }
}

/* ---- intervals ---- */

/* 2 sA is half the difference of two logits, each with the variance 1 / (10000 * 0.75 * 0.25): sA
 * has the variance 1/16 * 2 / 1875 = 0.0000666667, a standard error of 0.00816497 or 1.41840
 * points; 1.959964 times that is 2.7800. */
static void an_interval_agrees_with_the_closed_form(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    add_duels(&strength, 0, 1, 7500, 10000);
    add_duels(&strength, 1, 0, 2500, 10000);
    fit(&strength, 0);
    StrengthRating rating = strength.ratings[0];
    assert_near(rating.high - rating.points, 2.7800, 0.002);
    assert_near(rating.points - rating.low, 2.7800, 0.002);
    fit(&strength, STRENGTH_ROUNDS);
    rating = strength.ratings[0];
    assert_near(rating.points, 95.4243, 0.05);
    assert_near(rating.high - rating.points, 2.7800, 0.3); /* 200 rounds know it to 5 % */
    assert_true(rating.high - rating.points >= 2.777);
    assert_true(strength.units_are_sets);
    assert_int_equal(strength.unit_count, 20000);
}

/* Sets of ten games that all end alike tell as much as one game: sqrt(10) times as wide. With a
 * tenth of the games of the case above 8.791 is what independent games would give. */
static void sets_whose_games_end_alike_have_wider_intervals(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    for (uint64_t set = 0; set < 200; set++)
        for (int i = 0; i < 10; i++) {
            uint16_t villager = set >= 100;
            Outcome outcome = duel(set, villager, !villager, set % 4 < (villager ? 1 : 3));
            add(&strength, &outcome);
        }
    fit(&strength, 1000);
    assert_true(strength.units_are_sets);
    assert_int_equal(strength.unit_count, 200);
    assert_near((strength.ratings[0].high - strength.ratings[0].points) / 8.791, sqrt(10), 0.25);
}

static void with_few_sets_games_are_resampled(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    for (uint64_t i = 0; i < 90; i++) {
        Outcome outcome = duel(i / 10, i % 2 != 0, i % 2 == 0, i % 3 == 0);
        add(&strength, &outcome);
    }
    fit(&strength, 20);
    assert_false(strength.units_are_sets);
    assert_int_equal(strength.unit_count, 90);
    Outcome outcome = duel(9, 0, 1, true);
    add(&strength, &outcome);
    fit(&strength, 20);
    assert_true(strength.units_are_sets);
    assert_int_equal(strength.unit_count, STRENGTH_SETS_MIN);
}

/* Sets of five games in which an agent can have a good or a bad day. */
static void about_19_of_20_intervals_hold_the_truth(void **state)
{
    static const double base[RANDOM_AGENTS] = {0.6, -0.6, 0.4, -0.4, 0.2,  -0.2,
                                               0.1, -0.1, 0,   0,    0.05, -0.05};
    int held = 0, all = 0;
    Rng rng = rng_new(5);
    (void)state;

    for (int run = 0; run < 40; run++) {
        CLEANUP(strength_done) Strength strength = {0};
        for (uint64_t set = 0; set < 100; set++) {
            double strengths[RANDOM_AGENTS];
            for (size_t i = 0; i < RANDOM_AGENTS; i++)
                strengths[i] = base[i] + (rng_below(&rng, 2) ? 0.3 : -0.3);
            for (int i = 0; i < 5; i++) {
                Outcome outcome = random_game(&rng, set, strengths);
                add(&strength, &outcome);
            }
        }
        fit(&strength, 100);
        for (size_t i = 0; i < RANDOM_AGENTS; i++) {
            double truth = STRENGTH_ELO * base[i];
            held += strength.ratings[i].low <= truth && truth <= strength.ratings[i].high;
            all++;
        }
    }
    print_message("%d of %d intervals hold the truth\n", held, all);
    assert_in_range(held, all * 92 / 100, all * 98 / 100);
}

static void an_agent_that_always_wins_has_a_finite_rating(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    add_duels(&strength, 0, 1, 50, 50);
    add_duels(&strength, 1, 0, 0, 50);
    fit(&strength, STRENGTH_ROUNDS);
    assert_true(strength.ratings[0].points > 150);
    assert_true(strength.ratings[0].high < 600);
    assert_true(strength.ratings[0].low < strength.ratings[0].points);
}

/* The prior's standard deviation is 173.7 points; less the mean of two agents it is 122.8, and 1.96
 * times that is 240.8. */
static void without_a_game_that_counts_only_the_prior_speaks(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    Outcome outcome = duel(0, 0, 1, true);
    (void)state;

    fit(&strength, STRENGTH_ROUNDS); /* nobody at all */
    outcome.winner = SIDE_NONE;
    add(&strength, &outcome);
    outcome.winner = SIDE_OTHERS;
    add(&strength, &outcome);
    fit(&strength, STRENGTH_ROUNDS);
    assert_int_equal(strength.games, 0);
    assert_int_equal(strength.left_out, 2);
    assert_int_equal(strength.agent_count, 2);
    assert_int_equal(strength.ratings[1].seats, 0);
    assert_near(strength.ratings[1].points, 0, 0);
    assert_near(strength.ratings[1].high, 240.7562, 0.001);
}

static void the_village_that_always_wins_has_a_rate_under_one(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    add_duels(&strength, 0, 1, 100000, 100000);
    add_duels(&strength, 1, 0, 100000, 100000);
    fit(&strength, 2);
    assert_true(strength.villages[0].village_rate > 0.9999);
    assert_true(strength.villages[0].village_rate < 1);
    assert_near(strength.ratings[0].points, 0, 0.01);
}

/* ---- order and limits ---- */

static void the_same_games_give_the_same_bytes(void **state)
{
    Strength runs[2] = {0};
    const double equal[RANDOM_AGENTS] = {0};
    (void)state;

    for (int run = 0; run < 2; run++) {
        Rng rng = rng_new(11);
        for (uint64_t i = 0; i < 400; i++) {
            Outcome outcome = random_game(&rng, i / 4, equal);
            add(&runs[run], &outcome);
            if (run == 1 && i == 200) /* a fit on the way changes nothing */
                fit(&runs[run], 3);
        }
        fit(&runs[run], 50);
    }
    assert_memory_equal(runs[0].ratings, runs[1].ratings, sizeof(runs[0].ratings));
    assert_memory_equal(runs[0].villages, runs[1].villages, sizeof(runs[0].villages));
    strength_done(&runs[0]);
    strength_done(&runs[1]);
}

static void a_set_begins_with_its_first_game_that_counts(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    (void)state;

    for (uint64_t i = 0; i < 40; i++) {
        Outcome outcome = duel(i / 2, 0, 1, i % 3 == 0);
        if (i % 2 == 0 && i < 20)
            outcome.winner = SIDE_NONE;
        if (i / 2 == 15)
            outcome.winner = SIDE_NONE;
        add(&strength, &outcome);
    }
    fit(&strength, 2);
    assert_int_equal(strength.games, 28);
    assert_int_equal(strength.left_out, 12);
    assert_int_equal(strength.unit_count, 19); /* in one of 20 nothing counts */
}

static void a_set_that_came_before_is_refused(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    Outcome outcome = duel(7, 0, 1, true);
    Err err = {0};
    (void)state;

    add(&strength, &outcome);
    add(&strength, &outcome);
    outcome.set = 6;
    assert_int_equal(strength_add_game(&strength, &outcome, &err), ERR_RULE);
    assert_string_equal(err.msg, "a game of set 6 behind one of set 7");
    assert_int_equal(strength.games, 2);
}

static void what_is_too_much_is_refused_and_not_counted(void **state)
{
    CLEANUP(strength_done) Strength strength = {0};
    Outcome outcome = duel(0, 0, STRENGTH_AGENTS_MAX, true);
    Err err = {0};
    (void)state;

    assert_int_equal(strength_add_game(&strength, &outcome, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "more than 256 agents can't be rated");
    for (SeatNo seats = 2; seats <= SEAT_MAX; seats++) {
        outcome = (Outcome){.seat_count = seats, .winner = SIDE_VILLAGER};
        for (SeatNo seat = 1; seat <= seats; seat++)
            outcome.roles[seat] = seat == 1 ? ROLE_WEREWOLF : ROLE_VILLAGER;
        add(&strength, &outcome);
    }
    for (SeatNo seats = 3; strength.village_count < STRENGTH_COMPOSITIONS_MAX; seats++) {
        outcome.seat_count = seats;
        outcome.roles[2] = ROLE_SEER;
        add(&strength, &outcome);
    }
    outcome.roles[2] = ROLE_FOX;
    err = (Err){0};
    assert_int_equal(strength_add_game(&strength, &outcome, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "more than 32 compositions of roles can't be rated");
    assert_int_equal(strength.games, STRENGTH_COMPOSITIONS_MAX);
    outcome.roles[1] = ROLE_NONE;
    assert_int_equal(strength_add_game(&strength, &outcome, NULL), ERR_RULE);
    assert_int_equal(strength_fit(&strength, 1, 1, NULL), ERR_LIMIT);
    assert_int_equal(strength_fit(&strength, STRENGTH_ROUNDS_MAX + 1, 1, NULL), ERR_LIMIT);
    fit(&strength, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_agents_agree_with_the_closed_form),
        cmocka_unit_test(the_better_side_is_not_taken_for_strength),
        cmocka_unit_test(every_seat_adds_its_strength_to_its_side),
        cmocka_unit_test(each_composition_has_a_rate_of_its_own),
        cmocka_unit_test(no_other_strengths_explain_the_games_better),
        cmocka_unit_test(an_interval_agrees_with_the_closed_form),
        cmocka_unit_test(sets_whose_games_end_alike_have_wider_intervals),
        cmocka_unit_test(with_few_sets_games_are_resampled),
        cmocka_unit_test(about_19_of_20_intervals_hold_the_truth),
        cmocka_unit_test(an_agent_that_always_wins_has_a_finite_rating),
        cmocka_unit_test(without_a_game_that_counts_only_the_prior_speaks),
        cmocka_unit_test(the_village_that_always_wins_has_a_rate_under_one),
        cmocka_unit_test(the_same_games_give_the_same_bytes),
        cmocka_unit_test(a_set_begins_with_its_first_game_that_counts),
        cmocka_unit_test(a_set_that_came_before_is_refused),
        cmocka_unit_test(what_is_too_much_is_refused_and_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
