/* strict_view.h - the files that a program in a strict cell sees: a root of its own.
 *
 * For:    warg-cell, in the first process of a cell with a mount namespace of its own. Needs
 *         nothing but libc.
 * Memory: none.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 6.4; mount_namespaces(7), open_tree(2), pivot_root(2).
 *
 *     /usr /bin /lib*                 the host's, or those of order->root
 *     /etc                            what runtimes read, and names for one user and one host
 *     /proc                           of the cell's own processes
 *     /dev                            null zero random urandom; fd, stdin, stdout, stderr
 *     /agent                          the program's folder
 *     /tmp                            empty; order->writable_bytes of memory
 *     order->read, order->write       at their own names
 *
 * All of it is read-only, but for order->write, and /tmp where it may be written.
 */
#ifndef WARG_CELL_STRICT_VIEW_H
#define WARG_CELL_STRICT_VIEW_H

#include "cell/cell_why.h"
#include "cell/strict_order.h"

#include <sys/types.h>

/* `user`: whom the program runs as, for its names. Changes into /. */
bool strict_view_enter(const StrictOrder *order, uid_t user, Why *why);

#endif
