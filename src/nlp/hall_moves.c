#include "nlp/hall_moves.h"

#include "base/digest.h"
#include "base/id_source.h"
#include "base/json.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/log_file.h"
#include "wire/json_read.h"

#include <fcntl.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)1024 * 1024 * 1024)
#define LINE_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define TIME_MAX       ((int64_t)400 * 86400 * 1000 * 1000)
#define UNIX_MS_MAX    ((int64_t)253402300800000) /* the year 10000 */

static const char format[] = "warg-hall";
static const char *const kind_names[] = {
    [HALL_CLOCK] = "clock",    [HALL_CAME] = "came",      [HALL_SAID] = "said",
    [HALL_GONE] = "gone",      [HALL_TICK] = "tick",      [HALL_DRAIN] = "drain",
    [HALL_ABORT] = "abort",    [HALL_GAME] = "game",      [HALL_OTHER] = "other",
    [GUEST_HEARS] = "hears",   [GUEST_THINKS] = "thinks", [GUEST_DECIDES] = "decides",
    [GUEST_LEAVES] = "leaves",
};
#define KINDS (sizeof(kind_names) / sizeof(kind_names[0]))

struct HallMoves {
    HallMovesHead head;
    Buf name;
    int file;     /* -1: it is read, or the disk has failed */
    Buf text;     /* of the file that is read */
    Str rest;     /* of it */
    json_t *told; /* the move that was told last */
    Buf ids;
    bool others;
    unsigned line;
};

/* ---- kept ---- */

static int new_moves(const char *name, HallMoves **ret_moves, Err *err)
{
    HallMoves *moves = mem_new(sizeof(*moves));

    if (!moves)
        return err_set(err, ERR_MEMORY, "moves: out of memory");
    moves->file = -1;
    buf_add(&moves->name, str_of(name));
    if (buf_failed(&moves->name)) {
        hall_moves_free(moves);
        return err_set(err, ERR_MEMORY, "moves: out of memory");
    }
    *ret_moves = moves;
    return 0;
}

static int write_line(const HallMoves *moves, Buf *line)
{
    buf_add_char(line, '\n');
    return buf_failed(line) ? -1 : disk_write(moves->file, buf_str(line));
}

static int write_head(const HallMoves *moves)
{
    const HallMovesHead *head = &moves->head;
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);
    char hex[KEY_HEX_BYTES];

    key_to_hex(&head->key, hex);
    json_open(&json, '{');
    json_add_str(&json, "format", str_of(format));
    json_add_int(&json, "version", 1);
    json_add_str(&json, "key", str_of(hex));
    json_add_int(&json, "began_us", head->began);
    json_add_bool(&json, "fill", head->fill);
    json_add_int(&json, "fill_after_us", head->fill_after);
    json_add_uint(&json, "games", head->games);
    json_close(&json);
    return write_line(moves, &line);
}

int hall_moves_keep(const char *path, const HallMovesHead *head, HallMoves **ret_moves, Err *err)
{
    HallMoves *moves = NULL;
    int rc = new_moves(path, &moves, err);

    if (rc)
        return rc;
    moves->head = *head;
    moves->file = disk_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (moves->file < 0 || write_head(moves))
        rc = disk_error(err, "write", path);
    if (rc)
        hall_moves_free(moves);
    else
        *ret_moves = moves;
    return rc;
}

static void put_token(Json *json, Str token)
{
    char hex[SHA256_HEX_BYTES];

    if (token.len && sha256_hex(token, hex, NULL) == 0)
        json_add_str(json, "token", str_of(hex));
}

static void put_move(Json *json, const HallMove *move)
{
    if (move->of)
        json_add_uint(json, "of", move->of);
    if (move->guest)
        json_add_uint(json, "guest", move->guest);
    if (move->bids)
        json_add_bool(json, "bids", true);
    if (move->refused)
        json_add_bool(json, "refused", true);
    if (move->kind == HALL_CLOCK)
        json_add_int(json, "unix_ms", move->unix_ms);
    if (move->kind == HALL_GAME)
        json_add_str(json, "id", move->text);
    else if (move->kind == HALL_SAID && !move->guest)
        json_add_str(json, "text", move->text);
    if (move->address.len)
        json_add_str(json, "address", move->address);
    put_token(json, move->token);
}

