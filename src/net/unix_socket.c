#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* struct ucred */
#endif
#include "net/unix_socket.h"

#include "disk/disk_call.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64

static bool read_address(const char *path, struct sockaddr_un *ret_address)
{
    size_t bytes = strlen(path);

    *ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (!bytes || bytes >= sizeof(ret_address->sun_path))
        return false;
    memcpy(ret_address->sun_path, path, bytes);
    return true;
}

static int new_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

bool unix_answers(const char *path)
{
    struct sockaddr_un address;

    if (!read_address(path, &address))
        return false;
    int fd = new_socket();
    bool answers = fd >= 0 && (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 ||
                               errno == EAGAIN); /* its queue is full */
    if (fd >= 0)
        close(fd);
    return answers;
}

/* Takes what is left of a server that is gone out of the way. */
static int clear_path(const char *path, Err *err)
{
    struct stat info;

    if (lstat(path, &info))
        return 0;
    if (!S_ISSOCK(info.st_mode))
        return err_set(err, ERR_IO, "listen at '%s': a file is there that is no socket", path);
    if (unix_answers(path))
        return err_set(err, ERR_IO, "listen at '%s': another server does", path);
    return disk_remove(path) ? disk_error(err, "remove", path) : 0;
}

int unix_listen(const char *path, int *ret_socket, Err *err)
{
    struct sockaddr_un address;

    if (!read_address(path, &address))
        return err_set(err, ERR_LIMIT, "listen at '%s': a socket's path has at most %zu bytes",
                       path, sizeof(address.sun_path) - 1);
    int rc = clear_path(path, err);
    if (rc)
        return rc;
    int fd = new_socket();
    /* Linux gives the file the mode of the socket: it is never open to others. */
    if (fd < 0 || fchmod(fd, 0600) || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
        chmod(path, 0600) || listen(fd, BACKLOG)) {
        rc = err_set(err, ERR_IO, "listen at '%s': %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return rc;
    }
    *ret_socket = fd;
    return 0;
}

bool unix_peer_user(int socket, uint32_t *ret_user)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(address);
    struct ucred who = {0};
    socklen_t who_size = sizeof(who);

    if (socket < 0 || getsockname(socket, (struct sockaddr *)&address, &size) ||
        address.ss_family != AF_UNIX ||
        getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &who_size))
        return false;
    *ret_user = who.uid;
    return true;
}
