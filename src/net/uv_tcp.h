/* uv_tcp.h - what the listener and the connections know of each other.
 *
 * For:    listener.c and tcp.c. Nobody else includes it.
 * Memory: a connection counts in its listener, whose memory stays until the last of them is gone.
 * Thread: the loop's.
 * Source: house rule: what two files of a folder share is in a header of its own.
 */
#ifndef WARG_NET_UV_TCP_H
#define WARG_NET_UV_TCP_H

#include "net/tcp.h"
#include "net/uv_loop.h"

/* What holds for every socket of a connection. Linux gives what is set at a listening socket to all
 * that it accepts (tcp(7)): six calls once, and not for each of thousands. */
void conn_options(int fd);

/* A connection over the socket `fd`, which it takes, counted by `listener` already. NULL when there
 * is no memory; then the socket is closed and listener_leave isn't called. */
Conn *conn_accepted(Loop *loop, int fd, Listener *listener);

/* A connection that was taken off a loop is one of its own from now on. */
void listener_enter(Listener *listener);

/* One of its connections is not open any more, but keeps its descriptor for a while. */
void listener_linger(Listener *listener);

/* The descriptor of one of its connections is given back; `lingered`: listener_linger was called.
 */
void listener_leave(Listener *listener, bool lingered);

/* The addresses of a name (NULL = this machine's, with AI_PASSIVE in `flags`), to be freed with
 * uv_freeaddrinfo. Errors: ERR_IO, ERR_MEMORY. */
int tcp_resolve(Loop *loop, const char *host, uint16_t port, int flags,
                struct addrinfo **ret_addresses, Err *err);

#endif
