/* bench_games.c - whole games in process: the engine with bots that cost nothing, and with bots
 * that talk, with logs on disk, and on two threads.
 *
 * Usage: bench_games                        all figures, for people
 *        bench_games count BOT PLAYERS N    plays N games and prints how many asks that were;
 *                                           ./dev bench counts its instructions with callgrind
 * Method: CPU time of one thread, best of ROUNDS rounds (the machine can only make a round slower)
 * with the median beside it; the two-thread figure is wall time, median of paired rounds, one
 * thread and two in turn.
 */
#include "disk/log_file.h"
#include "match/draw_chance.h"
#include "match/threads.h"
#include "net/loop.h"
#include "referee/referee.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 25

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int fail(const Err *err)
{
    fprintf(stderr, "bench_games: %s\n", err->msg);
    return 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Ascending; the best is the first, the median in the middle. */
static void sort_rounds(double rounds[static ROUNDS])
{
    qsort(rounds, ROUNDS, sizeof(rounds[0]), compare);
}

static int make_referee(const char *bot, int32_t players, Referee **ret_referee, Err *err)
{
    const BotKind *kinds[SEAT_MAX + 1] = {0};
    Ruleset rules;
    int rc = ruleset_preset(STR("aiwolf-2021"), &rules, err);

    for (int32_t seat = 1; seat <= players; seat++)
        kinds[seat] = bot_kind(str_of(bot));
    if (rc == 0 && !kinds[1])
        rc = err_set(err, ERR_USAGE, "no bot is called '%s'", bot);
    return rc ? rc : referee_new(&rules, players, kinds, ret_referee, err);
}

static int play(Referee *referee, uint64_t games, Err *err)
{
    const Key key = key_of_seed(1);
    const KeyRoot root = key_root(&key);
    int rc = 0;

    for (uint64_t game = 0; game < games && rc == 0; game++) {
        const GameKey of_game = {.key = key_derive_item(&root, STR("game"), 0, game)};
        rc = referee_play(referee, NULL, &of_game, NULL, err);
    }
    return rc;
}

/* One draw behind an indirect call: what an ask costs at the very least. */
static double floor_ns(void)
{
    uint64_t (*volatile next)(Rng * rng) = rng_next;
    Rng rng = rng_new(1);
    double best = 1;
    uint64_t sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < 1000000; i++)
            sum += next(&rng);
        double took = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = took < best ? took : best;
    }
    return sum ? best * 1e9 / 1000000 : 0;
}

static int bench_engine(const char *bot, int32_t players, uint64_t games, double floor, Err *err)
{
    CLEANUP(referee_freep) Referee *referee = NULL;
    double took[ROUNDS] = {0};
    uint64_t asks = 0;
    int rc = make_referee(bot, players, &referee, err);

    for (int round = 0; round < ROUNDS && rc == 0; round++) {
        uint64_t before = referee_asks(referee);
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        rc = play(referee, games, err);
        took[round] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        asks = referee_asks(referee) - before;
    }
    if (rc)
        return rc;
    sort_rounds(took);
    double ns_per_ask = took[0] * 1e9 / (double)asks;
    printf(
        "%-7s bots, %2d players         %8.0f games/s (median %.0f)  %.0f ns/ask, %.1f asks/game, "
        "%.0f times the floor\n",
        bot, (int)players, (double)games / took[0], (double)games / took[ROUNDS / 2], ns_per_ask,
        (double)asks / (double)games, ns_per_ask / floor);
    return 0;
}

/* ---- sets ---- */

static int write_log(void *user, const GameRecord *record, Str log, Err *err)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%05u.log", (const char *)user, (unsigned)record->game);
    return log_file_write(path, log, err);
}

static int make_plan(const char *bot, int32_t players, uint64_t games, Plan *plan, Err *err)
{
    PlanAgent agent = {.bot = bot_kind(str_of(bot))};
    int rc = plan_init(plan, err);
    PlanStage stage = plan_default_stage(plan);

    stage.players = players;
    stage.games = games;
    stage.sets = (games + (uint64_t)stage.games_per_set - 1) / (uint64_t)stage.games_per_set;
    plan->seed = 1;
    if (rc == 0)
        rc = plan_agent_name(&agent, str_of(bot), err);
    for (int32_t i = 0; i < players && rc == 0; i++)
        rc = plan_add_agent(plan, &agent, err);
    return rc ? rc : plan_add_stage(plan, &stage, err);
}

