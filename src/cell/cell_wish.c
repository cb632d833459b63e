#include "cell/cell_wish.h"

CellWish cell_wish_default(void)
{
    return (CellWish){.level = CELL_LIGHT,
                      .memory_bytes = UINT64_C(1) << 30,
                      .threads = 64,
                      .files = 256,
                      .cpu_seconds = 7200};
}

const char *cell_level_name(CellLevel level)
{
    static const char *const names[CELL_LEVELS] = {[CELL_LIGHT] = "light",
                                                   [CELL_NONE] = "none",
                                                   [CELL_STRICT] = "strict",
                                                   [CELL_NAMESPACES] = "namespaces",
                                                   [CELL_FILTER] = "filter"};

    return names[level];
}

bool cell_level_is_strict(CellLevel level)
{
    return level >= CELL_STRICT;
}
