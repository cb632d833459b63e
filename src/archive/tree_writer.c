#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* O_PATH */
#endif
#include "archive/tree_writer.h"

#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIME_1980 315532800

/* ---- writing ---- */

typedef struct Writer {
    int folder; /* that is filled */
    int file;   /* the one that is written; -1 = none */
    Buf path;   /* of it */
} Writer;

static int write_error(const Writer *writer, const char *what, Err *err)
{
    return disk_error(err, what, buf_cstr(&writer->path));
}

static int set_path(Writer *writer, Str path, Err *err)
{
    buf_clear(&writer->path);
    buf_add(&writer->path, path);
    return buf_failed(&writer->path) ? err_set(err, ERR_MEMORY, "archive: out of memory") : 0;
}

/* One folder, whose parent is there. */
static int make_folder(Writer *writer, Str path, Err *err)
{
    size_t slash = 0;
    int above = writer->folder;
    const bool deep = str_find_last(path, '/', &slash);
    int rc = set_path(writer, deep ? str_part(path, 0, slash) : path, err);

    if (rc)
        return rc;
    if (deep)
        above = disk_open_beneath(writer->folder, buf_cstr(&writer->path), O_PATH | O_DIRECTORY, 0);
    if (above < 0)
        return write_error(writer, "open the folder", err);
    rc = set_path(writer, deep ? str_part(path, slash + 1, path.len) : path, err);
    if (rc == 0 && disk_make_folder_in(above, buf_cstr(&writer->path), 0755) && errno != EEXIST)
        rc = write_error(writer, "make the folder", err);
    if (deep)
        close(above);
    return rc;
}

/* Those above `path`, from the top on. */
static int make_folders_above(Writer *writer, Str path, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < path.len && rc == 0; i++)
        if (path.bytes[i] == '/')
            rc = make_folder(writer, str_part(path, 0, i), err);
    return rc;
}

static int on_folder(void *user, Str path, Err *err)
{
    Writer *writer = user;
    int rc = make_folders_above(writer, path, err);

    return rc ? rc : make_folder(writer, path, err);
}

static int on_file(void *user, Str path, bool may_run, Err *err)
{
    Writer *writer = user;
    int rc = make_folders_above(writer, path, err);

    if (rc == 0)
        rc = set_path(writer, path, err);
    if (rc)
        return rc;
    writer->file =
        disk_open_beneath(writer->folder, buf_cstr(&writer->path),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, may_run ? 0555 : 0444);
    return writer->file < 0 ? write_error(writer, "make the file", err) : 0;
}

static int on_bytes(void *user, Str piece, Err *err)
{
    const Writer *writer = user;

    return disk_write(writer->file, piece) ? write_error(writer, "write", err) : 0;
}

static int close_file(Writer *writer)
{
    const int file = writer->file;

    writer->file = -1;
    return file < 0 ? 0 : disk_close(file);
}

static int on_end(void *user, Err *err)
{
    Writer *writer = user;

    return close_file(writer) ? write_error(writer, "write", err) : 0;
}

int tree_unpack_fd(int archive, const char *folder, const ArchiveLimits *limits,
                   ArchiveReport *ret_report, Err *err)
{
    Writer writer = {.file = -1};
    const ArchiveEars ears = {on_folder, on_file, on_bytes, on_end, &writer};

    writer.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (writer.folder < 0)
        return disk_error(err, "open the folder", folder);
    int rc = archive_reader_run_fd(archive, limits, &ears, ret_report, err);
    (void)close_file(&writer);
    buf_done(&writer.path);
    close(writer.folder);
    return rc;
}

int tree_unpack(const char *archive, const char *folder, const ArchiveLimits *limits,
                ArchiveReport *ret_report, Err *err)
{
    int fd = -1;
    int rc = regular_file_open(archive, &fd, err);

    if (rc)
        return rc;
    rc = tree_unpack_fd(fd, folder, limits, ret_report, err);
    close(fd);
    return rc;
}

/* ---- looking once more ---- */

typedef struct Settling {
    const ArchiveLimits *limits;
    ArchiveReport *report;
    uint64_t entries;
    Buf path; /* from the top on */
} Settling;

