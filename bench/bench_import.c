/* bench_import.c - what a contest site's store costs: games taken over from a journal, and
 * standings of a million of them, on SQLite and on PostgreSQL where it is installed.
 *
 * Usage: bench_import DIR [GAMES [MILLION]]        10000 games, 1000000; DIR is on the disk to be
 * measured
 * Method: bots play GAMES games of 5 and 15 (sixty agents, no logs), which are imported in pieces
 * of IMPORT_GAMES, as a server does; wall time from the first to the last. Standings: the same sums
 * with the counts of MILLION games, median and worst of STANDINGS_ASKS answers.
 * docs/spec/contest-operations.md 17: 5 s, 50 ms. Then what the clock does with the whole journal,
 * each as its longest turn: lines followed into the ledger; an appeal's evidence; a ruling written;
 * its void taken over and followed. No turn may keep a page waiting: 300 ms.
 */
#include "../tests/pg_server.h"

#include "base/mem.h"
#include "contest/contest_run.h"
#include "disk/folder.h"
#include "net/loop.h"
#include "site/appeal.h"
#include "site/clock_proof.h"
#include "site/import.h"
#include "site/play_follow.h"
#include "site/ruling.h"
#include "site/site_ledger.h"
#include "site/site_store.h"
#include "site/table.h"
#include "store/db_row.h"

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
static void make_plan(Plan *plan, uint64_t games)
{
    const PlanStage stage = {.name = "preliminary",
                             .players = 5,
                             .more_players = {15},
                             .games_per_set = 100,
                             .games = games / 2};
    Err err = {0};

    must(plan_init(plan, &err), &err);
    for (unsigned i = 0; i < TEAMS; i++) {
        PlanAgent agent = {.bot = bot_kind(STR("random"))};
        char name[16];
        snprintf(name, sizeof(name), "team-%02u-x", i);
        must(plan_agent_name(&agent, str_of(name), &err), &err);
        must(plan_add_agent(plan, &agent, &err), &err);
    }
    must(plan_add_stage(plan, &stage, &err), &err);
    plan->seed = 7;
    plan->seed_given = true;
}

static void play(const char *out, Plan *plan)
{
    CLEANUP(contest_result_done) ContestResult result = {0};
    Err err = {0};
    const ContestRun run = {
        .plan = plan, .out = out, .jobs = 2, .date = loop_date_ms, .now = loop_now};

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

/* ---- the clock's turns ---- */

/* What is measured: until there is no more to do, the longest turn in seconds. */
typedef struct Turns {
    Db *db;
    const ImportFolder *folder;
    const Plan *plan;
    int64_t appeal;
} Turns;

typedef int TurnDo(const Turns *turns, bool *ret_more, Err *err);

static int import_turn(const Turns *turns, bool *ret_more, Err *err)
{
    return import_folder(turns->db, turns->folder, IMPORT_GAMES, ret_more, err);
}

static int follow_turn(const Turns *turns, bool *ret_more, Err *err)
{
    return play_follow(turns->db, &turns->folder->home, turns->plan, CLOCK_PROOF_LINES, 1, ret_more,
                       err);
}

static int gather_turn(const Turns *turns, bool *ret_more, Err *err)
{
    *ret_more = false;
    return appeal_gather(turns->db, &turns->folder->home, turns->appeal, err);
}

static int ruling_turn(const Turns *turns, bool *ret_more, Err *err)
{
    *ret_more = false;
    return rulings_apply(turns->db, &turns->folder->home, 1, err);
}

static double longest_turn(const Turns *turns, TurnDo *act)
{
    double worst = 0;
    bool more = true;
    Err err = {0};

    while (more) {
        const double began = seconds();
        must(act(turns, &more, &err), &err);
        worst = seconds() - began > worst ? seconds() - began : worst;
    }
    return worst * 1e3;
}

/* The last game of the journal: who reads from its beginning reads all. */
static void ask_clock(Turns *turns, const char *store)
{
    int64_t team = 0, game = 0;
    Err err = {0};

    must(site_ledger_begin(turns->db, &turns->folder->home, STR("example.org/warg/cup"), &err),
         &err);
    const double follow = longest_turn(turns, follow_turn);
    must(db_ask(turns->db, 0, &game, &err, "SELECT MAX(id) FROM game WHERE counted = 1", ""), &err);
    must(db_ask(turns->db, 0, &team, &err, "SELECT MAX(team) FROM seat WHERE game = ?1", "i", game),
         &err);
    must(appeal_make(turns->db, team, APPEAL_GAME, game, STR("late"), 1, &turns->appeal, &err),
         &err);
    const double gather = longest_turn(turns, gather_turn);
    must(appeal_close(turns->db, turns->appeal, true, true, STR("so it was"), 0, 1, &err), &err);
    const double ruling = longest_turn(turns, ruling_turn);
    const double taken = longest_turn(turns, import_turn);
    const double followed = longest_turn(turns, follow_turn);
    printf("%-11s longest turn, ms: follow %.0f, an appeal %.0f, a ruling %.0f, a void set taken "
           "over %.0f and followed %.0f (goal 300)\n",
           store, follow, gather, ruling, taken, followed);
}

static void import(const char *place, const char *data, const char *store, const Plan *plan,
                   uint64_t games, uint64_t million)
{
    CLEANUP(db_closep) Db *db = NULL;
    ImportFolder folder = {.home = {.name = STR("cup"), .data = data}, .folder = "play"};
    Turns turns = {.folder = &folder, .plan = plan};
    Err err = {0};

    must(site_store_open(place, &db, &err), &err);
    turns.db = db;
    make_contest(db, &folder.home);
    const double began = seconds();
    const double worst = longest_turn(&turns, import_turn);
    printf("%-11s import of %llu games %12.2f s (goal 5 for 10000), a turn at most %.0f ms\n",
           store, (unsigned long long)games, seconds() - began, worst);
    ask_clock(&turns, store);
    ask_standings(db, folder.home.id, store, million, games);
}

int main(int argc, char **argv)
{
    CLEANUP(buf_done) Buf data = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf place = {0};
    uint64_t games = 10000, million = 1000000;
    CLEANUP(plan_done) Plan plan = {0};
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
    make_plan(&plan, games);
    play(buf_cstr(&out), &plan);
    import(buf_cstr(&place), buf_cstr(&data), "SQLite", &plan, games, million);
    if (pg_server_start(&server))
        import(server.connection, buf_cstr(&data), "PostgreSQL", &plan, games, million);
    else
        printf("PostgreSQL  is not installed\n");
    pg_server_done(&server);
    folder_remove(buf_cstr(&data), NULL);
    return 0;
}
