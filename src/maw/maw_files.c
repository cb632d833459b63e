#include "maw/maw_files.h"

#include "base/buf.h"
#include "base/json.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "maw/session_replay.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct MawFiles {
    Buf dir;
    int record;
    Journal *journal;
    uint64_t rounds; /* that were in the journal when it was opened */
    int room;        /* the archive written last, -1 */
    Buf room_path;   /* of it */
    Buf line;
    Err failed;
};

/* ---- lines ---- */

/* One whole line at the end of a file, or nothing of it. */
static void append_line(MawFiles *files, int file, const char *what, Str line)
{
    if (files->failed.code) /* no gaps: what is there is all up to the failure */
        return;
    off_t before = lseek(file, 0, SEEK_END);

    if (disk_write(file, line) == 0)
        return;
    disk_error(&files->failed, "write", what);
    if (before < 0 || disk_cut(file, before))
        err_wrap(&files->failed, "half a line is left: ");
}

/* Texts are one line each, whatever stands in them. */
static void add_plain(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, (unsigned char)text.bytes[i] < ' ' ? ' ' : text.bytes[i]);
}

static bool line_failed(MawFiles *files)
{
    if (buf_failed(&files->line))
        err_set(&files->failed, ERR_MEMORY, "session record: out of memory");
    return buf_failed(&files->line);
}

void maw_files_record(MawFiles *files, Str json)
{
    buf_clear(&files->line);
    buf_add(&files->line, json);
    buf_add_char(&files->line, '\n');
    if (!line_failed(files))
        append_line(files, files->record, "session.jsonl", buf_str(&files->line));
}

/* ---- rooms ---- */

static void room_path(const MawFiles *files, const char *room, unsigned round, unsigned phase_no,
                      Buf *out)
{
    buf_printf(out, "%.*s/rooms/r%u-%u-", STR_ARG(buf_str(&files->dir)), round, phase_no);
    for (const char *c = room; *c; c++)
        if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'))
            buf_add_char(out, (char)(*c | ' '));
    buf_add(out, STR(".txt"));
}

static int open_room(MawFiles *files, const Buf *path)
{
    if (files->room >= 0 && str_eq(buf_str(path), buf_str(&files->room_path)))
        return files->room;
    if (files->room >= 0)
        close(files->room);
    files->room = disk_open(buf_cstr(path), O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (files->room < 0)
        disk_error(&files->failed, "open", buf_cstr(path));
    buf_clear(&files->room_path);
    buf_add(&files->room_path, buf_str(path));
    return files->room;
}

void maw_files_room_line(MawFiles *files, const char *room, unsigned round, unsigned phase_no,
                         Str name, Str text)
{
    CLEANUP(buf_done) Buf path = {0};

    room_path(files, room, round, phase_no, &path);
    buf_clear(&files->line);
    if (name.len)
        add_plain(&files->line, name);
    buf_add(&files->line, name.len ? STR(": ") : STR("* "));
    add_plain(&files->line, text);
    buf_add_char(&files->line, '\n');
    if (buf_failed(&path) || line_failed(files))
        return;
    int file = open_room(files, &path);
    if (file >= 0)
        append_line(files, file, buf_cstr(&path), buf_str(&files->line));
}

void maw_files_game(MawFiles *files, GameRecord *record)
{
    Err *err = &files->failed;

    if (err->code || record->set < files->rounds) /* as for lines: all up to the failure is there */
        return;
    snprintf(record->log, sizeof(record->log), "session.jsonl");
    int rc = disk_sync(files->record) ? disk_error(err, "write to disk", "session.jsonl") : 0;
    if (rc == 0)
        rc = journal_add_game(files->journal, record, (Str){0}, err);
    if (rc == 0)
        journal_wait(files->journal, err);
}

void maw_files_leaderboard(MawFiles *files, Str json)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%.*s/leaderboard.json", STR_ARG(buf_str(&files->dir)));
    if (!buf_failed(&path))
        file_replace(buf_cstr(&path), json, true, &files->failed);
}

/* ---- life ---- */

static int write_command(const char *dir, Str command, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = command.len ? folder_make(str_of(dir), err) : 0;

    if (rc || command.len == 0)
        return rc;
    buf_printf(&path, "%s/command.json", dir);
    return buf_failed(&path) ? err_set(err, ERR_MEMORY, "session record: out of memory")
                             : file_replace(buf_cstr(&path), command, true, err);
}

static int open_record(MawFiles *files, Str command, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Str dir = buf_str(&files->dir);

    buf_printf(&path, "%.*s/session.jsonl", STR_ARG(dir));
    if (!buf_failed(&path) && access(buf_cstr(&path), F_OK) != 0 &&
        journal_exists(buf_cstr(&files->dir)))
        return err_set(err, ERR_USAGE,
                       "'%.*s' holds results of something else: take another folder", STR_ARG(dir));
    buf_clear(&path);
    buf_printf(&path, "%.*s/rooms", STR_ARG(dir));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "session record: out of memory");
    int rc = folder_make(buf_str(&path), err);
    if (rc)
        return rc;
    buf_clear(&path);
    buf_printf(&path, "%.*s/session.jsonl", STR_ARG(dir));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "session record: out of memory");
    if (access(buf_cstr(&path), F_OK) != 0)
        rc = write_command(buf_cstr(&files->dir), command, err);
    if (rc)
        return rc;
    files->record = disk_open(buf_cstr(&path), O_WRONLY | O_APPEND | O_CREAT | O_EXCL, 0666);
    if (files->record >= 0)
        return 0;
    if (errno == EEXIST)
        return err_set(err, ERR_USAGE,
                       "'%.*s' holds a session already: take another folder, or go on with it: "
                       "--resume %.*s",
                       STR_ARG(dir), STR_ARG(dir));
    return disk_error(err, "open", buf_cstr(&path));
}

