#include "results/results.h"

#include "disk/log_file.h"
#include "disk/regular_file.h"
#include "results/results_build.h"
#include "results/results_sql.h"
#include "stats/decision_sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- opening ---- */

/* One number that a statement gives; 0 when it gives none. */
static int ask_number(Db *db, const char *sql, int64_t *ret_number, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    *ret_number = rc > 0 ? db_int(query, 0) : 0;
    return 0;
}

/* Opens a database file and checks whose it is. `ret_old`: ours, but of another schema. */
static int open_ours(const char *path, Db **ret_db, bool *ret_old, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    int64_t application = 0, version = 0;
    int rc = regular_file_check(path, err); /* SQLite waits for a FIFO */

    if (rc == 0)
        rc = db_open(path, false, &db, err);
    if (rc == 0)
        rc = ask_number(db, "PRAGMA application_id", &application, err);
    if (rc == 0)
        rc = ask_number(db, "PRAGMA user_version", &version, err);
    if (rc)
        return rc;
    if (application != RESULTS_APPLICATION)
        return err_set(err, ERR_SYNTAX, "'%s' is a database, but holds no results of warg", path);
    *ret_old = version != RESULTS_SCHEMA;
    *ret_db = TAKE(db);
    return 0;
}

static int open_file(const char *path, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    bool old = false;
    int rc = open_ours(path, &db, &old, err);

    if (rc)
        return rc;
    if (old)
        return err_set(err, ERR_SYNTAX,
                       "'%s' is of another version of warg; name the folder with its journal "
                       "instead",
                       path);
    *ret_db = TAKE(db);
    return 0;
}

/* Whether there is a newline in the journal behind its first `bytes` bytes: a line that the
 * results do not know. */
static bool has_grown(int fd, uint64_t bytes)
{
    char some[4096];
    ssize_t n;

    while ((n = pread(fd, some, sizeof(some), (off_t)bytes)) > 0) {
        if (memchr(some, '\n', (size_t)n))
            return true;
        bytes += (uint64_t)n;
    }
    return n < 0;
}

/* Whether the results are those of the journal as it is. */
static int is_fresh(Db *db, const char *journal, bool *ret_fresh, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int64_t bytes = 0;
    char crc[RESULTS_CRC_BYTES];
    int rc = ask_number(db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'journal_bytes'",
                        &bytes, err);

    if (rc == 0)
        rc = db_query(db, "SELECT value FROM meta WHERE key = 'journal_crc'", &query, err);
    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    int fd = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, ERR_IO, "open '%s': %s", journal, strerror(errno));
    results_journal_crc(fd, (uint64_t)bytes, crc);
    *ret_fresh = rc > 0 && bytes > 0 && str_eq(db_text(query, 0), str_of(crc)) &&
                 !has_grown(fd, (uint64_t)bytes);
    close(fd);
    return 0;
}

/* The results of a folder when they need not be built; else *ret_db stays NULL. */
static int open_fresh(const char *path, const char *journal, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    bool old = false, fresh = false;

    if (access(path, F_OK) != 0)
        return 0;
    int rc = open_ours(path, &db, &old, err);
    if (rc == 0 && !old)
        rc = is_fresh(db, journal, &fresh, err);
    if (rc == 0 && fresh)
        *ret_db = TAKE(db);
    return rc;
}

static bool is_database(const char *path)
{
    static const char magic[] = "SQLite format 3"; /* with its zero byte: sqlite.org/fileformat2 */
    char start[sizeof(magic)] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, start, sizeof(start)) : -1;

    if (fd >= 0)
        close(fd);
    return n < 0 || n == 0 || memcmp(start, magic, sizeof(magic)) == 0;
}

