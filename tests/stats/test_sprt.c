#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/sprt.h"
#include "stats/strength.h"

#include <math.h>

enum { CHALLENGER = 0, OTHER = 1 };

static void assert_near(double got, double wanted, double within)
{
    if (!(fabs(got - wanted) <= within))
        fail_msg("%.9f is not %.9f +- %g", got, wanted, within);
}

/* ---- the option's text ---- */

static void the_four_settings_are_read_in_any_order(void **state)
{
    SprtTest test;
    (void)state;

    assert_int_equal(sprt_parse(STR("beta=0.1,elo1=12.5,alpha=.01,elo0=-5"), &test, NULL), 0);
    assert_near(test.elo0, -5, 0);
    assert_near(test.elo1, 12.5, 0);
    assert_near(test.alpha, 0.01, 0);
    assert_near(test.beta, 0.1, 0);
}

static void settings_that_are_not_given_are_the_usual_ones(void **state)
{
    SprtTest test, usual = sprt_test_usual();
    (void)state;

    assert_int_equal(sprt_parse(STR("elo0=0"), &test, NULL), 0);
    assert_near(test.elo0, usual.elo0, 0);
    assert_near(test.elo1, usual.elo1, 0);
    assert_near(test.alpha, usual.alpha, 0);
    assert_near(test.beta, usual.beta, 0);
}

static void what_can_t_be_a_test_is_refused_and_says_why(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "sprt: expected such as elo0=0,elo1=20"},
        {"elo2=5", "sprt: no key 'elo2'; did you mean 'elo0'?"},
        {"alhpa=0.05", "sprt: no key 'alhpa'; did you mean 'alpha'?"},
        {"x=1", "sprt: no key 'x'; there are elo0, elo1, alpha and beta"},
        {"elo0=0,,elo1=5", "sprt: no key ''; there are elo0, elo1, alpha and beta"},
        {"elo1=5,elo1=6", "sprt: elo1 is given twice"},
        {"elo0=20", "sprt: elo0 is less than elo1, not 20 and 20"},
        {"elo0=5,elo1=-5", "sprt: elo0 is less than elo1, not 5 and -5"},
        {"elo1=1000.5", "sprt: elo1 is -1000 to 1000, not '1000.5'"},
        {"elo0=-1001", "sprt: elo0 is -1000 to 1000, not '-1001'"},
        {"elo0", "sprt: elo0 is -1000 to 1000, not ''"},
        {"elo0=1e2", "sprt: elo0 is -1000 to 1000, not '1e2'"},
        {"elo0=--1", "sprt: elo0 is -1000 to 1000, not '--1'"},
        {"elo0=.", "sprt: elo0 is -1000 to 1000, not '.'"},
        {"elo0=5.", "sprt: elo0 is -1000 to 1000, not '5.'"},
        {"elo0=1.0000001", "sprt: elo0 is -1000 to 1000, not '1.0000001'"},
        {"alpha=0", "sprt: alpha is a number over 0 and under 0.5, not '0'"},
        {"beta=0.5", "sprt: beta is a number over 0 and under 0.5, not '0.5'"},
        {"beta=-0.1", "sprt: beta is a number over 0 and under 0.5, not '-0.1'"},
        {"alpha=nan", "sprt: alpha is a number over 0 and under 0.5, not 'nan'"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        SprtTest test = {.elo0 = 1};
        Err err = {0};
        assert_int_equal(sprt_parse(str_of(rows[i].text), &test, &err), ERR_USAGE);
        assert_string_equal(err.msg, rows[i].message);
        assert_near(test.elo0, 1, 0); /* untouched */
    }
}

/* ---- the ratio ---- */

/* ln(0.9 / 0.05) = ln 18 = 2.890372, ln(0.1 / 0.95) = -2.251292. */
static void the_bounds_are_walds(void **state)
{
    SprtTest test = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.1};
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    assert_near(sprt.upper, 2.890372, 1e-6);
    assert_near(sprt.lower, -2.251292, 1e-6);
    assert_int_equal(sprt.state, SPRT_CONTINUE);
    assert_near(sprt.llr, 0, 0);
}

