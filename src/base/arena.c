#include "base/arena.h"

#include <stdint.h>

Arena arena_new(size_t bytes)
{
    char *block = mem_new_sparse(bytes);

    return (Arena){.block = block, .size = block ? bytes : 0, .owned = true};
}

Arena arena_over(void *bytes, size_t size)
{
    return (Arena){.block = bytes, .size = size};
}

void *arena_take(Arena *arena, size_t bytes)
{
    const uintptr_t align = _Alignof(max_align_t);
    uintptr_t at = (uintptr_t)arena->block + arena->used;
    size_t padding = (size_t)(-at & (align - 1));

    if (padding > arena->size - arena->used || bytes > arena->size - arena->used - padding)
        return NULL;
    arena->used += padding + bytes;
    return arena->block + (arena->used - bytes);
}

void arena_clear(Arena *arena)
{
    arena->used = 0;
}

void arena_done(Arena *arena)
{
    if (arena->owned)
        mem_free_sparse(arena->block);
    *arena = (Arena){0};
}
