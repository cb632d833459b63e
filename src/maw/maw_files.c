#include "maw/maw_files.h"

#include "base/buf.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct MawFiles {
    Buf dir;
    int record;
    Journal *journal;
    int room;      /* the archive written last, -1 */
    Buf room_path; /* of it */
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

    if (err->code) /* as for lines: what is there is all up to the failure */
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

static int open_record(MawFiles *files, Err *err)
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
    files->record = disk_open(buf_cstr(&path), O_WRONLY | O_APPEND | O_CREAT | O_EXCL, 0666);
    if (files->record >= 0)
        return 0;
    if (errno == EEXIST)
        return err_set(err, ERR_USAGE, "'%.*s' holds a session already: take another folder",
                       STR_ARG(dir));
    return disk_error(err, "open", buf_cstr(&path));
}

int maw_files_open(const char *dir, MawFiles **ret_files, Err *err)
{
    MawFiles *files = mem_new(sizeof(*files));

    if (!files)
        return err_set(err, ERR_MEMORY, "session record: out of memory");
    files->record = -1;
    files->room = -1;
    buf_add(&files->dir, str_of(dir));
    int rc = buf_failed(&files->dir) ? err_set(err, ERR_MEMORY, "session record: out of memory")
                                     : open_record(files, err);
    if (rc == 0)
        rc = journal_begin(buf_cstr(&files->dir), STR("{\"division\":\"maw\"}"), &files->journal,
                           err);
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