/* Five seats, of which the challenger has seat 1 in this role. */
static Outcome game_of(uint64_t set, Role role, bool village_wins)
{
    Outcome outcome = {
        .set = set,
        .seat_count = 5,
        .winner = village_wins ? SIDE_VILLAGER : SIDE_WEREWOLF,
        .roles = {0, role, ROLE_POSSESSED, ROLE_SEER, ROLE_VILLAGER, ROLE_VILLAGER},
        .agents = {0, CHALLENGER, OTHER, OTHER, OTHER, OTHER},
    };

    for (SeatNo seat = 2; seat <= 5; seat++) /* the composition stays: one has what is left over */
        if (outcome.roles[seat] == role) {
            outcome.roles[seat] = ROLE_WEREWOLF;
            break;
        }
    return outcome;
}

static void add(Sprt *sprt, const Outcome *outcome)
{
    Err err = {0};

    if (sprt_add_game(sprt, outcome, &err))
        fail_msg("%s", err.msg);
}

/* `games` games in sets of their own, of which the village wins the first `wins`. */
static void add_games(Sprt *sprt, Role role, int wins, int games)
{
    for (int i = 0; i < games; i++) {
        Outcome outcome = game_of(sprt->set + 1, role, i < wins);
        add(sprt, &outcome);
        sprt_end_set(sprt);
    }
}

/* Bounds of +-13.8: nothing is decided while figures are looked at. */
static SprtTest patient(double elo0, double elo1)
{
    return (SprtTest){.elo0 = elo0, .elo1 = elo1, .alpha = 1e-6, .beta = 1e-6};
}

/* The village wins 15 of 20 with the challenger and 5 of 20 against it: the challenger wins 30 of
 * 40, on both sides alike, so that b is 0 under any hypothesis and the ratio is Wald's for a coin.
 * 0 points are a rate of 1/2, 400 points odds of 10, a rate of 10/11:
 *     30 ln(20/11) + 10 ln(2/11) = 17.935110 - 17.047481 = 0.887629 */
static void equal_sides_give_the_ratio_of_a_coin(void **state)
{
    SprtTest test = patient(0, 400);
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    add_games(&sprt, ROLE_SEER, 15, 20);
    add_games(&sprt, ROLE_WEREWOLF, 5, 20);
    assert_near(sprt.spread, 1, 1e-9);
    assert_near(sprt.llr, 0.887629, 1e-6);
    assert_int_equal(sprt.games, 40);
    assert_int_equal(sprt.sets, 40);
}

/* The village wins 30 of 40 with the challenger, odds of 3, and 20 of 40 against it, odds of 1.
 * Under e = 200 log10(3) = 95.424 points, b = ln(3)/2 explains both exactly; under e = 0 only their
 * sum, 50 of 80:
 *     30 ln 0.75 + 10 ln 0.25 + 40 ln 0.5 - 50 ln 0.625 - 30 ln 0.375 = 2.705766 */
static void an_unknown_base_rate_is_fitted_under_each_hypothesis(void **state)
{
    SprtTest test = patient(0, 200 * log10(3));
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    add_games(&sprt, ROLE_POSSESSED, 20, 40);
    add_games(&sprt, ROLE_VILLAGER, 30, 40);
    assert_near(sprt.llr,
                30 * log(0.75) + 10 * log(0.25) + 40 * log(0.5) - 50 * log(0.625) - 30 * log(0.375),
                1e-9);
    assert_near(sprt.llr, 2.7058, 0.0001);
}

/* The coin again, each game four times in one set: u of a set is 4 times that of a game, its square
 * 16 times, for 4 times as many games. Sets that tell as much as one game count as one. */
static void sets_that_end_alike_count_as_one_game(void **state)
{
    SprtTest test = patient(0, 400);
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    for (uint64_t set = 0; set < 40; set++)
        for (int i = 0; i < 4; i++) {
            Outcome outcome = set < 20 ? game_of(set, ROLE_SEER, set < 15)
                                       : game_of(set, ROLE_WEREWOLF, set < 25);
            add(&sprt, &outcome);
        }
    assert_int_equal(sprt.sets, 39); /* the last one may go on */
    sprt_end_set(&sprt);
    sprt_end_set(&sprt);
    assert_int_equal(sprt.sets, 40);
    assert_int_equal(sprt.games, 160);
    assert_near(sprt.spread, 4, 1e-9);
    assert_near(sprt.llr, 0.887629, 1e-6);
}

