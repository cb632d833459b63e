#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "base/mem.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

/* The sanitizer has to see where blocks end. */
#ifdef __has_feature
#    if __has_feature(address_sanitizer)
#        define CHECKED_MEMORY
#    endif
#endif
#ifdef __SANITIZE_ADDRESS__
#    define CHECKED_MEMORY
#endif

void *mem_new(size_t bytes)
{
    return bytes ? calloc(1, bytes) : NULL;
}

void *mem_resize(void *old, size_t count, size_t each)
{
    if (each && count > SIZE_MAX / each)
        return NULL;
    return count && each ? realloc(old, count * each) : NULL;
}

void *mem_free(void *p)
{
    free(p);
    return NULL;
}

void mem_freep(void *p)
{
    void **variable = p;
    *variable = mem_free(*variable);
}

void mem_keep_freed(void)
{
#ifdef M_TRIM_THRESHOLD /* other libraries have their own ways */
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20); /* a fixed one: what is larger is mapped, and unmapped */
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

#ifdef CHECKED_MEMORY

void *mem_new_sparse(size_t bytes)
{
    return mem_new(bytes);
}

void *mem_free_sparse(void *p)
{
    return mem_free(p);
}

#else

#    define SPARSE_HEAD      ((size_t)64) /* holds the size, and keeps what follows aligned */

/* Below this, clearing is cheaper than a mapping. */
#    define SPARSE_BYTES_MIN ((size_t)32 * 1024)

static void *map_bytes(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

void *mem_new_sparse(size_t bytes)
{
    size_t whole = bytes + SPARSE_HEAD;
    bool mapped = whole >= SPARSE_BYTES_MIN;

    if (bytes == 0 || whole < bytes)
        return NULL;
    char *block = mapped ? map_bytes(whole) : mem_new(whole);
    if (!block)
        return NULL;
    *(size_t *)(void *)block = mapped ? whole : 0;
    return block + SPARSE_HEAD;
}

void *mem_free_sparse(void *p)
{
    if (!p)
        return NULL;
    char *block = (char *)p - SPARSE_HEAD;
    size_t mapped = *(size_t *)(void *)block;
    if (mapped)
        munmap(block, mapped);
    else
        mem_free(block);
    return NULL;
}

#endif
