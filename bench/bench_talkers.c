/* bench_talkers.c - how often the village of talkers wins, and whether talking pays. `./dev bench
 * talkers`
 *
 * Usage: bench_talkers [GAMES [SEED [PLAYERS...]]]  games a cell, 10000 without it; tables of so
 *        many only, as parts of the whole that may be counted side by side
 * Method: sessions of 50 rounds by the rules of `warg maw` in simulated time, each with a seed of
 * its own, so that the same numbers give the same table. Shares have Wilson's 95 % interval.
 * Exit status 1: a bound of docs/spec/models.md 4.9 does not hold.
 */
#include "maw/maw_table.h"
#include "stats/win_rates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS   50
#define LEAST    0.35
#define MOST     0.55
#define SEER_AT  8
#define SEER_PAY 0.03

typedef struct Count {
    uint64_t villages;
    uint64_t games;
} Count;

static void play_session(MawBot bot, uint32_t players, int seers, uint64_t seed, Count *count)
{
    Ruleset rules;
    MawOptions options = maw_options_default();
    MawTable *table = NULL;
    Err err = {0};
    int rc = ruleset_preset(STR("maw"), &rules, &err);

    rules.seers = seers;
    options.players = players;
    options.rounds = ROUNDS;
    const MawTableSetup setup = {.rules = &rules,
                                 .options = options,
                                 .id = STR("bench"),
                                 .domain = STR("maw.localhost"),
                                 .chance = maw_chance_of_seed(seed),
                                 .pace = maw_pace(&rules, false)};
    rc = rc ? rc : maw_table_new(&setup, &table, &err);
    for (uint32_t i = 0; i < players && rc == 0; i++)
        rc = maw_table_add_bot(table, bot, &err);
    rc = rc ? rc : maw_table_play(table, &err);
    if (rc) {
        fprintf(stderr, "bench_talkers: %s\n", err.msg);
        exit(3);
    }
    const MawSession *session = maw_table_session(table);
    count->villages += maw_session_rounds_won(session, SIDE_VILLAGER);
    count->games += ROUNDS;
    maw_table_free(table);
}

static Interval measure_cell(const char *what, MawBot bot, uint32_t players, int seers,
                             uint64_t games, uint64_t seed)
{
    Count count = {0};

    for (uint64_t i = 0; count.games < games; i++)
        play_session(bot, players, seers, rng_derive(rng_derive(seed, players), i), &count);
    Interval interval = wilson_interval(count.villages, count.games, 1.96);
    printf("%-28s %7" PRIu32 " %5d %7" PRIu64 " %6.1f %%  %5.1f..%.1f\n", what, players, seers,
           count.games, 100 * interval.rate, 100 * interval.low, 100 * interval.high);
    fflush(stdout);
    return interval;
}

static bool is_between(Interval interval)
{
    return interval.rate >= LEAST && interval.rate <= MOST;
}

/* Whether the arguments want tables of so many players; without any, all. */
static bool is_wanted(uint32_t players, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (strtoul(argv[i], NULL, 10) == players)
            return true;
    return argc <= 3;
}

/* Talkers against random ones, on one side and the other: talking has to pay. */
static bool compare_sides(const Interval talkers[2], uint64_t games, uint64_t seed)
{
    bool good = talkers[1].rate - talkers[0].rate >= SEER_PAY;

    for (int seers = 0; seers < 2; seers++) {
        Interval wolves = measure_cell("talkers, random wolves", MAW_BOT_TALKING_VILLAGER, SEER_AT,
                                       seers, games, seed);
        Interval village = measure_cell("talking wolves, random rest", MAW_BOT_TALKING_WOLF,
                                        SEER_AT, seers, games, seed);
        good &= wolves.low > talkers[seers].high && village.high < talkers[seers].low;
    }
    return good;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {6, 8, 10, 12};
    uint64_t games = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    bool good = true;

    printf("%-28s players  seer   games  villages win\n", "table");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        Interval talkers[2];
        if (!is_wanted(sizes[i], argc, argv))
            continue;
        for (int seers = 0; seers < 2; seers++) {
            talkers[seers] = measure_cell("talkers", MAW_BOT_TALKER, sizes[i], seers, games, seed);
            good &= is_between(talkers[seers]);
        }
        if (sizes[i] == SEER_AT)
            good &= compare_sides(talkers, games, seed);
    }
    printf("%s\n", good ? "All bounds hold." : "A bound does not hold.");
    return good ? 0 : 1;
}
