/* mem.h - heap objects with one owner.
 *
 * For:    long-lived objects that are not in an arena, and cleanup at the end of a scope.
 * Memory: what mem_new returns is freed with mem_free (or handed over with TAKE).
 * Thread: any.
 * Source: house rule: allocate through another file, so that the analysers see no malloc here.
 */
#ifndef WARG_BASE_MEM_H
#define WARG_BASE_MEM_H

#include "base/banned.h"

#include <stddef.h>

/* `bytes` zeroed bytes, or NULL when there is no memory (or bytes is 0). */
void *mem_new(size_t bytes);

/* Room for `count` things of `each` bytes; what was there stays, new bytes are undefined.
 * NULL, with `old` untouched, when there is no memory or the size overflows. */
void *mem_resize(void *old, size_t count, size_t each);

/* Frees; takes NULL; returns NULL so that a caller can write p = mem_free(p). */
void *mem_free(void *p);

/* For CLEANUP on a plain mem_new pointer. `p` is the address of the pointer variable. */
void mem_freep(void *p);

/* For a large block of which little is used: zeroed, and only the pages that are touched cost
 * memory or time, also when such blocks come and go. Freed with mem_free_sparse (takes NULL). */
void *mem_new_sparse(size_t bytes);
void *mem_free_sparse(void *p);

/* From now on up to 32 MiB that were freed stay with the process: one whose buffers come and go
 * would else give pages to the kernel only to fetch them again, cleared, the next moment. */
void mem_keep_freed(void);

/* Runs `fn(&variable)` when the variable goes out of scope. */
#define CLEANUP(fn) __attribute__((cleanup(fn)))

/* Hands the pointer over: the value, with the variable set to NULL. */
#define TAKE(variable)                                                                             \
    __extension__({                                                                                \
        __typeof__(variable) take_value = (variable);                                              \
        (variable) = NULL;                                                                         \
        take_value;                                                                                \
    })

#endif
