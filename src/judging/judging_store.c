#include "judging/judging_store.h"

#include "judging/sheet_view.h"
#include "wire/json_read.h"

static const char *const state_names[SHEET_STATES] = {
    [SHEET_NEW] = "NEW",
    [SHEET_DRAFT] = "DRAFT",
    [SHEET_DONE] = "DONE",
    [SHEET_EMPTY] = "EMPTY",
};

const char *sheet_state_name(SheetState state)
{
    return state < SHEET_STATES ? state_names[state] : "";
}

static SheetState state_of(Str name)
{
    for (unsigned i = 0; i < SHEET_STATES; i++)
        if (str_eq(name, str_of(state_names[i])))
            return (SheetState)i;
    return SHEET_STATES;
}

void sheet_row_done(SheetRow *row)
{
    buf_done(&row->track);
    buf_done(&row->model);
    buf_done(&row->folder);
    buf_done(&row->log);
}

/* ---- rows ---- */

#define ROW_COLUMNS                                                                                \
    "SELECT sheet.id, sheet.contest, sheet.game, sheet.judge, sheet.track, sheet.criteria,"        \
    " sheet.state, sheet.calibration, sheet.repeat, sheet.model, sheet.seats, run.folder,"         \
    " game.log, game.counted FROM sheet JOIN game ON game.id = sheet.game JOIN run ON run.id = "   \
    "game.run "

/* "3,1,2" */
static int read_order(Str text, SheetRow *row, Err *err)
{
    row->seat_count = 0;
    while (text.len) {
        uint64_t seat;
        if (row->seat_count == SEAT_MAX || !str_to_uint(str_cut(&text, ','), SEAT_MAX, &seat))
            return err_set(err, ERR_RULE, "sheet %lld has an order of seats that is none",
                           (long long)row->id);
        row->order[row->seat_count++] = (SeatNo)seat;
    }
    return 0;
}

static int take_row(const DbQuery *query, SheetRow *row, Err *err)
{
    row->id = db_int(query, 0);
    row->contest = db_int(query, 1);
    row->game = db_int(query, 2);
    row->judge = db_int(query, 3);
    row->calibration = db_int(query, 7) != 0;
    row->counts = db_int(query, 13) != 0;
    row->repeat = (uint32_t)db_int(query, 8);
    row->state = state_of(db_text(query, 6));
    buf_add(&row->track, db_text(query, 4));
    buf_add(&row->model, db_text(query, 9));
    buf_add(&row->folder, db_text(query, 11));
    buf_add(&row->log, db_text(query, 12));
    if (!criterion_of(db_text(query, 5), &row->criterion) || row->state == SHEET_STATES)
        return err_set(err, ERR_RULE, "sheet %lld has a criterion or a state that is none",
                       (long long)row->id);
    if (buf_failed(&row->track) || buf_failed(&row->model) || buf_failed(&row->folder) ||
        buf_failed(&row->log))
        return err_set(err, ERR_MEMORY, "read a sheet: out of memory");
    return read_order(db_text(query, 10), row, err);
}

int sheet_get(Db *db, int64_t sheet, SheetRow *ret_row, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, ROW_COLUMNS "WHERE sheet.id = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, sheet);
    rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "there is no sheet %lld", (long long)sheet);
    return rc < 0 ? rc : take_row(query, ret_row, err);
}

/* Rows of a game come in the order in which they were made, which is that of criteria. */
int sheet_each(Db *db, int64_t contest, int64_t judge,
               int (*hear)(void *user, const SheetRow *row, Err *err), void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      judge == JUDGE_NONE ? ROW_COLUMNS "WHERE sheet.contest = ?1 ORDER BY sheet.id"
                                          : ROW_COLUMNS
                          "WHERE sheet.contest = ?1 AND sheet.judge = ?2 ORDER BY sheet.id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    if (judge != JUDGE_NONE)
        db_bind_int(query, 2, judge);
    while ((rc = db_step(query, err)) == 1) {
        CLEANUP(sheet_row_done) SheetRow row = {0};
        rc = take_row(query, &row, err);
        if (rc == 0)
            rc = hear(user, &row, err);
        if (rc)
            return rc;
    }
    return rc;
}

