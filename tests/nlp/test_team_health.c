#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/team_health.h"

#define MINUTE INT64_C(60000)

/* The defaults of the specification. */
static const ConfigHealth defaults = {.enable = true,
                                      .window = 20,
                                      .min_games = 3,
                                      .score_request_error = 1,
                                      .score_fatal = 3,
                                      .score_abort = 1,
                                      .weight_floor = 0.1,
                                      .quarantine_rate = 0.5,
                                      .quarantine_ms = 30 * MINUTE};

static const TeamGame good = {.requests = 10};
static const TeamGame bad = {.requests = 10, .request_errors = 10, .fatal = true, .aborted = true};

static TeamHealth *with(ConfigHealth config)
{
    TeamHealth *health = NULL;

    assert_int_equal(team_health_new(&config, &health, NULL), 0);
    return health;
}

static TeamStatus status_of(const TeamHealth *health, const char *team, int64_t now)
{
    TeamStatus status;

    assert_true(team_health_find(health, str_of(team), now, &status));
    return status;
}

static void assert_near(double is, double expected)
{
    if (is < expected - 1e-12 || is > expected + 1e-12)
        fail_msg("%.17g is not %.17g", is, expected);
}

/* e = 6 of 40, f = 1 of 4, a = 2 of 4: (0.15 + 3 * 0.25 + 0.5) / 5 = 0.28. */
static void the_rate_is_the_weighted_mean_of_three_shares(void **state)
{
    TeamHealth *health = with(defaults);
    const TeamGame games[] = {{.requests = 10},
                              {.requests = 10, .request_errors = 4, .fatal = true, .aborted = true},
                              {.requests = 5, .aborted = true},
                              {.requests = 15, .request_errors = 2}};
    (void)state;

    for (size_t i = 0; i < 4; i++)
        assert_false(team_health_end(health, STR("a"), &games[i], 0));
    TeamStatus status = status_of(health, "a", 0);
    assert_near(status.failure_rate, 0.28);
    assert_near(status.weight, 0.72);
    assert_near(team_health_weight(health, STR("a")), 0.72);
    assert_int_equal(status.games, 4);
    assert_int_equal(status.requests, 40);
    assert_int_equal(status.request_errors, 6);
    assert_int_equal(status.fatal_games, 1);
    assert_int_equal(status.aborted_games, 2);
    team_health_free(health);
}

/* Without requests: (3 * 1 + 1 * 0) / 4. */
static void without_requests_their_share_is_left_out(void **state)
{
    TeamHealth *health = with(defaults);
    const TeamGame silent = {.fatal = true};
    (void)state;

    team_health_end(health, STR("a"), &silent, 0);
    assert_near(status_of(health, "a", 0).failure_rate, 0.75);
    team_health_free(health);
}

static void below_min_games_the_weight_is_1_and_nobody_is_quarantined(void **state)
{
    TeamHealth *health = with(defaults);
    (void)state;

    assert_false(team_health_end(health, STR("a"), &bad, 0));
    assert_false(team_health_end(health, STR("a"), &bad, 0));
    assert_near(team_health_weight(health, STR("a")), 1);
    assert_true(team_health_end(health, STR("a"), &bad, 0));
    assert_near(team_health_weight(health, STR("a")), 0.1); /* the floor */
    team_health_free(health);
}

static void quarantine_is_not_extended_and_ends_by_itself(void **state)
{
    TeamHealth *health = with(defaults);
    (void)state;

    for (int i = 0; i < 2; i++)
        team_health_end(health, STR("a"), &bad, 0);
    assert_true(team_health_end(health, STR("a"), &bad, MINUTE));
    assert_false(team_health_end(health, STR("a"), &bad, 10 * MINUTE));
    assert_true(team_health_quarantined(health, STR("a"), 31 * MINUTE - 1));
    assert_int_equal(status_of(health, "a", 31 * MINUTE - 1).quarantined_until_ms, 31 * MINUTE);
    assert_false(team_health_quarantined(health, STR("a"), 31 * MINUTE));
    assert_int_equal(status_of(health, "a", 31 * MINUTE).quarantined_until_ms, 0);
    assert_true(team_health_end(health, STR("a"), &bad, 31 * MINUTE));
    assert_int_equal(status_of(health, "a", 31 * MINUTE).quarantine_count, 2);
    team_health_free(health);
}

