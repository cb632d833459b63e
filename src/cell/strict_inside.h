/* strict_inside.h - the processes within a strict cell: its first one, and the one that becomes the
 *                   program.
 *
 * For:    warg-cell (cell/strict_front.c), which has made the first one. Needs nothing but libc.
 * Memory: none.
 * Thread: processes of their own with one thread.
 * Source: docs/spec/contest-operations.md 6.3, 6.4.
 *
 * They speak with the front by the socket INSIDE_SOCKET of net/fd_socket.h, one letter a message:
 *
 *     front  --g-->  inside    the maps of users are written, the group is entered: go on
 *     inside --l-->  front     the game's socket listens (with it)
 *     inside --a-->  front     the program's process (with its pidfd)
 *     inside --n-->  front     where the filter asks (with its descriptor)
 *     inside --e-->  front     the program has ended; behind the letter its status of wait(2)
 *
 * Why they can't go on they print, as tell_why does, and end with CELL_FAILED.
 */
#ifndef WARG_CELL_STRICT_INSIDE_H
#define WARG_CELL_STRICT_INSIDE_H

#include "cell/cell_group.h"
#include "cell/strict_order.h"

#include <sys/types.h>

typedef struct InsidePlan {
    const StrictOrder *order;
    const CellGroup *group;
    int socket; /* the inner end */
    int filter; /* the file of the filter */
    uid_t user; /* whom the program runs as; where it is root outside an unused number of users */
    bool changes_user;
    bool limits_memory;  /* by RLIMIT_DATA: there is no group for it */
    bool limits_threads; /* by RLIMIT_NPROC: likewise */
    pid_t front;
    char *words; /* of the command line of warg-cell, to be wiped: others would read it */
    size_t word_bytes;
} InsidePlan;

/* The first process of a cell with namespaces. */
_Noreturn void inside_first(const InsidePlan *plan);
/* At the level `filter` the process becomes the program at once. */
_Noreturn void inside_program(const InsidePlan *plan);

#endif