static void a_spread_under_one_is_taken_for_chance(void **state)
{
    SprtTest test = patient(0, 400);
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    for (uint64_t set = 0; set < 40; set++) /* every set the same: 3 of 4 with, 1 of 4 against */
        for (int i = 0; i < 8; i++) {
            Outcome outcome =
                i < 4 ? game_of(set, ROLE_SEER, i < 3) : game_of(set, ROLE_WEREWOLF, i < 5);
            add(&sprt, &outcome);
        }
    sprt_end_set(&sprt);
    assert_near(sprt.spread, 1, 0);
    assert_near(sprt.llr, 8 * 0.887629, 1e-5);
}

static void a_village_that_always_wins_says_nothing(void **state)
{
    SprtTest test = sprt_test_usual();
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    add_games(&sprt, ROLE_SEER, 100, 100);
    add_games(&sprt, ROLE_WEREWOLF, 100, 100);
    assert_near(sprt.llr, 0, 0);
    assert_near(sprt.spread, 1, 0);
}

static void a_fixed_role_says_nothing_without_games_of_the_others(void **state)
{
    SprtTest test = patient(0, 100);
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    add_games(&sprt, ROLE_SEER, 60, 100);
    assert_near(sprt.llr, 0, 1e-9);
    for (int i = 0; i < 100; i++) { /* where the village wins less often */
        Outcome outcome = game_of(sprt.set + 1, ROLE_SEER, i < 40);
        outcome.agents[1] = OTHER;
        add(&sprt, &outcome);
        sprt_end_set(&sprt);
    }
    assert_true(sprt.llr > 1);
}

/* Two seats of one agent move the odds twice: e of 100 points is like 200 with one seat. */
static void each_seat_of_the_challenger_counts(void **state)
{
    SprtTest tests[2] = {patient(0, 200), patient(0, 100)};
    Sprt one, two;
    (void)state;

    sprt_init(&one, &tests[0], CHALLENGER);
    sprt_init(&two, &tests[1], CHALLENGER);
    for (uint64_t i = 0; i < 80; i++) {
        Outcome outcome = game_of(i, i % 2 ? ROLE_VILLAGER : ROLE_WEREWOLF, i % 3 == 0);
        add(&one, &outcome);
        for (SeatNo seat = 2; seat <= 5; seat++) /* a companion on its side is the challenger too */
            if (outcome_sign(outcome.roles[seat]) == outcome_sign(outcome.roles[1])) {
                outcome.agents[seat] = CHALLENGER;
                break;
            }
        add(&two, &outcome);
    }
    sprt_end_set(&one);
    sprt_end_set(&two);
    assert_true(fabs(one.llr) > 0.1);
    assert_near(one.llr, two.llr, 1e-9);
}

/* ---- sets, ends, limits ---- */

static void strong_evidence_decides_before_the_thirtieth_set(void **state)
{
    SprtTest test = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    for (uint64_t set = 0; set < 12 && sprt.state == SPRT_CONTINUE; set++) {
        for (int i = 0; i < 200; i++) { /* 7 of 10 on either side */
            Outcome outcome = i % 2 ? game_of(set, ROLE_SEER, i % 20 < 14)
                                    : game_of(set, ROLE_WEREWOLF, i % 20 >= 14);
            add(&sprt, &outcome);
        }
        sprt_end_set(&sprt);
        assert_true(sprt.sets >= SPRT_SETS_MIN || sprt.state == SPRT_CONTINUE);
    }
    assert_int_equal(sprt.state, SPRT_ACCEPT_H1);
    assert_true(sprt.sets < 12);
}

static void the_spread_of_few_sets_is_taken_for_large(void **state)
{
    SprtTest test = patient(0, 400);
    Sprt sprt;
    double before = HUGE_VAL;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    for (uint64_t set = 0; set < 40; set++) { /* every set the same: a spread of 1 */
        for (int i = 0; i < 8; i++) {
            Outcome outcome =
                i < 4 ? game_of(set, ROLE_SEER, i < 3) : game_of(set, ROLE_WEREWOLF, i < 5);
            add(&sprt, &outcome);
        }
        sprt_end_set(&sprt);
        if (set > 0)
            assert_true(sprt.spread <= before);
        before = set > 0 ? sprt.spread : before;
        if (set == 9)
            assert_near(sprt.spread, 9 / 3.325, 0.02); /* chi-square's 5 % point with 9 degrees */
    }
    assert_near(sprt.spread, 1, 0);
}

