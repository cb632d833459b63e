/* peer.h - which process is at the other end of a connection from this machine.
 *
 * For:    ports that belong to a program we started (match/hall.h). Knows no agent.
 * Memory: none kept; the caller's Buf.
 * Thread: any; waits for nothing but the kernel. Some milliseconds where many processes run.
 * Source: sock_diag(7): the socket at the other end, by both addresses; proc(5): /proc/PID/fd, who
 *         holds it. (SO_PEERCRED is of AF_UNIX only, and names who has opened a socket, not who
 *         holds it.)
 */
#ifndef WARG_NET_PEER_H
#define WARG_NET_PEER_H

#include "base/buf.h"
#include "net/tcp.h"

typedef enum PeerOwner {
    PEER_OURS,    /* held by a process of the tree */
    PEER_OTHER,   /* by another process, by one of another machine, or by nobody any more */
    PEER_UNKNOWN, /* this system can't tell */
} PeerOwner;

/* Whether the other end of `conn` is held by `root` or one of its descendants. A process that may
 * not be looked into, because it has become another user's, counts by its user, as long as nobody
 * else is seen to hold the connection; warg-cell's own processes never count. */
PeerOwner peer_owner(const Conn *conn, int root);

/* The process that holds it, the first that is found, 0 = none that we may see. */
int peer_process(const Conn *conn);

/* "process 4711 (python3)", "somebody who can't be seen" for 0. */
void peer_print_process(int pid, Buf *out);

#endif
