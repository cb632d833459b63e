#include "results/results_all.h"

#include "base/json.h"
#include "disk/log_file.h"
#include "results/log_folder.h"
#include "results/results_build.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- places ---- */

typedef struct Place {
    const char *path;
    Buf folder;   /* of a journal, whichever of the two was named; of logs */
    Buf database; /* empty: a folder of logs, or a log */
    bool several; /* stages */
} Place;

/* A stage of what is put together. */
typedef struct JoinedStage {
    char name[PLAN_NAME_MAX + 1]; /* "" = none, or several */
    bool several_names;
    uint64_t min_games;
} JoinedStage;

typedef struct Join {
    Place *places;
    size_t count;
    ResultsMaker *maker;
    Db *db; /* the maker's */
    JoinedStage stages[STAGES_MAX];
    uint32_t stage_count;
    bool one_stage; /* whatever its names */
    bool complete;
    LogPrints prints;
    ResultsLeftOut *left_out;
} Join;

static void join_done(Join *join)
{
    for (size_t i = 0; i < join->count; i++) {
        buf_done(&join->places[i].folder);
        buf_done(&join->places[i].database);
    }
    mem_free(join->places);
    log_prints_done(&join->prints);
    results_maker_freep(&join->maker);
}

static bool is_there(const Buf *path)
{
    return access(buf_cstr(path), F_OK) == 0;
}

static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* The folder of a journal that was named itself; false for any other path. */
static bool folder_of_journal(const char *path, Buf *ret_folder)
{
    const char *slash = strrchr(path, '/');

    if (strcmp(slash ? slash + 1 : path, JOURNAL_FILE) != 0 || is_folder(path))
        return false;
    buf_add(ret_folder, slash ? str_part(str_of(path), 0, (size_t)(slash - path)) : STR("."));
    if (slash == path)
        buf_add_char(ret_folder, '/');
    return true;
}

/* Whether a folder has neither a journal nor a database, but logs. */
static bool is_of_logs(const char *path)
{
    CLEANUP(buf_done) Buf journal = {0};
    CLEANUP(buf_done) Buf database = {0};
    CLEANUP(log_list_done) LogList logs = {.json = true};

    buf_printf(&journal, "%s/" JOURNAL_FILE, path);
    buf_printf(&database, "%s/" RESULTS_FILE, path);
    return is_folder(path) && !is_there(&journal) && !is_there(&database) &&
           log_list_add(&logs, path, NULL) == 0;
}

/* One log by its name. */
static bool is_log(const char *path)
{
    static const char *const endings[] = {".log", ".log.gz", ".json", ".json.gz", "session.jsonl"};
    const size_t len = strlen(path);
    struct stat about;

    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const size_t own = strlen(endings[i]);
        if (len > own && strcmp(path + len - own, endings[i]) == 0)
            return true;
    }
    return strcmp(path, "session.jsonl") == 0;
}

static int place_find(Place *place, const char *path, Err *err)
{
    place->path = path;
    if (is_log(path))
        return 0;
    if (!folder_of_journal(path, &place->folder) && is_folder(path))
        buf_add(&place->folder, str_of(path));
    if (!is_of_logs(path) && place->folder.len)
        buf_printf(&place->database, "%s/" RESULTS_FILE, buf_cstr(&place->folder));
    else if (!place->folder.len)
        buf_add(&place->database, str_of(path));
    return buf_failed(&place->folder) || buf_failed(&place->database)
               ? err_set(err, ERR_MEMORY, "results: out of memory")
               : 0;
}

static int place_open(const Place *place, Db **ret_db, Err *err)
{
    return results_look(place->folder.len ? buf_cstr(&place->folder) : place->path, ret_db, err);
}

static int ask(Db *db, const char *sql, int64_t *ret_number, Err *err)
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

/* Of games and sets: those of a folder are counted behind those of the folders before. */
#define NUMBER_MAX (INT64_MAX / (2 * RESULTS_PLACES_MAX))

