/* strict_order.h - what is ordered of a strict cell, as words of a command line.
 *
 * For:    cell/cell.h writes them, warg-cell reads them. Needs nothing but libc.
 * Memory: texts are borrowed from the words.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.2 to 6.6.
 *
 *     warg-cell --strict=LEVEL [--NAME=VALUE]... [--probe] [-- COMMAND-WORD...]
 */
#ifndef WARG_CELL_STRICT_ORDER_H
#define WARG_CELL_STRICT_ORDER_H

#include "cell/cell_wish.h"

#include <stddef.h>

#define ORDER_LISTED_MAX 64
#define ORDER_PORT       10000 /* of the game, in a network of its own */

typedef struct StrictOrder {
    bool filter;              /* the level; else namespaces */
    bool probe;               /* nothing is executed: whether all of it can be had */
    const char *folder;       /* of the program, by its whole path; shown as /agent */
    const char *root;         /* NULL = this machine's */
    const char *memory_group; /* folders of control groups in which one is made for it: */
    const char
        *process_group; /* ... of version 1 two, which may be one of version 2; NULL = none */
    bool one_group;     /* they are of version 2 */
    uint64_t memory_bytes;
    uint64_t writable_bytes;
    uint32_t threads;
    uint32_t files;
    uint32_t cpu_seconds;
    uint16_t port;        /* of the game, for `filter` */
    bool forbid_threads;  /* refused */
    bool one_thread;      /* any further one is a finding */
    const char *write;    /* a folder that it may fill; NULL = none */
    uint64_t write_bytes; /* of one file in it */
    const char *read[CELL_READ_MAX];
    size_t read_count;
    const char *noise[ORDER_LISTED_MAX]; /* findings that are the runtime's own, by their text; a *
                                          * stands for anything */
    size_t noise_count;
    const char *usual[ORDER_LISTED_MAX]; /* names of threads that the runtime has; as above */
    size_t usual_count;
    char **program; /* NULL-terminated */
} StrictOrder;

/* Whether the words, behind the program's own name, are those of a strict cell. */
bool strict_order_is(char *const *words);
/* False for what is no such order. */
bool strict_order_read(char **words, StrictOrder *ret_order);

/* Calls `word` for each, but the program's own. What is equal in the text of another process. */
void strict_order_write(const StrictOrder *order, void (*word)(void *user, const char *text),
                        void *user);

#endif
