/* journal.c - the writing side: callers queue lines, one thread brings them to disk.
 *
 * For:    see journal.h, which says what holds on disk at every moment.
 * Memory: two batches take turns: callers fill the one that waits, the thread writes the other.
 * Thread: `mutex` guards what is marked so below; the rest belongs to the thread, or is set before
 *         it starts.
 * Source: guide: design, "Results are durable". Group commit: what comes in while the disk turns
 *         goes out together with the next turn.
 */
#ifndef _GNU_SOURCE
/* sync_file_range. NOLINTNEXTLINE(cert-dcl51-cpp): the name is glibc's */
#    define _GNU_SOURCE
#endif
#include "journal/journal_line.h"

#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEEP ((size_t)4 * 1024 * 1024) /* bytes of a buffer that stay reserved */

/* A game's log that waits to be written. */
typedef struct QueuedLog {
    char path[sizeof(((GameRecord *)0)->log)];
    size_t start; /* in the batch's logs */
    size_t bytes;
} QueuedLog;

/* What goes to disk together. */
typedef struct Batch {
    Buf lines;
    Buf faults;
    Buf logs; /* texts, one behind the other */
    QueuedLog *files;
    size_t file_count;
    size_t file_room;
    uint64_t games;
} Batch;

/* The faults of a game that is not over. */
typedef struct GameFaults {
    uint32_t stage;
    uint64_t game;
    Buf lines;
    uint32_t count;
} GameFaults;

/* A file that only grows, and how much of it is known to be on disk. */
typedef struct Appended {
    int fd;
    uint64_t bytes;
} Appended;

struct Journal {
    pthread_mutex_t mutex;
    pthread_cond_t work;  /* something waits, or the journal closes or has failed */
    pthread_cond_t space; /* the queue has become shorter */

    /* Under the mutex. */
    Batch batches[2];
    Batch *waiting;
    size_t queued_bytes; /* of both batches */
    GameFaults *faults;
    size_t faults_count;
    size_t faults_room;
    uint64_t faults_bytes; /* length of faults.jsonl once all that waits is written */
    bool closing;
    Err failed;
    void (*written)(void *user);
    void *written_user;

    _Atomic uint64_t games_written;

    /* The thread's own. */
    pthread_t thread;
    char *dir;
    Appended lines_file;
    Appended faults_file;
    char made[sizeof(((GameRecord *)0)->log)]; /* the folder of logs that was made last */
};

/* ---- files ---- */

/* Begins to bring a file to disk without waiting: many on their way together take half the time
 * of one after the other. The fsync that follows is what counts, so errors are its business. */
static void start_sync(const char *path)
{
    int fd = disk_open(path, O_RDONLY | O_NONBLOCK, 0);

    if (fd < 0)
        return;
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    close(fd);
}

/* Appends and brings to disk. After an error the file is cut back to what was on disk before. */
static int append_text(Appended *file, Str text, const char *name, Err *err)
{
    int rc = disk_write(file->fd, text) ? disk_error(err, "write", name) : 0;

    if (rc == 0 && disk_sync(file->fd) != 0)
        rc = disk_error(err, "write to disk", name);
    if (rc == 0) {
        file->bytes += text.len;
        return 0;
    }
    if (disk_cut(file->fd, (off_t)file->bytes) != 0) {
        /* A torn line stays behind the whole ones; journal_continue cuts it. */
    }
    return rc;
}

static int path_in(const Journal *journal, const char *name, Buf *ret_path, Err *err)
{
    buf_clear(ret_path);
    buf_printf(ret_path, "%s/%s", journal->dir, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "journal: out of memory") : 0;
}

/* ---- the thread: logs ---- */

/* The part of a log's path before its last slash; "" when it has none. */
static Str folder_of(const QueuedLog *log)
{
    const char *slash = strrchr(log->path, '/');

    return (Str){log->path, slash ? (size_t)(slash - log->path) : 0};
}

