#include "prop.h"

#include "base/mem.h"
#include "nlp/schedule.h"

static const HistoryPlan five = {
    .role_counts =
        {[ROLE_POSSESSED] = 1, [ROLE_SEER] = 1, [ROLE_VILLAGER] = 2, [ROLE_WEREWOLF] = 1},
    .team_count = 8,
    .game_count = 30};

static const HistoryPlan thirteen = {.role_counts = {[ROLE_BODYGUARD] = 1,
                                                     [ROLE_MEDIUM] = 1,
                                                     [ROLE_POSSESSED] = 1,
                                                     [ROLE_SEER] = 1,
                                                     [ROLE_VILLAGER] = 6,
                                                     [ROLE_WEREWOLF] = 3},
                                     .team_count = 20,
                                     .game_count = 100};

static HistoryMatch *draw(const HistoryPlan *plan, uint64_t seed)
{
    Rng rng = rng_new(seed);
    HistoryMatch *matches = mem_new((plan->game_count + 1) * sizeof(*matches));

    assert_non_null(matches);
    assert_int_equal(schedule_draw(plan, &rng, matches, NULL), 0);
    return matches;
}

/* The role pack, teams in range, none twice, sorted. */
static bool legal(const HistoryPlan *plan, const HistoryMatch *match)
{
    uint8_t roles[ROLE_COUNT] = {0};
    bool seen[HISTORY_TEAMS_MAX] = {false};

    if (match->count != schedule_seats(plan) || match->weight != 1)
        return false;
    for (unsigned i = 0; i < match->count; i++) {
        if (match->teams[i] >= plan->team_count || seen[match->teams[i]])
            return false;
        seen[match->teams[i]] = true;
        roles[match->roles[i]]++;
        if (i &&
            (match->roles[i] < match->roles[i - 1] ||
             (match->roles[i] == match->roles[i - 1] && match->teams[i] < match->teams[i - 1])))
            return false;
    }
    return memcmp(roles, plan->role_counts, sizeof(roles)) == 0;
}

static bool even(const HistoryPlan *plan, const HistoryMatch *matches)
{
    uint32_t games[HISTORY_TEAMS_MAX] = {0};
    uint32_t each = (uint32_t)schedule_seats(plan) * plan->game_count / plan->team_count;

    for (uint32_t i = 0; i < plan->game_count; i++)
        for (unsigned seat = 0; seat < matches[i].count; seat++)
            games[matches[i].teams[seat]]++;
    for (uint32_t team = 0; team < plan->team_count; team++)
        if (games[team] != each && games[team] != each + 1)
            return false;
    return true;
}

/* No team is more than 2 games off its share of a role: in fact nearly all are within 1. */
static bool roles_are_even(const HistoryPlan *plan, const HistoryMatch *matches)
{
    uint32_t played[HISTORY_TEAMS_MAX][ROLE_COUNT] = {{0}};

    for (uint32_t i = 0; i < plan->game_count; i++)
        for (unsigned seat = 0; seat < matches[i].count; seat++)
            played[matches[i].teams[seat]][matches[i].roles[seat]]++;
    for (uint32_t team = 0; team < plan->team_count; team++) {
        for (unsigned role = 1; role < ROLE_COUNT; role++) {
            int64_t off = (int64_t)played[team][role] * plan->team_count -
                          (int64_t)plan->role_counts[role] * plan->game_count;
            if (off > 2 * (int64_t)plan->team_count || off < -2 * (int64_t)plan->team_count)
                return false;
        }
    }
    return true;
}

static bool every_match_is_legal_and_the_whole_even(Rng *rng, unsigned size)
{
    HistoryPlan plan = {.game_count = rng_below(rng, 2 * size)};
    unsigned left = 1 + rng_below(rng, size < SEAT_MAX ? size : SEAT_MAX);

    for (; left; left--)
        plan.role_counts[1 + rng_below(rng, ROLE_COUNT - 1)]++;
    plan.team_count = schedule_seats(&plan) + rng_below(rng, 20);
    CLEANUP(mem_freep) HistoryMatch *matches = mem_new((plan.game_count + 1) * sizeof(*matches));
    if (!matches || schedule_draw(&plan, rng, matches, NULL))
        return false;
    for (uint32_t i = 0; i < plan.game_count; i++)
        if (!legal(&plan, &matches[i]))
            return false;
    return even(&plan, matches) && roles_are_even(&plan, matches) &&
           schedule_unevenness(&plan, matches) >= schedule_least(&plan);
}