static int settle_folder(Settling *settling, int folder, Err *err);

static int settle_file(Settling *settling, int fd, const struct stat *info, Err *err)
{
    char number[REMARK_NUMBER];

    settling->report->files++;
    settling->report->bytes += (uint64_t)info->st_size;
    if (settling->report->bytes > settling->limits->bytes)
        return remark_set(err, ERR_LIMIT, REMARK_BYTES,
                          remark_number(settling->limits->bytes, number));
    if (info->st_nlink != 1)
        return remark_set(err, ERR_RULE, REMARK_LINK, buf_str(&settling->path));
    if (disk_set_mode(fd, info->st_mode & 0111 ? 0555 : 0444) || disk_set_time(fd, TIME_1980))
        return disk_error(err, "settle", buf_cstr(&settling->path));
    return 0;
}

/* What this is, by its own descriptor. */
/* NOLINTNEXTLINE(misc-no-recursion): ARCHIVE_DEPTH deep */
static int settle_opened(Settling *settling, int fd, Err *err)
{
    struct stat info;

    if (fstat(fd, &info) || (info.st_uid != geteuid() && disk_set_owner(fd, geteuid(), getegid())))
        return disk_error(err, "look at", buf_cstr(&settling->path));
    if (S_ISREG(info.st_mode))
        return settle_file(settling, fd, &info, err);
    if (!S_ISDIR(info.st_mode))
        return remark_set(err, ERR_RULE, REMARK_NO_FILE, buf_str(&settling->path));
    int rc = settle_folder(settling, fd, err);
    if (rc == 0 && (disk_set_mode(fd, 0755) || disk_set_time(fd, TIME_1980)))
        rc = disk_error(err, "settle", buf_cstr(&settling->path));
    return rc;
}

/* NOLINTNEXTLINE(misc-no-recursion): ARCHIVE_DEPTH deep */
static int settle_entry(Settling *settling, int folder, const char *name, Err *err)
{
    const size_t before = settling->path.len;
    char number[REMARK_NUMBER];

    if (++settling->entries > settling->limits->entries)
        return remark_set(err, ERR_LIMIT, REMARK_ENTRIES,
                          remark_number(settling->limits->entries, number));
    buf_printf(&settling->path, "%s%s", before ? "/" : "", name);
    int rc = buf_failed(&settling->path) ? err_set(err, ERR_MEMORY, "archive: out of memory")
                                         : archive_name_judge(buf_str(&settling->path), err);
    if (rc == 0 && archive_name_is_cache(buf_str(&settling->path)))
        rc = remark_set(err, ERR_RULE, REMARK_CACHE, buf_str(&settling->path));
    if (rc)
        return rc;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return disk_error(err, "open", buf_cstr(&settling->path));
    rc = settle_opened(settling, fd, err);
    close(fd);
    buf_cut(&settling->path, before);
    return rc;
}

/* NOLINTNEXTLINE(misc-no-recursion): ARCHIVE_DEPTH deep */
static int settle_folder(Settling *settling, int folder, Err *err)
{
    int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = listed < 0 ? NULL : fdopendir(listed);
    const struct dirent *entry;
    int rc = 0;

    if (!list) {
        if (listed >= 0)
            close(listed);
        return disk_error(err, "list the folder", buf_cstr(&settling->path));
    }
    while (rc == 0 && (entry = readdir(list)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rc = settle_entry(settling, folder, entry->d_name, err);
    closedir(list);
    return rc;
}

int tree_settle(const char *folder, const ArchiveLimits *limits, ArchiveReport *ret_report,
                Err *err)
{
    Settling settling = {.limits = limits, .report = ret_report};
    int top = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (top < 0)
        return disk_error(err, "open the folder", folder);
    archive_report_done(ret_report);
    int rc = settle_folder(&settling, top, err);
    if (rc == 0 && (disk_set_mode(top, 0755) || disk_set_time(top, TIME_1980)))
        rc = disk_error(err, "settle", folder);
    buf_done(&settling.path);
    close(top);
    return rc;
}
