/* journal_files.c - a journal's files: opened, locked and cut to what counts, then only appended
 * to.
 *
 * For:    see journal_files.h.
 * Memory: see journal_files.h.
 * Thread: see journal_files.h.
 * Source: journal/journal.h, "What is on disk when the process or the machine dies at any moment".
 */
#ifndef _GNU_SOURCE
/* sync_file_range. NOLINTNEXTLINE(cert-dcl51-cpp): the name is glibc's */
#    define _GNU_SOURCE
#endif
#include "journal/journal_files.h"

#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "journal/journal_line.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- writing ---- */

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
static int append_text(JournalFile *file, Str text, const char *name, Err *err)
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

static int path_in(const JournalFiles *files, const char *name, Buf *ret_path, Err *err)
{
    buf_clear(ret_path);
    buf_printf(ret_path, "%s/%s", files->dir, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "journal: out of memory") : 0;
}

/* ---- logs ---- */

/* The part of a log's path before its last slash; "" when it has none. */
static Str folder_of(const JournalLog *log)
{
    const char *slash = strrchr(log->path, '/');

    return (Str){log->path, slash ? (size_t)(slash - log->path) : 0};
}

static int make_folder(JournalFiles *files, Str folder, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    if (folder.len == 0 || str_eq(folder, str_of(files->made)))
        return 0;
    /* logs/ before logs/0 */
    size_t parent = folder.len;
    while (parent > 0 && folder.bytes[parent - 1] != '/')
        parent--;
    if (parent > 1) {
        int made = make_folder(files, str_part(folder, 0, parent - 1), err);
        if (made)
            return made;
    }
    snprintf(files->made, sizeof(files->made), "%.*s", STR_ARG(folder));
    int rc = path_in(files, files->made, &path, err);
    if (rc)
        return rc;
    if (disk_make_folder(buf_cstr(&path), 0777) != 0)
        return errno == EEXIST ? 0 : disk_error(err, "make the folder", buf_cstr(&path));
    CLEANUP(buf_done) Buf above = {0};
    buf_printf(&above, "%s/%.*s", files->dir, parent > 1 ? (int)parent - 1 : 0, folder.bytes);
    return buf_failed(&above) ? err_set(err, ERR_MEMORY, "journal: out of memory")
                              : disk_sync_path(buf_cstr(&above), err);
}

/* Whether a later log is in the same folder: most often the next but one. */
static bool comes_again(const JournalBatch *batch, size_t index)
{
    const Str folder = folder_of(&batch->logs[index]);

    for (size_t i = index + 1; i < batch->log_count; i++)
        if (str_eq(folder, folder_of(&batch->logs[i])))
            return true;
    return false;
}

/* All are written first and waited for afterwards. */
static int write_logs(JournalFiles *files, const JournalBatch *batch, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = 0;

    for (size_t i = 0; i < batch->log_count && rc == 0; i++) {
        const JournalLog *log = &batch->logs[i];
        rc = make_folder(files, folder_of(log), err);
        if (rc == 0)
            rc = path_in(files, log->path, &path, err);
        if (rc == 0)
            rc = (log->quick ? log_file_write_quick : log_file_write)(
                buf_cstr(&path), str_part(buf_str(&batch->texts), log->start, log->bytes), err);
        if (rc == 0)
            start_sync(buf_cstr(&path));
    }
    for (size_t i = 0; i < batch->log_count && rc == 0; i++) {
        rc = path_in(files, batch->logs[i].path, &path, err);
        if (rc == 0)
            rc = disk_sync_path(buf_cstr(&path), err);
    }
    /* The names, once for each folder. */
    for (size_t i = 0; i < batch->log_count && rc == 0; i++) {
        Str folder = folder_of(&batch->logs[i]);
        if (comes_again(batch, i))
            continue;
        char name[sizeof(files->made)];
        snprintf(name, sizeof(name), "%.*s", STR_ARG(folder));
        rc = path_in(files, name, &path, err);
        if (rc == 0)
            rc = disk_sync_path(buf_cstr(&path), err);
    }
    return rc;
}

/* ---- opening ---- */

int journal_files_init(JournalFiles *files, const char *dir, Err *err)
{
    size_t bytes = strlen(dir) + 1;

    *files =
        (JournalFiles){.lines.fd = -1, .faults.fd = -1, .findings.fd = -1, .dir = mem_new(bytes)};
    if (!files->dir)
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    memcpy(files->dir, dir, bytes);
    return 0;
}

void journal_files_done(JournalFiles *files)
{
    if (files->lines.fd >= 0)
        close(files->lines.fd); /* gives the lock back, too */
    if (files->faults.fd >= 0)
        close(files->faults.fd);
    if (files->findings.fd >= 0)
        close(files->findings.fd);
    mem_free(files->dir);
}

#define LOCK_TRIES    150
#define LOCK_PAUSE_NS (20 * 1000 * 1000)

/* A process that was killed keeps the lock until it is gone, or until the exec of one that it was
 * starting; on a machine with much to do that takes a second or two. So one waits three. */
