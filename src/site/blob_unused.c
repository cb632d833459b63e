#include "site/blob_unused.h"

#include "base/buf.h"
#include "base/digest.h"
#include "disk/disk_call.h"
#include "site/blob.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define DAY_S INT64_C(86400)

/* "ab..." in the folder "ab". */
static bool is_blob_name(const char *name, unsigned number)
{
    char start[3];

    snprintf(start, sizeof(start), "%02x", number & 0xFFu);
    return strlen(name) == SHA256_HEX_BYTES - 1 &&
           strspn(name, "0123456789abcdef") == SHA256_HEX_BYTES - 1 && strncmp(name, start, 2) == 0;
}

/* By when it was written: a backup that links to it changes its other times. */
static bool is_old_file(int folder, const char *name, int64_t now_ms)
{
    struct stat about;

    return fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode) &&
           about.st_mtim.tv_sec <= now_ms / 1000 - DAY_S;
}

static int sweep_folder(Db *db, DIR *folder, unsigned number, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf old = {0};
    CLEANUP(buf_done) Buf unused = {0};
    const struct dirent *entry;

    while ((entry = readdir(folder)))
        if (is_blob_name(entry->d_name, number) &&
            is_old_file(dirfd(folder), entry->d_name, now_ms))
            buf_printf(&old, "%s\n", entry->d_name);
    if (buf_failed(&old))
        return err_set(err, ERR_MEMORY, "uploads: out of memory");
    int rc = blob_list_unused(db, buf_str(&old), &unused, err);
    if (rc == 0 && buf_failed(&unused))
        rc = err_set(err, ERR_MEMORY, "uploads: out of memory");
    for (Str rest = buf_str(&unused); rc == 0 && rest.len;) {
        char name[SHA256_HEX_BYTES];
        const Str digest = str_cut(&rest, '\n');
        snprintf(name, sizeof(name), "%.*s", STR_ARG(digest));
        if (disk_remove_in(dirfd(folder), name, 0) && errno != ENOENT)
            rc = disk_error(err, "remove", name);
    }
    return rc;
}

int blob_unused_sweep(Db *db, const char *data, unsigned number, int64_t now_ms, Err *err)
{
    char path[16];
    int root = disk_open(data, O_RDONLY | O_DIRECTORY, 0);

    if (root < 0)
        return disk_error(err, "open the folder", data);
    snprintf(path, sizeof(path), "blobs/%02x", number & 0xFFu);
    int fd = disk_open_beneath(root, path, O_RDONLY | O_DIRECTORY, 0);
    const int why = errno;
    (void)disk_close(root);
    errno = why;
    if (fd < 0)
        return errno == ENOENT ? 0 : disk_error(err, "open the folder", path);
    DIR *folder = fdopendir(fd);
    if (!folder) {
        (void)disk_close(fd);
        return disk_error(err, "list", path);
    }
    int rc = sweep_folder(db, folder, number, now_ms, err);
    closedir(folder);
    return rc;
}