/* (1 * 0 + 3 * 0.5 + 1 * 1) / 5 = 0.5 exactly. */
static void a_rate_of_exactly_the_limit_is_no_quarantine(void **state)
{
    TeamHealth *health = with(defaults);
    const TeamGame half = {.requests = 4, .fatal = true, .aborted = true};
    const TeamGame other = {.requests = 4, .aborted = true};
    (void)state;

    team_health_end(health, STR("a"), &half, 0);
    team_health_end(health, STR("a"), &other, 0);
    team_health_end(health, STR("a"), &other, 0);
    assert_false(team_health_end(health, STR("a"), &half, 0));
    assert_near(status_of(health, "a", 0).failure_rate, 0.5);
    team_health_free(health);
}

static void only_the_window_counts_for_the_rate_and_all_for_the_totals(void **state)
{
    ConfigHealth config = defaults;
    (void)state;

    config.window = 4;
    TeamHealth *health = with(config);
    for (int i = 0; i < 7; i++)
        team_health_end(health, STR("a"), &bad, 0);
    for (int i = 0; i < 3; i++)
        team_health_end(health, STR("a"), &good, 0);
    assert_near(status_of(health, "a", 0).failure_rate, 0.25);
    team_health_end(health, STR("a"), &good, 0);
    assert_near(status_of(health, "a", 0).failure_rate, 0);
    assert_int_equal(status_of(health, "a", 0).games, 11);
    assert_int_equal(status_of(health, "a", 0).fatal_games, 7);
    team_health_free(health);
}

static void when_it_is_off_games_are_counted_and_nothing_follows(void **state)
{
    ConfigHealth config = defaults;
    (void)state;

    config.enable = false;
    TeamHealth *health = with(config);
    for (int i = 0; i < 5; i++)
        assert_false(team_health_end(health, STR("a"), &bad, 0));
    assert_near(team_health_weight(health, STR("a")), 1);
    assert_false(team_health_quarantined(health, STR("a"), 0));
    assert_int_equal(status_of(health, "a", 0).games, 5);
    team_health_free(health);
}

static void scores_of_zero_make_no_rate(void **state)
{
    ConfigHealth config = defaults;
    (void)state;

    config.score_request_error = config.score_fatal = config.score_abort = 0;
    config.window = 0;
    TeamHealth *health = with(config);
    for (int i = 0; i < 5; i++)
        assert_false(team_health_end(health, STR("a"), &bad, 0));
    assert_near(team_health_weight(health, STR("a")), 1);
    team_health_free(health);
}

static void teams_are_listed_by_name_with_what_they_do_now(void **state)
{
    TeamHealth *health = with(defaults);
    TeamStatus status;
    (void)state;

    team_health_seen(health, STR("b"), 5);
    team_health_seen(health, STR("a%"), 6);
    team_health_seen(health, STR("a"), 7);
    team_health_seen(health, STR(""), 8);
    team_health_begin(health, STR("a"));
    team_health_begin(health, STR("a"));
    team_health_end(health, STR("a"), &good, 9);
    static const char *const names[] = {"", "a", "a%", "b"};
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(team_health_at(health, i, 9, &status));
        assert_true(str_eq(status.name, str_of(names[i])));
    }
    assert_false(team_health_at(health, 4, 9, &status));
    assert_false(team_health_find(health, STR("c"), 9, &status));
    status = status_of(health, "a", 9);
    assert_int_equal(status.active_games, 1);
    assert_int_equal(status.last_seen_ms, 7);
    assert_near(team_health_weight(health, STR("c")), 1);
    team_health_free(health);
}

/* Whoever comes with ever new names can't fill the memory. */
static void too_many_teams_are_not_known(void **state)
{
    TeamHealth *health = with(defaults);
    TeamStatus status;
    char name[16];
    (void)state;

    for (unsigned i = 0; i < 10001; i++) {
        snprintf(name, sizeof(name), "t%ux", i);
        team_health_seen(health, str_of(name), 1);
    }
    assert_true(team_health_at(health, 9999, 1, &status));
    assert_false(team_health_at(health, 10000, 1, &status));
    assert_false(team_health_end(health, str_of(name), &bad, 1));
    team_health_free(health);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_is_the_weighted_mean_of_three_shares),
        cmocka_unit_test(without_requests_their_share_is_left_out),
        cmocka_unit_test(below_min_games_the_weight_is_1_and_nobody_is_quarantined),
        cmocka_unit_test(quarantine_is_not_extended_and_ends_by_itself),
        cmocka_unit_test(a_rate_of_exactly_the_limit_is_no_quarantine),
        cmocka_unit_test(only_the_window_counts_for_the_rate_and_all_for_the_totals),
        cmocka_unit_test(when_it_is_off_games_are_counted_and_nothing_follows),
        cmocka_unit_test(scores_of_zero_make_no_rate),
        cmocka_unit_test(teams_are_listed_by_name_with_what_they_do_now),
        cmocka_unit_test(too_many_teams_are_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
