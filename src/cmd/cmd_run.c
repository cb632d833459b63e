/* cmd_run.c - `warg run`: plays game sets among built-in agents and says who won. */
#include "base/sha256.h"
#include "cmd/agent_spec.h"
#include "cmd/cmd.h"
#include "cmd/ruleset_arg.h"
#include "cmd/standings_output.h"
#include "cmd/terminal.h"
#include "match/set.h"
#include "record/log_file.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    RULES,
    PLAYERS,
    GAMES,
    AGENT,
    ROLES,
    SEED,
    REPLAY,
    COMMIT_SEED,
    JOBS,
    LOG_DIR,
    GZIP,
    FORMAT,
    QUIET,
};
static const Option options[] = {
    [RULES] = {"rules", 'r', OPTION_TEXT, "NAME|FILE", "ruleset; see 'warg rules list'",
               "aiwolf-2021", 0, 0},
    [PLAYERS] = {"players", 'n', OPTION_UINT, "N",
                 "seats at the table; without it as many as agents, or as usual with these rules",
                 NULL, PLAYERS_MIN, SEAT_MAX},
    [GAMES] = {"games", 'g', OPTION_UINT, "N", "games to play", "100", 1, SET_GAMES_MAX},
    [AGENT] =
        {"agent", 'a', OPTION_LIST, "SPEC",
         "who plays: bot:KIND*COPIES,name=NAME, where COPIES and NAME may be left out; give it "
         "again for more; "
         "seats left over go to bot:sample",
         NULL, 0, 0},
    [ROLES] = {"roles", 0, OPTION_LIST, "NAME=ROLE", "an agent that always gets this role", NULL, 0,
               0},
    [SEED] = {"seed", 's', OPTION_UINT, "S",
              "decides all chance: the same seed gives the same games; without it a random one",
              NULL, 0, UINT64_MAX},
    [REPLAY] = {"replay", 0, OPTION_UINT, "S", "the same as --seed, for a seed that was revealed",
                NULL, 0, UINT64_MAX},
    [COMMIT_SEED] = {"commit-seed", 0, OPTION_FLAG, NULL,
                     "print a hash of the seed before the set and the seed after it", NULL, 0, 0},
    [JOBS] = {"jobs", 'j', OPTION_UINT, "J", "threads; 0 = one per processor", "0", 0,
              SET_JOBS_MAX},
    [LOG_DIR] = {"log-dir", 'l', OPTION_TEXT, "DIR", "write an AIWolf game log per game there",
                 NULL, 0, 0},
    [GZIP] = {"gzip", 'z', OPTION_FLAG, NULL, "compress the logs", NULL, 0, 0},
    [FORMAT] = {"format", 'f', OPTION_CHOICE, "table|json|csv", "form of the result", "table", 0,
                0},
    [QUIET] = {"quiet", 'q', OPTION_FLAG, NULL,
               "no progress line, and no seed line without --commit-seed", NULL, 0, 0},
};

const Usage cmd_run_usage[] = {
    {"run", "",
     "Plays games among built-in agents in this process and prints who won.\n"
     "Ctrl-C ends the set early: the games played so far are counted, and the exit status is\n"
     "130.",
     OPTIONS(options),
     "warg run --players 15 --games 1000\n"
     "warg run --agent 'bot:sample*4 bot:random' --roles random=WEREWOLF --seed 7\n"
     "warg run --rules maw --players 6 --games 500 --format json\n"
     "warg run --players 5 --games 100 --log-dir logs --gzip\n",
     NULL, NULL},
    {0},
};

/* Set by the signal handler, read by progress(): the one mutable global of this file. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

typedef struct Run {
    SetPlan plan;
    Progress progress;
    int64_t started_ms;
    const char *log_dir;
    bool gzip;
    int digits; /* of a log's number */
} Run;

/* ---- while it runs ---- */

static int write_log(void *user, uint64_t game, Str log, Err *err)
{
    const Run *run = user;
    CLEANUP(buf_done) Buf path = {0};

    if (!run->log_dir)
        return 0;
    buf_printf(&path, "%s/%0*" PRIu64 ".log%s", run->log_dir, run->digits, game,
               run->gzip ? ".gz" : "");
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "log path: out of memory");
    return log_file_write(buf_cstr(&path), log, err);
}

