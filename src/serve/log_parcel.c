#include "serve/log_parcel.h"

#include "archive/tar_writer.h"
#include "base/date_text.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "journal/journal.h"
#include "net/mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAY_BYTES ((size_t)10)

typedef struct FoundFile {
    char *path; /* in the archive */
    char *file;
} FoundFile;

typedef struct Found {
    FoundFile *items;
    size_t count;
    size_t room;
    uint64_t bytes;
} Found;

struct LogParcel {
    LogParcelSetup setup;
    Buf journal;
    Buf json;
    Buf day;
    Buf team;
    Mailbox *box;
    pthread_t thread;
    bool runs;
    atomic_bool stop;
    Found found;
    int fd;
    Err err;
};

/* ---- which ---- */

bool log_parcel_is_day(Str text)
{
    static const char form[] = "dddd-dd-dd";

    if (text.len != DAY_BYTES)
        return false;
    for (size_t i = 0; i < DAY_BYTES; i++) {
        const char c = text.bytes[i];
        if (form[i] == 'd' ? c < '0' || c > '9' : c != form[i])
            return false;
    }
    return true;
}

static bool is_wanted(const LogParcel *parcel, const GameRecord *record)
{
    char date[DATE_TEXT_ROOM];
    Str day = str_part(date_text_write(record->ended_at_ms, date), 0, DAY_BYTES);
    Str team = buf_str(&parcel->team);
    bool plays = parcel->setup.team.bytes == NULL;

    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        plays |= str_eq(game_record_counted(record, seat), team) ||
                 str_eq(record->result.names[seat], team);
    return plays && (parcel->day.len == 0 || str_eq(day, buf_str(&parcel->day)));
}

static char *copy_text(Str text)
{
    char *copy = mem_new(text.len + 1);

    if (copy && text.len)
        memcpy(copy, text.bytes, text.len);
    return copy;
}

static int keep_file(Found *found, Str path, Str file, uint64_t bytes, Err *err)
{
    if (found->count == LOG_PARCEL_FILES || bytes > LOG_PARCEL_BYTES - found->bytes)
        return err_set(err, ERR_LIMIT,
                       "the logs are more than %zu files or %d GiB: ask for a day of a team",
                       LOG_PARCEL_FILES, (int)(LOG_PARCEL_BYTES >> 30));
    if (found->count == found->room) {
        const size_t room = found->room ? 2 * found->room : 64;
        FoundFile *items = mem_resize(found->items, room, sizeof(*items));
        if (!items)
            return err_set(err, ERR_MEMORY, "logs: out of memory");
        found->items = items;
        found->room = room;
    }
    const FoundFile own = {copy_text(path), copy_text(file)};
    found->items[found->count++] = own;
    found->bytes += bytes;
    return own.path && own.file ? 0 : err_set(err, ERR_MEMORY, "logs: out of memory");
}

static void drop_files(Found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        mem_free(found->items[i].path);
        mem_free(found->items[i].file);
    }
    mem_free(found->items);
}

