#include "disk/file_replace.h"

#include "base/buf.h"
#include "disk/disk_call.h"

#include <fcntl.h>

/* Errors of some file systems that can't sync a directory are not ours to report: the file itself
 * is on disk. */
static void sync_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    CLEANUP(buf_done) Buf dir = {0};

    int bytes = !slash ? 0 : slash == path ? 1 : (int)(slash - path);
    buf_printf(&dir, "%.*s", slash ? bytes : 1, slash ? path : ".");
    (void)disk_sync_path(buf_cstr(&dir), NULL);
}

static int replace_file(const char *path, const char *temporary, Str text, bool durable, Err *err)
{
    (void)disk_remove(temporary);
    int fd = disk_open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);

    if (fd < 0)
        return disk_error(err, "write", temporary);
    int rc = disk_write(fd, text);
    if (rc == 0 && durable)
        rc = disk_sync(fd);
    if (rc)
        rc = disk_error(err, "write", path);
    if (disk_close(fd) != 0 && rc == 0)
        rc = disk_error(err, "write", path);
    if (rc == 0 && disk_rename(temporary, path) != 0)
        rc = disk_error(err, "write", path);
    if (rc)
        (void)disk_remove(temporary);
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
    return replace_file(path, buf_cstr(&temporary), text, durable, err);
}