/* What somebody named who has game logs, or only them. */
static int no_results(const char *path, bool folder, Err *err)
{
    CLEANUP(log_list_done) LogList logs = {0};

    if (!folder)
        return err_set(err, ERR_SYNTAX,
                       "'%s' is no " RESULTS_FILE "; name the folder of a contest. What a game log "
                       "tells is printed by 'warg log show' and 'warg log stats'",
                       path);
    log_list_add(&logs, path, NULL); /* an error is that there are none */
    if (logs.count)
        return err_set(err, ERR_USAGE,
                       "'%s' holds game logs, but no " JOURNAL_FILE ": 'warg log stats' adds them "
                       "up. Standings and reports are made of the folder that 'warg run --out' "
                       "keeps",
                       path);
    return err_set(err, ERR_USAGE,
                   "'%s' holds neither " JOURNAL_FILE " nor " RESULTS_FILE ", and no logs", path);
}

/* What lies there as results.db and is none is not overwritten unasked. */
static int open_kept(const char *dir, const char *file, const char *journal, Db **ret_db, Err *err)
{
    Err own = {0};
    int rc = open_fresh(file, journal, ret_db, &own);

    if (rc == ERR_SYNTAX)
        return err_set(err, ERR_SYNTAX,
                       "%s; 'warg standings --rebuild %s' makes it anew from the journal", own.msg,
                       dir);
    return rc ? err_set(err, (ErrCode)rc, "%s", own.msg) : 0;
}

int results_open(const char *path, Db **ret_db, Err *err)
{
    CLEANUP(buf_done) Buf file = {0};
    CLEANUP(buf_done) Buf journal = {0};
    CLEANUP(db_closep) Db *db = NULL;
    struct stat about;

    if (stat(path, &about) != 0)
        return err_set(err, ERR_IO, "open '%s': %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode) && regular_file_check(path, err) != 0)
        return ERR_IO;
    if (!S_ISDIR(about.st_mode))
        return is_database(path) ? open_file(path, ret_db, err) : no_results(path, false, err);
    int rc = results_path(path, RESULTS_FILE, &file, err);
    if (rc == 0)
        rc = results_path(path, JOURNAL_FILE, &journal, err);
    if (rc)
        return rc;
    if (access(buf_cstr(&journal), F_OK) != 0) {
        if (errno == EACCES) /* a folder of results is its owner's alone */
            return err_set(err, ERR_IO, "open '%s': %s", path, strerror(errno));
        if (access(buf_cstr(&file), F_OK) == 0)
            return open_file(buf_cstr(&file), ret_db, err);
        return no_results(path, true, err);
    }
    rc = regular_file_check(buf_cstr(&journal), err);
    if (rc == 0)
        rc = open_kept(path, buf_cstr(&file), buf_cstr(&journal), &db, err);
    if (rc == 0 && !db)
        rc = results_build(path, err);
    if (rc == 0 && !db)
        rc = db_open(buf_cstr(&file), false, &db, err);
    if (rc)
        return rc;
    *ret_db = TAKE(db);
    return 0;
}

/* What is no file there was put there by somebody, and is told. */
static bool has_strange_results(const char *dir)
{
    CLEANUP(buf_done) Buf file = {0};
    struct stat about;

    return results_path(dir, RESULTS_FILE, &file, NULL) ||
           (stat(buf_cstr(&file), &about) == 0 && !S_ISREG(about.st_mode));
}

int results_look(const char *path, Db **ret_db, Err *err)
{
    Err own = {0};
    int rc = results_open(path, ret_db, &own);

    if (rc == ERR_IO && journal_exists(path) && !has_strange_results(path) &&
        results_build_apart(path, ret_db, NULL) == 0)
        return 0;
    return rc ? err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg) : 0;
}

/* ---- asking ---- */

/* Adds "0 (first), 1 (second)" to the message. */
static int list_stages(Db *db, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT stage, name FROM stage ORDER BY stage LIMIT 16", &query, err);

    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        buf_printf(out, "%s%lld", out->len ? ", " : "", (long long)db_int(query, 0));
        if (!db_is_null(query, 1))
            buf_printf(out, " (%.*s)", STR_ARG(db_text(query, 1)));
        rc = 0;
    }
    return rc;
}

