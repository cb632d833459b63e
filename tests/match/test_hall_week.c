/* test_hall_week.c - a week of contests in simulated time, in which everything goes wrong: programs
 * that don't come, come late, are silent, speak unasked, end; others at their ports; agents that
 * come by themselves and go; a full disk; kills. Tables of 5 and of 15, each way of taking faults.
 *
 * Every game is kept once, none is missing at the end, nobody who did nothing wrong has a fault,
 * nothing is left of a hall that is gone, and each game is played again from its exchange record.
 * WARG_WEEK_SEED=n plays another week. */
#include "match/hall_sim.h"
#include "sanitized.h"

#define WEEK      (7 * 86400 * SIM_SECOND)
#define GAME_MOST (24 * 3600 * SIM_SECOND) /* nothing takes longer than that from game to game */

typedef struct Week {
    TimeUs played;
    uint64_t contests;
    uint64_t games;
    uint64_t lost;
    uint64_t kills;
    uint64_t ends; /* of a hall whose game could not be kept */
    uint64_t fatal;
    uint64_t strangers;
    uint64_t connected;
    uint64_t lapses[EXCHANGE_ENDED + 1];
    uint64_t not_text;
    uint64_t packets;
} Week;

static uint64_t week_seed(void)
{
    uint64_t seed;

    return str_to_uint(str_of(getenv("WARG_WEEK_SEED")), UINT64_MAX, &seed) ? seed : 1;
}

static bool is_played(const Sim *sim)
{
    const PlanStage *stage = &sim->plan.stages[0];
    const bool forfeits = sim->plan.on_fault == ON_FAULT_FORFEIT_SET;

    for (uint64_t set = 0; set < stage->sets; set++) {
        const PlayedSet *before = played_set(&sim->played, set);
        if (!before ||
            (before->games < (uint32_t)stage->games_per_set && !(forfeits && before->failed)))
            return false;
    }
    return true;
}

/* One hall, until it is over or killed. */
static void play_life(Week *week, Sim *sim, bool serve)
{
    TimeUs killed_at = sim->now + sim_time(sim, 60 * SIM_SECOND, 5400 * SIM_SECOND);
    Err err = {0};

    sim_begin(sim, serve);
    while (!sim->over && sim->now < killed_at) {
        sim_step(sim);
        assert_true(sim->now - sim->kept_at < GAME_MOST);
    }
    if (!sim->over)
        week->kills++;
    else if (hall_result(sim->hall, NULL, &err)) {
        if (strcmp(err.msg, "the disk is full") != 0)
            fail_msg("the hall has ended: %s", err.msg);
        week->ends++;
    } else
        assert_true(is_played(sim));
    sim_kill(sim);
    sim->now += sim_time(sim, SIM_SECOND, 600 * SIM_SECOND);
}

static void play_contest(Week *week, uint64_t seed)
{
    Sim sim;
    Rng rng = rng_new(seed);
    const int32_t players = rng_below(&rng, 3) ? 5 : 15;
    const bool serve = rng_below(&rng, 2);
    char name[24];

    sim_open(&sim, seed, players, 3 + rng_below(&rng, 6));
    sim.trouble = 2 + rng_below(&rng, 12);
    sim.full = rng_below(&rng, 60);
    sim.finds = true; /* what records count of it is what was told, or sim_finished fails */
    sim.plan.on_fault = (OnFault)rng_below(&rng, ON_FAULT_COUNT);
    for (int32_t i = 0; i < (serve ? 2 : players); i++) {
        snprintf(name, sizeof(name), "%s%d", i % 3 ? "bad" : "good", (int)i);
        sim_agent(&sim, name, i > 0 || !serve);
    }
    for (int32_t i = 0; serve && i < players + 2; i++) {
        snprintf(name, sizeof(name), "%s guest %d", i % 3 ? "bad" : "good", (int)i);
        sim_visitor(&sim, name);
    }
    sim.kept_at = sim.now;
    while (!is_played(&sim))
        play_life(week, &sim, serve);
    week->contests++;
    week->played += sim.now;
    week->games += sim.games;
    week->lost += sim.lost;
    week->fatal += sim.fatal;
    week->strangers += sim.strangers;
    week->connected += sim.connected;
    for (size_t i = 0; i <= EXCHANGE_ENDED; i++)
        week->lapses[i] += sim.lapses[i];
    week->not_text += sim.not_text;
    week->packets += sim.packets;
    sim_close(&sim);
}

static void every_game_is_kept_once_and_nobody_is_blamed_for_others(void **state)
{
    const TimeUs whole = SANITIZED ? WEEK / 7 : WEEK;
    Week week = {0};

    (void)state;
    for (uint64_t number = 0; week.played < whole; number++)
        play_contest(&week, rng_derive(week_seed(), number));
    printf("%.1f days, %" PRIu64 " contests, %" PRIu64 " games kept, %" PRIu64 " not, %" PRIu64
           " kills, %" PRIu64 " halls ended by a full disk, %" PRIu64 " agents failed, %" PRIu64
           " strangers, %" PRIu64 " connections\n",
           (double)week.played / 86400e6, week.contests, week.games, week.lost, week.kills,
           week.ends, week.fatal, week.strangers, week.connected);
    assert_true(week.lost > 0 && week.kills > 0 && week.ends > 0 && week.fatal > 0);
    assert_true(week.strangers > 0);
    printf("asks played again: %" PRIu64 " answers (%" PRIu64 " no text), %" PRIu64
           " faults, %" PRIu64 " of who had failed, %" PRIu64 " cut off by the end; %" PRIu64
           " packets made again\n",
           week.lapses[EXCHANGE_ANSWERED], week.not_text, week.lapses[EXCHANGE_FAULT],
           week.lapses[EXCHANGE_OUT], week.lapses[EXCHANGE_ENDED], week.packets);
    assert_true(week.packets > 1000);
    assert_true(week.not_text > 0 && week.lapses[EXCHANGE_FAULT] > 0);
    assert_true(week.lapses[EXCHANGE_OUT] > 0 && week.lapses[EXCHANGE_ENDED] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_is_kept_once_and_nobody_is_blamed_for_others),
    };

    return cmocka_run_group_tests_name("a week of the protocol division", tests, NULL, NULL);
}
