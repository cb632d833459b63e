#include "results/results.h"

#include "disk/disk_call.h"
#include "disk/log_file.h"
#include "disk/regular_file.h"
#include "journal/journal_line.h"
#include "results/results_sql.h"
#include "stats/decision_sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static int path_in(const char *dir, const char *name, Buf *ret_path, Err *err)
{
    buf_clear(ret_path);
    buf_printf(ret_path, "%s/%s", dir, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "results: out of memory") : 0;
}

/* ---- building ---- */

typedef struct Builder {
    Db *db;
    DbQuery *game;
    DbQuery *seat;
    DbQuery *meta;
    char key[KEY_HEX_BYTES]; /* published; empty = none */
    bool complete;
} Builder;

static void builder_done(Builder *builder)
{
    db_query_free(builder->game);
    db_query_free(builder->seat);
    db_query_free(builder->meta);
    db_close(builder->db);
}

static int put_meta(Builder *builder, const char *key, Str value, Err *err)
{
    db_bind_text(builder->meta, 1, str_of(key));
    db_bind_text(builder->meta, 2, value);
    return db_step(builder->meta, err);
}

static int put_meta_number(Builder *builder, const char *key, uint64_t value, Err *err)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    return put_meta(builder, key, str_of(text), err);
}

/* Names of stages are in the plan's member "stages", a list of objects with a "name"; a plan
 * without has stages without names. */
static int on_plan(void *user, Str plan, Err *err)
{
    Builder *builder = user;
    CLEANUP(db_query_freep) DbQuery *stages = NULL;
    int rc = put_meta(builder, "plan", plan, err);

    if (rc == 0)
        rc =
            db_query(builder->db,
                     "INSERT INTO stage SELECT key, value ->> 'name' FROM json_each(?1, '$.stages')"
                     " WHERE json_type(?1, '$.stages') = 'array' AND type = 'object'"
                     " AND json_type(value, '$.name') = 'text'",
                     &stages, err);
    if (rc)
        return rc;
    db_bind_text(stages, 1, plan);
    return db_step(stages, err);
}

/* An empty text that is one: {0} would be NULL. */
static void bind_some(DbQuery *query, int column, Str text)
{
    db_bind_text(query, column, text.len ? text : STR(""));
}

/* Who decides for the seat, from `column` on. */
static void bind_player(DbQuery *query, int column, const SeatRecord *own)
{
    bind_some(query, column++, own->team);
    db_bind_text(query, column++, str_of(seat_kind_name(own->kind)));
    bind_some(query, column++, own->model);
    db_bind_int(query, column++, (int64_t)own->decisions);
    db_bind_int(query, column++, (int64_t)own->own);
    db_bind_int(query, column++, (int64_t)own->prompt_tokens);
    db_bind_int(query, column, (int64_t)own->answer_tokens);
}

static int put_seat(Builder *builder, int64_t id, const GameRecord *record, SeatNo seat, Buf *times,
                    Err *err)
{
    const GameResult *result = &record->result;
    const SeatRecord *own = &record->seats[seat];
    DbQuery *query = builder->seat;
    bool won = result->winner != SIDE_NONE && role_side(result->roles[seat]) == result->winner;
    int column = 8;

    db_bind_int(query, 1, id);
    db_bind_int(query, 2, seat);
    db_bind_text(query, 3, game_record_counted(record, seat));
    db_bind_text(query, 4, str_of(role_name(result->roles[seat])));
    db_bind_int(query, 5, won);
    db_bind_int(query, 6, result->points[seat]);
    db_bind_int(query, 7, own->outside);
    db_bind_int(query, column++, own->failed);
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        db_bind_int(query, column++, own->faults[kind]);
    db_bind_int(query, column++, own->excesses);
    buf_clear(times);
    durations_print(&own->times, times);
    if (buf_failed(times))
        return err_set(err, ERR_MEMORY, "results: out of memory");
    if (times->len)
        db_bind_text(query, column++, buf_str(times));
    else
        db_bind_null(query, column++);
    db_bind_int(query, column++, own->excused);
    db_bind_int(query, column++, own->waited_ms);
    db_bind_text(query, column++, result->names[seat]);
    bind_player(query, column, own);
    return db_step(query, err);
}

