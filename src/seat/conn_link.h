/* conn_link.h - a TCP connection behind a link.
 *
 * For:    who has a connection and a participant that knows none (seat/link.h). No game in it.
 * Memory: the link owns the connection; link_close closes it.
 * Thread: the loop's.
 * Source: docs/spec/protocol-division.md 1.1 to 1.3, 6.3; docs/spec/contest-operations.md 6.7.
 */
#ifndef WARG_SEAT_CONN_LINK_H
#define WARG_SEAT_CONN_LINK_H

#include "net/tcp.h"
#include "seat/link.h"

/* From now on `ears` (borrowed while the link is open) hear each line, with the time of the loop.
 * `pid`: the process behind it is this one with all it has started, and can be looked at; 0 = not
 * known. Errors: ERR_MEMORY; the connection is closed then. */
int conn_link_open(Conn *take_conn, const ConnLimits *limits, int pid, const LinkEars *ears,
                   void *user, Link *ret_link, Err *err);

#endif