static int make_folder(Journal *journal, Str folder, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    if (folder.len == 0 || str_eq(folder, str_of(journal->made)))
        return 0;
    /* logs/ before logs/0 */
    size_t parent = folder.len;
    while (parent > 0 && folder.bytes[parent - 1] != '/')
        parent--;
    if (parent > 1) {
        int made = make_folder(journal, str_part(folder, 0, parent - 1), err);
        if (made)
            return made;
    }
    snprintf(journal->made, sizeof(journal->made), "%.*s", STR_ARG(folder));
    int rc = path_in(journal, journal->made, &path, err);
    if (rc)
        return rc;
    if (disk_make_folder(buf_cstr(&path), 0777) != 0)
        return errno == EEXIST ? 0 : disk_error(err, "make the folder", buf_cstr(&path));
    CLEANUP(buf_done) Buf above = {0};
    buf_printf(&above, "%s/%.*s", journal->dir, parent > 1 ? (int)parent - 1 : 0, folder.bytes);
    return buf_failed(&above) ? err_set(err, ERR_MEMORY, "journal: out of memory")
                              : disk_sync_path(buf_cstr(&above), err);
}

/* All are written first and waited for afterwards. */
static int write_logs(Journal *journal, const Batch *batch, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = 0;

    for (size_t i = 0; i < batch->file_count && rc == 0; i++) {
        const QueuedLog *log = &batch->files[i];
        rc = make_folder(journal, folder_of(log), err);
        if (rc == 0)
            rc = path_in(journal, log->path, &path, err);
        if (rc == 0)
            rc = log_file_write(buf_cstr(&path),
                                str_part(buf_str(&batch->logs), log->start, log->bytes), err);
        if (rc == 0)
            start_sync(buf_cstr(&path));
    }
    for (size_t i = 0; i < batch->file_count && rc == 0; i++) {
        rc = path_in(journal, batch->files[i].path, &path, err);
        if (rc == 0)
            rc = disk_sync_path(buf_cstr(&path), err);
    }
    /* The names, once for each stretch of logs in one folder. */
    for (size_t i = 0; i < batch->file_count && rc == 0; i++) {
        Str folder = folder_of(&batch->files[i]);
        if (i + 1 < batch->file_count && str_eq(folder, folder_of(&batch->files[i + 1])))
            continue;
        char name[sizeof(journal->made)];
        snprintf(name, sizeof(name), "%.*s", STR_ARG(folder));
        rc = path_in(journal, name, &path, err);
        if (rc == 0)
            rc = disk_sync_path(buf_cstr(&path), err);
    }
    return rc;
}

/* ---- the thread ---- */

/* What is appended to a file without a name is lost, however well it is written. */
static int check_in_place(const Journal *journal, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat own, named;
    int rc = path_in(journal, JOURNAL_FILE, &path, err);

    if (rc || fstat(journal->lines_file.fd, &own) != 0)
        return rc;
    if (stat(buf_cstr(&path), &named) == 0 && named.st_ino == own.st_ino &&
        named.st_dev == own.st_dev)
        return 0;
    return err_set(err, ERR_IO,
                   "'%s' was removed or replaced while it was written: the games after that are in "
                   "no journal; end the program, put the file back, and start again",
                   buf_cstr(&path));
}

/* The order is what makes the journal durable; see journal.h. */
static int write_batch(Journal *journal, const Batch *batch, Err *err)
{
    int rc = write_logs(journal, batch, err);

    if (rc == 0 && batch->faults.len)
        rc = append_text(&journal->faults_file, buf_str(&batch->faults), JOURNAL_FAULTS_FILE, err);
    if (rc == 0)
        rc = append_text(&journal->lines_file, buf_str(&batch->lines), JOURNAL_FILE, err);
    return rc ? rc : check_in_place(journal, err);
}

/* Empties it; what one rush has made large is given back. */
static void clear_buf(Buf *buf)
{
    if (buf->room > KEEP)
        buf_done(buf);
    else
        buf_clear(buf);
}

static void batch_clear(Batch *batch)
{
    clear_buf(&batch->lines);
    clear_buf(&batch->faults);
    clear_buf(&batch->logs);
    batch->file_count = 0;
    batch->games = 0;
}

static void batch_done(Batch *batch)
{
    buf_done(&batch->lines);
    buf_done(&batch->faults);
    buf_done(&batch->logs);
    mem_free(batch->files);
}