/* Makes its database when that is needed, and counts its stages. */
_Static_assert(STAGES_MAX == 16, "place_look says it in SQL");

static int place_look(Place *place, bool *complete, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    int64_t stages = 0, ended = 0, highest = 0;

    if (!place->database.len)
        return 0;
    int rc = place_open(place, &db, err);
    if (rc == 0)
        rc = ask(db, "SELECT count(DISTINCT stage % 16) FROM game", &stages, err);
    if (rc == 0)
        rc = ask(db, "SELECT count(*) FROM meta WHERE key = 'complete' AND value = '1'", &ended,
                 err);
    if (rc == 0)
        rc =
            ask(db, "SELECT coalesce(max(max(game), max(set_number)), 0) FROM game", &highest, err);
    if (rc == 0 && highest > NUMBER_MAX)
        rc = err_set(err, ERR_LIMIT,
                     "'%s' has a game or set with the number %" PRId64
                     ", which leaves no room for the games of other folders",
                     place->path, highest);
    place->several = stages > 1;
    *complete = *complete && ended > 0;
    return rc;
}

/* ---- stages ---- */

/* One stage of several names has none; places without a name for it change nothing. */
static void name_stage(JoinedStage *stage, Str name)
{
    if (!name.len || stage->several_names)
        return;
    stage->several_names = stage->name[0] && !str_eq(str_of(stage->name), name);
    if (stage->several_names)
        name = (Str){0};
    snprintf(stage->name, sizeof(stage->name), "%.*s", STR_ARG(name));
}

/* The stage of this name, new or known; `taken` has those that other stages of the same place went
 * to, a bit each: two stages may have one name. */
static int joined_stage(Join *join, Str name, uint32_t taken, uint32_t *ret_stage, Err *err)
{
    uint32_t at = 0;

    name = str_part(name, 0, PLAN_NAME_MAX);
    while (at < join->stage_count && !join->one_stage &&
           (taken & 1u << at || !str_eq(str_of(join->stages[at].name), name)))
        at++;
    if (at == STAGES_MAX)
        return err_set(err, ERR_LIMIT, "the folders have more than %u stages together", STAGES_MAX);
    join->stage_count += at == join->stage_count;
    name_stage(&join->stages[at], name);
    *ret_stage = at;
    return 0;
}

static int keep_stage(Db *db, int64_t old, uint32_t joined, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "INSERT INTO temp.stage_of VALUES(?1, ?2)", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, old);
    db_bind_int(query, 2, stage_number(joined, old >= 0 ? round_of_number((uint32_t)old) : 0));
    return db_step(query, err);
}

/* Where each stage of a place goes; its database is attached as `place`. */
static int map_stages(Join *join, const Place *place, Err *err)
{
    CLEANUP(db_closep) Db *own = NULL;
    ResultsStage stages[STAGE_NUMBERS_MAX];
    uint32_t count = 0, joined = 0, taken = 0;
    uint32_t of[STAGES_MAX] = {0}; /* 1 + where a stage went: its extra rounds go there, too */
    int rc = place_open(place, &own, err);

    if (rc == 0)
        rc = results_stages(own, stages, &count, err);
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        Str name = str_of(stages[i].name);
        if (round_of_number((uint32_t)stages[i].number)) { /* "NAME, extra round 2" */
            const char *extra = strstr(stages[i].name, ", extra round ");
            name = extra ? str_part(name, 0, (size_t)(extra - stages[i].name)) : name;
        }
        uint32_t *went = &of[stage_of_number((uint32_t)stages[i].number)];
        if (*went)
            joined = *went - 1;
        else
            rc = joined_stage(join, name, taken, &joined, err);
        *went = joined + 1;
        taken |= 1u << joined;
        if (rc == 0 && stages[i].min_games > join->stages[joined].min_games)
            join->stages[joined].min_games = stages[i].min_games;
        if (rc == 0)
            rc = keep_stage(join->db, stages[i].number, joined, err);
    }
    return rc;
}

/* ---- databases ---- */