static int lock_file(int fd)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
    int rc = flock(fd, LOCK_EX | LOCK_NB);

    for (int tries = LOCK_TRIES; rc && errno == EWOULDBLOCK && tries > 0; tries--) {
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
static int open_lines(JournalFiles *files, int more_flags, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_in(files, JOURNAL_FILE, &path, err);

    if (rc)
        return rc;
    int fd = open_own(buf_cstr(&path), more_flags);
    if (fd < 0 && errno == ENOENT && !(more_flags & O_CREAT))
        return err_set(err, ERR_USAGE, "'%s' holds no journal to go on with", files->dir);
    if (fd < 0)
        return open_error(err, buf_cstr(&path));
    files->lines.fd = fd;
    if (lock_file(fd) == 0)
        return 0;
    if (errno == EWOULDBLOCK)
        return err_set(err, ERR_USAGE, "the journal in '%s' is being written by another process",
                       files->dir);
    return disk_error(err, "lock journal", buf_cstr(&path));
}

/* Opens one of the files beside the journal and says how long it is. */
static int open_beside(JournalFiles *files, const char *name, JournalFile *file, int more_flags,
                       uint64_t *ret_bytes, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;
    int rc = path_in(files, name, &path, err);

    if (rc)
        return rc;
    int fd = open_own(buf_cstr(&path), more_flags);
    if (fd < 0)
        return open_error(err, buf_cstr(&path));
    file->fd = fd;
    if (fstat(fd, &about) != 0)
        return disk_error(err, "open", buf_cstr(&path));
    *ret_bytes = (uint64_t)about.st_size;
    return 0;
}

/* Opens DIR/faults.jsonl, made when it is not there, and says how long it is. */
static int open_faults(JournalFiles *files, uint64_t *ret_bytes, Err *err)
{
    return open_beside(files, JOURNAL_FAULTS_FILE, &files->faults, O_CREAT, ret_bytes, err);
}

/* The same of DIR/findings.jsonl. Where no program has done anything it is not made: then it has
 * no bytes and stays closed. */
static int open_findings(JournalFiles *files, int more_flags, uint64_t *ret_bytes, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_in(files, FINDINGS_FILE, &path, err);

    *ret_bytes = 0;
    if (rc || (!(more_flags & O_CREAT) && access(buf_cstr(&path), F_OK) != 0 && errno == ENOENT))
        return rc;
    return open_beside(files, FINDINGS_FILE, &files->findings, more_flags, ret_bytes, err);
}

/* Cuts a file to `bytes` and brings that to disk. */
static int cut_file(JournalFile *file, uint64_t bytes, const char *name, Err *err)
{
    file->bytes = bytes;
    if (disk_cut(file->fd, (off_t)bytes) != 0 || disk_sync(file->fd) != 0)
        return disk_error(err, "cut", name);
    return 0;
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
static int make_dir(const JournalFiles *files, Err *err)
{
    CLEANUP(buf_done) Buf above = {0};
    unsigned missing = missing_folders(str_of(files->dir));

    if (missing == 0)
        return 0; /* what is no folder is found out when files are made in it */
    int rc = folder_make(str_of(files->dir), err);
    buf_add(&above, str_of(files->dir));
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

static int check_fresh(JournalFiles *files, Err *err)
{
    uint64_t faults = 0, findings = 0;

    if (has_line(files->lines.fd))
        return err_set(err, ERR_USAGE, "'%s' holds a journal already; --resume goes on with it",
                       files->dir);
    int rc = open_faults(files, &faults, err);
    if (rc == 0 && faults > 0)
        rc = err_set(err, ERR_USAGE, "'%s' holds faults of other games; give a new folder",
                     files->dir);
    if (rc == 0)
        rc = open_findings(files, 0, &findings, err);
    if (rc == 0 && findings > 0)
        rc = err_set(err, ERR_USAGE, "'%s' holds findings of other games; give a new folder",
                     files->dir);
    return rc;
}

int journal_files_begin(JournalFiles *files, Str plan_line, Err *err)
{
    int rc = make_dir(files, err);

    if (rc == 0)
        rc = open_lines(files, O_CREAT, err);
    if (rc == 0)
        rc = check_fresh(files, err);
    if (rc == 0)
        rc = cut_file(&files->lines, 0, JOURNAL_FILE, err);
    if (rc == 0)
        rc = append_text(&files->lines, plan_line, JOURNAL_FILE, err);
    return rc ? rc : disk_sync_path(files->dir, err);
}

/* Hears a line that was written before: only as much of it as is needed to go on. */
static int hear_old_line(void *user, Str line, unsigned number, Err *err)
{
    if (!journal_line_intact(line))
        return err_set_at(err, ERR_SYNTAX, number, 0, "the line is damaged: its CRC is another");
    journal_line_get_lengths(line, user);
    return 0;
}

/* To where reading goes on. */
static int seek_place(const JournalFiles *files, const JournalPlace *place, Err *err)
{
    struct stat about;

    if (fstat(files->lines.fd, &about) != 0 ||
        lseek(files->lines.fd, (off_t)place->bytes, SEEK_SET) < 0)
        return err_set(err, ERR_IO, "%s", strerror(errno));
    if ((uint64_t)about.st_size < place->bytes)
        return err_set(err, ERR_SYNTAX, "it is shorter than it was: %llu bytes were read before",
                       (unsigned long long)place->bytes);
    return 0;
}

/* To what the journal says. */
static int cut_beside(JournalFile *file, uint64_t bytes, uint64_t to_bytes, const char *name,
                      Err *err)
{
    if (bytes < to_bytes)
        return err_set(err, ERR_SYNTAX, "%s has %llu bytes; the journal says %llu", name,
                       (unsigned long long)bytes, (unsigned long long)to_bytes);
    return file->fd >= 0 ? cut_file(file, to_bytes, name, err) : 0;
}

static int cut_files(JournalFiles *files, const JournalLengths *to, Err *err)
{
    uint64_t bytes = 0;
    int rc = open_faults(files, &bytes, err);

    if (rc == 0)
        rc = cut_beside(&files->faults, bytes, to->faults, JOURNAL_FAULTS_FILE, err);
    if (rc == 0)
        rc = open_findings(files, 0, &bytes, err);
    return rc ? rc : cut_beside(&files->findings, bytes, to->findings, FINDINGS_FILE, err);
}

int journal_files_continue(JournalFiles *files, const JournalPlace *place,
                           JournalLengths *ret_lengths, Err *err)
{
    JournalEnd end = {0};
    JournalLengths lengths = place->beside;
    Err own = {0};
    int rc = open_lines(files, 0, err);

    if (rc)
        return rc;
    rc = seek_place(files, place, &own);
    if (rc == 0)
        rc = journal_lines_of(files->lines.fd, hear_old_line, &lengths, &end, &own);
    if (rc == 0 && place->lines + end.lines == 0)
        rc = err_set(&own, ERR_USAGE, "it holds nothing to go on with");
    if (rc == 0)
        rc = cut_file(&files->lines, place->bytes + end.bytes, JOURNAL_FILE, &own);
    if (rc == 0)
        rc = cut_files(files, &lengths, &own);
    if (rc == 0)
        rc = disk_sync_path(files->dir, &own);
    if (rc) {
        err_wrap(&own, "journal in '%s': ", files->dir);
        return err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg);
    }
    *ret_lengths = lengths;
    return 0;
}

int journal_files_hash_findings(const JournalFiles *files, uint64_t from, Sha256 *hash, Err *err)
{
    const size_t room = (size_t)64 * 1024;
    CLEANUP(mem_freep) char *bytes = mem_new(room);

    if (!bytes)
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    while (from < files->findings.bytes) {
        const ssize_t n = pread(files->findings.fd, bytes, room, (off_t)from);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_set(err, ERR_IO, "read " FINDINGS_FILE ": %s",
                           n ? strerror(errno) : "it became shorter");
        sha256_add(hash, (Str){bytes, (size_t)n});
        from += (uint64_t)n;
    }
    return 0;
}

/* ---- a batch ---- */

/* What is appended to a file without a name is lost, however well it is written. */
static int check_in_place(const JournalFiles *files, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat own, named;
    int rc = path_in(files, JOURNAL_FILE, &path, err);

    if (rc || fstat(files->lines.fd, &own) != 0)
        return rc;
    if (stat(buf_cstr(&path), &named) == 0 && named.st_ino == own.st_ino &&
        named.st_dev == own.st_dev)
        return 0;
    return err_set(err, ERR_IO,
                   "'%s' was removed or replaced while it was written: the games after that are in "
                   "no journal; end the program, put the file back, and start again",
                   buf_cstr(&path));
}

/* The file is made with its first line. */
static int append_findings(JournalFiles *files, Str text, Err *err)
{
    uint64_t bytes = 0;
    int rc = 0;

    if (files->findings.fd < 0) {
        rc = open_findings(files, O_CREAT, &bytes, err);
        files->findings.bytes = bytes;
        if (rc == 0)
            rc = disk_sync_path(files->dir, err);
    }
    return rc ? rc : append_text(&files->findings, text, FINDINGS_FILE, err);
}

/* The order is what makes the journal durable; see journal.h. */
int journal_files_write(JournalFiles *files, const JournalBatch *batch, Err *err)
{
    int rc = write_logs(files, batch, err);

    if (rc == 0 && batch->faults.len)
        rc = append_text(&files->faults, buf_str(&batch->faults), JOURNAL_FAULTS_FILE, err);
    if (rc == 0 && batch->findings.len)
        rc = append_findings(files, buf_str(&batch->findings), err);
    if (rc == 0)
        rc = append_text(&files->lines, buf_str(&batch->lines), JOURNAL_FILE, err);
    return rc ? rc : check_in_place(files, err);
}