int results_stage(Db *db, Str text, int64_t *ret_stage, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf stages = {0};
    uint64_t number;
    int rc = db_query(db,
                      "SELECT stage FROM stage WHERE name = ?1 OR stage = ?2"
                      " ORDER BY name IS NOT ?1, stage LIMIT 1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, text);
    if (str_to_uint(text, INT64_MAX, &number))
        db_bind_int(query, 2, (int64_t)number);
    rc = db_step(query, err);
    if (rc < 0)
        return rc;
    if (rc > 0) {
        *ret_stage = db_int(query, 0);
        return 0;
    }
    rc = list_stages(db, &stages, err);
    return rc ? rc
              : err_set(err, ERR_USAGE, "there is no stage '%.*s'; there are: %s", STR_ARG(text),
                        stages.len ? buf_cstr(&stages) : "none");
}

/* min_games of a plan as match/plan.c writes it. */
static const char stages_sql[] =
    "WITH plan(j) AS (SELECT value FROM meta WHERE key = 'plan' AND json_valid(value)),"
    " least(number, games) AS (SELECT key, iif(json_type(plan_stage.value, '$.min_games') = "
    "'array',"
    " (SELECT sum(own.value) FROM json_each(plan_stage.value, '$.min_games') AS own),"
    " (plan_stage.value ->> '$.min_games') *"
    " iif(json_type(plan_stage.value, '$.players') = 'array',"
    " json_array_length(plan_stage.value, '$.players'), 1))"
    " FROM json_each("
    "(SELECT j FROM plan), '$.stages') AS plan_stage WHERE type = 'object')"
    " SELECT g.stage, stage.name, least.games, g.games"
    " FROM (SELECT stage, count(*) FILTER (WHERE counts) AS games FROM game GROUP BY stage) AS g"
    " LEFT JOIN stage ON stage.stage = g.stage LEFT JOIN least ON least.number = g.stage"
    " WHERE g.stage >= 0 ORDER BY g.stage % " SQL_OF(STAGES_MAX) ", g.stage";

int results_stages(Db *db, ResultsStage ret_stages[static STAGE_NUMBERS_MAX], uint32_t *ret_count,
                   Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, stages_sql, &query, err);
    uint32_t count = 0;

    while (rc == 0 && count < STAGE_NUMBERS_MAX && (rc = db_step(query, err)) > 0) {
        ResultsStage *stage = &ret_stages[count++];
        Str name = str_part(db_text(query, 1), 0, RESULTS_NAME_MAX);
        int64_t games = db_int(query, 2);
        *stage = (ResultsStage){.number = db_int(query, 0),
                                .min_games = games > 0 ? (uint64_t)games : 0,
                                .games = (uint64_t)db_int(query, 3)};
        if (name.len)
            memcpy(stage->name, name.bytes, name.len);
        rc = 0;
    }
    if (rc < 0)
        return rc;
    *ret_count = count;
    return 0;
}

/* A number of a row that must be min..max: a database is a file that anybody can write. */
static int64_t get_number(const DbQuery *query, int column, int64_t min, int64_t max, bool *bad)
{
    int64_t value = db_int(query, column);

    if (value >= min && value <= max)
        return value;
    *bad = true;
    return min;
}

int results_damaged(Err *err)
{
    return err_set(err, ERR_SYNTAX, "the results are damaged; make them anew with --rebuild");
}

/* A game while its rows come, one a seat. */
typedef struct Gathered {
    int64_t id; /* 0 = none yet */
    uint64_t set;
    uint64_t game;
    GameResult result;
    char names[SEAT_MAX + 1][AGENT_NAME_MAX + 1];
    Conduct conduct[SEAT_MAX + 1];
} Gathered;

/* A negative value ends it with that error. */
typedef int GatheredFn(void *user, const Gathered *game, Err *err);

static int tell_gathered(Gathered *game, GatheredFn *hear, void *user, Err *err)
{
    if (game->id == 0)
        return 0;
    for (SeatNo seat = 1; seat <= game->result.seat_count; seat++)
        game->result.names[seat] = str_of(game->names[seat]);
    return hear(user, game, err);
}

static int add_gathered(void *user, const Gathered *game, Err *err)
{
    Standings *standings = user;
    int rc = standings_add_game(standings, &game->result, err);

    for (SeatNo seat = 1; rc == 0 && seat <= game->result.seat_count; seat++)
        rc = standings_add_conduct(standings, game->result.names[seat], &game->conduct[seat], err);
    return rc;
}

