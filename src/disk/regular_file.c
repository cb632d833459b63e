#include "disk/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_open_already(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || strcmp(path, "/dev/null") == 0 ||
           strncmp(path, "/dev/fd/", strlen("/dev/fd/")) == 0;
}

static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode))
        return "is a directory";
    if (S_ISFIFO(mode))
        return "is a FIFO, and somebody may never write to it; expected a file";
    if (S_ISSOCK(mode))
        return "is a socket; expected a file";
    return S_ISREG(mode) ? NULL : "is a device; expected a file";
}

int regular_file_open(const char *path, int *ret_fd, Err *err)
{
    bool any = is_open_already(path);
    struct stat about;
    /* A FIFO is opened without waiting then, and some device without a modem's carrier. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (any ? 0 : O_NONBLOCK));

    if (fd < 0 && errno == ENXIO) /* the answer of a socket */
        return err_set(err, ERR_IO, "read '%s': %s", path, kind_of(S_IFSOCK));
    if (fd < 0 || fstat(fd, &about)) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        return err_set(err, ERR_IO, "open '%s': %s", path, strerror(why));
    }
    const char *kind = kind_of(about.st_mode);
    if (kind && (!any || S_ISDIR(about.st_mode))) {
        close(fd);
        return err_set(err, ERR_IO, "read '%s': %s", path, kind);
    }
    *ret_fd = fd;
    return 0;
}

int regular_file_check(const char *path, Err *err)
{
    int fd = -1;
    int rc = regular_file_open(path, &fd, err);

    if (rc == 0)
        close(fd);
    return rc;
}