static size_t batch_bytes(const Batch *batch)
{
    return batch->lines.len + batch->faults.len + batch->logs.len;
}

/* The batch to write, NULL when there will be none any more. The mutex is held. */
static Batch *next_batch(Journal *journal)
{
    while (journal->waiting->lines.len == 0 && !journal->closing && !journal->failed.code)
        pthread_cond_wait(&journal->work, &journal->mutex);
    if (journal->failed.code || journal->waiting->lines.len == 0)
        return NULL;
    Batch *batch = journal->waiting;
    journal->waiting = batch == &journal->batches[0] ? &journal->batches[1] : &journal->batches[0];
    return batch;
}

/* What has become of a batch. The mutex is held. */
static void settle_batch(Journal *journal, Batch *batch, const Err *err)
{
    if (err->code && !journal->failed.code) {
        journal->failed = *err;
        err_wrap(&journal->failed, "journal in '%s': ", journal->dir);
    }
    if (!err->code)
        atomic_fetch_add(&journal->games_written, batch->games);
    journal->queued_bytes -= batch_bytes(batch);
    batch_clear(batch);
    pthread_cond_broadcast(&journal->space);
}

/* The mutex is held, but not while the callback runs. */
static void tell_error(Journal *journal)
{
    void (*written)(void *) = journal->written;
    void *user = journal->written_user;

    if (!written)
        return;
    pthread_mutex_unlock(&journal->mutex);
    written(user);
    pthread_mutex_lock(&journal->mutex);
}

static void *write_all_batches(void *argument)
{
    Journal *journal = argument;
    Batch *batch;

    pthread_mutex_lock(&journal->mutex);
    while ((batch = next_batch(journal))) {
        Err err = {0};
        bool news = batch->games > 0;
        pthread_mutex_unlock(&journal->mutex);
        write_batch(journal, batch, &err);
        pthread_mutex_lock(&journal->mutex);
        settle_batch(journal, batch, &err);
        if (news && !err.code)
            tell_error(journal);
    }
    if (journal->failed.code)
        tell_error(journal);
    pthread_mutex_unlock(&journal->mutex);
    return NULL;
}

/* ---- queueing ---- */

/* An adder's own failure, such as no memory, stops the journal as one of the disk does: what waits
 * may be incomplete. The mutex is held. */
static int stop_writer(Journal *journal, Err *err)
{
    if (!journal->failed.code)
        err_set(&journal->failed, ERR_MEMORY, "journal in '%s': out of memory", journal->dir);
    pthread_cond_signal(&journal->work);
    pthread_cond_broadcast(&journal->space);
    return err_set(err, journal->failed.code, "%s", journal->failed.msg);
}

/* Waits until there is room, or the journal has failed. The mutex is held. */
static int wait_for_space(Journal *journal, Err *err)
{
    while (journal->queued_bytes > JOURNAL_QUEUE_MAX && !journal->failed.code)
        pthread_cond_wait(&journal->space, &journal->mutex);
    if (journal->failed.code)
        return err_set(err, journal->failed.code, "%s", journal->failed.msg);
    return 0;
}

static int queue_log(Journal *journal, const char *path, Str text, Err *err)
{
    Batch *batch = journal->waiting;

    if (batch->file_count == batch->file_room) {
        size_t room = batch->file_room ? 2 * batch->file_room : 64;
        QueuedLog *files = mem_resize(batch->files, room, sizeof(*files));
        if (!files)
            return stop_writer(journal, err);
        batch->files = files;
        batch->file_room = room;
    }
    QueuedLog *log = &batch->files[batch->file_count++];
    *log = (QueuedLog){.start = batch->logs.len, .bytes = text.len};
    memcpy(log->path, path, sizeof(log->path));
    buf_add(&batch->logs, text);
    return buf_failed(&batch->logs) ? stop_writer(journal, err) : 0;
}

/* The last step of every addition: the line is whole. The mutex is held. */
static int queue_line(Journal *journal, Str line, Err *err)
{
    Batch *batch = journal->waiting;

    buf_add(&batch->lines, line);
    if (buf_failed(&batch->lines))
        return stop_writer(journal, err);
    journal->queued_bytes += line.len;
    pthread_cond_signal(&journal->work);
    return 0;
}