/* Columns: 0 id, 1 winner, 2 last_day, 3 revote_days, 4 execution_days, 5 attacks,
 * 6 attack_kills, 7 seat, 8 agent, 9 role, 10 points, 11 failed, 12 violation, 13 other faults,
 * 14 set_number, 15 game.
 * False when they can't be of a game. */
static bool gather_game(const DbQuery *row, Gathered *game)
{
    GameResult *result = &game->result;
    Str name = db_text(row, 8);
    bool bad = false;

    if (game->id != db_int(row, 0)) {
        *game = (Gathered){.id = db_int(row, 0)};
        game->set = (uint64_t)get_number(row, 14, 0, INT64_MAX, &bad);
        game->game = (uint64_t)get_number(row, 15, 0, INT64_MAX, &bad);
        result->winner = side_of(db_text(row, 1));
        result->last_day = (uint16_t)get_number(row, 2, 0, UINT16_MAX, &bad);
        result->revote_days = (uint16_t)get_number(row, 3, 0, UINT16_MAX, &bad);
        result->execution_days = (uint16_t)get_number(row, 4, 0, UINT16_MAX, &bad);
        result->attacks = (uint16_t)get_number(row, 5, 0, UINT16_MAX, &bad);
        result->attack_kills = (uint16_t)get_number(row, 6, 0, UINT16_MAX, &bad);
    }
    SeatNo seat = (SeatNo)get_number(row, 7, 1, SEAT_MAX, &bad);
    result->points[seat] = (int32_t)get_number(row, 10, INT32_MIN, INT32_MAX, &bad);
    result->roles[seat] = role_of(db_text(row, 9));
    game->conduct[seat] =
        (Conduct){.substituted = (uint64_t)get_number(row, 11, 0, 1, &bad),
                  .violations = (uint64_t)get_number(row, 12, 0, UINT32_MAX, &bad),
                  .faults = (uint64_t)get_number(row, 13, 0, INT64_MAX / 2, &bad)};
    if (bad || seat != result->seat_count + 1 || result->roles[seat] == ROLE_NONE ||
        name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len))
        return false;
    result->seat_count = seat;
    memcpy(game->names[seat], name.bytes, name.len);
    return true;
}

int results_decisions(Db *db, int64_t stage, ResultsDecisionFn *hear, void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT agent, sum(decisions), sum(own), max(error), max(model), max(server)"
                      " FROM decision"
                      " WHERE ?1 < 0 OR stage = ?1 GROUP BY agent ORDER BY agent",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        bool bad = false;
        ResultsDecisions decisions = {.agent = db_text(query, 0)};
        DecisionSheet *sheet = &decisions.sheet;
        sheet->decisions = (uint64_t)get_number(query, 1, 0, INT64_MAX, &bad);
        sheet->own = (uint64_t)get_number(query, 2, 0, INT64_MAX, &bad);
        if (bad || decisions.agent.len == 0 || decisions.agent.len > AGENT_NAME_MAX)
            return results_damaged(err);
        decision_sheet_set_error(sheet, db_text(query, 3));
        decision_model_set(&sheet->model, db_text(query, 4), db_text(query, 5));
        rc = hear(user, &decisions, err);
        if (rc < 0)
            return rc;
    }
    return rc;
}

static int add_decisions(void *user, const ResultsDecisions *decisions, Err *err)
{
    const DecisionSheet *sheet = &decisions->sheet;
    const Conduct conduct = {.decisions = sheet->decisions, .own = sheet->own};

    if (!standings_find(user, decisions->agent))
        return 0;
    int rc = standings_add_conduct(user, decisions->agent, &conduct, err);
    return rc ? rc : standings_set_model(user, decisions->agent, &sheet->model, err);
}

