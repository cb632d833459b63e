#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "disk/log_file.h"
#include "journal/journal_line.h"
#include "results/results_build.h"
#include "results/results_unowned.h"

#define PLAN STR("{\"stages\":[{\"name\":\"first\"},{\"name\":\"the final\"},{\"x\":1},7]}")

/* ---- a folder for each test ---- */

typedef struct Place {
    char dir[64];
    char path[160];
} Place;

static int set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    snprintf(place->dir, sizeof(place->dir), "/tmp/warg-results-XXXXXX");
    *state = place;
    return mkdtemp(place->dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    Place *place = *state;
    DIR *listing = opendir(place->dir);
    struct dirent *entry;

    while ((entry = readdir(listing))) {
        snprintf(place->path, sizeof(place->path), "%s/%.80s", place->dir, entry->d_name);
        unlink(place->path);
    }
    closedir(listing);
    assert_int_equal(rmdir(place->dir), 0);
    mem_free(place);
    return 0;
}

static const char *in_place(Place *place, const char *name)
{
    snprintf(place->path, sizeof(place->path), "%s/%s", place->dir, name);
    return place->path;
}

/* ---- a made-up contest ---- */

enum { GAMES = 60 };

/* Game `number` of `stage`, the same whenever it is asked for. Agents a0, a1 are built in. */
static void make_game(uint32_t stage, uint64_t number, GameRecord *ret)
{
    static const char *const names[] = {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"};
    Rng rng = rng_new(rng_derive(stage, number));
    GameResult *result = &ret->result;

    memset(ret, 0, sizeof(*ret));
    ret->stage = stage;
    ret->set = number / 10;
    ret->game = number;
    ret->ended_at_ms = (int64_t)(1785542400000 + number * 1000);
    ret->reason = END_WIN;
    *result = (GameResult){.seat_count = (SeatNo)(3 + rng_below(&rng, 10)),
                           .winner = (Side)rng_below(&rng, SIDE_OTHERS + 1),
                           .last_day = (uint16_t)rng_below(&rng, 10),
                           .revote_days = (uint16_t)rng_below(&rng, 3),
                           .execution_days = (uint16_t)rng_below(&rng, 9),
                           .attacks = (uint16_t)rng_below(&rng, 9),
                           .attack_kills = (uint16_t)rng_below(&rng, 9)};
    for (SeatNo seat = 1; seat <= result->seat_count; seat++) {
        uint32_t agent = rng_below(&rng, 8);
        SeatRecord *own = &ret->seats[seat];
        result->names[seat] = str_of(names[agent]);
        result->roles[seat] = (Role)(1 + rng_below(&rng, ROLE_COUNT - 1));
        result->points[seat] = (int32_t)rng_below(&rng, 100) - 50;
        own->outside = agent >= 2;
        own->failed = own->outside && rng_below(&rng, 5) == 0;
        if (!own->outside)
            continue;
        own->faults[rng_below(&rng, FAULT_COUNT)] = rng_below(&rng, 3);
        own->excesses = rng_below(&rng, 3);
        own->excused = rng_below(&rng, 3);
        own->waited_ms = rng_below(&rng, 1000);
        own->findings[rng_below(&rng, FINDING_RULES)] = rng_below(&rng, 3);
        for (uint32_t i = rng_below(&rng, 20); i > 0; i--)
            durations_add(&own->times, rng_below(&rng, 200000));
    }
}

static void add_games(Journal *journal, uint32_t stage, uint64_t from, uint64_t to)
{
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));

    for (uint64_t number = from; number < to; number++) {
        make_game(stage, number, game);
        assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    }
}

