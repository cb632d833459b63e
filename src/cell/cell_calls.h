/* cell_calls.h - the system calls that a strict cell lets its witness see, and how each is read.
 *
 * For:    the filter (cell/cell_filter.h), which has the kernel ask; the witness (cell/witness.h),
 *         which answers. One table for both.
 * Memory: constant.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.5, 6.6; syscalls(2).
 */
#ifndef WARG_CELL_CELL_CALLS_H
#define WARG_CELL_CELL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CallKind {
    CALL_START,   /* another process */
    CALL_CLONE,   /* another process, or a thread, by its flags */
    CALL_CONNECT, /* a socket to an address */
    CALL_BIND,    /* an own address, or listening there: with a filter alone */
    CALL_SEND,    /* to an address, without a connection */
    CALL_OPEN,    /* a file, by its flags for writing */
    CALL_CREATE,  /* a file, always for writing */
    CALL_CHANGE,  /* what a file is, its name, or that it is there */
    CALL_SIGNAL,  /* to a process: with a filter alone */
} CallKind;

#define CALL_NO_PATH 0xFF

typedef struct CellCall {
    const char *name;
    int number;
    CallKind kind;
    uint8_t argument; /* which one is the path, the flags of CLONE, the address, the process */
    uint8_t flags;    /* of OPEN: which one */
} CellCall;

/* All of them, in no order. */
const CellCall *cell_calls(size_t *ret_count);
/* NULL = none of them. */
const CellCall *cell_call_of(int number);
/* Whether the witness sees it at the level `filter` only. */
bool cell_call_is_of_filter(const CellCall *call);

#endif