/* DIR/NAME, if there is such a file. */
static int look_for(Found *found, Str dir, Str name, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    buf_printf(&path, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    if (lstat(buf_cstr(&path), &about) || !S_ISREG(about.st_mode))
        return 0;
    return keep_file(found, name, buf_str(&path), (uint64_t)about.st_size, err);
}

/* A log, or what it is called since its game is void. */
static int look_for_log(Found *found, Str dir, Str name, Err *err)
{
    CLEANUP(buf_done) Buf aside = {0};
    const size_t before = found->count;
    int rc = look_for(found, dir, name, err);

    if (rc || found->count > before)
        return rc;
    buf_printf(&aside, "%.*s.void", STR_ARG(name));
    return look_for(found, dir, buf_str(&aside), err);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    LogParcel *parcel = user;
    CLEANUP(buf_done) Buf json = {0};
    Str log = str_of(record->log);
    size_t dot;

    if (atomic_load(&parcel->stop))
        return err_set(err, ERR_INTERRUPTED, "the server is shutting down");
    if (!log.len || !is_wanted(parcel, record))
        return 0;
    int rc = look_for_log(&parcel->found, buf_str(&parcel->journal), log, err);
    if (rc || !parcel->json.len || !str_find_last(log, '.', &dot) ||
        !str_eq(str_part(log, dot, log.len), STR(".log")))
        return rc;
    buf_printf(&json, "%.*s.json", (int)dot, log.bytes);
    return look_for_log(&parcel->found, buf_str(&parcel->json), buf_str(&json), err);
}

/* ---- the archive ---- */

static int fill_archive(const Found *found, const char *path, Err *err)
{
    CLEANUP(mem_freep) TarFile *files = mem_new(found->count * sizeof(*files));

    if (!files)
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    for (size_t i = 0; i < found->count; i++)
        files[i] = (TarFile){found->items[i].path, found->items[i].file};
    return tar_write(path, files, found->count, err);
}

/* Its name is gone when this returns. */
static int write_archive(LogParcel *parcel, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf path = {0};
    const char *parent = getenv("TMPDIR");

    buf_printf(&folder, "%s/warg-logs-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (buf_failed(&folder))
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    if (!mkdtemp(folder.bytes))
        return disk_error(err, "make the folder", buf_cstr(&folder));
    buf_printf(&path, "%s/logs.tar.gz", buf_cstr(&folder));
    int rc = buf_failed(&path) ? err_set(err, ERR_MEMORY, "logs: out of memory")
                               : fill_archive(&parcel->found, buf_cstr(&path), err);
    if (rc == 0) {
        parcel->fd = disk_open(buf_cstr(&path), O_RDONLY, 0);
        if (parcel->fd < 0)
            rc = disk_error(err, "open", buf_cstr(&path));
        (void)disk_remove(buf_cstr(&path));
    }
    (void)rmdir(buf_cstr(&folder));
    return rc;
}

static int make_parcel(LogParcel *parcel, Err *err)
{
    const JournalListener listener = {.game = on_game, .user = parcel};
    int rc = journal_read(buf_cstr(&parcel->journal), &listener, NULL, err);

    if (rc == 0 && parcel->found.count == 0)
        rc = err_set(err, ERR_USAGE, "no log of a game that is over fits that");
    return rc ? rc : write_archive(parcel, err);
}

static void *work(void *user)
{
    LogParcel *parcel = user;
    CLEANUP(buf_done) Buf letter = {0};

    make_parcel(parcel, &parcel->err);
    do {
        buf_add_char(&letter, 'r');
    } while (!mailbox_put(parcel->box, &letter) && !atomic_load(&parcel->stop));
    return NULL;
}

static void end_thread(LogParcel *parcel)
{
    if (parcel->runs)
        pthread_join(parcel->thread, NULL);
    parcel->runs = false;
}

static void on_letter(void *user, Str letter, TimeUs now)
{
    LogParcel *parcel = user;

    (void)letter;
    (void)now;
    end_thread(parcel);
    parcel->setup.ready(parcel->setup.user, parcel);
}

/* ---- life ---- */

/* Signals are for the threads that know what to do. */
static int start_thread(LogParcel *parcel, Err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    parcel->runs = pthread_create(&parcel->thread, NULL, work, parcel) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return parcel->runs ? 0 : err_set(err, ERR_MEMORY, "logs: no thread could be started");
}

int log_parcel_new(Loop *loop, const LogParcelSetup *setup, LogParcel **ret_parcel, Err *err)
{
    LogParcel *parcel = mem_new(sizeof(*parcel));

    if (!parcel)
        return err_set(err, ERR_MEMORY, "logs: out of memory");
    parcel->setup = *setup;
    parcel->fd = -1;
    buf_add(&parcel->journal, str_of(setup->journal));
    buf_add(&parcel->json, str_of(setup->json));
    buf_add(&parcel->day, setup->day);
    buf_add(&parcel->team, setup->team);
    bool failed = buf_failed(&parcel->journal) || buf_failed(&parcel->json) ||
                  buf_failed(&parcel->day) || buf_failed(&parcel->team);
    int rc = failed ? err_set(err, ERR_MEMORY, "logs: out of memory")
                    : mailbox_new(loop, on_letter, parcel, &parcel->box, err);
    if (rc == 0)
        rc = start_thread(parcel, err);
    if (rc) {
        log_parcel_free(parcel);
        return rc;
    }
    *ret_parcel = parcel;
    return 0;
}

LogParcel *log_parcel_free(LogParcel *parcel)
{
    if (!parcel)
        return NULL;
    atomic_store(&parcel->stop, true);
    end_thread(parcel);
    mailbox_free(parcel->box);
    if (parcel->fd >= 0)
        close(parcel->fd);
    drop_files(&parcel->found);
    buf_done(&parcel->journal);
    buf_done(&parcel->json);
    buf_done(&parcel->day);
    buf_done(&parcel->team);
    return mem_free(parcel);
}

int log_parcel_result(const LogParcel *parcel, int *ret_fd, Err *err)
{
    if (parcel->err.code)
        return err_set(err, parcel->err.code, "%s", parcel->err.msg);
    *ret_fd = parcel->fd;
    return 0;
}