/* Sets of 100 games in which the agent of seat 1 does well on both sides. */
static void add_sets(Sprt *sprt, uint16_t agent, int sets)
{
    for (int set = 0; set < sets; set++) {
        uint64_t number = sprt->set + 1;
        for (int i = 0; i < 100; i++) {
            Outcome outcome = i % 2 ? game_of(number, ROLE_SEER, i % 20 < 16)
                                    : game_of(number, ROLE_WEREWOLF, i % 20 >= 16);
            outcome.agents[1] = agent;
            add(sprt, &outcome);
        }
        sprt_end_set(sprt);
    }
}

static void sets_without_the_challenger_decide_nothing(void **state)
{
    SprtTest test = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
    SprtEstimate estimate;
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    add_sets(&sprt, OTHER, 40);
    for (int i = 1; i < SPRT_SETS_MIN; i++) {
        add_sets(&sprt, CHALLENGER, 1);
        assert_int_equal(sprt.state, SPRT_CONTINUE);
        assert_int_equal(sprt.sets_with, i);
        assert_false(sprt_estimate(&sprt, &estimate));
    }
    add_sets(&sprt, CHALLENGER, 20);
    assert_int_equal(sprt.state, SPRT_ACCEPT_H1);
    assert_true(sprt_estimate(&sprt, &estimate));
}

/* 30 of 40 with it and 10 of 40 against it: odds of 3, and 1/3. */
static void the_end_gives_points_with_their_interval(void **state)
{
    SprtTest test = patient(0, 60);
    SprtEstimate estimate;
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    assert_false(sprt_estimate(&sprt, &estimate));
    add_games(&sprt, ROLE_SEER, 30, 40);
    add_games(&sprt, ROLE_WEREWOLF, 10, 40);
    assert_true(sprt_estimate(&sprt, &estimate));
    assert_near(estimate.elo, 400 * log10(3), 0.1);
    /* Fisher's information of 80 games at a rate of 3/4, in points. */
    double error = STRENGTH_ELO / sqrt(80 * 0.75 * 0.25) * sqrt(sprt.spread);
    assert_near(estimate.high - estimate.elo, 1.96 * error, 0.5);
    assert_near(estimate.elo - estimate.low, 1.96 * error, 0.5);
    assert_true(estimate.superiority > 0.999);
    sprt_init(&sprt, &test, CHALLENGER);
    add_games(&sprt, ROLE_SEER, 20, 40);
    add_games(&sprt, ROLE_WEREWOLF, 20, 40);
    assert_true(sprt_estimate(&sprt, &estimate));
    assert_near(estimate.superiority, 0.5, 0.001);
}

static void what_is_decided_stays_so(void **state)
{
    SprtTest test = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    while (sprt.state == SPRT_CONTINUE) {
        add_games(&sprt, ROLE_SEER, 0, 1); /* it always loses */
        add_games(&sprt, ROLE_WEREWOLF, 1, 1);
    }
    assert_int_equal(sprt.state, SPRT_ACCEPT_H0);
    Sprt before = sprt;
    add_games(&sprt, ROLE_SEER, 100, 100);
    assert_memory_equal(&sprt, &before, sizeof(sprt));
}

static void games_that_neither_side_won_are_left_out_and_counted(void **state)
{
    SprtTest test = patient(0, 400);
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    for (uint64_t set = 0; set < 3; set++) {
        Outcome outcome = game_of(set, ROLE_SEER, true);
        outcome.winner = set == 1 ? SIDE_OTHERS : SIDE_NONE;
        add(&sprt, &outcome);
        assert_int_equal(sprt_end_set(&sprt), SPRT_CONTINUE);
    }
    assert_int_equal(sprt.left_out, 3);
    assert_int_equal(sprt.sets, 0);
    assert_int_equal(sprt.games, 0);
}

static void games_against_the_rules_are_refused(void **state)
{
    SprtTest test = sprt_test_usual();
    Outcome outcome = game_of(5, ROLE_SEER, true);
    Err err = {0};
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, CHALLENGER);
    add(&sprt, &outcome);
    outcome.set = 4;
    assert_int_equal(sprt_add_game(&sprt, &outcome, &err), ERR_RULE);
    assert_string_equal(err.msg, "sprt: a game of set 4 behind one of set 5");
    outcome.set = 6;
    outcome.roles[3] = ROLE_NONE;
    assert_int_equal(sprt_add_game(&sprt, &outcome, NULL), ERR_RULE);
    assert_int_equal(sprt_end_set(&sprt), SPRT_CONTINUE);
    assert_int_equal(sprt.games, 1);
}

