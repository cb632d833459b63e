#include "results/results_build.h"

#include "disk/disk_call.h"
#include "journal/finding_firsts.h"
#include "journal/journal_line.h"
#include "results/results_sql.h"
#include "stats/decision_sheet.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

int results_path(const char *dir, const char *name, Buf *ret_path, Err *err)
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
    char keys[STAGES_MAX][KEY_HEX_BYTES]; /* of stages, published; empty = none */
    Buf cells;                            /* what programs ran in, each once, "; " between */
    bool complete;
} Builder;

static void builder_done(Builder *builder)
{
    db_query_free(builder->game);
    db_query_free(builder->seat);
    db_query_free(builder->meta);
    buf_done(&builder->cells);
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

/* A row of so many columns, which are bound from 1 on. */
static int insert_query(Db *db, const char *table, unsigned columns, DbQuery **ret_query, Err *err)
{
    CLEANUP(buf_done) Buf sql = {0};

    buf_printf(&sql, "INSERT INTO %s VALUES(", table);
    for (unsigned column = 1; column <= columns; column++)
        buf_printf(&sql, column > 1 ? ", ?%u" : "?%u", column);
    buf_add_char(&sql, ')');
    return buf_failed(&sql) ? err_set(err, ERR_MEMORY, "results: out of memory")
                            : db_query(db, buf_cstr(&sql), ret_query, err);
}

/* Who decides for the seat, and what its program was found at, from `column` on. */
static void bind_player(DbQuery *query, int column, const SeatRecord *own)
{
    bind_some(query, column++, own->team);
    db_bind_text(query, column++, str_of(seat_kind_name(own->kind)));
    bind_some(query, column++, own->model);
    db_bind_int(query, column++, (int64_t)own->decisions);
    db_bind_int(query, column++, (int64_t)own->own);
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        db_bind_int(query, column++, (int64_t)own->figures.of[figure]);
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
        db_bind_int(query, column++, own->findings[rule]);
}

/* How the seat played, from `column` on; nothing where that is not told. */
static void bind_play(DbQuery *query, int column, const GameResult *result, SeatNo seat)
{
    for (PlayCount count = 0; count < PLAY_COUNTS; count++)
        if (result->has_play)
            db_bind_int(query, column + (int)count, result->play[seat].of[count]);
        else
            db_bind_null(query, column + (int)count);
}

#define SEAT_PLAY_COLUMN (31 + (int)FIGURE_COUNT) /* the last columns of seat */

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
    bind_play(query, SEAT_PLAY_COLUMN, result, seat);
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
    db_bind_int(query, 18, record->is_void + record->is_ruled_void);
    db_bind_int(query, 19, game_record_counts(record));
    if (record->deal)
        db_bind_int(query, 20, (int64_t)record->deal - 1);
    else
        db_bind_null(query, 20);
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

static int put_decisions(const Builder *builder, const DecisionNote *told, bool noted, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = insert_query(builder->db, "decision", 9 + FIGURE_COUNT, &query, err);
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
    db_bind_int(query, 9, noted);
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        db_bind_int(query, 10 + (int)figure, (int64_t)told->sheet.figures.of[figure]);
    return db_step(query, err);
}

/* A model tells how it decided at the end of its set, */
static int on_note(void *user, Str text, Err *err)
{
    DecisionNote note;

    return decision_note_read(text, &note) ? put_decisions(user, &note, true, err) : 0;
}

/* or in the record of each game. */
static int put_seat_decisions(const Builder *builder, const GameRecord *record, SeatNo seat,
                              Err *err)
{
    const SeatRecord *own = &record->seats[seat];
    DecisionNote told = {
        .stage = record->stage,
        .set = record->set,
        .agent = game_record_counted(record, seat),
        .sheet = {.decisions = own->decisions, .own = own->own, .figures = own->figures}};

    if (!game_record_counts(record) || (own->decisions == 0 && own->model.len == 0))
        return 0;
    decision_model_set(&told.sheet.model, own->model, STR(""));
    return put_decisions(builder, &told, false, err);
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
static int on_key(void *user, const JournalKey *key, Err *err)
{
    Builder *builder = user;

    (void)err;
    if (key->published)
        key_to_hex(&key->value, builder->keys[key->stage]);
    return 0;
}

static int on_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    const Builder *builder = user;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(builder->db, "INSERT INTO ruling VALUES(?1, ?2, ?3, ?4, ?5, ?6)", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, ruling->stage);
    db_bind_text(query, 2, ruling->agent);
    bind_some(query, 3, ruling->rule);
    db_bind_text(query, 4, str_of(ruling_name(ruling->decision)));
    bind_some(query, 5, ruling->reason);
    db_bind_int(query, 6, ruling->at_ms);
    return db_step(query, err);
}

static int on_cell(void *user, const JournalCell *cell, Err *err)
{
    Builder *builder = user;
    CLEANUP(buf_done) Buf own = {0};

    buf_add(&own, cell->level);
    if (cell->layers.len)
        buf_printf(&own, " (%.*s)", STR_ARG(cell->layers));
    for (Str rest = buf_str(&builder->cells); rest.len;)
        if (str_eq(str_trim(str_cut(&rest, ';')), buf_str(&own)))
            return 0;
    buf_add(&builder->cells, builder->cells.len ? STR("; ") : STR(""));
    buf_add(&builder->cells, buf_str(&own));
    return buf_failed(&own) || buf_failed(&builder->cells)
               ? err_set(err, ERR_MEMORY, "results: out of memory")
               : 0;
}

/* The first lines of findings.jsonl, as evidence. */
static int put_findings(const Builder *builder, const char *dir, Err *err)
{
    CLEANUP(finding_firsts_done) FindingFirsts firsts = {0};
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = finding_firsts_read(dir, &firsts, err);

    if (rc == 0)
        rc = db_query(builder->db,
                      "INSERT INTO finding VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", &query,
                      err);
    for (uint32_t i = 0; i < firsts.count && rc == 0; i++) {
        const FindingFirst *first = &firsts.items[i];
        db_bind_int(query, 1, first->stage);
        db_bind_int(query, 2, first->line);
        db_bind_int(query, 3, (int64_t)first->set);
        if (first->in_game)
            db_bind_int(query, 4, (int64_t)first->game);
        else
            db_bind_null(query, 4);
        db_bind_int(query, 5, first->day);
        db_bind_int(query, 6, first->seat);
        db_bind_text(query, 7, str_of(first->agent));
        db_bind_text(query, 8, str_of(finding_rule_name(first->rule)));
        db_bind_int(query, 9, first->at_ms);
        bind_some(query, 10, str_of(first->text));
        rc = db_step(query, err);
    }
    return rc;
}

/* The published keys in the order of their stages, blanks between. */
static int put_keys(Builder *builder, Err *err)
{
    CLEANUP(buf_done) Buf keys = {0};

    for (uint32_t stage = 0; stage < STAGES_MAX; stage++)
        if (builder->keys[stage][0])
            buf_printf(&keys, "%s%s", keys.len ? " " : "", builder->keys[stage]);
    if (buf_failed(&keys))
        return err_set(err, ERR_MEMORY, "results: out of memory");
    return keys.len ? put_meta(builder, "key", buf_str(&keys), err) : 0;
}

static int prepare_tables(Builder *builder, const char *path, Err *err)
{
    int rc = db_open(path, true, &builder->db, err);

    if (rc == 0)
        rc = db_exec(builder->db, results_schema_sql, err);
    if (rc == 0)
        rc = db_query(builder->db, "INSERT INTO meta VALUES(?1, ?2)", &builder->meta, err);
    if (rc == 0)
        rc = db_query(
            builder->db,
            "INSERT INTO game VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
            " ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, 0) ON CONFLICT DO NOTHING RETURNING id",
            &builder->game, err);
    if (rc == 0)
        rc = insert_query(builder->db, "seat", 42 + FIGURE_COUNT, &builder->seat, err);
    return rc;
}

void results_journal_crc(int fd, uint64_t bytes, char ret_crc[static RESULTS_CRC_BYTES])
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
    snprintf(ret_crc, RESULTS_CRC_BYTES, "%08" PRIx32, crc);
}

