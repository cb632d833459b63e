#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* O_PATH */
#endif
#include "disk/file_inside.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define IS_PLACE (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int refuse_name(const char *root, const char *path, const char *why, Err *err)
{
    return err_set(err, ERR_IO, "open '%s%s%s': %s", root, path[0] ? "/" : "", path, why);
}

/* The next name of a path as a text; false for one that is none. */
static bool take_name(Str *path, char ret_name[static NAME_MAX + 1])
{
    Str name = str_cut(path, '/');

    if (name.len == 0 || name.len > NAME_MAX || str_eq(name, STR(".")) || str_eq(name, STR("..")) ||
        memchr(name.bytes, '\0', name.len))
        return false;
    memcpy(ret_name, name.bytes, name.len);
    ret_name[name.len] = '\0';
    return true;
}

/* The folder of the path's last name, which `ret_name` gets. A descriptor, or -1 with errno. */
static int open_above(const char *root, const char *path, char ret_name[static NAME_MAX + 1])
{
    Str rest = str_of(path);
    int place = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

    while (place >= 0) {
        if (!take_name(&rest, ret_name)) {
            close(place);
            errno = EINVAL;
            return -1;
        }
        if (rest.len == 0)
            return place;
        int below = openat(place, ret_name, O_PATH | IS_PLACE);
        int why = errno;
        close(place);
        place = below;
        errno = why;
    }
    return -1;
}

int file_inside_open(const char *root, const char *path, int *ret_fd, Err *err)
{
    char name[NAME_MAX + 1];
    struct stat about;
    int place = open_above(root, path, name);

    if (place < 0)
        return refuse_name(root, path, strerror(errno), err);
    int fd = openat(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int why = errno;
    close(place);
    if (fd < 0)
        return refuse_name(root, path, why == ELOOP ? "it is a link" : strerror(why), err);
    if (fstat(fd, &about) || !S_ISREG(about.st_mode)) {
        close(fd);
        return refuse_name(root, path, "it is no file", err);
    }
    *ret_fd = fd;
    return 0;
}

int folder_inside_open(const char *root, const char *path, int *ret_fd, Err *err)
{
    char name[NAME_MAX + 1];
    int place = AT_FDCWD, fd;

    if (!path[0]) {
        fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } else {
        place = open_above(root, path, name);
        fd = place < 0 ? -1 : openat(place, name, O_RDONLY | IS_PLACE);
    }
    int why = errno;
    if (place >= 0)
        close(place);
    if (fd < 0)
        return refuse_name(root, path, strerror(why), err);
    *ret_fd = fd;
    return 0;
}
