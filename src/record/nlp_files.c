#include "record/nlp_files.h"

#include "disk/disk_call.h"
#include "disk/folder.h"

#include "base/json.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEM_BYTES_MAX 200
#define STEM_TRIES     1000

/* ---- names ---- */

/* A '%' is encoded too, so that two names never become one. */
static bool stands_in_name(uint32_t code)
{
    return code >= 0x20 && code != '/' && code != '%' && (code < 0x7F || code >= 0xA0) &&
           code != UTF8_INVALID;
}

/* What is put in for a word of the pattern: its characters, or their bytes as %XX. */
static void add_encoded(Str text, Buf *out)
{
    while (text.len > 0) {
        Str rest = text;
        bool plain = stands_in_name(utf8_next(&rest));
        size_t bytes = text.len - rest.len;

        if (plain)
            buf_add(out, str_part(text, 0, bytes));
        else
            for (size_t i = 0; i < bytes; i++)
                buf_printf(out, "%%%02X", (unsigned char)text.bytes[i]);
        text = rest;
    }
}

static int by_bytes(const void *a, const void *b)
{
    const Str *x = a, *y = b;
    size_t shorter = x->len < y->len ? x->len : y->len;
    int order = shorter ? memcmp(x->bytes, y->bytes, shorter) : 0;

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

static void add_teams(const NlpSeat *seats, SeatNo seat_count, Buf *out)
{
    Str teams[SEAT_MAX] = {{NULL, 0}};

    for (SeatNo i = 0; i < seat_count; i++)
        teams[i] = seats[i + 1].team;
    qsort(teams, seat_count, sizeof(teams[0]), by_bytes);
    for (SeatNo i = 0; i < seat_count; i++) {
        if (i > 0)
            buf_add_char(out, '_');
        add_encoded(teams[i], out);
    }
}

/* The stem that begins at `start` is cut to its limit, in front of a character or a %XX that would
 * not be whole. */
static void cut_stem(Buf *out, size_t start)
{
    size_t len = STEM_BYTES_MAX;

    if (buf_failed(out) || out->len - start <= STEM_BYTES_MAX)
        return;
    const char *stem = out->bytes + start;
    while (len > 0 && ((unsigned char)stem[len] & 0xC0) == 0x80)
        len--;
    if (stem[len - 1] == '%')
        len -= 1;
    else if (stem[len - 2] == '%')
        len -= 2;
    out->len = start + len;
    out->bytes[out->len] = '\0';
}

void nlp_file_stem(const char *pattern, Str game_id, int64_t unix_s, const NlpSeat *seats,
                   SeatNo seat_count, Buf *out)
{
    size_t start = out->len;
    Str rest = str_of(pattern);

    while (rest.len > 0) {
        if (str_starts(rest, STR("{game_id}"))) {
            add_encoded(game_id, out);
            rest = str_part(rest, strlen("{game_id}"), rest.len);
        } else if (str_starts(rest, STR("{timestamp}"))) {
            buf_add_int(out, unix_s);
            rest = str_part(rest, strlen("{timestamp}"), rest.len);
        } else if (str_starts(rest, STR("{teams}"))) {
            add_teams(seats, seat_count, out);
            rest = str_part(rest, strlen("{teams}"), rest.len);
        } else {
            Str one = rest;
            utf8_next(&rest);
            one = str_part(one, 0, one.len - rest.len);
            if (str_eq(one, STR("%")))
                buf_add(out, one); /* the pattern's own */
            else
                add_encoded(one, out);
        }
    }
    if (out->len == start)
        add_encoded(game_id, out);
    if (!buf_failed(out) && out->len > start && out->bytes[start] == '.')
        out->bytes[start] = '_'; /* neither hidden nor a directory */
    cut_stem(out, start);
}

static int is_taken(const char *dir, const Buf *stem, const char *suffix, bool *ret_taken, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    buf_printf(&path, "%s/%s%s", dir, buf_cstr(stem), suffix);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "look for '%s': out of memory", dir);
    *ret_taken = lstat(buf_cstr(&path), &about) == 0;
    if (!*ret_taken && errno != ENOENT && errno != ENOTDIR)
        return disk_error(err, "look for", buf_cstr(&path));
    return 0;
}