void hall_moves_add(HallMoves *moves, const HallMove *move)
{
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);

    if (!moves || moves->file < 0)
        return;
    json_open(&json, '{');
    json_add_int(&json, "t_us", move->at - moves->head.began);
    json_add_str(&json, "does", str_of(kind_names[move->kind]));
    put_move(&json, move);
    json_close(&json);
    const off_t before = lseek(moves->file, 0, SEEK_CUR);
    if (write_line(moves, &line) == 0)
        return;
    if (before >= 0)
        disk_cut(moves->file, before);
    close(moves->file);
    moves->file = -1;
}

HallMoves *hall_moves_free(HallMoves *moves)
{
    if (!moves)
        return NULL;
    if (moves->file >= 0)
        close(moves->file);
    json_done(moves->told);
    buf_done(&moves->name);
    buf_done(&moves->text);
    buf_done(&moves->ids);
    return mem_free(moves);
}

const HallMovesHead *hall_moves_head(const HallMoves *moves)
{
    return &moves->head;
}

const char *hall_moves_name(const HallMoves *moves)
{
    return buf_cstr(&moves->name);
}

Str hall_moves_ids(const HallMoves *moves)
{
    return buf_str(&moves->ids);
}

bool hall_moves_others(const HallMoves *moves)
{
    return moves->others;
}

/* ---- read ---- */

static int read_head(Str line, HallMovesHead *head, Err *err)
{
    json_t *json = NULL;
    int rc = json_read(line, LINE_BYTES_MAX, &json, err);
    JsonReader reader = {.err = err};

    if (rc)
        return rc;
    if (!str_eq(json_text(json, "format"), str_of(format)) || json_number(json, "version") != 1) {
        json_done(json);
        return err_set(err, ERR_SYNTAX, "expected \"format\":\"%s\" of version 1", format);
    }
    if (!key_from_hex(json_get_str(&reader, json, "key"), &head->key))
        json_refuse(&reader, "key", "64 hexadecimal digits");
    head->began = json_get_int(&reader, json, "began_us", 0, TIME_MAX, 0);
    head->fill = json_get_bool(&reader, json, "fill", false);
    head->fill_after = json_get_int(&reader, json, "fill_after_us", 0, TIME_MAX, 0);
    head->games = (uint64_t)json_get_int(&reader, json, "games", 0, INT64_MAX, 0);
    json_done(json);
    return reader.rc;
}

static void read_kind(JsonReader *reader, const json_t *json, HallMove *move)
{
    const Str does = json_get_str(reader, json, "does");

    for (size_t i = 0; i < KINDS; i++)
        if (str_eq(does, str_of(kind_names[i]))) {
            move->kind = (HallMoveKind)i;
            return;
        }
    json_refuse(reader, "does", "one of its words");
}

/* Who does it has to be there. */
static void check_move(JsonReader *reader, const HallMove *move)
{
    const bool by_connection = move->kind >= HALL_CAME && move->kind <= HALL_GONE;

    if (by_connection && !move->of)
        json_refuse(reader, "of", "there");
    if (move->kind >= GUEST_HEARS && !move->guest)
        json_refuse(reader, "guest", "there");
    if (move->kind == HALL_GAME && move->text.len != ID_ULID_BYTES - 1)
        json_refuse(reader, "id", "the id of a game");
    if (move->address.len && memchr(move->address.bytes, '\0', move->address.len))
        json_refuse(reader, "address", "an address");
}