/* Returns 1 and the row's id, or an error. */
static int put_game(Builder *builder, const GameRecord *record, int64_t *ret_id, Err *err)
{
    const GameResult *result = &record->result;
    DbQuery *query = builder->game;

    db_bind_int(query, 1, record->stage);
    db_bind_int(query, 2, (int64_t)record->set);
    db_bind_int(query, 3, (int64_t)record->game);
    db_bind_int(query, 4, record->ended_at_ms);
    db_bind_text(query, 5, str_of(side_name(result->winner)));
    db_bind_text(query, 6, str_of(end_reason_name(record->reason)));
    db_bind_int(query, 7, result->last_day);
    db_bind_int(query, 8, result->seat_count);
    db_bind_int(query, 9, result->revote_days);
    db_bind_int(query, 10, result->execution_days);
    db_bind_int(query, 11, result->attacks);
    db_bind_int(query, 12, result->attack_kills);
    if (record->log[0])
        db_bind_text(query, 13, str_of(record->log));
    else
        db_bind_null(query, 13);
    db_bind_text(query, 14, str_of(game_division_name(record->division)));
    db_bind_text(query, 15, str_of(record->ruleset));
    db_bind_text(query, 16, str_of(record->id));
    db_bind_int(query, 17, record->began_at_ms);
    db_bind_int(query, 18, record->is_void);
    int rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_SYNTAX, "game %" PRIu64 " of stage %" PRIu32 " is there twice",
                       record->game, record->stage);
    if (rc > 0) {
        *ret_id = db_int(query, 0);
        db_reset(query);
    }
    return rc;
}

static int put_decisions(const Builder *builder, const DecisionNote *told, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(builder->db, "INSERT INTO decision VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                      &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, told->stage);
    db_bind_int(query, 2, (int64_t)told->set);
    db_bind_text(query, 3, told->agent);
    db_bind_int(query, 4, (int64_t)told->sheet.decisions);
    db_bind_int(query, 5, (int64_t)told->sheet.own);
    db_bind_text(query, 6, str_of(told->sheet.error));
    db_bind_text(query, 7, str_of(told->sheet.model.name));
    db_bind_text(query, 8, str_of(told->sheet.model.server));
    return db_step(query, err);
}

/* A model tells how it decided at the end of its set, */
static int on_note(void *user, Str text, Err *err)
{
    DecisionNote note;

    return decision_note_read(text, &note) ? put_decisions(user, &note, err) : 0;
}

/* or in the record of each game. */
static int put_seat_decisions(const Builder *builder, const GameRecord *record, SeatNo seat,
                              Err *err)
{
    const SeatRecord *own = &record->seats[seat];
    DecisionNote told = {.stage = record->stage,
                         .set = record->set,
                         .agent = game_record_counted(record, seat),
                         .sheet = {.decisions = own->decisions, .own = own->own}};

    if (record->is_void || (own->decisions == 0 && own->model.len == 0))
        return 0;
    decision_model_set(&told.sheet.model, own->model, STR(""));
    return put_decisions(builder, &told, err);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Builder *builder = user;
    CLEANUP(buf_done) Buf times = {0};
    int64_t id = 0;
    int rc = put_game(builder, record, &id, err);

    if (rc < 0)
        return rc;
    rc = 0;
    for (SeatNo seat = 1; rc == 0 && seat <= record->result.seat_count; seat++)
        rc = put_seat(builder, id, record, seat, &times, err);
    for (SeatNo seat = 1; rc == 0 && seat <= record->result.seat_count; seat++)
        rc = put_seat_decisions(builder, record, seat, err);
    return rc;
}

static int on_end(void *user, uint64_t games, Err *err)
{
    Builder *builder = user;

    (void)games;
    (void)err;
    builder->complete = true;
    return 0;
}

/* The last one that was published stands. */
static int on_key(void *user, uint32_t part, bool published, const Key *value, Err *err)
{
    Builder *builder = user;

    (void)part;
    (void)err;
    if (published)
        key_to_hex(value, builder->key);
    return 0;
}

static int prepare_tables(Builder *builder, const char *path, Err *err)
{
    int rc = db_open(path, true, &builder->db, err);

    if (rc == 0)
        rc = db_exec(builder->db, results_schema_sql, err);
    if (rc == 0)
        rc = db_query(builder->db, "INSERT INTO meta VALUES(?1, ?2)", &builder->meta, err);
    if (rc == 0)
        rc = db_query(builder->db,
                      "INSERT INTO game VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
                      " ?12, ?13, ?14, ?15, ?16, ?17, ?18) ON CONFLICT DO NOTHING RETURNING id",
                      &builder->game, err);
    if (rc == 0)
        rc = db_query(builder->db,
                      "INSERT INTO seat VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                      " ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)",
                      &builder->seat, err);
    return rc;
}