/* All games of a stage (or all: stage < 0) that count, in their order. */
static int hear_games(Db *db, int64_t stage, GatheredFn *hear, void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(mem_freep) Gathered *game = mem_new(sizeof(*game));
    int rc = game ? 0 : err_set(err, ERR_MEMORY, "results: out of memory");

    if (rc == 0)
        rc = db_query(db,
                      "SELECT id, winner, last_day, revote_days, execution_days, attacks,"
                      " attack_kills, seat, agent, role, points, failed, violation,"
                      " timeout + disconnect + malformed + early, set_number, game"
                      " FROM game JOIN seat ON game_id = id"
                      " WHERE counts AND (?1 < 0 OR stage = ?1) ORDER BY id, seat",
                      &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = game->id == db_int(query, 0) ? 0 : tell_gathered(game, hear, user, err);
        if (rc == 0 && !gather_game(query, game))
            rc = results_damaged(err);
        if (rc)
            return rc;
    }
    return rc ? rc : tell_gathered(game, hear, user, err);
}

/* The last ruling on each rule counts. */
int results_eliminated(Db *db, int64_t stage, int (*hear)(void *user, Str agent, Err *err),
                       void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db,
                 "SELECT DISTINCT agent FROM (SELECT stage, agent, decision, row_number() OVER"
                 " (PARTITION BY stage, agent, rule ORDER BY rowid DESC) AS newest FROM ruling)"
                 " WHERE newest = 1 AND decision = 'eliminate'"
                 " AND (?1 < 0 OR stage <= ?1 % " SQL_OF(STAGES_MAX) ")",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = hear(user, db_text(query, 0), err);
        if (rc)
            return rc;
    }
    return rc;
}

static int add_eliminated(void *user, Str agent, Err *err)
{
    const Conduct conduct = {.eliminated = true};

    return standings_find(user, agent) ? standings_add_conduct(user, agent, &conduct, err) : 0;
}

int results_ruled_void(Db *db, int64_t stage,
                       int (*hear)(void *user, Str agent, uint64_t games, Err *err), void *user,
                       Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT agent, count(*) FROM game JOIN seat ON game_id = id"
                      " WHERE void = 2 AND NOT failed AND (?1 < 0 OR stage = ?1)"
                      " GROUP BY agent ORDER BY agent",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        const Str name = db_text(query, 0);
        if (name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len))
            return results_damaged(err);
        rc = hear(user, name, (uint64_t)db_int(query, 1), err);
        if (rc)
            return rc;
    }
    return rc;
}

/* Of whom nothing else is there, nothing counts: it has no place. */
static int add_ruled_void(void *user, Str agent, uint64_t games, Err *err)
{
    const Conduct conduct = {.ruled_void = games};

    return standings_find(user, agent) ? standings_add_conduct(user, agent, &conduct, err) : 0;
}

int results_own_share(Db *db, uint32_t *ret_share, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT value ->> '$.own_share' FROM meta WHERE key = 'plan' AND "
                      "json_valid(value)",
                      &query, err);

    *ret_share = 0;
    if (rc == 0)
        rc = db_step(query, err);
    if (rc > 0 && db_int(query, 0) >= 1 && db_int(query, 0) <= 100)
        *ret_share = (uint32_t)db_int(query, 0);
    return rc < 0 ? rc : 0;
}

/* All who sat in sets that do not count, if without games. */
static int add_unowned_seats(Db *db, int64_t stage, Standings *standings, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const Conduct none = {0};
    int rc = db_query(db,
                      "SELECT DISTINCT agent FROM game JOIN seat ON game_id = id"
                      " WHERE unowned AND (?1 < 0 OR stage = ?1) ORDER BY agent",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        const Str name = db_text(query, 0);
        if (name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len))
            return results_damaged(err);
        rc = standings_add_conduct(standings, name, &none, err);
        if (rc)
            return rc;
    }
    return rc;
}

int results_standings(Db *db, int64_t stage, Standings *standings, Err *err)
{
    int rc = hear_games(db, stage, add_gathered, standings, err);

    if (rc == 0)
        rc = results_own_share(db, &standings->own_share, err);
    if (rc == 0)
        rc = add_unowned_seats(db, stage, standings, err);
    if (rc == 0)
        rc = results_decisions(db, stage, add_decisions, standings, err);
    if (rc == 0)
        rc = results_ruled_void(db, stage, add_ruled_void, standings, err);
    return rc ? rc : results_eliminated(db, stage, add_eliminated, standings, err);
}

