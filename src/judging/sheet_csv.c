#include "judging/sheet_csv.h"

#include "judging/judge_game.h"

#define COLUMNS 10
enum { CSV_SHEET, CSV_NAME = 6, CSV_RANK, CSV_SCORE, CSV_REASON };

static const char head_line[] =
    "sheet,judge,track,criterion,calibration,place,name,rank,score,reason\n";

/* ---- fields ---- */

bool csv_cut_field(Str *rest, Buf *field, bool *ret_last)
{
    size_t at = 0;

    buf_clear(field);
    if (rest->len && rest->bytes[0] == '"') {
        for (at = 1; at < rest->len; at++) {
            if (rest->bytes[at] == '"' && at + 1 < rest->len && rest->bytes[at + 1] == '"')
                at++;
            else if (rest->bytes[at] == '"')
                break;
            buf_add_char(field, rest->bytes[at]);
        }
        if (at == rest->len)
            return false;
        at++;
    }
    for (; at < rest->len && rest->bytes[at] != ',' && rest->bytes[at] != '\n'; at++)
        if (rest->bytes[at] != '\r')
            buf_add_char(field, rest->bytes[at]);
    *ret_last = at == rest->len || rest->bytes[at] == '\n';
    *rest = str_part(*rest, at + 1, rest->len);
    return true;
}

/* Whether a spreadsheet would take a text for a formula: also by letters of full width, where it
 * speaks Japanese. */
static bool is_formula(Str text)
{
    static const char *const begins[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};

    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (str_starts(text, str_of(begins[i])))
            return true;
    return false;
}

/* A formula gets a quote mark in front; so does what begins with one itself, for one is taken off
 * when the table is read. */
static void put_field(Buf *out, Str text)
{
    buf_add_char(out, '"');
    if (is_formula(text) || str_starts(text, STR("'")))
        buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.bytes[i]);
    }
    buf_add_char(out, '"');
}

/* ---- out ---- */

typedef struct CsvWriter {
    const char *home;
    Buf *out;
    int64_t judges[256];
    uint32_t judge_count;
} CsvWriter;

static uint32_t judge_number(CsvWriter *writer, int64_t judge)
{
    for (uint32_t i = 0; i < writer->judge_count; i++)
        if (writer->judges[i] == judge)
            return i + 1;
    if (writer->judge_count < sizeof(writer->judges) / sizeof(writer->judges[0]))
        writer->judges[writer->judge_count++] = judge;
    return writer->judge_count;
}

static int write_sheet(void *user, const SheetRow *row, Err *err)
{
    CsvWriter *writer = user;
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf json = {0};

    if (row->judge == JUDGE_NONE)
        return 0;
    const uint32_t number = judge_number(writer, row->judge);
    if (row->state != SHEET_NEW && row->state != SHEET_DRAFT)
        return 0;
    sheet_paths(row, writer->home, &log, &json);
    int rc = judge_game_load(buf_cstr(&log), NULL, &game, err);
    for (SeatNo i = 0; i < row->seat_count && rc == 0; i++) {
        buf_printf(writer->out, "%lld,J%u,%s,%s,%s,%u,", (long long)row->id, number,
                   buf_cstr(&row->track), criterion_letter(row->criterion),
                   row->calibration ? "yes" : "no", i + 1u);
        put_field(writer->out, game.name[row->order[i]]);
        buf_add(writer->out, STR(",,,\n"));
    }
    return rc;
}

int sheet_csv_write(Db *db, int64_t contest, const char *home, Buf *out, Err *err)
{
    CsvWriter writer = {.home = home, .out = out};

    buf_add(out, str_of(head_line));
    int rc = sheet_each(db, contest, JUDGE_NONE, write_sheet, &writer, err);
    return rc == 0 && buf_failed(out) ? err_set(err, ERR_MEMORY, "sheets: out of memory") : rc;
}

/* ---- back ---- */

/* The lines of one sheet. */
typedef struct CsvSheet {
    int64_t id;
    SheetRow row;
    JudgeGame game;
    SheetRating ratings[SEAT_MAX];
    SeatNo count;
    Buf reasons[SEAT_MAX];
} CsvSheet;

typedef struct CsvReader {
    Db *db;
    int64_t contest;
    const char *home;
    SheetScale scale;
    Str text;
    int64_t now_ms;
    uint32_t line, taken;
    CsvSheet sheet;
    Buf fields[COLUMNS];
} CsvReader;

static void sheet_clear(CsvSheet *sheet)
{
    sheet_row_done(&sheet->row);
    judge_game_done(&sheet->game);
    for (size_t i = 0; i < SEAT_MAX; i++)
        buf_done(&sheet->reasons[i]);
    *sheet = (CsvSheet){.id = 0};
}

/* All seats have what the scale wants, each rank once. */
static int check_sheet(const CsvReader *reader, bool *ret_whole, Err *err)
{
    const CsvSheet *sheet = &reader->sheet;
    uint32_t seen = 0;
    SeatNo marks = 0;

    for (SeatNo i = 0; i < sheet->count; i++) {
        const uint32_t rank = sheet->ratings[i].rank;
        if (reader->scale == SHEET_RANKS && rank && (seen & (1u << rank)))
            return err_set(err, ERR_RULE, "sheet %lld has the rank %u twice", (long long)sheet->id,
                           rank);
        seen |= 1u << rank;
        if (reader->scale == SHEET_RANKS ? rank : sheet->ratings[i].score)
            marks++;
    }
    *ret_whole = marks == sheet->row.seat_count;
    return 0;
}