/* The texts are the JSON's, which is the caller's. */
static int read_move(Str line, HallMove *move, json_t **ret_json, Err *err)
{
    int rc = json_read(line, LINE_BYTES_MAX, ret_json, err);
    JsonReader reader = {.err = err};
    const json_t *json = *ret_json;

    if (rc)
        return rc;
    if (!json_is_map(json))
        return err_set(err, ERR_SYNTAX, "expected an object");
    *move = (HallMove){0};
    read_kind(&reader, json, move);
    move->at = json_get_int(&reader, json, "t_us", 0, TIME_MAX, -1);
    if (move->at < 0)
        json_refuse(&reader, "t_us", "there");
    move->of = (uint32_t)json_get_int(&reader, json, "of", 1, UINT32_MAX, 0);
    move->guest = (uint32_t)json_get_int(&reader, json, "guest", 1, UINT32_MAX, 0);
    move->bids = json_get_bool(&reader, json, "bids", false);
    move->refused = json_get_bool(&reader, json, "refused", false);
    move->unix_ms = json_get_int(&reader, json, "unix_ms", 0, UNIX_MS_MAX, 0);
    move->text = json_get_str(&reader, json, move->kind == HALL_GAME ? "id" : "text");
    move->address = json_get_str(&reader, json, "address");
    move->token = json_get_str(&reader, json, "token");
    check_move(&reader, move);
    return reader.rc;
}

static int check_line(HallMoves *moves, Str line, TimeUs *latest, Err *err)
{
    json_t *json = NULL;
    HallMove move = {0};
    int rc = read_move(line, &move, &json, err);

    if (rc == 0 && move.at < *latest)
        rc = err_set(err, ERR_SYNTAX, "its time is before that of the line above");
    *latest = move.at;
    if (rc == 0 && move.kind == HALL_GAME)
        buf_add(&moves->ids, move.text);
    moves->others |= rc == 0 && move.kind == HALL_OTHER;
    json_done(json);
    return rc;
}

/* Every line is one, and time does not go back. */
static int check_lines(HallMoves *moves, Err *err)
{
    Str rest = moves->rest;
    TimeUs latest = 0;
    int rc = 0;

    for (unsigned line = 2; rest.len && rc == 0; line++) {
        const bool is_whole = memchr(rest.bytes, '\n', rest.len) != NULL;
        const Str one = str_cut(&rest, '\n');
        Err wrong = {0};
        rc = is_whole ? check_line(moves, one, &latest, &wrong)
                      : err_set(&wrong, ERR_SYNTAX, "the line is cut off");
        if (rc)
            err_set(err, rc, "%s:%u: %s", buf_cstr(&moves->name), line, wrong.msg);
    }
    return rc;
}

static int read_text(HallMoves *moves, Err *err)
{
    Err wrong = {0};

    if (buf_failed(&moves->text))
        return err_set(err, ERR_MEMORY, "moves: out of memory");
    moves->rest = buf_str(&moves->text);
    int rc = read_head(str_cut(&moves->rest, '\n'), &moves->head, &wrong);
    moves->line = 1;
    if (rc)
        return err_set(err, rc, "%s:1: %s", buf_cstr(&moves->name), wrong.msg);
    rc = check_lines(moves, err);
    if (rc == 0 && buf_failed(&moves->ids))
        rc = err_set(err, ERR_MEMORY, "moves: out of memory");
    return rc;
}

int hall_moves_read(Str text, const char *name, HallMoves **ret_moves, Err *err)
{
    HallMoves *moves = NULL;
    int rc = new_moves(name, &moves, err);

    if (rc)
        return rc;
    buf_add(&moves->text, text);
    rc = read_text(moves, err);
    if (rc)
        hall_moves_free(moves);
    else
        *ret_moves = moves;
    return rc;
}

int hall_moves_load(const char *path, HallMoves **ret_moves, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read(path, FILE_BYTES_MAX, &text, err);

    return rc ? rc : hall_moves_read(buf_str(&text), path, ret_moves, err);
}

bool hall_moves_next(HallMoves *moves, HallMove *ret_move)
{
    if (!moves->rest.len)
        return false;
    json_done(moves->told);
    moves->told = NULL;
    if (read_move(str_cut(&moves->rest, '\n'), ret_move, &moves->told, NULL))
        return false;
    ret_move->line = ++moves->line;
    ret_move->at += moves->head.began;
    return true;
}