static const char begin_sql[] =
    "CREATE TEMP TABLE seen(plan TEXT, stage INTEGER, game INTEGER, ended_ms INTEGER,"
    " PRIMARY KEY(plan, stage, game, ended_ms)) WITHOUT ROWID;"
    "CREATE TEMP TABLE stage_of(old INTEGER PRIMARY KEY, joined INTEGER);"
    "CREATE TEMP TABLE log_file(device INTEGER, inode INTEGER, PRIMARY KEY(device, inode))"
    " WITHOUT ROWID;CREATE INDEX main.game_name ON game(name, division)";

/* Whether two games of one id are the same: `b` is one of main.game. Natural-language ids are
 * random. That of a MAW session is what somebody has called it, or empty, so its rounds are the
 * same when they ended in the same millisecond; records of old builds do not tell when. */
#define SAME_ID(name, division, ended)                                                             \
    " b.name = " name " AND b.division = " division                                                \
    " AND (b.division <> 'maw' OR b.ended_ms = " ended " OR ((b.ended_ms = 0 OR " ended            \
    " = 0) AND b.name NOT GLOB '-*'))"

/* Games that are not there yet, by their ids, or, where they have none, by their place in the plan
 * and when they ended; with numbers and sets behind those that are. Decisions are told for
 * whole sets, so they come with their set's games. */
static const char take_sql[] =
    "BEGIN;"
    "CREATE TEMP TABLE plan_of AS SELECT coalesce((SELECT value FROM place.meta WHERE key = "
    "'plan'),"
    " '') AS plan;"
    "CREATE TEMP TABLE new_game AS SELECT * FROM place.game AS g WHERE stage IN (SELECT old FROM"
    " stage_of) AND (g.name <> '' OR NOT EXISTS (SELECT 1 FROM seen JOIN plan_of USING(plan)"
    " WHERE seen.stage = g.stage AND seen.game = g.game AND seen.ended_ms = g.ended_ms))"
    " AND NOT EXISTS (SELECT 1 FROM main.game AS b WHERE g.name <> '' AND" SAME_ID(
        "g.name", "g.division",
        "g.ended_ms") ");"
                      "CREATE TEMP TABLE new_seat AS SELECT * FROM place.seat WHERE game_id IN "
                      "(SELECT id FROM"
                      " new_game);"
                      "CREATE TEMP TABLE new_decision AS SELECT * FROM place.decision AS d WHERE "
                      "EXISTS (SELECT 1 "
                      "FROM"
                      " new_game WHERE stage = d.stage AND set_number = d.set_number);"
                      "CREATE TEMP TABLE new_finding AS SELECT * FROM place.finding AS f WHERE "
                      "EXISTS (SELECT 1 FROM new_game WHERE stage = f.stage AND set_number = "
                      "f.set_number);"
                      "INSERT OR IGNORE INTO seen SELECT plan, stage, game, ended_ms FROM "
                      "new_game, plan_of"
                      " WHERE new_game.name = '';"
                      "CREATE TEMP TABLE behind AS SELECT coalesce(max(id), 0) AS id, "
                      "coalesce(max(game), -1) + 1 AS"
                      " game, coalesce(max(set_number), -1) + 1 AS set_number, coalesce(max(deal), "
                      "-1) + 1 AS deal FROM main.game;"
                      "UPDATE new_game SET id = id + (SELECT id FROM behind), game = game + "
                      "(SELECT game FROM "
                      "behind),"
                      " set_number = set_number + (SELECT set_number FROM behind), deal = deal + "
                      "(SELECT deal FROM behind), stage = (SELECT joined FROM "
                      "stage_of"
                      " WHERE old = stage);"
                      "UPDATE new_seat SET game_id = game_id + (SELECT id FROM behind);"
                      "UPDATE new_decision SET set_number = set_number + (SELECT set_number FROM "
                      "behind), stage ="
                      " (SELECT joined FROM stage_of WHERE old = stage);"
                      "UPDATE new_finding SET set_number = set_number + (SELECT set_number FROM "
                      "behind), game = game + (SELECT game FROM behind), stage ="
                      " (SELECT joined FROM stage_of WHERE old = stage);"
                      "INSERT INTO main.game SELECT * FROM new_game;"
                      "INSERT INTO main.seat SELECT * FROM new_seat;"
                      "INSERT INTO main.decision SELECT * FROM new_decision;"
                      "INSERT INTO main.finding SELECT * FROM new_finding;"
                      "INSERT INTO main.ruling SELECT joined, agent, rule, decision, reason, at_ms"
                      " FROM place.ruling JOIN stage_of ON old = stage;"
                      "DROP TABLE plan_of; DROP TABLE new_game; DROP TABLE new_seat; DROP TABLE "
                      "new_decision; DROP TABLE new_finding;"
                      "DROP TABLE behind; DELETE FROM stage_of;"
                      "COMMIT;"
                      "DETACH place";

