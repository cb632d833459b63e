/* unix_socket.h - sockets that have a path: made to listen, and who is at the other end.
 *
 * For:    net/web.c, for who speaks to a server on the same machine as its operator.
 * Memory: descriptors are the caller's.
 * Thread: any.
 * Source: unix(7): SO_PEERCRED; docs/spec/contest-operations.md 14: 0600, the peer's user is
 *         checked.
 */
#ifndef WARG_NET_UNIX_SOCKET_H
#define WARG_NET_UNIX_SOCKET_H

#include "base/err.h"

/* A socket that listens at `path`, readable and writable for its owner alone. One that nobody
 * listens at any more is replaced. Errors: ERR_IO that names it, also when somebody listens there
 * or when it is another kind of file; ERR_LIMIT for a path that is longer than sockets' may be. */
int unix_listen(const char *path, int *ret_socket, Err *err);

/* Whether somebody listens at `path`. */
bool unix_answers(const char *path);

/* The user of the process that has connected; false for a socket of another kind. */
bool unix_peer_user(int socket, uint32_t *ret_user);

#endif