/* Stages that the plan does not name have no name; extra rounds have that of their stage. */
static int name_stages(const Builder *builder, Err *err)
{
    return db_exec(builder->db, results_finish_sql, err);
}

static int finish_build(Builder *builder, const char *journal, const JournalEnd *end, Err *err)
{
    char crc[RESULTS_CRC_BYTES];
    int fd = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return err_set(err, ERR_IO, "open '%s': %s", journal, strerror(errno));
    results_journal_crc(fd, end->bytes, crc);
    close(fd);
    int rc = put_meta_number(builder, "journal_bytes", end->bytes, err);
    if (rc == 0)
        rc = put_meta(builder, "journal_crc", str_of(crc), err);
    if (rc == 0)
        rc = put_keys(builder, err);
    if (rc == 0 && builder->cells.len)
        rc = put_meta(builder, "cell", buf_str(&builder->cells), err);
    if (rc == 0)
        rc = put_meta(builder, "complete", builder->complete ? STR("1") : STR("0"), err);
    if (rc == 0)
        rc = db_exec(builder->db, results_unowned_sql, err);
    return rc ? rc : name_stages(builder, err);
}

/* Of the folder `dir`. `ret_db` gets the database; NULL: it is closed. */
static int fill_results(const char *dir, const char *journal, const char *path, Db **ret_db,
                        Err *err)
{
    CLEANUP(builder_done) Builder builder = {0};
    const JournalListener listener = {.plan = on_plan,
                                      .game = on_game,
                                      .note = on_note,
                                      .end = on_end,
                                      .key = on_key,
                                      .ruling = on_ruling,
                                      .cell = on_cell,
                                      .user = &builder};
    JournalEnd end = {0};
    int rc = prepare_tables(&builder, path, err);

    if (rc == 0)
        rc = journal_read(journal, &listener, &end, err);
    if (rc == 0)
        rc = put_findings(&builder, dir, err);
    if (rc == 0)
        rc = finish_build(&builder, journal, &end, err);
    if (rc == 0 && ret_db)
        *ret_db = TAKE(builder.db);
    return rc;
}