int nlp_file_free_stem(const char *const dirs[3], Buf *stem, Err *err)
{
    static const char *const suffixes[3] = {".log", ".json", ".jsonl"};
    size_t len = stem->len;

    for (unsigned number = 1; number <= STEM_TRIES; number++) {
        bool taken = false;
        for (size_t i = 0; i < 3 && !taken; i++) {
            int rc = dirs[i] ? is_taken(dirs[i], stem, suffixes[i], &taken, err) : 0;
            if (rc)
                return rc;
        }
        if (!taken)
            return 0;
        stem->len = len;
        buf_printf(stem, "_%u", number + 1);
        if (buf_failed(stem))
            return err_set(err, ERR_MEMORY, "name a game's files: out of memory");
    }
    return err_set(err, ERR_IO, "%d games have files called '%.*s...'", STEM_TRIES, (int)len,
                   stem->bytes);
}

/* ---- a file that is written at its end ---- */

typedef struct OpenFile {
    Buf path;
    int fd; /* -1 = none */
} OpenFile;

/* A new file: never one that is there, nor through a link. */
static int open_new(const char *dir, const char *stem, const char *suffix, OpenFile *file, Err *err)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL;

    buf_printf(&file->path, "%s%s%s%s", dir, *dir ? "/" : "", stem, suffix);
    if (buf_failed(&file->path))
        return err_set(err, ERR_MEMORY, "write '%s': out of memory", stem);
    file->fd = disk_open(buf_cstr(&file->path), flags, 0666);
    if (file->fd < 0 && errno == ENOENT) { /* the first game */
        int rc = folder_make(str_of(dir), err);
        if (rc)
            return rc;
        file->fd = disk_open(buf_cstr(&file->path), flags, 0666);
    }
    return file->fd < 0 ? disk_error(err, "write", buf_cstr(&file->path)) : 0;
}

static int write_at(OpenFile *file, Str bytes, off_t at, Err *err)
{
    return disk_write_at(file->fd, bytes, at) ? disk_error(err, "write", buf_cstr(&file->path)) : 0;
}

static int close_file(OpenFile *file, bool sync, Err *err)
{
    int rc = 0;

    if (sync && disk_sync_data(file->fd) != 0)
        rc = disk_error(err, "write", buf_cstr(&file->path));
    if (disk_close(file->fd) != 0 && rc == 0)
        rc = disk_error(err, "close", buf_cstr(&file->path));
    file->fd = -1;
    return rc;
}

static void done_file(OpenFile *file)
{
    if (file->fd >= 0)
        close(file->fd);
    buf_done(&file->path);
}

/* ---- lines ---- */

struct LineFile {
    OpenFile file;
    off_t end;
    off_t kept;  /* the end before the last lines */
    bool failed; /* some lines could not be written, or were taken back */
    Buf pending; /* what was put and not written */
};

static LineFile *line_file_free(LineFile *file)
{
    if (file) {
        done_file(&file->file);
        buf_done(&file->pending);
    }
    return mem_free(file);
}

static void line_file_freep(LineFile **file)
{
    *file = line_file_free(*file);
}

int line_file_open(const char *dir, const char *stem, const char *suffix, LineFile **ret_file,
                   Err *err)
{
    CLEANUP(line_file_freep) LineFile *file = mem_new(sizeof(*file));

    if (!file)
        return err_set(err, ERR_MEMORY, "write '%s': out of memory", stem);
    file->file.fd = -1;
    int rc = open_new(dir, stem, suffix, &file->file, err);
    if (rc == 0)
        *ret_file = TAKE(file);
    return rc;
}