static StageRun run_of(const Plan *plan)
{
    return (StageRun){.date = loop_date_ms,
                      .plan = plan,
                      .agents = plan->agents,
                      .draw = draw_of_plan(plan, 0, 0, plan->agent_count)};
}

static int time_set(const StageRun *run, uint32_t jobs, clockid_t clock, double *ret_took, Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};
    double start = seconds(clock);
    int rc = threads_play(run, jobs, &standings, err);

    *ret_took = seconds(clock) - start;
    return rc;
}

static void remove_logs(const char *directory)
{
    char path[512];
    DIR *open = opendir(directory);

    for (struct dirent *entry; open && (entry = readdir(open));) {
        snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        unlink(path);
    }
    if (open)
        closedir(open);
    rmdir(directory);
}

/* Every round has a new folder: replacing a file costs several times as much as making one, and
 * ext4 is slow to make files for some seconds after others were removed. So all go at the end. */
static int bench_logged(const char *bot, int32_t players, uint64_t games, Err *err)
{
    char directories[ROUNDS][32];
    CLEANUP(plan_done) Plan plan = {0};
    double took[ROUNDS] = {0};
    int made = 0;
    int rc = make_plan(bot, players, games, &plan, err);
    StageRun run = run_of(&plan);

    run.logs = true;
    run.finished = write_log;
    for (int round = 0; round < ROUNDS && rc == 0; round++) {
        snprintf(directories[round], sizeof(directories[round]), "/tmp/warg-bench-XXXXXX");
        if (!mkdtemp(directories[round])) {
            rc = err_set(err, ERR_IO, "can't make a temporary folder");
            break;
        }
        made++;
        run.user = directories[round];
        rc = time_set(&run, 1, CLOCK_PROCESS_CPUTIME_ID, &took[round], err);
    }
    while (made > 0)
        remove_logs(directories[--made]);
    if (rc)
        return rc;
    sort_rounds(took);
    printf("%-7s bots, %2d players, logs   %8.0f games/s (median %.0f)  files written\n", bot,
           (int)players, (double)games / took[0], (double)games / took[ROUNDS / 2]);
    return 0;
}

static int bench_threads(const char *bot, int32_t players, uint64_t games, Err *err)
{
    CLEANUP(plan_done) Plan plan = {0};
    double ratios[ROUNDS] = {0};
    int rc = make_plan(bot, players, games, &plan, err);
    const StageRun run = run_of(&plan);

    for (int round = 0; round < ROUNDS && rc == 0; round++) {
        double one = 0, two = 1;
        rc = time_set(&run, 1, CLOCK_MONOTONIC, &one, err);
        if (rc == 0)
            rc = time_set(&run, 2, CLOCK_MONOTONIC, &two, err);
        ratios[round] = one / two;
    }
    if (rc)
        return rc;
    sort_rounds(ratios);
    printf(
        "%-7s bots, %2d players, 2 threads     %.2f times one thread (median of %d pairs, %.2f to "
        "%.2f; wall time)\n",
        bot, (int)players, ratios[ROUNDS / 2], ROUNDS, ratios[0], ratios[ROUNDS - 1]);
    return 0;
}

static int count_asks(const char *bot, const char *players, const char *games)
{
    CLEANUP(referee_freep) Referee *referee = NULL;
    Err err = {0};
    uint64_t seats, n;

    if (!str_to_uint(str_of(players), SEAT_MAX, &seats) || !str_to_uint(str_of(games), 1000000, &n))
        return 2;
    if (make_referee(bot, (int32_t)seats, &referee, &err) || play(referee, n, &err))
        return fail(&err);
    printf("%llu\n", (unsigned long long)referee_asks(referee));
    return 0;
}

int main(int argc, char **argv)
{
    Err err = {0};
    double floor = 1;

    if (argc == 5 && strcmp(argv[1], "count") == 0)
        return count_asks(argv[2], argv[3], argv[4]);
    floor = floor_ns();
    printf("ruleset aiwolf-2021, one thread, CPU time, best of %d rounds\n", ROUNDS);
    printf("floor: an indirect call and one random number %.1f ns\n", floor);
    if (bench_engine("random", 15, 2000, floor, &err) ||
        bench_engine("random", 5, 20000, floor, &err) || bench_logged("sample", 15, 100, &err) ||
        bench_engine("sample", 15, 100, floor, &err) ||
        bench_engine("sample", 5, 2000, floor, &err) || bench_threads("random", 15, 30000, &err) ||
        bench_threads("sample", 15, 800, &err))
        return fail(&err);
    return 0;
}