static bool show_progress(void *user, uint64_t done)
{
    Run *run = user;
    int64_t now = terminal_now_ms();
    double seconds = (double)(now - run->started_ms) / 1000.0;

    if (done > 0 && seconds > 0.2) {
        char line[160];
        double rate = (double)done / seconds;
        double left = (double)(run->plan.games - done) / rate;
        int n = snprintf(line, sizeof(line),
                         "%" PRIu64 " of %" PRIu64 " games, %.0f games/s, %.0f s left", done,
                         run->plan.games, rate, left);
        progress_show(&run->progress, now, (Str){line, n > 0 ? (size_t)n : 0});
    }
    return !interrupted;
}

/* ---- before it runs ---- */

/* A new folder, or one without logs: the logs of two sets must not be taken for one. */
static int make_log_dir(const char *path, Err *err)
{
    CLEANUP(log_list_done) LogList found = {0};

    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return err_set(err, ERR_IO, "can't make the folder '%s': %s", path, strerror(errno));
    log_list_add(&found, path, NULL); /* its only error that matters here is "no logs" */
    if (found.count > 0)
        return err_set(err, ERR_USAGE,
                       "the folder '%s' holds logs already; give a new one, or remove them", path);
    return 0;
}

static int choose_seed(const Options *given, uint64_t *ret_seed, Err *err)
{
    if (options_has(given, SEED) && options_has(given, REPLAY))
        return err_set(err, ERR_USAGE, "--seed and --replay mean the same; give one of them");
    if (options_has(given, SEED) || options_has(given, REPLAY)) {
        *ret_seed = options_number(given, options_has(given, SEED) ? SEED : REPLAY);
        return 0;
    }
    if (getrandom(ret_seed, sizeof(*ret_seed), 0) != (ssize_t)sizeof(*ret_seed))
        return err_set(err, ERR_IO, "can't get a random seed: %s", strerror(errno));
    return 0;
}

/* The table: as many seats as asked for, else as many as agents, else the usual number. */
static int seat_agents(const Options *given, SetPlan *plan, Err *err)
{
    uint32_t count = 0;
    int rc = 0;

    for (size_t i = 0; rc == 0 && options_item(given, AGENT, i); i++)
        rc = agent_spec_add(plan, &count, str_of(options_item(given, AGENT, i)), err);
    if (rc)
        return rc;
    plan->players = plan->rules.players;
    if (options_has(given, PLAYERS))
        plan->players = (int32_t)options_number(given, PLAYERS);
    else if (count > 0)
        plan->players = (int32_t)count;
    if (count > (uint32_t)plan->players)
        return err_set(err, ERR_USAGE, "%u agents for %d players", count, (int)plan->players);
    while (rc == 0 && count < (uint32_t)plan->players)
        rc = agent_spec_add(plan, &count, STR("bot:sample"), err);
    for (size_t i = 0; rc == 0 && options_item(given, ROLES, i); i++)
        rc = agent_spec_fix_role(plan, count, str_of(options_item(given, ROLES, i)), err);
    return rc;
}

/* What can be wrong with the table is said before a thread or folder is made. */
static int check_table(const SetPlan *plan, Err *err)
{
    uint8_t counts[ROLE_COUNT];
    uint8_t used[ROLE_COUNT] = {0};
    int rc = ruleset_roles(&plan->rules, plan->players, counts, err);

    for (int32_t i = 0; i < plan->players && rc == 0; i++) {
        Role role = plan->agents[i].fixed;
        if (role != ROLE_NONE && ++used[role] > counts[role])
            rc = err_set(err, ERR_USAGE, "--roles: more agents than the %u %s of %d players",
                         counts[role], role_name(role), (int)plan->players);
    }
    return rc;
}

static uint32_t processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    if (count < 1)
        return 1;
    return count > SET_JOBS_MAX ? SET_JOBS_MAX : (uint32_t)count;
}