int line_file_add(LineFile *file, Str lines, Err *err)
{
    int rc = write_at(&file->file, lines, file->end, err);

    if (rc == 0) {
        file->kept = file->end;
        file->end += (off_t)lines.len;
        return 0;
    }
    file->failed = true;
    if (disk_cut(file->file.fd, file->end) != 0)
        err_wrap(err, "half a line is left: ");
    return rc;
}

void line_file_put(LineFile *file, Str lines)
{
    buf_add(&file->pending, lines);
}

int line_file_flush(LineFile *file, Err *err)
{
    CLEANUP(buf_done) Buf lines = file->pending;

    file->pending = (Buf){0};
    if (buf_failed(&lines))
        return err_set(err, ERR_MEMORY, "write '%s': out of memory", line_file_path(file));
    return lines.len ? line_file_add(file, buf_str(&lines), err) : 0;
}

void line_file_take_back(LineFile *file)
{
    file->failed = true;
    if (file->pending.len)
        buf_done(&file->pending);
    else if (disk_cut(file->file.fd, file->kept) == 0)
        file->end = file->kept;
}

const char *line_file_path(const LineFile *file)
{
    return buf_cstr(&file->file.path);
}

int line_file_close(LineFile *file, bool sync, Err *err)
{
    int rc = file ? line_file_flush(file, err) : 0;

    if (file && sync && disk_sync_data(file->file.fd) != 0) {
        rc = disk_error(err, "write", buf_cstr(&file->file.path));
        line_file_take_back(file); /* what is not on disk for sure was not written */
    }
    int closed = file ? close_file(&file->file, false, rc ? NULL : err) : 0;
    if (file && file->failed && file->end == 0)
        (void)disk_remove(line_file_path(file)); /* no log of nothing */
    line_file_free(file);
    return rc ? rc : closed;
}

/* ---- the JSON log ---- */

struct JsonLog {
    OpenFile file;
    bool milliseconds;
    off_t head;   /* where the first entry begins */
    off_t end;    /* behind the last entry: the object's end stands there */
    Buf text;     /* what is to be written: entries, then the end */
    size_t usual; /* bytes of the longest one so far: room that is made at once */
    Buf tail;     /* ],"game_id":"...","win_side": */
};

static JsonLog *json_log_free(JsonLog *log)
{
    if (log) {
        done_file(&log->file);
        buf_done(&log->text);
        buf_done(&log->tail);
    }
    return mem_free(log);
}

static void json_log_freep(JsonLog **log)
{
    *log = json_log_free(*log);
}

static void add_end(JsonLog *log, Side winner)
{
    buf_add(&log->text, buf_str(&log->tail));
    json_quote(&log->text, str_of(side_name(winner)), false);
    buf_add_char(&log->text, '}');
}

/* Puts back the end that a failed write has damaged, in blocks that the file has already. */
static bool restore_log(JsonLog *log)
{
    buf_clear(&log->text);
    add_end(log, SIDE_NONE);
    return write_at(&log->file, buf_str(&log->text), log->end, NULL) == 0 &&
           disk_cut(log->file.fd, log->end + (off_t)log->text.len) == 0;
}

/* Writes `text` over the old end; its first `kept` bytes stay for good. */
static int write_end(JsonLog *log, size_t kept, Err *err)
{
    int rc;

    if (buf_failed(&log->text))
        rc = err_set(err, ERR_MEMORY, "write '%s': out of memory", buf_cstr(&log->file.path));
    else
        rc = write_at(&log->file, buf_str(&log->text), log->end, err);
    if (rc == 0)
        log->end += (off_t)kept;
    else if (rc != ERR_MEMORY && !restore_log(log))
        err_wrap(err, "the JSON log has lost its end: ");
    if (log->text.len > log->usual)
        log->usual = log->text.len;
    buf_done(&log->text); /* a game that waits keeps no memory */
    return rc;
}

