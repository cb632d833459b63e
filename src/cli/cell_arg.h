/* cell_arg.h - the option --cell: what programs of agents are put into.
 *
 * For:    `warg run`, `warg serve aiwolf`, `warg agent check`.
 * Memory: none.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 6.2, 18.
 */
#ifndef WARG_CLI_CELL_ARG_H
#define WARG_CLI_CELL_ARG_H

#include "cell/cell_wish.h"
#include "cli/options.h"

/* Its row. The words stand in the order of CellLevel. */
/* clang-format off */
#define CELL_OPTION_ROW                                                                            \
    {"cell", 0, OPTION_CHOICE, "light|none|strict|namespaces|filter",                              \
     "what programs run in: strict, for programs of strangers: no network but their game, no "     \
     "files but their own, no processes, limits, and what they try is found; namespaces and "      \
     "filter are the two ways to that; light hides the results and other processes; none",         \
     "light", 0, 0}
/* clang-format on */

/* In place of what a file says, when it is given. */
static inline void cell_arg(const Options *given, size_t row, CellWish *wish)
{
    if (options_has(given, row))
        wish->level = (CellLevel)options_number(given, row);
}

#endif