static int new_files(const char *dir, MawFiles **ret_files, Err *err)
{
    MawFiles *files = mem_new(sizeof(*files));

    if (!files)
        return err_set(err, ERR_MEMORY, "session record: out of memory");
    files->record = -1;
    files->room = -1;
    buf_add(&files->dir, str_of(dir));
    *ret_files = files;
    return buf_failed(&files->dir) ? err_set(err, ERR_MEMORY, "session record: out of memory") : 0;
}

static int begin_journal(MawFiles *files, Err *err)
{
    return journal_begin(buf_cstr(&files->dir), STR("{\"division\":\"maw\"}"), &files->journal,
                         err);
}

int maw_files_open(const char *dir, Str command, MawFiles **ret_files, Err *err)
{
    MawFiles *files = NULL;
    int rc = new_files(dir, &files, err);

    if (rc == 0)
        rc = open_record(files, command, err);
    if (rc == 0)
        rc = begin_journal(files, err);
    if (rc) {
        maw_files_free(files);
        return rc;
    }
    *ret_files = files;
    return 0;
}

/* ---- going on ---- */

static int on_old_game(void *user, const GameRecord *record, Err *err)
{
    MawFiles *files = user;

    (void)err;
    if (record->set >= files->rounds)
        files->rounds = record->set + 1;
    return 0;
}

/* Whoever has it open holds it locked: two game masters of one session would both be wrong. */
static int lock_journal(MawFiles *files, Err *err)
{
    const char *dir = buf_cstr(&files->dir);
    const JournalListener listener = {.game = on_old_game, .user = files};
    bool there = false;
    int rc = journal_find(dir, &there, err);

    if (rc || !there)
        return rc ? rc : begin_journal(files, err);
    rc = journal_continue(dir, &files->journal, err);
    return rc ? rc : journal_read(dir, &listener, NULL, err);
}

static bool is_event(Str line)
{
    json_t *event = NULL;
    bool is = json_read(line, MAW_RECORD_LINE_MAX, &event, NULL) == 0 && json_is_map(event);

    json_done(event);
    return is;
}

/* Without a last line that is cut off, or that the machine's end has damaged. */
static Str whole_lines(Str text)
{
    size_t newline;

    while (text.len && text.bytes[text.len - 1] != '\n')
        text.len--;
    if (text.len == 0)
        return text;
    Str before = str_part(text, 0, text.len - 1);
    size_t at = str_find_last(before, '\n', &newline) ? newline + 1 : 0;
    if (!is_event(str_part(before, at, before.len)))
        text.len = at;
    return text;
}

static int check_record(Str text, Err *err)
{
    MawReplayVerdict verdict = {0};
    int rc = text.len ? maw_record_replay(text, &verdict, err) : 0;

    if (rc || text.len == 0 || verdict.ok || verdict.truncated)
        return rc;
    return err_set(err, ERR_SYNTAX, "session.jsonl, line %u: %s: it can't be gone on with",
                   verdict.line, verdict.reason);
}

/* As far as the text goes; behind it comes what is new. */
static int reopen_record(MawFiles *files, const char *path, Str text, Err *err)
{
    files->record = disk_open(path, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (files->record < 0)
        return disk_error(err, "open", path);
    return disk_cut(files->record, (off_t)text.len) ? disk_error(err, "cut", path) : 0;
}

static int empty_rooms(MawFiles *files, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/rooms", buf_cstr(&files->dir));
    int rc = buf_failed(&path) ? err_set(err, ERR_MEMORY, "session record: out of memory")
                               : folder_remove(buf_cstr(&path), err);
    return rc ? rc : folder_make(buf_str(&path), err);
}

static int read_record(const char *path, Buf *record, bool *ret_cut, Err *err)
{
    int rc = access(path, F_OK) == 0 ? log_file_read(path, MAW_RECORD_BYTES_MAX, record, err) : 0;
    size_t whole = whole_lines(buf_str(record)).len;

    *ret_cut = whole < record->len;
    record->len = whole;
    return rc ? rc : check_record(buf_str(record), err);
}

static int resume_files(MawFiles *files, Buf *record, bool *ret_cut, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = lock_journal(files, err);

    buf_printf(&path, "%s/session.jsonl", buf_cstr(&files->dir));
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "session record: out of memory");
    if (rc == 0)
        rc = read_record(buf_cstr(&path), record, ret_cut, err);
    if (rc == 0)
        rc = reopen_record(files, buf_cstr(&path), buf_str(record), err);
    return rc ? rc : empty_rooms(files, err);
}

int maw_files_resume(const char *dir, Buf *record, bool *ret_cut, MawFiles **ret_files, Err *err)
{
    MawFiles *files = NULL;
    int rc = new_files(dir, &files, err);

    if (rc == 0)
        rc = resume_files(files, record, ret_cut, err);
    if (rc) {
        maw_files_free(files);
        return rc;
    }
    *ret_files = files;
    return 0;
}

void maw_files_sync(MawFiles *files)
{
    if (files && !files->failed.code && disk_sync(files->record))
        disk_error(&files->failed, "write to disk", "session.jsonl");
}

MawFiles *maw_files_free(MawFiles *files)
{
    if (!files)
        return NULL;
    if (files->record >= 0)
        close(files->record);
    if (files->room >= 0)
        close(files->room);
    journal_close(files->journal, NULL);
    buf_done(&files->dir);
    buf_done(&files->room_path);
    buf_done(&files->line);
    return mem_free(files);
}

int maw_files_failed(const MawFiles *files, Err *err)
{
    if (!files || files->failed.code == ERR_OK)
        return 0;
    return err_set(err, files->failed.code, "%s", files->failed.msg);
}
