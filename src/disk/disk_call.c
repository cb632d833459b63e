/* disk_call.c - see disk_call.h. Includes little: tests put other system calls under it by name. */
#include "disk/disk_call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether a call that returned `rc` is to be made once more. */
static bool was_interrupted(ssize_t rc)
{
    return rc < 0 && errno == EINTR;
}

int disk_open(const char *path, int flags, mode_t mode)
{
    int fd;

    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (was_interrupted(fd));
    return fd;
}

/* What a write did not take; a disk that takes nothing and says no reason is full. */
static int write_rest(ssize_t written, Str *bytes)
{
    if (written == 0)
        errno = ENOSPC;
    if (written > 0)
        *bytes = str_part(*bytes, (size_t)written, bytes->len);
    return written > 0 || was_interrupted(written) ? 0 : -1;
}

int disk_write(int fd, Str bytes)
{
    int rc = 0;

    while (bytes.len > 0 && rc == 0)
        rc = write_rest(write(fd, bytes.bytes, bytes.len), &bytes);
    return rc;
}

int disk_write_at(int fd, Str bytes, off_t at)
{
    const off_t end = at + (off_t)bytes.len;
    int rc = 0;

    while (bytes.len > 0 && rc == 0)
        rc = write_rest(pwrite(fd, bytes.bytes, bytes.len, end - (off_t)bytes.len), &bytes);
    return rc;
}

int disk_cut(int fd, off_t bytes)
{
    int rc;

    do
        rc = ftruncate(fd, bytes);
    while (was_interrupted(rc));
    return rc;
}

int disk_sync(int fd)
{
    int rc;

    do
        rc = fsync(fd);
    while (was_interrupted(rc));
    return rc;
}

int disk_sync_data(int fd)
{
    int rc;

    do
        rc = fdatasync(fd);
    while (was_interrupted(rc));
    return rc;
}

/* Never twice: after EINTR Linux has closed it, and the number may be another file's. */
int disk_close(int fd)
{
    int rc = close(fd);

    return was_interrupted(rc) ? 0 : rc;
}

int disk_rename(const char *from, const char *to)
{
    return rename(from, to);
}

int disk_rename_in(int from_folder, const char *from, int to_folder, const char *to)
{
    return renameat(from_folder, from, to_folder, to);
}

int disk_link(const char *from, const char *to)
{
    return link(from, to);
}

int disk_remove(const char *path)
{
    return disk_remove_in(AT_FDCWD, path, 0);
}

int disk_remove_in(int folder, const char *name, int flags)
{
    return unlinkat(folder, name, flags);
}

int disk_make_folder(const char *path, mode_t mode)
{
    return mkdir(path, mode);
}

int disk_make_folder_in(int folder, const char *name, mode_t mode)
{
    return mkdirat(folder, name, mode);
}

int disk_open_beneath(int folder, const char *path, int flags, mode_t mode)
{
    const struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC,
                                 .mode = flags & O_CREAT ? mode : 0,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long fd;

    do
        fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
    while (was_interrupted(fd) || (fd < 0 && errno == EAGAIN)); /* a folder was moved meanwhile */
    return (int)fd;
}

int disk_set_mode(int fd, mode_t mode)
{
    return fchmod(fd, mode);
}

int disk_set_owner(int fd, uid_t user, gid_t group)
{
    return fchown(fd, user, group);
}

int disk_sync_all(int fd)
{
    return (int)syscall(SYS_syncfs, fd);
}

int disk_set_time(int fd, int64_t unix_seconds)
{
    const struct timespec both[2] = {{.tv_sec = unix_seconds}, {.tv_sec = unix_seconds}};

    return futimens(fd, both);
}

int disk_sync_path(const char *path, Err *err)
{
    int fd = disk_open(path, O_RDONLY | O_NONBLOCK, 0);

    if (fd < 0)
        return disk_error(err, "open", path);
    int rc = disk_sync(fd) ? disk_error(err, "write to disk", path) : 0;
    (void)disk_close(fd);
    return rc;
}

int disk_error(Err *err, const char *what, const char *path)
{
    return err_set(err, ERR_IO, "%s '%s': %s", what, path, strerror(errno));
}