/* Two stages, GAMES games each. */
static void make_contest(Place *place)
{
    Journal *journal = NULL;

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    add_games(journal, 0, 0, GAMES);
    add_games(journal, 1, 0, GAMES);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static Db *open_results(const char *path)
{
    Db *db = NULL;
    Err err = {0};

    if (results_open(path, &db, &err))
        fail_msg("%s", err.msg);
    return db;
}

static int64_t number_of(Db *db, const char *sql)
{
    DbQuery *query = NULL;

    assert_int_equal(db_query(db, sql, &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    int64_t number = db_int(query, 0);
    db_query_free(query);
    return number;
}

static void same_standings(Standings *a, Standings *b)
{
    standings_rank(a, 0);
    standings_rank(b, 0);
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++)
        assert_memory_equal(&a->agents[i], &b->agents[i], sizeof(a->agents[i]));
    assert_int_equal(a->games, b->games);
    assert_memory_equal(a->wins, b->wins, sizeof(a->wins));
    assert_int_equal(a->days, b->days);
    assert_int_equal(a->revote_days, b->revote_days);
    assert_int_equal(a->execution_days, b->execution_days);
    assert_int_equal(a->attacks, b->attacks);
    assert_int_equal(a->attack_kills, b->attack_kills);
}

/* ---- tests ---- */

static void standings_are_those_of_the_games_added_directly(void **state)
{
    Place *place = *state;
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));

    make_contest(place);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    for (int64_t stage = -1; stage < 3; stage++) {
        CLEANUP(standings_done) Standings from_db = {0};
        CLEANUP(standings_done) Standings direct = {0};
        for (uint32_t s = 0; s < 2; s++)
            for (uint64_t number = 0; number < GAMES; number++) {
                make_game(s, number, game);
                if (stage < 0 || stage == s)
                    assert_int_equal(standings_add_record(&direct, game, NULL), 0);
            }
        assert_int_equal(results_standings(db, stage, &from_db, NULL), 0);
        same_standings(&from_db, &direct);
    }
}

static void faults_and_times_are_added_up_for_each_outside_agent(void **state)
{
    Place *place = *state;
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
    CLEANUP(fault_table_done) FaultTable table = {0};

    make_contest(place);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    assert_int_equal(results_faults(db, 1, &table, NULL), 0);
    assert_int_equal(table.count, 6);
    for (size_t i = 0; i < table.count; i++) {
        AgentFaults wanted = {0};
        snprintf(wanted.name, sizeof(wanted.name), "a%zu", i + 2);
        for (uint64_t number = 0; number < GAMES; number++) {
            make_game(1, number, game);
            for (SeatNo seat = 1; seat <= game->result.seat_count; seat++) {
                const SeatRecord *own = &game->seats[seat];
                if (!str_eq(game->result.names[seat], str_of(wanted.name)))
                    continue;
                wanted.games++;
                wanted.failed += own->failed;
                for (int kind = 0; kind < FAULT_COUNT; kind++)
                    wanted.faults[kind] += own->faults[kind];
                for (size_t rule = 0; rule < FINDING_RULES; rule++)
                    wanted.findings[rule] += own->findings[rule];
                wanted.excesses += own->excesses;
                wanted.excused += own->excused;
                wanted.waited_ms += own->waited_ms;
                durations_merge(&wanted.times, &own->times);
            }
        }
        assert_memory_equal(&table.agents[i], &wanted, sizeof(wanted));
    }
}

/* In set 2 of stage 0 nothing was the model's own, in set 3 one decision, told behind the games. */
static void make_models_contest(Place *place, Str plan)
{
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
    Journal *journal = NULL;

    assert_int_equal(journal_begin(place->dir, plan, &journal, NULL), 0);
    for (uint64_t number = 0; number < GAMES; number++) {
        make_game(0, number, game);
        game->result.names[1] = STR("model");
        game->seats[1].decisions = 4;
        game->seats[1].own = game->set == 2 || game->set == 3 ? 0 : 3;
        assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    }
    add_games(journal, 1, 0, GAMES);
    journal_add_note(journal,
                     STR("decisions in stage 0, set 3, of model: model decisions: 1 of 1 its own"),
                     NULL);
    journal_add_note(journal,
                     STR("decisions in stage 0, set 2, of model: model decisions: 0 of 1 its own; "
                         "its server's error: HTTP 500"),
                     NULL);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void sets_without_a_model_count_in_contests_of_earlier_builds(void **state)
{
    Place *place = *state;
    CLEANUP(db_closep) Db *db = NULL;

    make_models_contest(place, PLAN);
    db = open_results(place->dir);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game WHERE counts"), 2 * GAMES);
    assert_int_equal(number_of(db, "SELECT sum(unowned) FROM game"), 0);
}

static void sets_without_a_model_count_for_nobody(void **state)
{
    Place *place = *state;
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(unowned_table_done) UnownedTable unowned = {0};
    CLEANUP(standings_done) Standings standings = {0};

    make_models_contest(place, STR("{\"own_sets\":true,\"stages\":[]}"));
    db = open_results(place->dir);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game WHERE counts"), 2 * GAMES - 10);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game WHERE stage = 0 AND set_number = 2"
                                   " AND unowned AND NOT counts AND NOT void"),
                     10);
    assert_int_equal(results_unowned(db, 0, &unowned, NULL), 0);
    assert_int_equal(unowned.count, 1);
    assert_string_equal(unowned.agents[0].name, "model");
    assert_int_equal(unowned.agents[0].sets, 1);
    assert_int_equal(unowned.agents[0].first, 2);
    assert_string_equal(unowned.agents[0].error, "HTTP 500");
    assert_int_equal(results_standings(db, 0, &standings, NULL), 0);
    assert_int_equal(standings.games, GAMES - 10);
    const Standing *model = standings_find(&standings, STR("model"));
    assert_int_equal(model->all.games, GAMES - 10);
    assert_int_equal(model->conduct.decisions, 4 * GAMES + 2);
}