/* The first column of the first row, bound to one or two numbers. */
static int count_rows(Db *db, const char *sql, int64_t a, int64_t b, int64_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, a);
    if (strstr(sql, "?2"))
        db_bind_int(query, 2, b);
    rc = db_step(query, err);
    if (rc == 1)
        *ret_count = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

int sheets_missing(Db *db, int64_t contest, uint32_t *ret_missing, Err *err)
{
    int64_t count = 0;
    int rc = count_rows(db,
                        "SELECT count(*) FROM sheet JOIN game ON game.id = sheet.game"
                        " WHERE sheet.contest = ?1 AND sheet.state IN ('NEW', 'DRAFT')"
                        " AND game.counted = 1",
                        contest, 0, &count, err);

    if (rc == 0)
        *ret_missing = (uint32_t)count;
    return rc;
}

int sheets_check_open(Db *db, int64_t contest, Err *err)
{
    int64_t open = 0;
    int rc = count_rows(db, "SELECT count(*) FROM contest WHERE id = ?1 AND state = 'JUDGING'",
                        contest, 0, &open, err);

    return rc == 0 && !open ? err_set(err, ERR_RULE, "judging is over") : rc;
}

/* Sheets of the same judge that come first, and are not handed in: calibration, the same game. */
static int check_turn(Db *db, const SheetRow *row, Err *err)
{
    int64_t before = 0;
    int rc = count_rows(db,
                        "SELECT count(*) FROM sheet AS own JOIN sheet AS other"
                        " ON other.contest = own.contest AND other.judge = own.judge"
                        " AND other.id < own.id AND (other.game = own.game OR"
                        " (other.calibration = 1 AND own.calibration = 0))"
                        " JOIN game ON game.id = other.game AND game.counted = 1"
                        " WHERE own.id = ?1 AND other.state IN ('NEW', 'DRAFT')",
                        row->id, 0, &before, err);

    if (rc == 0 && before)
        rc = err_set(err, ERR_RULE,
                     "%lld sheet%s come%s before this one: calibration first, then the criteria of "
                     "a game in their order",
                     (long long)before, before > 1 ? "s" : "", before > 1 ? "" : "s");
    return rc;
}

/* ---- ratings ---- */

int sheet_ratings(Db *db, int64_t sheet,
                  int (*hear)(void *user, const SheetRating *rating, Err *err), void *user,
                  Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db, "SELECT seat, rank, score, reason FROM rating WHERE sheet = ?1 ORDER BY seat",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, sheet);
    while ((rc = db_step(query, err)) == 1) {
        SheetRating rating = {.seat = (SeatNo)db_int(query, 0),
                              .rank = (uint32_t)db_int(query, 1),
                              .score = (uint32_t)db_int(query, 2),
                              .reason = db_text(query, 3)};
        rc = hear(user, &rating, err);
        if (rc)
            return rc;
    }
    return rc;
}

static void bind_or_null(DbQuery *query, int number, uint32_t value)
{
    if (value)
        db_bind_int(query, number, value);
    else
        db_bind_null(query, number);
}

static int put_rating(Db *db, const SheetRow *row, const SheetRating *rating, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "INSERT INTO rating(sheet, criterion, seat, rank, score, reason)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, row->id);
    db_bind_text(query, 2, str_of(criterion_letter(row->criterion)));
    db_bind_int(query, 3, rating->seat);
    bind_or_null(query, 4, rating->rank);
    bind_or_null(query, 5, rating->score);
    db_bind_text(query, 6, rating->reason);
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

/* From a state that is open to another one; *ret_moved is false when it was handed in by then, or
 * judging is over: scores were made of what there was. */
static int move_sheet(Db *db, int64_t sheet, SheetState to, int64_t now_ms, bool *ret_moved,
                      Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "UPDATE sheet SET state = ?2, at = ?3 WHERE id = ?1"
                      " AND state IN ('NEW', 'DRAFT') AND EXISTS (SELECT 1 FROM contest WHERE"
                      " contest.id = sheet.contest AND contest.state = 'JUDGING')",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, sheet);
    db_bind_text(query, 2, str_of(state_names[to]));
    db_bind_int(query, 3, now_ms);
    rc = db_step(query, err);
    *ret_moved = db_changes(db) > 0;
    return rc < 0 ? rc : 0;
}