static int make_plan(const Options *given, Run *run, Err *err)
{
    SetPlan *plan = &run->plan;
    int rc = ruleset_arg(options_text(given, RULES), &plan->rules, err);

    if (rc == 0)
        rc = seat_agents(given, plan, err);
    if (rc == 0)
        rc = check_table(plan, err);
    if (rc == 0)
        rc = choose_seed(given, &plan->seed, err);
    run->log_dir = options_text(given, LOG_DIR);
    run->gzip = options_has(given, GZIP);
    if (rc == 0 && run->gzip && !run->log_dir)
        rc = err_set(err, ERR_USAGE, "--gzip needs --log-dir");
    if (rc == 0 && run->log_dir)
        rc = make_log_dir(run->log_dir, err);
    if (rc)
        return rc;
    plan->games = options_number(given, GAMES);
    plan->jobs = (uint32_t)options_number(given, JOBS);
    if (plan->jobs == 0)
        plan->jobs = processors();
    plan->finished = write_log;
    plan->progress = show_progress;
    plan->user = run;
    plan->logs = run->log_dir != NULL;
    run->digits = 3;
    for (uint64_t n = plan->games - 1; n >= 1000; n /= 10)
        run->digits++;
    return 0;
}

/* "warg seed S" is hashed, so that the digest can't be confused with one of another number. */
static int print_commitment(FILE *stream, uint64_t seed, bool chosen, Err *err)
{
    char text[48];
    char hex[SHA256_HEX_BYTES];
    int n = snprintf(text, sizeof(text), "warg seed %" PRIu64, seed);
    int rc = sha256_hex((Str){text, n > 0 ? (size_t)n : 0}, hex, err);

    if (rc)
        return rc;
    fprintf(stream, "seed commitment, SHA-256 of \"warg seed S\":\n%s\n", hex);
    fflush(stream);
    if (chosen)
        fprintf(stderr, "note: a seed that somebody chose can be guessed from its hash; "
                        "leave --seed out to draw one\n");
    return 0;
}

/* ---- command ---- */

static int play(Run *run, Standings *standings, double *ret_games_per_s, Err *err)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    struct sigaction before_int;
    struct sigaction before_term;

    sigaction(SIGINT, &action, &before_int);
    sigaction(SIGTERM, &action, &before_term);
    run->started_ms = terminal_now_ms();
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int rc = set_play(&run->plan, standings, err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    progress_end(&run->progress);
    sigaction(SIGINT, &before_int, NULL);
    sigaction(SIGTERM, &before_term, NULL);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    *ret_games_per_s = seconds > 0 ? (double)standings->games / seconds : 0;
    return rc;
}

int cmd_run(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(standings_done) Standings standings = {0};
    CLEANUP(buf_done) Buf out = {0};
    int go = options_parse(&cmd_run_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    CLEANUP(mem_freep) Run *run = mem_new(sizeof(*run));
    if (!run)
        return err_set(err, ERR_MEMORY, "run: out of memory");
    int rc = make_plan(&given, run, err);
    bool commit = options_has(&given, COMMIT_SEED);
    bool chosen = options_has(&given, SEED) || options_has(&given, REPLAY);
    StandingsForm form = (StandingsForm)options_number(&given, FORMAT);
    /* JSON and CSV have stdout to themselves. */
    FILE *beside = commit && form == STANDINGS_TABLE ? stdout : stderr;
    if (rc == 0 && commit)
        rc = print_commitment(beside, run->plan.seed, chosen, err);
    if (rc)
        return rc;

    bool quiet = options_has(&given, QUIET);
    double games_per_s = 0;
    run->progress = progress_new(quiet);
    rc = play(run, &standings, &games_per_s, err);
    if (rc && standings.games == 0)
        return rc;
    standings_sort(&standings);
    standings_write(&standings, form, games_per_s, terminal_colors(stdout, COLOR_AUTO), &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "run: out of memory");
    fputs(buf_cstr(&out), stdout);
    if (commit || (!chosen && !quiet))
        fprintf(beside,
                "seed: %" PRIu64 "\nthe same games again: the same options and --replay %" PRIu64
                "\n",
                run->plan.seed, run->plan.seed);
    if (rc) /* a log could not be written: what was played until then is told all the same */
        return err_wrap(err, "ended after %" PRIu64 " of %" PRIu64 " games: ", standings.games,
                        run->plan.games);
    if (standings.games < run->plan.games)
        return err_set(err, ERR_INTERRUPTED, "interrupted after %" PRIu64 " of %" PRIu64 " games",
                       standings.games, run->plan.games);
    return 0;
}