static void too_many_kinds_of_games_are_refused(void **state)
{
    SprtTest test = sprt_test_usual();
    Outcome outcome = {.winner = SIDE_VILLAGER, .roles = {0, ROLE_WEREWOLF}};
    Err err = {0};
    Sprt sprt;
    (void)state;

    sprt_init(&sprt, &test, OTHER);
    for (SeatNo seats = 2; seats <= 2 + SPRT_CELLS_MAX; seats++) {
        outcome.seat_count = seats;
        outcome.roles[seats] = ROLE_VILLAGER;
        assert_int_equal(sprt_add_game(&sprt, &outcome, &err),
                         seats < 2 + SPRT_CELLS_MAX ? 0 : ERR_LIMIT);
    }
    assert_non_null(strstr(err.msg, "more than 16 combinations"));
    sprt_end_set(&sprt);
    assert_int_equal(sprt.games, SPRT_CELLS_MAX);
}

/* ---- error rates ---- */

static double uniform(Rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

/* What is true of a simulated table of 15, and what is tested there. */
typedef struct Truth {
    double elo;    /* of the challenger */
    double elo1;   /* H1; H0 is 0 */
    double day;    /* good and bad days: so much more or less for a whole set */
    int set_games; /* in a set */
    bool untold;   /* the test is told that each game is a set */
    uint32_t away; /* of so many sets it sits in one; 0 = in all */
} Truth;

/* The village wins 1 of 5 games among average agents; each side's other agents add chance. */
static Outcome played(Rng *rng, uint64_t set, double elo, bool away)
{
    static const Role roles[] = {ROLE_NONE,      ROLE_WEREWOLF, ROLE_WEREWOLF, ROLE_WEREWOLF,
                                 ROLE_POSSESSED, ROLE_SEER,     ROLE_MEDIUM,   ROLE_VILLAGER,
                                 ROLE_BODYGUARD, ROLE_VILLAGER, ROLE_VILLAGER, ROLE_VILLAGER,
                                 ROLE_VILLAGER,  ROLE_VILLAGER, ROLE_VILLAGER, ROLE_VILLAGER};
    Outcome outcome = {.set = set, .seat_count = 15};
    double t = -log(4);

    for (SeatNo seat = 1; seat <= 15; seat++) {
        outcome.roles[seat] = roles[seat];
        outcome.agents[seat] = OTHER;
        t += outcome_sign(roles[seat]) * (rng_below(rng, 2) ? 0.05 : -0.05);
    }
    SeatNo seat = (SeatNo)(1 + rng_below(rng, 15));
    if (!away) {
        outcome.agents[seat] = CHALLENGER;
        t += outcome_sign(roles[seat]) * elo / STRENGTH_ELO;
    }
    outcome.winner = uniform(rng) < 1 / (1 + exp(-t)) ? SIDE_VILLAGER : SIDE_WEREWOLF;
    return outcome;
}

/* Plays one test to its end. */
static SprtState simulate(const SprtTest *test, Truth truth, Rng *rng, uint64_t *games)
{
    uint64_t set = 0;
    Sprt sprt;

    sprt_init(&sprt, test, CHALLENGER);
    while (sprt.state == SPRT_CONTINUE) {
        double elo = truth.elo + (rng_below(rng, 2) ? truth.day : -truth.day);
        bool away = truth.away && rng_below(rng, truth.away) > 0;
        for (int i = 0; i < truth.set_games; i++) {
            Outcome outcome = played(rng, set, elo, away);
            add(&sprt, &outcome);
            set += truth.untold;
        }
        set++;
        sprt_end_set(&sprt);
    }
    *games += sprt.games;
    return sprt.state;
}

/* How many of 400 tests accept H1. */
static int accepted(Truth truth, uint64_t seed)
{
    SprtTest test = {.elo0 = 0, .elo1 = truth.elo1, .alpha = 0.05, .beta = 0.05};
    Rng rng = rng_new(seed);
    uint64_t games = 0;
    int count = 0;

    for (int i = 0; i < 400; i++)
        count += simulate(&test, truth, &rng, &games) == SPRT_ACCEPT_H1;
    print_message(
        "%3g points of %g, days of %g, sets of %d%s, in 1 of %u: H1 %d of 400, %.0f games "
        "each\n",
        truth.elo, truth.elo1, truth.day, truth.set_games, truth.untold ? " untold" : "",
        truth.away ? truth.away : 1, count, (double)games / 400);
    return count;
}

/* 20 of 400 are expected, 33 would be three standard errors more. */
static void of_tests_with_a_challenger_as_good_as_the_others_alpha_accept_h1(void **state)
{
    (void)state;
    assert_in_range(accepted((Truth){.elo = 0, .elo1 = 100, .set_games = 1}, 1), 7, 33);
}

static void of_tests_with_a_better_challenger_beta_accept_h0(void **state)
{
    (void)state;
    assert_in_range(400 - accepted((Truth){.elo = 100, .elo1 = 100, .set_games = 1}, 2), 7, 33);
}

static void good_and_bad_days_do_not_make_more_errors(void **state)
{
    Truth truth = {.elo = 0, .elo1 = 50, .day = 100, .set_games = 20};
    (void)state;

    assert_in_range(accepted(truth, 3), 7, 33);
    truth.elo = 50;
    assert_in_range(400 - accepted(truth, 4), 7, 33);
}

/* With long sets a test ends after a few of them, when the spread is hardly known. */
static void few_long_sets_do_not_make_more_errors(void **state)
{
    Truth truth = {.elo = 0, .elo1 = 100, .day = 60, .set_games = 100};
    (void)state;

    assert_in_range(accepted(truth, 5), 0, 33);
    truth.elo = 100;
    assert_in_range(400 - accepted(truth, 6), 0, 33);
    truth = (Truth){.elo = 0, .elo1 = 100, .set_games = 300};
    assert_in_range(accepted(truth, 7), 0, 33);
    truth.elo = 100;
    assert_in_range(400 - accepted(truth, 8), 0, 33);
}

/* With more agents than seats the challenger is missing in most sets; those tell nothing of how its
 * own differ. Counting them all, a test could end behind a set or two of its own. */
static void sets_without_the_challenger_do_not_make_more_errors(void **state)
{
    Truth truth = {.elo = 0, .elo1 = 50, .day = 100, .set_games = 100, .away = 4};
    (void)state;

    assert_in_range(accepted(truth, 9), 0, 33);
    truth.elo = 50;
    assert_in_range(400 - accepted(truth, 10), 0, 33);
    truth = (Truth){.elo = 0, .elo1 = 100, .set_games = 1, .away = 3};
    assert_in_range(accepted(truth, 11), 7, 33);
}

/* Why the test is told the sets. */
static void sets_taken_for_single_games_make_more_errors(void **state)
{
    Truth truth = {.elo = 0, .elo1 = 50, .day = 100, .set_games = 20, .untold = true};
    (void)state;

    assert_true(accepted(truth, 3) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_settings_are_read_in_any_order),
        cmocka_unit_test(settings_that_are_not_given_are_the_usual_ones),
        cmocka_unit_test(what_can_t_be_a_test_is_refused_and_says_why),
        cmocka_unit_test(the_bounds_are_walds),
        cmocka_unit_test(equal_sides_give_the_ratio_of_a_coin),
        cmocka_unit_test(an_unknown_base_rate_is_fitted_under_each_hypothesis),
        cmocka_unit_test(sets_that_end_alike_count_as_one_game),
        cmocka_unit_test(a_spread_under_one_is_taken_for_chance),
        cmocka_unit_test(a_village_that_always_wins_says_nothing),
        cmocka_unit_test(a_fixed_role_says_nothing_without_games_of_the_others),
        cmocka_unit_test(each_seat_of_the_challenger_counts),
        cmocka_unit_test(strong_evidence_decides_before_the_thirtieth_set),
        cmocka_unit_test(the_spread_of_few_sets_is_taken_for_large),
        cmocka_unit_test(sets_without_the_challenger_decide_nothing),
        cmocka_unit_test(the_end_gives_points_with_their_interval),
        cmocka_unit_test(what_is_decided_stays_so),
        cmocka_unit_test(games_that_neither_side_won_are_left_out_and_counted),
        cmocka_unit_test(games_against_the_rules_are_refused),
        cmocka_unit_test(too_many_kinds_of_games_are_refused),
        cmocka_unit_test(of_tests_with_a_challenger_as_good_as_the_others_alpha_accept_h1),
        cmocka_unit_test(of_tests_with_a_better_challenger_beta_accept_h0),
        cmocka_unit_test(good_and_bad_days_do_not_make_more_errors),
        cmocka_unit_test(few_long_sets_do_not_make_more_errors),
        cmocka_unit_test(sets_without_the_challenger_do_not_make_more_errors),
        cmocka_unit_test(sets_taken_for_single_games_make_more_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
