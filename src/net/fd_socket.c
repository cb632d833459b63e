#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* MSG_CMSG_CLOEXEC */
#endif
#include "net/fd_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for one descriptor, aligned as the kernel wants it. */
typedef union RightsRoom {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
} RightsRoom;

bool fd_socket_pair(int ret_ends[static 2])
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return false;
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK)) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    ret_ends[0] = ends[0];
    ret_ends[1] = ends[1];
    return true;
}

bool fd_socket_send(int end, const void *bytes, size_t count, int descriptor)
{
    union {
        const void *ours;
        void *theirs; /* sendmsg changes nothing */
    } both = {.ours = bytes};
    RightsRoom room = {{0}};
    struct iovec part = {.iov_base = both.theirs, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t sent;

    if (descriptor >= 0) {
        message.msg_control = room.bytes;
        message.msg_controllen = sizeof(room.bytes);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    do
        sent = sendmsg(end, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)count;
}

static int descriptor_of(struct msghdr *message)
{
    const struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int descriptor = -1;

    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
    return descriptor;
}

FdSocketState fd_socket_receive(int end, char ret_bytes[static FD_SOCKET_BYTES], size_t *ret_count,
                                int *ret_descriptor)
{
    RightsRoom room = {{0}};
    struct iovec part = {.iov_base = ret_bytes, .iov_len = FD_SOCKET_BYTES};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             /* Not what alignment adds: a second descriptor would fit there. */
                             .msg_controllen = CMSG_LEN(sizeof(int))};
    ssize_t count;

    do
        count = recvmsg(end, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return FD_SOCKET_NOTHING;
    int descriptor = count >= 0 ? descriptor_of(&message) : -1;
    if (count <= 0 || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        if (descriptor >= 0)
            close(descriptor);
        return FD_SOCKET_OVER;
    }
    *ret_count = (size_t)count;
    *ret_descriptor = descriptor;
    return FD_SOCKET_MESSAGE;
}