/* To disk before it gets its name: SQLite was told not to care. */
static int name_it(const char *temporary, const char *path, Err *err)
{
    int rc = disk_sync_path(temporary, err);

    return rc == 0 && disk_rename(temporary, path) ? disk_error(err, "write", path) : rc;
}

/* The process of "results.db.PROCESS.tmp", or of SQLite's journal of that; 0 for any other name. */
static uint64_t maker_of(const char *name)
{
    Str rest = str_of(name);
    uint64_t process = 0;

    if (!str_starts(rest, STR(RESULTS_FILE ".")))
        return 0;
    rest = str_part(rest, sizeof(RESULTS_FILE), rest.len);
    const bool made = str_to_uint(str_cut(&rest, '.'), INT32_MAX, &process);
    return made && (str_eq(rest, STR("tmp")) || str_eq(rest, STR("tmp-journal"))) ? process : 0;
}

/* What a process that was killed has left. */
static void remove_left(const char *dir)
{
    CLEANUP(buf_done) Buf path = {0};
    DIR *folder = opendir(dir);

    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const uint64_t maker = maker_of(entry->d_name);
        if (maker && kill((pid_t)maker, 0) != 0 && errno == ESRCH &&
            results_path(dir, entry->d_name, &path, NULL) == 0)
            (void)disk_remove(buf_cstr(&path)); /* or the next time */
    }
    if (folder)
        closedir(folder);
}

int results_build(const char *dir, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf journal = {0};
    CLEANUP(buf_done) Buf temporary = {0};
    int rc = results_path(dir, RESULTS_FILE, &path, err);

    if (rc == 0)
        rc = results_path(dir, JOURNAL_FILE, &journal, err);
    /* Of this process, so that two can build at a time. */
    buf_printf(&temporary, "%s.%ld.tmp", buf_cstr(&path), (long)getpid());
    if (rc == 0 && buf_failed(&temporary))
        rc = err_set(err, ERR_MEMORY, "results: out of memory");
    if (rc)
        return rc;
    remove_left(dir);
    if (disk_remove(buf_cstr(&temporary)) != 0 && errno != ENOENT)
        return err_set(err, ERR_IO, "write '%s': %s", buf_cstr(&temporary), strerror(errno));
    rc = fill_results(dir, buf_cstr(&journal), buf_cstr(&temporary), NULL, err);
    if (rc == 0)
        rc = name_it(buf_cstr(&temporary), buf_cstr(&path), err);
    if (rc)
        (void)disk_remove(buf_cstr(&temporary));
    return rc;
}

int results_build_apart(const char *dir, Db **ret_db, Err *err)
{
    CLEANUP(buf_done) Buf journal = {0};
    int rc = results_path(dir, JOURNAL_FILE, &journal, err);

    return rc ? rc : fill_results(dir, buf_cstr(&journal), "", ret_db, err);
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