static int clear_ratings(Db *db, int64_t sheet, Err *err)
{
    int64_t ignored;

    return count_rows(db, "DELETE FROM rating WHERE sheet = ?1", sheet, 0, &ignored, err);
}

int sheet_take(Db *db, const SheetRow *row, const SheetRating *ratings, SeatNo count,
               int64_t now_ms, bool *ret_taken, Err *err)
{
    int rc = move_sheet(db, row->id, count ? SHEET_DONE : SHEET_EMPTY, now_ms, ret_taken, err);

    if (rc || !*ret_taken)
        return rc;
    rc = clear_ratings(db, row->id, err);
    for (SeatNo i = 0; i < count && rc == 0; i++)
        rc = put_rating(db, row, &ratings[i], err);
    return rc;
}

/* ---- a draft ---- */

typedef struct Draft {
    const SheetRow *row;
    const JudgeGame *game;
    SheetScale scale;
    SheetRating ratings[SEAT_MAX];
    SeatNo count;
    int64_t now_ms;
} Draft;

/* A rank or score; 0 where there is none yet. */
static int read_mark(const json_t *value, const char *key, Str name, uint32_t most,
                     uint32_t *ret_mark, Err *err)
{
    const json_t *mark = json_get(value, key);
    int64_t number = 0;

    if (mark && (!json_as_int(mark, &number) || number < 1 || number > most))
        return err_set(err, ERR_RULE, "ranks: the %s of '%.*s' is none; expected 1 to %u", key,
                       STR_ARG(name), most);
    *ret_mark = (uint32_t)number;
    return 0;
}

static int read_rating(Draft *draft, Str name, const json_t *value, Err *err)
{
    const SeatNo seat = judge_game_seat(draft->game, name);
    SheetRating rating = {.seat = seat};

    if (seat == SEAT_NONE || draft->count == SEAT_MAX)
        return err_set(err, ERR_RULE, "ranks: '%.*s' is nobody of this game", STR_ARG(name));
    if (!json_is_map(value))
        return err_set(err, ERR_SYNTAX, "ranks: expected an object for '%.*s'", STR_ARG(name));
    int rc = read_mark(value, "rank", name, draft->game->seat_count, &rating.rank, err);
    if (rc == 0)
        rc = read_mark(value, "score", name, JUDGE_SCORE_MAX, &rating.score, err);
    if (rc)
        return rc;
    rating.reason = json_text(value, "reason");
    if (rating.reason.len > JUDGE_REASON_MAX)
        return err_set(err, ERR_RULE, "ranks: the reason for '%.*s' is longer than %d bytes",
                       STR_ARG(name), JUDGE_REASON_MAX);
    for (SeatNo i = 0; i < draft->count; i++)
        if (draft->ratings[i].seat == seat ||
            (draft->scale == SHEET_RANKS && rating.rank && draft->ratings[i].rank == rating.rank))
            return err_set(err, ERR_RULE, "ranks: '%.*s' has the rank %u of another one",
                           STR_ARG(name), rating.rank);
    draft->ratings[draft->count++] = rating;
    return 0;
}

static int read_draft(const json_t *body, Draft *draft, Err *err)
{
    json_t *ranks = json_get_object(&(JsonReader){.err = err}, body, "ranks");
    int rc = 0;

    if (!ranks)
        return err_set(err, ERR_SYNTAX, "expected an object with 'ranks'");
    for (void *member = json_member(ranks, NULL); member && rc == 0;
         member = json_member(ranks, member))
        rc = read_rating(draft, str_of(json_member_key(member)), json_member_value(member), err);
    return rc;
}