static void add_agents(const NlpSeat *seats, const uint8_t *roles, SeatNo seat_count, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= seat_count; seat++) {
        json_open(&json, '{');
        json_add_uint(&json, "idx", seat);
        json_add_str(&json, "name", seats[seat].original);
        json_add_str(&json, "role", str_of(role_name((Role)roles[seat])));
        json_add_str(&json, "team", seats[seat].team);
        json_close(&json);
    }
    json_close(&json);
}

int json_log_open(const JsonLogSetup *setup, JsonLog **ret_log, Err *err)
{
    CLEANUP(json_log_freep) JsonLog *log = mem_new(sizeof(*log));

    if (!log)
        return err_set(err, ERR_MEMORY, "write '%s': out of memory", setup->stem);
    log->file.fd = -1;
    log->milliseconds = setup->milliseconds;
    int rc = open_new(setup->dir, setup->stem, ".json", &log->file, err);
    if (rc)
        return rc;
    buf_add(&log->tail, STR("],\"game_id\":"));
    json_quote(&log->tail, setup->game_id, false);
    buf_add(&log->tail, STR(",\"win_side\":"));
    buf_add(&log->text, STR("{\"agents\":"));
    add_agents(setup->seats, setup->roles, setup->seat_count, &log->text);
    buf_add(&log->text, STR(",\"entries\":["));
    size_t head = log->text.len;
    add_end(log, SIDE_NONE);
    if (buf_failed(&log->tail))
        return err_set(err, ERR_MEMORY, "write '%s': out of memory", setup->stem);
    rc = write_end(log, head, err);
    log->head = log->end;
    if (rc == 0)
        *ret_log = TAKE(log);
    else
        (void)disk_remove(buf_cstr(&log->file.path)); /* no log of nothing */
    return rc;
}

static void add_time(const JsonLog *log, Str key, int64_t unix_ms, Buf *out)
{
    buf_add(out, key);
    buf_add_int(out, log->milliseconds ? unix_ms : unix_ms / 1000);
}

/* By hand, since it is the one piece of JSON that is written for every request. */
static void add_entry(const JsonLog *log, const JsonEntry *entry, Buf *out)
{
    bool first = log->end == log->head && out->len == 0;

    buf_add(out, first ? STR("{\"agent\":") : STR(",{\"agent\":"));
    json_quote(out, entry->agent, false);
    if (entry->error.len > 0) {
        buf_add(out, STR(",\"error\":"));
        json_quote(out, entry->error, false);
    }
    buf_add(out, STR(",\"request\":"));
    json_quote_json(out, entry->request);
    add_time(log, STR(",\"request_timestamp\":"), entry->request_unix_ms, out);
    if (entry->response.len > 0) {
        buf_add(out, STR(",\"response\":"));
        json_quote(out, entry->response, false);
    }
    add_time(log, STR(",\"response_timestamp\":"), entry->response_unix_ms, out);
    buf_add_char(out, '}');
}

void json_log_put(JsonLog *log, const JsonEntry *entry)
{
    if (log->text.room == 0)
        buf_reserve(&log->text, log->usual);
    add_entry(log, entry, &log->text);
}

int json_log_flush(JsonLog *log, Err *err)
{
    size_t kept = log->text.len;

    if (kept == 0 && !buf_failed(&log->text))
        return 0;
    add_end(log, SIDE_NONE);
    return write_end(log, kept, err);
}

int json_log_add(JsonLog *log, const JsonEntry *entry, Err *err)
{
    json_log_put(log, entry);
    return json_log_flush(log, err);
}

int json_log_close(JsonLog *log, Side winner, bool sync, Err *err)
{
    if (!log)
        return 0;
    size_t kept = log->text.len;
    add_end(log, winner);
    int rc = write_end(log, kept, err);
    int closed = close_file(&log->file, sync, err);

    json_log_free(log);
    return rc ? rc : closed;
}
