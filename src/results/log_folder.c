#include "results/log_folder.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "disk/log_file.h"
#include "record/log_result.h"
#include "record/maw_rounds.h"
#include "wire/json_read.h"

typedef struct Reader {
    const LogFolderListener *listener;
    const char *path; /* of the log that is read */
    const char *dir;
    uint64_t games;
    uint64_t known; /* that another log has told of */
    uint64_t sets;
    Err stopped; /* by the listener */
    Buf text;
} Reader;

void log_prints_done(LogPrints *prints)
{
    buf_done(&prints->logs);
    buf_done(&prints->json);
}

static void reader_done(Reader *reader)
{
    buf_done(&reader->text);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), own = strlen(ending);

    return length >= own && strcmp(text + length - own, ending) == 0;
}

static bool is_json_name(const char *path)
{
    return ends_with(path, ".json") || ends_with(path, ".json.gz");
}

/* The path in the folder; empty when it is too long to be kept. */
static void set_log(const Reader *reader, GameRecord *record)
{
    size_t dir = strlen(reader->dir);
    const char *inside = reader->path + dir;

    while (*inside == '/')
        inside++;
    if (strncmp(reader->path, reader->dir, dir) == 0 && strlen(inside) <= GAME_LOG_MAX)
        snprintf(record->log, sizeof(record->log), "%s", inside);
}

/* Whom a game can be counted for. A game log begins with a line for each seat. */
static int check_names(const GameRecord *record, bool log, Err *err)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        Str name = game_record_counted(record, seat);
        if (name.len == 0)
            return err_set_at(err, ERR_RULE, log ? seat : 0, 0,
                              "the log does not say who had seat %u, so that nobody can be "
                              "given the game; write the agent's name behind its state",
                              seat);
        if (name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len) || !utf8_valid(name))
            return err_set_at(err, ERR_LIMIT, log ? seat : 0, 0,
                              "the name of seat %u has %zu bytes; 1 to %d of UTF-8 are counted",
                              seat, name.len, AGENT_NAME_MAX);
    }
    return 0;
}

static int tell(Reader *reader, GameRecord *record, Err *err)
{
    bool log = record->division != DIVISION_MAW && !is_json_name(reader->path);
    int rc = check_names(record, log, err);

    if (rc)
        return rc;
    record->set = reader->sets;
    record->game = reader->games;
    set_log(reader, record);
    rc = reader->listener->game(reader->listener->user, reader->path, record, &reader->stopped);
    reader->games += rc == 0;
    return rc;
}

/* ---- one log ---- */

/* The name of a log without its endings. */
static Str stem_of(const char *path)
{
    static const char *const endings[] = {".gz", ".json", ".log", ".game"};
    const char *slash = strrchr(path, '/');
    Str name = str_of(slash ? slash + 1 : path);

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const Str end = str_of(endings[i]);
        if (name.len > end.len && str_eq(str_part(name, name.len - end.len, name.len), end))
            name.len -= end.len;
    }
    return name;
}

/* A game by the name of its log, without the ending, and by who had which role and won. */
static int print_of(const char *path, const GameResult *result, char ret_print[SHA256_HEX_BYTES],
                    Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, stem_of(path));
    for (SeatNo seat = 1; seat <= result->seat_count; seat++)
        buf_printf(&text, "\n%s %.*s", role_name(result->roles[seat]),
                   STR_ARG(result->names[seat]));
    buf_printf(&text, "\n%s", side_name(result->winner));
    return buf_failed(&text) ? err_set(err, ERR_MEMORY, "logs: out of memory")
                             : sha256_hex(buf_str(&text), ret_print, err);
}

static bool has_print(const Buf *prints, const char *print)
{
    for (size_t at = 0; at < prints->len; at += SHA256_HEX_BYTES)
        if (memcmp(prints->bytes + at, print, SHA256_HEX_BYTES) == 0)
            return true;
    return false;
}

/* In the natural-language division teams are counted; agents keep their names. */
static void name_seats(const LogGame *log, GameRecord *record)
{
    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        record->seats[seat].kind = SEAT_AGENT;
        if (log->form != LOG_FORM_NLP)
            continue;
        record->seats[seat].team = record->result.names[seat];
        record->result.names[seat] = log->names[seat];
    }
}