static void stages_have_names_and_numbers(void **state)
{
    Place *place = *state;
    int64_t stage = -1;
    Err err = {0};

    make_contest(place);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    assert_int_equal(results_stage(db, STR("the final"), &stage, NULL), 0);
    assert_int_equal(stage, 1);
    assert_int_equal(results_stage(db, STR("0"), &stage, NULL), 0);
    assert_int_equal(stage, 0);
    assert_int_equal(results_stage(db, STR("2"), &stage, &err), ERR_USAGE);
    assert_string_equal(err.msg, "there is no stage '2'; there are: 0 (first), 1 (the final)");
}

static void a_game_won_is_a_seat_won(void **state)
{
    Place *place = *state;

    make_contest(place);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    CLEANUP(standings_done) Standings standings = {0};
    assert_int_equal(results_standings(db, -1, &standings, NULL), 0);
    uint64_t wins = 0;
    for (uint32_t i = 0; i < standings.count; i++)
        wins += standings.agents[i].all.wins;
    assert_int_equal(number_of(db, "SELECT sum(won) FROM seat"), wins);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game"), 2 * GAMES);
    assert_int_equal(number_of(db, "SELECT value FROM meta WHERE key = 'complete'"), 0);
}

static void results_follow_the_journal(void **state)
{
    Place *place = *state;
    Journal *journal = NULL;
    struct stat first, second;

    make_contest(place);
    db_close(open_results(place->dir));
    assert_int_equal(stat(in_place(place, RESULTS_FILE), &first), 0);
    db_close(open_results(place->dir));
    assert_int_equal(stat(in_place(place, RESULTS_FILE), &second), 0);
    assert_true(first.st_ino == second.st_ino); /* not built again */

    assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
    add_games(journal, 1, GAMES, GAMES + 1);
    assert_int_equal(journal_add_end(journal, 2 * GAMES + 1, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game"), 2 * GAMES + 1);
    assert_int_equal(number_of(db, "SELECT value FROM meta WHERE key = 'complete'"), 1);
}

/* A line that is being written is not there yet, and another contest is another. */
/* What a process that was killed has left goes; what another one makes stays. */
static void what_was_begun_by_nobody_who_lives_is_removed(void **state)
{
    Place *place = *state;
    const pid_t child = fork();
    char name[64], journal[80], other[64], foreign[64];
    int status;

    if (child == 0)
        _exit(0);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    make_contest(place);
    snprintf(name, sizeof(name), "results.db.%ld.tmp", (long)child);
    snprintf(other, sizeof(other), "results.db.%ld.tmp", (long)getppid());
    snprintf(foreign, sizeof(foreign), "results.db.%ldx.tmp", (long)child);
    snprintf(journal, sizeof(journal), "%s-journal", name);
    const char *const names[] = {name, journal, other, foreign};
    for (size_t i = 0; i < 4; i++)
        fclose(fopen(in_place(place, names[i]), "we"));
    assert_int_equal(results_build(place->dir, NULL), 0);
    assert_int_not_equal(access(in_place(place, name), F_OK), 0);
    assert_int_not_equal(access(in_place(place, journal), F_OK), 0);
    assert_int_equal(access(in_place(place, other), F_OK), 0);
    assert_int_equal(access(in_place(place, foreign), F_OK), 0);
    assert_int_equal(access(in_place(place, "results.db"), F_OK), 0);
}

static void a_torn_line_changes_nothing_and_another_journal_all(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    struct stat first, second;

    make_contest(place);
    assert_int_equal(log_file_read(in_place(place, JOURNAL_FILE), 1u << 24, &text, NULL), 0);
    Str whole = buf_str(&text);
    assert_int_equal(
        log_file_write(in_place(place, JOURNAL_FILE), str_part(whole, 0, whole.len - 5), NULL), 0);
    db_close(open_results(place->dir));
    assert_int_equal(stat(in_place(place, RESULTS_FILE), &first), 0);
    db_close(open_results(place->dir));
    assert_int_equal(stat(in_place(place, RESULTS_FILE), &second), 0);
    assert_true(first.st_ino == second.st_ino);
    assert_int_equal(log_file_write(in_place(place, JOURNAL_FILE), whole, NULL), 0);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game"), 2 * GAMES);

    CLEANUP(buf_done) Buf other = {0};
    assert_int_equal(journal_line_plan(STR("{}"), &other, NULL), 0);
    assert_int_equal(journal_line_seal(&other, NULL), 0);
    assert_int_equal(log_file_write(in_place(place, JOURNAL_FILE), buf_str(&other), NULL), 0);
    CLEANUP(db_closep) Db *small = open_results(place->dir);
    assert_int_equal(number_of(small, "SELECT count(*) FROM game"), 0);
}

static void a_database_of_another_program_is_refused(void **state)
{
    Place *place = *state;
    Db *db = NULL;
    Err err = {0};

    assert_int_equal(db_open(in_place(place, RESULTS_FILE), true, &db, NULL), 0);
    assert_int_equal(db_exec(db, "CREATE TABLE mine(a); INSERT INTO mine VALUES(1)", NULL), 0);
    db = db_close(db);
    assert_int_equal(results_open(in_place(place, RESULTS_FILE), &db, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "holds no results of warg"));
    make_contest(place);
    err = (Err){0};
    assert_int_equal(results_open(place->dir, &db, &err), ERR_SYNTAX); /* and not overwritten */
    assert_non_null(strstr(err.msg, "'warg standings --rebuild "));
    assert_int_equal(log_file_write(in_place(place, RESULTS_FILE),
                                    STR("some text, and no database"
                                        " at all, but a text"),
                                    NULL),
                     0);
    assert_int_equal(results_open(in_place(place, RESULTS_FILE), &db, NULL), ERR_SYNTAX);
    assert_null(db);
    assert_int_equal(results_build(place->dir, NULL), 0); /* who asks for it gets it */
    db_close(open_results(place->dir));
}

/* Three games of two teams and a model; the second one's match is played again. */
static void make_village(const Place *place)
{
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
    Journal *journal = NULL;

    assert_int_equal(journal_begin(place->dir, STR("{\"division\":\"nlp\"}"), &journal, NULL), 0);
    for (uint64_t number = 0; number < 3; number++) {
        *game = (GameRecord){.division = DIVISION_NLP,
                             .ruleset = "nlp-turn",
                             .id = "01KDE",
                             .is_void = number == 1,
                             .set = number,
                             .game = number,
                             .ended_at_ms = 1785542400000,
                             .result = {.seat_count = 3,
                                        .winner = number == 1 ? SIDE_NONE : SIDE_VILLAGER,
                                        .roles = {0, ROLE_WEREWOLF, ROLE_VILLAGER, ROLE_SEER},
                                        .names = {{0}, STR("ann1"), STR("ben1"), STR("ben2")}}};
        for (SeatNo seat = 1; seat <= 3; seat++)
            game->seats[seat] = (SeatRecord){.outside = true,
                                             .kind = SEAT_AGENT,
                                             .team = seat == 1 ? STR("ann") : STR("ben"),
                                             .faults[FAULT_DISCONNECT] = seat == 1 && number == 1};
        game->seats[3].kind = SEAT_MODEL;
        game->seats[3].model = STR("small");
        game->seats[3].decisions = 10;
        game->seats[3].own = 9;
        assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    }
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void teams_count_where_teams_play_and_of_a_void_game_only_its_faults(void **state)
{
    Place *place = *state;
    CLEANUP(standings_done) Standings standings = {0};
    CLEANUP(fault_table_done) FaultTable faults = {0};

    make_village(place);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    assert_int_equal(results_standings(db, -1, &standings, NULL), 0);
    assert_int_equal(standings.games, 2);
    assert_int_equal(standings.count, 2);
    const Standing *ben = standings_find(&standings, STR("ben"));
    assert_non_null(ben);
    assert_int_equal(ben->all.games, 4);
    assert_int_equal(ben->all.wins, 4);
    assert_int_equal(ben->conduct.decisions, 20);
    assert_int_equal(ben->conduct.own, 18);
    assert_string_equal(ben->model.name, "small");
    assert_int_equal(results_faults(db, -1, &faults, NULL), 0);
    assert_int_equal(faults.count, 2);
    assert_string_equal(faults.agents[0].name, "ann");
    assert_int_equal(faults.agents[0].faults[FAULT_DISCONNECT], 1);
    assert_int_equal(number_of(db, "SELECT count(*) FROM seat WHERE name = 'ben2' AND team = 'ben'"
                                   " AND kind = 'model' AND model = 'small' AND own = 9"),
                     3);
    assert_int_equal(number_of(db, "SELECT count(*) FROM game WHERE division = 'nlp'"
                                   " AND ruleset = 'nlp-turn' AND name = '01KDE'"),
                     3);
}

static void the_first_findings_and_the_cells_are_in_the_results(void **state)
{
    Place *place = *state;
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
    Journal *journal = NULL;
    FindingNote note = {.finding = {FINDING_NETWORK, STR("connect 8.8.8.8:53"), 1},
                        .agent = STR("a2"),
                        .seat = 2,
                        .day = 1,
                        .in_game = true,
                        .listed = true};
    const JournalCell cells[] = {{STR("light"), STR("")},
                                 {STR("namespaces"), STR("memory by group (v1)")}};

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    for (int i = 0; i < 4; i++) /* gone on with */
        assert_int_equal(journal_add_cell(journal, &cells[i > 1], NULL), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    make_game(0, 0, game);
    assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    note.in_game = false;
    note.finding.rule = FINDING_WRITE;
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(journal_end_findings(journal, 0, 0, 0, NULL, 0, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    assert_int_equal(number_of(db, "SELECT count(*) FROM finding WHERE rule = 'network' AND game = "
                                   "0 AND agent = 'a2' AND text = 'connect 8.8.8.8:53'"),
                     3);
    assert_int_equal(number_of(db, "SELECT line FROM finding WHERE game IS NULL"), 6);
    assert_int_equal(number_of(db, "SELECT count(*) FROM meta WHERE key = 'cell' AND value = "
                                   "'light; namespaces (memory by group (v1))'"),
                     1);
    unlink(in_place(place, FINDINGS_FILE));
}

static void a_folder_that_can_not_be_written_is_read_all_the_same(void **state)
{
    Place *place = *state;
    char temporary[200];
    CLEANUP(standings_done) Standings standings = {0};

    make_contest(place);
    snprintf(temporary, sizeof(temporary), "%s/" RESULTS_FILE ".%ld.tmp", place->dir,
             (long)getpid());
    assert_int_equal(mkdir(temporary, 0700), 0); /* stands where the database would be written */
    assert_int_equal(results_build(place->dir, NULL), ERR_IO);
    CLEANUP(db_closep) Db *db = NULL;
    assert_int_equal(results_open(place->dir, &db, NULL), ERR_IO);
    assert_int_equal(results_look(place->dir, &db, NULL), 0);
    assert_int_equal(results_standings(db, -1, &standings, NULL), 0);
    assert_int_equal(standings.games, 2 * GAMES);
    assert_int_equal(access(in_place(place, RESULTS_FILE), F_OK), -1);
    assert_int_equal(rmdir(temporary), 0);
}

static void results_of_another_version_are_made_anew_where_the_journal_is(void **state)
{
    Place *place = *state;
    Db *db = NULL;
    Err err = {0};

    make_contest(place);
    db_close(open_results(place->dir));
    assert_int_equal(db_open(in_place(place, RESULTS_FILE), true, &db, NULL), 0);
    assert_int_equal(db_exec(db, "PRAGMA user_version = 99", NULL), 0);
    db = db_close(db);
    assert_int_equal(results_open(in_place(place, RESULTS_FILE), &db, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "another version"));
    db = open_results(place->dir);
    assert_int_equal(number_of(db, "PRAGMA user_version"), RESULTS_SCHEMA);
    db = db_close(db);
    unlink(in_place(place, JOURNAL_FILE)); /* thrown away: the results are what is left */
    db_close(open_results(place->dir));
    unlink(in_place(place, RESULTS_FILE));
    assert_int_equal(results_open(place->dir, &db, NULL), ERR_USAGE);
    assert_int_equal(results_open(in_place(place, "none"), &db, NULL), ERR_IO);
}

static void a_game_that_is_there_twice_is_an_error(void **state)
{
    Place *place = *state;
    Journal *journal = NULL;
    Db *db = NULL;
    Err err = {0};

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    add_games(journal, 1, 7, 8);
    add_games(journal, 1, 7, 8);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(results_open(place->dir, &db, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "game 7 of stage 1 is there twice"));
    assert_int_equal(access(in_place(place, RESULTS_FILE), F_OK), -1); /* nothing half done */
}

static void rows_that_can_not_be_are_an_error(void **state)
{
    static const char *const changes[] = {
        "UPDATE seat SET role = 'KING' WHERE game_id = 3",
        "UPDATE seat SET agent = '' WHERE game_id = 3",
        "UPDATE seat SET seat = 31 WHERE game_id = 3 AND seat = 3",
        "UPDATE game SET attacks = 65536 WHERE id = 3",
        "DELETE FROM seat WHERE game_id = 3 AND seat = 1",
    };
    Place *place = *state;

    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        CLEANUP(standings_done) Standings standings = {0};
        CLEANUP(db_closep) Db *db = NULL;
        if (i == 0)
            make_contest(place);
        assert_int_equal(results_build(place->dir, NULL), 0);
        assert_int_equal(db_open(in_place(place, RESULTS_FILE), true, &db, NULL), 0);
        assert_int_equal(db_exec(db, changes[i], NULL), 0);
        assert_int_equal(results_standings(db, -1, &standings, NULL), ERR_SYNTAX);
    }
    CLEANUP(fault_table_done) FaultTable table = {0};
    CLEANUP(db_closep) Db *db = open_results(place->dir);
    Db *writer = NULL;
    assert_int_equal(db_open(in_place(place, RESULTS_FILE), true, &writer, NULL), 0);
    assert_int_equal(db_exec(writer, "UPDATE seat SET times = 'long' WHERE outside", NULL), 0);
    assert_int_equal(results_faults(db, -1, &table, NULL), ERR_SYNTAX);
    db_close(writer);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(standings_are_those_of_the_games_added_directly),
        TEST(faults_and_times_are_added_up_for_each_outside_agent),
        TEST(sets_without_a_model_count_in_contests_of_earlier_builds),
        TEST(sets_without_a_model_count_for_nobody),
        TEST(stages_have_names_and_numbers),
        TEST(a_game_won_is_a_seat_won),
        TEST(results_follow_the_journal),
        TEST(what_was_begun_by_nobody_who_lives_is_removed),
        TEST(a_torn_line_changes_nothing_and_another_journal_all),
        TEST(a_database_of_another_program_is_refused),
        TEST(teams_count_where_teams_play_and_of_a_void_game_only_its_faults),
        TEST(the_first_findings_and_the_cells_are_in_the_results),
        TEST(a_folder_that_can_not_be_written_is_read_all_the_same),
        TEST(results_of_another_version_are_made_anew_where_the_journal_is),
        TEST(a_game_that_is_there_twice_is_an_error),
        TEST(rows_that_can_not_be_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
