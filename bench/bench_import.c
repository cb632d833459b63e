/* bench_import.c - what a contest site's store costs: games taken over from a journal, and
 * standings of a million of them, on SQLite and on PostgreSQL where it is installed.
 *
 * Usage: bench_import DIR [GAMES [MILLION]]        10000 games, 1000000; DIR is on the disk to be
 * measured
 * Method: bots play GAMES games of 5 and 15 (sixty agents, no logs), which are imported in pieces
 * of IMPORT_GAMES, as a server does; wall time from the first to the last. Standings: the same sums
 * with the counts of MILLION games, median and worst of STANDINGS_ASKS answers.
 * docs/spec/contest-operations.md 17: 5 s, 50 ms.
 */
#include "../tests/pg_server.h"

#include "base/mem.h"
#include "contest/contest_run.h"
#include "disk/folder.h"
#include "net/loop.h"
#include "site/import.h"
#include "site/site_store.h"
#include "site/table.h"

#define TEAMS          60
#define STANDINGS_ASKS 31

static void must(int rc, const Err *err)
{
    if (rc == 0)
        return;
    fprintf(stderr, "bench_import: %s\n", err->msg);
    exit(1);
}

static double seconds(void)
{
    return (double)loop_now() / 1e6;
}

/* Bots of sixty names, half of the games at tables of each size. */
static void play(const char *out, uint64_t games)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    const PlanStage stage = {.name = "preliminary",
                             .players = 5,
                             .more_players = {15},
                             .games_per_set = 100,
                             .games = games / 2};
    Err err = {0};

    must(plan_init(&plan, &err), &err);
    for (unsigned i = 0; i < TEAMS; i++) {
        PlanAgent agent = {.bot = bot_kind(STR("random"))};
        char name[16];
        snprintf(name, sizeof(name), "team-%02u-x", i);
        must(plan_agent_name(&agent, str_of(name), &err), &err);
        must(plan_add_agent(&plan, &agent, &err), &err);
    }
    must(plan_add_stage(&plan, &stage, &err), &err);
    plan.seed = 7;
    plan.seed_given = true;
    const ContestRun run = {
        .plan = &plan, .out = out, .jobs = 2, .date = loop_date_ms, .now = loop_now};
    must(contest_run(&run, &result, &err), &err);
}

static void make_contest(Db *db, ContestHome *home)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Err err = {0};

    must(db_exec(db,
                 "INSERT INTO contest(name, state, file, digest, changed)"
                 " VALUES('cup', 'PRELIMINARY', '', '', 0)",
                 &err),
         &err);
    must(db_query(db, "SELECT id FROM contest", &query, &err), &err);
    if (db_step(query, &err) <= 0)
        must(ERR_IO, &err);
    home->id = db_int(query, 0);
    for (unsigned i = 0; i < TEAMS; i++) {
        char sql[200];
        snprintf(sql, sizeof(sql),
                 "INSERT INTO team(contest, name, state, created)"
                 " VALUES(%lld, 'team-%02u-x', 'IN', 1)",
                 (long long)home->id, i);
        must(db_exec(db, sql, &err), &err);
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void ask_standings(Db *db, int64_t contest, const char *store, uint64_t million,
                          uint64_t games)
{
    double took[STANDINGS_ASKS];
    char sql[300];
    Err err = {0};

    snprintf(sql, sizeof(sql),
             "UPDATE score SET games = games * %llu, wins = wins * %llu;"
             "UPDATE run SET games = games * %llu, counted = counted * %llu",
             (unsigned long long)(million / games), (unsigned long long)(million / games),
             (unsigned long long)(million / games), (unsigned long long)(million / games));
    must(db_exec(db, sql, &err), &err);
    for (size_t i = 0; i < STANDINGS_ASKS; i++) {
        CLEANUP(buf_done) Buf text = {0};
        Json json = json_over(&text);
        const double began = seconds();
        must(site_standings(db, contest, STR("preliminary"), &json, &err), &err);
        took[i] = seconds() - began;
    }
    qsort(took, STANDINGS_ASKS, sizeof(took[0]), by_size);
    printf("%-11s standings of %llu games %8.2f ms, at most %.2f (goal 50)\n", store,
           (unsigned long long)million, took[STANDINGS_ASKS / 2] * 1e3,
           took[STANDINGS_ASKS - 1] * 1e3);
}

static void import(const char *place, const char *data, const char *store, uint64_t games,
                   uint64_t million)
{
    CLEANUP(db_closep) Db *db = NULL;
    ImportFolder folder = {.home = {.name = STR("cup"), .data = data}, .folder = "play"};
    bool more = true;
    double worst = 0;
    Err err = {0};

    must(site_store_open(place, &db, &err), &err);
    make_contest(db, &folder.home);
    const double began = seconds();
    while (more) {
        const double turn = seconds();
        must(import_folder(db, &folder, IMPORT_GAMES, &more, &err), &err);
        worst = seconds() - turn > worst ? seconds() - turn : worst;
    }
    printf("%-11s import of %llu games %12.2f s (goal 5 for 10000), a turn at most %.0f ms\n",
           store, (unsigned long long)games, seconds() - began, worst * 1e3);
    ask_standings(db, folder.home.id, store, million, games);
}

int main(int argc, char **argv)
{
    CLEANUP(buf_done) Buf data = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf place = {0};
    uint64_t games = 10000, million = 1000000;
    PgServer server = {0};
    Err err = {0};

    if (argc < 2 || (argc > 2 && !str_to_uint(str_of(argv[2]), 10000000, &games)) ||
        (argc > 3 && !str_to_uint(str_of(argv[3]), UINT32_MAX, &million)) || games < 400) {
        fprintf(stderr, "usage: bench_import DIR [GAMES [MILLION]]\n");
        return 2;
    }
    games -= games % 200;
    buf_printf(&data, "%s/bench-import-%ld", argv[1], (long)getpid());
    buf_printf(&out, "%s/contests/cup/play", buf_cstr(&data));
    buf_printf(&place, "%s/site.db", buf_cstr(&data));
    must(folder_make_for(buf_cstr(&out), &err), &err);
    play(buf_cstr(&out), games);
    import(buf_cstr(&place), buf_cstr(&data), "SQLite", games, million);
    if (pg_server_start(&server))
        import(server.connection, buf_cstr(&data), "PostgreSQL", games, million);
    else
        printf("PostgreSQL  is not installed\n");
    pg_server_done(&server);
    folder_remove(buf_cstr(&data), NULL);
    return 0;
}
