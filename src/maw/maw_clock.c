#include "maw/maw_clock.h"

#include "base/json.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/log_file.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)256 * 1024 * 1024)
#define LINE_BYTES_MAX 4096
#define TIME_MAX       ((int64_t)400 * 86400 * 1000 * 1000)
#define UNIX_MS_MAX    ((int64_t)253402300800000) /* the year 10000 */

static const char format[] = "warg-clock";

struct MawClock {
    MawClockHead head;
    Buf name;
    int file;   /* -1: it is read, or the disk has failed */
    Buf text;   /* of the file that is read */
    Str rest;   /* of it */
    Buf before; /* the text of the move that was told last */
    unsigned line;
};

/* ---- kept ---- */

static int new_clock(const char *name, MawClock **ret_clock, Err *err)
{
    MawClock *clock = mem_new(sizeof(*clock));

    if (!clock)
        return err_set(err, ERR_MEMORY, "clock: out of memory");
    clock->file = -1;
    buf_add(&clock->name, str_of(name));
    if (buf_failed(&clock->name)) {
        maw_clock_free(clock);
        return err_set(err, ERR_MEMORY, "clock: out of memory");
    }
    *ret_clock = clock;
    return 0;
}

static int write_line(const MawClock *clock, Buf *line)
{
    buf_add_char(line, '\n');
    return buf_failed(line) ? -1 : disk_write(clock->file, buf_str(line));
}

static int write_head(const MawClock *clock)
{
    const MawClockHead *head = &clock->head;
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);

    json_open(&json, '{');
    json_add_str(&json, "format", str_of(format));
    json_add_int(&json, "version", 1);
    json_add_str(&json, "id", str_of(head->id));
    json_add_str(&json, "seed", str_of(head->seed));
    json_add_int(&json, "began_us", head->began);
    json_add_int(&json, "unix_ms", head->unix_ms);
    json_add_bool(&json, "others", head->others);
    json_close(&json);
    return write_line(clock, &line);
}

int maw_clock_keep(const char *path, const MawClockHead *head, MawClock **ret_clock, Err *err)
{
    MawClock *clock = NULL;
    int rc = new_clock(path, &clock, err);

    if (rc)
        return rc;
    clock->head = *head;
    clock->file = disk_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (clock->file < 0 || write_head(clock))
        rc = disk_error(err, "write", path);
    if (rc)
        maw_clock_free(clock);
    else
        *ret_clock = clock;
    return rc;
}

void maw_clock_add(MawClock *clock, MawMoveKind kind, Str text, TimeUs at)
{
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);

    if (clock->file < 0)
        return;
    json_open(&json, '{');
    json_add_int(&json, "t_us", at - clock->head.began);
    if (kind == MOVE_SEAT)
        json_add_str(&json, "seat", text);
    else if (kind == MOVE_STOP)
        json_add_str(&json, "stop", text);
    else if (kind == MOVE_DRAIN)
        json_add_bool(&json, "drain", true);
    json_close(&json);
    const off_t before = lseek(clock->file, 0, SEEK_CUR);
    if (write_line(clock, &line) == 0)
        return;
    if (before >= 0)
        disk_cut(clock->file, before);
    close(clock->file);
    clock->file = -1;
}

MawClock *maw_clock_free(MawClock *clock)
{
    if (!clock)
        return NULL;
    if (clock->file >= 0)
        close(clock->file);
    buf_done(&clock->name);
    buf_done(&clock->text);
    buf_done(&clock->before);
    return mem_free(clock);
}

const MawClockHead *maw_clock_head(const MawClock *clock)
{
    return &clock->head;
}

const char *maw_clock_name(const MawClock *clock)
{
    return buf_cstr(&clock->name);
}

/* ---- read ---- */

static void read_word(JsonReader *reader, const json_t *json, const char *key, size_t max,
                      char *out)
{
    Str text = json_get_str(reader, json, key);

    if (text.len == 0 || text.len > max || memchr(text.bytes, '\0', text.len))
        json_refuse(reader, key, "a name");
    else
        snprintf(out, max + 1, "%.*s", STR_ARG(text));
}

static int read_head(Str line, MawClockHead *head, Err *err)
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
    read_word(&reader, json, "id", MAW_CLOCK_ID_MAX, head->id);
    read_word(&reader, json, "seed", MAW_CLOCK_SEED_MAX, head->seed);
    head->began = json_get_int(&reader, json, "began_us", 0, TIME_MAX, 0);
    head->unix_ms = json_get_int(&reader, json, "unix_ms", 0, UNIX_MS_MAX, 0);
    head->others = json_get_bool(&reader, json, "others", false);
    json_done(json);
    return reader.rc;
}