static int end_sheet(CsvReader *reader, Err *err)
{
    bool whole = false, taken = false;
    int rc = reader->sheet.id ? check_sheet(reader, &whole, err) : 0;

    if (rc == 0 && whole)
        rc = sheet_take(reader->db, &reader->sheet.row, reader->sheet.ratings, reader->sheet.count,
                        reader->now_ms, &taken, err);
    reader->taken += taken;
    sheet_clear(&reader->sheet);
    return rc;
}

static int begin_sheet(CsvReader *reader, int64_t id, Err *err)
{
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf json = {0};
    CsvSheet *sheet = &reader->sheet;

    sheet->id = id;
    int rc = sheet_get(reader->db, id, &sheet->row, err);
    if (rc == 0 && (sheet->row.contest != reader->contest || sheet->row.judge == JUDGE_NONE))
        rc = err_set(err, ERR_RULE, "sheet %lld is no judge's of this contest", (long long)id);
    if (rc)
        return rc;
    sheet_paths(&sheet->row, reader->home, &log, &json);
    return judge_game_load(buf_cstr(&log), NULL, &sheet->game, err);
}

static int read_mark(const CsvReader *reader, int column, uint32_t most, uint32_t *ret_mark,
                     Err *err)
{
    const Str text = str_trim(buf_str(&reader->fields[column]));
    uint64_t value = 0;

    if (text.len && (!str_to_uint(text, most, &value) || value < 1))
        return err_set_at(err, ERR_SYNTAX, reader->line, 0, "'%.40s' is no number from 1 to %u",
                          buf_cstr(&reader->fields[column]), most);
    *ret_mark = (uint32_t)value;
    return 0;
}

static int take_line(CsvReader *reader, Err *err)
{
    CsvSheet *sheet = &reader->sheet;
    Str name = buf_str(&reader->fields[CSV_NAME]);
    int64_t id = 0;
    int rc = 0;

    if (!str_to_int(str_trim(buf_str(&reader->fields[CSV_SHEET])), 1, INT64_MAX, &id))
        return err_set_at(err, ERR_SYNTAX, reader->line, 1, "'%.40s' is no number of a sheet",
                          buf_cstr(&reader->fields[CSV_SHEET]));
    if (id != sheet->id)
        rc = end_sheet(reader, err);
    if (rc == 0 && id != sheet->id)
        rc = begin_sheet(reader, id, err);
    if (rc)
        return rc;
    if (name.len && name.bytes[0] == '\'')
        name = str_part(name, 1, name.len);
    SheetRating rating = {.seat = judge_game_seat(&sheet->game, name)};
    if (rating.seat == SEAT_NONE || sheet->count == SEAT_MAX)
        return err_set_at(err, ERR_SYNTAX, reader->line, 0, "'%.60s' is nobody of sheet %lld",
                          buf_cstr(&reader->fields[CSV_NAME]), (long long)id);
    for (SeatNo i = 0; i < sheet->count; i++)
        if (sheet->ratings[i].seat == rating.seat)
            return err_set_at(err, ERR_SYNTAX, reader->line, 0,
                              "'%.60s' stands twice in sheet %lld",
                              buf_cstr(&reader->fields[CSV_NAME]), (long long)id);
    rc = read_mark(reader, CSV_RANK, sheet->row.seat_count, &rating.rank, err);
    if (rc == 0)
        rc = read_mark(reader, CSV_SCORE, JUDGE_SCORE_MAX, &rating.score, err);
    Buf *reason = &sheet->reasons[sheet->count];
    buf_add(reason, str_part(buf_str(&reader->fields[CSV_REASON]), 0, JUDGE_REASON_MAX));
    rating.reason = buf_str(reason);
    sheet->ratings[sheet->count++] = rating;
    return rc;
}

/* One record into `fields`; what is missing at its end is empty. */
static int cut_record(CsvReader *reader, Err *err)
{
    bool last = false;

    for (int i = 0; i < COLUMNS; i++)
        buf_clear(&reader->fields[i]);
    for (int i = 0; !last; i++) {
        if (i == COLUMNS)
            return err_set_at(err, ERR_SYNTAX, reader->line, 0, "more than %d columns", COLUMNS);
        if (!csv_cut_field(&reader->text, &reader->fields[i], &last))
            return err_set_at(err, ERR_SYNTAX, reader->line, 0, "a quote is not closed");
    }
    return 0;
}

static int read_lines(Db *db, void *user, Err *err)
{
    CsvReader *reader = user;
    int rc = 0;

    (void)db;
    while (reader->text.len && rc == 0) {
        reader->line++;
        rc = cut_record(reader, err);
        const Str first = str_trim(buf_str(&reader->fields[CSV_SHEET]));
        const bool head =
            reader->line == 1 && !(first.len && first.bytes[0] >= '0' && first.bytes[0] <= '9');
        if (rc == 0 && !head && first.len)
            rc = take_line(reader, err);
    }
    return rc ? rc : end_sheet(reader, err);
}

int sheet_csv_read(Db *db, int64_t contest, const char *home, SheetScale scale, Str text,
                   int64_t now_ms, uint32_t *ret_taken, Err *err)
{
    CsvReader reader = {
        .db = db, .contest = contest, .home = home, .scale = scale, .text = text, .now_ms = now_ms};
    int rc = sheets_check_open(db, contest, err);

    if (rc == 0)
        rc = db_transaction(db, read_lines, &reader, err);
    sheet_clear(&reader.sheet);
    for (int i = 0; i < COLUMNS; i++)
        buf_done(&reader.fields[i]);
    if (rc == 0)
        *ret_taken = reader.taken;
    return rc;
}