static int attach(Db *db, const Place *place, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "ATTACH ?1 AS place", &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, buf_str(&place->database));
    return db_step(query, err);
}

static int keep_log_file(Db *db, const char *path, bool *ret_new, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    struct stat about;

    *ret_new = true;
    if (stat(path, &about) != 0)
        return 0;
    int rc =
        db_query(db, "INSERT INTO temp.log_file VALUES(?1, ?2) ON CONFLICT DO NOTHING RETURNING 1",
                 &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, (int64_t)about.st_dev);
    db_bind_int(query, 2, (int64_t)about.st_ino);
    rc = db_step(query, err);
    *ret_new = rc > 0;
    if (rc > 0)
        db_reset(query);
    return rc < 0 ? rc : 0;
}

/* The logs of its games, so that a folder of logs does not tell of them once more. */
static int keep_logs_of(Join *join, const Place *place, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf path = {0};
    bool fresh;
    int rc =
        place->folder.len
            ? db_query(join->db, "SELECT log FROM place.game WHERE log IS NOT NULL", &query, err)
            : 1;

    if (rc)
        return rc < 0 ? rc : 0;
    while ((rc = db_step(query, err)) > 0) {
        buf_clear(&path);
        buf_printf(&path, "%s/%.*s", buf_cstr(&place->folder), STR_ARG(db_text(query, 0)));
        struct stat about;
        if (lstat(buf_cstr(&path), &about) != 0 || !S_ISREG(about.st_mode))
            continue; /* a link could hide the game of another folder */
        rc = keep_log_file(join->db, buf_cstr(&path), &fresh, err);
        if (rc)
            return rc;
    }
    return rc;
}

static int take_database(Join *join, const Place *place, Err *err)
{
    int rc = attach(join->db, place, err);

    if (rc == 0)
        rc = map_stages(join, place, err);
    if (rc == 0)
        rc = keep_logs_of(join, place, err);
    if (rc == 0)
        rc = db_exec(join->db, take_sql, err);
    return rc ? err_wrap(err, "'%s': ", place->path) : 0;
}

/* ---- logs ---- */

typedef struct LogTaker {
    Join *join;
    const char *last; /* whose games are taken: a record has several */
    bool is_new;
    uint32_t stage;
    uint64_t first; /* number and set of the folder's first game */
} LogTaker;

/* Whether a game that has a name of its own is there: a copied record is another file. */
static int is_known(Db *db, const GameRecord *record, bool *ret_known, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db, "SELECT 1 FROM main.game AS b WHERE" SAME_ID("?1", "?2", "?3"), &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, str_of(record->id));
    db_bind_text(query, 2, str_of(game_division_name(record->division)));
    db_bind_int(query, 3, record->ended_at_ms);
    rc = db_step(query, err);
    *ret_known = rc > 0 && record->id[0];
    return rc < 0 ? rc : 0;
}

