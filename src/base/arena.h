/* arena.h - memory that is taken piece by piece and given back as a whole.
 *
 * For:    one game, one request, one parsed sentence. Fixed size: it never grows, so taking a
 *         piece costs an addition and can't call the allocator.
 * Memory: an arena owns its block (arena_new) or borrows the caller's (arena_over).
 * Thread: one at a time.
 * Source: style guide, "Memory": one arena per game, connection and request.
 */
#ifndef WARG_BASE_ARENA_H
#define WARG_BASE_ARENA_H

#include "base/mem.h"

#include <stdbool.h>

/* Open, so that it can live on a stack or inside another struct. Touch it through functions. */
typedef struct Arena {
    char *block;
    size_t size;
    size_t used;
    bool owned;
} Arena;

/* An arena with `bytes` bytes of its own (zeroed by the system, touched only when used).
 * block is NULL and size 0 when there is no memory. */
Arena arena_new(size_t bytes);

/* An arena over the caller's bytes; nothing to free. */
Arena arena_over(void *bytes, size_t size);

/* `bytes` bytes aligned for any type, not cleared, or NULL when the arena is full. */
void *arena_take(Arena *arena, size_t bytes);

/* Everything taken is forgotten; the block stays for reuse. */
void arena_clear(Arena *arena);

/* Gives an owned block back. The arena is empty afterwards. */
void arena_done(Arena *arena);

#endif