static int keep_draft(Db *db, void *user, Err *err)
{
    Draft *draft = user;
    bool moved = false;
    int rc = move_sheet(db, draft->row->id, SHEET_DRAFT, draft->now_ms, &moved, err);

    if (rc == 0 && !moved)
        rc = err_set(err, ERR_RULE, "this sheet was handed in");
    if (rc == 0)
        rc = clear_ratings(db, draft->row->id, err);
    for (SeatNo i = 0; i < draft->count && rc == 0; i++)
        rc = put_rating(db, draft->row, &draft->ratings[i], err);
    return rc;
}

void sheet_paths(const SheetRow *row, const char *home, Buf *ret_log, Buf *ret_json)
{
    Str folder = buf_str(&row->folder), stem = buf_str(&row->log);
    size_t at;

    buf_printf(ret_log, "%s/%.*s/%.*s", home, STR_ARG(folder), STR_ARG(stem));
    /* .../logs/STEM.log has .../json/STEM.json beside it */
    if (str_find_last(folder, '/', &at) && str_eq(str_part(folder, at, folder.len), STR("/logs")))
        folder = str_part(folder, 0, at);
    if (str_find_last(stem, '.', &at))
        stem = str_part(stem, 0, at);
    buf_printf(ret_json, "%s/%.*s/json/%.*s.json", home, STR_ARG(folder), STR_ARG(stem));
}

static int load_game(const SheetRow *row, const char *home, JudgeGame *game, Err *err)
{
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf json = {0};
    const bool profiles = criterion_shows(row->criterion) & SHOWS_PROFILES;

    sheet_paths(row, home, &log, &json);
    if (buf_failed(&log) || buf_failed(&json))
        return err_set(err, ERR_MEMORY, "read a game: out of memory");
    int rc = judge_game_load(buf_cstr(&log), profiles ? buf_cstr(&json) : NULL, game, err);
    if (rc == 0 && game->seat_count != row->seat_count)
        rc = err_set(err, ERR_RULE, "sheet %lld is of a game with other seats", (long long)row->id);
    return rc;
}

int sheet_rate(Db *db, int64_t sheet, const char *home, SheetScale scale, Str body, int64_t now_ms,
               Err *err)
{
    CLEANUP(sheet_row_done) SheetRow row = {0};
    CLEANUP(judge_game_done) JudgeGame game = {0};
    Draft draft = {.row = &row, .game = &game, .scale = scale, .now_ms = now_ms};
    json_t *json = NULL;
    int rc = sheet_get(db, sheet, &row, err);

    if (rc == 0)
        rc = sheets_check_open(db, row.contest, err);
    if (rc == 0)
        rc = check_turn(db, &row, err);
    if (rc == 0)
        rc = load_game(&row, home, &game, err);
    if (rc == 0)
        rc = json_read_once(body, JUDGE_SHEET_BYTES, &json, err);
    if (rc == 0)
        rc = read_draft(json, &draft, err);
    if (rc == 0)
        rc = db_transaction(db, keep_draft, &draft, err);
    json_done(json);
    return rc;
}

/* ---- handing in ---- */

typedef struct Filled {
    SheetScale scale;
    SeatNo count; /* seats with what the scale wants */
} Filled;

static int count_filled(void *user, const SheetRating *rating, Err *err)
{
    Filled *filled = user;

    (void)err;
    if (filled->scale == SHEET_RANKS ? rating->rank : rating->score)
        filled->count++;
    return 0;
}

int sheet_submit(Db *db, int64_t sheet, SheetScale scale, int64_t now_ms, Err *err)
{
    CLEANUP(sheet_row_done) SheetRow row = {0};
    Filled filled = {.scale = scale};
    bool moved = false;
    int rc = sheet_get(db, sheet, &row, err);

    if (rc == 0)
        rc = sheets_check_open(db, row.contest, err);
    if (rc == 0)
        rc = check_turn(db, &row, err);
    if (rc == 0)
        rc = sheet_ratings(db, sheet, count_filled, &filled, err);
    if (rc == 0 && filled.count < row.seat_count)
        rc =
            err_set(err, ERR_RULE, "%u of %u players have no %s yet", row.seat_count - filled.count,
                    row.seat_count, scale == SHEET_RANKS ? "rank" : "score");
    if (rc == 0)
        rc = move_sheet(db, sheet, SHEET_DONE, now_ms, &moved, err);
    if (rc == 0 && !moved)
        rc = err_set(err, ERR_RULE, "this sheet was handed in");
    return rc;
}

