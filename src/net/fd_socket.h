/* fd_socket.h - messages between two processes of one machine, each with a descriptor if need be.
 *
 * For:    a program and what is started in front of it (net/child.h). Needs nothing but libc, so
 *         that a small program can have it too.
 * Memory: none.
 * Thread: any.
 * Source: unix(7): SOCK_SEQPACKET keeps messages apart, SCM_RIGHTS hands a descriptor over.
 */
#ifndef WARG_NET_FD_SOCKET_H
#define WARG_NET_FD_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#define FD_SOCKET_BYTES 1024 /* of a message, at most */

/* A pair of ends, closed on exec; the first does not block. False with errno. */
bool fd_socket_pair(int ret_ends[static 2]);

/* Sends one message of 1 to FD_SOCKET_BYTES bytes, with the descriptor unless that is -1. False
 * with errno: the other end is closed, or it has no room and this end does not block. Never raises
 * a signal. */
bool fd_socket_send(int end, const void *bytes, size_t count, int descriptor);

typedef enum FdSocketState { FD_SOCKET_NOTHING, FD_SOCKET_MESSAGE, FD_SOCKET_OVER } FdSocketState;

/* Takes the next message: its bytes, how many there are, and its descriptor, which is the caller's
 * then and closed on exec; -1 = it has none. OVER: the other end is closed, or what came was no
 * message of ours (empty, too long, more than one descriptor), of which nothing stays open.
 * NOTHING: none waits, and this end does not block. */
FdSocketState fd_socket_receive(int end, char ret_bytes[static FD_SOCKET_BYTES], size_t *ret_count,
                                int *ret_descriptor);

#endif