#define CRC_TEXT_BYTES 9 /* eight digits and the NUL */

/* The CRC-32 of the journal's first `bytes` bytes, by which a journal that was replaced or damaged
 * anywhere is known; "" when there are fewer. All of it is read: that costs a second for some
 * gigabytes, and no table stands on results that the journal does not bear out. */
static void journal_crc(int fd, uint64_t bytes, char ret_crc[static CRC_TEXT_BYTES])
{
    char some[64 * 1024];
    uint32_t crc = 0;
    uint64_t at = 0;

    while (at < bytes) {
        size_t want = bytes - at < sizeof(some) ? (size_t)(bytes - at) : sizeof(some);
        ssize_t n = pread(fd, some, want, (off_t)at);
        if (n <= 0) {
            ret_crc[0] = '\0';
            return;
        }
        crc = journal_crc_add(crc, (Str){some, (size_t)n});
        at += (uint64_t)n;
    }
    snprintf(ret_crc, CRC_TEXT_BYTES, "%08" PRIx32, crc);
}

/* Stages that the plan does not name have no name; extra rounds have that of their stage. */
static int name_stages(const Builder *builder, Err *err)
{
    return db_exec(builder->db, results_finish_sql, err);
}

static int finish_build(Builder *builder, const char *journal, const JournalEnd *end, Err *err)
{
    char crc[CRC_TEXT_BYTES];
    int fd = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return err_set(err, ERR_IO, "open '%s': %s", journal, strerror(errno));
    journal_crc(fd, end->bytes, crc);
    close(fd);
    int rc = put_meta_number(builder, "journal_bytes", end->bytes, err);
    if (rc == 0)
        rc = put_meta(builder, "journal_crc", str_of(crc), err);
    if (rc == 0 && builder->key[0])
        rc = put_meta(builder, "key", str_of(builder->key), err);
    if (rc == 0)
        rc = put_meta(builder, "complete", builder->complete ? STR("1") : STR("0"), err);
    return rc ? rc : name_stages(builder, err);
}

static int fill_results(const char *journal, const char *path, Err *err)
{
    CLEANUP(builder_done) Builder builder = {0};
    const JournalListener listener = {.plan = on_plan,
                                      .game = on_game,
                                      .note = on_note,
                                      .end = on_end,
                                      .key = on_key,
                                      .user = &builder};
    JournalEnd end = {0};
    int rc = prepare_tables(&builder, path, err);

    if (rc == 0)
        rc = journal_read(journal, &listener, &end, err);
    return rc ? rc : finish_build(&builder, journal, &end, err);
}

/* To disk before it gets its name: SQLite was told not to care. */
static int name_it(const char *temporary, const char *path, Err *err)
{
    int rc = disk_sync_path(temporary, err);

    return rc == 0 && disk_rename(temporary, path) ? disk_error(err, "write", path) : rc;
}

