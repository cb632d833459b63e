#include "archive/tar_writer.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "disk/disk_call.h"
#include "disk/regular_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIME_1980   315532800
#define PIECE_BYTES ((size_t)64 * 1024)

/* ---- paths ---- */

bool archive_path_is_good(Str path)
{
    if (path.len == 0 || path.bytes[path.len - 1] == '/' || !utf8_valid(path))
        return false;
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.bytes[i] < 0x20 || path.bytes[i] == 0x7f || path.bytes[i] == '\\')
            return false;
    while (path.len) {
        Str part = str_cut(&path, '/');
        if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    const TarFile *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static int check_paths(TarFile *files, size_t count, Err *err)
{
    for (size_t i = 0; i < count; i++)
        if (!archive_path_is_good(str_of(files[i].path)))
            return err_set(err, ERR_RULE, "'%.200s' can't be a path in an archive", files[i].path);
    if (count)
        qsort(files, count, sizeof(*files), compare_paths);
    for (size_t i = 1; i < count; i++)
        if (strcmp(files[i - 1].path, files[i].path) == 0)
            return err_set(err, ERR_RULE, "'%.200s' is there twice", files[i].path);
    return 0;
}

/* ---- writing ---- */

static int tar_error(struct archive *tar, const char *path, Err *err)
{
    const char *why = archive_error_string(tar);

    return err_set(err, ERR_IO, "write '%s': %s", path, why ? why : "libarchive refused");
}

static la_ssize_t write_piece(struct archive *tar, void *user, const void *bytes, size_t n)
{
    const int *fd = user;

    if (disk_write(*fd, (Str){bytes, n}) == 0)
        return (la_ssize_t)n;
    archive_set_error(tar, errno, "%s", strerror(errno));
    return -1;
}

static int copy_file(struct archive *tar, int fd, const TarFile *file, uint64_t bytes, Err *err)
{
    CLEANUP(mem_freep) char *room = mem_new(PIECE_BYTES);

    if (!room)
        return err_set(err, ERR_MEMORY, "archive: out of memory");
    while (bytes > 0) {
        ssize_t n = read(fd, room, bytes < PIECE_BYTES ? bytes : PIECE_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return disk_error(err, "read", file->file);
        if (n == 0)
            return err_set(err, ERR_IO, "'%s' became shorter while it was read", file->file);
        if (archive_write_data(tar, room, (size_t)n) != n)
            return tar_error(tar, file->path, err);
        bytes -= (uint64_t)n;
    }
    return 0;
}

static int write_entry(struct archive *tar, struct archive_entry *entry, const TarFile *file,
                       Err *err)
{
    struct stat about;
    int fd = -1;
    int rc = regular_file_open(file->file, &fd, err);

    if (rc)
        return rc;
    if (fstat(fd, &about) == 0) {
        archive_entry_clear(entry);
        archive_entry_set_pathname(entry, file->path);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, about.st_mode & S_IXUSR ? 0755 : 0644);
        archive_entry_set_size(entry, about.st_size);
        archive_entry_set_mtime(entry, TIME_1980, 0);
        rc = archive_write_header(tar, entry) == ARCHIVE_OK
                 ? copy_file(tar, fd, file, (uint64_t)about.st_size, err)
                 : tar_error(tar, file->path, err);
    } else {
        rc = disk_error(err, "read", file->file);
    }
    close(fd);
    return rc;
}

/* Whether all paths are ASCII: then nothing has to be said of their character set, of which some
 * readers warn. */
static bool are_plain(const TarFile *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const char *at = files[i].path; *at; at++)
            if ((unsigned char)*at >= 0x80)
                return false;
    return true;
}

/* Which bytes entries become. */
static bool set_format(struct archive *tar, const TarFile *files, size_t count)
{
    return archive_write_set_format_pax_restricted(tar) == ARCHIVE_OK &&
           archive_write_add_filter_gzip(tar) == ARCHIVE_OK &&
           archive_write_set_options(tar, "gzip:!timestamp") == ARCHIVE_OK &&
           (are_plain(files, count) ||
            archive_write_set_options(tar, "pax:hdrcharset=BINARY") == ARCHIVE_OK);
}

static int write_entries(struct archive *tar, int *fd, const char *path, const TarFile *files,
                         size_t count, Err *err)
{
    struct archive_entry *entry = archive_entry_new();
    int rc = entry ? 0 : err_set(err, ERR_MEMORY, "archive: out of memory");

    if (rc == 0 && (!set_format(tar, files, count) ||
                    archive_write_open(tar, fd, NULL, write_piece, NULL) != ARCHIVE_OK))
        rc = tar_error(tar, path, err);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = write_entry(tar, entry, &files[i], err);
    if (rc == 0 && archive_write_close(tar) != ARCHIVE_OK)
        rc = tar_error(tar, path, err);
    archive_entry_free(entry);
    return rc;
}

static int write_archive(const char *path, const TarFile *files, size_t count, Err *err)
{
    (void)disk_remove(path);
    int fd = disk_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);

    if (fd < 0)
        return disk_error(err, "make", path);
    struct archive *tar = archive_write_new();
    int rc = tar ? write_entries(tar, &fd, path, files, count, err)
                 : err_set(err, ERR_MEMORY, "archive: out of memory");
    archive_write_free(tar);
    if (rc == 0 && disk_sync(fd))
        rc = disk_error(err, "write", path);
    return disk_close(fd) && rc == 0 ? disk_error(err, "write", path) : rc;
}

int tar_write(const char *archive, TarFile *files, size_t count, Err *err)
{
    CLEANUP(buf_done) Buf other = {0};
    int rc = check_paths(files, count, err);

    if (rc)
        return rc;
    buf_printf(&other, "%s.tmp", archive);
    if (buf_failed(&other))
        return err_set(err, ERR_MEMORY, "archive: out of memory");
    rc = write_archive(buf_cstr(&other), files, count, err);
    if (rc == 0 && disk_rename(buf_cstr(&other), archive))
        rc = disk_error(err, "make", archive);
    if (rc)
        (void)disk_remove(buf_cstr(&other));
    return rc;
}