/* The text is kept in `text`. */
static int read_move(Str line, MawMove *move, Buf *text, Err *err)
{
    json_t *json = NULL;
    int rc = json_read(line, LINE_BYTES_MAX, &json, err);
    JsonReader reader = {.err = err};

    if (rc)
        return rc;
    const Str seat = json_get_str(&reader, json, "seat"),
              stop = json_get_str(&reader, json, "stop");
    move->kind = seat.len                                         ? MOVE_SEAT
                 : stop.len                                       ? MOVE_STOP
                 : json_get_bool(&reader, json, "drain", false)   ? MOVE_DRAIN
                 : json_get_bool(&reader, json, "resumed", false) ? MOVE_RESUMED
                                                                  : MOVE_TABLE;
    move->at = json_get_int(&reader, json, "t_us", 0, TIME_MAX, -1);
    if (move->at < 0)
        json_refuse(&reader, "t_us", "there");
    buf_clear(text);
    buf_add(text, seat.len ? seat : stop);
    move->text = buf_str(text);
    json_done(json);
    if (buf_failed(text))
        return err_set(err, ERR_MEMORY, "out of memory");
    return reader.rc;
}

/* The last of whole lines; empty: there is none. */
static Str last_line(Str lines)
{
    size_t begin = lines.len ? lines.len - 1 : 0;

    while (begin > 0 && lines.bytes[begin - 1] != '\n')
        begin--;
    return str_trim(str_part(lines, begin, lines.len));
}

/* Its lines; what a kill has left of one behind them is cut off. */
static int read_lines(int file, const char *path, Buf *text, Err *err)
{
    int rc = log_file_read_from(file, path, FILE_BYTES_MAX, text, err);
    const size_t all = text->len;

    while (rc == 0 && text->len > 0 && text->bytes[text->len - 1] != '\n')
        text->len--;
    return rc == 0 && text->len < all && disk_cut(file, (off_t)text->len)
               ? disk_error(err, "mend", path)
               : rc;
}

int maw_clock_resumed(const char *path, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf kept = {0};
    CLEANUP(buf_done) Buf line = {0};
    const int file = disk_open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    MawMove move = {0};

    if (file < 0)
        return errno == ENOENT ? 0 : disk_error(err, "open", path);
    int rc = read_lines(file, path, &text, err);
    if (rc == 0 && read_move(last_line(buf_str(&text)), &move, &kept, NULL))
        move = (MawMove){0}; /* the head */
    buf_printf(&line, "{\"t_us\":%" PRId64 ",\"resumed\":true}\n", move.at);
    if (rc == 0 && move.kind != MOVE_RESUMED &&
        (buf_failed(&line) || disk_write(file, buf_str(&line))))
        rc = disk_error(err, "write", path);
    close(file);
    return rc;
}

/* Every line is one, and time does not go back. */
static int check_lines(const MawClock *clock, Err *err)
{
    CLEANUP(buf_done) Buf kept = {0};
    Str rest = clock->rest;
    MawMove move = {0};
    TimeUs latest = 0;
    int rc = 0;

    for (unsigned line = 2; rest.len && rc == 0; line++) {
        const bool is_whole = memchr(rest.bytes, '\n', rest.len) != NULL;
        const Str one = str_cut(&rest, '\n');
        Err wrong = {0};
        rc = is_whole ? read_move(one, &move, &kept, &wrong)
                      : err_set(&wrong, ERR_SYNTAX, "the line is cut off");
        if (rc == 0 && move.at < latest)
            rc = err_set(&wrong, ERR_SYNTAX, "its time is before that of the line above");
        latest = move.at;
        if (rc)
            err_set(err, rc, "%s:%u: %s", buf_cstr(&clock->name), line, wrong.msg);
    }
    return rc;
}

static int read_text(MawClock *clock, Err *err)
{
    Err wrong = {0};

    if (buf_failed(&clock->text))
        return err_set(err, ERR_MEMORY, "clock: out of memory");
    clock->rest = buf_str(&clock->text);
    int rc = read_head(str_cut(&clock->rest, '\n'), &clock->head, &wrong);
    clock->line = 1;
    return rc ? err_set(err, rc, "%s:1: %s", buf_cstr(&clock->name), wrong.msg)
              : check_lines(clock, err);
}

int maw_clock_read(Str text, const char *name, MawClock **ret_clock, Err *err)
{
    MawClock *clock = NULL;
    int rc = new_clock(name, &clock, err);

    if (rc)
        return rc;
    buf_add(&clock->text, text);
    rc = read_text(clock, err);
    if (rc)
        maw_clock_free(clock);
    else
        *ret_clock = clock;
    return rc;
}

int maw_clock_load(const char *path, MawClock **ret_clock, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = log_file_read(path, FILE_BYTES_MAX, &text, err);

    return rc ? rc : maw_clock_read(buf_str(&text), path, ret_clock, err);
}

bool maw_clock_next(MawClock *clock, MawMove *ret_move)
{
    if (!clock->rest.len)
        return false;
    *ret_move = (MawMove){.line = ++clock->line};
    if (read_move(str_cut(&clock->rest, '\n'), ret_move, &clock->before, NULL))
        return false;
    ret_move->at += clock->head.began;
    return true;
}