int results_build(const char *dir, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf journal = {0};
    CLEANUP(buf_done) Buf temporary = {0};
    int rc = path_in(dir, RESULTS_FILE, &path, err);

    if (rc == 0)
        rc = path_in(dir, JOURNAL_FILE, &journal, err);
    /* Of this process, so that two can build at a time. */
    buf_printf(&temporary, "%s.%ld.tmp", buf_cstr(&path), (long)getpid());
    if (rc == 0 && buf_failed(&temporary))
        rc = err_set(err, ERR_MEMORY, "results: out of memory");
    if (rc)
        return rc;
    if (disk_remove(buf_cstr(&temporary)) != 0 && errno != ENOENT)
        return err_set(err, ERR_IO, "write '%s': %s", buf_cstr(&temporary), strerror(errno));
    rc = fill_results(buf_cstr(&journal), buf_cstr(&temporary), err);
    if (rc == 0)
        rc = name_it(buf_cstr(&temporary), buf_cstr(&path), err);
    if (rc)
        (void)disk_remove(buf_cstr(&temporary));
    return rc;
}

/* ---- made of games from anywhere ---- */

struct ResultsMaker {
    Builder builder;
};

int results_maker_new(ResultsMaker **ret_maker, Err *err)
{
    CLEANUP(results_maker_freep) ResultsMaker *maker = mem_new(sizeof(*maker));
    int rc = maker ? 0 : err_set(err, ERR_MEMORY, "results: out of memory");

    if (rc == 0)
        rc = prepare_tables(&maker->builder, "",
                            err); /* SQLite's name for a file that nobody else sees */
    if (rc == 0)
        rc = db_exec(maker->builder.db, "COMMIT", err);
    if (rc == 0)
        *ret_maker = TAKE(maker);
    return rc;
}

void results_maker_freep(ResultsMaker **maker)
{
    if (*maker)
        builder_done(&(*maker)->builder);
    *maker = mem_free(*maker);
}

Db *results_maker_db(const ResultsMaker *maker)
{
    return maker->builder.db;
}

int results_maker_add(ResultsMaker *maker, const GameRecord *record, Err *err)
{
    return on_game(&maker->builder, record, err);
}

int results_maker_end(ResultsMaker *maker, Str plan, bool complete, Db **ret_db, Err *err)
{
    Builder *builder = &maker->builder;
    int rc = db_exec(builder->db, "BEGIN", err);

    if (rc == 0)
        rc = on_plan(builder, plan, err);
    if (rc == 0)
        rc = put_meta(builder, "complete", complete ? STR("1") : STR("0"), err);
    if (rc == 0)
        rc = name_stages(builder, err); /* ends with COMMIT */
    if (rc)
        return rc;
    *ret_db = TAKE(builder->db);
    return 0;
}

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
    char crc[CRC_TEXT_BYTES];
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
    journal_crc(fd, (uint64_t)bytes, crc);
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
    int rc = path_in(path, RESULTS_FILE, &file, err);
    if (rc == 0)
        rc = path_in(path, JOURNAL_FILE, &journal, err);
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
        rc = open_fresh(buf_cstr(&file), buf_cstr(&journal), &db, err);
    if (rc == 0 && !db)
        rc = results_build(path, err);
    if (rc == 0 && !db)
        rc = db_open(buf_cstr(&file), false, &db, err);
    if (rc)
        return rc;
    *ret_db = TAKE(db);
    return 0;
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
    " least(number, games) AS (SELECT key, (value ->> '$.min_games') *"
    " iif(json_type(value, '$.players') = 'array', json_array_length(value, '$.players'), 1)"
    " FROM json_each("
    "(SELECT j FROM plan), '$.stages') WHERE type = 'object')"
    " SELECT g.stage, stage.name, least.games, g.games"
    " FROM (SELECT stage, count(*) FILTER (WHERE NOT void) AS games FROM game GROUP BY stage) AS g"
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

static int damaged_database(Err *err)
{
    return err_set(err, ERR_SYNTAX, "the results are damaged; make them anew with --rebuild");
}

/* A game while its rows come, one a seat. */
typedef struct Gathered {
    int64_t id; /* 0 = none yet */
    GameResult result;
    char names[SEAT_MAX + 1][AGENT_NAME_MAX + 1];
    Conduct conduct[SEAT_MAX + 1];
} Gathered;

