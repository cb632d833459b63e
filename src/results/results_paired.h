/* results_paired.h - each two agents of a contest in blocks, over the deals that both have played.
 *
 * For:    `warg standings --paired`.
 * Memory: a PairTable owns its names and pairs.
 * Thread: one at a time.
 * Source: docs/statistics.md, "Two agents over the same deals".
 */
#ifndef WARG_RESULTS_RESULTS_PAIRED_H
#define WARG_RESULTS_RESULTS_PAIRED_H

#include "results/results.h"
#include "stats/paired.h"

#define PAIRED_AGENTS_MAX 128

/* All seats that both had in a deal; those of the village's side; the wolves' with the possessed.
 */
typedef enum PairedPart {
    PAIRED_ALL,
    PAIRED_VILLAGE,
    PAIRED_WOLVES,
    PAIRED_PARTS,
} PairedPart;

/* `a` comes before `b` in the order of the standings. */
typedef struct ResultsPair {
    uint32_t a, b; /* into the names */
    PairedSum parts[PAIRED_PARTS];
} ResultsPair;

/* Open, for reading; zero it before. */
typedef struct PairTable {
    char (*names)[AGENT_NAME_MAX + 1]; /* best winning rate first */
    uint32_t name_count;
    ResultsPair *pairs; /* each two once */
    size_t count;
} PairTable;

void pair_table_done(PairTable *table); /* also for CLEANUP */

/* Those of one stage (or all: stage < 0); no pair when no game was of a block. Errors: ERR_LIMIT
 * for more than PAIRED_AGENTS_MAX agents, ERR_IO, ERR_SYNTAX for a value that no journal can hold,
 * ERR_MEMORY. */
int results_paired(Db *db, int64_t stage, PairTable *ret_table, Err *err);

#endif