static int add_line(Journal *journal, Buf *line, Err *err)
{
    int rc = journal_line_seal(line, err);

    if (rc)
        return rc;
    pthread_mutex_lock(&journal->mutex);
    rc = wait_for_space(journal, err);
    if (rc == 0)
        rc = queue_line(journal, buf_str(line), err);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

int journal_add_set(Journal *journal, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                    Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_set(stage, set, count, names, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_note(Journal *journal, Str text, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    journal_line_note(text, &line);
    return add_line(journal, &line, err);
}

int journal_add_end(Journal *journal, uint64_t games, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_end(games, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

static int add_key(Journal *journal, uint32_t part, bool published, const Key *key, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_key(part, published, key, &line, err);

    return rc ? rc : add_line(journal, &line, err);
}

int journal_add_key(Journal *journal, uint32_t part, const Key *key, Err *err)
{
    return add_key(journal, part, true, key, err);
}

int journal_add_commitment(Journal *journal, uint32_t part, const Key *commitment, Err *err)
{
    return add_key(journal, part, false, commitment, err);
}

/* ---- faults ---- */

/* Those of a game; NULL when it has none. The mutex is held. */
static GameFaults *faults_of(Journal *journal, uint32_t stage, uint64_t game)
{
    for (size_t i = 0; i < journal->faults_count; i++)
        if (journal->faults[i].stage == stage && journal->faults[i].game == game)
            return &journal->faults[i];
    return NULL;
}

static GameFaults *new_faults(Journal *journal, uint32_t stage, uint64_t game)
{
    if (journal->faults_count == journal->faults_room) {
        size_t room = journal->faults_room ? 2 * journal->faults_room : 16;
        GameFaults *faults = mem_resize(journal->faults, room, sizeof(*faults));
        if (!faults)
            return NULL;
        journal->faults = faults;
        journal->faults_room = room;
    }
    GameFaults *own = &journal->faults[journal->faults_count++];
    *own = (GameFaults){.stage = stage, .game = game};
    return own;
}

/* Forgets them; the last one takes their place. */
static void drop_faults(Journal *journal, GameFaults *own)
{
    buf_done(&own->lines);
    *own = journal->faults[--journal->faults_count];
}

int journal_add_fault(Journal *journal, int64_t at_ms, uint32_t stage, uint64_t set, uint64_t game,
                      Str agent, const Fault *fault, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    journal_line_fault(at_ms, stage, set, game, agent, fault, &line);
    pthread_mutex_lock(&journal->mutex);
    int rc = wait_for_space(journal, err);
    if (rc == 0) {
        GameFaults *own = faults_of(journal, stage, game);
        if (!own)
            own = new_faults(journal, stage, game);
        if (own && own->count < JOURNAL_FAULTS_MAX) {
            buf_add(&own->lines, buf_str(&line));
            own->count++;
        }
        if (!own || buf_failed(&line) || buf_failed(&own->lines))
            rc = stop_writer(journal, err);
    }
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

/* ---- games ---- */

static bool writes_log(const GameRecord *record, Str log)
{
    return record->log[0] && log.bytes;
}

/* The mutex is held. Either all of the game is queued or, after an error, nothing or the journal
 * has stopped. */
static int queue_game(Journal *journal, const GameRecord *record, Str log, Buf *line, Err *err)
{
    Batch *batch = journal->waiting;
    GameFaults *own = faults_of(journal, record->stage, record->game);
    size_t faults = own ? own->lines.len : 0;

    journal_line_faults_bytes(line, journal->faults_bytes + faults);
    int rc = journal_line_seal(line, err);
    if (rc == 0 && writes_log(record, log))
        rc = queue_log(journal, record->log, log, err);
    if (rc)
        return rc;
    if (own) {
        buf_add(&batch->faults, buf_str(&own->lines));
        drop_faults(journal, own);
        journal->faults_bytes += faults;
        if (buf_failed(&batch->faults))
            return stop_writer(journal, err);
    }
    batch->games++;
    journal->queued_bytes += faults + (writes_log(record, log) ? log.len : 0);
    return queue_line(journal, buf_str(line), err);
}

int journal_add_game(Journal *journal, const GameRecord *record, Str log, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    int rc = journal_line_game(record, &line, err);

    if (rc)
        return rc;
    pthread_mutex_lock(&journal->mutex);
    rc = wait_for_space(journal, err);
    if (rc == 0)
        rc = queue_game(journal, record, log, &line, err);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

uint64_t journal_games_written(const Journal *journal)
{
    return atomic_load(&journal->games_written);
}

int journal_failed(Journal *journal, Err *err)
{
    pthread_mutex_lock(&journal->mutex);
    int rc = journal->failed.code;
    if (rc)
        rc = err_set(err, (ErrCode)rc, "%s", journal->failed.msg);
    pthread_mutex_unlock(&journal->mutex);
    return rc;
}

void journal_on_written(Journal *journal, void (*written)(void *user), void *user)
{
    pthread_mutex_lock(&journal->mutex);
    journal->written = written;
    journal->written_user = user;
    pthread_mutex_unlock(&journal->mutex);
}

/* ---- opening and closing ---- */

static Journal *journal_free(Journal *journal)
{
    if (!journal)
        return NULL;
    if (journal->lines_file.fd >= 0)
        close(journal->lines_file.fd); /* gives the lock back, too */
    if (journal->faults_file.fd >= 0)
        close(journal->faults_file.fd);
    batch_done(&journal->batches[0]);
    batch_done(&journal->batches[1]);
    for (size_t i = 0; i < journal->faults_count; i++)
        buf_done(&journal->faults[i].lines);
    mem_free(journal->faults);
    mem_free(journal->dir);
    pthread_cond_destroy(&journal->work);
    pthread_cond_destroy(&journal->space);
    pthread_mutex_destroy(&journal->mutex);
    return mem_free(journal);
}

static void journal_freep(Journal **journal)
{
    *journal = journal_free(*journal);
}

static Journal *journal_new(const char *dir)
{
    size_t bytes = strlen(dir) + 1;
    Journal *journal = mem_new(sizeof(*journal));

    if (!journal)
        return NULL;
    journal->lines_file.fd = journal->faults_file.fd = -1;
    journal->waiting = &journal->batches[0];
    pthread_mutex_init(&journal->mutex, NULL);
    pthread_cond_init(&journal->work, NULL);
    pthread_cond_init(&journal->space, NULL);
    journal->dir = mem_new(bytes);
    if (!journal->dir)
        return journal_free(journal);
    memcpy(journal->dir, dir, bytes);
    return journal;
}

/* A process that was killed while it started another leaves the lock to that one until its exec: so
 * one waits a moment. */
static int lock_file(int fd)
{
    const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    int rc = flock(fd, LOCK_EX | LOCK_NB);

    for (int tries = 25; rc && errno == EWOULDBLOCK && tries > 0; tries--) {
        nanosleep(&pause, NULL);
        rc = flock(fd, LOCK_EX | LOCK_NB);
    }
    return rc;
}

/* Opens to append. No link is followed, which may lead out of the folder, and nothing but a file is
 * taken: a FIFO would wait for ever. -1 with errno: ELOOP for both. */
static int open_own(const char *path, int more_flags)
{
    struct stat about;
    int fd = disk_open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | more_flags, 0666);

    if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(fd);
        errno = ELOOP;
        return -1;
    }
    return fd;
}

static int open_error(Err *err, const char *path)
{
    if (errno == ELOOP)
        return err_set(err, ERR_IO,
                       "'%s' is a link or a FIFO; expected a file in the folder itself", path);
    return disk_error(err, "open", path);
}

/* Opens DIR/journal.jsonl and locks it. */
static int open_lines(Journal *journal, int more_flags, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_in(journal, JOURNAL_FILE, &path, err);

    if (rc)
        return rc;
    int fd = open_own(buf_cstr(&path), more_flags);
    if (fd < 0 && errno == ENOENT && !(more_flags & O_CREAT))
        return err_set(err, ERR_USAGE, "'%s' holds no journal to go on with", journal->dir);
    if (fd < 0)
        return open_error(err, buf_cstr(&path));
    journal->lines_file.fd = fd;
    if (lock_file(fd) == 0)
        return 0;
    if (errno == EWOULDBLOCK)
        return err_set(err, ERR_USAGE, "the journal in '%s' is being written by another process",
                       journal->dir);
    return disk_error(err, "lock journal", buf_cstr(&path));
}

/* Opens DIR/faults.jsonl, made when it is not there, and says how long it is. */
static int open_faults(Journal *journal, uint64_t *ret_bytes, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;
    int rc = path_in(journal, JOURNAL_FAULTS_FILE, &path, err);

    if (rc)
        return rc;
    int fd = open_own(buf_cstr(&path), O_CREAT);
    if (fd < 0)
        return open_error(err, buf_cstr(&path));
    journal->faults_file.fd = fd;
    if (fstat(fd, &about) != 0)
        return disk_error(err, "open", buf_cstr(&path));
    *ret_bytes = (uint64_t)about.st_size;
    return 0;
}

/* Cuts a file to `bytes` and brings that to disk. */
static int cut_file(Appended *file, uint64_t bytes, const char *name, Err *err)
{
    file->bytes = bytes;
    if (disk_cut(file->fd, (off_t)bytes) != 0 || disk_sync(file->fd) != 0)
        return disk_error(err, "cut", name);
    return 0;
}

/* The thread takes no signals: they are for the threads that know what to do. */
static int start_writer(Journal *journal, Err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&journal->thread, NULL, write_all_batches, journal);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc ? err_set(err, ERR_MEMORY, "journal: no thread could be started") : 0;
}

/* How many folders of this path are not there: the last ones. */
static unsigned missing_folders(Str path)
{
    CLEANUP(buf_done) Buf part = {0};
    unsigned count = 0;

    while (path.len) {
        buf_clear(&part);
        buf_add(&part, path);
        if (access(buf_cstr(&part), F_OK) == 0)
            break;
        count++;
        while (path.len && path.bytes[path.len - 1] == '/')
            path.len--;
        while (path.len && path.bytes[path.len - 1] != '/')
            path.len--;
    }
    return count;
}

/* Makes the folder when it is not there, and those above it; their names are on disk then, too. */
static int make_dir(const Journal *journal, Err *err)
{
    CLEANUP(buf_done) Buf above = {0};
    unsigned missing = missing_folders(str_of(journal->dir));

    if (missing == 0)
        return 0; /* what is no folder is found out when files are made in it */
    int rc = folder_make(str_of(journal->dir), err);
    buf_add(&above, str_of(journal->dir));
    for (; missing && rc == 0; missing--) {
        buf_add(&above, STR("/.."));
        rc = buf_failed(&above) ? err_set(err, ERR_MEMORY, "journal: out of memory")
                                : disk_sync_path(buf_cstr(&above), err);
    }
    return rc;
}

static int stop_reading(void *user, Str line, unsigned number, Err *err)
{
    (void)user;
    (void)line;
    return err_set_at(err, ERR_RULE, number, 0, "there is a line");
}

/* What journal_begin may take the place of: a process that was killed while it wrote the plan
 * leaves no whole line. */
static bool has_line(int fd)
{
    return journal_lines_of(fd, stop_reading, NULL, NULL, NULL) != 0;
}

int journal_find(const char *dir, bool *ret_there, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    buf_printf(&path, "%s/%s", dir, JOURNAL_FILE);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    int fd = disk_open(buf_cstr(&path), O_RDONLY | O_NONBLOCK, 0);
    if (fd < 0 && errno != ENOENT && errno != ENOTDIR) /* the latter: `dir` is a file */
        return disk_error(err, "open", buf_cstr(&path));
    /* Who reads what is no file is told so. */
    *ret_there = fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || has_line(fd));
    if (fd >= 0)
        close(fd);
    return 0;
}

bool journal_exists(const char *dir)
{
    bool there = true;

    return journal_find(dir, &there, NULL) != 0 || there;
}

static int check_fresh(Journal *journal, Err *err)
{
    uint64_t faults = 0;

    if (has_line(journal->lines_file.fd))
        return err_set(err, ERR_USAGE, "'%s' holds a journal already; --resume goes on with it",
                       journal->dir);
    int rc = open_faults(journal, &faults, err);
    if (rc == 0 && faults > 0)
        rc = err_set(err, ERR_USAGE, "'%s' holds faults of other games; give a new folder",
                     journal->dir);
    return rc;
}

int journal_begin(const char *dir, Str plan, Journal **ret_journal, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(journal_freep) Journal *journal = journal_new(dir);
    int rc = journal ? journal_line_plan(plan, &line, err)
                     : err_set(err, ERR_MEMORY, "journal: out of memory");

    if (rc == 0)
        rc = journal_line_seal(&line, err);
    if (rc)
        return rc;
    rc = make_dir(journal, err);
    if (rc == 0)
        rc = open_lines(journal, O_CREAT, err);
    if (rc == 0)
        rc = check_fresh(journal, err);
    if (rc == 0)
        rc = cut_file(&journal->lines_file, 0, JOURNAL_FILE, err);
    if (rc == 0)
        rc = append_text(&journal->lines_file, buf_str(&line), JOURNAL_FILE, err);
    if (rc == 0)
        rc = disk_sync_path(dir, err);
    if (rc == 0)
        rc = start_writer(journal, err);
    if (rc)
        return rc;
    *ret_journal = TAKE(journal);
    return 0;
}

/* Hears a line that was written before: only as much of it as is needed to go on. */
static int hear_old_line(void *user, Str line, unsigned number, Err *err)
{
    Journal *journal = user;

    if (!journal_line_intact(line))
        return err_set_at(err, ERR_SYNTAX, number, 0, "the line is damaged: its CRC is another");
    journal_line_get_faults_bytes(line, &journal->faults_bytes);
    return 0;
}

static int cut_faults(Journal *journal, Err *err)
{
    uint64_t bytes = 0;
    int rc = open_faults(journal, &bytes, err);

    if (rc == 0 && bytes < journal->faults_bytes)
        rc = err_set(err, ERR_SYNTAX, "%s has %llu bytes; the journal says %llu",
                     JOURNAL_FAULTS_FILE, (unsigned long long)bytes,
                     (unsigned long long)journal->faults_bytes);
    return rc ? rc
              : cut_file(&journal->faults_file, journal->faults_bytes, JOURNAL_FAULTS_FILE, err);
}

int journal_continue(const char *dir, Journal **ret_journal, Err *err)
{
    CLEANUP(journal_freep) Journal *journal = journal_new(dir);
    JournalEnd end = {0};
    Err own = {0};

    if (!journal)
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    int rc = open_lines(journal, 0, err);
    if (rc)
        return rc;
    rc = journal_lines_of(journal->lines_file.fd, hear_old_line, journal, &end, &own);
    if (rc == 0 && end.lines == 0)
        rc = err_set(&own, ERR_USAGE, "it holds nothing to go on with");
    if (rc == 0)
        rc = cut_file(&journal->lines_file, end.bytes, JOURNAL_FILE, &own);
    if (rc == 0)
        rc = cut_faults(journal, &own);
    if (rc == 0)
        rc = disk_sync_path(dir, &own);
    if (rc == 0)
        rc = start_writer(journal, &own);
    if (rc) {
        err_wrap(&own, "journal in '%s': ", dir);
        return err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg);
    }
    *ret_journal = TAKE(journal);
    return 0;
}

int journal_wait(Journal *journal, Err *err)
{
    pthread_mutex_lock(&journal->mutex);
    while (journal->queued_bytes > 0 && !journal->failed.code)
        pthread_cond_wait(&journal->space, &journal->mutex);
    pthread_mutex_unlock(&journal->mutex);
    return journal_failed(journal, err);
}

int journal_close(Journal *journal, Err *err)
{
    if (!journal)
        return 0;
    pthread_mutex_lock(&journal->mutex);
    journal->closing = true;
    pthread_cond_signal(&journal->work);
    pthread_mutex_unlock(&journal->mutex);
    pthread_join(journal->thread, NULL);
    int rc = journal_failed(journal, err);
    journal_free(journal);
    return rc;
}
