/* cell_filter.h - which system calls a program in a strict cell may make: a filter for the kernel.
 *
 * For:    cell/cell.h, which makes it once and hands it to warg-cell. libseccomp is behind it.
 * Memory: the caller's descriptor.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.5; seccomp(2).
 *
 * What is not named is allowed. What is refused gets an error that runtimes live with; what a
 * witness is to see is asked of it (cell/cell_calls.h). An argument that the kernel takes as an int
 * is compared by its lower 32 bits where the comparison refuses by equality, because a program can
 * put anything into the upper ones.
 */
#ifndef WARG_CELL_CELL_FILTER_H
#define WARG_CELL_CELL_FILTER_H

#include "base/err.h"

#include <stdbool.h>

typedef struct CellFilterPlan {
    bool filter_level;   /* without namespaces */
    bool forbid_threads; /* threads are refused, too */
    bool see_threads;    /* the witness sees each that is begun */
    bool counts_memory;  /* nothing but looking limits memory: what can't be seen is refused */
    bool fills;          /* a folder: openat2 is there, by which nothing is opened beside it */
    bool routes;         /* sockets of NETLINK_ROUTE, for runtimes that ask for the addresses of a
                          * network which is the cell's own */
} CellFilterPlan;

/* Makes a filter: a descriptor, closed on exec, of a file of `struct sock_filter` that nobody can
 * change any more. Errors: ERR_IO (the kernel or libseccomp can't), ERR_MEMORY. */
int cell_filter_make(const CellFilterPlan *plan, int *ret_file, Err *err);

#endif