static void every_schedule_is_legal_and_even(void **state)
{
    (void)state;
    prop_check(every_match_is_legal_and_the_whole_even, 200, 40);
}

static void the_usual_contests_are_as_even_as_can_be(void **state)
{
    const HistoryPlan *plans[] = {&five, &thirteen};
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        CLEANUP(mem_freep) HistoryMatch *matches = draw(plans[i], 7);
        assert_int_equal(schedule_unevenness(plans[i], matches), schedule_least(plans[i]));
    }
    assert_int_equal(schedule_least(&thirteen), 0);
}

static void the_same_seed_gives_the_same_schedule(void **state)
{
    CLEANUP(mem_freep) HistoryMatch *first = draw(&five, 3);
    CLEANUP(mem_freep) HistoryMatch *second = draw(&five, 3);
    CLEANUP(mem_freep) HistoryMatch *other = draw(&five, 4);
    size_t bytes = five.game_count * sizeof(*first);
    (void)state;

    assert_memory_equal(first, second, bytes);
    assert_int_not_equal(memcmp(first, other, bytes), 0);
}

/* On every machine: this one's numbers, written down. */
static void a_seed_gives_these_teams(void **state)
{
    static const uint16_t expected[] = {7, 0, 1, 2, 4};
    CLEANUP(mem_freep) HistoryMatch *matches = draw(&five, 1);
    (void)state;

    assert_memory_equal(matches[0].teams, expected, sizeof(expected));
}

static void a_team_that_is_one_of_as_many_as_seats_plays_always(void **state)
{
    HistoryPlan plan = five;
    (void)state;

    plan.team_count = 5;
    CLEANUP(mem_freep) HistoryMatch *matches = draw(&plan, 1);
    assert_int_equal(schedule_unevenness(&plan, matches), 0);
}

static void fewer_teams_than_seats_are_refused(void **state)
{
    HistoryPlan plan = five;
    Rng rng = rng_new(1);
    Err err = {0};
    (void)state;

    plan.team_count = 4;
    assert_int_equal(schedule_draw(&plan, &rng, NULL, &err), ERR_RULE);
    assert_string_equal(err.msg, "schedule: a match has 5 seats, each for another team, and there "
                                 "are only 4 teams");
}

static void a_plan_without_seats_or_with_too_much_is_refused(void **state)
{
    HistoryPlan none = {.team_count = 5, .game_count = 1};
    HistoryPlan teams = five, games = five, seats = five;
    (void)state;

    teams.team_count = HISTORY_TEAMS_MAX + 1;
    games.game_count = HISTORY_MATCHES_MAX + 1;
    seats.role_counts[ROLE_VILLAGER] = 200;
    assert_int_equal(schedule_check(&none, NULL), ERR_RULE);
    assert_int_equal(schedule_check(&teams, NULL), ERR_RULE);
    assert_int_equal(schedule_check(&games, NULL), ERR_RULE);
    assert_int_equal(schedule_check(&seats, NULL), ERR_RULE);
    assert_int_equal(schedule_check(&five, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_is_legal_and_even),
        cmocka_unit_test(the_usual_contests_are_as_even_as_can_be),
        cmocka_unit_test(the_same_seed_gives_the_same_schedule),
        cmocka_unit_test(a_seed_gives_these_teams),
        cmocka_unit_test(a_team_that_is_one_of_as_many_as_seats_plays_always),
        cmocka_unit_test(fewer_teams_than_seats_are_refused),
        cmocka_unit_test(a_plan_without_seats_or_with_too_much_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
