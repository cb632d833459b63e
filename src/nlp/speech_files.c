#include "nlp/speech_files.h"

#include "disk/disk_call.h"
#include "disk/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int speech_folder_make(const char *path, Err *err)
{
    if (!path[0])
        return err_set(err, ERR_IO, "folder: the name is empty");
    return folder_make(str_of(path), err);
}

/* Whether a file is one that a game's folder has. */
static bool is_ours(const char *name)
{
    Str s = str_of(name);

    return str_starts(s, STR(SPEECH_PLAYLIST)) || (str_starts(s, STR("segment_")) && s.len > 3 &&
                                                   str_eq(str_part(s, s.len - 3, 3), STR(".ts")));
}

/* Takes ours out of one game's folder; `fd` is taken. */
static void empty_game(int fd)
{
    DIR *folder = fdopendir(fd);
    struct dirent *entry;

    if (!folder) {
        close(fd);
        return;
    }
    while ((entry = readdir(folder))) {
        if (is_ours(entry->d_name))
            disk_remove_in(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
}

int speech_folder_empty(const char *path, Err *err)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    if (!folder)
        return disk_error(err, "folder", path);
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        int fd =
            openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            continue;
        empty_game(fd);
        disk_remove_in(dirfd(folder), entry->d_name, AT_REMOVEDIR); /* fails when it isn't empty */
    }
    closedir(folder);
    return 0;
}

static int write_file(const char *path, int flags, mode_t mode, Str bytes, Err *err)
{
    int fd = disk_open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | flags, mode);

    if (fd < 0)
        return disk_error(err, "file", path);
    int rc = disk_write(fd, bytes) ? disk_error(err, "file", path) : 0;
    if (disk_close(fd) && !rc)
        rc = disk_error(err, "file", path);
    if (rc)
        (void)disk_remove(path);
    return rc;
}

int speech_file_new(const char *path, Str bytes, Err *err)
{
    return write_file(path, O_EXCL, 0600, bytes, err);
}

int speech_file_replace(const char *path, Str bytes, Err *err)
{
    CLEANUP(buf_done) Buf other = {0};

    buf_add(&other, str_of(path));
    buf_add(&other, STR(".tmp"));
    if (buf_failed(&other))
        return err_set(err, ERR_MEMORY, "file '%s': out of memory", path);
    int rc = write_file(buf_cstr(&other), O_TRUNC, 0666, bytes, err);
    if (!rc && disk_rename(buf_cstr(&other), path))
        rc = disk_error(err, "file", path);
    return rc;
}