/* ---- writing ---- */

static void write_head(const SheetRow *row, uint32_t filled, Json *json)
{
    char id[24];

    snprintf(id, sizeof(id), "%lld", (long long)row->id);
    json_add_str(json, "id", str_of(id));
    json_add_str(json, "track", buf_str(&row->track));
    json_add_str(json, "state", str_of(state_names[row->state]));
    json_add_bool(json, "calibration", row->calibration);
    json_add_uint(json, "filled", filled);
    json_add_uint(json, "seats", row->seat_count);
}

typedef struct ListWriter {
    Db *db;
    Json *json;
} ListWriter;

static int count_any(void *user, const SheetRating *rating, Err *err)
{
    (void)err;
    *(uint32_t *)user += rating->rank || rating->score;
    return 0;
}

static int write_item(void *user, const SheetRow *row, Err *err)
{
    const ListWriter *writer = user;
    uint32_t filled = 0;
    int rc = sheet_ratings(writer->db, row->id, count_any, &filled, err);

    if (rc)
        return rc;
    json_open(writer->json, '{');
    write_head(row, filled, writer->json);
    json_add_str(writer->json, "criterion", str_of(criterion_letter(row->criterion)));
    json_close(writer->json);
    return 0;
}

int sheet_list_write(Db *db, int64_t contest, int64_t judge, Json *json, Err *err)
{
    ListWriter writer = {db, json};

    return sheet_each(db, contest, judge, write_item, &writer, err);
}

typedef struct RanksWriter {
    const JudgeGame *game;
    Json *json;
} RanksWriter;

static int write_rating(void *user, const SheetRating *rating, Err *err)
{
    const RanksWriter *writer = user;

    if (rating->seat == SEAT_NONE || rating->seat > writer->game->seat_count)
        return err_set(err, ERR_RULE, "a rating is of seat %u, which the game has not",
                       rating->seat);
    json_key(writer->json, writer->game->name[rating->seat]);
    json_open(writer->json, '{');
    if (rating->rank)
        json_add_uint(writer->json, "rank", rating->rank);
    if (rating->score)
        json_add_uint(writer->json, "score", rating->score);
    if (rating->reason.len)
        json_add_str(writer->json, "reason", rating->reason);
    json_close(writer->json);
    return 0;
}

static int write_ranks(Db *db, const SheetRow *row, const JudgeGame *game, Json *json, Err *err)
{
    RanksWriter writer = {game, json};

    json_key(json, STR("ranks"));
    json_open(json, '{');
    int rc = sheet_ratings(db, row->id, write_rating, &writer, err);
    json_close(json);
    return rc;
}

int sheet_write(Db *db, int64_t sheet, const char *home, SheetScale scale, bool japanese,
                Json *json, Err *err)
{
    CLEANUP(sheet_row_done) SheetRow row = {0};
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(sheet_view_done) SheetView view = {0};
    uint32_t filled = 0;
    int rc = sheet_get(db, sheet, &row, err);

    if (rc == 0)
        rc = check_turn(db, &row, err);
    if (rc == 0)
        rc = load_game(&row, home, &game, err);
    if (rc == 0)
        rc = sheet_view_make(&game, row.criterion, row.order, &view, err);
    if (rc == 0)
        rc = sheet_ratings(db, sheet, count_any, &filled, err);
    if (rc)
        return rc;
    write_head(&row, filled, json);
    json_add_str(json, "scale", scale == SHEET_RANKS ? STR("rank") : STR("score"));
    sheet_view_write(&view, japanese, json);
    return write_ranks(db, &row, &game, json, err);
}
