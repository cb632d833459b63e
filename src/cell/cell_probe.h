/* cell_probe.h - what this machine has for strict cells, by trying it.
 *
 * For:    cell/cell.h, which takes what there is; `warg cell probe`, which shows it.
 * Memory: a plain value.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.2.
 */
#ifndef WARG_CELL_CELL_PROBE_H
#define WARG_CELL_CELL_PROBE_H

#include "cell/cell_group.h"
#include "cell/cell_wish.h"

#define PROBE_WHY 256

typedef struct LevelProbe {
    bool works;
    char why[PROBE_WHY]; /* why not: one line */
} LevelProbe;

typedef struct CellProbe {
    LevelProbe namespaces;
    LevelProbe filter;
    int landlock;       /* version; 0 = none */
    GroupPlaces groups; /* empty where there are none */
    bool user_spaces;   /* namespaces come with one of users, and not by the rights of root */
} CellProbe;

/* Whether the probe has the level; STRICT is either. The one that is taken is written to
 * `ret_level`, which may be NULL. */
bool cell_probe_has(const CellProbe *probe, CellLevel level, CellLevel *ret_level);

#endif
