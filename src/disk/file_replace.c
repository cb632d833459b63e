#include "disk/file_replace.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int io_error(Err *err, const char *path)
{
    return err_set(err, ERR_IO, "write '%s': %s", path, strerror(errno));
}

static int write_all(int fd, Str text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.bytes, text.len);
        if (n < 0 && errno != EINTR)
            return -1;
        if (n > 0)
            text = str_part(text, (size_t)n, text.len);
    }
    return 0;
}

/* Errors of some file systems that can't sync a directory are not ours to report: the file itself
 * is on disk. */
static void sync_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    CLEANUP(buf_done) Buf dir = {0};

    int bytes = !slash ? 0 : slash == path ? 1 : (int)(slash - path);
    buf_printf(&dir, "%.*s", slash ? bytes : 1, slash ? path : ".");
    int fd = open(buf_cstr(&dir), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

static int replace(const char *path, const char *temporary, Str text, bool durable, Err *err)
{
    unlink(temporary);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

    if (fd < 0)
        return io_error(err, temporary);
    int rc = write_all(fd, text);
    if (rc == 0 && durable && fsync(fd) != 0)
        rc = -1;
    if (rc)
        rc = io_error(err, path);
    if (close(fd) != 0 && rc == 0)
        rc = io_error(err, path);
    if (rc == 0 && rename(temporary, path) != 0)
        rc = io_error(err, path);
    if (rc)
        unlink(temporary);
    else if (durable)
        sync_directory_of(path);
    return rc;
}

int file_replace(const char *path, Str text, bool durable, Err *err)
{
    CLEANUP(buf_done) Buf temporary = {0};

    buf_printf(&temporary, "%s.tmp", path);
    if (buf_failed(&temporary))
        return err_set(err, ERR_MEMORY, "write '%s': out of memory", path);
    return replace(path, buf_cstr(&temporary), text, durable, err);
}