static int read_game(Reader *reader, GameRecord *record, Err *err)
{
    CLEANUP(log_game_done) LogGame log = {0};
    char print[SHA256_HEX_BYTES];
    bool json = is_json_name(reader->path);
    int rc = log_game_read(buf_str(&reader->text), &log, err);

    if (rc)
        return rc;
    rc = log_result(&log, &record->result, err);
    if (rc == 0 && log.form == LOG_FORM_NLP)
        rc = print_of(reader->path, &record->result, print, err);
    if (rc)
        return rc;
    record->division = log.form == LOG_FORM_NLP ? DIVISION_NLP : DIVISION_AIWOLF;
    record->reason = record->result.winner == SIDE_NONE ? END_ABORTED : END_WIN;
    LogPrints *prints = reader->listener->prints;
    if (log.form == LOG_FORM_NLP && has_print(json ? &prints->logs : &prints->json, print)) {
        reader->known++;
        return 0;
    }
    if (log.form == LOG_FORM_NLP)
        buf_add(json ? &prints->json : &prints->logs, (Str){print, sizeof(print)});
    name_seats(&log, record);
    rc = tell(reader, record, err);
    reader->sets++;
    return rc;
}

static int on_round(void *user, const GameRecord *round, Err *err)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));

    if (!record)
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    *record = *round;
    return tell(user, record, err);
}

/* A JSON file is a log only when it has what one has: others lie beside logs, too. It tells the
 * game's id. */
static bool is_json_log(Str text, GameRecord *record)
{
    json_t *json = NULL;
    size_t at;

    /* What reads it takes many times its room, so it must look like one. */
    if (!str_starts(text, STR("{")) || !str_find(text, STR("\"agents\""), &at))
        return false;
    if (json_read(text, LOG_TEXT_BYTES_MAX, &json, NULL))
        return true; /* why it can't be read is said */
    bool is = json_is_list(json_get(json, "entries")) && json_is_list(json_get(json, "agents"));
    Str id = json_text(json, "game_id");
    if (is && id.len <= GAME_ID_MAX)
        snprintf(record->id, sizeof(record->id), "%.*s", STR_ARG(id));
    json_done(json);
    return is;
}

static int read_one(Reader *reader, GameRecord *record, Err *err)
{
    bool session = ends_with(reader->path, ".jsonl");
    int rc;

    buf_clear(&reader->text);
    rc = log_file_read(reader->path, session ? MAW_RECORD_BYTES_MAX : LOG_TEXT_BYTES_MAX,
                       &reader->text, err);
    if (rc)
        return rc;
    if (maw_record_is(buf_str(&reader->text))) {
        rc = maw_rounds_read(buf_str(&reader->text), on_round, reader, err);
        reader->sets++;
        return rc;
    }
    *record = (GameRecord){0};
    if (is_json_name(reader->path) && !is_json_log(buf_str(&reader->text), record))
        return 0;
    return read_game(reader, record, err);
}

/* ---- all ---- */

static void leave_out(const Reader *reader, const Err *why)
{
    CLEANUP(buf_done) Buf line = {0};
    bool named = strstr(why->msg, reader->path) != NULL;
    bool placed = !why->line || strstr(why->msg, "line ") != NULL;

    if (!named)
        buf_printf(&line, "%s: ", reader->path);
    if (!placed)
        buf_printf(&line, "line %u: ", why->line);
    buf_printf(&line, "%s", why->msg);
    reader->listener->left_out(reader->listener->user, buf_str(&line));
}

/* Game logs first: what they tell is not told again by JSON logs. */
static int read_all(Reader *reader, const LogList *list, bool json, Err *err)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    int rc = record ? 0 : err_set(err, ERR_MEMORY, "logs: out of memory");

    for (size_t i = 0; rc == 0 && i < list->count; i++) {
        Err wrong = {0};
        reader->path = list->paths[i];
        if (is_json_name(reader->path) != json)
            continue;
        rc = read_one(reader, record, &wrong);
        if (reader->stopped.code)
            return err_set(err, reader->stopped.code, "%s: %s", reader->path, reader->stopped.msg);
        if (rc == ERR_MEMORY)
            return err_set(err, (ErrCode)rc, "%s", wrong.msg);
        if (rc)
            leave_out(reader, &wrong);
        rc = 0;
    }
    return rc;
}

int log_folder_read(const char *dir, const LogFolderListener *listener, uint64_t *ret_games,
                    Err *err)
{
    CLEANUP(log_list_done) LogList list = {.json = true};
    CLEANUP(reader_done) Reader reader = {.listener = listener, .dir = dir};
    int rc = log_list_add(&list, dir, err);

    if (rc == 0)
        rc = read_all(&reader, &list, false, err);
    if (rc == 0)
        rc = read_all(&reader, &list, true, err);
    if (rc == 0)
        *ret_games = reader.games + reader.known;
    return rc;
}