static int add_gathered(Gathered *game, Standings *standings, Err *err)
{
    if (game->id == 0)
        return 0;
    for (SeatNo seat = 1; seat <= game->result.seat_count; seat++)
        game->result.names[seat] = str_of(game->names[seat]);
    int rc = standings_add_game(standings, &game->result, err);
    for (SeatNo seat = 1; rc == 0 && seat <= game->result.seat_count; seat++)
        rc = standings_add_conduct(standings, game->result.names[seat], &game->conduct[seat], err);
    return rc;
}

/* Columns: 0 id, 1 winner, 2 last_day, 3 revote_days, 4 execution_days, 5 attacks,
 * 6 attack_kills, 7 seat, 8 agent, 9 role, 10 points, 11 failed, 12 violation, 13 other faults.
 * False when they can't be of a game. */
static bool gather_game(const DbQuery *row, Gathered *game)
{
    GameResult *result = &game->result;
    Str name = db_text(row, 8);
    bool bad = false;

    if (game->id != db_int(row, 0)) {
        *game = (Gathered){.id = db_int(row, 0)};
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
            return damaged_database(err);
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

int results_standings(Db *db, int64_t stage, Standings *standings, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(mem_freep) Gathered *game = mem_new(sizeof(*game));
    int rc = game ? 0 : err_set(err, ERR_MEMORY, "results: out of memory");

    if (rc == 0)
        rc = db_query(db,
                      "SELECT id, winner, last_day, revote_days, execution_days, attacks,"
                      " attack_kills, seat, agent, role, points, failed, violation,"
                      " timeout + disconnect + malformed + early"
                      " FROM game JOIN seat ON game_id = id"
                      " WHERE NOT void AND (?1 < 0 OR stage = ?1) ORDER BY id, seat",
                      &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = game->id == db_int(query, 0) ? 0 : add_gathered(game, standings, err);
        if (rc == 0 && !gather_game(query, game))
            rc = damaged_database(err);
        if (rc)
            return rc;
    }
    if (rc == 0)
        rc = add_gathered(game, standings, err);
    return rc ? rc : results_decisions(db, stage, add_decisions, standings, err);
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

/* Columns: 0 agent, 1 failed, 2.. the faults, then excesses, times, excused, waited_ms. */
static int add_seat(const DbQuery *row, FaultTable *table, Err *err)
{
    Str name = db_text(row, 0), times = db_text(row, 3 + FAULT_COUNT);
    CLEANUP(mem_freep) Durations *own = mem_new(sizeof(*own));
    bool bad = name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, 0, name.len);
    AgentFaults *agent = bad || !own ? NULL : agent_of(table, name);

    if (bad)
        return damaged_database(err);
    if (!agent)
        return err_set(err, ERR_MEMORY, "results: out of memory");
    agent->games++;
    agent->failed += (uint64_t)get_number(row, 1, 0, 1, &bad);
    for (int kind = 0; kind < FAULT_COUNT; kind++)
        agent->faults[kind] += (uint64_t)get_number(row, 2 + kind, 0, UINT32_MAX, &bad);
    agent->excesses += (uint64_t)get_number(row, 2 + FAULT_COUNT, 0, UINT32_MAX, &bad);
    agent->excused += (uint64_t)get_number(row, 4 + FAULT_COUNT, 0, UINT32_MAX, &bad);
    agent->waited_ms += (uint64_t)get_number(row, 5 + FAULT_COUNT, 0, UINT32_MAX, &bad);
    if (bad || durations_read(times, own, NULL))
        return damaged_database(err);
    durations_merge(&agent->times, own);
    return 0;
}

int results_faults(Db *db, int64_t stage, FaultTable *ret_table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(fault_table_done) FaultTable table = {0};
    int rc = db_query(db,
                      "SELECT agent, failed, timeout, disconnect, malformed, early, violation,"
                      " excesses, times, excused, waited_ms FROM game JOIN seat ON game_id = id"
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
