/* results_all.h - results of one or several folders, as one database.
 *
 * For:    `warg standings`, `warg report`.
 * Memory: the database is the caller's.
 * Thread: one at a time.
 * Source: docs/statistics.md, "Several folders".
 *
 * A place is a folder with a journal, its journal.jsonl, a results.db, a folder of logs, or a log.
 * One place with a journal or a database is opened as results_open does. All others are put
 * together in a database that goes when it is closed:
 *
 *   - Agents are the same when they have the same name.
 *   - A game that several places hold counts once: games of the same plan with the same stage,
 * number and end; games of the same id (rounds of MAW that ended at the same moment, too); logs
 * that are the same file, or that of a game of a journal.
 *   - Stages of the same name are one stage. When no place has several, all are one.
 */
#ifndef WARG_RESULTS_RESULTS_ALL_H
#define WARG_RESULTS_RESULTS_ALL_H

#include "results/results.h"

#define RESULTS_PLACES_MAX 1000

/* Logs that were not counted. */
typedef struct ResultsLeftOut {
    void (*hear)(void *user, Str why);
    void *user;
    uint64_t count; /* set by results_open_all */
} ResultsLeftOut;

/* Errors: those of results_open, which name the place; ERR_IO for a folder of logs of which none
 * can be counted. */
int results_open_all(char *const *paths, size_t count, ResultsLeftOut *left_out, Db **ret_db,
                     Err *err);

#endif