static int take_log(void *user, const char *path, const GameRecord *record, Err *err)
{
    LogTaker *taker = user;
    CLEANUP(mem_freep) GameRecord *own = mem_new(sizeof(*own));
    bool known = false;
    int rc = own ? 0 : err_set(err, ERR_MEMORY, "results: out of memory");

    if (rc == 0)
        rc = is_known(taker->join->db, record, &known, err);
    if (rc == 0 && path != taker->last)
        rc = keep_log_file(taker->join->db, path, &taker->is_new, err);
    taker->last = path;
    if (rc || known || !taker->is_new)
        return rc;
    *own = *record;
    own->stage = taker->stage;
    own->game += taker->first;
    own->set += taker->first;
    return results_maker_add(taker->join->maker, own, err);
}

static void hear_left_out(void *user, Str why)
{
    const LogTaker *taker = user;
    ResultsLeftOut *left_out = taker->join->left_out;

    left_out->count++;
    left_out->hear(left_out->user, why);
}

static int take_logs(Join *join, const Place *place, Err *err)
{
    LogTaker taker = {.join = join};
    const LogFolderListener listener = {take_log, hear_left_out, &taker, &join->prints};
    uint64_t games = 0;
    int64_t number = 0;
    int rc = joined_stage(join, (Str){0}, 0, &taker.stage, err);

    if (rc == 0)
        rc = ask(join->db, "SELECT coalesce(max(max(game), max(set_number)), -1) + 1 FROM game",
                 &number, err);
    taker.first = (uint64_t)number;
    if (rc == 0)
        rc = db_exec(join->db, "BEGIN", err);
    if (rc == 0)
        rc = log_folder_read(place->path, &listener, &games, err);
    if (rc == 0)
        rc = db_exec(join->db, "COMMIT", err);
    if (rc == 0 && games == 0)
        rc = err_set(err, ERR_IO, "'%s' holds no log that can be counted", place->path);
    return rc;
}

/* ---- all ---- */

/* What the joined stages are called and need, as a journal's plan says it. */
static void write_plan(const Join *join, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_key(&json, STR("stages"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < join->stage_count; i++) {
        json_open(&json, '{');
        if (join->stages[i].name[0])
            json_add_str(&json, "name", str_of(join->stages[i].name));
        json_add_uint(&json, "min_games", join->stages[i].min_games);
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
}

static int join_places(Join *join, Db **ret_db, Err *err)
{
    CLEANUP(buf_done) Buf plan = {0};
    int rc = results_maker_new(&join->maker, err);

    if (rc)
        return rc;
    join->db = results_maker_db(join->maker);
    rc = db_exec(join->db, begin_sql, err);
    for (size_t i = 0; rc == 0 && i < join->count; i++)
        if (join->places[i].database.len)
            rc = take_database(join, &join->places[i], err);
    for (size_t i = 0; rc == 0 && i < join->count; i++)
        if (!join->places[i].database.len)
            rc = take_logs(join, &join->places[i], err);
    if (rc)
        return rc;
    write_plan(join, &plan);
    return buf_failed(&plan)
               ? err_set(err, ERR_MEMORY, "results: out of memory")
               : results_maker_end(join->maker, buf_str(&plan), join->complete, ret_db, err);
}

int results_open_all(char *const *paths, size_t count, ResultsLeftOut *left_out, Db **ret_db,
                     Err *err)
{
    CLEANUP(join_done) Join join = {.one_stage = true, .complete = true, .left_out = left_out};
    int rc = 0;

    left_out->count = 0;
    if (count == 0 || count > RESULTS_PLACES_MAX)
        return err_set(err, ERR_USAGE, "name 1 to %d folders, databases or logs",
                       RESULTS_PLACES_MAX);
    join.places = mem_new(count * sizeof(*join.places));
    if (!join.places)
        return err_set(err, ERR_MEMORY, "results: out of memory");
    for (size_t i = 0; rc == 0 && i < count; i++) {
        join.count = i + 1;
        rc = place_find(&join.places[i], paths[i], err);
    }
    if (rc == 0 && count == 1 && join.places[0].database.len)
        return place_open(&join.places[0], ret_db, err);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        rc = place_look(&join.places[i], &join.complete, err);
        join.one_stage = join.one_stage && !join.places[i].several;
    }
    return rc ? rc : join_places(&join, ret_db, err);
}
