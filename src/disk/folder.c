#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* nftw */
#endif
#include "disk/folder.h"

#include "base/buf.h"
#include "disk/disk_call.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>

/* `wanted` is named in the error. */
static int make_one(const char *path, Str wanted, Err *err)
{
    struct stat info;

    if (disk_make_folder(path, 0777) == 0)
        return 0;
    int why = errno;
    if (why == EEXIST && stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        why = ENOTDIR;
    if (why == EEXIST)
        return 0;
    return err_set(err, ERR_IO, "make directory '%.*s': %s", STR_ARG(wanted), strerror(why));
}

int folder_make(Str path, Err *err)
{
    CLEANUP(buf_done) Buf part = {0};
    int rc = 0;

    for (size_t i = 0; i < path.len && rc == 0; i++) {
        if (path.bytes[i] == '/' && part.len && part.bytes[part.len - 1] != '/')
            rc = make_one(buf_cstr(&part), path, err);
        buf_add_char(&part, path.bytes[i]);
        if (buf_failed(&part))
            return err_set(err, ERR_MEMORY, "make directory: out of memory");
    }
    return rc || !part.len ? rc : make_one(buf_cstr(&part), path, err);
}

int folder_make_for(const char *file_path, Err *err)
{
    const char *slash = strrchr(file_path, '/');

    return slash ? folder_make((Str){file_path, (size_t)(slash - file_path)}, err) : 0;
}

int folder_make_private(const char *path, Err *err)
{
    struct stat about;
    int rc = folder_make_for(path, err);

    if (rc || disk_make_folder(path, 0700) == 0)
        return rc;
    if (errno != EEXIST || stat(path, &about))
        return err_set(err, ERR_IO, "make directory '%s': %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return err_set(err, ERR_IO, "make directory '%s': %s", path, strerror(ENOTDIR));
    return about.st_mode & 077 ? err_set(err, ERR_RULE,
                                         "others can look into '%s', which holds secrets: "
                                         "chmod 700",
                                         path)
                               : 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    return disk_remove_in(AT_FDCWD, path, kind == FTW_DP ? AT_REMOVEDIR : 0);
}

int folder_remove(const char *path, Err *err)
{
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
        return 0;
    return err_set(err, ERR_IO, "remove '%s': %s", path, strerror(errno));
}

static int remove_begun(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    const size_t bytes = strlen(path);

    (void)info;
    (void)at;
    if (kind == FTW_F && bytes > 4 && strcmp(path + bytes - 4, ".tmp") == 0)
        (void)disk_remove(path);
    return 0;
}

void folder_remove_begun(const char *path)
{
    (void)nftw(path, remove_begun, 16, FTW_PHYS);
}