/* ---- trial ---- */

typedef struct Tried {
    Trial *trial;
    GameRecord *record;
} Tried;

/* Games that have one side only say nothing. */
static int try_game(void *user, const Gathered *game, Err *err)
{
    Tried *tried = user;
    Outcome outcome = {.seat_count = game->result.seat_count};

    memcpy(outcome.roles, game->result.roles, sizeof(outcome.roles));
    if (outcome_check(&outcome, NULL) != 0)
        return 0;
    tried->record->set = game->set;
    tried->record->game = game->game;
    tried->record->result = game->result;
    return trial_add_game(tried->trial, tried->record, err);
}

int results_trial(Db *db, int64_t stage, Trial *trial, Err *err)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    Tried tried = {trial, record};
    int rc = record ? hear_games(db, stage, try_game, &tried, err)
                    : err_set(err, ERR_MEMORY, "results: out of memory");

    return rc ? rc : trial_judge(trial, UINT64_MAX, err);
}

/* ---- faults ---- */

void fault_table_done(FaultTable *table)
{
    mem_free(table->agents);
    *table = (FaultTable){0};
}

/* The agent of this name, which is the last one or comes behind it; NULL without memory. */
static AgentFaults *agent_of(FaultTable *table, Str name)
{
    if (table->count && str_eq(str_of(table->agents[table->count - 1].name), name))
        return &table->agents[table->count - 1];
    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 16;
        AgentFaults *agents = mem_resize(table->agents, room, sizeof(*agents));
        if (!agents)
            return NULL;
        table->agents = agents;
        table->room = room;
    }
    AgentFaults *agent = &table->agents[table->count++];
    *agent = (AgentFaults){0};
    memcpy(agent->name, name.bytes, name.len);
    return agent;
}

/* Columns: 0 agent, 1 failed, 2.. the faults, then excesses, times, excused, waited_ms, and the
 * findings. */
static int add_seat(const DbQuery *row, FaultTable *table, Err *err)
{
    Str name = db_text(row, 0), times = db_text(row, 3 + FAULT_COUNT);
    CLEANUP(mem_freep) Durations *own = mem_new(sizeof(*own));
    bool bad = name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, 0, name.len);
    AgentFaults *agent = bad || !own ? NULL : agent_of(table, name);

    if (bad)
        return results_damaged(err);
    if (!agent)
        return err_set(err, ERR_MEMORY, "results: out of memory");
    agent->games++;
    agent->failed += (uint64_t)get_number(row, 1, 0, 1, &bad);
    for (int kind = 0; kind < FAULT_COUNT; kind++)
        agent->faults[kind] += (uint64_t)get_number(row, 2 + kind, 0, UINT32_MAX, &bad);
    agent->excesses += (uint64_t)get_number(row, 2 + FAULT_COUNT, 0, UINT32_MAX, &bad);
    agent->excused += (uint64_t)get_number(row, 4 + FAULT_COUNT, 0, UINT32_MAX, &bad);
    agent->waited_ms += (uint64_t)get_number(row, 5 + FAULT_COUNT, 0, UINT32_MAX, &bad);
    for (int rule = 0; rule < FINDING_RULES; rule++)
        agent->findings[rule] +=
            (uint64_t)get_number(row, 6 + FAULT_COUNT + rule, 0, UINT32_MAX, &bad);
    if (bad || durations_read(times, own, NULL))
        return results_damaged(err);
    durations_merge(&agent->times, own);
    return 0;
}

int results_faults(Db *db, int64_t stage, FaultTable *ret_table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(fault_table_done) FaultTable table = {0};
    int rc = db_query(db,
                      "SELECT agent, failed, timeout, disconnect, malformed, early, violation,"
                      " excesses, times, excused, waited_ms, " RESULTS_FOUND
                      " FROM game JOIN seat ON game_id = id"
                      " WHERE outside AND (?1 < 0 OR stage = ?1) ORDER BY agent",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = add_seat(query, &table, err);
        if (rc)
            return rc;
    }
    if (rc == 0) {
        *ret_table = table;
        table = (FaultTable){0};
    }
    return rc;
}
