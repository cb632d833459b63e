/* results_unowned.h - the sets that are not counted because a model decided nothing in them.
 *
 * For:    standings, reports, contest pages.
 * Memory: an UnownedTable owns its list.
 * Thread: one at a time.
 * Source: docs/spec/models.md 3 ("at 0 the set is not counted, and the server's error is shown");
 *         stats/own_sets.h says which.
 */
#ifndef WARG_RESULTS_RESULTS_UNOWNED_H
#define WARG_RESULTS_RESULTS_UNOWNED_H

#include "results/results.h"

/* A model player of which no decision was its model's own in some sets of a stage. */
typedef struct UnownedAgent {
    char name[AGENT_NAME_MAX + 1];
    uint64_t sets;
    uint64_t first;                     /* of these */
    char error[DECISION_ERROR_MAX + 1]; /* of its server; "" = none */
} UnownedAgent;

/* Open, for reading; zero it before. */
typedef struct UnownedTable {
    UnownedAgent *agents; /* in the order of their names' bytes */
    size_t count;
    size_t room;
} UnownedTable;

void unowned_table_done(UnownedTable *table); /* also for CLEANUP */

/* Of one stage (or all: stage < 0). Errors: ERR_IO, ERR_MEMORY, ERR_SYNTAX. */
int results_unowned(Db *db, int64_t stage, UnownedTable *ret_table, Err *err);

#endif
