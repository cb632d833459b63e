#include "base/mem.h"

#include <stdint.h>

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
