#include "cell/cell_probe.h"

bool cell_probe_has(const CellProbe *probe, CellLevel level, CellLevel *ret_level)
{
    const bool any = level == CELL_STRICT;
    CellLevel taken = level;

    if (any)
        taken = probe->namespaces.works ? CELL_NAMESPACES : CELL_FILTER;
    if (ret_level)
        *ret_level = taken;
    if (taken == CELL_NAMESPACES)
        return probe->namespaces.works;
    return taken == CELL_FILTER ? probe->filter.works : true;
}
